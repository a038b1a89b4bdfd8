// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Detects that the clock of the capture was set.
#pragma once

#include <chrono>
#include <cstdlib>

#include "base/time_point.h"

namespace iwarpscope::live {

/// Compares the capture's clock with the monotonic clock. For an hour after a step, no queue pair counts as idle. Not
/// thread-safe.
class ClockSteps {
 public:
  using Clock = std::chrono::steady_clock;

  /// The capture's clock shows `time` now.
  void look(TimePoint time) {
    const Clock::time_point now = Clock::now();
    const std::int64_t real = std::chrono::duration_cast<std::chrono::nanoseconds>(now - looked_).count();
    if (then_.ns != 0 && std::abs(elapsed_ns(then_, time) - real) > kStepNs) idle_from_ = now + kNoneIdle;
    looked_ = now;
    then_ = time;
  }
  [[nodiscard]] bool none_is_idle() const { return Clock::now() < idle_from_; }

 private:
  // The two clocks may drift apart by this much between two looks.
  static constexpr std::int64_t kStepNs = 60'000'000'000;
  static constexpr std::chrono::hours kNoneIdle{1};

  Clock::time_point looked_;
  TimePoint then_;  ///< what the capture's clock showed at that time
  Clock::time_point idle_from_;
};

}  // namespace iwarpscope::live
