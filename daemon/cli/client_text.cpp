// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/client_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <nlohmann/json.hpp>

#include "api/enums.h"
#include "api/records.h"
#include "base/wording.h"
#include "iwarpscope/v1/observer.pb.h"
#include "rdmap/opcode.h"
#include "report/human.h"
#include "report/qp_words.h"
#include "report/restart_words.h"
#include "report/utf8.h"

namespace iwarpscope::cli {
namespace {

/// Accepts any number: a hostile daemon may send an invalid duration.
std::int64_t nanoseconds(double seconds) {
  return seconds > 0 ? static_cast<std::int64_t>(std::min(seconds, 9e9) * 1e9) : 0;
}

std::string line(std::string_view label, std::string_view text) {
  return fmt::format("{:<11} {}\n", label, report::to_printable(text));
}

/// "3 rts, 2 closed".
template <class Counts>
std::string counts_text(const Counts& counts) {
  std::vector<std::pair<std::string, std::uint64_t>> sorted(counts.begin(), counts.end());
  std::sort(sorted.begin(), sorted.end());
  std::string out;
  for (auto& [name, count] : sorted) {
    if (count == 0) continue;
    std::replace(name.begin(), name.end(), '_', ' ');
    out += fmt::format("{}{} {}", out.empty() ? "" : ", ", count, name);
  }
  return out;
}

std::string interface_text(const v1::Interface& view) {
  std::string text = fmt::format("{}{}{}: {}, {}", view.name(), view.link_type().empty() ? "" : " ", view.link_type(),
                                 counted(view.frames(), "frame"), report::human_octets(view.octets()));
  if (!view.up()) text += "; down";
  if (!view.tap_group().empty()) text += "; tap group " + view.tap_group();
  if (!view.method().empty()) text += "; method " + view.method();
  if (!view.time_source().empty()) text += "; time from " + view.time_source();
  if (!view.offloads().empty()) {
    std::string names;
    for (const std::string& name : view.offloads()) names += (names.empty() ? "" : ", ") + name;
    text += "; receive offloads are on (" + names + "): frames differ from those on the wire";
  }
  return text;
}

std::string latency_text(const v1::Latencies& latencies) {
  if (latencies.total() == 0) return "none seen";
  std::uint64_t seen = 0;
  std::size_t bucket = 0;
  for (; bucket + 1 < static_cast<std::size_t>(latencies.counts_size()); ++bucket) {
    seen += latencies.counts(static_cast<int>(bucket));
    if (seen * 2 >= latencies.total()) break;
  }
  const double mean = latencies.sum_seconds() / static_cast<double>(latencies.total());
  const auto below = std::int64_t{1} << (live::Latencies::kFirst + std::min<std::size_t>(bucket, 40));
  return fmt::format("{} measured, half of them below {}, {} on average", latencies.total(),
                     report::human_duration(below), report::human_duration(nanoseconds(mean)));
}

std::string findings_text(const v1::Totals& totals) {
  std::array<std::uint64_t, 4> by_severity{};
  for (const auto& [name, count] : totals.findings()) {
    const findings::Rule* rule = findings::find_rule(name);
    by_severity[rule == nullptr ? 0 : 1 + static_cast<std::size_t>(rule->severity)] += count;
  }
  std::string text = fmt::format("{}, {}, {}", counted(by_severity[3], "error"), counted(by_severity[2], "warning"),
                                 counted(by_severity[1], "note"));
  if (by_severity[0] != 0) text += fmt::format(", {} of rules unknown to this program", by_severity[0]);
  if (totals.findings_withheld() != 0) {
    text += fmt::format("; {} withheld by findings.thresholds", totals.findings_withheld());
  }
  return text;
}

std::string output_text(const v1::Output& view) {
  std::string text = fmt::format("{}: {} accepted, {} lost", view.name(), view.taken(), view.lost());
  if (view.not_begun() != 0) text += fmt::format(" ({} not started: too many active)", view.not_begun());
  if (view.withheld() != 0) text += fmt::format(", {} withheld as configured", view.withheld());
  // The queue of one that has no limit of its own is the history.
  text += view.queue_limit() == 0 ? fmt::format(", {} waiting", view.queued())
                                  : fmt::format(", {} of {} queued", view.queued(), view.queue_limit());
  if (view.lag_seconds() >= 1) {
    text += ", the oldest for " + report::human_duration(nanoseconds(view.lag_seconds()));
  }
  if (!view.healthy()) text += "; failing: " + view.trouble();
  return text;
}

std::string limits_text(const v1::Status& status, std::string_view label) {
  std::string out;
  for (const v1::Limit& limit : status.limits()) {
    if (limit.evicted() == 0 && limit.entries() * 10 < limit.limit() * 9) continue;
    const std::string use =
        limit.each() ? fmt::format("{} each", limit.limit()) : fmt::format("{} of {}", limit.entries(), limit.limit());
    out += line(out.empty() ? label : "",
                fmt::format("{}: {}, {} discarded at the limit", limit.table(), use, limit.evicted()));
  }
  return out.empty() ? line(label, "none reached") : out;
}

/// The title of an opcode of the report; any other word is returned unchanged.
std::string opcode_words(const std::string& name) {
  for (const rdmap::OpcodeTraits& one : rdmap::kOpcodeTraits) {
    if (one.name == name) return std::string{one.title};
  }
  return name;
}

/// The outcome of an operation of the history in words; any other word is returned unchanged.
std::string operation_outcome(const std::string& name) {
  if (name == "terminated") return "reported by a Terminate";
  if (name == "no_response_seen") return "no response in the capture";
  return name == "terminate" ? "" : name;
}

/// A count of a JSON record; 0 if it has none.
std::uint64_t count_of(const nlohmann::json& record, const char* key) {
  const auto field = record.find(key);
  return field != record.end() && field->is_number_unsigned() ? field->get<std::uint64_t>() : 0;
}

}  // namespace

std::string losses_text(const v1::Losses& losses) {
  return losses_text(api::losses(losses));
}

bool has_losses(const live::QpView& view) noexcept {
  return view.losses.any();
}

std::string losses_text(const live::Losses& losses) {
  const std::uint64_t frames = losses.frames();
  if (!losses.any()) return "none known";
  std::string text;
  if (frames != 0) {
    text = fmt::format("{}: {} at the interface, {} in the kernel's ring, {} before the analysis",
                       counted(frames, "frame"), losses.nic, losses.kernel, losses.queue);
  }
  if (losses.gap_octets != 0) {
    text +=
        fmt::format("{}{} of TCP streams missing", text.empty() ? "" : "; ", report::human_octets(losses.gap_octets));
  }
  if (losses.gap_messages != 0) {
    text += fmt::format("{}{} over SCTP missing", text.empty() ? "" : "; ", counted(losses.gap_messages, "message"));
  }
  return text;
}

std::string sensors_count(const v1::Status& status) {
  std::uint64_t silent = 0;
  std::string names;
  for (const v1::SensorStatus& sensor : status.sensors()) {
    if (sensor.silent()) names += (silent++ == 0 ? ": " : ", ") + sensor.name();
  }
  return fmt::format("{}, {} silent{}", counted(static_cast<std::uint64_t>(status.sensors_size()), "sensor"), silent,
                     names);
}

std::string capture_text(const v1::Status& status) {
  if (status.centre()) return "a centre of " + counted(static_cast<std::uint64_t>(status.sensors_size()), "sensor");
  if (status.replay()) {
    if (!status.capturing()) return "replay finished";
    return fmt::format("replaying, {:.0f} %", status.replay_progress() * 100);
  }
  if (!status.capturing()) return "not capturing: no interface is up";
  std::string names;
  for (const v1::Interface& view : status.interfaces()) names += (names.empty() ? "" : ", ") + view.name();
  return report::to_printable("capturing" + (names.empty() ? "" : " on " + names));
}

namespace {

/// Which sensor and run answers, and its last record.
std::string origin_text(const v1::RecordName& name) {
  if (name.run_uuid().empty()) return {};
  return line("Sensor", fmt::format("{}, UUID {}", name.sensor(), name.sensor_uuid())) +
         line("Run", fmt::format("{}, {}; events --after {}:{} shows what comes later", name.run_uuid(),
                                 counted(name.sequence(), "record"), name.run_uuid(), name.sequence()));
}

}  // namespace

namespace {

/// Only what is wrong with it.
std::string configuration_text(const v1::Configuration& configuration) {
  std::string out;
  if (configuration.reload_failed()) out += line("Configuration", configuration.mistakes());
  if (const std::uint64_t waiting = configuration.keys_waiting(); waiting != 0)
    out += line(
        out.empty() ? "Configuration" : "",
        fmt::format("{} of the file {} a restart", counted(waiting, "changed key"), waiting == 1 ? "needs" : "need"));
  return out;
}

std::string clock_text(const v1::ClockState& clock) {
  if (!clock.synchronized()) return "not synchronized: times of different machines cannot be compared";
  return fmt::format("synchronized, off by {} at most", report::human_duration(clock.error_ns()));
}

}  // namespace

namespace {

/// A line for each sensor, and one for what is wrong with it.
std::string sensors_text(const v1::Status& status, std::int64_t now_ns) {
  std::string out;
  for (const v1::SensorStatus& sensor : status.sensors()) {
    std::string text = sensor.name();
    if (!sensor.position().empty()) text += fmt::format(" ({})", sensor.position());
    if (sensor.silent()) text += ": silent";
    if (sensor.has_delivered_time_ns()) {
      std::int64_t since = 0;
      if (__builtin_sub_overflow(now_ns, sensor.delivered_time_ns(), &since)) since = 0;
      text += fmt::format("{} delivered {} ago", sensor.silent() ? "," : ":",
                          report::human_duration(std::max<std::int64_t>(since, 0)));
    }
    if (sensor.has_heartbeat_time_ns()) {
      text += fmt::format(", version {}; at its last heartbeat: {} followed, {} waiting", sensor.version(),
                          counted(sensor.qps(), "queue pair"), counted(sensor.waiting(), "record"));
      if (const live::Losses lost = api::losses(sensor.losses()); lost.any()) text += "; lost: " + losses_text(lost);
      if (sensor.has_clock()) text += "; clock " + clock_text(sensor.clock());
    }
    if (sensor.expired() != 0)
      text += fmt::format("; {} discarded before delivery", counted(sensor.expired(), "record"));
    out += line(out.empty() ? "Sensors" : "", text);
    if (!sensor.trouble().empty()) out += line("", "  " + sensor.trouble());
  }
  return out.empty() ? line("Sensors", "none") : out;
}

/// The database, or what the centre does with what arrived.
std::string centre_output_text(const v1::Output& view) {
  if (view.name() == "database")
    return line("Database", view.healthy() ? std::string("answers") : "does not answer: " + view.trouble());
  std::string text = !view.healthy()      ? view.trouble()
                     : view.queued() == 0 ? std::string("up to date")
                                          : fmt::format("{} behind", counted(view.queued(), "record"));
  if (view.lost() != 0 && view.name() == "joins")
    text += fmt::format("; {} not compared", counted(view.lost(), "queue pair"));
  if (view.lost() != 0 && view.name() == "alerts") text += fmt::format("; {} refused", counted(view.lost(), "alert"));
  std::string name = view.name();
  if (!name.empty()) name.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(name.front())));
  return line(name, text);
}

