// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Which sequence and ACK numbers lie within what a receiver offers to take, and which lie far from all of it.
#pragma once

#include <algorithm>
#include <cstdint>

#include "tcp/half.h"

namespace iwarpscope::tcp {

/// Octets that the sender of `receiver` offers to take. Source: RFC 7323 §2.2, §2.3.
[[nodiscard]] inline std::uint64_t offered_window(const Half& receiver, const Half& sender) noexcept {
  constexpr unsigned kMostScale = 14;
  if (!receiver.has_origin()) return std::uint64_t{0xFFFF} << kMostScale;
  if (!receiver.syn_seen || !sender.syn_seen) return std::uint64_t{0xFFFF} << kMostScale;
  if (receiver.window_scale == 0xFF || sender.window_scale == 0xFF) return receiver.window;
  return std::uint64_t{receiver.window} << std::min<unsigned>(receiver.window_scale, kMostScale);
}

/// How far from what it expects of `sender` a number must lie to be far off.
[[nodiscard]] inline std::uint64_t far_reach(const Half& receiver, const Half& sender) noexcept {
  // Ours: what retransmissions and a few missing TCP segments never reach, and more than hosts offer unasked.
  constexpr std::uint64_t kLeast = 1u << 20, kOfUnknownWindow = 8u << 20;
  if (!receiver.syn_seen || !sender.syn_seen) return kOfUnknownWindow;
  return std::max(offered_window(receiver, sender), kLeast);
}

/// Neither near the octets of `half` that may be sent again nor near those that may come next.
[[nodiscard]] inline bool is_far(const Half& half, std::uint64_t offset, std::uint64_t reach) noexcept {
  const std::uint64_t oldest = half.acknowledged() != 0 ? std::min(half.acknowledged(), half.next()) : half.next();
  return offset < oldest - reach || offset > std::max(half.highest(), half.acknowledged()) + reach;
}

}  // namespace iwarpscope::tcp
