// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// How far a step of the worker came: sums, joins and alerts go on where they were.
#pragma once

#include <cstdint>
#include <optional>

#include "centre/postgres.h"

namespace iwarpscope::centre {

struct Progress {
  std::uint64_t through = 0;   ///< records up to this number of arrival were looked at
  std::uint64_t left_out = 0;  ///< what could not be done until now
};
/// Nothing: another program is at it.
using Advance = Asked<std::optional<Progress>>;

}  // namespace iwarpscope::centre