/// A centre captures nothing itself.
std::string centre_text(const v1::Status& status, std::int64_t now_ns) {
  const v1::Totals& totals = status.totals();
  std::string out = line("Centre", fmt::format("{}, a centre of {}", status.version(), sensors_count(status)));
  for (const v1::Output& view : status.outputs()) out += centre_output_text(view);
  out += sensors_text(status, now_ns);
  const std::string now = counts_text(totals.qps_by_state());
  out += line("QPs", fmt::format("active at the last heartbeats: {}", now.empty() ? "none" : now));
  out += line("Findings", findings_text(totals));
  return out + line("Place", fmt::format("events --after {}:{} shows what comes later", status.name().run_uuid(),
                                         status.name().sequence()));
}

}  // namespace

std::string status_text(const v1::Status& status, std::int64_t now_ns) {
  if (status.centre()) return centre_text(status, now_ns);
  const v1::Totals& totals = status.totals();
  std::int64_t running = 0;
  if (__builtin_sub_overflow(now_ns, status.started_time_ns(), &running)) running = 0;
  std::string out = line("iwarpscoped", fmt::format("{}, running for {}; {}", status.version(),
                                                    report::human_duration(running), capture_text(status)));
  out +=
      line("Captured", fmt::format("{}, {}", counted(totals.frames(), "frame"), report::human_octets(totals.octets())));
  for (const v1::Interface& view : status.interfaces()) {
    out += line("", interface_text(view));
    for (const std::string& warning : view.warnings()) out += line("", "  " + warning);
  }
  out += line("Losses", losses_text(totals.losses()));
  if (status.analysis_lag_seconds() >= 0.1) {
    out += line("Lag", fmt::format("the analysis is {} late",
                                   report::human_duration(nanoseconds(status.analysis_lag_seconds()))));
  }
  const std::string now = counts_text(totals.qps_by_state()), closed = counts_text(totals.qps_closed());
  out += line("QPs", fmt::format("{} seen; active: {}; ended: {}", totals.qps_opened(), now.empty() ? "none" : now,
                                 closed.empty() ? "none" : closed));
  const report::Restart restart{status.continued(), status.not_continued(), status.checkpoint_refused()};
  if (const std::string text = report::restart_text(restart); !text.empty()) out += line("Restart", text);
  out += configuration_text(status.configuration());
  if (status.has_clock()) out += line("Clock", clock_text(status.clock()));
  out += line("Findings", findings_text(totals));
  out += line("RDMA Reads", latency_text(status.read_latency()));
  out += line("Atomics", latency_text(status.atomic_latency()));
  out += line("Handshakes", latency_text(status.handshake()));
  out += limits_text(status, "Limits");
  std::string_view label = "Outputs";
  for (const v1::Output& view : status.outputs()) {
    out += line(label, output_text(view));
    label = "";
  }
  out += origin_text(status.name());
  const v1::ApiUse& api = status.api();
  return out +
         line("API",
              fmt::format("{} of {} subscribers; {} events sent, {} lost by slow subscribers; {} answered, {} refused",
                          api.subscribers(), api.subscribers_limit(), api.reported(), api.lost(),
                          counted(api.questions(), "request"), api.refused()));
}

