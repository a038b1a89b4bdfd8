// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// When the frames of the recent past were captured.
#pragma once

#include <cstdint>
#include <deque>
#include <limits>
#include <optional>

#include "base/ids.h"
#include "base/time_point.h"

namespace iwarpscope::live {

/// Holds the last kMost frames, 8 octets each. Not thread-safe.
class FrameTimes {
 public:
  static constexpr std::size_t kMost = std::size_t{1} << 20;

  explicit FrameTimes(std::size_t most = kMost) : most_(most) {}

  /// Frames come by number; those that a filter hid are left out.
  void see(FrameNumber frame, TimePoint time) {
    if (frame.value < next_) return;
    if (times_.empty() || frame.value - next_ >= most_) {
      times_.clear();
      next_ = frame.value;
    }
    for (; next_ < frame.value; ++next_) times_.push_back(kNone);
    times_.push_back(time.ns);
    ++next_;
    while (times_.size() > most_) times_.pop_front();
  }
  /// Nothing: it is too old, or did not come.
  [[nodiscard]] std::optional<TimePoint> at(FrameNumber frame) const {
    const std::uint64_t first = next_ - times_.size();
    if (frame.value < first || frame.value >= next_) return std::nullopt;
    const std::int64_t ns = times_[frame.value - first];
    return ns == kNone ? std::nullopt : std::optional(TimePoint{ns});
  }

 private:
  static constexpr std::int64_t kNone = std::numeric_limits<std::int64_t>::min();

  std::size_t most_;
  std::uint64_t next_ = 0;          ///< number after the last one
  std::deque<std::int64_t> times_;  ///< ns; kNone: hidden
};

}  // namespace iwarpscope::live
