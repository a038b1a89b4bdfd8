// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "live/qp_json.h"

#include <fmt/format.h>

#include <cstdlib>
#include <iterator>
#include <string_view>

#include "findings/catalogue.h"
#include "report/json.h"
#include "report/qp_words.h"

namespace iwarpscope::live {
namespace {

std::string counts_json(const FindingCounts& counts) {
  return fmt::format(R"({{"errors":{},"warnings":{},"notes":{},"worst":{}}})", counts.errors, counts.warnings,
                     counts.notes,
                     counts.worst ? report::json_string(findings::rule(*counts.worst).name) : std::string("null"));
}

std::string moment_json(const qp::Moment& moment) {
  if (!moment.happened()) return "null";
  return fmt::format(R"({{"frame":{},"time":{}}})", moment.frame.value, time_json(moment.time));
}

std::string times_json(const qp::QpRecord& record) {
  const bool has_request = record.startup && record.startup->request;
  std::string out = R"({"mpa_request":)" + (has_request ? time_json(record.startup->request->time) : "null");
  std::string_view name = "a_to_b";
  for (const qp::DirectionSummary& direction : record.summary.directions) {
    out += fmt::format(R"(,"{}":{{"syn":{},"fin":{},"rst":{}}})", name, moment_json(direction.syn),
                       moment_json(direction.fin), moment_json(direction.rst));
    name = "b_to_a";
  }
  return out + "}";
}

}  // namespace

std::string time_json(TimePoint time) {
  constexpr std::int64_t kSecond = 1'000'000'000;
  return fmt::format("\"{}{}.{:09}\"", time.ns < 0 ? "-" : "", std::abs(time.ns / kSecond),
                     std::abs(time.ns % kSecond));
}

std::string losses_json(const Losses& losses) {
  return fmt::format(R"({{"nic_frames":{},"kernel_frames":{},"queue_frames":{},"gap_octets":{},"gap_messages":{}}})",
                     losses.nic, losses.kernel, losses.queue, losses.gap_octets, losses.gap_messages);
}

void append_json(std::string& out, const QpView& view) {
  const RecordName name = named(view);
  const auto& [a_to_b, b_to_a] = view.record.directions;
  report::append_json(out, view.record, name.community_id);
  out.resize(out.size() - 2);  // "}\n"
  fmt::format_to(std::back_inserter(out),
                 R"(,"losses":{},"continued":{},"findings":{},"payload_octets":{},"times":{},)",
                 losses_json(view.losses), view.continued, counts_json(view.findings),
                 report::payload_octets(a_to_b) + report::payload_octets(b_to_a), times_json(view.record));
  if (!view.ended) {
    fmt::format_to(std::back_inserter(out), R"("rate":{{"octets_per_second":{},"second":{}}},)",
                   view.activity.octets[Activity::kSeconds - 2], view.activity.last_second);
  }
  append_members(out, name);
  out += "}\n";
}

}  // namespace iwarpscope::live
