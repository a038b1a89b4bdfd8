// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The record of a queue pair with what a running capture adds to it.
#pragma once

#include <string>

#include "findings/catalogue.h"
#include "live/views.h"
#include "report/json.h"

namespace iwarpscope::live {

/// An object without a line feed: "nic_frames", "kernel_frames", "queue_frames", "gap_octets",
/// "gap_messages".
[[nodiscard]] inline std::string losses_json(const Losses& losses) {
  return R"({"nic_frames":)" + std::to_string(losses.nic) + R"(,"kernel_frames":)" + std::to_string(losses.kernel) +
         R"(,"queue_frames":)" + std::to_string(losses.queue) + R"(,"gap_octets":)" +
         std::to_string(losses.gap_octets) + R"(,"gap_messages":)" + std::to_string(losses.gap_messages) + "}";
}

/// An object without a line feed: "errors", "warnings", "notes", "worst".
[[nodiscard]] inline std::string finding_counts_json(const FindingCounts& counts) {
  return R"({"errors":)" + std::to_string(counts.errors) + R"(,"warnings":)" + std::to_string(counts.warnings) +
         R"(,"notes":)" + std::to_string(counts.notes) + R"(,"worst":)" +
         (counts.worst ? report::json_string(findings::rule(*counts.worst).name) : "null") + "}";
}

/// ULP payload, both directions.
[[nodiscard]] inline std::uint64_t payload_octets(const qp::QpRecord& record) noexcept {
  std::uint64_t all = 0;
  for (const qp::DirectionRecord& direction : record.directions) {
    for (const std::uint64_t octets : direction.payload_octets) all += octets;
  }
  return all;
}

/// The report's record, and what only the daemon knows: its losses, findings and payload in numbers, whether it was
/// continued, its last rate if it is open, and its name. A line.
inline void append_json(std::string& out, const QpView& view) {
  const RecordName name = named(view);
  report::append_json(out, view.record, name.community_id);
  out.resize(out.size() - 2);  // "}\n"
  out += R"(,"losses":)" + losses_json(view.losses);
  out += view.continued ? R"(,"continued":true,)" : R"(,"continued":false,)";
  out += R"("findings":)" + finding_counts_json(view.findings);
  out += R"(,"payload_octets":)" + std::to_string(payload_octets(view.record)) + ",";
  if (!view.ended) {
    out += R"("rate":{"octets_per_second":)" + std::to_string(view.activity.octets[Activity::kSeconds - 2]) +
           R"(,"second":)" + std::to_string(view.activity.last_second) + "},";
  }
  append_members(out, name);
  out += "}\n";
}

}  // namespace iwarpscope::live
