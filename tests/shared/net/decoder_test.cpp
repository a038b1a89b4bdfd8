// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "net/decoder.h"

#include <gtest/gtest.h>

#include "vectors.h"

namespace iwarpscope::net::test {
namespace {

/// An IPv4 datagram with a TCP segment of the given header words after the ports, window 0x0100.
std::string with_tcp(const std::string& total_length, const std::string& tcp) {
  return "45 00" + total_length + "0007 4000 40 06 0000 0a000001 0a000002" + tcp;
}

TEST(TcpPacket, HeaderFieldsAreRead) {
  const auto result = decode(with_tcp("0028", "c001 14eb 11223344 55667788 5015 1234 0000 0000"), LinkType::raw_ip);
  ASSERT_TRUE(result.packet);
  const TcpPacket& packet = *result.packet;
  EXPECT_EQ(packet.source, (Endpoint{IpAddress::v4(0x0A000001), 0xC001}));
  EXPECT_EQ(packet.destination, (Endpoint{IpAddress::v4(0x0A000002), 5355}));
  EXPECT_EQ(packet.sequence, 0x11223344u);
  EXPECT_EQ(packet.acknowledgment, 0x55667788u);
  EXPECT_EQ(packet.flags, tcp_flag::ack | tcp_flag::rst | tcp_flag::fin);
  EXPECT_TRUE(packet.has(tcp_flag::rst));
  EXPECT_FALSE(packet.has(tcp_flag::syn));
  EXPECT_EQ(packet.window, 0x1234);
  EXPECT_EQ(packet.payload_length, 0u);
  EXPECT_FALSE(packet.mss);
  EXPECT_FALSE(packet.window_scale);
  EXPECT_FALSE(packet.timestamp);
}

TEST(TcpPacket, FrameNumberAndTimeAreTheFrames) {
  const Buffer octets = hex(kIpv4);
  Frame frame = frame_of(octets, LinkType::raw_ip, 0, 123456789);
  frame.number = FrameNumber{77};
  Decoder decoder;
  const auto result = decode_with(decoder, frame);
  EXPECT_EQ(result.packet->frame, FrameNumber{77});
  EXPECT_EQ(result.packet->time, TimePoint{123456789});
}

TEST(TcpPacket, OptionsOfASynAreRead) {
  // MSS 1460, SACK permitted, timestamps, no-operation, window scale 7.
  const auto result = decode(with_tcp("003c",
                                      "c001 14eb 11223344 00000000 a002 ffff 0000 0000"
                                      "020405b4 0402 080a 01020304 00000000 01 030307"),
                             LinkType::raw_ip);
  ASSERT_TRUE(result.packet);
  EXPECT_EQ(result.packet->mss, 1460);
  EXPECT_EQ(result.packet->window_scale, 7);
  EXPECT_EQ(result.packet->timestamp, 0x01020304u);
}

TEST(TcpPacket, OptionWithLengthThatLiesEndsTheOptions) {
  for (const char* options : {"0204 05b4 0300 0307", "0204 05b4 03ff 0307", "0204 05b4 0301 0307"}) {
    const auto result = decode(
        with_tcp("0030", std::string("c001 14eb 11223344 00000000 7002 ffff 0000 0000") + options), LinkType::raw_ip);
    ASSERT_TRUE(result.packet) << options;
    EXPECT_EQ(result.packet->mss, 1460) << options;
    EXPECT_FALSE(result.packet->window_scale) << options;
  }
}

TEST(TcpPacket, OptionsAfterTheEndAreNotRead) {
  const auto result =
      decode(with_tcp("002c", "c001 14eb 11223344 00000000 6002 ffff 0000 0000 00 030307"), LinkType::raw_ip);
  ASSERT_TRUE(result.packet);
  EXPECT_FALSE(result.packet->window_scale);
}

TEST(TcpPacket, CutInsideTheOptionsKeepsWhatIsKnown) {
  const Buffer octets = hex(with_tcp("0030",
                                     "c001 14eb 11223344 00000000 6012 ffff 0000 0000"
                                     "020405b4 7778797a"));
  Decoder decoder;
  const auto result = decode_with(decoder, frame_of(Octets(octets).first(42), LinkType::raw_ip, octets.size()));
  ASSERT_TRUE(result.packet);
  EXPECT_EQ(result.packet->payload_length, 4u);
  EXPECT_TRUE(result.payload.empty());
  EXPECT_TRUE(result.truncated);
  EXPECT_FALSE(result.packet->mss);
}

TEST(TcpPacket, HeaderLengthThatContradictsIsMalformed) {
  EXPECT_EQ(decode(with_tcp("0028", "c001 14eb 11223344 00000000 4002 ffff 0000 0000"), LinkType::raw_ip).reason,
            NoPacket::malformed);
  EXPECT_EQ(decode(with_tcp("0028", "c001 14eb 11223344 00000000 6002 ffff 0000 0000"), LinkType::raw_ip).reason,
            NoPacket::malformed);
  EXPECT_EQ(decode(with_tcp("0026", "c001 14eb 11223344 00000000 5002 ffff 0000 0000"), LinkType::raw_ip).reason,
            NoPacket::malformed);
}

TEST(Decoder, CountsFramesAndOctets) {
  const Buffer octets = hex(kIpv4);
  Decoder decoder;
  (void)decode_with(decoder, frame_of(octets, LinkType::raw_ip));
  const auto result = decode_with(decoder, frame_of(Octets(octets).first(30), LinkType::raw_ip, octets.size()));
  EXPECT_EQ(result.statistics.frames, 2u);
  EXPECT_EQ(result.statistics.octets, 74u);
  EXPECT_EQ(result.statistics.truncated_frames, 1u);
  EXPECT_EQ(result.statistics.truncated_headers, 1u);
  EXPECT_EQ(result.statistics.malformed, 0u);
}

TEST(Decoder, OriginalLengthBelowTheCapturedIsTheCaptured) {
  const Buffer octets = hex(kIpv4);
  Decoder decoder;
  const auto result = decode_with(decoder, frame_of(octets, LinkType::raw_ip, 1));
  ASSERT_TRUE(result.packet);
  EXPECT_EQ(result.payload, "wxyz");
  EXPECT_EQ(result.statistics.truncated_frames, 0u);
}

}  // namespace
}  // namespace iwarpscope::net::test
