// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Whether two views show the same connection.
#pragma once

#include <cstdint>
#include <optional>

#include "join/view.h"

namespace iwarpscope::join {

enum class Sameness : std::uint8_t {
  different,    ///< a number contradicts it, or it was at another time for certain
  cannot_tell,  ///< nothing contradicts it, but too little is known
  likely,       ///< addresses and ports, and overlapping sequence numbers of both directions
  same,         ///< a number of each direction that another connection would have only by chance
};

/// How the times of two views fit.
enum class Coexistence : std::uint8_t { impossible, possible, certain };

struct Comparison {
  Sameness sameness = Sameness::different;
  Coexistence coexistence = Coexistence::possible;
};

/// Compares two views with the same addresses and ports. `swapped`: A of one is B of the other. `bound_ns`:
/// bound_between() their taps. `likely` only says that the numbers fit: whether another connection fits, too, is for
/// match.h.
[[nodiscard]] Comparison compare(const Mark& x, const Mark& y, bool swapped,
                                 std::optional<std::int64_t> bound_ns) noexcept;

}  // namespace iwarpscope::join
