// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Sessions met in their middle: where their messages begin.
#include "kit.h"

namespace iwarpscope::sctp::test {
namespace {

/// The capture begins between two packets of A.
class Joining : public ::testing::Test {
 protected:
  Joining() : b(false) { b.tsn = {5000, 6000}; }
  [[nodiscard]] std::string text() {
    b.finish();
    return b.text();
  }
  Bench b;
};

TEST_F(Joining, AMessageThatWasOvertakenComesFirst) {
  const Packet first = b.packet(kA, {b.segment(kA, 0, 40)});
  b.send(kA, {b.segment(kA, 0, 41)});
  b.feed(kA, first);
  b.send(kB, {b.sack(kB)});
  b.send(kA, {b.segment(kA, 0, 42)});
  EXPECT_EQ(text(), "A segment @40\nA segment @41\nA segment @42\nwhole ended capture end\n");
  EXPECT_EQ(b.codes(), "SC-22");
}

TEST_F(Joining, AMessageThatASackStillLacksIsWaitedFor) {
  const Buffer lost = b.segment(kA, 0, 40);
  b.send(kA, {b.segment(kA, 0, 41)});
  wire::Sack sack;
  sack.cumulative_tsn = 4999;
  sack.gaps = {{2, 2}};
  b.send(kB, {wire::write(sack)});
  b.pass(1000);
  EXPECT_TRUE(b.sink.sessions.empty());
  b.send(kA, {lost});
  EXPECT_EQ(text(), "A segment @40\nA segment @41\nwhole ended capture end\n");
  EXPECT_EQ(b.codes(), "SC-22");
}

TEST_F(Joining, NothingIsWaitedForThatASackHas) {
  b.send(kA, {b.segment(kA, 0, 41)});
  b.send(kB, {b.sack(kB)});
  b.pass(110);
  b.send(kB, {b.sack(kB)});
  EXPECT_EQ(b.sink.sessions.size(), 1u);
  b.finish();
}

TEST_F(Joining, WithoutSacksItIsWaitedForATime) {
  b.send(kA, {b.segment(kA, 0, 41)});
  EXPECT_TRUE(b.sink.sessions.empty());
  b.pass(250);
  b.send(kA, {b.segment(kA, 0, 42)});
  EXPECT_EQ(b.sink.sessions.size(), 1u);
  b.finish();
}

TEST_F(Joining, WhatIsSentAgainFromBeforeIsNoLoss) {
  b.send(kA, {b.segment(kA, 0, 41)});
  wire::Sack sack;
  sack.cumulative_tsn = 4990;
  b.send(kB, {wire::write(sack)});
  b.pass(4000);
  b.send(kB, {b.sack(kB)});
  b.finish();
  EXPECT_EQ(b.association->statistics().lost_tsns, 0u);
  EXPECT_EQ(b.codes(), "");
}

// It may have been an answer.
TEST_F(Joining, AMessageThatComesTooLateIsReportedAsAGap) {
  const Buffer late = b.segment(kA, 0, 40);
  b.send(kA, {b.segment(kA, 0, 41)});
  b.pass(250);
  b.send(kA, {b.segment(kA, 0, 42)});
  ASSERT_EQ(b.sink.sessions.size(), 1u);
  b.send(kA, {late});
  EXPECT_EQ(text(), "A segment @41\nA segment @42\nA missing @43 x0 unexplained\nwhole ended capture end\n");
}

/// The chunk as two fragments, with the TSN of this one and the next.
std::vector<Buffer> halves(const Buffer& chunk) {
  constexpr std::size_t kHeader = 16;
  const std::size_t middle = kHeader + (chunk.size() - kHeader) / 2;
  std::vector<Buffer> both;
  for (const bool first : {true, false}) {
    wire::Data half;
    half.tsn = load_be<std::uint32_t>(Octets(chunk).subspan(4)) + (first ? 0 : 1);
    half.ppid = load_be<std::uint32_t>(Octets(chunk).subspan(12));
    half.begin = first;
    half.end = !first;
    const auto from = chunk.begin() + static_cast<std::ptrdiff_t>(first ? kHeader : middle);
    half.user_data.assign(from, first ? chunk.begin() + static_cast<std::ptrdiff_t>(middle) : chunk.end());
    both.push_back(wire::write(half));
  }
  return both;
}

TEST_F(Joining, AnInitiateBehindItsAcknowledgmentIsOfTheSessionThatItBegan) {
  for (const bool whole : {true, false}) {
    Bench c(false);
    const Buffer initiate = c.control(kA, 0, 0, 1);
    std::vector<Buffer> chunks{initiate};
    if (!whole) {
      chunks = halves(initiate);
      ++c.tsn[index(kA)];
    }
    c.send(kB, {c.sack(kB), c.control(kB, 0, 0, 2)});
    c.pass(250);
    c.send(kB, {c.segment(kB, 0, 1)});
    ASSERT_EQ(c.sink.sessions.size(), 1u);
    c.send(kA, chunks);
    c.finish();
    EXPECT_EQ(c.sink.sessions.size(), 1u) << (whole ? "whole" : "in fragments");
  }
}

TEST(Association, JoinedInTheMiddleOfASession) {
  Bench b(false);
  b.tsn = {5000, 6000};
  b.send(kB, {b.segment(kB, 1, 40'000)});
  b.send(kA, {b.sack(kA), b.segment(kA, 1, 7)});
  b.send(kA, {b.control(kA, 1, 8, 4)});
  b.finish();
  EXPECT_TRUE(b.session().start.joined);
  EXPECT_EQ(b.session().start.endpoints[0], endpoint(1, 40000)) << "the lower endpoint";
  EXPECT_EQ(b.text(), "B segment @40000\nA segment @7\nA code 4 @8\nA ended terminated\nwhole ended terminated by A\n");
  EXPECT_EQ(b.codes(), "");
}

TEST(Association, AnAnswerWhoseInitiateTheCaptureMissedShowsWhoAsked) {
  Bench b(false);
  b.send(kA, {b.control(kA, 1, 0, 2)});
  b.send(kB, {b.sack(kB), b.segment(kB, 1, 1)});
  EXPECT_EQ(b.session().lines.size(), 3u) << "nothing is waited for";
  b.finish();
  EXPECT_EQ(b.session().start.endpoints[0], endpoint(2, 5000));
  EXPECT_EQ(b.text(), "B code 2 @0\nA missing @0 x1 unexplained\nA segment @1\nwhole ended capture end\n");
  EXPECT_EQ(b.codes(), "");
}

TEST(Association, AnInitiateThatTheCaptureLostLeavesAJoinedSession) {
  Bench b;
  b.open();
  (void)b.control(kA, 0, 0, 1);
  b.send(kB, {b.sack(kB), b.control(kB, 0, 0, 2)});
  b.send(kA, {b.sack(kA), b.segment(kA, 0, 1)});
  b.finish();
  EXPECT_TRUE(b.session().start.joined);
  EXPECT_EQ(b.text(), "B code 2 @0\nA missing @0 x1 gap\nA segment @1\nwhole ended capture end\n");
  EXPECT_EQ(b.codes(), "CA-01");
}

TEST_F(Asked, AnAnswerThatTheCaptureLostIsNotBlamedOnThePassiveSide) {
  (void)b.control(kB, 0, 0, 2);
  b.send(kB, {b.sack(kB), b.segment(kB, 0, 1)});
  b.send(kA, {b.sack(kA)});
  b.send(kA, {b.control(kA, 0, 1, 4)});
  b.finish();
  EXPECT_EQ(b.text(),
            "A code 1 @0\nB missing @0 x1 gap\nB segment @1\nA code 4 @1\nA ended terminated\n"
            "whole ended terminated by A\n");
  EXPECT_EQ(b.codes(), "CA-01");
}

TEST_F(Asked, OneDirectionMayBeAllThereIs) {
  for (std::uint16_t n = 1; n < 20; ++n) b.send(kA, {b.segment(kA, 0, n)});
  (void)b.segment(kA, 0, 20);
  b.send(kA, {b.segment(kA, 0, 21)});
  b.finish();
  EXPECT_EQ(b.session().lines.size(), 23u);
  EXPECT_EQ(b.session().lines[20], "A missing @20 x1 unexplained");
}

}  // namespace
}  // namespace iwarpscope::sctp::test
