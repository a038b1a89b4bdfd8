// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Sessions: what their senders had received, what comes late, and how long ones stay small.
#include "kit.h"

namespace iwarpscope::sctp::test {
namespace {

const std::string kOpened =
    "A code 1 @0\n"
    "B code 2 @0\n";

TEST(Association, ASessionKnowsWhereItsAssociationBegan) {
  Bench b;
  b.open();
  b.ask();
  const SessionStart& start = b.session().start;
  ASSERT_TRUE(start.openings[0] && start.openings[1]);
  EXPECT_EQ(start.openings[0]->frame.value, 1u);
  EXPECT_EQ(start.openings[1]->frame.value, 2u);
  EXPECT_FALSE(start.openings[0]->is_ack);
  EXPECT_TRUE(start.openings[1]->is_ack);
  b.finish();
}

TEST(Association, ASessionOfTheOtherEndHasTheSameBeginningTheOtherWayRound) {
  Bench b;
  b.open();
  b.send(kB, {b.control(kB, 0, 0, 1)});
  const SessionStart& start = b.session().start;
  ASSERT_TRUE(start.openings[0] && start.openings[1]);
  EXPECT_TRUE(start.openings[0]->is_ack) << "the active side of the session answered the INIT";
  EXPECT_EQ(start.openings[1]->frame.value, 1u);
  b.finish();
}

TEST(Association, WithoutItsInitASessionKnowsNoBeginning) {
  Bench b;
  b.establish();
  EXPECT_FALSE(b.session().start.openings[0] || b.session().start.openings[1]);
  b.finish();
}

// What the sender of a message had received when it sent it.
TEST(Association, AcknowledgedCountsWhatSacksOfTheSenderCover) {
  Bench b;
  b.open();
  b.establish();
  b.send(kA, {b.segment(kA, 0, 1), b.segment(kA, 0, 2)});
  b.send(kB, {b.sack(kB, 1), b.segment(kB, 0, 1)});
  EXPECT_TRUE(b.session().messages.back().has_acknowledged);
  EXPECT_EQ(b.session().messages.back().acknowledged, 2u);
  b.send(kB, {b.sack(kB), b.segment(kB, 0, 2)});
  EXPECT_EQ(b.session().messages.back().acknowledged, 3u);
  b.finish();
}

TEST(Association, GapAckBlocksDoNotCountBeyondAHole) {
  Bench b;
  b.open();
  b.establish();
  const Buffer lost = b.segment(kA, 0, 1);
  b.send(kA, {b.segment(kA, 0, 2)});
  wire::Sack sack;
  sack.cumulative_tsn = b.tsn[0] - 3;
  sack.gaps = {{2, 2}};
  b.send(kB, {wire::write(sack), b.segment(kB, 0, 1)});
  b.send(kA, {lost});
  EXPECT_EQ(b.text(), kOpened + "B segment @1\nA segment @1\nA segment @2\n");
  EXPECT_FALSE(b.session().messages[2].has_acknowledged)
      << "the session of what was received after the hole is unknown";
  b.finish();
}

// A chunk of a session before, which was given up and comes all the same.
TEST(Association, WhatComesAfterItsSessionEndedBeginsNoOther) {
  for (const bool is_initiate : {false, true}) {
    Bench b;
    b.open();
    Buffer late;
    if (is_initiate) {
      late = b.control(kA, 0, 0, 1);
      b.send(kB, {b.sack(kB), b.control(kB, 0, 0, 2)});
    } else {
      b.establish();
      late = b.segment(kA, 0, 1);
    }
    b.send(kA, {b.sack(kA), b.control(kA, 0, is_initiate ? 1 : 2, 4)});
    b.send(kB, {b.sack(kB), b.control(kB, 0, 1, 4)});
    b.send(kA, {b.sack(kA)});
    EXPECT_TRUE(b.session().lines.back().starts_with("whole ended terminated"));
    b.send(kA, {late});
    b.finish();
    EXPECT_EQ(b.sink.sessions.size(), 1u) << is_initiate;
    EXPECT_EQ(b.codes(), "CA-01");
  }
}

TEST(Association, WhatComesOnceAnotherSessionBeganIsNotOfThatOne) {
  Bench b;
  b.open();
  b.establish();
  const Buffer late = b.segment(kA, 0, 1);
  b.send(kA, {b.control(kA, 0, 2, 4)});
  b.send(kB, {b.sack(kB)});
  b.send(kB, {b.control(kB, 0, 1, 4)});
  b.send(kA, {b.sack(kA)});
  b.establish();
  b.send(kA, {late});
  EXPECT_EQ(b.text(1), kOpened);
  b.finish();
  EXPECT_EQ(b.codes(), "CA-01");
}

TEST(Association, WhatTheActiveSideSentBeforeTheRejectCameIsNoSession) {
  for (const unsigned code : {3u, 4u}) {
    Bench b;
    b.open();
    b.ask();
    b.send(kB, {b.sack(kB)});
    b.send(kB, {b.control(kB, 0, 0, code)});
    b.send(kA, {b.segment(kA, 0, 1)});
    b.send(kA, {b.sack(kA), b.control(kA, 0, 2, 4)});
    b.send(kB, {b.sack(kB)});
    b.shut_down();
    EXPECT_EQ(b.sink.sessions.size(), 1u);
    EXPECT_EQ(b.codes(), "");
  }
}

TEST_F(Asked, ASackThatAnotherOneOvertookTakesNothingBack) {
  const Packet older = b.packet(kB, {b.sack(kB, 1)});
  b.send(kB, {b.sack(kB)});
  b.feed(kB, older);
  b.send(kA, {b.segment(kA, 0, 1)});
  b.finish();
  EXPECT_EQ(b.codes(), "") << "the Initiate was acknowledged";
}

// Where no SACK is captured, what is not acknowledged is not remembered for ever.
TEST_F(Asked, MessagesWithoutAnySackTakeLittleMemory) {
  for (std::uint32_t n = 1; n < 5000; ++n) b.send(kA, {b.segment(kA, 0, static_cast<std::uint16_t>(n), 0)});
  EXPECT_EQ(b.session().lines.size(), 5000u);
  EXPECT_EQ(b.budget.held(), 0u);
  b.send(kB, {b.sack(kB), b.segment(kB, 0, 0, 0)});
  EXPECT_FALSE(b.session().messages.back().has_acknowledged);
  b.finish();
}

TEST(Association, ALongSessionTakesNoMoreMemoryThanItsWindow) {
  Bench b;
  b.open();
  b.establish();
  for (std::uint32_t n = 1; n < 20'000; ++n) {
    b.send(kA, {b.segment(kA, 0, static_cast<std::uint16_t>(n), 0)});
    if (n % 50 == 0) b.send(kB, {b.sack(kB, 10), b.segment(kB, 0, static_cast<std::uint16_t>(n / 50), 0)});
  }
  EXPECT_LE(b.budget.held(), 8192u);
  b.send(kB, {b.sack(kB), b.segment(kB, 0, 400, 0)});
  EXPECT_TRUE(b.session().messages.back().has_acknowledged);
  EXPECT_EQ(b.session().messages.back().acknowledged, 20'000u);
  b.finish();
  EXPECT_EQ(b.codes(), "");
}

TEST(Association, AnAbortEndsEverySession) {
  Bench b;
  b.open();
  b.establish(0);
  b.establish(1);
  b.send(kB, {wire::write(wire::Abort{})});
  EXPECT_EQ(b.text(0), kOpened + "whole ended aborted by B\n");
  EXPECT_EQ(b.text(1), kOpened + "whole ended aborted by B\n");
  EXPECT_EQ(b.association->end(), AssociationEnd::aborted);
  ASSERT_EQ(b.codes(), "SC-25");
  EXPECT_EQ(b.last().text, "10.0.0.2:5000 aborted the association, without a cause.");
  EXPECT_EQ(b.last().direction, kB);
}

TEST(Association, ASessionThatIsNotFollowedIsFollowedInSilence) {
  Bench b;
  b.sink.follows = false;
  b.open();
  b.establish();
  b.send(kA, {b.segment(kA, 0, 1)});
  b.finish();
  EXPECT_EQ(b.text(), "");
}

}  // namespace
}  // namespace iwarpscope::sctp::test
