// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The timeline's buckets as curves.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "models/plots/timeline_data.h"
#include "views/plots/plot_pane.h"

namespace iwarpscope::gui {

/// A part of a timeline, merged to as many points as a plot can show.
struct TimelineSlices {
  double from = 0, width = 0;  ///< seconds since the origin; of each slice
  std::vector<TimelineBucket> slices{};
  [[nodiscard]] double at(std::size_t slice) const noexcept { return from + width * static_cast<double>(slice); }
};
/// The part in [span), in slices of `width` seconds or slightly more.
[[nodiscard]] TimelineSlices slices_of(const TimelineData& data, TimePoint origin, const QCPRange& span, double width);

[[nodiscard]] std::vector<PlotSeries> throughput_series(const TimelineSlices& slices, const QPalette& palette);
/// `limits`: of outstanding Reads by the direction of the requests.
[[nodiscard]] std::vector<PlotSeries> outstanding_series(const TimelineSlices& slices,
                                                         const std::array<std::optional<std::uint16_t>, 2>& limits,
                                                         const QPalette& palette);
[[nodiscard]] std::vector<PlotSeries> latency_series(const TimelineSlices& slices, const QPalette& palette);
[[nodiscard]] PlotHeat latency_heat(const TimelineSlices& slices);
[[nodiscard]] std::vector<PlotSeries> transport_series(const TimelineSlices& slices, const QPalette& palette);

}  // namespace iwarpscope::gui
