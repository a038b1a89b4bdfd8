// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Distinct integer types: an STag is no queue number, a frame number is no offset.
#pragma once

#include <compare>
#include <cstdint>
#include <utility>

namespace iwarpscope {

/// An integer of type Rep that converts to nothing else. `value` is the bare number. Ordered, hashable by absl.
template <class Tag, class Rep>
struct Strong {
  Rep value{};

  constexpr Strong() = default;
  constexpr explicit Strong(Rep v) noexcept : value(v) {}

  friend constexpr auto operator<=>(const Strong&, const Strong&) = default;

  template <class H>
  friend H AbslHashValue(H h, const Strong& s) {
    return H::combine(std::move(h), s.value);
  }
};

}  // namespace iwarpscope
