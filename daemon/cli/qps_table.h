// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The table of queue pairs of `qps`, and the cells that it shares with `watch`.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "live/views.h"

namespace iwarpscope::cli {

/// ULP payload octets a second, now. `capture_time_ns`: of the last frame; rates older than two seconds are zero.
[[nodiscard]] double current_rate(const live::QpView& view, std::int64_t capture_time_ns) noexcept;
/// Requests without a response yet, both directions.
[[nodiscard]] std::uint64_t outstanding(const live::QpView& view) noexcept;

// Printable cells. "-": nothing to show.
[[nodiscard]] std::string sensor_cell(const live::QpView& view);
[[nodiscard]] std::string ulp_cell(const live::QpView& view);
[[nodiscard]] std::string state_cell(const live::QpView& view);
[[nodiscard]] std::string rate_cell(const live::QpView& view, std::int64_t capture_time_ns);
[[nodiscard]] std::string outstanding_cell(const live::QpView& view);
/// "completed V-30"; without its code: "completed".
[[nodiscard]] std::string verdict_cell(const live::QpView& view, bool with_code);
/// "error: mpa.crc-mismatch", "none".
[[nodiscard]] std::string worst_cell(const live::QpView& view);

/// A table of all of them with its head and the legend of its marks.
[[nodiscard]] std::string qps_table(const std::vector<live::QpView>& views, std::int64_t capture_time_ns);

}  // namespace iwarpscope::cli
