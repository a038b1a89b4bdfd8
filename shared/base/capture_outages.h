// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Capture outages: when a capture could not see frames.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/time_point.h"

namespace iwarpscope {

/// The stretches of a capture's time in which frames may have passed unseen: silence then proves nothing. Bounded: of
/// too many, two that lie close together become one with what is between them. Not thread-safe.
class CaptureOutages {
 public:
  static constexpr std::size_t kMost = 256;

  struct Stretch {
    TimePoint from, to;        ///< both are within it
    bool lost_frames = false;  ///< frames are known to be lost
    bool was_down = false;     ///< an interface did not capture
  };
  /// The part of the outages that falls into a given time.
  struct Share {
    std::int64_t ns = 0;
    bool lost_frames = false;
    bool was_down = false;
    [[nodiscard]] bool any() const noexcept { return lost_frames || was_down; }
  };

  /// In any order; a stretch may lie within others. One that ends before it begins, because the capture's clock was set
  /// back, is the moment of its end.
  void add(Stretch stretch);
  [[nodiscard]] Share between(TimePoint from, TimePoint to) const noexcept;
  [[nodiscard]] std::size_t size() const noexcept { return stretches_.size(); }

 private:
  std::vector<Stretch> stretches_;  ///< ascending; none touches the next
};

}  // namespace iwarpscope
