// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// When and where the frames of the recent past were captured.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <limits>
#include <optional>

#include "base/ids.h"
#include "base/time_point.h"

namespace iwarpscope::live {

/// Holds the last kMost frames, 10 octets each. Not thread-safe.
class FrameTimes {
 public:
  static constexpr std::size_t kMost = std::size_t{1} << 20;

  explicit FrameTimes(std::size_t most = kMost) : most_(most) {}

  /// Frames come by number; those that a filter hid are left out.
  void see(FrameNumber frame, TimePoint time, std::uint32_t interface = 0) {
    if (frame.value < next_) return;
    if (times_.empty() || frame.value - next_ >= most_) {
      times_.clear();
      interfaces_.clear();
      next_ = frame.value;
    }
    for (; next_ < frame.value; ++next_) push(kNone, 0);
    push(time.ns, interface);
    ++next_;
    while (times_.size() > most_) {
      times_.pop_front();
      interfaces_.pop_front();
    }
  }
  /// Nothing: it is too old, or did not come.
  [[nodiscard]] std::optional<TimePoint> at(FrameNumber frame) const {
    const auto place = place_of(frame);
    return place ? std::optional(TimePoint{times_[*place]}) : std::nullopt;
  }
  /// Likewise, as net::Frame::interface; those above 65535 count as one.
  [[nodiscard]] std::optional<std::uint32_t> interface(FrameNumber frame) const {
    const auto place = place_of(frame);
    return place ? std::optional<std::uint32_t>(interfaces_[*place]) : std::nullopt;
  }

 private:
  static constexpr std::int64_t kNone = std::numeric_limits<std::int64_t>::min();

  void push(std::int64_t ns, std::uint32_t interface) {
    times_.push_back(ns);
    interfaces_.push_back(
        static_cast<std::uint16_t>(std::min<std::uint32_t>(interface, std::numeric_limits<std::uint16_t>::max())));
  }
  [[nodiscard]] std::optional<std::size_t> place_of(FrameNumber frame) const {
    const std::uint64_t first = next_ - times_.size();
    if (frame.value < first || frame.value >= next_ || times_[frame.value - first] == kNone) return std::nullopt;
    return frame.value - first;
  }

  std::size_t most_;
  std::uint64_t next_ = 0;                ///< number after the last one
  std::deque<std::int64_t> times_;        ///< ns; kNone: hidden
  std::deque<std::uint16_t> interfaces_;  ///< of the same frames
};

}  // namespace iwarpscope::live
