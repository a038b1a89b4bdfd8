// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// CRC32c against the printed vectors and against a bit-by-bit model.
#include "base/crc32c.h"

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace iwarpscope {
namespace {

/// The definition, bit by bit: polynomial 0x1EDC6F41 reflected, initial value and final complement all ones.
std::uint32_t model(Octets octets) {
  std::uint32_t state = 0xFFFFFFFFu;
  for (const std::byte octet : octets) {
    state ^= to_u8(octet);
    for (int bit = 0; bit < 8; ++bit) state = (state >> 1) ^ ((state & 1u) != 0 ? 0x82F63B78u : 0u);
  }
  return ~state;
}

/// Octets that repeat only after a long while; the same each time.
std::vector<std::byte> pattern(std::size_t octets) {
  std::vector<std::byte> out(octets);
  std::uint32_t state = 0x2545F491u;
  for (std::byte& octet : out) {
    state = state * 1664525u + 1013904223u;
    octet = static_cast<std::byte>(state >> 24);
  }
  return out;
}

// RFC 3720 B.4 prints the CRC in the order of the wire, low octet first: aa 36 91 8a is 0x8A9136AA.
TEST(Crc32cRfc3720, ThirtyTwoZerosGiveThePrintedValue) {
  EXPECT_EQ(crc32c(std::array<std::byte, 32>{}), 0x8A9136AAu);
}

TEST(Crc32cRfc3720, ThirtyTwoOnesGiveThePrintedValue) {
  std::array<std::byte, 32> ones;
  ones.fill(std::byte{0xFF});
  EXPECT_EQ(crc32c(ones), 0x62A8AB43u);
}

TEST(Crc32cRfc3720, CountingUpGivesThePrintedValue) {
  std::array<std::byte, 32> octets;
  for (std::size_t i = 0; i < octets.size(); ++i) octets[i] = static_cast<std::byte>(i);
  EXPECT_EQ(crc32c(octets), 0x46DD794Eu);
}

TEST(Crc32cRfc3720, CountingDownGivesThePrintedValue) {
  std::array<std::byte, 32> octets;
  for (std::size_t i = 0; i < octets.size(); ++i) octets[i] = static_cast<std::byte>(octets.size() - 1 - i);
  EXPECT_EQ(crc32c(octets), 0x113FDB5Cu);
}

TEST(Crc32cRfc3720, IscsiReadCommandGivesThePrintedValue) {
  constexpr std::array<std::uint8_t, 48> kReadCommand{
      0x01, 0xC0, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
      0x14, 0x00, 0x00, 0x00, 0x00, 0x00, 0x04, 0x00, 0x00, 0x00, 0x00, 0x14, 0x00, 0x00, 0x00, 0x18,
      0x28, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00};
  EXPECT_EQ(crc32c(std::as_bytes(std::span(kReadCommand))), 0xD9963A56u);
}

TEST(Crc32c, NothingIsZero) {
  EXPECT_EQ(crc32c({}), 0u);
  EXPECT_EQ(Crc32c{}.value(), 0u);
}

TEST(Crc32c, DigitsGiveTheCheckValueOfThePolynomial) {
  constexpr std::string_view kDigits = "123456789";
  EXPECT_EQ(crc32c(std::as_bytes(std::span(kDigits))), 0xE3069283u);
}

TEST(Crc32c, EveryLengthAndAlignmentAgreesWithTheModel) {
  const std::vector<std::byte> octets = pattern(600);
  for (std::size_t start = 0; start < 16; ++start) {
    for (std::size_t length = 0; length <= 300; ++length) {
      const Octets piece = Octets(octets).subspan(start, length);
      ASSERT_EQ(crc32c(piece), model(piece)) << "start " << start << " length " << length;
    }
  }
}

TEST(Crc32c, LargestFpduAgreesWithTheModel) {
  const std::vector<std::byte> octets = pattern(65536);
  EXPECT_EQ(crc32c(octets), model(octets));
}

TEST(Crc32c, OctetsInTwoPiecesGiveTheValueOfTheWhole) {
  const std::vector<std::byte> octets = pattern(200);
  const std::uint32_t whole = model(octets);
  for (std::size_t cut = 0; cut <= octets.size(); ++cut) {
    Crc32c crc;
    crc.add(Octets(octets).first(cut));
    crc.add(Octets(octets).subspan(cut));
    ASSERT_EQ(crc.value(), whole) << "cut at " << cut;
  }
}

TEST(Crc32c, OneChangedBitChangesTheValue) {
  std::vector<std::byte> octets = pattern(64);
  const std::uint32_t before = crc32c(octets);
  for (std::size_t bit = 0; bit < octets.size() * 8; ++bit) {
    octets[bit / 8] ^= static_cast<std::byte>(1u << (bit % 8));
    ASSERT_NE(crc32c(octets), before) << "bit " << bit;
    octets[bit / 8] ^= static_cast<std::byte>(1u << (bit % 8));
  }
  EXPECT_EQ(crc32c(octets), before);
}

}  // namespace
}  // namespace iwarpscope
