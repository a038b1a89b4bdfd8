// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// What of the whole capture bears on every verdict.
#pragma once

#include <cstdint>
#include <limits>

#include "base/capture_outages.h"
#include "base/time_point.h"

namespace iwarpscope::verdict {

struct CaptureSpan {
  TimePoint end;           ///< time of its last frame; of live traffic: when it was looked at last, or now
  bool has_drops = false;  ///< it says itself that it lost packets, and not when
  bool goes_on = false;    ///< it has not ended
  const CaptureOutages* outages = nullptr;  ///< when frames may be missing; null: not known

  /// After the end, too: a capture that goes on may lose frames before its next frame shows how late it is.
  static constexpr TimePoint kEver{std::numeric_limits<std::int64_t>::max()};

  [[nodiscard]] CaptureOutages::Share outages_between(TimePoint from, TimePoint to) const noexcept {
    return outages != nullptr ? outages->between(from, to) : CaptureOutages::Share{};
  }
  /// Something that passed in this time may not have been seen.
  [[nodiscard]] bool may_lack(TimePoint from, TimePoint to = kEver) const noexcept {
    return has_drops || outages_between(from, to).any();
  }
  /// Of this time, that in which silence was silence.
  [[nodiscard]] std::int64_t covered_ns(TimePoint from, TimePoint to) const noexcept {
    return elapsed_ns(from, to) - outages_between(from, to).ns;
  }
};

}  // namespace iwarpscope::verdict
