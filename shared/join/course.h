// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// In which order packets pass the taps, and where on their way octets were lost or damaged.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "join/joined.h"

namespace iwarpscope::join {

/// A view within its connection.
struct Seat {
  const View* view = nullptr;
  const Tap* tap = nullptr;
  bool swapped = false;  ///< its A is the connection's B

  [[nodiscard]] const qp::DirectionRecord& direction(Direction d) const noexcept {
    return view->record.directions[index(turned(d, swapped))];
  }
};

/// The capture has every octet of the direction that passed it, as far as can be seen.
[[nodiscard]] bool has_all(const Seat& seat, Direction d) noexcept;

/// From offsets of `from` to those of `to`, which differ where one of them did not see the first octets. Empty: the
/// sequence numbers of one are not known.
[[nodiscard]] std::optional<std::int64_t> shift(const Seat& from, const Seat& to, Direction d) noexcept;

struct Course {
  std::array<Order, 2> order;
  std::vector<Place> places;  ///< by direction, damage before loss
};

/// `seats`: by tap, at least two.
[[nodiscard]] Course find_course(std::span<const Seat> seats);

}  // namespace iwarpscope::join
