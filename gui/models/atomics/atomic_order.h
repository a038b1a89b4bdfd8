// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// A possible order in which atomics on one word took effect.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace iwarpscope::gui {

/// An Atomic Operation as the search for an order sees it. All times are of one clock, at the tap.
struct OrderedAtomic {
  std::uint64_t qp = 0, index = 0;        ///< operations of one queue pair take effect in the order of `index`
  std::int64_t invoked = 0;               ///< the request had passed: the operation did not take effect earlier
  std::int64_t answered = 0;              ///< the response began: the operation did not take effect later
  std::uint64_t original = 0;             ///< the value that it found
  std::optional<std::uint64_t> result{};  ///< the value that it left; empty: not known, any value
};

struct AtomicOrder {
  enum class Found : std::uint8_t {
    yes,        ///< each operation found the value that the previous one left
    no,         ///< these operations have no such order
    undecided,  ///< not found within kMostOrderSteps
  };
  Found found = Found::yes;
  /// All operations, as indexes of the input. If `found` is not `yes`: in the longest chains found.
  std::vector<std::size_t> order{};
  /// Indexes of `order` whose operation did not find the value that the previous one left; empty if `found` is yes.
  std::vector<std::size_t> breaks{};
};

inline constexpr std::size_t kMostOrderSteps = 200'000;

/// Deterministic. Tries at most kMostOrderSteps operations, then builds one chain.
[[nodiscard]] AtomicOrder find_order(std::span<const OrderedAtomic> operations);

}  // namespace iwarpscope::gui
