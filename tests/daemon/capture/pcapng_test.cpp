// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include <gtest/gtest.h>

#include "capture/file_reader.h"
#include "capture/pcapng_parser.h"
#include "files.h"

namespace iwarpscope::capture::test {
namespace {

std::string options_of(const Writer& writer) {
  return writer.data;
}

TEST(PcapngFile, EnhancedPacketsInBothOrdersAreRead) {
  for (const auto order : {std::endian::little, std::endian::big}) {
    const auto outcome =
        read(Writer(order).section().interface(1, 96).enhanced(0, 1700000000'123456, "abcde", 60).data);
    EXPECT_EQ(outcome.error, "");
    ASSERT_EQ(outcome.frames.size(), 1u);
    EXPECT_EQ(outcome.frames[0], (Seen{1, 1700000000'123456000, net::LinkType::ethernet, 0, 60, "abcde"}));
    EXPECT_EQ(outcome.info.format, FileFormat::pcapng);
    EXPECT_EQ(outcome.info.interfaces.at(0).snap_length, 96u);
    EXPECT_EQ(outcome.info.interfaces.at(0).link_name, "EN10MB");
  }
}

TEST(PcapngFile, InterfacesMayDifferInLinkTypeAndSnapLength) {
  Writer writer;
  writer.section().interface(1, 96).interface(113, 65535, options_of(Writer().option(2, "any")));
  writer.enhanced(1, 0, "b").enhanced(0, 0, "a").interface(101).enhanced(2, 0, "c");
  const auto outcome = read(writer.data);
  EXPECT_EQ(outcome.error, "");
  ASSERT_EQ(outcome.frames.size(), 3u);
  EXPECT_EQ(outcome.frames[0].link, net::LinkType::linux_sll);
  EXPECT_EQ(outcome.frames[1].link, net::LinkType::ethernet);
  EXPECT_EQ(outcome.frames[2].link, net::LinkType::raw_ip);
  EXPECT_EQ(outcome.frames[2].interface, 2u);
  EXPECT_EQ(outcome.info.interfaces.at(1).name, "any");
  EXPECT_EQ(outcome.info.interfaces.at(1).snap_length, 65535u);
}

TEST(PcapngFile, SectionsHaveTheirOwnInterfacesAndOrder) {
  const auto content = Writer(std::endian::little).section().interface(1).enhanced(0, 1, "a").data +
                       Writer(std::endian::big).section().interface(113).interface(101).enhanced(1, 2, "b").data +
                       Writer(std::endian::little).section().interface(276).enhanced(0, 3, "c").data;
  const auto outcome = read(content);
  EXPECT_EQ(outcome.error, "");
  ASSERT_EQ(outcome.frames.size(), 3u);
  EXPECT_EQ(outcome.frames[1], (Seen{2, 2000, net::LinkType::raw_ip, 2, 1, "b"}));
  EXPECT_EQ(outcome.frames[2], (Seen{3, 3000, net::LinkType::linux_sll2, 3, 1, "c"}));
  EXPECT_EQ(outcome.info.interfaces.size(), 4u);
}

std::int64_t time_with(const std::string& resolution, std::uint64_t ticks, std::int64_t offset = 0) {
  Writer options;
  options.option(9, resolution);
  if (offset != 0) options.option(14, Writer().u64(static_cast<std::uint64_t>(offset)).data);
  options.option(0, "");
  const auto outcome = read(Writer().section().interface(1, 0, options.data).enhanced(0, ticks, "x").data);
  return outcome.frames.size() == 1 ? outcome.frames[0].time_ns : -1;
}

TEST(PcapngFile, TimeResolutionsBecomeNanoseconds) {
  EXPECT_EQ(time_with(std::string(1, '\x09'), 1700000000'123456789), 1700000000'123456789);
  EXPECT_EQ(time_with(std::string(1, '\x06'), 5), 5000);
  EXPECT_EQ(time_with(std::string(1, '\x00'), 1700000000), 1700000000'000000000);
  EXPECT_EQ(time_with(std::string(1, '\x0c'), 1234567), 1234);
  EXPECT_EQ(time_with(std::string(1, '\x9e'), std::uint64_t{3} << 29), 1'500000000);  // 2^-30
  EXPECT_EQ(time_with(std::string(1, '\x80'), 7), 7'000000000);
}

TEST(PcapngFile, TimeOffsetIsAdded) {
  EXPECT_EQ(time_with(std::string(1, '\x09'), 5, 1700000000), 1700000000'000000005);
  EXPECT_EQ(time_with(std::string(1, '\x09'), 5, -1), -999999995);
}

TEST(PcapngFile, ImpossibleTimesAreBounded) {
  EXPECT_EQ(time_with(std::string(1, '\x00'), ~std::uint64_t{0}), std::numeric_limits<std::int64_t>::max() / 2);
  EXPECT_EQ(time_with(std::string(1, '\xff'), 5), 0);
  EXPECT_EQ(time_with(std::string(1, '\x7f'), 5), 0);
}

TEST(PcapngFile, SimplePacketsAreCutAtTheSnapLength) {
  Writer writer;
  writer.section().interface(1, 6).enhanced(0, 42, "x");
  writer.block(3, Writer().u32(4).octets("abcd")).block(3, Writer().u32(1500).octets("abcdef").pad());
  const auto outcome = read(writer.data);
  EXPECT_EQ(outcome.error, "");
  ASSERT_EQ(outcome.frames.size(), 3u);
  EXPECT_EQ(outcome.frames[1].octets, "abcd");
  EXPECT_EQ(outcome.frames[1].time_ns, 42000);
  EXPECT_EQ(outcome.frames[2].octets, "abcdef");
  EXPECT_EQ(outcome.frames[2].original_length, 1500u);
}

TEST(PcapngFile, OldPacketBlocksAreReadWithTheirDrops) {
  Writer writer;
  writer.section().interface(1);
  writer.block(2, Writer().u16(0).u16(3).u32(0).u32(7).u32(2).u32(60).octets("ab").pad());
  writer.block(2, Writer().u16(0).u16(0xFFFF).u32(0).u32(8).u32(2).u32(2).octets("cd").pad());
  const auto outcome = read(writer.data);
  ASSERT_EQ(outcome.frames.size(), 2u);
  EXPECT_EQ(outcome.frames[0], (Seen{1, 7000, net::LinkType::ethernet, 0, 60, "ab"}));
  EXPECT_EQ(outcome.info.interfaces.at(0).dropped_before_packets, 3u);
}

TEST(PcapngFile, DropCountsOfEnhancedPacketsAreAdded) {
  const auto with_drops = [](std::uint64_t count) { return Writer().option(4, Writer().u64(count).data).u32(0).data; };
  const auto outcome = read(
      Writer().section().interface(1).enhanced(0, 0, "a", 0, with_drops(5)).enhanced(0, 0, "b", 0, with_drops(6)).data);
  EXPECT_EQ(outcome.frames.size(), 2u);
  EXPECT_EQ(outcome.info.interfaces.at(0).dropped_before_packets, 11u);
}

TEST(PcapngFile, InterfaceStatisticsAreKept) {
  const auto statistics = [](std::uint32_t number, std::uint64_t received, std::uint64_t dropped, std::uint64_t by_os) {
    return Writer()
        .u32(number)
        .u32(0)
        .u32(0)
        .option(4, Writer().u64(received).data)
        .option(5, Writer().u64(dropped).data)
        .option(7, Writer().u64(by_os).data)
        .u32(0);
  };
  Writer writer;
  writer.section().interface(1).interface(1).enhanced(0, 0, "a");
  writer.block(5, statistics(1, 10, 1, 0)).block(5, statistics(1, 100, 7, 2));
  const auto outcome = read(writer.data);
  EXPECT_EQ(outcome.error, "");
  EXPECT_FALSE(outcome.info.interfaces.at(0).received);
  EXPECT_EQ(outcome.info.interfaces.at(1).received, 100u);
  EXPECT_EQ(outcome.info.interfaces.at(1).dropped_by_interface, 7u);
  EXPECT_EQ(outcome.info.interfaces.at(1).dropped_by_os, 2u);
}

TEST(PcapngFile, UnknownBlocksAreSkipped) {
  Writer writer;
  writer.section().block(4, Writer().octets("names...")).interface(1);
  writer.block(0xBAD, Writer().octets(std::string(3u << 20, 'z'))).enhanced(0, 0, "a");
  const auto outcome = read(writer.data);
  EXPECT_EQ(outcome.error, "");
  EXPECT_EQ(outcome.frames.size(), 1u);
}

TEST(PcapngParser, SaysHowMuchItNeeds) {
  const auto data = Writer().section().interface(1).enhanced(0, 0, "abcd").data;
  const auto octets = std::as_bytes(std::span{data});
  PcapngParser parser;
  CaptureInfo info;
  std::vector<net::Frame> frames;
  EXPECT_EQ(parser.parse(octets.first(11), frames, 9, info).need, 12u);
  EXPECT_EQ(parser.parse(octets.first(27), frames, 9, info).need, 28u);
  const auto progress = parser.parse(octets.first(data.size() - 1), frames, 9, info);
  EXPECT_EQ(progress.consumed, 48u);
  EXPECT_EQ(progress.need, 36u);
  EXPECT_TRUE(frames.empty());
  EXPECT_EQ(parser.parse(octets.subspan(48), frames, 9, info).consumed, 36u);
  EXPECT_EQ(frames.size(), 1u);
}

}  // namespace
}  // namespace iwarpscope::capture::test
