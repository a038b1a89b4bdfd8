// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Statistics that tshark prints after it has read all frames. Wireshark's own tables only have data of packets; these
// statistics also include the end of the capture.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <set>
#include <string>

#include "epan/wireshark.h"
#include "session/session.h"

// After Wireshark's own types.
#include <epan/stat_tap_ui.h>

namespace iwarpscope::plugin {

/// Data that packets carried for one queue pair, by direction. Times are seconds since the capture began.
struct Traffic {
  std::array<std::uint64_t, 2> packets{}, octets{};
  double first = 0, last = 0;
};

/// The queue pairs and findings of packets that passed a statistic's filter. Without a filter: all.
struct Selection {
  bool everything = true;
  bool after_end = false;  ///< packets were seen when the end of the capture was known
  std::set<std::uint64_t> qps;
  std::set<std::uint32_t> findings;
  std::map<std::uint64_t, Traffic> traffic;  ///< by queue pair; only from those packets, and only if needed

  [[nodiscard]] bool has_qp(std::uint64_t qp) const { return everything || qps.contains(qp); }
  [[nodiscard]] bool has_finding(std::uint32_t index) const { return everything || findings.contains(index); }
};

struct WrittenStatistic {
  const char* name;      ///< of tshark -z
  bool traffic = false;  ///< it needs Selection::traffic
  /// Complete lines. Called at the end of the capture.
  std::string (*text)(const Session& session, const Selection& selection);
};

/// Whether this program is tshark, whose -z prints more than a Wireshark table can contain.
[[nodiscard]] bool is_tshark() noexcept;

/// Registers a statistic for tshark -z. `statistic` must live as long as the program.
void register_written(const WrittenStatistic& statistic);

/// Return type of a callback for -z: void before 4.6, bool since.
using Started = std::invoke_result_t<stat_tap_init_cb, const char*, void*>;
/// Makes `-z <alias>` mean `-z <name>`. Both must live as long as the program.
void register_alias(const char* alias, const char* name);

}  // namespace iwarpscope::plugin
