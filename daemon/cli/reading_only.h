// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// A command that reads captures gives up what it does not need for that.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "capture/filter.h"

namespace iwarpscope::cli {

/// For engine::Request::before_opening of the first of these files: gives up what the process needs neither to read all
/// of them nor to rename its output. See confine::keep_only(). `output` is empty without an output file.
[[nodiscard]] std::function<void()> reading_only(const std::vector<std::string>& files, const std::string& output);

/// For engine::Request::prepared: a filter whose names are looked up now, while that is possible.
[[nodiscard]] std::optional<capture::Filter> looked_up(const std::string& expression);

}  // namespace iwarpscope::cli
