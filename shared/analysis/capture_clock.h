// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The time of a capture, as its frames show it.
#pragma once

#include <optional>

#include "base/ids.h"
#include "base/time_point.h"
#include "findings/finding.h"
#include "net/frame.h"

namespace iwarpscope::analysis {

/// Sees every frame before shards do. Not thread-safe.
class CaptureClock {
 public:
  /// Takes the frame's time. The finding when the capture's clock went back by more than 10 ms, the first time.
  [[nodiscard]] std::optional<findings::Finding> see(const net::Frame& frame);

  /// Until then no frame will come, or none came: time has passed all the same. Holds until the next frame.
  void pass(TimePoint time) noexcept { passed_ = time; }

  /// Empty: no frame so far.
  [[nodiscard]] std::optional<TimePoint> first_time() const noexcept { return first_time_; }
  /// first_time(), unless it is more than a minute away from the second frame: then a wrong clock is likely, and it is
  /// the time of that one.
  [[nodiscard]] std::optional<TimePoint> start() const noexcept { return start_; }
  [[nodiscard]] TimePoint last_time() const noexcept { return last_time_; }  ///< of the last frame
  /// As late as it is known to be.
  [[nodiscard]] TimePoint now() const noexcept { return passed_.value_or(last_time_); }
  [[nodiscard]] FrameNumber last_frame() const noexcept { return last_frame_; }
  /// The last frame is so much later than the one of the step before that every shard must know: see
  /// Shard::pass_time(). It depends on the times of all frames and on nothing else.
  [[nodiscard]] bool is_step() const noexcept { return is_step_; }

  template <class A>
  void archive(A& a) {
    a(first_time_, start_, has_two_, last_time_, passed_, last_frame_, step_, is_step_, went_back_);
  }

 private:
  std::optional<TimePoint> first_time_, start_;
  bool has_two_ = false;
  TimePoint last_time_;
  std::optional<TimePoint> passed_;
  FrameNumber last_frame_;
  std::optional<TimePoint> step_;
  bool is_step_ = false;
  bool went_back_ = false;
};

}  // namespace iwarpscope::analysis
