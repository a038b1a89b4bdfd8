// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Each DD rule about tagged messages, mixtures and ends raised, and a near miss of it.
#include <gtest/gtest.h>

#include "support.h"

namespace iwarpscope::ddp::test {
namespace {

TEST(DdpStag, ChangedWithinAMessageIsRaisedOnce) {
  Line line;
  line.send(T{.last = false}).send(T{.stag = 0x99, .to = 0x1064, .last = false}).send(T{.to = 0x10c8}).finish();
  EXPECT_EQ(line.codes(), "DD-16");
  EXPECT_EQ(line.out.ends.size(), 1u);
}
TEST(DdpStag, ChangedFromMessageToMessageIsNotRaised) {
  Line line;
  line.send(T{}).send(T{.stag = 0x99, .to = 0x1064}).finish();
  EXPECT_EQ(line.codes(), "");
}

TEST(DdpTo, HoleAndOverlapAreRaised) {
  Line line;
  line.send(T{.last = false}).send(T{.to = 0x2000}).send(T{.last = false}).send(T{.to = 0x1000}).finish();
  EXPECT_EQ(line.codes(), "DD-17 DD-17");
  EXPECT_EQ(line.out.findings.at(0).expected, "0x0000000000001064");
}
TEST(DdpTo, PlainJumpFromMessageToMessageIsNotRaised) {
  Line line;
  line.send(T{}).send(T{.to = 0x9000}).finish();
  EXPECT_EQ(line.codes(), "");
}

TEST(DdpTo, PassingTheEndOf64BitsIsRaised) {
  Line line;
  line.send(T{.to = ~std::uint64_t{0} - 98, .octets = 100}).finish();
  EXPECT_EQ(line.codes(), "DD-18");
}
TEST(DdpTo, EndingAtTheEndOf64BitsIsNotRaised) {
  Line line;
  line.send(T{.to = ~std::uint64_t{0} - 99, .octets = 100}).send(T{.to = ~std::uint64_t{0}, .octets = 0}).finish();
  EXPECT_EQ(line.codes(), "");
}

TEST(DdpInterleaved, TwoTaggedMessagesAreRaisedOnce) {
  Line line;
  line.send(T{.last = false}).send(T{.stag = 9, .to = 0x70, .last = false}).send(T{.to = 0x1064});
  line.send(T{.stag = 9, .to = 0xd4}).finish();
  EXPECT_EQ(line.codes(), "DD-19");
  EXPECT_FALSE(line.out.ends.at(0).complete);
  EXPECT_EQ(line.out.findings.at(0).message, 0u);
}
TEST(DdpInterleaved, NewMessageOfAQueueBeforeTheLastFlagIsRaised) {
  Line line;
  line.send(U{.last = false}).send(U{.msn = 2}).send(U{.msn = 3}).finish();
  EXPECT_EQ(line.codes(), "DD-19");
  ASSERT_EQ(line.out.ends.size(), 3u);
  EXPECT_FALSE(line.out.ends[0].complete);
  EXPECT_TRUE(line.out.ends[1].complete);
}
TEST(DdpInterleaved, PartsOfEqualSizeInTurnAreRaisedOnce) {
  Line line;
  line.send(U{.last = false}).send(U{.msn = 2, .last = false}).send(U{.mo = 100}).send(U{.msn = 2, .mo = 100});
  line.send(U{.msn = 3}).finish();
  EXPECT_EQ(line.codes(), "DD-19");
}
TEST(DdpInterleaved, LaterMessageThatEndsFirstIsRaisedOnce) {
  Line line;
  line.send(U{.last = false}).send(U{.msn = 2, .last = false}).send(U{.msn = 2, .mo = 100}).send(U{.mo = 100});
  line.send(U{.msn = 3}).finish();
  EXPECT_EQ(line.codes(), "DD-19");
}
TEST(DdpInterleaved, NewMessageAfterAGapIsNotRaised) {
  Line line;
  line.send(T{.last = false}).send(T{.stag = 9, .to = 0x70}, {.after_gap = true}).finish();
  EXPECT_EQ(line.codes(), "");
}

TEST(DdpModelsInterleaved, SendInsideAReadResponseIsRaisedOnce) {
  Line line;
  line.send(T{.last = false, .opcode = 2}).send(U{}).send(U{.msn = 2}).send(T{.to = 0x1064, .opcode = 2}).finish();
  EXPECT_EQ(line.codes(), "DD-20");
  EXPECT_EQ(line.out.ends.size(), 3u);
  for (const MessageEnd& end : line.out.ends) EXPECT_TRUE(end.complete);
}
TEST(DdpModelsInterleaved, WriteInsideASendIsRaised) {
  Line line;
  line.send(U{.last = false}).send(T{}).send(U{.mo = 100}).finish();
  EXPECT_EQ(line.codes(), "DD-20");
}
TEST(DdpModelsInterleaved, SendBetweenReadResponsesIsNotRaised) {
  Line line;
  line.send(T{.opcode = 2}).send(U{}).send(T{.to = 0x1064, .opcode = 2}).finish();
  EXPECT_EQ(line.codes(), "");
}

TEST(DdpUnfinished, MessageAtFinIsRaised) {
  Line line;
  line.send(T{.last = false}).finish(true);
  EXPECT_EQ(line.codes(), "DD-21");
  EXPECT_EQ(line.out.findings.at(0).frame, FrameNumber{2});
}
TEST(DdpUnfinished, MessageAtTheEndOfTheCaptureOrResetIsNot) {
  Line line;
  line.send(T{.last = false}).finish(false);
  EXPECT_EQ(line.codes(), "");
}
TEST(DdpUnfinished, MessageAtTerminateIsRaisedOnceAndTerminateIsNoMixture) {
  Line line;
  line.send(T{.last = false, .opcode = 2}).send(U{.qn = 2, .octets = 4, .opcode = 7}).finish(true);
  EXPECT_EQ(line.codes(), "DD-21");
}

TEST(DdpAfterTerminate, MessageThatGoesOnIsRaisedOnce) {
  Line line;
  line.send(T{.last = false}).send(U{.qn = 2, .octets = 4, .opcode = 7});
  line.send(T{.to = 0x1064, .last = false}).send(T{.to = 0x10C8}).finish();
  EXPECT_EQ(line.codes(), "DD-21 DD-22");
  EXPECT_EQ(line.out.findings.at(1).message, 0u);
}
TEST(DdpAfterTerminate, MessageOfItsOwnIsForRdmapToTell) {
  Line line;
  line.send(U{.qn = 2, .octets = 4, .opcode = 7}).send(U{}).send(T{}).finish();
  EXPECT_EQ(line.codes(), "");
}
TEST(DdpTerminate, FirstMsnIsForRdmapToTell) {
  Line line;
  line.send(U{.qn = 2, .msn = 2, .octets = 4, .opcode = 7}).finish();
  EXPECT_EQ(line.codes(), "");
  EXPECT_EQ(line.out.segments.at(0).expected_msn, MessageSequence{1});
}
TEST(DdpAtomicResponse, MsnIsForRdmapToTell) {
  Line line;
  line.send(U{.qn = 3, .msn = 2, .octets = 12, .opcode = 11}).send(U{.qn = 3, .msn = 4, .octets = 12, .opcode = 11});
  EXPECT_EQ(line.codes(), "");
  EXPECT_EQ(line.out.segments.at(0).expected_msn, MessageSequence{1});
  EXPECT_EQ(line.out.segments.at(1).expected_msn, MessageSequence{3});
}
TEST(DdpExpectedMsn, IsUnknownBehindAGap) {
  Line line;
  line.send(U{}).send(U{.msn = 7}, {.after_gap = true}).send(U{.msn = 8});
  EXPECT_FALSE(line.out.segments.at(1).expected_msn.has_value());
  EXPECT_EQ(line.out.segments.at(2).expected_msn, MessageSequence{8});
}

TEST(DdpAfterTerminate, TerminateThatComesLastIsRight) {
  Line line;
  line.send(U{}).send(U{.qn = 2, .octets = 4, .opcode = 7}).finish();
  EXPECT_EQ(line.codes(), "");
}
TEST(DdpAfterTerminate, TerminateWithABadCrcProvesNothing) {
  Line line;
  line.send(U{.qn = 2, .octets = 4, .opcode = 7}, {.intact = false}).send(U{}).finish();
  EXPECT_EQ(line.codes(), "");
}
TEST(DdpAfterTerminate, SecondSegmentOfTheTerminateItselfIsNotMeant) {
  Line line;
  line.send(U{.qn = 2, .octets = 4, .last = false, .opcode = 7}).send(U{.qn = 2, .mo = 4, .octets = 4, .opcode = 7});
  line.finish();
  EXPECT_EQ(line.codes(), "");
}

TEST(DdpFinding, CarriesDirectionMessageFramesTimeAndOffset) {
  Recorder out;
  Reassembler in{Direction::b_to_a, out, out};
  Carrier c;
  c.offset = StreamOffset{4711};
  c.first_frame = FrameNumber{5};
  c.last_frame = FrameNumber{9};
  c.delivery_frame = FrameNumber{9};
  c.delivered_time = TimePoint{99};
  const auto octets = ulpdu(U{.msn = 3});
  in.ulpdu(c, octets, static_cast<std::uint32_t>(octets.size()));
  ASSERT_EQ(out.codes(), "DD-06");
  const findings::Finding& f = out.findings[0];
  EXPECT_EQ(f.direction, Direction::b_to_a);
  EXPECT_EQ(f.message, 0u);
  EXPECT_EQ(f.frame, FrameNumber{9});
  EXPECT_EQ(f.frames, (std::vector{FrameNumber{5}, FrameNumber{9}}));
  EXPECT_EQ(f.time, TimePoint{99});
  EXPECT_EQ(f.offset, StreamOffset{4711});
  EXPECT_EQ(f.seen, "3");
  EXPECT_EQ(f.text, "The first message on QN 0 (Send) has MSN 3.");
}

}  // namespace
}  // namespace iwarpscope::ddp::test