std::string finding_line(const v1::Finding& finding, bool with_sensor) {
  const auto severity = api::enum_from_v1<findings::Severity>(finding.severity());
  std::string where;
  if (with_sensor) where = finding.name().sensor();
  if (finding.has_qp()) where += fmt::format("{}QP {}", where.empty() ? "" : ", ", finding.qp());
  if (const auto direction = api::enum_from_v1<Direction>(finding.direction())) {
    where += fmt::format("{}{}", where.empty() ? "" : ", ", direction_text(*direction));
  }
  if (finding.frame() != 0) where += fmt::format("{}frame {}", where.empty() ? "" : ", ", finding.frame());
  std::string ends;
  if (finding.has_a()) ends = fmt::format(" ({} - {})", finding.a().address(), finding.b().address());
  return report::to_printable(fmt::format(
             "{}  {:<7}  {} ({})  {}{}: {}",
             finding.time_ns() == 0 ? std::string(33, ' ') : report::date_time(TimePoint{finding.time_ns()}),
             severity ? findings::name(*severity) : "unknown", finding.rule(), finding.code(),
             where.empty() ? "capture" : where, ends, finding.text())) +
         "\n";
}

std::string printable_lines(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    out += report::to_printable(std::string{text.substr(0, end)});
    if (end != text.size()) out += '\n';
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

std::string history_json(const std::string& json, const std::string& run) {
  const std::size_t end = json.find_last_not_of(" \t\r\n");
  if (!json.starts_with('{') || end == 0 || end == std::string::npos || json[end] != '}') return json;
  const bool is_empty = json.find_first_not_of(" \t\r\n", 1) == end;
  const nlohmann::json text = run;
  return fmt::format("{}{}\"run\":{}}}", json.substr(0, end), is_empty ? "" : ",",
                     text.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
}

namespace {

std::string heartbeat_words(const nlohmann::json& record) {
  const auto number = [&](const char* of, const char* key) {
    const auto its = record.find(of);
    return its != record.end() && its->is_object() ? its->value(key, std::uint64_t{0}) : std::uint64_t{0};
  };
  const std::uint64_t lost =
      number("losses", "nic_frames") + number("losses", "kernel_frames") + number("losses", "queue_frames");
  std::string out =
      fmt::format("{}  {} analysed, {} lost", record.value("capturing", false) ? "capturing" : "not capturing",
                  counted(record.value("frames", std::uint64_t{0}), "frame"), lost);
  for (const auto& output : record.value("outputs", nlohmann::json::array())) {
    if (output.is_object() && output.contains("trouble") && output["trouble"].is_string())
      out += "  " + output.value("name", std::string{}) + ": " + output["trouble"].get<std::string>();
  }
  return out;
}

/// Numbers of some rows of a summary.
struct SummedRows {
  std::uint64_t operations = 0, failures = 0;
  v1::Latencies latencies;

  void add(const nlohmann::json& row) {
    operations += count_of(row, "messages");
    failures += count_of(row, "failures");
    const auto latency = row.find("latency");
    if (latency == row.end() || !latency->is_object()) return;
    latencies.set_total(latencies.total() + count_of(*latency, "total"));
    const auto seconds = latency->find("sum_seconds");
    if (seconds != latency->end() && seconds->is_number())
      latencies.set_sum_seconds(latencies.sum_seconds() + seconds->get<double>());
    const auto counts = latency->find("counts");
    if (counts == latency->end() || !counts->is_array()) return;
    for (int i = 0; i < static_cast<int>(counts->size()); ++i) {
      const auto& count = (*counts)[static_cast<std::size_t>(i)];
      if (i == latencies.counts_size()) latencies.add_counts(0);
      if (count.is_number_unsigned()) latencies.set_counts(i, latencies.counts(i) + count.get<std::uint64_t>());
    }
  }
};

/// What passed between two hosts: operations, failures, and how long responses took by opcode.
std::string summary_words(const nlohmann::json& record) {
  const auto text = [](const nlohmann::json& of, const char* key) {
    const auto field = of.find(key);
    return field != of.end() && field->is_string() ? field->get<std::string>() : std::string{};
  };
  const std::string a = text(record, "a"), b = text(record, "b");
  const auto complete = record.find("complete");
  const bool is_cut = complete != record.end() && complete->is_boolean() && !complete->get<bool>();
  const std::string cut = is_cut ? "  not the whole hour" : "";
  if (a.empty() && b.empty())
    return fmt::format("all hosts  {} with operations{}", counted(count_of(record, "pairs"), "pair"), cut);
  SummedRows all;
  std::map<std::string, SummedRows> by_opcode;
  if (const auto rows = record.find("rows"); rows != record.end() && rows->is_array()) {
    for (const auto& row : *rows) {
      if (!row.is_object()) continue;
      all.add(row);
      by_opcode[text(row, "opcode")].add(row);
    }
  }
  std::string out = fmt::format("{} - {}  {}, {} failed", a, b, counted(all.operations, "operation"), all.failures);
  for (const auto& [opcode, its] : by_opcode) {
    if (its.latencies.total() == 0) continue;
    out += fmt::format("  {}: {}", opcode.empty() ? "other" : opcode_words(opcode), latency_text(its.latencies));
  }
  return out + cut;
}

}  // namespace

std::string history_words(const std::string& json) {
  const auto record = nlohmann::json::parse(json, nullptr, false);
  if (!record.is_object()) return json;
  // Words of the fields that these records have; a missing or null one is left out.
  const auto word = [](const nlohmann::json& of, const char* key) -> std::string {
    const auto field = of.is_object() ? of.find(key) : of.end();
    if (field == of.end() || field->is_null()) return {};
    return field->is_string() ? field->get<std::string>() : field->dump();
  };
  const auto end = [&](const char* key) {
    const auto field = record.find(key);
    if (field == record.end()) return std::string{};
    const std::string address = word(*field, "address");
    const bool is_v6 = address.find(':') != std::string::npos;
    return fmt::format("{}{}{}:{}", is_v6 ? "[" : "", address, is_v6 ? "]" : "", word(*field, "port"));
  };
  std::string out;
  if (word(record, "record") == "heartbeat") return heartbeat_words(record);
  if (word(record, "record") == "summary") return summary_words(record);
  const auto add = [&](const std::string& text, std::string_view before = "") {
    if (!text.empty()) out += fmt::format("{}{}{}", out.empty() ? "" : "  ", before, text);
  };
  add(word(record, "severity"));
  add(word(record, "id"));
  add(word(record, "qp"), "QP ");
  const auto has_end = [&record](const char* key) { return record.contains(key) && !record[key].is_null(); };
  if (has_end("a") && has_end("b")) add(end("a") + " -> " + end("b"));
  add(word(record, "sctp_stream"), "stream ");
  if (const std::string opcode = word(record, "opcode"); !opcode.empty()) {
    const std::string direction = word(record, "direction");
    add(direction == "a_to_b" ? "A -> B" : direction == "b_to_a" ? "B -> A" : direction);
    add(opcode_words(opcode) + (word(record, "index").empty() ? "" : " (message " + word(record, "index") + ")"));
    add(word(record, "first_frame"), "frame ");
    add(word(record, "name"));
    add(operation_outcome(word(record, "outcome")));
  }
  if (const auto verdict = record.find("verdict"); verdict != record.end()) {
    add(word(*verdict, verdict->contains("outcome") ? "outcome" : "class"));  // "class" in earlier histories
    add(word(*verdict, "code"));
    add(word(*verdict, "text"));
  }
  if (const auto losses = record.find("losses"); losses != record.end() && losses->is_object()) {
    const live::Losses lost{count_of(*losses, "nic_frames"), count_of(*losses, "kernel_frames"),
                            count_of(*losses, "queue_frames"), count_of(*losses, "gap_octets"),
                            count_of(*losses, "gap_messages")};
    if (lost.any()) add(losses_text(lost), "lost during its lifetime: ");
  }
  add(word(record, "text"));
  return out.empty() ? json : out;
}

}  // namespace iwarpscope::cli
