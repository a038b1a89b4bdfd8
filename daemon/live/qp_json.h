// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The record of a queue pair with what a running capture adds to it.
#pragma once

#include <string>

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

/// The report's record, and what only the daemon knows: its losses, whether it was continued, and its name. A line.
inline void append_json(std::string& out, const QpView& view) {
  const RecordName name = named(view);
  report::append_json(out, view.record, name.community_id);
  out.resize(out.size() - 2);  // "}\n"
  out += R"(,"losses":)" + losses_json(view.losses);
  out += view.continued ? R"(,"continued":true,)" : R"(,"continued":false,)";
  append_members(out, name);
  out += "}\n";
}

}  // namespace iwarpscope::live
