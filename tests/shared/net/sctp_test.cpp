// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// SCTP packets: over IPv4, IPv6, in fragments and in UDP, whole and cut, and what their CRC32c says.
#include <gtest/gtest.h>

#include <cstdio>
#include <optional>
#include <string>
#include <variant>

#include "net/decoder.h"
#include "net/sctp_header.h"
#include "synth/wire/ip.h"
#include "synth/wire/sctp.h"
#include "synth/wire/tunnel.h"
#include "vectors.h"

namespace iwarpscope::net::test {
namespace {

namespace wire = synth::wire;

// Ports 40000 to 5000, verification tag 0xA1B2C3D4, CRC32c low octet first; then one DATA chunk of 20 octets: U, B and
// E, TSN 7, stream 1, SSN 0, PPID 17, DDP-SSN 0, function code 4.
const std::string kHeader = "9c40 1388 a1b2c3d4";
const std::string kChunk = "00 07 0014 00000007 0001 0000 00000011 0000 0004";
const std::string kCrc = "a0e6ac5f";
const std::string kSctp = kHeader + kCrc + kChunk;
const std::string kOverIpv4 = "45 00 0034 0007 4000 40 84 0000 0a000001 0a000002" + kSctp;
const std::string kOverIpv6 = "60000000 0020 84 3f" + kIpv6Addresses + kSctp;

/// What is asked of a decoded SCTP packet, its octets copied.
struct Seen {
  std::optional<SctpPacket> packet;
  std::optional<NoPacket> reason;
  Buffer chunks;
  bool truncated = false;
  Checksum checksum = Checksum::unknown;
  Statistics statistics;
};

Seen see(Decoder& decoder, Octets octets, LinkType link = LinkType::raw_ip, std::size_t original = 0) {
  Seen seen;
  const auto decoded = decoder.decode(frame_of(octets, link, original));
  if (const auto* packet = std::get_if<SctpPacket>(&decoded)) {
    seen.packet = *packet;
    seen.chunks.assign(packet->chunks.begin(), packet->chunks.end());
    seen.truncated = packet->truncated();
    seen.checksum = checksum(*packet);
  } else if (const auto* reason = std::get_if<NoPacket>(&decoded)) {
    seen.reason = *reason;
  }
  seen.statistics = decoder.statistics();
  return seen;
}
Seen see(const std::string& digits, LinkType link = LinkType::raw_ip) {
  Decoder decoder;
  return see(decoder, hex(digits), link);
}

std::string udp_of(const std::string& ports, const std::string& payload) {
  const std::size_t octets = hex(payload).size();
  char lengths[2][5];
  std::snprintf(lengths[0], sizeof lengths[0], "%04x", static_cast<unsigned>((octets + 28) & 0xFFFF));
  std::snprintf(lengths[1], sizeof lengths[1], "%04x", static_cast<unsigned>((octets + 8) & 0xFFFF));
  return std::string("4500") + lengths[0] + "00010000 4011 0000 0a000001 0a000002" + ports + lengths[1] + "0000" +
         payload;
}

TEST(SctpHeader, FieldsOfAnAnnotatedVector) {
  const Buffer octets = hex(kSctp);
  const auto parsed = SctpHeader::parse(octets);
  ASSERT_TRUE(std::holds_alternative<SctpHeader>(parsed));
  const auto& header = std::get<SctpHeader>(parsed);
  EXPECT_EQ(header.source_port(), 40000);
  EXPECT_EQ(header.destination_port(), 5000);
  EXPECT_EQ(header.verification_tag(), 0xA1B2C3D4u);
  EXPECT_EQ(header.crc(), 0x5FACE6A0u);
}

TEST(SctpHeader, CutAnywhereIsShort) {
  const Buffer octets = hex(kSctp);
  for (std::size_t cut = 0; cut < SctpHeader::kOctets; ++cut) {
    const Buffer prefix(octets.begin(), octets.begin() + static_cast<std::ptrdiff_t>(cut));
    EXPECT_EQ(std::get<Short>(SctpHeader::parse(prefix)), (Short{SctpHeader::kOctets, cut}));
  }
}

TEST(SctpPacket, OverIpv4) {
  const Seen seen = see(kOverIpv4);
  ASSERT_TRUE(seen.packet);
  EXPECT_EQ(seen.packet->source, (Endpoint{IpAddress::v4(0x0A000001), 40000}));
  EXPECT_EQ(seen.packet->destination, (Endpoint{IpAddress::v4(0x0A000002), 5000}));
  EXPECT_EQ(seen.packet->verification_tag, 0xA1B2C3D4u);
  EXPECT_EQ(seen.packet->ip_id, 7);
  EXPECT_EQ(seen.packet->ttl, 64);
  EXPECT_EQ(seen.packet->chunks_length, 20u);
  EXPECT_EQ(seen.chunks, hex(kChunk));
  EXPECT_EQ(seen.checksum, Checksum::good);
  EXPECT_EQ(seen.packet->flow(), (FlowKey{seen.packet->source, seen.packet->destination, 0}));
}

TEST(SctpPacket, OverIpv6) {
  const Seen seen = see(kOverIpv6);
  ASSERT_TRUE(seen.packet);
  EXPECT_EQ(seen.packet->destination.address.text(), "fd00::2");
  EXPECT_EQ(seen.checksum, Checksum::good);
}

// A common header and no chunk is what is left of a packet that was cut there by its sender.
TEST(SctpPacket, WithoutAChunkIsAPacket) {
  const Seen seen = see("45 00 0020 0007 4000 40 84 0000 0a000001 0a000002" + kHeader + kCrc);
  ASSERT_TRUE(seen.packet);
  EXPECT_EQ(seen.packet->chunks_length, 0u);
  EXPECT_EQ(seen.checksum, Checksum::bad);
}

TEST(SctpPacket, ShorterThanItsHeaderIsMalformed) {
  EXPECT_EQ(see("45 00 001f 0007 4000 40 84 0000 0a000001 0a000002" + kHeader + "a1b2c3").reason, NoPacket::malformed);
}

TEST(SctpPacket, CutByTheSnapLengthKeepsWhatWasCaptured) {
  for (const std::string& digits : {kOverIpv4, kOverIpv6}) {
    const Buffer whole = hex(digits);
    const std::size_t header = whole.size() - 20;
    for (std::size_t cut = 0; cut < whole.size(); ++cut) {
      const Buffer prefix(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(cut));
      Decoder decoder;
      const Seen seen = see(decoder, prefix, LinkType::raw_ip, whole.size());
      ASSERT_EQ(seen.packet.has_value(), cut >= header) << cut;
      EXPECT_EQ(seen.statistics.truncated_frames, 1u);
      EXPECT_EQ(seen.statistics.malformed, 0u);
      if (!seen.packet) {
        EXPECT_EQ(seen.reason, NoPacket::truncated) << cut;
        continue;
      }
      EXPECT_TRUE(seen.truncated);
      EXPECT_EQ(seen.packet->chunks_length, 20u);
      EXPECT_EQ(seen.chunks, Buffer(prefix.begin() + static_cast<std::ptrdiff_t>(header), prefix.end()));
      EXPECT_EQ(seen.checksum, Checksum::unknown);
    }
  }
}

TEST(SctpPacket, InIpFragmentsIsJoined) {
  const Buffer whole = hex(kSctp);
  Decoder decoder;
  const auto fragment = [&](std::size_t begin, std::size_t end, const std::string& flags) {
    char total[5];
    std::snprintf(total, sizeof total, "%04x", static_cast<unsigned>((20 + end - begin) & 0xFFFF));
    Buffer out = hex(std::string("4500") + total + "0007" + flags + "40 84 0000 0a000001 0a000002");
    out.insert(out.end(), whole.begin() + static_cast<std::ptrdiff_t>(begin),
               whole.begin() + static_cast<std::ptrdiff_t>(end));
    return out;
  };
  EXPECT_EQ(see(decoder, fragment(16, 32, "0002")).reason, NoPacket::fragment_held);
  const Buffer first = fragment(0, 16, "2000");
  const Seen seen = see(decoder, first);
  ASSERT_TRUE(seen.packet);
  EXPECT_TRUE(seen.packet->fragmented);
  EXPECT_EQ(seen.chunks, hex(kChunk));
  EXPECT_EQ(seen.checksum, Checksum::good);
}

TEST(SctpPacket, InUdpToOrFromPort9899) {
  for (const char* ports : {"26ab 26ab", "c000 26ab", "26ab c000"}) {
    const Seen seen = see(udp_of(ports, kSctp));
    ASSERT_TRUE(seen.packet) << ports;
    EXPECT_EQ(seen.packet->source.port, 40000);
    EXPECT_EQ(seen.packet->destination.port, 5000);
    EXPECT_EQ(seen.checksum, Checksum::good);
  }
  EXPECT_EQ(see(udp_of("c000 26ac", kSctp)).reason, NoPacket::other_protocol);
}

TEST(SctpPacket, AShortDatagramOfPort9899IsAnotherProtocol) {
  const Seen seen = see(udp_of("c000 26ab", "0102030405060708090a0b"));
  EXPECT_EQ(seen.reason, NoPacket::other_protocol);
  EXPECT_EQ(seen.statistics.malformed, 0u);
}

TEST(SctpPacket, AnyChangedOctetMakesTheChecksumBad) {
  const Buffer whole = hex(kOverIpv4);
  for (std::size_t at = 20; at < whole.size(); ++at) {
    Buffer changed = whole;
    changed[at] ^= std::byte{0x10};
    Decoder decoder;
    const Seen seen = see(decoder, changed);
    ASSERT_TRUE(seen.packet);
    EXPECT_EQ(seen.checksum, Checksum::bad) << at;
  }
}

TEST(SctpPacket, AChecksumOfZeroIsOffloaded) {
  EXPECT_EQ(see("45 00 0034 0007 4000 40 84 0000 0a000001 0a000002" + kHeader + "00000000" + kChunk).checksum,
            Checksum::offloaded);
}

TEST(SctpPacket, WhatTheSynthesiserWritesIsRead) {
  wire::Data data;
  data.user_data = Buffer(1301, std::byte{0x5A});
  wire::Sctp header;
  header.verification_tag = 99;
  wire::Ipv4 ip;
  ip.protocol = wire::kProtocolSctp;
  const Buffer octets = wire::write(ip, wire::write(header, wire::write(data)));
  Decoder decoder;
  const Seen seen = see(decoder, octets);
  ASSERT_TRUE(seen.packet);
  EXPECT_EQ(seen.packet->verification_tag, 99u);
  EXPECT_EQ(seen.checksum, Checksum::good);
  EXPECT_EQ(seen.packet->chunks_length, 1320u);
}

}  // namespace
}  // namespace iwarpscope::net::test
