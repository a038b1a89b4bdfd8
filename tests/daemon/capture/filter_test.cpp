// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "capture/filter.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "files.h"

namespace iwarpscope::capture::test {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

/// An IPv4 datagram with the start of a TCP header to `port`.
std::string datagram(unsigned port) {
  Writer writer(std::endian::big);
  writer.u16(0x4500).u16(40).u32(0).u16(0x4006).u16(0).u32(0x0A000001).u32(0x0A000002);
  writer.u16(1000).u16(port).u32(1).u32(2).u16(0x5010).u16(256).u32(0);
  return writer.data;
}
std::string ethernet(unsigned port) {
  return std::string(12, '\x02') + Writer(std::endian::big).u16(0x0800).data + datagram(port);
}
std::string cooked(unsigned port) {
  return std::string(14, '\0') + Writer(std::endian::big).u16(0x0800).data + datagram(port);
}

ReaderOptions with(std::string filter) {
  ReaderOptions options;
  options.filter = std::move(filter);
  options.batch_frames = 2;
  return options;
}

std::vector<std::uint64_t> numbers(const Outcome& outcome) {
  std::vector<std::uint64_t> out;
  for (const auto& frame : outcome.frames) out.push_back(frame.number);
  return out;
}

TEST(Filter, FramesKeepTheirNumbers) {
  Writer writer;
  writer.pcap_header();
  for (const unsigned port : {1u, 2u, 1u, 1u, 1u, 2u, 1u}) writer.pcap_record(0, 0, ethernet(port));
  const auto outcome = read(writer.data, with("tcp dst port 2"));
  EXPECT_EQ(outcome.error, "");
  EXPECT_EQ(numbers(outcome), (std::vector<std::uint64_t>{2, 6}));
  EXPECT_EQ(outcome.info.frames, 7u);
}

TEST(Filter, IsCompiledForEachLinkType) {
  Writer writer;
  writer.section().interface(1).interface(113).interface(101).interface(276);
  writer.enhanced(0, 0, ethernet(1)).enhanced(0, 0, ethernet(2)).enhanced(1, 0, cooked(1)).enhanced(1, 0, cooked(2));
  writer.enhanced(2, 0, datagram(1)).enhanced(2, 0, datagram(2));
  const auto outcome = read(writer.data, with("tcp dst port 2"));
  EXPECT_EQ(outcome.error, "");
  EXPECT_EQ(numbers(outcome), (std::vector<std::uint64_t>{2, 4, 6}));
}

TEST(Filter, NothingMatchingIsNoError) {
  const auto outcome = read(Writer().pcap_header().pcap_record(0, 0, ethernet(1)).data, with("udp"));
  EXPECT_EQ(outcome.error, "");
  EXPECT_TRUE(outcome.frames.empty());
  EXPECT_EQ(outcome.info.frames, 1u);
}

TEST(Filter, ThatDoesNotCompileIsAnErrorOfOpen) {
  const File file(Writer().pcap_header().pcap_record(0, 0, ethernet(1)).data);
  const auto reader = FileReader::open(file.path, with("tcp dst pord 2"));
  ASSERT_FALSE(reader);
  EXPECT_THAT(reader.error().text(), HasSubstr("filter 'tcp dst pord 2' on link type EN10MB: "));
}

TEST(Filter, ThatDoesNotCompileIsAnErrorWithoutFramesToo) {
  EXPECT_THAT(read(Writer().pcap_header().data, with("tcp and and")).error, HasSubstr("filter 'tcp and and'"));
}

TEST(Filter, PreparedOnceItsCopiesCompileNothingMore) {
  Filter filter("host localhost or tcp dst port 2");
  filter.prepare();
  Filter copy = filter;
  for (const net::LinkType link : {net::LinkType::ethernet, net::LinkType::raw_ip, net::LinkType::linux_sll2}) {
    EXPECT_EQ(copy.compile(link).value(), filter.compile(link).value());
  }
  ReaderOptions options = with("what is prepared counts");
  options.prepared = filter;
  const auto outcome =
      read(Writer().pcap_header().pcap_record(0, 0, ethernet(2)).pcap_record(0, 0, ethernet(3)).data, options);
  EXPECT_EQ(outcome.error, "");
  EXPECT_EQ(numbers(outcome), (std::vector<std::uint64_t>{1}));
}

TEST(Filter, OneThatDoesNotCompileIsPreparedInVainAndSaysSoLater) {
  Filter filter("tcp dst pord 2");
  filter.prepare();
  EXPECT_FALSE(filter.compile(net::LinkType::ethernet));
}

TEST(Filter, ForALaterLinkTypeFailsAfterTheFramesBefore) {
  Writer writer;
  writer.section().interface(1).interface(101).enhanced(0, 0, ethernet(2)).enhanced(1, 0, datagram(2));
  auto options = with("ether src 02:02:02:02:02:02");
  options.batch_frames = 1;
  const auto outcome = read(writer.data, options);
  EXPECT_EQ(numbers(outcome), (std::vector<std::uint64_t>{1}));
  EXPECT_THAT(outcome.error, HasSubstr("on link type RAW"));
}

}  // namespace
}  // namespace iwarpscope::capture::test
