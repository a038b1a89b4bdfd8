// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The identifiers of the iWARP protocols and of this analyser.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/strong.h"

namespace iwarpscope {

/// Steering Tag, 32 bits. Printed 0x%08x. Source: RFC 5041 §4.2.
using STag = Strong<struct STagTag, std::uint32_t>;
/// Tagged Offset, 64 bits. Printed 0x%016x. Source: RFC 5041 §4.2.
using TaggedOffset = Strong<struct TaggedOffsetTag, std::uint64_t>;
/// Queue Number, 32 bits: 0 Send, 1 requests, 2 Terminate, 3 Atomic Response. Source: RFC 5040 §3.1, RFC 7306 §10.2.
using QueueNumber = Strong<struct QueueNumberTag, std::uint32_t>;
/// Message Sequence Number, 32 bits, per queue from 1, wraps to 0. Source: RFC 5041 §4.3.
using MessageSequence = Strong<struct MessageSequenceTag, std::uint32_t>;
/// Message Offset, 32 bits, octets from the start of the DDP message. Source: RFC 5041 §4.3.
using MessageOffset = Strong<struct MessageOffsetTag, std::uint32_t>;

/// Position of an octet in one direction of a TCP connection. kStreamOrigin is the octet after the SYN, or the first
/// octet seen when the SYN was not. Older octets lie below it; they cannot underflow. Units: octets. Source: ours.
using StreamOffset = Strong<struct StreamOffsetTag, std::uint64_t>;
inline constexpr StreamOffset kStreamOrigin{std::uint64_t{1} << 32};

/// The offset as reports print it: relative to kStreamOrigin, negative before it.
[[nodiscard]] constexpr std::int64_t relative(StreamOffset offset) noexcept {
  return static_cast<std::int64_t>(offset.value - kStreamOrigin.value);
}
[[nodiscard]] constexpr StreamOffset operator+(StreamOffset offset, std::uint64_t octets) noexcept {
  return StreamOffset{offset.value + octets};
}
/// Octets from `from` to `to`. Precondition: from <= to.
[[nodiscard]] constexpr std::uint64_t distance(StreamOffset from, StreamOffset to) noexcept {
  return to.value - from.value;
}

/// Frame number, counted from 1 over all input as Wireshark does; 0 is "none".
using FrameNumber = Strong<struct FrameNumberTag, std::uint64_t>;

/// The two ends of a connection, and the two directions between them. Which end is A: docs/report.md.
enum class Direction : std::uint8_t { a_to_b = 0, b_to_a = 1 };
[[nodiscard]] constexpr Direction opposite(Direction d) noexcept {
  return d == Direction::a_to_b ? Direction::b_to_a : Direction::a_to_b;
}
[[nodiscard]] constexpr std::size_t index(Direction d) noexcept {
  return static_cast<std::size_t>(d);
}

}  // namespace iwarpscope
