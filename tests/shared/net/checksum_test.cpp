// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "net/checksum.h"

#include <random>

#include <gtest/gtest.h>

#include "vectors.h"

namespace iwarpscope::net::test {
namespace {

/// The sum as RFC 1071 §1 words it, one word at a time.
std::uint16_t slow_sum(Octets octets) {
  std::uint32_t sum = 0;
  for (std::size_t i = 0; i < octets.size(); i += 2) {
    sum += to_u8(octets[i]) * 256u + (i + 1 < octets.size() ? to_u8(octets[i + 1]) : 0u);
    if (sum > 0xFFFFu) sum = (sum & 0xFFFFu) + 1u;
  }
  return static_cast<std::uint16_t>(sum);
}

// RFC 1071 §3's example.
TEST(OnesComplementSum, ExampleOfRfc1071) {
  EXPECT_EQ(ones_complement_sum(hex("0001 f203 f4f5 f6f7")), 0xDDF2);
}

TEST(OnesComplementSum, OddOctetIsTheHighHalf) {
  EXPECT_EQ(ones_complement_sum(hex("0102 03")), 0x0402);
}

TEST(OnesComplementSum, EmptyIsZero) {
  EXPECT_EQ(ones_complement_sum({}), 0);
}

TEST(OnesComplementSum, EveryLengthAndAlignmentAgreesWithTheWordByWordSum) {
  std::mt19937 random(1);
  Buffer octets(400);
  for (auto& octet : octets) octet = static_cast<std::byte>(random() & 0xFFu);
  for (std::size_t from = 0; from < 9; ++from) {
    for (std::size_t length = 0; from + length <= octets.size(); ++length) {
      const auto part = Octets(octets).subspan(from, length);
      ASSERT_EQ(ones_complement_sum(part), slow_sum(part)) << from << " " << length;
    }
  }
}

TEST(OnesComplementSum, AllOnesOfSixteenMebibytesDoNotOverflow) {
  const Buffer octets(std::size_t{16} << 20, std::byte{0xFF});
  EXPECT_EQ(ones_complement_sum(octets), 0xFFFF);
}

ChecksumResult judge(const std::string& digits, LinkType link) {
  return decode(digits, link).checksum;
}

std::string ipv4_with(const std::string& field) {
  return "45 00 002c 0007 4000 40 06 0000 0a000001 0a000002 03e8 14eb 00000001 00000002 5018 0100" + field +
         "0000 7778797a";
}

TEST(Checksum, RightFieldIsGood) {
  const auto result = judge(kIpv4, LinkType::raw_ip);
  EXPECT_EQ(result.verdict, Checksum::good);
  EXPECT_EQ(result.payload_sum, 0xF0F2);
}

TEST(Checksum, OverIpv6RightFieldIsGood) {
  const auto digits = "60000000 0018 06 3f" + kIpv6Addresses +
                      "03e8 14eb 00000001 00000002 5018 0100 aafb 0000"
                      "7778797a";
  EXPECT_EQ(judge(digits, LinkType::raw_ip).verdict, Checksum::good);
}

TEST(Checksum, FieldOffByOneIsBad) {
  EXPECT_EQ(judge(ipv4_with("90fe"), LinkType::raw_ip).verdict, Checksum::bad);
}

TEST(Checksum, PseudoHeaderSumAloneIsOffloaded) {
  EXPECT_EQ(judge(ipv4_with("1421"), LinkType::raw_ip).verdict, Checksum::offloaded);
}

TEST(Checksum, PseudoHeaderSumWithoutLengthIsOffloaded) {
  EXPECT_EQ(judge(ipv4_with("1409"), LinkType::raw_ip).verdict, Checksum::offloaded);
}

TEST(Checksum, ComplementedPseudoHeaderSumIsBad) {
  EXPECT_EQ(judge(ipv4_with("ebde"), LinkType::raw_ip).verdict, Checksum::bad);
}

// The payload makes the uncomplemented sum the right field: an empty TCP segment whose header sums to the complement of
// twice the pseudo-header's sum. Pseudo-header with 20 octets: 0x141d.
TEST(Checksum, PseudoHeaderSumThatIsAlsoRightIsGood) {
  // Ports + sequence + acknowledgment + 0x5010 + window + field must sum to 0xffff - 0x141d:
  // 0x03e8 + 0x14eb + 1 + 2 + 0x5010 + 0x141d = 0x7d03; window 0xffff - 0x141d - 0x7d03 = 0x6edf.
  const auto digits =
      "45 00 0028 0007 4000 40 06 0000 0a000001 0a000002 03e8 14eb 00000001 00000002 5010 6edf 141d 0000";
  EXPECT_EQ(judge(digits, LinkType::raw_ip).verdict, Checksum::good);
}

TEST(Checksum, CutPayloadIsUnknownEvenWhenTheFieldIsWrong) {
  const Buffer octets = hex(ipv4_with("dead"));
  Decoder decoder;
  const auto decoded =
      decoder.decode(frame_of(Octets(octets).first(octets.size() - 1), LinkType::raw_ip, octets.size()));
  const auto result = checksum(std::get<TcpPacket>(decoded));
  EXPECT_EQ(result.verdict, Checksum::unknown);
  EXPECT_EQ(result.payload_sum, 0x7778 + 0x7900);
}

TEST(Checksum, PacketWithoutHeaderIsUnknown) {
  EXPECT_EQ(checksum(TcpPacket{}).verdict, Checksum::unknown);
}

}  // namespace
}  // namespace iwarpscope::net::test
