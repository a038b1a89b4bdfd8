// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "mpa/crc_error.h"

#include <gtest/gtest.h>

#include <vector>

#include "base/crc32c.h"

namespace iwarpscope::mpa {
namespace {

std::vector<std::byte> octets(std::size_t count) {
  std::vector<std::byte> out(count);
  std::uint32_t state = 12345;
  for (std::byte& o : out) {
    state = state * 1664525u + 1013904223u;
    o = static_cast<std::byte>(state >> 24);
  }
  return out;
}

TEST(OneWrongBit, IsFoundInEveryPlace) {
  for (const std::size_t count : {1u, 2u, 20u, 333u}) {
    std::vector<std::byte> all = octets(count);
    const std::uint32_t seen = crc32c(all);
    for (std::size_t at = 0; at < count; ++at) {
      for (unsigned bit = 0; bit < 8; ++bit) {
        const auto mask = static_cast<std::byte>(1u << bit);
        all[at] ^= mask;
        const auto found = one_wrong_bit(count, seen, crc32c(all));
        all[at] ^= mask;
        ASSERT_TRUE(found) << at << " of " << count;
        EXPECT_EQ(found->octet, at);
        EXPECT_EQ(found->mask, static_cast<std::uint8_t>(mask));
        EXPECT_FALSE(found->in_crc);
      }
    }
  }
}

TEST(OneWrongBit, IsFoundInTheCrcItself) {
  const std::vector<std::byte> all = octets(100);
  const std::uint32_t computed = crc32c(all);
  for (unsigned bit = 0; bit < 32; ++bit) {
    const auto found = one_wrong_bit(100, computed ^ (1u << bit), computed);
    ASSERT_TRUE(found);
    EXPECT_TRUE(found->in_crc);
    EXPECT_EQ(found->octet, 100 + bit / 8);  // the low octet travels first
    EXPECT_EQ(found->mask, 1u << bit % 8);
  }
}

TEST(OneWrongBit, IsNotClaimedWhereTwoAreWrong) {
  std::vector<std::byte> all = octets(1448);
  const std::uint32_t seen = crc32c(all);
  for (std::size_t second = 0; second < 8 * 1448; second += 7) {
    if (second == 8 * 700 + 3) continue;
    all[700] ^= std::byte{0x08};
    all[second / 8] ^= static_cast<std::byte>(1u << second % 8);
    EXPECT_FALSE(one_wrong_bit(1448, seen, crc32c(all))) << "bit " << second;
    all[700] ^= std::byte{0x08};
    all[second / 8] ^= static_cast<std::byte>(1u << second % 8);
  }
}

TEST(OneWrongBit, IsNotClaimedOfWholeOctets) {
  std::vector<std::byte> all = octets(1448);
  const std::uint32_t seen = crc32c(all);
  all[17] ^= std::byte{0xFF};
  EXPECT_FALSE(one_wrong_bit(1448, seen, crc32c(all)));
  EXPECT_FALSE(one_wrong_bit(1448, 0, seen));  // a field that holds zero
  EXPECT_FALSE(one_wrong_bit(0, 0x12345678, 0));
}

TEST(OneWrongBit, IsFoundAtTheStartOfTheLongestFpdu) {
  std::vector<std::byte> all = octets(66'000);
  const std::uint32_t seen = crc32c(all);
  all[0] ^= std::byte{0x80};
  const auto found = one_wrong_bit(all.size(), seen, crc32c(all));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->octet, 0u);
  EXPECT_EQ(found->mask, 0x80u);
}

}  // namespace
}  // namespace iwarpscope::mpa
