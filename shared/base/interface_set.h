// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Capture interfaces.
#pragma once

#include <algorithm>
#include <cstdint>

namespace iwarpscope {

/// A set of capture interfaces, by index. The interfaces from kApart on count as one.
class InterfaceSet {
 public:
  static constexpr std::uint32_t kApart = 15;

  constexpr InterfaceSet() noexcept = default;
  [[nodiscard]] static constexpr InterfaceSet all() noexcept {
    InterfaceSet set;
    set.bits_ = 0xFFFF;
    return set;
  }
  constexpr void add(std::uint32_t index) noexcept {
    bits_ = static_cast<std::uint16_t>(bits_ | 1u << std::min(index, kApart));
  }

  [[nodiscard]] constexpr bool has(std::uint32_t index) const noexcept {
    return (bits_ >> std::min(index, kApart) & 1) != 0;
  }
  [[nodiscard]] constexpr bool is_empty() const noexcept { return bits_ == 0; }
  friend constexpr InterfaceSet operator|(InterfaceSet a, InterfaceSet b) noexcept {
    a.bits_ = static_cast<std::uint16_t>(a.bits_ | b.bits_);
    return a;
  }
  friend constexpr bool operator==(InterfaceSet, InterfaceSet) noexcept = default;
  template <class A>
  void archive(A& a) {
    a(bits_);
  }

 private:
  std::uint16_t bits_ = 0;
};

}  // namespace iwarpscope
