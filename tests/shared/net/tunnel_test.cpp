// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include <gtest/gtest.h>

#include "net/gre.h"
#include "net/overlay.h"
#include "vectors.h"

namespace iwarpscope::net::test {
namespace {

/// An IPv4 header of a mirror or tunnel end before `payload`.
std::string ipv4(unsigned protocol, const std::string& payload) {
  std::string digits = "45 00 llll 0001 0000 40 pp 0000 c0000201 c0000202";
  const auto put = [&](std::string_view mark, std::size_t value) {
    std::string number(mark.size(), '0');
    for (std::size_t i = number.size(); i-- > 0; value /= 16) number[i] = "0123456789abcdef"[value % 16];
    digits.replace(digits.find(mark), mark.size(), number);
  };
  put("llll", 20 + hex(payload).size());
  put("pp", protocol);
  return digits + payload;
}
std::string gre(const std::string& payload) {
  return ipv4(47, payload);
}
/// UDP with length 0, as adapters that segment are given it.
std::string udp(const std::string& port, const std::string& payload) {
  return ipv4(17, "c000" + port + "0000 0000" + payload);
}
const std::string kEthernet = kMacs + "0800" + kIpv4;

TEST(Gre, Ipv4AndIpv6AreFollowed) {
  EXPECT_TRUE(holds_tcp(gre("0000 0800" + kIpv4), LinkType::raw_ip));
  EXPECT_TRUE(holds_tcp(gre("0000 86dd" + kIpv6), LinkType::raw_ip));
}

TEST(Gre, OptionalFieldsAreSkipped) {
  EXPECT_TRUE(holds_tcp(gre("8000 0800 12340000" + kIpv4), LinkType::raw_ip));
  EXPECT_TRUE(holds_tcp(gre("2000 0800 00000001" + kIpv4), LinkType::raw_ip));
  EXPECT_TRUE(holds_tcp(gre("1000 0800 00000002" + kIpv4), LinkType::raw_ip));
  EXPECT_TRUE(holds_tcp(gre("b000 0800 12340000 00000001 00000002" + kIpv4), LinkType::raw_ip));
}

TEST(Gre, SourceRoutesAreSkipped) {
  EXPECT_TRUE(holds_tcp(gre("4000 0800 00000000 0800 00 04 c0000203 0000 00 00" + kIpv4), LinkType::raw_ip));
}

TEST(Gre, SourceRoutesWithoutEndAreMalformed) {
  EXPECT_EQ(decode(gre("4000 0800 00000000 0800 00 ff c0000203"), LinkType::raw_ip).reason, NoPacket::malformed);
}

TEST(Gre, TransparentEthernetBridgingHoldsAFrame) {
  EXPECT_TRUE(holds_tcp(gre("2000 6558 00000100" + kEthernet), LinkType::raw_ip));
}

TEST(Gre, VersionOneIsAnotherProtocol) {
  EXPECT_EQ(decode(gre("3001 880b 00000000 00000000"), LinkType::raw_ip).reason, NoPacket::other_protocol);
}

TEST(Gre, InIpv6IsFollowed) {
  EXPECT_TRUE(holds_tcp("60000000 0030 2f 3f" + kIpv6Addresses + "0000 0800" + kIpv4, LinkType::raw_ip));
}

TEST(Erspan, TypeOneHasNoHeader) {
  EXPECT_TRUE(holds_tcp(gre("0000 88be" + kEthernet), LinkType::raw_ip));
}

TEST(Erspan, TypeTwoHasEightOctets) {
  // Version 1, VLAN 100; class 0, encapsulation 3, session 5; index 1.
  EXPECT_TRUE(holds_tcp(gre("1000 88be 00000001 1064 1805 00000001" + kEthernet), LinkType::raw_ip));
}

TEST(Erspan, TypeTwoOfAnotherVersionIsMalformed) {
  EXPECT_EQ(decode(gre("1000 88be 00000001 3064 1805 00000001" + kEthernet), LinkType::raw_ip).reason,
            NoPacket::malformed);
}

TEST(Erspan, TypeTwoTruncatedFlagCountsAsACutFrame) {
  const auto result = decode(gre("1000 88be 00000001 1064 1c05 00000001" + kEthernet), LinkType::raw_ip);
  ASSERT_TRUE(result.packet);
  EXPECT_EQ(result.statistics.truncated_frames, 1u);
}

TEST(Erspan, TypeThreeHasTwelveOctets) {
  // Version 2; session 5; time stamp; security group 0; frame type 0, granularity 0, O 0.
  EXPECT_TRUE(holds_tcp(gre("1000 22eb 00000001 2064 0005 11223344 0000 0000" + kEthernet), LinkType::raw_ip));
}

TEST(Erspan, TypeThreeMayHaveASubheader) {
  EXPECT_TRUE(
      holds_tcp(gre("1000 22eb 00000001 2064 0005 11223344 0000 0001 1122334455667788" + kEthernet), LinkType::raw_ip));
}

TEST(Erspan, TypeThreeMayHoldAnIpDatagram) {
  EXPECT_TRUE(holds_tcp(gre("1000 22eb 00000001 2064 0005 11223344 0000 0800" + kIpv4), LinkType::raw_ip));
}

TEST(Erspan, TypeThreeWithAnotherFrameTypeIsAnotherProtocol) {
  EXPECT_EQ(decode(gre("1000 22eb 00000001 2064 0005 11223344 0000 0400" + kIpv4), LinkType::raw_ip).reason,
            NoPacket::other_protocol);
}

TEST(Vxlan, FrameIsFollowedAndTheIdentifierKept) {
  const auto digits = udp("12b5", "08000000 00002a 00" + kEthernet);
  EXPECT_TRUE(holds_tcp(digits, LinkType::raw_ip));
  const auto other = udp("12b5", "08000000 00002b 00" + kEthernet);
  EXPECT_NE(decode(digits, LinkType::raw_ip).packet->overlay, decode(other, LinkType::raw_ip).packet->overlay);
  EXPECT_TRUE(holds_tcp(udp("2118", "08000000 00002a 00" + kEthernet), LinkType::raw_ip));
}

TEST(Vxlan, HeaderWithoutIdentifierIsAnotherProtocol) {
  EXPECT_EQ(decode(udp("12b5", "00000000 00002a 00" + kEthernet), LinkType::raw_ip).reason, NoPacket::other_protocol);
}

TEST(Vxlan, IdentifierZeroIsNotTheAbsenceOfOne) {
  EXPECT_GT(decode(udp("12b5", "08000000 000000 00" + kEthernet), LinkType::raw_ip).packet->overlay, 0u);
  EXPECT_EQ(decode(kIpv4, LinkType::raw_ip).packet->overlay, 0u);
}

TEST(Geneve, FrameAndOptionsAreFollowed) {
  EXPECT_TRUE(holds_tcp(udp("17c1", "00 00 6558 00002a 00" + kEthernet), LinkType::raw_ip));
  const auto with_options = udp("17c1", "03 00 6558 00002a 00 0101 00 02 00000000 00000000" + kEthernet);
  EXPECT_TRUE(holds_tcp(with_options, LinkType::raw_ip));
  const auto vxlan = udp("12b5", "08000000 00002a 00" + kEthernet);
  EXPECT_EQ(decode(with_options, LinkType::raw_ip).packet->overlay, decode(vxlan, LinkType::raw_ip).packet->overlay);
}

TEST(Geneve, IpWithoutEthernetIsFollowed) {
  EXPECT_TRUE(holds_tcp(udp("17c1", "00 00 0800 00002a 00" + kIpv4), LinkType::raw_ip));
  EXPECT_TRUE(holds_tcp(udp("17c1", "00 00 86dd 00002a 00" + kIpv6), LinkType::raw_ip));
}

TEST(Geneve, OptionsBeyondThePacketAreMalformed) {
  EXPECT_EQ(decode(udp("17c1", "3f 00 6558 00002a 00 00000000"), LinkType::raw_ip).reason, NoPacket::malformed);
}

TEST(Udp, LengthBelowItsHeaderIsMalformed) {
  EXPECT_EQ(decode(ipv4(17, "c000 12b5 0007 0000 0800000000002a00"), LinkType::raw_ip).reason, NoPacket::malformed);
}

TEST(Tunnels, NestAsDeepAsTheLimit) {
  std::string digits = kIpv4;
  for (int i = 0; i < 8; ++i) digits = ipv4(4, digits);
  EXPECT_TRUE(holds_tcp(digits, LinkType::raw_ip));
  EXPECT_EQ(decode(ipv4(4, digits), LinkType::raw_ip).statistics.too_deep, 1u);
}

TEST(Tunnels, MirrorOfATaggedOverlayIsFollowed) {
  const auto overlay = udp("12b5", "08000000 00002a 00" + kMacs + "8100 0001 0800" + kIpv4);
  EXPECT_TRUE(
      holds_tcp(kMacs + "8100 0002 0800" + gre("1000 88be 00000001 1064 1805 00000001" + kMacs + "0800" + overlay)));
}

TEST(GreHeader, LengthCountsItsFields) {
  EXPECT_EQ(std::get<GreHeader>(GreHeader::parse(hex("0000 0800"))).length(), 4u);
  EXPECT_EQ(std::get<GreHeader>(GreHeader::parse(hex("c000 0800"))).length(), 8u);
  EXPECT_EQ(std::get<GreHeader>(GreHeader::parse(hex("f000 0800"))).length(), 16u);
  EXPECT_EQ(std::get<Short>(GreHeader::parse(hex("f000 08"))), (Short{4, 3}));
}

}  // namespace
}  // namespace iwarpscope::net::test
