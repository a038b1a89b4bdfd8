// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// How large the packets of one direction are that carry DATA: what shows that a message was split without need.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "base/time_point.h"
#include "sctp/fragments.h"
#include "sctp/notes.h"

namespace iwarpscope::sctp {

/// A message that came in several chunks.
struct Split {
  std::uint16_t stream = 0;
  std::uint32_t length = 0;  ///< of its user data
  std::uint64_t chunks = 0;
  std::uint32_t needed = 0;   ///< octets of the SCTP packet that would hold it whole
  std::uint32_t largest = 0;  ///< of a packet that shows that one may be so large; 0: every path takes it
  Spot spot;
};

/// A packet says what the path takes only around the time when it was sent: the path MTU may fall, and probes of it
/// (HEARTBEAT and PAD, RFC 8899 §6.2) may be lost. So a message counts as split without need when packets with new DATA
/// that would have held it were sent shortly before and shortly after it, or when its own would have. One shortly after
/// it is enough where the message fits into kBaseOctets: a path MTU that rises begins there (RFC 8899 §5.1.2).
/// Source: RFC 5043 §9; how near is ours.
class PacketSizes {
 public:
  static constexpr std::int64_t kNearNs = 1'000'000'000;  ///< ours
  static constexpr std::uint32_t kBaseOctets = 1200;      ///< BASE_PLPMTU

  /// A packet with new DATA and no padding chunk that IP did not fragment. Returns the message that it shows to have
  /// been split without need.
  [[nodiscard]] std::optional<Split> sent(std::uint32_t octets, TimePoint time) noexcept {
    ring_[next_] = {octets, time};
    next_ = (next_ + 1) % ring_.size();
    if (!split_) return std::nullopt;
    std::optional<Split> shown;
    const bool is_near = elapsed_ns(split_->spot.time, time) <= kNearNs;
    if (is_near && octets < split_->needed) return std::nullopt;
    if (is_near) {
      shown = split_;
      shown->largest = octets;
    }
    split_.reset();
    return shown;
  }
  /// A message came in several chunks. Returned when its own packets show that it need not have.
  [[nodiscard]] std::optional<Split> split(Split message, const Joined& joined) noexcept {
    message.largest = joined.largest_packet;
    if (message.needed <= message.largest) return message;
    if (split_ && elapsed_ns(split_->spot.time, message.spot.time) <= kNearNs) return std::nullopt;
    split_.reset();
    if (message.needed <= kBaseOctets) split_ = message;
    for (const Sent& one : ring_) {
      const std::int64_t before = elapsed_ns(one.time, joined.first_time);
      if (one.octets >= message.needed && before >= 0 && before <= kNearNs) split_ = message;
    }
    return std::nullopt;
  }

  template <class A>
  void archive(A& a) {
    a(ring_, next_, split_);
    a.check(next_ < ring_.size());
  }

 private:
  struct Sent {
    std::uint32_t octets = 0;  ///< 0: none
    TimePoint time;
  };
  std::array<Sent, 16> ring_{};
  std::size_t next_ = 0;
  std::optional<Split> split_;  ///< it needs a packet after it that is large enough
};

}  // namespace iwarpscope::sctp
