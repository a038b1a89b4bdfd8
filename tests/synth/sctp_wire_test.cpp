// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Compares the writers of SCTP and of DDP over SCTP with hand-annotated octets.
#include <gtest/gtest.h>

#include "synth/wire/checksum.h"
#include "synth/wire/ddp.h"
#include "synth/wire/sctp.h"

namespace iwarpscope::synth::wire {
namespace {

Buffer joined(std::initializer_list<Buffer> parts) {
  Writer w;
  for (const Buffer& part : parts) w.octets(part);
  return w.take();
}

TEST(SctpHeader, CrcCoversHeaderAndChunksAndHasTheLowOctetFirst) {
  // ports 40000 -> 5000, tag, CRC32c 0x27365c21 of the packet with zeros in its place, COOKIE ACK of 4 octets
  const Buffer cookie_ack = write(Chunk{ChunkType::cookie_ack});
  EXPECT_EQ(cookie_ack, hex("0b 00 0004"));
  EXPECT_EQ(write(Sctp{40000, 5000, 0x11223344}, cookie_ack), hex("9c40 1388 11223344 215c3627 0b000004"));
}

TEST(SctpHeader, ChecksumsThatAreNotRightAreAsAsked) {
  const Buffer chunk = write(Chunk{ChunkType::cookie_ack});
  const Buffer right = write(Sctp{40000, 5000, 1}, chunk);
  const Buffer wrong = write(Sctp{40000, 5000, 1, Checksum::wrong}, chunk);
  EXPECT_EQ(Buffer(wrong.begin() + 12, wrong.end()), chunk);
  EXPECT_NE(Buffer(wrong.begin() + 8, wrong.begin() + 12), Buffer(right.begin() + 8, right.begin() + 12));
  EXPECT_EQ(write(Sctp{40000, 5000, 1, Checksum::zero}, chunk), hex("9c40 1388 00000001 00000000 0b000004"));
}

TEST(SctpChunk, PadIsNotInTheLength) {
  EXPECT_EQ(write(Chunk{ChunkType::cookie_echo, 0, text("abcde")}), hex("0a 00 0009 6162636465 000000"));
  EXPECT_EQ(write(Chunk{ChunkType::cookie_echo, 0, text("abcd")}), hex("0a 00 0008 61626364"));
  EXPECT_EQ(write(Chunk{ChunkType::cookie_echo, 0, text("abcd"), std::uint16_t{99}}), hex("0a 00 0063 61626364"));
}

TEST(SctpData, EachFlagHasItsBit) {
  const Buffer rest = hex("0010 00000001 0000 0000 00000000");
  const auto with_flags = [&](const char* flags) { return joined({hex("00"), hex(flags), rest}); };
  EXPECT_EQ(write(Data{.tsn = 1}), with_flags("07"));
  EXPECT_EQ(write(Data{.tsn = 1, .unordered = false}), with_flags("03"));
  EXPECT_EQ(write(Data{.tsn = 1, .begin = false}), with_flags("05"));
  EXPECT_EQ(write(Data{.tsn = 1, .end = false}), with_flags("06"));
  EXPECT_EQ(write(Data{.tsn = 1, .immediate = true}), with_flags("0f"));
}

TEST(SctpData, ADdpSegmentFollowsItsDdpSsn) {
  // 16 octets of header, DDP-SSN 3, tagged segment of 14 octets, L=1: RDMA Write without payload
  const Buffer segment = write(DdpTagged{.stag = STag{0x1234}, .to = TaggedOffset{0x5678}});
  EXPECT_EQ(
      write(Data{
          .tsn = 9, .stream = 2, .ssn = 0xABCD, .ppid = kDdpSegmentPpid, .user_data = write_ddp_segment(3, segment)}),
      hex("00 07 0020 00000009 0002 abcd 00000010  0003  c1 40 00001234 0000000000005678"));
}

TEST(SctpInit, ParametersFollowTheFixedPartInOrder) {
  EXPECT_EQ(write(Init{.initiate_tag = 0x11223344,
                       .window = 0x10000,
                       .outbound_streams = 4,
                       .inbound_streams = 5,
                       .initial_tsn = 0xFFFFFFF0,
                       .addresses = {"10.0.0.1", "fd00::1"},
                       .adaptation = kDdpAdaptation}),
            hex("01 00 0038 11223344 00010000 0004 0005 fffffff0"
                "0005 0008 0a000001"
                "0006 0014 fd000000000000000000000000000001"
                "c006 0008 00000001"));
}

TEST(SctpInit, OnlyThePadOfTheLastParameterIsOutsideTheLength) {
  const Buffer fixed = hex("00000001 00100000 0001 0001 00000001");
  EXPECT_EQ(write(Init{.ack = true, .cookie = text("abcde"), .adaptation = 1}),
            joined({hex("02 00 0028"), fixed, hex("0007 0009 6162636465 000000 c006 0008 00000001")}));
  EXPECT_EQ(write(Init{.ack = true, .cookie = text("abcde")}),
            joined({hex("02 00 001d"), fixed, hex("0007 0009 6162636465 000000")}));
  EXPECT_EQ(write(Init{.parameters = hex("8000 0004")}), joined({hex("01 00 0018"), fixed, hex("8000 0004")}));
}

TEST(SctpSack, GapsAndDuplicatesAreCounted) {
  EXPECT_EQ(write(Sack{.cumulative_tsn = 7, .window = 0x1000}), hex("03 00 0010 00000007 00001000 0000 0000"));
  EXPECT_EQ(write(Sack{.cumulative_tsn = 7, .window = 0x1000, .gaps = {{2, 3}, {5, 5}}, .duplicates = {6}}),
            hex("03 00 001c 00000007 00001000 0002 0001 0002 0003 0005 0005 00000006"));
}

TEST(SctpControl, SmallChunksMatchTheirShapes) {
  EXPECT_EQ(write(Heartbeat{.info = text("abc")}), hex("04 00 000b 0001 0007 616263 00"));
  EXPECT_EQ(write(Heartbeat{.ack = true, .info = text("abcd")}), hex("05 00 000c 0001 0008 61626364"));
  EXPECT_EQ(write(Abort{}), hex("06 00 0004"));
  EXPECT_EQ(write(Abort{.reflected = true, .cause = std::uint16_t{12}, .cause_info = text("x")}),
            hex("06 01 0009 000c 0005 78 000000"));
  EXPECT_EQ(write(Shutdown{0x01020304}), hex("07 00 0008 01020304"));
  EXPECT_EQ(write(Chunk{ChunkType::shutdown_ack}), hex("08 00 0004"));
  EXPECT_EQ(write(Chunk{ChunkType::shutdown_complete, 1}), hex("0e 01 0004"));
}

TEST(SessionControl, FunctionCodeEnhancedDataAndPrivateDataFollowTheDdpSsn) {
  EXPECT_EQ(write(SessionControl{SessionFunction::initiate, {}, text("hi")}, 0), hex("0000 0001 6869"));
  EXPECT_EQ(write(SessionControl{SessionFunction::terminate}, 0x1234), hex("1234 0004"));
  // A, IRD 8; C, ORD 4
  EXPECT_EQ(write(SessionControl{SessionFunction::enhanced_accept,
                                 EnhancedData{.peer_to_peer = true, .rtr_write = true, .ird = 8, .ord = 4}, text("x")},
                  0),
            hex("0000 0006 8008 8004 78"));
}

}  // namespace
}  // namespace iwarpscope::synth::wire
