// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// A departure in words.
#pragma once

#include <cstdint>
#include <string>

#include "centre/departure.h"

namespace iwarpscope::centre {

/// Names a series. Without addresses: of the whole site.
struct SeriesName {
  std::string a, b;
  std::string ulp, opcode;      ///< as `summary` records have them; empty: unknown, or all
  std::int64_t size_class = 0;  ///< likewise
};

/// For people, with the numbers of `hour` and of the weeks before. Hours are numbered since 1970.
[[nodiscard]] std::string departure_text(const SeriesName& name, const Departure& departure, std::int64_t hour);

}  // namespace iwarpscope::centre
