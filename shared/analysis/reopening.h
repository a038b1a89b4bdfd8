// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// SYNs with the addresses and ports of a connection that goes on, until the other side answers them.
#pragma once

#include <absl/container/flat_hash_map.h>

#include <cstdint>
#include <optional>

#include "net/address.h"
#include "net/tcp_packet.h"

namespace iwarpscope::analysis {

/// A SYN, or a SYN-ACK whose SYN was not seen, inside a live connection may be a new connection's or come from outside
/// (RFC 9293 §3.10.7.4, RFC 5961 §4): what follows decides. It is a new connection's once the other side answers it, or
/// its sender goes on where it left off. Bounded: kMost of them; one more takes the place of the oldest.
class Reopenings {
 public:
  static constexpr std::size_t kMost = 1024;

  /// `flow`: its index. Takes the place of an earlier one of that flow and direction, unless it repeats it.
  void wait(std::uint32_t flow, const net::TcpPacket& packet, bool from_low);
  /// A SYN as it was seen, without its octets.
  struct Opening {
    net::TcpPacket packet;
    bool from_low = false;
  };
  /// The SYN of this flow that the packet answers or continues; it no longer waits.
  [[nodiscard]] std::optional<Opening> take_answered(std::uint32_t flow, const net::TcpPacket& packet);
  void forget(std::uint32_t flow) { waiting_.erase(flow); }
  template <class A>
  void archive(A& a) {
    a(waiting_);
    a.check(waiting_.size() <= kMost);
  }
  /// Calls `take` with each flow that has one.
  template <class Take>
  void for_each_flow(Take take) const {
    for (const auto& [flow, opening] : waiting_) take(flow);
  }
  [[nodiscard]] bool is_empty() const noexcept { return waiting_.empty(); }

 private:
  absl::flat_hash_map<std::uint32_t, Opening> waiting_;
};

}  // namespace iwarpscope::analysis
