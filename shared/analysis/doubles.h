// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Connections whose addresses, ports and SYN are seen in a second network: copies of one, or another tenant's?
#pragma once

#include <absl/container/flat_hash_map.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/buffer_budget.h"
#include "net/tcp_packet.h"
#include "tcp/waiting_segments.h"

namespace iwarpscope::analysis {

/// What is compared of a TCP segment. Octets of the stream decide; IP ID, TSval, ACK and window tell a copy from what
/// was sent again. The checksum of a connection's first ones is not checked, as that would cost each connection more
/// than all the rest; what is compared with them later is.
struct SegmentFacts {
  static constexpr std::size_t kStart = 32;

  std::uint32_t sequence = 0;
  std::uint32_t length = 0;  ///< of the payload
  std::uint32_t acknowledgment = 0;
  std::uint32_t timestamp = 0;
  std::uint16_t window = 0;
  std::uint16_t ip_id = 0;
  std::uint16_t checksum = 0;  ///< the field
  std::uint8_t flags = 0;
  std::uint8_t kept : 6 = 0;  ///< octets of `start`
  bool from_low : 1 = false;
  bool damaged : 1 = false;  ///< its checksum was checked and is wrong
  /// The first ones of the payload; of a SYN: MSS and window scale.
  std::array<std::byte, kStart> start;

  template <class A>
  void archive(A& a) {
    a(sequence, length, acknowledgment, timestamp, window, ip_id, checksum, flags);
    kept = a.value(std::uint8_t{kept}) & 63U;
    from_low = a.value(from_low);
    damaged = a.value(damaged);
    a.check(kept <= kStart);
    if (!a.is_reading()) std::fill(start.begin() + kept, start.end(), std::byte{});
    a(start);
  }

  /// With its checksum checked.
  [[nodiscard]] static SegmentFacts of(const net::TcpPacket& packet, bool from_low) noexcept;
  /// Those of this one, in place of what was there; its checksum is not checked.
  void take(const net::TcpPacket& packet, bool from_low) noexcept;
  /// After its octets, and its SYN or FIN.
  [[nodiscard]] std::uint32_t end() const noexcept;
  /// Neither octets nor an end: it shows nothing that other TCP segments do not show.
  [[nodiscard]] static bool is_needed(const net::TcpPacket& packet) noexcept;
};

/// unrelated: nothing follows. same: the same octets, but not the same packet. differs: both cannot be of one stream.
enum class Relation : std::uint8_t { unrelated, copy, same, differs };
[[nodiscard]] Relation relation(const SegmentFacts& one, const SegmentFacts& other) noexcept;

/// The first TCP segments of all connections of a shard, as long as there is room.
class Beginnings {
 public:
  static constexpr std::uint8_t kOfFlow = 48;  ///< TCP segments of one connection

  /// `flow`: its index. `first`: the frame of the connection's first one.
  void note(std::uint32_t flow, FrameNumber first, const net::TcpPacket& packet, bool from_low);
  /// In the order in which they came.
  [[nodiscard]] std::vector<SegmentFacts> of(std::uint32_t flow, FrameNumber first) const;

  template <class A>
  void archive(A& a) {
    a(ring_, next_);
    a.check(ring_.size() <= kMost && next_ < kMost);
  }

 private:
  static constexpr std::size_t kMost = 64;
  struct Entry {
    std::uint32_t flow = 0;
    std::uint32_t first = 0;  ///< low 32 bits
    SegmentFacts facts;
  };
  std::vector<Entry> ring_;
  std::size_t next_ = 0;
};

/// A connection with its own network, and what a second one shows of it, until it is known what that is.
class Double {
 public:
  enum class Verdict : std::uint8_t { open, one, two };

  Double(FrameNumber first, const std::vector<SegmentFacts>& own, std::uint32_t overlay, TimePoint time,
         BufferBudget& budget);

  struct Added {
    Verdict verdict{};
    bool is_copy = false;  ///< the connection has it
    bool is_held = false;  ///< there was room for it
  };
  /// A TCP segment of the second network.
  Added add(const net::TcpPacket& packet, const SegmentFacts& facts);
  /// One of the connection's own network.
  Verdict see(const SegmentFacts& facts, std::uint32_t acknowledgment);
  /// It took too long.
  [[nodiscard]] Verdict by_now() const noexcept;

  [[nodiscard]] FrameNumber first() const noexcept { return first_; }
  [[nodiscard]] TimePoint time() const noexcept { return time_; }
  [[nodiscard]] std::uint32_t overlay() const noexcept { return overlay_; }
  /// What the second network showed: all of it, or what the connection lacks.
  [[nodiscard]] tcp::WaitingSegments::List take(bool all);

  template <class A>
  void archive(A& a) {
    a(first_, time_, overlay_, copies_, repeats_, any_copied_, own_, held_, segments_);
    a.check(held_.size() == segments_.size());
  }

 private:
  struct Seen {
    SegmentFacts facts;
    bool copied = false;  ///< both networks showed it
  };
  Verdict compare(Seen& one, std::vector<Seen>& others);
  [[nodiscard]] bool is_passed(const SegmentFacts& facts, std::uint32_t acknowledgment) const noexcept;
  [[nodiscard]] bool is_own(const SegmentFacts& facts) const noexcept;

  FrameNumber first_;
  TimePoint time_;
  std::uint32_t overlay_;
  unsigned copies_ = 0, repeats_ = 0;
  bool any_copied_ = false;
  std::vector<Seen> own_;
  std::vector<Seen> held_;  ///< of each waiting segment, in the same order
  tcp::WaitingSegments segments_;
};

/// By the connection's index.
using Doubles = absl::flat_hash_map<std::uint32_t, std::unique_ptr<Double>>;

}  // namespace iwarpscope::analysis
