// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Facts about the whole capture that limit verdicts.
#pragma once

#include <cstdint>
#include <limits>

#include "base/capture_outages.h"
#include "base/time_point.h"

namespace iwarpscope::verdict {

struct CaptureSpan {
  TimePoint end;                                  ///< time of its last frame; live: the time of the latest look, or now
  bool has_drops = false;                         ///< the file reports lost packets, but not when
  bool goes_on = false;                           ///< live: it has not ended
  const CaptureOutages* outages = nullptr;        ///< when frames may be missing; null: not known
  InterfaceSet interfaces = InterfaceSet::all();  ///< outages of others do not count

  /// Later than any end: a live capture may lose frames before its next frame shows the time.
  static constexpr TimePoint kEver{std::numeric_limits<std::int64_t>::max()};

  /// The same for a queue pair whose frames come from these interfaces.
  [[nodiscard]] CaptureSpan on(InterfaceSet its) const noexcept {
    CaptureSpan span = *this;
    span.interfaces = its;
    return span;
  }
  [[nodiscard]] CaptureOutages::Share outages_between(TimePoint from, TimePoint to) const noexcept {
    return outages != nullptr ? outages->between(from, to, interfaces) : CaptureOutages::Share{};
  }
  /// Frames of this time may be missing.
  [[nodiscard]] bool may_lack(TimePoint from, TimePoint to = kEver) const noexcept {
    return has_drops || outages_between(from, to).any();
  }
  /// The time without capture outages between `from` and `to`: only in it silence counts.
  [[nodiscard]] std::int64_t covered_ns(TimePoint from, TimePoint to) const noexcept {
    return elapsed_ns(from, to) - outages_between(from, to).ns;
  }
};

}  // namespace iwarpscope::verdict
