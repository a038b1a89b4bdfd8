// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Time as the packets tell it.
#pragma once

#include <compare>
#include <cstdint>

namespace iwarpscope {

/// A capture time stamp: nanoseconds since the epoch. Time comes from packets only; it may jump back.
struct TimePoint {
  std::int64_t ns = 0;
  friend constexpr auto operator<=>(const TimePoint&, const TimePoint&) = default;
};

/// Nanoseconds from `from` to `to`; negative when the capture's clock went back.
[[nodiscard]] constexpr std::int64_t elapsed_ns(TimePoint from, TimePoint to) noexcept {
  return to.ns - from.ns;
}

}  // namespace iwarpscope
