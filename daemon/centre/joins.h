// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Finds connections that several sensors, or several tap groups of one, saw, and stores what they know together.
#pragma once

#include <cstdint>

#include "centre/progress.h"

namespace iwarpscope::centre {

/// Looks at the next queue pairs that ended, up to the number of arrival `through`, which the caller knows that
/// everything up to can be seen (Watermark), and at what other taps have of the same addresses and ports: their queue
/// pairs that ended, as long as the centre lists them, and those that are open. A connection that is joined again,
/// because one more view arrived, replaces what was stored of it. One transaction. `left_out`: queue
/// pairs that were not compared, as too many of one sensor have the same ends.
[[nodiscard]] Advance join_step(Connection& database, std::uint64_t through);

}  // namespace iwarpscope::centre
