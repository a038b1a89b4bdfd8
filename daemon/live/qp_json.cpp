// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "live/qp_json.h"

#include <fmt/format.h>

#include <cstdlib>
#include <iterator>
#include <string_view>

#include "findings/catalogue.h"
#include "report/json.h"

namespace iwarpscope::live {
namespace {

std::string counts_json(const FindingCounts& counts) {
  return fmt::format(R"({{"errors":{},"warnings":{},"notes":{},"worst":{}}})", counts.errors, counts.warnings,
                     counts.notes,
                     counts.worst ? report::json_string(findings::rule(*counts.worst).name) : std::string("null"));
}

/// ULP payload, both directions.
std::uint64_t payload_octets(const qp::QpRecord& record) noexcept {
  std::uint64_t all = 0;
  for (const qp::DirectionRecord& direction : record.directions) {
    for (const std::uint64_t octets : direction.payload_octets) all += octets;
  }
  return all;
}

/// Seconds with nine decimals, as a string; null: it did not happen.
std::string time_json(bool happened, TimePoint time) {
  constexpr std::int64_t kSecond = 1'000'000'000;
  if (!happened) return "null";
  return fmt::format("\"{}{}.{:09}\"", time.ns < 0 ? "-" : "", std::abs(time.ns / kSecond),
                     std::abs(time.ns % kSecond));
}

std::string moment_json(const qp::Moment& moment) {
  if (!moment.happened()) return "null";
  return fmt::format(R"({{"frame":{},"time":{}}})", moment.frame.value, time_json(true, moment.time));
}

std::string times_json(const qp::QpRecord& record) {
  const bool has_request = record.startup && record.startup->request;
  std::string out =
      R"({"mpa_request":)" + time_json(has_request, has_request ? record.startup->request->time : TimePoint{});
  std::string_view name = "a_to_b";
  for (const qp::DirectionSummary& direction : record.summary.directions) {
    out += fmt::format(R"(,"{}":{{"syn":{},"fin":{},"rst":{}}})", name, moment_json(direction.syn),
                       moment_json(direction.fin), moment_json(direction.rst));
    name = "b_to_a";
  }
  return out + "}";
}

}  // namespace

std::string losses_json(const Losses& losses) {
  return fmt::format(R"({{"nic_frames":{},"kernel_frames":{},"queue_frames":{},"gap_octets":{},"gap_messages":{}}})",
                     losses.nic, losses.kernel, losses.queue, losses.gap_octets, losses.gap_messages);
}

void append_json(std::string& out, const QpView& view) {
  const RecordName name = named(view);
  report::append_json(out, view.record, name.community_id);
  out.resize(out.size() - 2);  // "}\n"
  fmt::format_to(std::back_inserter(out),
                 R"(,"losses":{},"continued":{},"findings":{},"payload_octets":{},"times":{},)",
                 losses_json(view.losses), view.continued, counts_json(view.findings), payload_octets(view.record),
                 times_json(view.record));
  if (!view.ended) {
    fmt::format_to(std::back_inserter(out), R"("rate":{{"octets_per_second":{},"second":{}}},)",
                   view.activity.octets[Activity::kSeconds - 2], view.activity.last_second);
  }
  append_members(out, name);
  out += "}\n";
}

}  // namespace iwarpscope::live
