// The order in which atomics on one word can have taken effect.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace iwarpscope::gui {

/// An Atomic Operation as the search for an order sees it. Points are of one clock: at the tap.
struct OrderedAtomic {
  std::uint64_t qp = 0, index = 0;        ///< operations of one queue pair take effect in the order of `index`
  std::int64_t invoked = 0;               ///< the request had passed: it took effect not before
  std::int64_t answered = 0;              ///< the response began: it took effect not after
  std::uint64_t original = 0;             ///< what it found
  std::optional<std::uint64_t> result{};  ///< what it left; empty: not known, anything
};

struct AtomicOrder {
  enum class Found : std::uint8_t {
    yes,        ///< each operation found what the one before it left
    no,         ///< there is no such order of these operations
    undecided,  ///< not found within kMostOrderSteps
  };
  Found found = Found::yes;
  /// All operations, as places in what was given. Not `yes`: by chains as long as they go.
  std::vector<std::size_t> order{};
  /// Places in `order` whose operation did not find what the one before left; empty when `found` is yes.
  std::vector<std::size_t> breaks{};
};

inline constexpr std::size_t kMostOrderSteps = 200'000;

/// Deterministic. Takes time for at most kMostOrderSteps operations tried, and a chain afterwards.
[[nodiscard]] AtomicOrder find_order(std::span<const OrderedAtomic> operations);

}  // namespace iwarpscope::gui
