// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Each DD rule raised, and a near miss of it.
#include <gtest/gtest.h>

#include "support.h"

namespace iwarpscope::ddp::test {
namespace {

TEST(DdpHeaderShort, TaggedOf13AndUntaggedOf17OctetsAreRaised) {
  Line line;
  line.octets(synth::hex("c1 40 00001234 00000000000010"));                     // 13 octets
  line.octets(synth::hex("41 43 00000000 00000000 00000001 000000")).finish();  // 17 octets
  EXPECT_EQ(line.codes(), "DD-01 DD-01");
  EXPECT_EQ(line.out.findings.at(0).expected, "14");
  EXPECT_EQ(line.out.findings.at(1).seen, "17");
  EXPECT_EQ(line.out.undecodables, 2u);
  EXPECT_TRUE(line.out.segments.empty());
}
TEST(DdpHeaderShort, HeadersAloneAreLongEnough) {
  Line line;
  line.send(T{.octets = 0}).send(U{.octets = 0}).finish();
  EXPECT_EQ(line.codes(), "");
}
TEST(DdpHeaderShort, LengthOfADamagedFpduIsNotJudged) {
  Line line;
  line.octets(synth::hex("c1 40 00"), {.intact = false}).finish();
  EXPECT_EQ(line.codes(), "");
  EXPECT_EQ(line.out.undecodables, 1u);
}

TEST(DdpVersion, ChangeWithinTheDirectionIsRaisedAtEachChange) {
  Line line;
  line.send(U{}).send(U{.msn = 2, .version = 0}).send(U{.msn = 3, .version = 0}).send(U{.msn = 4}).finish();
  EXPECT_EQ(line.codes(), "DD-02 DD-02");
  EXPECT_EQ(line.out.findings.at(0).message, 1u);
}
TEST(DdpVersion, ZeroThroughoutWithoutAKnownStartupIsNotJudged) {
  Line line;
  line.send(U{.version = 0}, {.after_gap = true}).send(T{.version = 0}).finish();
  EXPECT_EQ(line.codes(), "");
}
TEST(DdpVersion, OtherThanNegotiatedIsRaised) {
  Line line;
  line.in.set_version(1);
  line.send(U{.version = 0}).finish();
  EXPECT_EQ(line.codes(), "DD-03");
}
TEST(DdpVersion, UndefinedIsRaisedAndNothingElseOfThatSegment) {
  Line line;
  line.send(T{.version = 2, .reserved = 1}).send(U{.msn = 40, .version = 3}).send(U{.msn = 41}).finish();
  EXPECT_EQ(line.codes(), "DD-03 DD-04 DD-03");
  EXPECT_EQ(line.out.segments.size(), 3u);
  EXPECT_EQ(line.in.version(), 1);
}

TEST(DdpReservedBits, SetAreRaisedWithTheirValue) {
  Line line;
  line.send(U{.reserved = 8}).send(U{.msn = 2}).finish();
  EXPECT_EQ(line.codes(), "DD-04");
  EXPECT_EQ(line.out.findings.at(0).seen, "8");
}

TEST(DdpQueue, FourIsRaisedAndStandsForItself) {
  Line line;
  line.send(U{.qn = 4, .msn = 99}).send(U{.qn = 4, .msn = 3, .mo = 7}).send(U{}).finish();
  EXPECT_EQ(line.codes(), "DD-05 DD-05");
  ASSERT_EQ(line.out.ends.size(), 3u);
  EXPECT_TRUE(line.out.ends[0].complete);
  EXPECT_FALSE(line.out.ends[1].complete);
}
TEST(DdpQueue, ThreeIsAssigned) {
  Line line;
  line.send(U{.qn = 3, .opcode = 11}).finish();
  EXPECT_EQ(line.codes(), "");
}
TEST(DdpQueue, FourInTheMiddleOfAMessageDoesNotBreakTheMessage) {
  Line line;
  line.send(U{.last = false}).send(U{.qn = 4, .mo = 100, .last = false}).send(U{.mo = 200}).finish();
  EXPECT_EQ(line.codes(), "DD-05");
  EXPECT_EQ(line.out.ends.size(), 1u);
}

TEST(DdpFirstMsn, ZeroIsRaisedAndTheNextIsExpectedBehindIt) {
  Line line;
  line.send(U{.msn = 0}).send(U{.msn = 1}).finish();
  EXPECT_EQ(line.codes(), "DD-06");
  EXPECT_EQ(line.out.findings.at(0).expected, "1");
}
TEST(DdpFirstMsn, AfterAGapAnyIsTaken) {
  Line line;
  line.send(U{.msn = 0}, {.after_gap = true}).send(U{.msn = 1}).finish();
  EXPECT_EQ(line.codes(), "");
}

TEST(DdpMsn, SkippedAndRepeatedAreRaisedOnceEach) {
  Line line;
  line.send(U{}).send(U{.msn = 3}).send(U{.msn = 4}).send(U{.msn = 4}).send(U{.msn = 5}).finish();
  EXPECT_EQ(line.codes(), "DD-07 DD-07");
  EXPECT_EQ(line.out.findings.at(0).seen, "3");
  EXPECT_EQ(line.out.findings.at(0).expected, "2");
  EXPECT_EQ(line.out.findings.at(0).frame, FrameNumber{2});
}
TEST(DdpMsn, SkippedOverAGapIsNotRaised) {
  Line line;
  line.send(U{}).send(U{.msn = 3}, {.after_gap = true}).send(U{.msn = 4}).finish();
  EXPECT_EQ(line.codes(), "");
}

TEST(DdpMessageChanged, MsnInTheMiddleIsRaisedOnceAndTheMessageGoesOn) {
  Line line;
  line.send(U{.last = false}).send(U{.msn = 2, .mo = 100, .last = false}).send(U{.mo = 200}).send(U{.msn = 2});
  line.finish();
  EXPECT_EQ(line.codes(), "DD-08");
  EXPECT_EQ(line.out.ends.size(), 2u);
  EXPECT_EQ(line.out.ends[0].length, 300u);
}
TEST(DdpMessageChanged, QueueInTheMiddleIsRaised) {
  Line line;
  line.send(U{.last = false}).send(U{.qn = 1, .mo = 100, .last = false}).send(U{.mo = 200}).finish();
  EXPECT_EQ(line.codes(), "DD-08");
  EXPECT_EQ(line.out.ends.size(), 1u);
}
TEST(DdpMessageChanged, AnotherQueuesOwnMessageBetweenIsNotRaised) {
  Line line;
  line.send(U{.last = false}).send(U{.qn = 1, .opcode = 1}).send(U{.mo = 100}).finish();
  EXPECT_EQ(line.codes(), "");
}

TEST(DdpRsvdUlp, OpcodeOrInvalidateStagChangedIsRaisedOnceAMessage) {
  Line line;
  line.send(U{.last = false}).send(U{.mo = 100, .last = false, .opcode = 5}).send(U{.mo = 200, .opcode = 5});
  line.send(U{.msn = 2, .last = false, .opcode = 4, .invalidate = 7});
  line.send(U{.msn = 2, .mo = 100, .opcode = 4, .invalidate = 8});
  line.send(T{.last = false}).send(T{.to = 0x1064, .opcode = 2}).finish();
  EXPECT_EQ(line.codes(), "DD-09 DD-09 DD-09");
  EXPECT_TRUE(line.out.ends[0].complete);
}
TEST(DdpRsvdUlp, ChangedFromMessageToMessageIsNotRaised) {
  Line line;
  line.send(U{}).send(U{.msn = 2, .opcode = 5}).send(T{}).send(T{.to = 0x1064, .opcode = 2}).finish();
  EXPECT_EQ(line.codes(), "");
}

TEST(DdpFirstMo, FiveIsRaised) {
  Line line;
  line.send(U{.mo = 5}).send(U{.msn = 2}).finish();
  EXPECT_EQ(line.codes(), "DD-10");
  EXPECT_EQ(line.out.findings.at(0).seen, "5");
  EXPECT_FALSE(line.out.ends.at(0).complete);
}

TEST(DdpMo, HoleIsRaisedAtTheSegmentThatLeftIt) {
  Line line;
  line.send(U{.last = false}).send(U{.mo = 150, .last = false}).send(U{.mo = 250}).finish();
  EXPECT_EQ(line.codes(), "DD-11");
  EXPECT_EQ(line.out.findings.at(0).frame, FrameNumber{2});
  EXPECT_EQ(line.out.findings.at(0).seen, "150");
  EXPECT_EQ(line.out.findings.at(0).expected, "100");
  EXPECT_FALSE(line.out.ends.at(0).complete);
}
TEST(DdpMo, HoleBeforeTheLastSegmentIsRaised) {
  Line line;
  line.send(U{.last = false}).send(U{.mo = 150}).finish();
  EXPECT_EQ(line.codes(), "DD-11");
}
TEST(DdpMo, HoleOfAnUnfinishedMessageIsRaisedWhereItsSenderCloses) {
  Line line, cut, tagged;
  line.send(U{.last = false}).send(U{.mo = 150, .last = false}).finish();
  EXPECT_EQ(line.codes(), "DD-21 DD-11");
  // After a reset, or at the end of the capture, the octets between may have been next.
  cut.send(U{.last = false}).send(U{.mo = 150, .last = false}).finish(false);
  EXPECT_EQ(cut.codes(), "");
  EXPECT_FALSE(cut.out.ends.at(0).complete);
  tagged.send(T{.last = false}).send(T{.to = 0x2000, .last = false}).finish(false);
  EXPECT_EQ(tagged.codes(), "");
}
TEST(DdpMo, HoleOfAMessageOfWhichOctetsAreMissingIsNotRaised) {
  Line tagged, damaged, whole;  // the order is free: the missing ones may be those of the hole
  tagged.send(T{.to = 0x1100, .last = false}, {.after_gap = true}).send(T{.to = 0x1200}).finish();
  EXPECT_EQ(tagged.codes(), "");
  damaged.send(T{.to = 0x1000, .last = false}).send(T{.to = 0x1064, .last = false}, {.intact = false});
  damaged.send(T{.to = 0x1200}).finish();
  EXPECT_EQ(damaged.codes(), "");
  whole.send(T{.to = 0x1100, .last = false}).send(T{.to = 0x1200}).finish();
  EXPECT_EQ(whole.codes(), "DD-17");
}
TEST(DdpMo, OverlapIsRaisedOnceAMessage) {
  Line line;
  line.send(U{.last = false}).send(U{.mo = 50, .last = false}).send(U{.mo = 200, .last = false}).send(U{.mo = 300});
  line.finish();
  EXPECT_EQ(line.codes(), "DD-11");
}
TEST(DdpMo, HoleWithMissingOctetsBeforeItIsNotRaised) {
  Line line;
  line.send(U{.last = false}).send(U{.mo = 150}, {.after_gap = true}).finish();
  EXPECT_EQ(line.codes(), "");
}
TEST(DdpMo, HoleThatMissingOctetsMayFillIsNotRaised) {
  Line line;
  line.send(U{.last = false}).send(U{.mo = 150, .last = false}).send(U{.mo = 300}, {.after_gap = true}).finish();
  EXPECT_EQ(line.codes(), "");
}

TEST(DdpOrder, TwoSegmentsSwappedAreAWarningOnly) {
  Line line;
  line.send(U{.last = false}).send(U{.mo = 200, .last = false}).send(U{.mo = 100, .last = false}).send(U{.mo = 300});
  line.send(T{.last = false}).send(T{.to = 0x10c8, .last = false}).send(T{.to = 0x1064, .last = false});
  line.send(T{.to = 0x112c}).finish();
  EXPECT_EQ(line.codes(), "DD-12 DD-12");
  ASSERT_EQ(line.out.ends.size(), 2u);
  EXPECT_TRUE(line.out.ends[0].complete);
  EXPECT_EQ(line.out.ends[0].length, 400u);
  EXPECT_TRUE(line.out.ends[1].complete);
}
TEST(DdpOrder, TaggedSegmentsInAnyOrderAreAWarningOnly) {
  for (std::array<std::uint64_t, 3> order :
       {std::array<std::uint64_t, 3>{1, 0, 2}, {1, 2, 0}, {2, 1, 0}, {0, 2, 1}, {2, 0, 1}}) {
    Line line;
    for (const std::uint64_t part : order) line.send(T{.to = 0x1000 + 100 * part, .last = part == order[2]});
    line.send(T{.to = 0x8000}).finish();
    EXPECT_EQ(line.codes(), "DD-12") << order[0] << order[1] << order[2];
    ASSERT_EQ(line.out.ends.size(), 2u);
    EXPECT_TRUE(line.out.ends[0].complete);
    EXPECT_EQ(line.out.ends[0].length, 300u);
  }
}
TEST(DdpOrder, TwoTaggedSegmentsOfWhichTheLowerComesLast) {
  Line line;
  line.send(T{.to = 0x1064, .last = false}).send(T{}).finish();
  EXPECT_EQ(line.codes(), "DD-12");
  EXPECT_TRUE(line.out.ends.at(0).complete);
}
TEST(DdpOrder, LowerTaggedSegmentThatLeavesAHoleIsRaised) {
  for (const bool more : {false, true}) {
    Line line;
    line.send(T{.to = 0x1064, .last = false}).send(T{.to = 0xf00, .last = !more});
    if (more) line.send(T{.to = 0x10c8});
    line.finish();
    EXPECT_EQ(line.codes(), "DD-17");
    EXPECT_EQ(line.out.findings.at(0).seen, "0x0000000000000f00");
    EXPECT_EQ(line.out.findings.at(0).expected, "0x00000000000010c8");
  }
}
TEST(DdpOrder, LowerTaggedSegmentThatOverlapsIsRaised) {
  Line line;
  line.send(T{.to = 0x1064, .last = false}).send(T{.to = 0x1001, .last = false}).send(T{.to = 0x10c8}).finish();
  EXPECT_EQ(line.codes(), "DD-17");
}
TEST(DdpOrder, HoleFilledInTwoStepsIsAWarningOnly) {
  Line line;
  line.send(U{.last = false}).send(U{.mo = 200, .last = false}).send(U{.mo = 100, .octets = 50, .last = false});
  line.send(U{.mo = 150, .octets = 50, .last = false}).send(U{.mo = 300}).finish();
  EXPECT_EQ(line.codes(), "DD-12");
  EXPECT_TRUE(line.out.ends.at(0).complete);
}
TEST(DdpOrder, HoleFilledWithTooMuchIsAnOverlapToo) {
  Line line;
  line.send(U{.last = false}).send(U{.mo = 200, .last = false}).send(U{.mo = 100, .octets = 120, .last = false});
  line.send(U{.mo = 300}).finish();
  EXPECT_EQ(line.codes(), "DD-12 DD-11");
}

TEST(DdpLast, OnALowerOffsetThanTheHighestIsRaised) {
  Line line;
  line.send(U{.last = false}).send(U{.mo = 100, .last = false}).send(U{.mo = 100}).finish();
  EXPECT_EQ(line.codes(), "DD-13");
}
TEST(DdpLast, OnTheSegmentThatFillsAHoleIsRaised) {
  Line line;
  line.send(U{.last = false}).send(U{.mo = 200, .last = false}).send(U{.mo = 100}).finish();
  EXPECT_EQ(line.codes(), "DD-13");
}
TEST(DdpLast, SegmentOfTheSameMessageBehindItIsRaised) {
  Line line;
  line.send(U{}).send(U{.mo = 100}).send(U{.msn = 2}).finish();
  EXPECT_EQ(line.codes(), "DD-13");
}
TEST(DdpLast, BeforeAnyOtherSegmentOfItsMessageIsRaisedOnceAndTheMessageIsComplete) {
  for (const std::vector<std::uint32_t>& order : {std::vector<std::uint32_t>{300, 200, 100, 0}, {300, 0, 100, 200}}) {
    Line line;
    for (const std::uint32_t mo : order) line.send(U{.mo = mo, .last = mo == 300});
    EXPECT_EQ(line.out.ends.size(), 1u);
    line.send(U{.msn = 2}).finish();
    EXPECT_EQ(line.codes(), "DD-13");
    ASSERT_EQ(line.out.ends.size(), 2u);
    EXPECT_TRUE(line.out.ends[0].complete);
    EXPECT_EQ(line.out.ends[0].length, 400u);
  }
}
TEST(DdpLast, BeforeOctetsThatWereLeftOutIsRaisedOnceAndTheMessageIsComplete) {
  struct Order {
    std::vector<std::uint32_t> mo;
    std::uint32_t last;
    const char* codes;
  };
  for (const Order& order : {Order{{0, 200, 100}, 200, "DD-13"},
                             {{0, 300, 100, 200}, 300, "DD-13"},
                             {{0, 300, 200, 100}, 300, "DD-13"},
                             {{0, 200, 300, 100}, 300, "DD-13"},
                             {{100, 200, 300, 0}, 300, "DD-13"},
                             {{100, 200, 0}, 200, "DD-13"},
                             {{0, 300, 200, 100}, 200, "DD-13"},
                             {{0, 300, 100, 200}, 100, "DD-13"},
                             {{200, 0, 300, 100}, 300, "DD-12 DD-13"},
                             {{0, 300, 200, 100}, 100, "DD-12 DD-13"},
                             {{0, 200, 100, 300}, 300, "DD-12"}}) {
    Line line;
    for (const std::uint32_t mo : order.mo) line.send(U{.mo = mo, .last = mo == order.last});
    EXPECT_EQ(line.out.ends.size(), 1u) << "it ends with the last of its octets";
    line.send(U{.msn = 2}).finish();
    EXPECT_EQ(line.codes(), order.codes) << testing::PrintToString(order.mo);
    ASSERT_EQ(line.out.ends.size(), 2u);
    EXPECT_TRUE(line.out.ends[0].complete);
    EXPECT_EQ(line.out.ends[0].length, 100 * order.mo.size());
  }
}
TEST(DdpLast, BehindAHoleThatNothingFillsIsAWrongOffset) {
  for (const int then : {0, 1, 2, 3}) {
    Line line;
    line.send(U{.last = false}).send(U{.mo = 200});
    if (then == 1) line.send(U{.msn = 2});
    if (then == 2) line.send(U{.qn = 2, .opcode = 7});
    if (then == 3) line.in.refused();
    line.finish();
    EXPECT_EQ(line.codes(), "DD-11") << then;
    EXPECT_EQ(line.out.findings.at(0).frame, FrameNumber{2});
    for (const MessageEnd& end : line.out.ends) EXPECT_EQ(end.complete, end.message != 0);
  }
  Line other;  // only a Send has more than one DDP segment
  other.send(U{.qn = 1, .last = false, .opcode = 1}).send(U{.qn = 1, .mo = 200, .opcode = 1});
  EXPECT_EQ(other.codes(), "DD-11");
}
TEST(DdpLast, BeforeOctetsThatNeverComeIsAFirstOffsetThatIsNotZero) {
  Line closed, terminated, tagged, lost, beyond;
  closed.send(U{.mo = 300}).finish();
  EXPECT_EQ(closed.codes(), "DD-10");
  EXPECT_FALSE(closed.out.ends.at(0).complete);
  EXPECT_TRUE(closed.out.ends.at(0).length_certain);
  terminated.send(U{.mo = 300}).send(U{.qn = 2, .opcode = 7}).finish();
  EXPECT_EQ(terminated.codes(), "DD-10");
  tagged.send(U{.mo = 300}).send(T{}).send(U{.msn = 2}).finish();
  EXPECT_EQ(tagged.codes(), "DD-10");
  lost.send(U{.mo = 300}).send(U{.msn = 2}, {.after_gap = true}).finish();
  EXPECT_EQ(lost.codes(), "");
  Line refused;
  refused.send(U{.mo = 300});
  EXPECT_EQ(refused.codes(), "");
  refused.in.refused();
  EXPECT_EQ(refused.codes(), "DD-10");
  EXPECT_EQ(refused.out.ends.size(), 1u);
  beyond.send(U{.mo = 300}).send(U{.mo = 400, .last = false}).send(U{.msn = 2}).finish();
  EXPECT_EQ(beyond.codes(), "DD-10");
}
TEST(DdpLast, OnTheOnlySegmentIsRight) {
  Line line;
  line.send(U{}).send(U{.msn = 2}).finish();
  EXPECT_EQ(line.codes(), "");
}

TEST(DdpLength, MessageOf2To32OctetsIsRaised) {
  Line line;
  line.send(U{.mo = 0xffffff9d, .octets = 99, .last = false}, {.after_gap = true});
  line.send(U{.msn = 2, .mo = 0xffffff9d, .octets = 99}, {.after_gap = true}).finish();
  EXPECT_EQ(line.codes(), "DD-14 DD-14");
}
TEST(DdpLength, MessageOfOneOctetLessIsNot) {
  Line line;
  line.send(U{.mo = 0xffffff9d, .octets = 98}, {.after_gap = true}).finish();
  EXPECT_EQ(line.codes(), "");
}
TEST(DdpLength, TaggedMessageThatGrowsTo2To32OctetsIsRaisedOnce) {
  Line line;
  std::uint64_t to = 0;
  const auto step = [&](std::uint32_t n, bool last) {
    // The header alone is here; the length says the rest, and the carrier that nothing may be judged.
    const auto head = ulpdu(T{.to = to, .octets = 0, .last = last});
    line.in.ulpdu(line.carrier({.intact = false}), head, n + 14);
    to += n;
  };
  for (int i = 0; i < 4; ++i) step(0x3fffffff, false);
  line.send(T{.to = to, .octets = 3, .last = false});
  EXPECT_EQ(line.codes(), "");
  line.send(T{.to = to + 3, .octets = 1, .last = false}).send(T{.to = to + 4, .octets = 1}).finish();
  EXPECT_EQ(line.codes(), "DD-14");
}

TEST(DdpZeroLength, WithoutLastFlagIsRaised) {
  Line line;
  line.send(U{.octets = 0, .last = false}).send(U{.octets = 100}).finish();
  EXPECT_EQ(line.codes(), "DD-15");
  Line tagged;
  tagged.send(T{.stag = 1, .octets = 0, .last = false}).send(T{.stag = 2, .last = false});
  tagged.send(T{.stag = 2, .to = 0x1064}).finish();
  EXPECT_EQ(tagged.codes(), "DD-15");
  EXPECT_EQ(tagged.out.ends.size(), 1u);
}
TEST(DdpZeroLength, AtTheEndOfALongerMessageIsRaised) {
  Line line;
  line.send(U{.last = false}).send(U{.mo = 100, .octets = 0}).finish();
  EXPECT_EQ(line.codes(), "DD-15");
  Line tagged;
  tagged.send(T{.last = false}).send(T{.stag = 0, .to = 0, .octets = 0}).finish();
  EXPECT_EQ(tagged.codes(), "DD-15");
}

}  // namespace
}  // namespace iwarpscope::ddp::test
