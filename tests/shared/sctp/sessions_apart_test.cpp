// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Where chunks are missing, messages of two sessions of a stream are separated; and what is certain all the same.
#include "kit.h"

namespace iwarpscope::sctp::test {
namespace {

/// A Bench whose association lost chunks: B's INIT ACK is there, A's side is not.
class TwoSessions : public ::testing::Test {
 protected:
  TwoSessions() {
    b.send(kB, {b.init(kB)});
    b.send(kB, {b.chunk(wire::ChunkType::cookie_ack)});
  }
  void lose(const Buffer&) {}
  [[nodiscard]] std::size_t segments(std::size_t session) const {
    std::size_t count = 0;
    for (const std::string& line : b.sink.sessions.at(session)->lines) count += line.find(" segment") != line.npos;
    return count;
  }
  Bench b;
};

// Its DDP-SSN is the one that is missing in the session before.
TEST_F(TwoSessions, AMessageBehindATerminateFillsNoHoleBeforeIt) {
  b.send(kB, {b.control(kB, 0, 0, 2)});
  lose(b.segment(kB, 0, 1));
  b.send(kB, {b.segment(kB, 0, 2)});
  b.send(kB, {b.control(kB, 0, 3, 4)});
  b.send(kB, {b.control(kB, 0, 0, 2)});
  b.send(kB, {b.segment(kB, 0, 1)});
  b.finish();
  ASSERT_EQ(b.sink.sessions.size(), 2u);
  EXPECT_EQ(segments(0), 1u);
  EXPECT_EQ(segments(1), 1u);
}

// The chunk that is missing comes late: it still has its place.
TEST_F(TwoSessions, WhatIsMissingBeforeATerminateMayComeLate) {
  b.send(kB, {b.control(kB, 0, 0, 2)});
  const Buffer late = b.segment(kB, 0, 1);
  b.send(kB, {b.segment(kB, 0, 2)});
  b.send(kB, {b.control(kB, 0, 3, 4)});
  b.send(kB, {b.control(kB, 0, 0, 2)});
  b.send(kB, {late});
  b.finish();
  ASSERT_EQ(b.sink.sessions.size(), 2u);
  EXPECT_EQ(segments(0), 2u);
  EXPECT_EQ(segments(1), 0u);
}

// The Terminate is missing too, and so is the next session's Accept: only the order of TSNs shows it.
TEST_F(TwoSessions, ALowerDdpSsnWithAHigherTsnIsOfAnotherSession) {
  b.send(kB, {b.control(kB, 0, 0, 2)});
  lose(b.segment(kB, 0, 1));
  b.send(kB, {b.segment(kB, 0, 2)});
  lose(b.control(kB, 0, 3, 4));
  lose(b.control(kB, 0, 0, 2));
  b.send(kB, {b.segment(kB, 0, 1)});
  b.finish();
  ASSERT_EQ(b.sink.sessions.size(), 2u);
  EXPECT_EQ(segments(0), 1u);
  EXPECT_EQ(segments(1), 1u);
  EXPECT_EQ(b.codes(), "");
}

// ---- an answer that comes before its Initiate: what its sender had received shows which is which ----

TEST(AnswerFirst, OfASenderThatHadMoreThanTheInitiateMayBeToAnother) {
  for (const bool more : {false, true}) {
    Bench b(false);
    const Buffer initiate = b.control(kA, 0, 0, 1);
    if (more) {  // not captured
      (void)b.control(kA, 0, 1, 4);
      (void)b.control(kA, 0, 0, 1);
    }
    b.send(kB, {b.sack(kB), b.control(kB, 0, 0, 2)});
    b.send(kA, {initiate});
    EXPECT_EQ(b.text().find("missing") != std::string::npos, more) << b.text();
  }
}

/// A session that both sides terminated, before others on its stream.
class AnotherOnItsStream : public ::testing::Test {
 protected:
  AnotherOnItsStream() {
    b.open();
    b.establish();
    b.send(kA, {b.sack(kA), b.control(kA, 0, 1, 4)});
    b.send(kB, {b.sack(kB), b.control(kB, 0, 1, 4)});
    b.send(kA, {b.sack(kA)});
  }
  Bench b;
};

// A chunk of another stream is missing, so that an Initiate may be missing as well.
TEST_F(AnotherOnItsStream, IsOfTheInitiateThatTheSenderOfTheAnswerHad) {
  (void)b.segment(kA, 1, 0);
  const Buffer initiate = b.control(kA, 0, 0, 1);
  b.send(kB, {b.sack(kB), b.control(kB, 0, 0, 2)});
  b.send(kB, {b.segment(kB, 0, 1)});
  b.send(kA, {initiate});
  b.finish();
  ASSERT_EQ(b.sink.sessions.size(), 2u);
  EXPECT_EQ(b.text(1), kOpened + "B segment @1\nwhole ended capture end\n");
  EXPECT_EQ(b.codes(), "CA-01");
}

TEST_F(AnotherOnItsStream, EachAnswerIsOfItsInitiate) {
  const Buffer refused = b.control(kA, 0, 0, 1), accepted = b.control(kA, 0, 0, 1);
  b.send(kB, {b.sack(kB, 1), b.control(kB, 0, 0, 3)});
  b.send(kB, {b.sack(kB), b.control(kB, 0, 0, 2)});
  b.send(kA, {refused});
  b.send(kA, {accepted});
  b.finish();
  ASSERT_EQ(b.sink.sessions.size(), 3u);
  EXPECT_EQ(b.text(1), "A code 1 @0\nB code 3 @0\nwhole ended rejected by B\n");
  EXPECT_EQ(b.text(2), kOpened + "whole ended capture end\n");
}

// The session before was met in its middle.
TEST(AnswerFirst, AnInitiateBehindMessagesOfItsSenderBeginsAnother) {
  Bench b(false);
  const Buffer terminate = b.control(kA, 0, 3, 4), initiate = b.control(kA, 0, 0, 1);
  b.send(kB, {b.control(kB, 0, 0, 2)});
  b.send(kB, {b.sack(kB, 1), b.control(kB, 0, 1, 4)});
  b.send(kA, {terminate});
  b.send(kB, {b.sack(kB), b.control(kB, 0, 0, 2)});
  b.send(kA, {initiate});
  b.send(kA, {b.segment(kA, 0, 1)});
  b.finish();
  ASSERT_EQ(b.sink.sessions.size(), 2u);
  EXPECT_EQ(b.text(1), kOpened + "A segment @1\nwhole ended capture end\n");
  EXPECT_EQ(b.codes(), "");
}

// Where nothing is missing the sender's order of TSNs is its own affair.
TEST(OneSession, NothingIsMissingAndTsnsAreInAnotherOrderThanDdpSsns) {
  Bench b;
  b.open();
  b.establish();
  const Buffer second = b.segment(kA, 0, 2), first = b.segment(kA, 0, 1);
  b.send(kA, {second});
  b.send(kA, {first});
  b.acknowledge();
  b.finish();
  ASSERT_EQ(b.sink.sessions.size(), 1u);
  EXPECT_EQ(b.session().lines[2], "A segment @1");
  EXPECT_EQ(b.session().lines[3], "A segment @2");
}

// ---- SC-04, SC-08, SC-09: met with an ABORT, or in a session met in its middle ----

TEST(Met, SC04OneLeftOutThatTheReceiverMetWithAnAbort) {
  Bench b;
  b.open();
  b.establish();
  b.send(kA, {b.segment(kA, 0, 1)});
  b.send(kA, {b.segment(kA, 0, 3)});
  b.send(kB, {b.chunk(wire::ChunkType::abort)});
  EXPECT_EQ(b.codes(), "SC-25 SC-04");
  EXPECT_EQ(b.session().statistics[0].gap_messages, 0u) << "it was never sent";
}

TEST(Met, SC04NotWhereItsOwnSenderAborts) {
  Bench b;
  b.open();
  b.establish();
  b.send(kA, {b.segment(kA, 0, 1)});
  b.send(kA, {b.segment(kA, 0, 3)});
  b.send(kA, {b.chunk(wire::ChunkType::abort)});
  EXPECT_EQ(b.codes(), "SC-25");
}

TEST(Met, SC04NotWhereATsnIsMissing) {
  Bench b;
  b.open();
  b.establish();
  b.send(kA, {b.segment(kA, 0, 1)});
  (void)b.segment(kA, 0, 2);
  b.send(kA, {b.segment(kA, 0, 3)});
  b.send(kB, {b.chunk(wire::ChunkType::abort)});
  EXPECT_EQ(b.codes(), "SC-25");
}

TEST(Met, SC04InASessionMetInItsMiddle) {
  for (const bool lost : {false, true}) {
    Bench b(false);
    b.send(kA, {b.segment(kA, 0, 41)});
    b.pass(250);
    b.send(kA, {b.segment(kA, 0, 42)});
    b.send(kB, {b.segment(kB, 0, 7)});
    if (lost) (void)b.segment(kA, 0, 43);
    b.send(kA, {b.segment(kA, 0, 44)});
    b.send(kB, {b.sack(kB)});
    b.finish(Ending::aborted);
    EXPECT_EQ(b.codes(), lost ? "CA-01" : "SC-04");
  }
}

TEST(Met, SC08AnAcceptInTheMiddleOfASession) {
  for (const bool lost : {false, true}) {
    Bench b(false);
    b.send(kA, {b.segment(kA, 0, 41)});
    b.pass(250);
    b.send(kA, {b.segment(kA, 0, 42)});
    b.send(kB, {b.segment(kB, 0, 7)});
    if (lost) (void)b.control(kA, 1, 0, 1);  // of another stream, perhaps
    b.send(kA, {b.control(kA, 0, 43, 2)});
    b.finish();
    EXPECT_EQ(b.codes(), lost ? "" : "SC-08");
  }
}

TEST(Met, SC09SegmentsOfNoSessionThatTheReceiverMetWithAnAbort) {
  for (const Direction aborts : {kA, kB}) {
    Bench b;
    b.open();
    b.send(kA, {b.segment(kA, 0, 0)});
    b.send(aborts, {b.chunk(wire::ChunkType::abort)});
    EXPECT_EQ(b.codes(), aborts == kB ? "SC-25 SC-09" : "SC-25");
  }
}

TEST(Met, SC09NotWhereTheFirstChunkIsMissing) {
  Bench b;
  b.open();
  (void)b.control(kA, 0, 0, 1);
  b.send(kA, {b.segment(kA, 0, 1)});
  b.send(kB, {b.chunk(wire::ChunkType::abort)});
  EXPECT_EQ(b.codes(), "SC-25");
}

// ---- what a SACK that comes late, or a message whose session comes late, says ----

TEST(Late, SC17IsNotProvenByASackOfBeforeThatTheCaptureShowsLate) {
  Bench b;
  b.limits.max_buffered_octets = 1 << 20;
  b.open();
  b.establish();
  const Packet old = b.packet(kB, {b.sack(kB)});
  for (std::uint32_t n = 1; n <= 32'768; ++n) b.send(kA, {b.segment(kA, 0, static_cast<std::uint16_t>(n), 0)});
  b.feed(kB, old);
  b.finish();
  EXPECT_EQ(b.codes(), "");
}

TEST(Late, AnEndThatSacksShowToHaveBeenSentBeforeTheFirstChunkSeen) {
  for (const bool advances : {false, true}) {
    Bench b(false);
    const Buffer accept = b.control(kB, 0, 0, 2), segment = b.segment(kB, 0, 1);
    b.send(kA, {b.control(kA, 0, 0, 1)});
    if (advances) b.send(kA, {b.sack(kA, 1)});
    b.send(kA, {b.sack(kA)});
    b.send(kB, {b.control(kB, 1, 0, 1)});
    b.send(kA, {b.control(kA, 0, 1, 4)});
    b.finish(Ending::shutdown);
    EXPECT_EQ(b.session().lacks_end[1], advances);
  }
}

}  // namespace
}  // namespace iwarpscope::sctp::test
