// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// TCP segments that came before octets which they show to have been sent.
#pragma once

#include <cstddef>
#include <list>
#include <vector>

#include "base/ids.h"
#include "net/tcp_packet.h"
#include "tcp/connection.h"

namespace iwarpscope::tcp {

/// A TCP segment, copied from its frame. Not copyable: `packet` borrows from `octets`.
struct WaitingSegment {
  WaitingSegment(Direction d, const net::TcpPacket& segment);
  WaitingSegment(const WaitingSegment&) = delete;
  WaitingSegment& operator=(const WaitingSegment&) = delete;

  Direction direction;
  net::TcpPacket packet;
  std::vector<std::byte> octets;  ///< its TCP header, then its payload
};

/// The TCP segments of one connection that wait, in the order in which they came. Bounded by Limits and by the budget
/// of all connections, which pays for their octets and kOverhead for each. `limits` and `budget` must outlive it.
class WaitingSegments {
 public:
  using List = std::list<WaitingSegment>;
  static constexpr std::size_t kOverhead = sizeof(WaitingSegment) + 4 * sizeof(void*);

  WaitingSegments(const Limits& limits, BufferBudget& budget) noexcept : limits_(limits), budget_(budget) {}
  ~WaitingSegments();
  WaitingSegments(const WaitingSegments&) = delete;
  WaitingSegments& operator=(const WaitingSegments&) = delete;

  /// False when a limit is reached; then nothing changed.
  [[nodiscard]] bool add(Direction d, const net::TcpPacket& packet);
  /// Moves the segment out of `from` into `to`, and returns the one after it.
  List::iterator take(List::iterator from, List& to);

  template <class A>
  void archive(A& a) {
    std::size_t count = a.count(list_.size(), limits_.max_waiting);
    for (auto held = list_.begin(); count != 0 && !a.has_failed(); --count) {
      Direction direction{};
      net::TcpPacket packet;
      std::vector<std::byte> header, payload;
      if (!a.is_reading()) {
        direction = held->direction;
        packet = held->packet;
        header.assign(packet.tcp_header.begin(), packet.tcp_header.end());
        payload.assign(packet.payload.begin(), packet.payload.end());
        ++held;
      }
      a(direction, packet, header, payload);
      packet.tcp_header = header;
      packet.payload = payload;
      if (a.is_reading()) a.check(payload.size() <= packet.payload_length && add(direction, packet));
    }
  }
  [[nodiscard]] bool empty() const noexcept { return list_.empty(); }
  [[nodiscard]] std::size_t size() const noexcept { return list_.size(); }
  [[nodiscard]] List::iterator begin() noexcept { return list_.begin(); }
  [[nodiscard]] List::iterator end() noexcept { return list_.end(); }
  [[nodiscard]] List::const_iterator begin() const noexcept { return list_.begin(); }
  [[nodiscard]] List::const_iterator end() const noexcept { return list_.end(); }

 private:
  const Limits& limits_;
  BufferBudget& budget_;
  List list_;
  std::size_t octets_ = 0;
};

}  // namespace iwarpscope::tcp
