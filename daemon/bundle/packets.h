// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The packets of some queue pairs, taken from a capture file.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include <tl/expected.hpp>

#include "base/ids.h"
#include "capture/tap_groups.h"
#include "qp/records.h"

namespace iwarpscope::bundle {

/// The connections of queue pairs: over TCP by addresses, ports and tap group, over SCTP by ports and tap group alone,
/// as an association may have several addresses.
class Connections {
 public:
  void add(const qp::QpRecord& record);
  [[nodiscard]] bool has_tcp(std::uint64_t flow) const { return tcp_.contains(flow); }
  [[nodiscard]] bool has_sctp(std::uint16_t port, std::uint16_t other, std::uint32_t tap_group) const {
    return sctp_.contains({std::minmax(port, other), tap_group});
  }

 private:
  std::set<std::uint64_t> tcp_;                                                       ///< net::stable_hash()
  std::set<std::pair<std::pair<std::uint16_t, std::uint16_t>, std::uint32_t>> sctp_;  ///< ports, tap group
};

struct PacketSelection {
  std::optional<Connections> of;                ///< empty: all packets
  std::map<FrameNumber, std::string> comments;  ///< on frames of the capture
  bool cut_payload = false;
  capture::TapGroups tap_groups{};                                      ///< as when the capture was analysed
  static constexpr std::uint64_t kMostOctets = std::uint64_t{1} << 30;  ///< of the file that is written
};

struct PacketsWritten {
  std::uint64_t packets = 0;
  std::uint64_t left_out = 0;    ///< the file would have become too large
  std::uint64_t fragmented = 0;  ///< packets that came as several IP fragments: only the last one is in the file
  std::string damaged;           ///< not empty: why the capture was not read to its end
};

/// Reads the capture `from` and writes the selected packets as pcapng to `to`. Payload is cut as
/// analysis::octets_without_payload() has it. Fails with a sentence.
[[nodiscard]] tl::expected<PacketsWritten, std::string> write_packets(const std::string& from,
                                                                      const PacketSelection& selection,
                                                                      const std::string& program, const std::string& to,
                                                                      const std::atomic<bool>* stop);

}  // namespace iwarpscope::bundle
