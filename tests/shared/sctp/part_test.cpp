// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Messages in parts: fragments, what a snap length cut, what is damaged, and the memory that all of it takes.
#include "kit.h"

namespace iwarpscope::sctp::test {
namespace {

TEST(Association, FragmentsAreJoinedWhateverTheirOrder) {
  for (const auto& order : {std::array{0, 1, 2}, std::array{2, 1, 0}, std::array{1, 0, 2}, std::array{0, 2, 1}}) {
    Bench b;
    b.open();
    b.establish();
    const Buffer whole = Ends::user_data(1, 3000);
    std::vector<Packet> parts;
    for (std::size_t n = 0; n < 3; ++n) {
      wire::Data chunk;
      chunk.tsn = b.tsn[0]++;
      chunk.ppid = 16;
      chunk.begin = n == 0;
      chunk.end = n == 2;
      const std::size_t from = n * 1200, to = std::min(whole.size(), from + 1200);
      chunk.user_data.assign(whole.begin() + static_cast<std::ptrdiff_t>(from),
                             whole.begin() + static_cast<std::ptrdiff_t>(to));
      parts.push_back(b.packet(kA, {wire::write(chunk)}));
    }
    for (const int n : order) b.feed(kA, parts[static_cast<std::size_t>(n)]);
    ASSERT_EQ(b.session().payloads.size(), 1u);
    EXPECT_EQ(b.session().payloads[0], Buffer(whole.begin() + 2, whole.end()));
    EXPECT_EQ(b.session().messages.back().first_frame, parts[0].sctp.frame);
    EXPECT_EQ(b.session().statistics[0].data_chunks, 4u);
    b.finish();
    EXPECT_EQ(b.codes(), std::is_sorted(order.begin(), order.end()) ? "" : "SC-22");
  }
}

TEST(Association, AMessageWhoseFragmentTheCaptureLostIsMissing) {
  Bench b;
  b.open();
  b.establish();
  const auto part = [&](bool begin, bool end) {
    wire::Data chunk;
    chunk.tsn = b.tsn[0]++;
    chunk.ppid = 16;
    chunk.begin = begin;
    chunk.end = end;
    chunk.user_data = Ends::user_data(1, 100);
    return wire::write(chunk);
  };
  b.send(kA, {part(true, false)});
  (void)part(false, false);
  b.send(kA, {part(false, true)});
  b.send(kA, {b.segment(kA, 0, 2)});
  b.send(kB, {b.sack(kB)});
  EXPECT_EQ(b.text(), kOpened + "A missing @1 x1 gap\nA segment @2\n");
  b.finish();
  EXPECT_EQ(b.codes(), "CA-01");
}

TEST(Association, WhatIsHeldIsBounded) {
  Bench b;
  b.open();
  b.establish();
  (void)b.segment(kA, 0, 1);
  for (std::uint16_t n = 2; n < 200; ++n) b.send(kA, {b.segment(kA, 0, n, 1000)});
  EXPECT_LE(b.budget.held(), 64u << 10);
  EXPECT_EQ(b.session().lines[2], "A missing @1 x1 limit");
  EXPECT_EQ(b.session().lines.size(), 2u + 1 + 198);
  EXPECT_GT(b.budget.met().direction_octets + b.budget.met().direction_chunks, 0u);
  b.finish();
  EXPECT_EQ(b.codes(), "CA-10");
}

TEST(Association, APacketOfWrongCrcIsNotUsed) {
  Bench b;
  b.open();
  b.establish();
  const Buffer one = b.segment(kA, 0, 1);
  b.checksum = wire::Checksum::wrong;
  b.send(kA, {one});
  b.checksum = wire::Checksum::right;
  EXPECT_EQ(b.text(), kOpened);
  EXPECT_EQ(b.association->statistics().wrong_checksums, 1u);
  b.send(kA, {one});
  EXPECT_EQ(b.text(), kOpened + "A segment @1\n");
  b.finish();
  EXPECT_EQ(b.codes(), "SC-20");
}

TEST(Association, CrcsThatAreLeftToTheAdapterAreNotJudged) {
  Bench b;
  b.checksum = wire::Checksum::zero;
  b.open();
  b.establish();
  EXPECT_EQ(b.text(), kOpened);
  b.finish();
  EXPECT_EQ(b.codes(), "SC-24 SC-24");
  EXPECT_EQ(b.last().text,
            "3 packets of 10.0.0.2:5000 have a CRC32c that is not filled in, the last of them in frame 6.");
}

// No receiver takes such packets. Source: RFC 9260 §6.8.
TEST(Association, WhereNoCrcIsEverRightNothingIsBelieved) {
  Bench b;
  b.checksum = wire::Checksum::wrong;
  b.open();
  b.establish();
  b.finish();
  EXPECT_TRUE(b.sink.sessions.empty());
  EXPECT_EQ(b.association->statistics().wrong_checksums, 7u);
  EXPECT_EQ(b.codes(), "");
}

TEST(Association, ACutSegmentIsHandedUpAsFarAsItGoes) {
  Bench b;
  b.open();
  b.establish();
  b.send(kA, {b.segment(kA, 0, 1, 100)}, 60);
  EXPECT_EQ(b.text(), kOpened + "A segment @1 cut\n");
  EXPECT_EQ(b.session().messages.back().length, 118u);
  EXPECT_EQ(b.session().payloads[0].size(), 58u);
  b.finish();
  EXPECT_EQ(b.session().statistics[0].cut_octets, 60u);
  EXPECT_EQ(b.codes(), "");
}

TEST(Association, AMessageCutBeforeItsDdpSsnIsMissingAndNobodysFault) {
  Bench b;
  b.open();
  b.establish();
  b.send(kA, {b.segment(kA, 0, 1, 100)}, 119);
  b.send(kA, {b.segment(kA, 0, 2)});
  b.send(kB, {b.sack(kB)});
  b.shut_down();
  EXPECT_EQ(b.text(), kOpened + "A missing @1 x1 snap\nA segment @2\nwhole ended shutdown by A\n");
  EXPECT_EQ(b.codes(), "");
}

// What I-DATA carries is not followed, and leaves no gap. Source: RFC 8260 §2.1.
TEST(Association, InterleavedChunksTakeTheirTsns) {
  Bench b;
  b.open();
  b.establish();
  wire::Chunk chunk{static_cast<wire::ChunkType>(64), 3, Buffer(20), {}};
  const std::uint32_t tsn = b.tsn[0]++;
  for (std::size_t n = 0; n < 4; ++n) chunk.value[n] = static_cast<std::byte>(tsn >> (24 - 8 * n));
  b.send(kA, {wire::write(chunk)});
  b.send(kA, {b.segment(kA, 0, 1)});
  b.acknowledge();
  b.finish();
  EXPECT_EQ(b.association->statistics().interleaved_chunks, 1u);
  EXPECT_EQ(b.association->statistics().lost_tsns, 0u);
  EXPECT_EQ(b.codes(), "");
}

}  // namespace
}  // namespace iwarpscope::sctp::test
