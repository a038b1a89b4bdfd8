// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The last few packets of one direction: is this one a copy that a mirror made?
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "net/sctp_packet.h"

namespace iwarpscope::sctp {

/// A chunk that is sent again fills its packet with the same octets: what distinguishes a copy from it is the IP
/// identification, where there is one, or else that no time passed. The CRC32c stands for all octets of a packet.
class RecentPackets {
 public:
  /// Whether the same packet is among the last few; if not it is remembered.
  [[nodiscard]] bool is_copy(const net::SctpPacket& packet) noexcept {
    // Where senders leave the CRC32c to their adapter, it is the one that the adapter fills in.
    const std::uint32_t crc = packet.crc != 0 ? packet.crc : net::crc32c(packet);
    for (const Entry& other : ring_) {
      if (other.crc != crc || other.length != packet.chunks_length || other.id != packet.ip_id) continue;
      if (std::abs(int{other.ttl} - int{packet.ttl}) > kTtlSlack) continue;
      const std::int64_t away = elapsed_ns(other.time, packet.time);
      if (std::llabs(away) <= (packet.ip_id != 0 ? kDatedNs : kUndatedNs)) return true;
    }
    ring_[next_] = {crc, packet.chunks_length, packet.time, packet.ip_id, packet.ttl};
    next_ = (next_ + 1) % ring_.size();
    return false;
  }

  template <class A>
  void archive(A& a) {
    a(ring_, next_);
    a.check(next_ < ring_.size());
  }

 private:
  static constexpr int kTtlSlack = 4;                    // as tcp::Signature's
  static constexpr std::int64_t kUndatedNs = 1'000'000;  // as tcp::Signature's
  static constexpr std::int64_t kDatedNs = 500'000'000;  // half of the least retransmission timeout, RFC 9260 §16

  struct Entry {
    std::uint32_t crc = 0;  ///< 0: none
    std::uint32_t length = 0;
    TimePoint time;
    std::uint16_t id = 0;
    std::uint8_t ttl = 0;
  };
  std::array<Entry, 16> ring_{};
  std::size_t next_ = 0;
};

}  // namespace iwarpscope::sctp
