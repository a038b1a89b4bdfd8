// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The date and the maker of a report.
#pragma once

#include <chrono>
#include <string>

#include "base/time_point.h"

namespace iwarpscope::cli {

/// The clock of this machine.
[[nodiscard]] inline TimePoint now_of_clock() {
  const auto now = std::chrono::floor<std::chrono::nanoseconds>(std::chrono::system_clock::now());
  return TimePoint{now.time_since_epoch().count()};
}

/// "iwarpscope 1.0".
[[nodiscard]] inline std::string program_text() {
  return "iwarpscope " IWARPSCOPE_VERSION;
}

}  // namespace iwarpscope::cli
