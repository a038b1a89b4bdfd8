// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Rules about the sequence of a session, each raised and nearly raised: SC-08, SC-09, SC-11, SC-19.
#include "kit.h"

namespace iwarpscope::sctp::test {
namespace {

TEST_F(Opened, SC08ASecondAccept) {
  b.send(kB, {b.control(kB, 0, 1, 2)});
  EXPECT_EQ(codes(), "SC-08");
  EXPECT_EQ(b.last().direction, kB);
}

TEST_F(Opened, SC08ASegmentBehindTheSendersTerminate) {
  b.send(kA, {b.control(kA, 0, 1, 4)});
  b.send(kA, {b.segment(kA, 0, 2)});
  EXPECT_EQ(codes(), "SC-08");
  EXPECT_EQ(b.session().lines.back(), "whole ended terminated by A");
}

TEST_F(Opened, SC08ASegmentThatOvertookTheTerminateBeforeIt) {
  const Buffer terminate = b.control(kA, 0, 1, 4);
  b.send(kA, {b.segment(kA, 0, 2)});
  b.send(kA, {terminate});
  EXPECT_EQ(codes(), "SC-08 SC-22");
}

TEST_F(Asked, SC08ASegmentBehindTheSendersReject) {
  b.send(kB, {b.sack(kB), b.control(kB, 0, 0, 3)});
  b.send(kB, {b.segment(kB, 0, 1)});
  b.finish();
  ASSERT_EQ(b.codes(), "SC-08");
  EXPECT_EQ(b.last().text, "A DDP segment with DDP-SSN 1 follows its sender's Session Reject on stream 0.");
}

TEST_F(Opened, SC08TheOtherSideMayGoOnBehindATerminate) {
  b.send(kA, {b.control(kA, 0, 1, 4)});
  b.send(kB, {b.segment(kB, 0, 1)});
  b.send(kB, {b.control(kB, 0, 2, 4)});
  EXPECT_EQ(codes(), "");
}

TEST(SC08, NotForAnAnswerWhoseInitiateWasNotSeen) {
  Bench b;
  b.open();
  b.send(kB, {b.control(kB, 0, 0, 2)});
  b.send(kA, {b.sack(kA)});
  b.pass(4000);
  b.acknowledge();
  b.finish();
  EXPECT_EQ(b.codes(), "");
  EXPECT_EQ(b.session().lines[0], "B code 2 @0");
}

TEST(SC08, AnAcceptThatTheMirrorShowsBeforeItsInitiate) {
  Bench b;
  b.open();
  const Packet initiate = b.packet(kA, {b.control(kA, 0, 0, 1)});
  b.send(kB, {b.control(kB, 0, 0, 2)});
  b.feed(kA, initiate);
  b.acknowledge();
  b.finish();
  EXPECT_EQ(b.text(), "A code 1 @0\nB code 2 @0\nwhole ended capture end\n");
  EXPECT_EQ(b.codes(), "");
}

TEST_F(Asked, SC08NotForAnotherInitiateBeforeAnAnswerWasSeen) {
  b.acknowledge();
  b.ask();
  b.finish();
  EXPECT_EQ(b.codes(), "");
  EXPECT_EQ(b.text(0), "A code 1 @0\nwhole ended reused by A\n");
}

TEST_F(Asked, SC08NotWhereTheCaptureLostTheAnswer) {
  (void)b.control(kB, 0, 0, 3);
  b.acknowledge();
  b.ask();
  b.finish();
  EXPECT_EQ(b.codes(), "CA-01");
}

TEST_F(Asked, RejectedAndRefusedAndOpenedAgain) {
  b.send(kB, {b.sack(kB), b.control(kB, 0, 0, 3)});
  b.send(kA, {b.sack(kA), b.control(kA, 0, 0, 1)});
  b.send(kB, {b.sack(kB), b.control(kB, 0, 0, 4)});
  b.send(kA, {b.sack(kA), b.control(kA, 0, 0, 1)});
  b.send(kB, {b.sack(kB), b.control(kB, 0, 0, 2)});
  b.finish();
  ASSERT_EQ(b.sink.sessions.size(), 3u);
  EXPECT_EQ(b.text(0), "A code 1 @0\nB code 3 @0\nwhole ended rejected by B\n");
  EXPECT_EQ(b.text(1), "A code 1 @0\nB code 4 @0\nwhole ended refused by B\n");
  EXPECT_EQ(b.codes(), "");
}

TEST_F(Asked, SC09ThePassiveSidesSegmentInPlaceOfItsAccept) {
  b.send(kB, {b.sack(kB), b.segment(kB, 0, 0)});
  b.send(kB, {b.segment(kB, 0, 1)});
  b.finish();
  EXPECT_EQ(b.codes(), "SC-09");
  EXPECT_EQ(b.last().direction, kB);
}

TEST_F(Asked, SC09ThePassiveSidesSegmentOvertakesItsAccept) {
  const Buffer accept = b.control(kB, 0, 0, 2);
  b.send(kB, {b.sack(kB), b.segment(kB, 0, 1)});
  b.send(kB, {accept});
  b.finish();
  EXPECT_EQ(b.text(), "A code 1 @0\nB code 2 @0\nB segment @1\nwhole ended capture end\n");
  EXPECT_EQ(b.codes(), "SC-22");
}

// Every chunk from the first one on is here: there was no Initiate.
TEST(SC09, ASessionWithoutAnInitiate) {
  for (const std::uint16_t ssn : {std::uint16_t{0}, std::uint16_t{3}}) {
    Bench b;
    b.open();
    b.send(kA, {b.segment(kA, 4, ssn)});
    b.send(kB, {b.sack(kB)});
    b.pass(4000);
    b.acknowledge();
    b.finish();
    EXPECT_EQ(b.codes(), "SC-09");
    EXPECT_EQ(b.last().direction, kA);
    EXPECT_EQ(b.session().lines[0], "A segment @" + std::to_string(ssn));
    EXPECT_FALSE(b.session().start.joined);
    EXPECT_FALSE(b.session().start.asked);
  }
}

TEST(SC09, NeitherSideAskedAndBothSent) {
  Bench b;
  b.open();
  b.send(kA, {b.segment(kA, 4, 0)});
  b.send(kB, {b.sack(kB), b.segment(kB, 4, 0)});
  b.pass(4000);
  b.acknowledge();
  b.finish();
  ASSERT_EQ(b.codes(), "SC-09 SC-09");
  EXPECT_EQ(b.sink.findings()[0].direction, kA);
  EXPECT_EQ(b.last().direction, kB);
}

TEST(SC09, NotBeforeItIsSettledThatNoInitiateComes) {
  Bench b;
  b.open();
  const Packet initiate = b.packet(kA, {b.control(kA, 4, 0, 1)});
  b.send(kA, {b.segment(kA, 4, 1)});
  b.send(kB, {b.sack(kB)});
  b.pass(1000);
  b.feed(kA, initiate);
  b.finish();
  EXPECT_EQ(b.codes(), "");
}

TEST(SC09, NotForASegmentThatNoEndAcknowledged) {
  Bench b;
  b.open();
  b.send(kB, {b.control(kB, 0, 0, 1)});
  b.send(kA, {b.sack(kA), b.segment(kA, 4, 0)});
  b.pass(4000);
  b.send(kA, {b.sack(kA)});
  b.finish();
  EXPECT_EQ(b.codes(), "");
}

TEST(SC09, NotWhereTheCaptureBeganLater) {
  Bench b(false);
  b.send(kA, {b.segment(kA, 4, 0)});
  b.send(kB, {b.sack(kB)});
  b.pass(4000);
  b.acknowledge();
  b.finish();
  EXPECT_EQ(b.codes(), "");
  EXPECT_TRUE(b.session().start.joined);
}

TEST(SC09, NotWhereATsnIsMissing) {
  Bench b;
  b.open();
  (void)b.control(kA, 4, 0, 1);
  b.send(kA, {b.segment(kA, 4, 1)});
  b.pass(4000);
  b.acknowledge();
  b.finish();
  EXPECT_EQ(b.codes(), "");
}

TEST_F(Opened, SC11ShutDownWithoutATerminate) {
  b.shut_down();
  EXPECT_EQ(b.codes(), "SC-11");
  EXPECT_EQ(b.session().lines.back(), "whole ended shutdown by A");
}

TEST_F(Opened, SC11ReusedWithoutATerminate) {
  b.establish();
  EXPECT_EQ(codes(), "SC-11");
}

// After a reset of its TSNs what its sender says is not followed. Source: RFC 6525 §5.2.4.
TEST_F(Opened, SC11NotBehindATsnThatFitsNothing) {
  b.tsn[0] += 0x80000000U;
  b.send(kA, {b.control(kA, 0, 1, 4)});
  b.shut_down();
  EXPECT_EQ(b.codes(), "");
  EXPECT_TRUE(b.session().lacks_end[0]);
}

TEST_F(Opened, SC11OneTerminateIsEnough) {
  b.send(kB, {b.control(kB, 0, 1, 4)});
  b.acknowledge();
  b.shut_down();
  EXPECT_EQ(b.codes(), "");
  EXPECT_EQ(b.session().lines.back(), "whole ended terminated by B");
}

TEST_F(Opened, SC11NotWhereTheCaptureLostMessages) {
  (void)b.control(kB, 0, 1, 4);
  b.acknowledge();
  b.shut_down();
  EXPECT_EQ(b.codes(), "CA-01");
}

// The hole before the new Initiate may have been the Session Terminate.
TEST_F(Opened, SC11NotWhereAChunkIsAwaited) {
  (void)b.control(kA, 0, 1, 4);
  b.ask();
  EXPECT_TRUE(b.session().lacks_end[0]);
  EXPECT_EQ(codes(), "");
}

TEST_F(Asked, SC19BothSidesAsk) {
  b.send(kB, {b.control(kB, 0, 0, 1)});
  b.acknowledge();
  b.finish();
  EXPECT_EQ(b.codes(), "SC-19");
  EXPECT_EQ(b.sink.sessions.size(), 1u);
}

TEST_F(Asked, SC19BothSidesAskOnStreamsOfTheirOwn) {
  b.send(kB, {b.control(kB, 1, 0, 1)});
  b.acknowledge();
  b.finish();
  EXPECT_EQ(b.codes(), "");
}

}  // namespace
}  // namespace iwarpscope::sctp::test
