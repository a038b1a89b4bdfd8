// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "mpa/crc_error.h"

#include <array>
#include <bit>

namespace iwarpscope::mpa {
namespace {

constexpr std::uint32_t kReflectedPolynomial = 0x82F63B78u;

struct Tables {
  std::array<std::uint32_t, 256> forth{};  ///< what an octet adds to the state
  std::array<std::uint8_t, 256> back{};    ///< the octet, by the high octet of what it adds
};

constexpr Tables make_tables() noexcept {
  Tables t;
  for (std::uint32_t octet = 0; octet < 256; ++octet) {
    std::uint32_t state = octet;
    for (int bit = 0; bit < 8; ++bit) state = (state >> 1) ^ ((state & 1u) != 0 ? kReflectedPolynomial : 0u);
    t.forth[octet] = state;
    t.back[state >> 24] = static_cast<std::uint8_t>(octet);
  }
  return t;
}
constexpr Tables kTables = make_tables();

}  // namespace

std::optional<WrongBit> one_wrong_bit(std::size_t covered, std::uint32_t seen, std::uint32_t computed) noexcept {
  std::uint32_t difference = seen ^ computed;
  if (std::has_single_bit(difference)) {
    const auto bit = static_cast<unsigned>(std::countr_zero(difference));
    return WrongBit{covered + bit / 8, static_cast<std::uint8_t>(1u << bit % 8), true};
  }
  for (std::size_t octet = covered; octet-- > 0;) {
    const std::uint8_t added = kTables.back[difference >> 24];
    difference = (difference ^ kTables.forth[added]) << 8 | added;
    // Before this octet there was no difference: it is all of this octet's.
    if (difference >= 256) continue;
    if (!std::has_single_bit(difference)) return std::nullopt;
    return WrongBit{octet, added, false};
  }
  return std::nullopt;
}

}  // namespace iwarpscope::mpa
