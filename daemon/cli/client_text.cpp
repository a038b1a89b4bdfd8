// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/client_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "api/enums.h"
#include "api/records.h"
#include "base/wording.h"
#include "iwarpscope/v1/observer.pb.h"
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

}  // namespace

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

}  // namespace iwarpscope::cli
