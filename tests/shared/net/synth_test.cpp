// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The synthesiser writes what the decoder reads; the two share no code.
#include <gtest/gtest.h>

#include "synth/wire/ip.h"
#include "synth/wire/link.h"
#include "synth/wire/tcp.h"
#include "synth/wire/tunnel.h"
#include "vectors.h"

namespace iwarpscope::net::test {
namespace {

namespace wire = synth::wire;

const std::string kPayload(1300, 'p');

Buffer tcp(const synth::Address& source, const synth::Address& destination,
           wire::Checksum checksum = wire::Checksum::right) {
  wire::Tcp header;
  header.sequence = 0x01020304;
  header.options.timestamps = {0x0A0B0C0D, 1};
  header.checksum = checksum;
  return wire::write(header, synth::text(kPayload), source, destination);
}
Buffer ipv4() {
  return wire::write(wire::Ipv4{}, tcp("10.0.0.1", "10.0.0.2"));
}
Buffer ipv6() {
  wire::Ipv6 header;
  header.extensions = {
      {0, hex("0104 0000 0000")}, {60, {}}, {51, hex("0000 00000001 00000001 000000000000000000000000")}};
  return wire::write(header, tcp("fd00::1", "fd00::2"));
}
Buffer ethernet(const Buffer& payload, std::uint16_t type = wire::kEtherIpv4) {
  wire::Ethernet header;
  header.ether_type = type;
  return wire::write(header, payload);
}
Buffer outer(std::uint8_t protocol, const Buffer& payload) {
  wire::Ipv4 header;
  header.source = "192.0.2.1";
  header.destination = "192.0.2.2";
  header.protocol = protocol;
  return ethernet(wire::write(header, payload));
}
Buffer udp(std::uint16_t port, const Buffer& payload) {
  wire::Udp header;
  header.destination_port = port;
  return outer(wire::kProtocolUdp, wire::write(header, payload, "192.0.2.1", "192.0.2.2"));
}

/// The overlay that the packet is of, or nothing when the frame does not hold the TCP segment whole and intact.
std::optional<std::uint32_t> overlay_of(const Buffer& octets, LinkType link = LinkType::ethernet) {
  Decoder decoder;
  const auto result = decode_with(decoder, frame_of(octets, link));
  if (!result.packet || result.payload != kPayload || result.checksum.verdict != Checksum::good ||
      result.packet->sequence != 0x01020304 || result.packet->timestamp != 0x0A0B0C0Du) {
    return std::nullopt;
  }
  return result.packet->overlay;
}

TEST(SynthFrames, LinksAndTagsAreDecoded) {
  EXPECT_EQ(overlay_of(ethernet(ipv4())), 0u);
  EXPECT_EQ(overlay_of(ethernet(ipv6(), wire::kEtherIpv6)), 0u);
  const std::vector<wire::VlanTag> tags{{2, 0x88A8, 0}, {3, 0x8100, 5}};
  const auto tagged = overlay_of(ethernet(wire::write(tags, wire::kEtherIpv4, ipv4()), 0x88A8));
  EXPECT_GT(tagged, 0u);
  const std::vector<wire::VlanTag> other_priority{{2, 0x88A8, 3}, {3, 0x8100, 0}};
  EXPECT_EQ(overlay_of(ethernet(wire::write(other_priority, wire::kEtherIpv4, ipv4()), 0x88A8)), tagged);
  const std::vector<wire::VlanTag> other{{2, 0x88A8, 0}, {4, 0x8100, 5}};
  EXPECT_NE(overlay_of(ethernet(wire::write(other, wire::kEtherIpv4, ipv4()), 0x88A8)), tagged);
  const std::vector<wire::VlanTag> no_vlan{{0, 0x8100, 5}};  // a priority alone
  EXPECT_EQ(overlay_of(ethernet(wire::write(no_vlan, wire::kEtherIpv4, ipv4()), 0x8100)), 0u);
  const std::vector<wire::MplsLabel> labels(3);
  EXPECT_GT(overlay_of(ethernet(wire::write(labels, ipv6()), wire::kEtherMpls)), 0u);
  EXPECT_EQ(overlay_of(wire::write(wire::LinuxSll{}, ipv4()), LinkType::linux_sll), 0u);
  EXPECT_EQ(overlay_of(wire::write(wire::LinuxSll2{}, ipv4()), LinkType::linux_sll2), 0u);
  EXPECT_EQ(overlay_of(wire::write(wire::Loopback{}, ipv4()), LinkType::null), 0u);
  EXPECT_EQ(overlay_of(wire::write(wire::Loopback{24, true}, ipv6()), LinkType::openbsd_loop), 0u);
  EXPECT_EQ(overlay_of(ipv6(), LinkType::raw_ip), 0u);
}

TEST(SynthFrames, TunnelsAreDecoded) {
  EXPECT_EQ(overlay_of(outer(wire::kProtocolIpv4, ipv4())), 0u);
  EXPECT_EQ(overlay_of(outer(wire::kProtocolIpv6, ipv6())), 0u);
  wire::Gre gre;
  gre.checksum = true;
  gre.key = 5;
  gre.sequence = 6;
  const auto keyed = overlay_of(outer(wire::kProtocolGre, wire::write(gre, ipv4())));
  EXPECT_GT(keyed, 0u);
  gre.key = 6;
  EXPECT_NE(overlay_of(outer(wire::kProtocolGre, wire::write(gre, ipv4()))), keyed);
  for (int type = 1; type <= 3; ++type) {
    for (const bool platform : {false, true}) {
      wire::Erspan erspan;
      erspan.type = type;
      erspan.platform = platform && type == 3;
      EXPECT_EQ(overlay_of(outer(wire::kProtocolGre, wire::write(erspan, ethernet(ipv4())))), 0u) << type;
    }
  }
  const auto network = overlay_of(udp(4789, wire::write(wire::Vxlan{77}, ethernet(ipv4()))));
  EXPECT_GT(network, 0u);
  EXPECT_NE(overlay_of(udp(4789, wire::write(wire::Vxlan{78}, ethernet(ipv4())))), network);
  wire::Geneve geneve;
  geneve.vni = 77;
  geneve.options = hex("0101 00 01 00000000");
  EXPECT_EQ(overlay_of(udp(6081, wire::write(geneve, ethernet(ipv6(), wire::kEtherIpv6)))), network);
}

TEST(SynthFrames, FragmentsAreJoined) {
  Decoder decoder;
  int packets = 0;
  const auto feed = [&](const std::vector<Buffer>& fragments) {
    for (const auto& fragment : fragments) {
      const auto result = decode_with(decoder, frame_of(fragment, LinkType::raw_ip));
      if (result.packet && result.payload == kPayload && result.checksum.verdict == Checksum::good) ++packets;
    }
  };
  feed(wire::fragments(wire::Ipv4{}, tcp("10.0.0.1", "10.0.0.2"), 200));
  EXPECT_EQ(packets, 1);
  feed(wire::fragments(wire::Ipv6{}, tcp("fd00::1", "fd00::2"), 200, 9));
  EXPECT_EQ(packets, 2);
}

TEST(SynthFrames, ChecksumsAreJudged) {
  const auto verdict = [](wire::Checksum checksum) {
    const auto octets = wire::write(wire::Ipv4{}, tcp("10.0.0.1", "10.0.0.2", checksum));
    Decoder decoder;
    return decode_with(decoder, frame_of(octets, LinkType::raw_ip)).checksum.verdict;
  };
  EXPECT_EQ(verdict(wire::Checksum::right), Checksum::good);
  EXPECT_EQ(verdict(wire::Checksum::wrong), Checksum::bad);
  EXPECT_EQ(verdict(wire::Checksum::pseudo_header_only), Checksum::offloaded);
}

}  // namespace
}  // namespace iwarpscope::net::test
