// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Records of several taps in, connections out.
#pragma once

#include <span>
#include <vector>

#include "join/joined.h"

namespace iwarpscope::join {

/// The records of several taps.
struct Records {
  std::span<const Tap> taps;
  std::span<const View> views;
  /// The queue pairs that an analysis of the frames of all taps in one order shows. Their `tap` does not matter. Empty:
  /// there is no such analysis; only the clocks of taps that agree within milliseconds allow it.
  std::span<const View> together{};
};

/// By the first tap of each, then by its number there. A connection that only the frames of all taps together show
/// comes last, without views.
[[nodiscard]] std::vector<JoinedConnection> join(const Records& records);

}  // namespace iwarpscope::join
