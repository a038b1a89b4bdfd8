// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "outputs/pcapng_writer.h"

#include <gtest/gtest.h>

#include "daemon/outputs/events.h"
#include "daemon/outputs/packets.h"

namespace iwarpscope::outputs {
namespace {

struct PcapngFile : ::testing::Test {
  Folder folder;
  PcapngWriter writer{"iwarpscope test",
                      [](std::uint32_t number) {
                        return PcapngWriter::Described{"eth" + std::to_string(number), "sensor rack 7"};
                      },
                      {"first", "second"}};
  std::string out;

  std::string path() {
    write_file(folder / "x.pcapng", out);
    return folder / "x.pcapng";
  }
};

TEST_F(PcapngFile, GivesBackItsFrames) {
  std::vector<OwnedFrame> given;
  for (std::uint64_t number = 1; number <= 9; ++number) {
    OwnedFrame own = owned_frame(number, 60 + number);
    own.frame.original_length += number == 5 ? 1000 : 0;
    own.frame.interface = static_cast<std::uint32_t>(number % 2);
    own.frame.link = number == 9 ? net::LinkType::linux_sll2 : net::LinkType::ethernet;
    own.frame.octets = own.octets;
    writer.append(out, own.frame, number == 3 ? "a comment" : "");
    given.push_back(std::move(own));
  }
  writer.finish(out);
  bool truncated = true;
  const std::vector<OwnedFrame> read = frames_of(path(), &truncated);
  EXPECT_FALSE(truncated);
  ASSERT_EQ(read.size(), given.size());
  for (std::size_t i = 0; i < read.size(); ++i) {
    EXPECT_EQ(read[i].octets, given[i].octets);
    EXPECT_EQ(read[i].frame.time, given[i].frame.time);
    EXPECT_EQ(read[i].frame.link, given[i].frame.link);
    EXPECT_EQ(read[i].frame.original_length, given[i].frame.original_length);
  }
  auto reader = capture::FileReader::open(path());
  ASSERT_TRUE(reader);
  while (const auto batch = reader->next_batch()) {
    if (batch->empty()) break;
  }
  ASSERT_EQ(reader->info().interfaces.size(), 3u);
  EXPECT_EQ(reader->info().interfaces[0].name, "eth1");
  EXPECT_EQ(reader->info().interfaces[1].name, "eth0");
  EXPECT_FALSE(reader->info().interfaces[0].dropped_by_os);
  EXPECT_EQ(section_comment(out), "first");
  EXPECT_NE(out.find(std::string("\x01\x00\x06\x00second", 10)), std::string::npos);         // opt_comment
  EXPECT_NE(out.find(std::string("\x03\x00\x0d\x00sensor rack 7", 17)), std::string::npos);  // if_description
}

TEST_F(PcapngFile, OfNoFramesIsAFile) {
  writer.finish(out);
  EXPECT_TRUE(frames_of(path()).empty());
  EXPECT_EQ(frames_in_pcapng(out), std::nullopt);
}

TEST_F(PcapngFile, SaysAtItsEndHowManyFramesItHoldsAndMisses) {
  for (std::uint64_t number = 1; number <= 7; ++number) {
    OwnedFrame own = owned_frame(number, 100);
    own.frame.interface = static_cast<std::uint32_t>(number % 3);
    own.frame.octets = own.octets;
    writer.append(out, own.frame);
  }
  EXPECT_EQ(frames_in_pcapng(out), std::nullopt);
  writer.finish(out, 42);
  EXPECT_EQ(frames_in_pcapng(out), 7u);
  EXPECT_EQ(frames_in_pcapng(std::string_view{out}.substr(out.size() - 300)), 7u);
  EXPECT_EQ(frames_in_pcapng(std::string_view{out}.substr(0, out.size() - 1)), std::nullopt);
  auto reader = capture::FileReader::open(path());
  ASSERT_TRUE(reader);
  while (const auto batch = reader->next_batch()) {
    if (batch->empty()) break;
  }
  EXPECT_EQ(reader->info().interfaces[0].dropped_by_os, 42u);
}

TEST_F(PcapngFile, NeverTakesMoreThanItSaid) {
  const std::string long_comment(5000, 'x');
  for (const std::string& comment : {std::string{}, std::string{"\xff\xff\xff"}, long_comment}) {
    for (const std::size_t octets : {0u, 1u, 60u, 1501u}) {
      std::string one;
      PcapngWriter fresh("iwarpscope",
                         [](std::uint32_t) {
                           return PcapngWriter::Described{std::string(300, 'n'), std::string(300, 'd')};
                         },
                         {std::string(300, 'a'), std::string(300, 'b')});
      const OwnedFrame own = owned_frame(1, octets);
      fresh.append(one, own.frame, comment);
      fresh.finish(one, 1);
      EXPECT_LE(one.size(), PcapngWriter::most_octets(own.frame, comment));
    }
  }
}

TEST_F(PcapngFile, ALongCommentIsCutBetweenCharacters) {
  std::string comment;
  while (comment.size() < 5000) comment += "\xC3\xA4";  // ä
  const OwnedFrame own = owned_frame(1, 61);
  writer.append(out, own.frame, "x" + comment);
  writer.finish(out);
  EXPECT_EQ(frames_of(path()).size(), 1u);
  EXPECT_NE(out.find("x" + comment.substr(0, 4094)), std::string::npos);
  EXPECT_EQ(out.find("x" + comment.substr(0, 4095)), std::string::npos);
}

TEST_F(PcapngFile, ACommentCanBeAddedToABlock) {
  for (const char* first : {"", "first"}) {
    std::string section, block, changed;
    PcapngWriter fresh("iwarpscope");
    fresh.append(section, owned_frame(1, 60).frame);
    fresh.append(block, owned_frame(2, 61).frame, first);
    EXPECT_TRUE(is_enhanced_packet(block));
    EXPECT_FALSE(is_enhanced_packet(section));
    append_with_comment(changed, block, "second");
    out = section + changed;
    fresh.finish(out);
    EXPECT_EQ(frames_of(path()).size(), 2u);
    EXPECT_NE(changed.find("second"), std::string::npos);
    EXPECT_NE(changed.find(first), std::string::npos);
    std::string same;
    append_with_comment(same, section.substr(0, 28), "second");
    EXPECT_EQ(same, section.substr(0, 28));  // no enhanced packet
  }
}

}  // namespace
}  // namespace iwarpscope::outputs
