// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// A set of the operations that are pending on a word.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace iwarpscope::emulation {

/// A set of numbers below kSlots. Copied by value; no allocation.
class SlotSet {
 public:
  static constexpr std::size_t kSlots = 128;

  constexpr void set(std::size_t slot) noexcept { words_[slot / 64] |= bit(slot); }
  /// Adds the number if `in`. Without a branch.
  constexpr void set(std::size_t slot, bool in) noexcept {
    words_[slot / 64] |= std::uint64_t{in ? 1U : 0U} << (slot % 64);
  }
  constexpr void clear(std::size_t slot) noexcept { words_[slot / 64] &= ~bit(slot); }
  [[nodiscard]] constexpr bool test(std::size_t slot) const noexcept { return (words_[slot / 64] & bit(slot)) != 0; }
  [[nodiscard]] constexpr bool empty() const noexcept { return (words_[0] | words_[1]) == 0; }
  [[nodiscard]] constexpr std::size_t size() const noexcept {
    return static_cast<std::size_t>(std::popcount(words_[0])) + static_cast<std::size_t>(std::popcount(words_[1]));
  }
  /// The lowest number, or kSlots.
  [[nodiscard]] constexpr std::size_t first() const noexcept {
    if (words_[0] != 0) return static_cast<std::size_t>(std::countr_zero(words_[0]));
    return 64 + static_cast<std::size_t>(std::countr_zero(words_[1]));
  }
  /// The lowest number that is not in it, or kSlots.
  [[nodiscard]] constexpr std::size_t first_missing() const noexcept {
    if (~words_[0] != 0) return static_cast<std::size_t>(std::countr_one(words_[0]));
    return std::size_t{64} + static_cast<std::size_t>(std::countr_one(words_[1]));
  }
  /// Removes and returns the lowest number. Precondition: !empty().
  constexpr std::size_t pop() noexcept {
    const std::size_t slot = first();
    clear(slot);
    return slot;
  }

  friend constexpr SlotSet operator|(SlotSet a, SlotSet b) noexcept {
    return {a.words_[0] | b.words_[0], a.words_[1] | b.words_[1]};
  }
  friend constexpr SlotSet operator&(SlotSet a, SlotSet b) noexcept {
    return {a.words_[0] & b.words_[0], a.words_[1] & b.words_[1]};
  }
  friend constexpr SlotSet operator^(SlotSet a, SlotSet b) noexcept {
    return {a.words_[0] ^ b.words_[0], a.words_[1] ^ b.words_[1]};
  }
  /// Those of `a` that are not in `b`.
  friend constexpr SlotSet operator-(SlotSet a, SlotSet b) noexcept {
    return {a.words_[0] & ~b.words_[0], a.words_[1] & ~b.words_[1]};
  }
  friend constexpr bool operator==(const SlotSet&, const SlotSet&) = default;
  template <class A>
  void archive(A& a) {
    a(words_);
  }

  constexpr SlotSet() = default;

 private:
  constexpr SlotSet(std::uint64_t low, std::uint64_t high) noexcept : words_{low, high} {}
  [[nodiscard]] static constexpr std::uint64_t bit(std::size_t slot) noexcept {
    return std::uint64_t{1} << (slot % 64);
  }

  std::array<std::uint64_t, 2> words_{};
};

}  // namespace iwarpscope::emulation
