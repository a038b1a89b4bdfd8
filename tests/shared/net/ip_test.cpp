// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "net/ip.h"

#include <gtest/gtest.h>

#include "vectors.h"

namespace iwarpscope::net::test {
namespace {

TEST(Ipv4, FactsOfTheHeaderAreInThePacket) {
  const auto result = decode(kIpv4, LinkType::raw_ip);
  ASSERT_TRUE(result.packet);
  EXPECT_EQ(result.packet->source.address.text(), "10.0.0.1");
  EXPECT_EQ(result.packet->destination.address.text(), "10.0.0.2");
  EXPECT_EQ(result.packet->ttl, 64);
  EXPECT_EQ(result.packet->ip_id, 7);
  EXPECT_TRUE(result.packet->dont_fragment);
  EXPECT_FALSE(result.packet->fragmented);
}

TEST(Ipv4, OptionsAreSkipped) {
  EXPECT_TRUE(holds_tcp("47 00 0034 0007 4000 40 06 0000 0a000001 0a000002 0101010101010100" + kTcp, LinkType::ipv4));
}

TEST(Ipv4, TotalLengthZeroIsTheCapturedLength) {
  EXPECT_TRUE(holds_tcp("45 00 0000 0007 4000 40 06 0000 0a000001 0a000002" + kTcp, LinkType::ipv4));
}

TEST(Ipv4, LengthsThatContradictAreMalformed) {
  EXPECT_EQ(decode("44 00 002c 0007 4000 40 06 0000 0a000001 0a000002" + kTcp, LinkType::ipv4).reason,
            NoPacket::malformed);
  EXPECT_EQ(decode("45 00 0013 0007 4000 40 06 0000 0a000001 0a000002" + kTcp, LinkType::ipv4).reason,
            NoPacket::malformed);
  EXPECT_EQ(decode("35 00 002c 0007 4000 40 06 0000 0a000001 0a000002" + kTcp, LinkType::ipv4).reason,
            NoPacket::malformed);
}

// A mirror that cuts frames and does not say so.
TEST(Ipv4, LengthBeyondTheFrameIsACutFrame) {
  const auto result = decode("45 00 0400 0007 4000 40 06 0000 0a000001 0a000002" + kTcp, LinkType::ipv4);
  ASSERT_TRUE(result.packet);
  EXPECT_EQ(result.packet->payload_length, 0x400u - 40);
  EXPECT_TRUE(result.truncated);
  EXPECT_EQ(result.statistics.truncated_frames, 1u);
  EXPECT_EQ(result.checksum.verdict, Checksum::unknown);
}

/// An IPv4 frame whose IP length is `length`, with kTcp and `more` octets after it.
[[nodiscard]] Buffer ipv4_of(std::uint16_t length, std::size_t more = 0) {
  Buffer frame = hex(kIpv4);
  frame[2] = static_cast<std::byte>(length >> 8);
  frame[3] = static_cast<std::byte>(length & 0xFF);
  frame.resize(frame.size() + more);
  return frame;
}

TEST(Ipv4, LengthBeyondTheFrameIsMalformedWhereLongerFramesCameWhole) {
  Decoder decoder;
  const Buffer longer = ipv4_of(144, 100), lie = ipv4_of(20000);
  EXPECT_TRUE(decode_with(decoder, frame_of(longer, LinkType::ipv4)).packet);
  const auto result = decode_with(decoder, frame_of(lie, LinkType::ipv4));
  EXPECT_EQ(result.reason, NoPacket::malformed);
  EXPECT_EQ(result.statistics.malformed, 1u);
  EXPECT_EQ(result.statistics.beyond_frame, 1u);
  EXPECT_EQ(result.statistics.truncated_frames, 0u);
  // Nothing longer than this one came.
  const auto cut = decode_with(decoder, frame_of(ipv4_of(20000, 300), LinkType::ipv4));
  EXPECT_TRUE(cut.packet);
  EXPECT_EQ(cut.statistics.mirror_cut_frames, 1u);
  // A snap length cuts what was longer on the wire.
  EXPECT_TRUE(decode_with(decoder, frame_of(ipv4_of(20000), LinkType::ipv4, 20000)).packet);
}

TEST(Ipv6, LengthBeyondTheFrameIsMalformedWhereLongerFramesCameWhole) {
  Decoder decoder;
  const Buffer longer = ipv4_of(144, 100), lie = hex("60000000 4e20 06 3f" + kIpv6Addresses + kTcp);
  EXPECT_TRUE(decode_with(decoder, frame_of(longer, LinkType::raw_ip)).packet);
  EXPECT_EQ(decode_with(decoder, frame_of(lie, LinkType::raw_ip)).reason, NoPacket::malformed);
}

TEST(Ipv4, FragmentBeyondTheFrameIsMalformedWhereLongerFramesCameWhole) {
  Decoder decoder;
  Buffer lie = ipv4_of(20000);
  lie[6] = std::byte{0x20};  // more fragments
  EXPECT_TRUE(decode_with(decoder, frame_of(ipv4_of(144, 100), LinkType::ipv4)).packet);
  const auto result = decode_with(decoder, frame_of(lie, LinkType::ipv4));
  EXPECT_EQ(result.reason, NoPacket::malformed);
  EXPECT_EQ(result.statistics.fragments_waiting, 0u);
}

TEST(Ipv4, FramesCutAtOneLengthAreBelievedInTheEndAndOnAnotherInterfaceAtOnce) {
  Decoder decoder;
  const Buffer longer = ipv4_of(144, 100), cut = ipv4_of(400);
  EXPECT_TRUE(decode_with(decoder, frame_of(longer, LinkType::ipv4)).packet);
  for (int i = 0; i < 15; ++i) EXPECT_FALSE(decode_with(decoder, frame_of(cut, LinkType::ipv4)).packet) << i;
  EXPECT_TRUE(decode_with(decoder, frame_of(cut, LinkType::ipv4)).packet);
  Frame other = frame_of(cut, LinkType::ipv4);
  other.interface = 1;
  EXPECT_TRUE(decode_with(decoder, other).packet);
}

TEST(Ipv4, AuthenticationHeaderIsSkipped) {
  // Next header TCP, length 4 (24 octets), SPI, sequence, 12 octets of check value.
  EXPECT_TRUE(holds_tcp(
      "45 00 0044 0007 4000 40 33 0000 0a000001 0a000002 06 04 0000 00000001 00000001 000000000000000000000000" + kTcp,
      LinkType::ipv4));
}

TEST(Ipv4, Ipv6ExtensionHeadersAreOtherProtocols) {
  EXPECT_EQ(
      decode("45 00 0034 0007 4000 40 3c 0000 0a000001 0a000002 06 00 010400000000" + kTcp, LinkType::ipv4).reason,
      NoPacket::other_protocol);
}

TEST(Ipv4, UdpToAnotherPortIsAnotherProtocol) {
  EXPECT_EQ(
      decode("45 00 0020 0007 4000 40 11 0000 0a000001 0a000002 0035 0035 000c 0000 00000000", LinkType::ipv4).reason,
      NoPacket::other_protocol);
}

TEST(Ipv6, FactsOfTheHeaderAreInThePacket) {
  const auto result = decode(kIpv6, LinkType::raw_ip);
  ASSERT_TRUE(result.packet);
  EXPECT_EQ(result.packet->source.address.text(), "fd00::1");
  EXPECT_EQ(result.packet->destination.address.text(), "fd00::2");
  EXPECT_EQ(result.packet->ttl, 63);
  EXPECT_EQ(result.packet->ip_id, 0);
  EXPECT_TRUE(result.packet->dont_fragment);
}

TEST(Ipv6, PayloadLengthZeroIsTheCapturedLength) {
  EXPECT_TRUE(holds_tcp("60000000 0000 06 3f" + kIpv6Addresses + kTcp, LinkType::ipv6));
  // A jumbogram's hop-by-hop option. RFC 2675 §2.
  EXPECT_TRUE(holds_tcp("60000000 0000 00 3f" + kIpv6Addresses + "06 00 c2 04 00000020" + kTcp, LinkType::ipv6));
}

TEST(Ipv6, ExtensionHeadersAreSkipped) {
  const std::string hop_by_hop = "3c 00 01 04 00000000";               // next: destination options
  const std::string options = "2b 01 01 0c 000000000000000000000000";  // next: routing, 16 octets
  const std::string routing = "33 00 fd 00 00000000";                  // next: AH; experimental type, no segments left
  const std::string authentication = "06 04 0000 00000001 00000001 000000000000000000000000";
  EXPECT_TRUE(holds_tcp("60000000 0050 00 3f" + kIpv6Addresses + hop_by_hop + options + routing + authentication + kTcp,
                        LinkType::ipv6));
}

TEST(Ipv6, ExtensionBeyondThePacketIsMalformed) {
  EXPECT_EQ(decode("60000000 0008 00 3f" + kIpv6Addresses + "06 01 01 0c 00000000", LinkType::ipv6).reason,
            NoPacket::malformed);
}

TEST(Ipv6, EndlessExtensionsAreTooDeep) {
  std::string chain;
  for (int i = 0; i < 40; ++i) chain += "3c 00 01 04 00000000";
  EXPECT_EQ(decode("60000000 0140 3c 3f" + kIpv6Addresses + chain, LinkType::ipv6).statistics.too_deep, 1u);
}

TEST(Ipv6, NoNextHeaderIsAnotherProtocol) {
  EXPECT_EQ(decode("60000000 0000 3b 3f" + kIpv6Addresses, LinkType::ipv6).reason, NoPacket::other_protocol);
}

TEST(Ipv6, AtomicFragmentIsWhole) {
  const auto digits = "60000000 0020 2c 3f" + kIpv6Addresses + "06 00 0000 12345678" + kTcp;
  EXPECT_TRUE(holds_tcp(digits, LinkType::ipv6));
  const auto result = decode(digits, LinkType::ipv6);
  EXPECT_FALSE(result.packet->fragmented);
  EXPECT_EQ(result.statistics.ip_fragments, 0u);
}

// Segments left 1: the connection is with the last address, not with the one in the IPv6 header. RFC 8200 §8.1.
TEST(Ipv6, RoutingHeaderNamesTheFinalDestination) {
  const std::string first = "fd0000000000000000000000000000aa";
  const std::string second = "fd0000000000000000000000000000bb";
  const auto with = [&](const std::string& routing) {
    const auto result =
        decode("60000000 0040 2b 3f" + kIpv6Addresses + routing + first + second + kTcp, LinkType::ipv6);
    return result.packet ? result.packet->destination.address.text() : "none";
  };
  EXPECT_EQ(with("06 04 00 01 00000000"), "fd00::bb");
  EXPECT_EQ(with("06 04 04 01 01000000"), "fd00::aa");
  EXPECT_EQ(with("06 04 00 00 00000000"), "fd00::2");
  EXPECT_EQ(with("06 04 fe 01 00000000"), "fd00::2");
}

TEST(IpInIp, BothVersionsInBoth) {
  EXPECT_TRUE(holds_tcp("45 00 0040 0001 0000 40 04 0000 c0000201 c0000202" + kIpv4, LinkType::raw_ip));
  EXPECT_TRUE(holds_tcp("45 00 0054 0001 0000 40 29 0000 c0000201 c0000202" + kIpv6, LinkType::raw_ip));
  EXPECT_TRUE(holds_tcp("60000000 002c 04 3f" + kIpv6Addresses + kIpv4, LinkType::raw_ip));
  EXPECT_TRUE(holds_tcp("60000000 0040 29 3f" + kIpv6Addresses + kIpv6, LinkType::raw_ip));
}

TEST(Ipv4Header, FieldsAreRead) {
  const auto octets = hex("4f 00 1234 5678 6001 40 06 0000 0a000001 0a000002");
  const auto header = std::get<Ipv4Header>(Ipv4Header::parse(octets));
  EXPECT_EQ(header.version(), 4u);
  EXPECT_EQ(header.header_length(), 60u);
  EXPECT_EQ(header.total_length(), 0x1234u);
  EXPECT_EQ(header.identification(), 0x5678);
  EXPECT_TRUE(header.dont_fragment());
  EXPECT_TRUE(header.more_fragments());
  EXPECT_EQ(header.fragment_offset(), 8u);
}

}  // namespace
}  // namespace iwarpscope::net::test
