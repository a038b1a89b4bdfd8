// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// How associations end: who shut them down, and what the capture lacks of the last messages.
#include "kit.h"

namespace iwarpscope::sctp::test {
namespace {

Buffer shutdown_chunk(const Bench& b, Direction d) {
  return wire::write(wire::Shutdown{b.tsn[index(opposite(d))] - 1});
}

/// One session, open.
class EndOfAssociation : public ::testing::Test {
 protected:
  EndOfAssociation() {
    b.open();
    b.establish();
  }
  Bench b;
};

TEST_F(EndOfAssociation, TheSenderOfShutdownShutItDown) {
  b.send(kB, {shutdown_chunk(b, kB)});
  const std::uint64_t frame = b.frame;
  b.send(kA, {Ends::chunk(wire::ChunkType::shutdown_ack)});
  EXPECT_EQ(b.session().lines.back(), "whole ended shutdown by B");
  ASSERT_TRUE(b.session().shutdown);
  EXPECT_EQ(b.session().shutdown->by, kB);
  EXPECT_EQ(b.session().shutdown->frame.value, frame);
}

TEST_F(EndOfAssociation, ShutdownAckIsSentByTheOtherEnd) {
  b.send(kA, {Ends::chunk(wire::ChunkType::shutdown_ack)});
  EXPECT_EQ(b.session().lines.back(), "whole ended shutdown by B");
}

TEST_F(EndOfAssociation, ShutdownCompleteIsSentByWhoShutItDown) {
  b.send(kB, {Ends::chunk(wire::ChunkType::shutdown_complete)});
  EXPECT_EQ(b.session().lines.back(), "whole ended shutdown by B");
}

TEST_F(EndOfAssociation, TheFirstOfTwoShutdownsCounts) {
  b.send(kA, {shutdown_chunk(b, kA)});
  const std::uint64_t frame = b.frame;
  b.send(kB, {shutdown_chunk(b, kB)});
  b.finish();
  EXPECT_EQ(b.session().shutdown->by, kA);
  EXPECT_EQ(b.session().shutdown->frame.value, frame);
}

TEST_F(EndOfAssociation, DirectionsOfTheShutdownAreTheSessions) {
  Bench other;
  other.open();
  other.send(kB, {other.control(kB, 0, 0, 1)});
  other.send(kA, {other.sack(kA), other.control(kA, 0, 0, 2)});
  other.send(kB, {other.sack(kB), shutdown_chunk(other, kB)});
  other.send(kA, {Ends::chunk(wire::ChunkType::shutdown_ack)});
  EXPECT_EQ(other.session().shutdown->by, Direction::a_to_b) << "B is the active side";
}

TEST_F(EndOfAssociation, WithAllMessagesNothingIsMissing) {
  b.send(kA, {b.segment(kA, 0, 1)});
  b.acknowledge();
  b.shut_down();
  EXPECT_EQ(b.session().lacks_end, (std::array<bool, 2>{false, false}));
}

// ---- what was acknowledged and never seen ----

TEST_F(EndOfAssociation, ShutdownShowsOfChunksThatTheCaptureLacks) {
  (void)b.segment(kB, 0, 1);
  (void)b.control(kB, 0, 2, 4);
  b.send(kA, {shutdown_chunk(b, kA)});
  b.send(kB, {Ends::chunk(wire::ChunkType::shutdown_ack)});
  EXPECT_EQ(b.text(), "A code 1 @0\nB code 2 @0\nB missing @1 x2 gap\nwhole ended shutdown by A\n");
  // What A sent just before, and its acknowledgment, may be missing with them.
  EXPECT_EQ(b.session().lacks_end, (std::array<bool, 2>{true, true}));
  EXPECT_EQ(b.session().statistics[1].gap_messages, 2u);
  EXPECT_EQ(b.codes(), "CA-01");
}

// A SHUTDOWN shows that all was acknowledged, and not which chunk was the last.
TEST_F(EndOfAssociation, WithoutTheLastSackMessagesMayBeMissing) {
  b.send(kA, {b.segment(kA, 0, 1)});
  b.shut_down();
  EXPECT_EQ(b.session().lacks_end, (std::array<bool, 2>{true, false}));
  EXPECT_EQ(b.codes(), "") << "a Session Terminate may have been after it";
}

TEST_F(EndOfAssociation, WithoutTheShutdownMessagesOfBothMayBeMissing) {
  b.send(kB, {Ends::chunk(wire::ChunkType::shutdown_ack)});
  b.send(kA, {Ends::chunk(wire::ChunkType::shutdown_complete)});
  EXPECT_EQ(b.session().lacks_end, (std::array<bool, 2>{true, true}));
  EXPECT_EQ(b.codes(), "") << "there may have been Session Terminates before it";
}

// 16 bits may leave out very many: they take no room, and their acknowledgment is not awaited.
TEST_F(EndOfAssociation, ManyMessagesThatAreMissingAreNotAwaited) {
  for (const std::uint16_t ssn : std::initializer_list<std::uint16_t>{20'000, 40'000, 60'000}) {
    (void)b.segment(kA, 0, static_cast<std::uint16_t>(ssn - 1));
    b.send(kA, {b.segment(kA, 0, ssn)});
    b.send(kB, {b.sack(kB)});
  }
  EXPECT_EQ(b.session().start.view->unacknowledged(kA), 0u);
  b.send(kA, {b.segment(kA, 0, 60'001)});
  EXPECT_EQ(b.session().start.view->unacknowledged(kA), 1u);
}

TEST_F(EndOfAssociation, SoDoesTheLastSackOfACapture) {
  (void)b.segment(kA, 0, 1);
  b.send(kB, {b.sack(kB)});
  b.finish();
  EXPECT_EQ(b.session().lines[2], "A missing @1 x1 gap");
  EXPECT_TRUE(b.session().lacks_end[0]);
  EXPECT_EQ(b.codes(), "CA-01");
}

TEST_F(EndOfAssociation, AHoleThatShutdownProvesReceivedIsTheCaptures) {
  (void)b.segment(kA, 0, 1);
  b.send(kA, {b.segment(kA, 0, 2)});
  b.send(kA, {shutdown_chunk(b, kA)});
  EXPECT_EQ(b.session().lines[2], "A missing @1 x1 gap");
  b.finish();
  EXPECT_EQ(b.codes(), "CA-01");
}

TEST_F(EndOfAssociation, OfSeveralSessionsAnyMayLackItsEnd) {
  b.establish(1);
  b.establish(2);
  b.send(kA, {b.control(kA, 2, 1, 4)});
  (void)b.segment(kA, 1, 1);
  b.send(kB, {b.sack(kB)});
  b.finish();
  EXPECT_TRUE(b.session(0).lacks_end[0]);
  EXPECT_TRUE(b.session(1).lacks_end[0]);
  EXPECT_FALSE(b.session(2).lacks_end[0]) << "nothing of this side follows its Session Terminate";
  EXPECT_EQ(b.session(0).lines.size(), 3u) << "nothing shows which session it belonged to";
  EXPECT_EQ(b.codes(), "CA-01");
}

TEST_F(EndOfAssociation, AGapThatWasReportedIsNotReportedAgain) {
  b.establish(1);
  (void)b.segment(kA, 1, 1);
  b.send(kA, {b.segment(kA, 1, 2)});
  b.send(kB, {b.sack(kB)});
  b.finish();
  EXPECT_FALSE(b.session(0).lacks_end[0]) << "what was lost was of the other session";
  EXPECT_FALSE(b.session(1).lacks_end[0]);
  EXPECT_EQ(b.codes(), "CA-01");
}

TEST_F(EndOfAssociation, WhatTheNetworkLostBeforeAnAbortIsNoCaptureGap) {
  (void)b.segment(kA, 0, 1);
  b.establish(1);
  b.send(kA, {wire::write(wire::Abort{})});
  EXPECT_EQ(b.codes(), "SC-25 CA-01") << "the Accept's SACK shows that it was received";
  Bench other;
  other.open();
  other.establish();
  (void)other.segment(kA, 0, 1);
  other.send(kA, {other.control(kA, 1, 0, 1)});
  other.send(kA, {wire::write(wire::Abort{})});
  EXPECT_EQ(other.codes(), "SC-25");
  EXPECT_TRUE(other.session().lacks_end[0]);
}

// For a side that is not in the capture at all nothing is known to be missing.
TEST(OneSide, OfItsSessionsNoEndIsMissed) {
  Bench b(false);
  b.send(kA, {b.init(kA)});
  b.send(kA, {Ends::chunk(wire::ChunkType::cookie_echo)});
  b.ask();
  b.send(kA, {b.sack(kA), b.segment(kA, 0, 1)});
  b.send(kA, {b.sack(kA), b.control(kA, 0, 2, 4)});
  b.send(kA, {shutdown_chunk(b, kA)});
  b.send(kA, {Ends::chunk(wire::ChunkType::shutdown_complete)});
  EXPECT_EQ(b.session().lacks_end, (std::array<bool, 2>{false, false}));
  EXPECT_EQ(b.codes(), "");
}

// ---- a session that another follows ----

/// A second session whose Initiate the capture lacks, on the stream of the first.
class AnotherSession : public EndOfAssociation {
 protected:
  AnotherSession() {
    b.send(kA, {b.segment(kA, 0, 1), b.segment(kA, 0, 2)});
    b.send(kB, {b.sack(kB), b.segment(kB, 0, 1)});
    b.send(kA, {b.sack(kA)});
    (void)b.control(kA, 0, 0, 1);
  }
  const std::string first_ = "A code 1 @0\nB code 2 @0\nA segment @1\nA segment @2\nB segment @1\n";
};

TEST_F(AnotherSession, IsShownByItsAccept) {
  b.send(kB, {b.sack(kB), b.control(kB, 0, 0, 2)});
  b.send(kA, {b.sack(kA), b.segment(kA, 0, 1)});
  b.send(kB, {b.sack(kB), b.segment(kB, 0, 1)});
  b.finish();
  ASSERT_EQ(b.sink.sessions.size(), 2u);
  EXPECT_EQ(b.text(0), first_ + "whole ended reused\n");
  EXPECT_TRUE(b.session(0).lacks_end[0]);
  EXPECT_EQ(b.text(1), "B code 2 @0\nA missing @0 x1 gap\nA segment @1\nB segment @1\nwhole ended capture end\n");
  EXPECT_TRUE(b.session(1).start.joined);
  EXPECT_EQ(b.codes(), "CA-01");
}

TEST_F(AnotherSession, IsShownByADdpSsnThatWasUsed) {
  b.send(kB, {b.sack(kB)});
  b.send(kA, {b.segment(kA, 0, 1)});
  b.send(kB, {b.sack(kB), b.control(kB, 0, 0, 2)});
  b.send(kA, {b.sack(kA), b.segment(kA, 0, 2)});
  b.finish();
  ASSERT_EQ(b.sink.sessions.size(), 2u);
  EXPECT_EQ(b.text(0), first_ + "whole ended reused\n");
  EXPECT_EQ(b.text(1), "A segment @1\nB code 2 @0\nA segment @2\nwhole ended capture end\n");
  EXPECT_EQ(b.codes(), "CA-01");
}

TEST_F(EndOfAssociation, ADdpSsnUsedTwiceWhereNothingIsMissingIsNoOtherSession) {
  b.send(kB, {b.control(kB, 0, 0, 2)});
  b.send(kA, {b.segment(kA, 0, 1)});
  b.send(kA, {b.segment(kA, 0, 1)});
  b.finish();
  EXPECT_EQ(b.sink.sessions.size(), 1u);
  EXPECT_EQ(b.codes(), "SC-04 SC-04");
}

// As the kernel sends: the SACK of the last message in the packet of the next session's first one.
TEST(NextSession, WhoseInitiateOvertakesTheRejectThatItAcknowledges) {
  Bench b;
  b.open();
  b.send(kA, {b.control(kA, 0, 0, 5, Buffer(4))});
  const Packet reject = b.packet(kB, {b.sack(kB), b.control(kB, 0, 0, 7, Buffer(4))});
  b.send(kA, {b.sack(kA), b.control(kA, 0, 0, 1)});
  b.feed(kB, reject);
  b.send(kB, {b.sack(kB), b.control(kB, 0, 0, 2)});
  b.finish();
  ASSERT_EQ(b.sink.sessions.size(), 2u);
  EXPECT_EQ(b.text(1), "A code 1 @0\nB code 2 @0\nwhole ended capture end\n");
  EXPECT_EQ(b.codes(), "");
}

// Its own Reject and the next session's Initiate were not captured.
TEST_F(Asked, WhoseRejectIsNotTheAnswerOfTheOneBefore) {
  (void)b.control(kB, 0, 0, 3);
  (void)b.control(kA, 0, 0, 5, Buffer(4));
  b.send(kB, {b.sack(kB), b.control(kB, 0, 0, 7, Buffer(4))});
  b.send(kA, {b.sack(kA)});
  b.finish();
  EXPECT_EQ(b.codes().find("SC-12"), std::string::npos) << b.codes();
}

}  // namespace
}  // namespace iwarpscope::sctp::test
