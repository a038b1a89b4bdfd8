// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Capture outages: when a capture could not see frames, and on which interfaces.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/interface_set.h"
#include "base/time_point.h"

namespace iwarpscope {

/// The stretches of a capture's time in which frames may have passed unseen on an interface: silence there then proves
/// nothing. Bounded: of too many of one interface, two that lie close together become one with what is between them.
/// Not thread-safe.
class CaptureOutages {
 public:
  static constexpr std::size_t kMost = 256;  ///< of one interface

  struct Stretch {
    TimePoint from, to;           ///< both are within it
    bool lost_frames = false;     ///< frames are known to be lost
    bool was_down = false;        ///< the interface did not capture
    std::uint32_t interface = 0;  ///< its index
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
  /// The outages of these interfaces. Time in which several of them have an outage counts once.
  [[nodiscard]] Share between(TimePoint from, TimePoint to, InterfaceSet of = InterfaceSet::all()) const noexcept;
  /// Stretches, of all interfaces together.
  [[nodiscard]] std::size_t size() const noexcept;

 private:
  using Stretches = std::vector<Stretch>;  ///< ascending; none touches the next
  std::vector<Stretches> by_interface_;    ///< InterfaceSet::kApart + 1 of them at most
};

}  // namespace iwarpscope
