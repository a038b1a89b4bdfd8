// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include <gtest/gtest.h>

#include "net/cooked.h"
#include "net/ethernet.h"
#include "net/mpls.h"
#include "vectors.h"

namespace iwarpscope::net::test {
namespace {

TEST(Ethernet, Ipv4AndIpv6AreFollowed) {
  EXPECT_TRUE(holds_tcp(kMacs + "0800" + kIpv4));
  EXPECT_TRUE(holds_tcp(kMacs + "86dd" + kIpv6));
}

TEST(Ethernet, PaddingAndCheckSequenceAreNotPayload) {
  const auto result = decode(kMacs + "0800" + kIpv4 + "0000 deadbeef");
  ASSERT_TRUE(result.packet);
  EXPECT_EQ(result.payload, "wxyz");
  EXPECT_EQ(result.packet->payload_length, 4u);
  EXPECT_EQ(result.checksum.verdict, Checksum::good);
}

TEST(Ethernet, ArpIsAnotherProtocol) {
  EXPECT_EQ(decode(kMacs + "0806 0001 0800 06 04 0001").reason, NoPacket::other_protocol);
}

TEST(Ethernet, ShortFrameIsMalformed) {
  const auto result = decode("0200 0000 0002 02");
  EXPECT_EQ(result.reason, NoPacket::malformed);
  EXPECT_EQ(result.statistics.malformed, 1u);
}

TEST(EthernetHeader, CutByOneIsShort) {
  const auto octets = hex(kMacs + "08");
  EXPECT_EQ(std::get<Short>(EthernetHeader::parse(octets)), (Short{14, 13}));
}

TEST(VlanTag, FieldsAreRead) {
  const auto octets = hex("e123 86dd");
  const auto tag = std::get<VlanTag>(VlanTag::parse(octets));
  EXPECT_EQ(tag.identifier(), 0x123);
  EXPECT_EQ(tag.type(), 0x86dd);
}

TEST(Vlan, OneTagIsTakenOff) {
  EXPECT_TRUE(holds_tcp(kMacs + "8100 0064 0800" + kIpv4));
}

TEST(Vlan, ServiceAndOldTagsMayStack) {
  EXPECT_TRUE(holds_tcp(kMacs + "88a8 0001 8100 0064 0800" + kIpv4));
  EXPECT_TRUE(holds_tcp(kMacs + "9100 0001 9100 0002 8100 0003 86dd" + kIpv6));
}

TEST(Vlan, AsManyTagsAsTheLimitAreTakenOff) {
  std::string tags;
  for (int i = 0; i < 8; ++i) tags += "8100 0001";
  EXPECT_TRUE(holds_tcp(kMacs + tags + "0800" + kIpv4));
  const auto deeper = decode(kMacs + tags + "8100 0001 0800" + kIpv4);
  EXPECT_EQ(deeper.reason, NoPacket::malformed);
  EXPECT_EQ(deeper.statistics.too_deep, 1u);
  EXPECT_EQ(deeper.statistics.malformed, 0u);
}

TEST(Llc, SnapHoldsAnEtherType) {
  // 802.3 length 52: LLC and SNAP (8 octets) and the datagram (44).
  EXPECT_TRUE(holds_tcp(kMacs + "0034 aaaa03 000000 0800" + kIpv4));
  EXPECT_TRUE(holds_tcp(kMacs + "8100 0005 0034 aaaa03 000000 0800" + kIpv4));
}

TEST(Llc, SapSixHoldsAnIpv4Datagram) {
  EXPECT_TRUE(holds_tcp(kMacs + "002f 060603" + kIpv4));
}

TEST(Llc, OtherSapsAndOrganisationsAreOtherProtocols) {
  EXPECT_EQ(decode(kMacs + "0026 424203 0000").reason, NoPacket::other_protocol);
  EXPECT_EQ(decode(kMacs + "0034 aaaa03 00000c 0800" + kIpv4).reason, NoPacket::other_protocol);
}

TEST(Ethernet, TypeBetweenLengthAndEtherTypeIsAnotherProtocol) {
  EXPECT_EQ(decode(kMacs + "05dd" + kIpv4).reason, NoPacket::other_protocol);
}

TEST(MplsEntry, FieldsAreRead) {
  const auto octets = hex("0001 01 40");
  const auto entry = std::get<MplsEntry>(MplsEntry::parse(octets));
  EXPECT_EQ(entry.label(), 16u);
  EXPECT_TRUE(entry.bottom_of_stack());
}

TEST(Mpls, StackAboveIpIsTakenOff) {
  EXPECT_TRUE(holds_tcp(kMacs + "8847 00010 1 40" + kIpv4));
  EXPECT_TRUE(holds_tcp(kMacs + "8847 00010 0 40 00011 0 40 00012 1 40" + kIpv6));
  EXPECT_TRUE(holds_tcp(kMacs + "8848 00010 1 40" + kIpv4));
}

TEST(Mpls, PseudowireWithControlWordHoldsAnEthernetFrame) {
  EXPECT_TRUE(decode(kMacs + "8847 00010 1 40 00000000" + kMacs + "0800" + kIpv4).packet);
}

TEST(Mpls, PseudowireWithoutControlWordHoldsAnEthernetFrame) {
  EXPECT_TRUE(decode(kMacs + "8847 00010 1 40" + kMacs + "0800" + kIpv4).packet);
  // A destination address that starts like a version number.
  EXPECT_TRUE(decode(kMacs +
                     "8847 00010 1 40"
                     "460000000002 020000000001 86dd" +
                     kIpv6)
                  .packet);
  EXPECT_TRUE(decode(kMacs +
                     "8847 00010 1 40"
                     "600000000002 020000000001 0800" +
                     kIpv4)
                  .packet);
}

TEST(Mpls, EndlessStackIsTooDeep) {
  std::string stack;
  for (int i = 0; i < 9; ++i) stack += "00010 0 40";
  EXPECT_EQ(decode(kMacs + "8847" + stack).statistics.too_deep, 1u);
}

TEST(Cooked, Version1HoldsAnEtherType) {
  EXPECT_TRUE(holds_tcp("0000 0001 0006 0200000000010000 0800" + kIpv4, LinkType::linux_sll));
  EXPECT_TRUE(holds_tcp("0000 0001 0006 0200000000010000 8100 0007 86dd" + kIpv6, LinkType::linux_sll));
}

TEST(Cooked, Version1PseudoTypeIsLlcOrAnotherProtocol) {
  EXPECT_TRUE(holds_tcp("0000 0001 0006 0200000000010000 0004 aaaa03 000000 0800" + kIpv4, LinkType::linux_sll));
  EXPECT_EQ(decode("0000 0001 0006 0200000000010000 000c" + kIpv4, LinkType::linux_sll).reason,
            NoPacket::other_protocol);
}

TEST(Cooked, Version2HoldsAnEtherType) {
  EXPECT_TRUE(holds_tcp("0800 0000 00000002 0001 00 06 0200000000010000" + kIpv4, LinkType::linux_sll2));
  EXPECT_TRUE(holds_tcp("86dd 0000 00000002 0001 04 06 0200000000010000" + kIpv6, LinkType::linux_sll2));
}

TEST(Loopback, FamilyMayBeInEitherOrder) {
  EXPECT_TRUE(holds_tcp("02000000" + kIpv4, LinkType::null));
  EXPECT_TRUE(holds_tcp("00000002" + kIpv4, LinkType::null));
  EXPECT_TRUE(holds_tcp("00000002" + kIpv4, LinkType::openbsd_loop));
}

TEST(Loopback, EverySystemsIpv6FamilyIsKnown) {
  for (const char* family : {"0a000000", "17000000", "18000000", "1c000000", "1e000000"}) {
    EXPECT_TRUE(holds_tcp(family + kIpv6, LinkType::null)) << family;
  }
}

TEST(Loopback, OtherFamilyIsAnotherProtocol) {
  EXPECT_EQ(decode("10000000" + kIpv4, LinkType::null).reason, NoPacket::other_protocol);
}

TEST(RawIp, VersionShowsTheProtocol) {
  EXPECT_TRUE(holds_tcp(kIpv4, LinkType::raw_ip));
  EXPECT_TRUE(holds_tcp(kIpv6, LinkType::raw_ip));
  EXPECT_TRUE(holds_tcp(kIpv4, LinkType::ipv4));
  EXPECT_TRUE(holds_tcp(kIpv6, LinkType::ipv6));
}

TEST(LinkType, UnknownIsCountedAndNotDecoded) {
  const auto result = decode(kIpv4, static_cast<LinkType>(147));
  EXPECT_EQ(result.reason, NoPacket::unsupported_link);
  EXPECT_EQ(result.statistics.unsupported_link, 1u);
}

}  // namespace
}  // namespace iwarpscope::net::test
