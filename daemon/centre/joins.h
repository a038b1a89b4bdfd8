// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Finds connections that several sensors, or several tap groups of one, saw, and stores what they know together.
#pragma once

#include <cstdint>
#include <optional>

#include "centre/postgres.h"

namespace iwarpscope::centre {

/// How far a step came.
struct Joined {
  std::uint64_t through = 0;   ///< records up to this number of arrival were looked at
  std::uint64_t left_out = 0;  ///< queue pairs that were not compared, ever: too many of one sensor with the same ends
};

/// Looks at the next queue pairs that ended, up to the number of arrival `through`, which the caller knows that
/// everything up to can be seen (Watermark), and at what other taps have of the same addresses and ports: their queue
/// pairs that ended, as long as the centre lists them, and those that are open. A connection that is joined again,
/// because one more view arrived, replaces what was stored of it. One transaction. Nothing: another program is at it.
[[nodiscard]] Asked<std::optional<Joined>> join_step(Connection& database, std::uint64_t through);

}  // namespace iwarpscope::centre
