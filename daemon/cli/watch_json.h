// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The rows of `watch` as JSON.
#pragma once

#include <cstdint>
#include <string>

#include "live/views.h"

namespace iwarpscope::cli {

/// A queue pair as a row of `watch`: an object without a line feed, valid JSON and UTF-8 whatever the strings hold.
/// `capture_time_ns`: of the last frame.
[[nodiscard]] std::string watch_row_json(const live::QpView& view, std::int64_t capture_time_ns);

}  // namespace iwarpscope::cli
