// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Queue pairs summed by host and by pair of hosts.
#pragma once

#include <absl/container/btree_map.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "live/views.h"

namespace iwarpscope::live {

/// What one queue pair adds to the rows of its hosts.
struct HostShare {
  bool counted = false;
  bool active = false;
  bool failed = false;
  std::uint32_t errors = 0, warnings = 0, notes = 0;
  std::uint64_t payload_octets = 0;
  friend constexpr bool operator==(const HostShare&, const HostShare&) = default;
};

/// Whose rows a queue pair adds to.
struct HostEnds {
  net::IpAddress a, b;
  std::uint32_t tap_group = 0;  ///< as in net::FlowKey
};

/// One row for each address and one for each two that have a queue pair, apart by tap group. No question walks over
/// queue pairs. Not thread-safe.
class HostSums {
 public:
  /// The queue pair between `ends` added `was` so far, and adds `is` from now on. A row to which none adds is removed.
  void change(const HostEnds& ends, const HostShare& was, const HostShare& is);
  /// At most `most` rows, beginning with `from` or the first behind it. `names`: of tap groups, by their numbers.
  [[nodiscard]] HostPage page(bool pairs, const HostKey& from, std::size_t most,
                              const std::vector<NumberedInterface>& names = {}) const;

 private:
  using Rows = absl::btree_map<HostKey, HostRow>;
  static void change(Rows& rows, const HostKey& key, const HostShare& was, const HostShare& is);

  Rows hosts_, pairs_;
};

}  // namespace iwarpscope::live
