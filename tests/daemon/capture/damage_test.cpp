// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "capture/pcapng_parser.h"
#include "files.h"

namespace iwarpscope::capture::test {
namespace {

// A header of 24 octets, records of 20.
TEST(CutPcapFile, AtEveryOctetGivesTheFramesBefore) {
  Writer writer;
  writer.pcap_header();
  for (std::uint32_t i = 0; i < 3; ++i) writer.pcap_record(i, 0, "abcd");
  for (std::size_t size = 24; size <= writer.data.size(); ++size) {
    const auto outcome = read(writer.data.substr(0, size));
    EXPECT_EQ(outcome.error, "") << size;
    EXPECT_EQ(outcome.frames.size(), (size - 24) / 20) << size;
    EXPECT_EQ(outcome.info.truncated, (size - 24) % 20 != 0) << size;
    if (outcome.info.truncated) {
      EXPECT_EQ(outcome.info.truncated_at, 24 + (size - 24) / 20 * 20) << size;
    }
  }
}

// Section header 28 octets, interface 20, packets 36.
TEST(CutPcapngFile, AtEveryOctetGivesTheFramesBefore) {
  Writer writer(std::endian::big);
  writer.section().interface(1);
  for (std::uint32_t i = 0; i < 3; ++i) writer.enhanced(0, i, "abcd");
  for (std::size_t size = 48; size <= writer.data.size(); ++size) {
    const auto outcome = read(writer.data.substr(0, size));
    EXPECT_EQ(outcome.error, "") << size;
    EXPECT_EQ(outcome.frames.size(), (size - 48) / 36) << size;
    EXPECT_EQ(outcome.info.truncated, (size - 48) % 36 != 0) << size;
    if (outcome.info.truncated) {
      EXPECT_EQ(outcome.info.truncated_at, 48 + (size - 48) / 36 * 36) << size;
    }
  }
}

TEST(DamagedPcapFile, LengthThatLiesIsAnErrorAfterTheFramesBefore) {
  Writer writer;
  writer.pcap_header().pcap_record(1, 0, "abcd").u32(1).u32(2).u32(kMaxFrame + 1).u32(60).octets("abcd");
  const auto outcome = read(writer.data);
  EXPECT_EQ(outcome.frames.size(), 1u);
  EXPECT_EQ(outcome.error, "FILE: octet 44: frame 2 claims 16777217 captured octets");
}

struct Lie {
  std::string block;
  std::string cause;
};

TEST(DamagedPcapngFile, LengthsThatLieAreErrorsAfterTheFramesBefore) {
  const auto head = Writer().section().interface(1).enhanced(0, 0, "abcd");  // 84 octets
  const std::vector<Lie> lies{
      {Writer().u32(6).u32(0).u32(0).data, "a block of type 0x6 claims a length of 0 octets"},
      {Writer().u32(6).u32(13).u32(0).u32(0).data, "a block of type 0x6 claims a length of 13 octets"},
      {Writer().u32(77).u32(0xFFFFFFFC).u32(0).data, "a block of type 0x4d claims a length of 4294967292 octets"},
      {Writer().u32(77).u32(16).u32(0).u32(20).data, "a block of type 0x4d has the lengths 16 and 20"},
      {Writer().block(6, Writer().u32(0).u32(0).u32(0).u32(5).u32(5).octets("abcd")).data,
       "frame 2 claims 5 captured octets, its block has room for 4"},
      {Writer().block(6, Writer().u32(0).u32(0).u32(0).u32(0xFFFFFFFF).u32(5).octets("abcd")).data,
       "frame 2 claims 4294967295 captured octets, its block has room for 4"},
      {Writer().enhanced(1, 0, "abcd").data, "frame 2 belongs to interface 1, which is not described"},
      {Writer().block(6, Writer().u32(0)).data, "the enhanced packet block is too short"},
      {Writer().block(2, Writer().u32(0)).data, "the packet block is too short"},
      {Writer().block(3, Writer()).data, "the simple packet block is too short"},
      {Writer().block(3, Writer().u32(8).octets("abcd")).data,
       "frame 2 claims 8 captured octets, its block has room for 4"},
      {Writer().block(5, Writer().u32(0)).data, "the interface statistics block is too short"},
      {Writer().block(5, Writer().u32(9).u32(0).u32(0)).data, "statistics of interface 9, which is not described"},
      {Writer().block(1, Writer().u32(0)).data, "the interface description block is too short"},
      {Writer().u32(0x0A0D0D0A).u32(28).u32(0x11111111).data, "the byte-order magic is damaged"},
      {Writer().block(0x0A0D0D0A, Writer().u32(0x1A2B3C4D).u16(1).u16(0)).data,
       "the section header block is too short"},
      {Writer().block(0x0A0D0D0A, Writer().u32(0x1A2B3C4D).u16(2).u16(0).u64(0)).data,
       "pcapng version 2.0 is not supported"},
  };
  for (const Lie& lie : lies) {
    const auto outcome = read(head.data + lie.block);
    EXPECT_EQ(outcome.frames.size(), 1u) << lie.cause;
    EXPECT_EQ(outcome.error, "FILE: octet 84: " + lie.cause);
  }
}

TEST(DamagedPcapngFile, PacketInASectionWithoutInterfaceIsAnError) {
  const auto outcome = read(Writer().section().interface(1).section().enhanced(0, 0, "abcd").data);
  EXPECT_EQ(outcome.error, "FILE: octet 76: frame 1 belongs to interface 0, which is not described");
}

TEST(DamagedPcapngFile, OptionLengthThatLiesEndsTheOptions) {
  const auto options = Writer().option(2, "eth0").u16(9).u16(0xFFFF).octets("\x09").pad().data;
  const auto outcome = read(Writer().section().interface(1, 0, options).enhanced(0, 5, "x").data);
  EXPECT_EQ(outcome.error, "");
  EXPECT_EQ(outcome.info.interfaces.at(0).name, "eth0");
  EXPECT_EQ(outcome.frames.at(0).time_ns, 5000);
}

/// Frames lie within the octets they were parsed from, and a parser always says how it goes on.
void parse_all(Parser& parser, Octets octets) {
  CaptureInfo info;
  std::vector<net::Frame> frames;
  for (std::size_t at = 0;;) {
    frames.clear();
    const auto progress = parser.parse(octets.subspan(at), frames, 7, info);
    ASSERT_LE(progress.consumed, octets.size() - at);
    ASSERT_LE(progress.need, Parser::kMaxRecord);
    for (const auto& frame : frames) {
      ASSERT_TRUE(frame.octets.empty() || (frame.octets.data() >= octets.data() &&
                                           frame.octets.data() + frame.octets.size() <= octets.data() + octets.size()));
    }
    at += progress.consumed;
    if (!progress.cause.empty() || progress.need > octets.size() - at) return;
  }
}

TEST(DamagedFiles, RandomDamageIsNeverReadBeyondTheEnd) {
  std::mt19937 random(9);
  Writer little;
  little.section().interface(1, 0, Writer().option(2, "eth0").option(9, "\x09").u32(0).data);
  Writer big(std::endian::big);
  big.section().interface(113);
  Writer classic;
  classic.pcap_header();
  for (int i = 0; i < 6; ++i) {
    little.enhanced(0, 5, "abcdef", 0, Writer().option(4, "12345678").u32(0).data)
        .block(3, Writer().u32(4).octets("abcd"));
    big.enhanced(0, 5, "abcdef");
    classic.pcap_record(1, 2, "abcdef");
  }
  const std::vector<std::string> files{little.data, big.data, classic.data, little.data + big.data};
  for (int i = 0; i < 60'000; ++i) {
    std::string content = files[random() % files.size()];
    for (auto damage = 1 + random() % 4; damage > 0; --damage) {
      content[4 + random() % (content.size() - 4)] = static_cast<char>(random() % 3 == 0 ? random() : random() % 40);
    }
    content.resize(4 + random() % (content.size() - 3));
    const std::vector<char> exact(content.begin(), content.end());
    const auto octets = std::as_bytes(std::span{exact});
    const auto parser = make_parser(octets);
    ASSERT_TRUE(parser);
    parse_all(*parser, octets);
    if (HasFatalFailure()) FAIL() << "round " << i;
  }
}

}  // namespace
}  // namespace iwarpscope::capture::test
