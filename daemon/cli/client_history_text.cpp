// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Records of the history and the event log as text.
#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>

#include "base/wording.h"
#include "cli/client_text.h"
#include "iwarpscope/v1/observer.pb.h"
#include "rdmap/opcode.h"

namespace iwarpscope::cli {
namespace {

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
  std::uint64_t all = 0, failures = 0;
  v1::Latencies latencies;

  void add(const nlohmann::json& row) {
    all += count_of(row, "messages");
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

std::string string_of(const nlohmann::json& record, const char* key) {
  const auto field = record.find(key);
  return field != record.end() && field->is_string() ? field->get<std::string>() : std::string{};
}

/// Rows of one pair of hosts: messages, failures, and how long responses took by opcode. Connections and FPDUs have
/// rows of their own.
std::string summary_rows_words(const nlohmann::json& rows) {
  SummedRows messages;
  std::map<std::string, SummedRows> by_opcode;
  for (const auto& row : rows) {
    if (!row.is_object()) continue;
    const std::string opcode = string_of(row, "opcode");
    by_opcode[opcode].add(row);
    if (opcode != "connection" && opcode != "fpdu") messages.add(row);
  }
  std::string out = fmt::format("{}, {} failed", counted(messages.all, "message"), messages.failures);
  if (const SummedRows& ended = by_opcode["connection"]; ended.all != 0)
    out += fmt::format("  {} ended, {} failed", counted(ended.all, "connection"), ended.failures);
  if (const SummedRows& fpdus = by_opcode["fpdu"]; fpdus.failures != 0)
    out += fmt::format("  {} with a wrong CRC", counted(fpdus.failures, "FPDU"));
  for (const auto& [opcode, its] : by_opcode) {
    if (its.latencies.total() == 0) continue;
    const std::string what = opcode == "connection" ? "MPA Reply" : opcode.empty() ? "other" : opcode_words(opcode);
    out += fmt::format("  {}: {}", what, latency_text(its.latencies));
  }
  return out;
}

/// What passed between two hosts in an hour, or what a sensor saw and lost in it.
std::string summary_words(const nlohmann::json& record) {
  const auto complete = record.find("complete");
  const bool is_cut = complete != record.end() && complete->is_boolean() && !complete->get<bool>();
  const std::string cut = is_cut ? "  not the whole hour" : "";
  if (const std::string a = string_of(record, "a"), b = string_of(record, "b"); !a.empty() || !b.empty()) {
    const auto rows = record.find("rows");
    const bool has_rows = rows != record.end() && rows->is_array();
    return fmt::format("{} - {}  {}{}", a, b, summary_rows_words(has_rows ? *rows : nlohmann::json::array()), cut);
  }
  std::string out = fmt::format("all hosts  {} with traffic", counted(count_of(record, "pairs"), "pair"));
  if (const auto lost = record.find("lost"); lost != record.end() && lost->is_object()) {
    const live::Losses losses{count_of(*lost, "nic"), count_of(*lost, "kernel"), count_of(*lost, "queue"),
                              count_of(*lost, "gap_octets"), count_of(*lost, "gap_messages")};
    if (losses.any()) out += "  lost: " + losses_text(losses);
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
