// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Loads at both byte orders, and Short.
#include "base/octets.h"

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <variant>

namespace iwarpscope {
namespace {

constexpr std::array<std::byte, 10> kCounting{std::byte{0x00}, std::byte{0x11}, std::byte{0x22}, std::byte{0x33},
                                              std::byte{0x44}, std::byte{0x55}, std::byte{0x66}, std::byte{0x77},
                                              std::byte{0x88}, std::byte{0x99}};
constexpr std::span<const std::byte, 10> kHeader{kCounting};

TEST(LoadBigEndian, FixedExtentReadsEachWidthAtItsOffset) {
  EXPECT_EQ((load_be<std::uint8_t, 9>(kHeader)), 0x99u);
  EXPECT_EQ((load_be<std::uint16_t, 1>(kHeader)), 0x1122u);
  EXPECT_EQ((load_be<std::uint32_t, 3>(kHeader)), 0x33445566u);
  EXPECT_EQ((load_be<std::uint64_t, 0>(kHeader)), 0x0011223344556677u);
}

TEST(LoadBigEndian, FixedExtentReadsTheLastOctetsOfTheHeader) {
  EXPECT_EQ((load_be<std::uint16_t, 8>(kHeader)), 0x8899u);
  EXPECT_EQ((load_be<std::uint32_t, 6>(kHeader)), 0x66778899u);
  EXPECT_EQ((load_be<std::uint64_t, 2>(kHeader)), 0x2233445566778899u);
}

TEST(LoadBigEndian, RunTimeExtentReadsEachWidthFromTheStart) {
  const Octets octets = Octets(kCounting).subspan(1);
  EXPECT_EQ(load_be<std::uint8_t>(octets), 0x11u);
  EXPECT_EQ(load_be<std::uint16_t>(octets), 0x1122u);
  EXPECT_EQ(load_be<std::uint32_t>(octets), 0x11223344u);
  EXPECT_EQ(load_be<std::uint64_t>(octets), 0x1122334455667788u);
}

TEST(LoadLittleEndian, ReadsEachWidthLowOctetFirst) {
  const Octets octets = Octets(kCounting).subspan(1);
  EXPECT_EQ(load_le<std::uint8_t>(octets), 0x11u);
  EXPECT_EQ(load_le<std::uint16_t>(octets), 0x2211u);
  EXPECT_EQ(load_le<std::uint32_t>(octets), 0x44332211u);
  EXPECT_EQ(load_le<std::uint64_t>(octets), 0x8877665544332211u);
}

TEST(SwapOctets, ReversesEachWidthAndTwiceIsNothing) {
  static_assert(swap_octets(std::uint8_t{0x12}) == 0x12);
  static_assert(swap_octets(std::uint16_t{0x1234}) == 0x3412);
  static_assert(swap_octets(std::uint32_t{0x12345678}) == 0x78563412);
  static_assert(swap_octets(std::uint64_t{0x0123456789ABCDEF}) == 0xEFCDAB8967452301);
  for (std::uint64_t value = 1; value != 0; value <<= 1) EXPECT_EQ(swap_octets(swap_octets(value)), value);
}

TEST(ToU8, KeepsEveryValue) {
  for (unsigned value = 0; value < 256; ++value) EXPECT_EQ(to_u8(static_cast<std::byte>(value)), value);
}

/// A decoder of the shape that every layer uses.
Decoded<std::uint16_t> first_two(Octets octets) {
  if (octets.size() < 2) return Short{2, octets.size()};
  return load_be<std::uint16_t>(octets);
}

TEST(Decoded, TooFewOctetsIsShortWithBothNumbers) {
  EXPECT_EQ(std::get<Short>(first_two(Octets(kCounting).first(1))), (Short{.need = 2, .have = 1}));
  EXPECT_EQ(std::get<Short>(first_two({})), (Short{.need = 2, .have = 0}));
}

TEST(Decoded, EnoughOctetsIsTheValue) {
  EXPECT_EQ(std::get<std::uint16_t>(first_two(Octets(kCounting).first(2))), 0x0011u);
}

}  // namespace
}  // namespace iwarpscope
