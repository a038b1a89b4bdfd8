// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The plot of the HTML report: ULP payload over time, with the failures as flags.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/ids.h"
#include "base/time_point.h"

namespace iwarpscope::report {

/// A failure in the plot.
struct HtmlFlag {
  TimePoint time;
  std::uint64_t qp = 0;
};

/// Octets by time in a fixed number of intervals: when they no longer fit, intervals become twice as long.
class HtmlTraffic {
 public:
  static constexpr std::size_t kIntervals = 240;

  /// `by_direction`: otherwise all octets are added as of A to B, and are of both; and their times are whole seconds.
  explicit HtmlTraffic(bool by_direction) noexcept
      : interval_ns_(by_direction ? 100'000 : 1'000'000'000), has_directions_(by_direction) {}
  void add(TimePoint time, Direction direction, std::uint64_t octets) noexcept;
  /// Appends an SVG picture, or one sentence when there was no payload. `from` to `to` is its time, if known.
  void append(std::string& out, std::optional<TimePoint> from, std::optional<TimePoint> to,
              const std::vector<HtmlFlag>& flags) const;

 private:
  using Interval = std::array<std::uint64_t, 2>;  ///< octets by direction
  void stretch(bool to_the_left) noexcept;

  std::int64_t start_ns_ = 0, interval_ns_;
  bool has_directions_, has_begun_ = false;
  std::array<Interval, kIntervals> intervals_{};
};

}  // namespace iwarpscope::report
