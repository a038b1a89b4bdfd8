// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Rules that SACKs decide, each raised and nearly raised: SC-10, SC-16, SC-17.
#include "kit.h"

namespace iwarpscope::sctp::test {
namespace {

/// Acknowledges all that A sent up to `lacks` TSNs before its last one, and that last one.
Buffer sack_of_the_last(const Bench& b, std::uint16_t lacks) {
  wire::Sack sack;
  sack.cumulative_tsn = b.tsn[0] - 2U - lacks;
  sack.gaps = {{static_cast<std::uint16_t>(lacks + 1U), static_cast<std::uint16_t>(lacks + 1U)}};
  return wire::write(sack);
}

TEST(SC10, ASegmentBeforeTheInitiateIsAcknowledged) {
  Bench b;
  b.open();
  b.send(kA, {b.control(kA, 0, 0, 1), b.segment(kA, 0, 1)});
  EXPECT_EQ(b.codes(), "SC-10");
  b.send(kA, {b.segment(kA, 0, 2)});
  b.send(kB, {b.sack(kB)});
  b.finish();
  EXPECT_EQ(b.codes(), "SC-10");
}

TEST(SC10, ALaterSackThatLacksTheInitiateProvesIt) {
  Bench b;
  b.open();
  const Buffer initiate = b.control(kA, 0, 0, 1);
  b.send(kA, {initiate});
  b.send(kA, {b.segment(kA, 0, 1)});
  EXPECT_EQ(b.codes(), "");
  wire::Sack sack;
  sack.cumulative_tsn = b.tsn[0] - 3;
  sack.gaps = {{2, 2}};
  b.send(kB, {wire::write(sack)});
  EXPECT_EQ(b.codes(), "SC-10");
  EXPECT_EQ(b.last().offset, kStreamOrigin + 1);
  b.send(kA, {initiate});
  b.finish();
  EXPECT_EQ(b.codes(), "SC-10 SC-21");
}

TEST(SC10, AnOldSackProvesNothing) {
  Bench b;
  b.open();
  b.ask();
  b.send(kA, {b.segment(kA, 0, 1)});
  b.send(kB, {b.sack(kB, 2)});
  b.finish();
  EXPECT_EQ(b.codes(), "");
}

TEST(SC10, ASackOfTheInitiateMayHaveBeenMissed) {
  for (const bool between : {true, false}) {
    Bench b;
    b.open();
    b.ask();
    if (between) b.send(kB, {b.sack(kB)});
    b.send(kA, {b.segment(kA, 0, 1)});
    b.send(kB, {b.sack(kB)});
    b.finish();
    EXPECT_EQ(b.codes(), "");
  }
}

TEST_F(Asked, SC10ASackWithoutItsBlocksProvesNothing) {
  b.send(kA, {b.segment(kA, 0, 1)});
  wire::Sack sack;
  sack.cumulative_tsn = b.tsn[0] - 4;
  sack.gaps = {{2, 3}};
  b.send(kB, {wire::write(sack)}, 4);
  b.finish();
  EXPECT_EQ(b.codes(), "");
}

TEST_F(Asked, SC10TheAcceptIsAnAcknowledgmentToo) {
  b.send(kB, {b.control(kB, 0, 0, 2)});
  b.send(kA, {b.segment(kA, 0, 1)});
  b.finish();
  EXPECT_EQ(b.codes(), "");
}

TEST_F(Asked, SC10SoIsWhatOvertookTheAccept) {
  const Buffer accept = b.control(kB, 0, 0, 2);
  b.send(kB, {b.segment(kB, 0, 1)});
  b.send(kA, {b.segment(kA, 0, 1)});
  b.send(kB, {accept});
  b.finish();
  EXPECT_EQ(b.codes(), "SC-22");
}

TEST(SC10, NotWhereOnlyOneDirectionWasCaptured) {
  Bench b;
  b.send(kA, {b.init(kA)});
  b.association->open(kB, {10, 10, {true, 1}, {{}, {}, false, b.tag[1], b.tsn[1]}}, FrameNumber{1}, TimePoint{});
  b.ask();
  b.send(kA, {b.segment(kA, 0, 1)});
  b.finish();
  EXPECT_EQ(b.codes(), "");
}

TEST_F(Opened, SC16AnotherSessionInThePacketOfTheLastChunk) {
  b.send(kA, {b.control(kA, 0, 1, 4), b.control(kA, 0, 0, 1)});
  EXPECT_EQ(codes(), "SC-16");
}

TEST_F(Opened, SC16AnotherSessionBeforeTheLastChunkWasAcknowledged) {
  b.send(kA, {b.control(kA, 0, 1, 4)});
  b.ask();
  EXPECT_EQ(b.codes(), "");
  b.send(kB, {sack_of_the_last(b, 1)});
  EXPECT_EQ(codes(), "SC-16");
}

TEST_F(Opened, SC16AnOldSackProvesNothing) {
  b.send(kA, {b.control(kA, 0, 1, 4)});
  b.ask();
  b.send(kB, {b.sack(kB, 2)});
  b.send(kB, {b.sack(kB)});
  EXPECT_EQ(codes(), "");
}

TEST_F(Opened, SC16ASackBehindAnOldOneStillProvesIt) {
  b.send(kA, {b.control(kA, 0, 1, 4)});
  b.ask();
  b.send(kB, {b.sack(kB, 2)});
  EXPECT_EQ(b.codes(), "");
  b.send(kB, {sack_of_the_last(b, 1)});
  EXPECT_EQ(codes(), "SC-16");
}

TEST_F(Opened, SC16TheSackBetweenMayHaveBeenMissed) {
  b.send(kA, {b.control(kA, 0, 1, 4)});
  b.ask();
  b.send(kB, {b.sack(kB)});
  EXPECT_EQ(codes(), "");
}

TEST_F(Opened, SC16AnotherSessionOnceAllWasAcknowledged) {
  b.send(kA, {b.control(kA, 0, 1, 4)});
  b.send(kB, {b.sack(kB)});
  b.ask();
  EXPECT_EQ(codes(), "");
}

TEST_F(Opened, SC16NotWhereTheCaptureLostSomething) {
  (void)b.segment(kB, 0, 1);
  b.send(kA, {b.sack(kA)});
  b.send(kA, {b.control(kA, 0, 1, 4), b.control(kA, 0, 0, 1)});
  EXPECT_EQ(codes(), "CA-01");
}

TEST_F(Opened, SC17MoreThan32767MessagesAreOutstanding) {
  b.limits.max_buffered_octets = 1 << 20;
  for (std::uint32_t n = 1; n <= 32'769; ++n) b.send(kA, {b.segment(kA, 0, static_cast<std::uint16_t>(n), 0)});
  EXPECT_EQ(b.codes(), "");
  b.send(kB, {b.sack(kB, 32'769)});
  EXPECT_EQ(b.codes(), "");
  for (int i = 0; i < 2; ++i) b.send(kB, {sack_of_the_last(b, 32'768)});
  EXPECT_EQ(codes(), "SC-17");
  EXPECT_EQ(b.last().seen, "32768");
}

/// A newer one may have come before the last messages, and be missing.
TEST_F(Opened, SC17AnOldSackProvesNothing) {
  b.limits.max_buffered_octets = 1 << 20;
  for (std::uint32_t n = 1; n <= 32'769; ++n) b.send(kA, {b.segment(kA, 0, static_cast<std::uint16_t>(n), 0)});
  b.send(kB, {b.sack(kB, 32'769)});
  b.send(kB, {b.sack(kB)});
  EXPECT_EQ(codes(), "");
}

TEST_F(Opened, SC17NotFor32767) {
  b.limits.max_buffered_octets = 1 << 20;
  for (std::uint32_t n = 1; n <= 32'767; ++n) b.send(kA, {b.segment(kA, 0, static_cast<std::uint16_t>(n), 0)});
  b.send(kB, {b.sack(kB, 32'767)});
  EXPECT_EQ(codes(), "");
}

TEST_F(Opened, SC17SacksBetweenMayHaveBeenMissed) {
  b.limits.max_buffered_octets = 1 << 20;
  for (std::uint32_t n = 1; n <= 32'769; ++n) b.send(kA, {b.segment(kA, 0, static_cast<std::uint16_t>(n), 0)});
  b.send(kB, {b.sack(kB)});
  EXPECT_EQ(codes(), "");
}

}  // namespace
}  // namespace iwarpscope::sctp::test
