// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "ddp/reassembler.h"

#include <gtest/gtest.h>

#include "support.h"

namespace iwarpscope::ddp::test {
namespace {

TEST(DdpReassembler, UntaggedMessageOfThreeIsOneMessage) {
  Line line;
  line.send(U{.octets = 1482, .last = false}).send(U{.mo = 1482, .octets = 1482, .last = false});
  ASSERT_TRUE(line.out.ends.empty());
  line.send(U{.mo = 2964, .octets = 1}).finish();
  EXPECT_EQ(line.codes(), "");
  ASSERT_EQ(line.out.segments.size(), 3u);
  EXPECT_TRUE(line.out.segments[0].first_of_message);
  EXPECT_TRUE(line.out.segments[0].starts_message);
  EXPECT_FALSE(line.out.segments[1].first_of_message);
  ASSERT_EQ(line.out.ends.size(), 1u);
  const MessageEnd& end = line.out.ends[0];
  EXPECT_EQ(end.length, 2965u);
  EXPECT_EQ(end.ddp_segments, 3u);
  EXPECT_TRUE(end.complete);
  EXPECT_TRUE(end.length_certain);
  EXPECT_EQ(end.last.delivery_frame, FrameNumber{3});
  EXPECT_EQ(line.in.messages(), 1u);
  EXPECT_EQ(line.in.version(), 1);
}

TEST(DdpReassembler, TaggedMessageOfRfc5041ExampleIsOneMessage) {
  Line line;  // RFC 5041 §5.2: 2048 octets from TO 16384, MULPDU 1500
  line.send(T{.to = 16384, .octets = 1486, .last = false}).send(T{.to = 17870, .octets = 562}).finish();
  EXPECT_EQ(line.codes(), "");
  ASSERT_EQ(line.out.ends.size(), 1u);
  EXPECT_EQ(line.out.ends[0].length, 2048u);
  EXPECT_TRUE(line.out.ends[0].complete);
}

TEST(DdpReassembler, SegmentCarriesEveryHeaderField) {
  Line line;
  line.send(U{.qn = 0, .msn = 1, .octets = 7, .opcode = 4, .invalidate = 0xabcd});
  const Segment& s = line.out.segments.at(0);
  EXPECT_FALSE(s.tagged);
  EXPECT_TRUE(s.last);
  EXPECT_EQ(s.ddp_control, 0x41);
  EXPECT_EQ(s.rdmap_control, 0x44);
  EXPECT_EQ(s.reserved_ulp, 0xabcdu);
  EXPECT_EQ(s.payload_length, 7u);
  EXPECT_EQ(s.carrier.offset, kStreamOrigin);
  EXPECT_EQ(line.out.payload_octets, 7u);
}

TEST(DdpReassembler, ZeroLengthTaggedMessageNeverTeachesAnStag) {
  Line line;  // RTR, then Writes elsewhere
  line.send(T{.stag = 1, .to = ~std::uint64_t{0}, .octets = 0}).send(T{.stag = 2}).finish();
  EXPECT_EQ(line.codes(), "");
  EXPECT_EQ(line.out.ends.size(), 2u);
  EXPECT_EQ(line.out.ends[0].length, 0u);
  EXPECT_TRUE(line.out.ends[0].complete);
}

TEST(DdpReassembler, MsnWrapsToZeroWithoutAFinding) {
  Line line;
  line.send(U{.msn = 0xfffffffe}, {.after_gap = true});
  line.send(U{.msn = 0xffffffff}).send(U{.msn = 0}).send(U{.msn = 1}).finish();
  EXPECT_EQ(line.codes(), "");
  EXPECT_EQ(line.out.ends.size(), 4u);
}

TEST(DdpReassembler, QueuesCountByThemselves) {
  Line line;
  line.send(U{.qn = 0}).send(U{.qn = 1, .opcode = 1}).send(U{.qn = 3, .opcode = 11}).send(U{.qn = 0, .msn = 2});
  line.send(U{.qn = 1, .msn = 2, .opcode = 1}).send(U{.qn = 2, .opcode = 7}).finish();
  EXPECT_EQ(line.codes(), "");
  EXPECT_EQ(line.in.messages(), 6u);
}

TEST(DdpReassembler, JoiningMidStreamLearnsAndJudgesNothing) {
  Line line;
  line.send(T{.to = 0x5000, .last = false}, {.after_gap = true}).send(T{.to = 0x5064});
  line.send(U{.msn = 900, .mo = 4000}).send(U{.msn = 901}).send(U{.qn = 1, .msn = 77, .opcode = 1}).finish();
  EXPECT_EQ(line.codes(), "");
  ASSERT_EQ(line.out.ends.size(), 4u);
  EXPECT_FALSE(line.out.segments[0].starts_message);  // may be anywhere in its message
  EXPECT_FALSE(line.out.ends[0].complete);
  EXPECT_FALSE(line.out.ends[0].length_certain);
  EXPECT_EQ(line.out.ends[0].length, 200u);
  EXPECT_FALSE(line.out.ends[1].complete);
  EXPECT_EQ(line.out.ends[1].length, 4100u);  // 4000 octets of it were not seen
  EXPECT_TRUE(line.out.ends[2].complete);
  EXPECT_TRUE(line.out.ends[3].complete);
}

TEST(DdpReassembler, GapInsideUntaggedMessageKeepsItOneMessage) {
  Line line;
  line.send(U{.last = false}).send(U{.mo = 300, .last = false}, {.after_gap = true}).send(U{.mo = 400});
  line.send(U{.msn = 2}).finish();
  EXPECT_EQ(line.codes(), "");
  ASSERT_EQ(line.out.ends.size(), 2u);
  EXPECT_FALSE(line.out.ends[0].complete);
  EXPECT_TRUE(line.out.ends[0].length_certain);
  EXPECT_EQ(line.out.ends[0].length, 500u);
  EXPECT_EQ(line.out.ends[0].ddp_segments, 3u);
  EXPECT_TRUE(line.out.ends[1].complete);
}

TEST(DdpReassembler, GapEndsTaggedMessageAtOnce) {
  Line line;
  line.send(T{.last = false});
  line.in.gap();
  ASSERT_EQ(line.out.ends.size(), 1u);
  EXPECT_FALSE(line.out.ends[0].complete);
  EXPECT_FALSE(line.out.ends[0].length_certain);
  EXPECT_EQ(line.out.ends[0].last.delivery_frame, FrameNumber{1});
  line.send(T{.to = 0x10c8}).finish();
  EXPECT_EQ(line.codes(), "");
}

TEST(DdpReassembler, GapThatHidesTheEndOfAMessageEndsItBeforeTheNextBegins) {
  Line line;
  line.send(U{.last = false}).send(U{.msn = 9}, {.after_gap = true}).finish();
  EXPECT_EQ(line.codes(), "");
  ASSERT_EQ(line.out.ends.size(), 2u);
  EXPECT_EQ(line.out.ends[0].message, 0u);
  EXPECT_FALSE(line.out.ends[0].complete);
  EXPECT_EQ(line.out.ends[0].length, 100u);
  EXPECT_EQ(line.out.ends[1].message, 1u);
}

TEST(DdpReassembler, CutPayloadKeepsLengthAndMakesTheMessageIncomplete) {
  Line line;  // a snap length: the header of each is there, most of the payload is not
  line.send(U{.octets = 1000, .last = false}, {.intact = false, .captured = 40});
  line.send(U{.mo = 1000, .octets = 1000}, {.intact = false, .captured = 40});
  line.send(U{.msn = 2}).finish();
  EXPECT_EQ(line.codes(), "");
  ASSERT_EQ(line.out.ends.size(), 2u);
  EXPECT_EQ(line.out.ends[0].length, 2000u);
  EXPECT_FALSE(line.out.ends[0].complete);
  EXPECT_TRUE(line.out.ends[0].length_certain);
  EXPECT_TRUE(line.out.ends[1].complete);
}

TEST(DdpReassembler, CutHeaderIsUndecodableAndBlamesNoEnd) {
  for (std::size_t captured = 0; captured < 18; ++captured) {
    Line line;
    line.send(U{}, {.intact = false, .captured = captured}).send(U{.msn = 5}).finish();
    EXPECT_EQ(line.codes(), "") << captured;
    EXPECT_EQ(line.out.undecodables, 1u);
    EXPECT_EQ(line.out.ends.size(), 1u);
  }
}

// The CRC was cut off, too, so the header may be damaged: the message may have been of any queue.
TEST(DdpReassembler, CutHeaderOfAQueueThatNoEndHasMovesNoMsn) {
  Line line;
  line.send(U{}).send(U{.qn = 0x80000000, .msn = 2}, {.intact = false, .captured = 40}).send(U{.msn = 3}).finish();
  EXPECT_EQ(line.codes(), "");
  EXPECT_EQ(line.out.undecodables, 1u);
  Line whole;
  whole.send(U{}).send(U{.qn = 0x80000000, .msn = 2}).send(U{.msn = 3}).finish();
  EXPECT_EQ(whole.codes(), "DD-05 DD-07");
  Line other;
  other.send(U{}).send(U{.msn = 2}, {.intact = false, .captured = 40}).send(U{.msn = 4}).finish();
  EXPECT_EQ(other.codes(), "DD-07");
}

TEST(DdpReassembler, NoOffsetIsMeasuredByADdpSegmentThatWasCut) {
  Line line;
  line.send(T{.to = 0x1000, .last = false})
      .send(T{.to = 0x10c8, .last = false}, {.intact = false, .captured = 40})
      .send(T{.to = 0x1064, .last = true})
      .finish();
  EXPECT_EQ(line.codes(), "");
  Line whole;
  whole.send(T{.to = 0x1000, .last = false}).send(T{.to = 0x10c8, .last = false}).send(T{.to = 0x2000, .last = true});
  whole.finish();
  EXPECT_EQ(whole.codes(), "DD-17");
}

TEST(DdpReassembler, MissingOctetsWithAnIntactCarrierAreNotJudged) {
  Line line;
  line.send(U{.msn = 7, .reserved = 3}, {.intact = true, .captured = 30}).finish();
  EXPECT_EQ(line.codes(), "");
  EXPECT_FALSE(line.out.segments.at(0).carrier.intact);
}

TEST(DdpReassembler, BadCrcSegmentThatHadToComeKeepsThePosition) {
  Line line;
  line.send(U{.last = false}).send(U{.mo = 100, .last = false}, {.intact = false}).send(U{.mo = 200}).finish();
  EXPECT_EQ(line.codes(), "");
  ASSERT_EQ(line.out.ends.size(), 1u);
  EXPECT_EQ(line.out.ends[0].length, 300u);
  EXPECT_FALSE(line.out.ends[0].complete);
}

TEST(DdpReassembler, BadCrcSegmentThatFitsNowhereIsUndecodable) {
  Line line;
  line.send(U{.last = false}).send(U{.msn = 0x55aa, .mo = 3}, {.intact = false}).send(U{.mo = 200}).finish();
  EXPECT_EQ(line.codes(), "");
  EXPECT_EQ(line.out.undecodables, 1u);
  ASSERT_EQ(line.out.ends.size(), 1u);
  EXPECT_EQ(line.out.ends[0].length, 300u);
}

TEST(DdpReassembler, BadCrcMayHideTheLastFlagSoTheNextMessageIsNotBlamed) {
  Line line;
  line.send(U{.last = false}).send(U{.mo = 100, .last = false}, {.intact = false}).send(U{.msn = 2}).finish();
  EXPECT_EQ(line.codes(), "");
  Line tagged;
  tagged.send(T{.last = false}, {.intact = false}).send(T{.stag = 9}).finish();
  EXPECT_EQ(tagged.codes(), "");
  Line ends;
  ends.send(U{.last = false}, {.intact = false}).finish();
  EXPECT_EQ(ends.codes(), "");
}

TEST(DdpReassembler, RdmacVersionHasTheSameHeaders) {
  Line line;
  line.in.set_version(0);
  line.send(U{.version = 0}).send(T{.version = 0}).finish();
  EXPECT_EQ(line.codes(), "");
  EXPECT_EQ(line.in.version(), 0);
}

TEST(DdpReassembler, FinishTwiceEndsNothingTwice) {
  Line line;
  line.send(U{.last = false}).send(U{.qn = 1, .last = false}).finish(false).finish();
  EXPECT_EQ(line.out.ends.size(), 2u);
  EXPECT_EQ(line.codes(), "");
}

TEST(DdpReassembler, InterruptedMessageKeepsTheCarrierOfItsOwnLastSegment) {
  Line line;
  line.send(T{.last = false}).send(U{.last = false}).send(U{.mo = 100, .last = false}).finish(false);
  ASSERT_EQ(line.out.ends.size(), 2u);
  EXPECT_EQ(line.out.ends[0].last.delivery_frame, FrameNumber{3});  // queue 0
  EXPECT_EQ(line.out.ends[1].last.delivery_frame, FrameNumber{1});  // tagged
}

TEST(DdpCarrier, FpduWithBadCrcOrMissingOctetsIsNotIntact) {
  const auto octets = ulpdu(U{});
  mpa::Fpdu fpdu;
  fpdu.start = StreamOffset{77};
  fpdu.ulpdu = octets;
  fpdu.ulpdu_length = static_cast<std::uint32_t>(octets.size());
  fpdu.delivery_frame = FrameNumber{5};
  fpdu.after_gap = true;
  fpdu.crc = mpa::CrcVerdict::good;
  EXPECT_TRUE(carrier_of(fpdu).intact);
  EXPECT_TRUE(carrier_of(fpdu).after_gap);
  EXPECT_EQ(carrier_of(fpdu).offset, StreamOffset{77});
  EXPECT_EQ(carrier_of(fpdu).delivery_frame, FrameNumber{5});
  fpdu.crc = mpa::CrcVerdict::not_in_use;
  EXPECT_TRUE(carrier_of(fpdu).intact);
  fpdu.crc = mpa::CrcVerdict::bad;
  EXPECT_FALSE(carrier_of(fpdu).intact);
  fpdu.crc = mpa::CrcVerdict::incomplete;
  EXPECT_FALSE(carrier_of(fpdu).intact);
  fpdu.crc = mpa::CrcVerdict::good;
  fpdu.ulpdu = fpdu.ulpdu.first(20);
  EXPECT_FALSE(carrier_of(fpdu).intact);
}

}  // namespace
}  // namespace iwarpscope::ddp::test
