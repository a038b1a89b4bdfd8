// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "capture/file_reader.h"

#include <pcap/pcap.h>

#include <random>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "files.h"

namespace iwarpscope::capture::test {
namespace {

using ::testing::HasSubstr;

TEST(PcapFile, MicrosecondsInBothOrdersAreNanoseconds) {
  for (const auto order : {std::endian::little, std::endian::big}) {
    const auto outcome = read(
        Writer(order).pcap_header().pcap_record(1700000000, 999999, "abc", 1500).pcap_record(4294967295, 0, "").data);
    EXPECT_EQ(outcome.error, "");
    ASSERT_EQ(outcome.frames.size(), 2u);
    EXPECT_EQ(outcome.frames[0], (Seen{1, 1700000000'999999000, net::LinkType::ethernet, 0, 1500, "abc"}));
    EXPECT_EQ(outcome.frames[1].number, 2u);
    EXPECT_EQ(outcome.frames[1].time_ns, 4294967295'000000000);
    EXPECT_EQ(outcome.info.format, FileFormat::pcap);
    EXPECT_FALSE(outcome.info.truncated);
    EXPECT_EQ(outcome.info.frames, 2u);
    EXPECT_EQ(outcome.info.octets, 3u);
  }
}

TEST(PcapFile, NanosecondsAreExact) {
  for (const auto order : {std::endian::little, std::endian::big}) {
    const auto outcome = read(Writer(order).pcap_header(0xA1B23C4D).pcap_record(1, 123456789, "x").data);
    ASSERT_EQ(outcome.frames.size(), 1u);
    EXPECT_EQ(outcome.frames[0].time_ns, 1'123456789);
  }
}

TEST(PcapFile, ModifiedRecordsHaveEightOctetsMore) {
  Writer writer;
  writer.pcap_header(0xA1B2CD34);
  writer.u32(1).u32(2).u32(3).u32(60).u32(7).u16(0x800).integer(0, 2).octets("abc");
  const auto outcome = read(writer.data);
  ASSERT_EQ(outcome.frames.size(), 1u);
  EXPECT_EQ(outcome.frames[0].octets, "abc");
  EXPECT_EQ(outcome.frames[0].original_length, 60u);
}

TEST(PcapFile, LengthsInTheOldOrderAreUnderstood) {
  Writer writer;
  writer.u32(0xA1B2C3D4).u16(2).u16(2).u32(0).u32(0).u32(96).u32(1);
  writer.u32(1).u32(2).u32(1500).u32(3).octets("abc");
  const auto outcome = read(writer.data);
  ASSERT_EQ(outcome.frames.size(), 1u);
  EXPECT_EQ(outcome.frames[0].octets, "abc");
  EXPECT_EQ(outcome.frames[0].original_length, 1500u);
}

TEST(PcapFile, InterfaceIsNamedAsLibpcapDoes) {
  const auto name = [](std::uint32_t link) {
    const auto outcome = read(Writer().pcap_header(0xA1B2C3D4, link, 96).data);
    EXPECT_EQ(outcome.info.interfaces.size(), 1u);
    EXPECT_EQ(outcome.info.interfaces.at(0).snap_length, 96u);
    return outcome.info.interfaces.at(0).link_name;
  };
  EXPECT_EQ(name(1), "EN10MB");
  EXPECT_EQ(name(101), "RAW");
  EXPECT_EQ(name(12), "RAW");
  EXPECT_EQ(name(113), "LINUX_SLL");
  EXPECT_EQ(name(276), "LINUX_SLL2");
  EXPECT_EQ(name(0), "NULL");
  EXPECT_EQ(name(0xF0000001), "EN10MB");  // frame check sequence bits
  EXPECT_EQ(name(60000), "LINKTYPE_60000");
}

TEST(PcapFile, FramesLargerThanTheWindowAreRead) {
  Writer writer;
  writer.pcap_header();
  std::vector<std::string> frames;
  for (const std::size_t size : {std::size_t{300'000}, std::size_t{3} << 20, std::size_t{1}, kMaxFrame}) {
    frames.emplace_back(size, static_cast<char>('a' + frames.size()));
    writer.pcap_record(0, 0, frames.back());
  }
  const auto outcome = read(writer.data);
  EXPECT_EQ(outcome.error, "");
  ASSERT_EQ(outcome.frames.size(), frames.size());
  for (std::size_t i = 0; i < frames.size(); ++i) EXPECT_TRUE(outcome.frames[i].octets == frames[i]) << i;
}

TEST(FileReaderStorage, HeldKeepsFramesWhereTheyAre) {
  constexpr std::size_t kFrames = 4000;
  constexpr std::size_t kOctets = 1500;
  Writer writer;
  writer.pcap_header();
  const auto expected = [](std::size_t i) { return std::string(kOctets, static_cast<char>(i % 251)); };
  for (std::size_t i = 0; i < kFrames; ++i) writer.pcap_record(0, 0, expected(i));
  const File file(writer.data);
  auto reader = FileReader::open(file.path, {.filter = {}, .batch_frames = 100});
  ASSERT_TRUE(reader);
  // Batches are held for a while, as many at a time as half of them take, then let go: buffers come back into use.
  std::vector<std::shared_ptr<const std::vector<std::byte>>> held;
  std::vector<net::Frame> frames;
  std::size_t first = 0;  // of those that are held
  for (;;) {
    const auto batch = reader->next_batch();
    ASSERT_TRUE(batch);
    if (batch->empty()) break;
    if (held.size() == 20) {
      held.clear();
      first = frames.size();
    }
    held.push_back(reader->storage());
    frames.insert(frames.end(), batch->begin(), batch->end());
    for (std::size_t i = first; i < frames.size(); ++i) ASSERT_TRUE(seen(frames[i]).octets == expected(i)) << i;
  }
  EXPECT_EQ(frames.size(), kFrames);
}

/// What libpcap reads from the same file.
std::vector<Seen> read_with_libpcap(const std::string& path) {
  std::vector<Seen> frames;
  char error[PCAP_ERRBUF_SIZE];
  pcap_t* handle = pcap_open_offline_with_tstamp_precision(path.c_str(), PCAP_TSTAMP_PRECISION_NANO, error);
  if (handle == nullptr) return frames;
  pcap_pkthdr* header = nullptr;
  const u_char* data = nullptr;
  while (pcap_next_ex(handle, &header, &data) == 1) {
    frames.push_back({frames.size() + 1,
                      std::int64_t{header->ts.tv_sec} * 1'000'000'000 + header->ts.tv_usec,
                      net::LinkType::ethernet,
                      0,
                      header->len,
                      {reinterpret_cast<const char*>(data), header->caplen}});
  }
  pcap_close(handle);
  return frames;
}

// Seconds stay below 2^31: libpcap takes them as signed in files of its own byte order, as unsigned in the others.
TEST(FileReader, AgreesWithLibpcapOverRandomFiles) {
  std::mt19937 random(3);
  for (int round = 0; round < 12; ++round) {
    const auto order = round % 2 == 0 ? std::endian::little : std::endian::big;
    const bool is_pcapng = round % 3 == 0;
    Writer writer(order);
    if (is_pcapng) {
      writer.section().interface(1, 262144);
    } else {
      writer.pcap_header(round % 4 < 2 ? 0xA1B2C3D4 : 0xA1B23C4D, 1, 262144);
    }
    for (int i = 0; i < 3000; ++i) {
      std::string octets(random() % 1600, '\0');
      for (auto& octet : octets) octet = static_cast<char>(random());
      const std::size_t original = octets.size() + random() % 100;
      if (is_pcapng) {
        // Microseconds; later times than this are cut, so that differences of times cannot overflow.
        writer.enhanced(0, std::uint64_t{random() % 1'000'000} << 32 | random(), octets, original);
      } else {
        writer.pcap_record(static_cast<std::uint32_t>(random()) >> 1, static_cast<std::uint32_t>(random() % 1'000'000),
                           octets, original);
      }
    }
    const File file(writer.data);
    const auto expected = read_with_libpcap(file.path);
    ASSERT_EQ(expected.size(), 3000u);
    ReaderOptions options;
    options.batch_frames = 1 + random() % 2000;
    EXPECT_TRUE(read_path(file.path, options).frames == expected) << "round " << round;
  }
}

TEST(FileReader, SingleFramesAndBatchesMayBeMixed) {
  Writer writer;
  writer.pcap_header();
  for (std::uint32_t i = 0; i < 10; ++i) writer.pcap_record(i, 0, "x");
  const File file(writer.data);
  ReaderOptions options;
  options.batch_frames = 4;
  auto reader = FileReader::open(file.path, options);
  ASSERT_TRUE(reader);
  const auto first = reader->next();
  ASSERT_TRUE(first && *first != nullptr);
  EXPECT_EQ((*first)->number, FrameNumber{1});
  std::uint64_t next = 2;
  for (;;) {
    const auto batch = reader->next_batch();
    ASSERT_TRUE(batch);
    if (batch->empty()) break;
    EXPECT_LE(batch->size(), 4u);
    for (const auto& frame : *batch) EXPECT_EQ(frame.number, FrameNumber{next++});
  }
  EXPECT_EQ(next, 11u);
  const auto after = reader->next();
  ASSERT_TRUE(after);
  EXPECT_EQ(*after, nullptr);
}

TEST(FileReader, PositionEndsAtTheFilesSize) {
  Writer writer;
  writer.pcap_header();
  for (std::uint32_t i = 0; i < 3000; ++i) writer.pcap_record(i, 0, std::string(1000, 'x'));
  const File file(writer.data);
  auto reader = FileReader::open(file.path);
  ASSERT_TRUE(reader);
  EXPECT_EQ(reader->position().total, writer.data.size());
  EXPECT_LT(reader->position().consumed, writer.data.size());
  std::uint64_t last = 0;
  for (;;) {
    const auto batch = reader->next_batch();
    ASSERT_TRUE(batch);
    if (batch->empty()) break;
    EXPECT_GE(reader->position().consumed, last);
    last = reader->position().consumed;
  }
  EXPECT_EQ(reader->position().consumed, writer.data.size());
}

TEST(FileReader, DashIsStandardInput) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  const auto content = Writer().pcap_header().pcap_record(1, 2, "abc").data;
  ASSERT_EQ(::write(ends[1], content.data(), content.size()), static_cast<ssize_t>(content.size()));
  ::close(ends[1]);
  const int saved = ::dup(STDIN_FILENO);
  ::dup2(ends[0], STDIN_FILENO);
  auto reader = FileReader::open("-");
  ASSERT_TRUE(reader);
  EXPECT_FALSE(reader->position().total);
  const auto batch = reader->next_batch();
  ASSERT_TRUE(batch);
  EXPECT_EQ(batch->size(), 1u);
  ::dup2(saved, STDIN_FILENO);
  ::close(saved);
  ::close(ends[0]);
}

TEST(FileReader, MissingFileSaysSo) {
  const auto reader = FileReader::open("/nonexistent/x.pcap");
  ASSERT_FALSE(reader);
  EXPECT_EQ(reader.error().text(), "/nonexistent/x.pcap: No such file or directory");
}

TEST(FileReader, DirectorySaysSo) {
  EXPECT_EQ(read_path("/tmp").error, "/tmp: Is a directory");
}

TEST(FileReader, EmptyFileSaysSo) {
  EXPECT_EQ(read("").error, "FILE: the file is empty");
}

TEST(FileReader, OtherFilesAreNoCaptures) {
  EXPECT_EQ(read("abc").error, "FILE: not a capture file: neither pcap nor pcapng");
  EXPECT_EQ(read("#!/bin/sh\necho a capture\n").error, "FILE: not a capture file: neither pcap nor pcapng");
}

TEST(FileReader, CutFileHeaderSaysSo) {
  const auto content = Writer().pcap_header().data;
  EXPECT_EQ(read(content.substr(0, 23)).error, "FILE: the file ends inside its header");
  EXPECT_EQ(read(Writer().section().data.substr(0, 20)).error, "FILE: the file ends inside its header");
}

TEST(FileReader, UnsupportedVersionSaysSo) {
  Writer writer;
  writer.u32(0xA1B2C3D4).u16(3).u16(1).u32(0).u32(0).u32(96).u32(1);
  EXPECT_EQ(read(writer.data).error, "FILE: octet 0: pcap version 3.1 is not supported");
}

TEST(FileReader, FileWithoutFramesIsNoError) {
  const auto outcome = read(Writer().pcap_header().data);
  EXPECT_EQ(outcome.error, "");
  EXPECT_TRUE(outcome.frames.empty());
  EXPECT_FALSE(outcome.info.truncated);
  EXPECT_EQ(read(Writer().section().interface(1).data).error, "");
}

TEST(Error, StandardInputIsNamedInWords) {
  EXPECT_EQ((Error{"-", "octet 9", "damaged"}).text(), "standard input: octet 9: damaged");
}

}  // namespace
}  // namespace iwarpscope::capture::test
