// Statistics that tshark writes when it has read everything. Wireshark's own tables know only what a packet tells;
// these know how the capture ended.
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

/// What packets carried for one queue pair, by direction. Times are seconds since the capture began.
struct Traffic {
  std::array<std::uint64_t, 2> packets{}, octets{};
  double first = 0, last = 0;
};

/// What the packets that passed a statistic's filter spoke of. Without a filter: everything.
struct Selection {
  bool everything = true;
  bool after_end = false;  ///< packets were seen when the capture's end was known
  std::set<std::uint64_t> qps;
  std::set<std::uint32_t> findings;
  std::map<std::uint64_t, Traffic> traffic;  ///< by queue pair; only of those packets, and only for who wants it

  [[nodiscard]] bool has_qp(std::uint64_t qp) const { return everything || qps.contains(qp); }
  [[nodiscard]] bool has_finding(std::uint32_t index) const { return everything || findings.contains(index); }
};

struct WrittenStatistic {
  const char* name;      ///< of tshark -z
  bool traffic = false;  ///< it wants Selection::traffic
  /// Whole lines. Asked when the capture is at its end.
  std::string (*text)(const Session& session, const Selection& selection);
};

/// Whether this program is tshark, whose -z is to write more than a table of Wireshark's can hold.
[[nodiscard]] bool is_tshark() noexcept;

/// Registers it for tshark -z. `statistic` must live as long as the program.
void register_written(const WrittenStatistic& statistic);

/// What a callback for -z returns: nothing before 4.6, bool since.
using Started = std::invoke_result_t<stat_tap_init_cb, const char*, void*>;
/// Makes `-z <alias>` mean `-z <name>`. Both must live as long as the program.
void register_alias(const char* alias, const char* name);

}  // namespace iwarpscope::plugin
