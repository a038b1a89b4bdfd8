// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "qp/direction/half.h"

#include <gtest/gtest.h>

#include "qp/direction/terminate_rules.h"
#include "shared/qp/wire.h"

namespace iwarpscope::qp {
namespace {

using findings::FindingId;
using rdmap::Opcode;

/// Both halves on one wire; each message is one FPDU in a frame of its own and acknowledges all of the other direction.
struct HalfTest : testing::Test {
  HalfTest() {
    for (const Direction d : {kRequests, kResponses}) {
      half(d).connect(half(opposite(d)), wire.llps[index(d)]);
      half(d).begin(std::uint8_t{1}, true);
    }
  }
  Half& half(Direction d) { return halves[index(d)]; }

  void take(Direction d, const Bytes& ulpdu, bool bad_crc = false) {
    const std::vector<std::byte> octets = ulpdu.octets();
    ddp::Carrier carrier;
    carrier.offset = wire.covered(d).stream_end();
    carrier.first_frame = carrier.last_frame = FrameNumber{++frame};
    carrier.has_acknowledged = true;
    carrier.acknowledged = wire.covered(opposite(d)).stream_end();
    carrier.intact = !bad_crc;
    wire.frame = FrameNumber{frame};
    const StreamOffset end = carrier.offset + octets.size();
    half(d).delivered(end);
    half(d).framed(end);
    if (bad_crc) half(d).bad_crc(wire.frame, carrier.offset);
    half(d).ulpdu(carrier, octets, static_cast<std::uint32_t>(octets.size()));
  }
  void send(Direction d, std::uint32_t msn) { take(d, untagged_octets(Opcode::send, 0, msn).zeros(20)); }
  /// `named`: the DDP header that it quotes.
  void terminate(Direction d, std::array<std::uint8_t, 2> error, const Bytes& named = {}, std::uint16_t length = 38) {
    const bool quotes = !named.octets().empty();
    Bytes ulpdu = untagged_octets(Opcode::terminate, 2, 1).u8(error[0]).u8(error[1]).u8(quotes ? 0xC0 : 0).u8(0);
    if (quotes) ulpdu.u8(static_cast<std::uint8_t>(length >> 8)).u8(static_cast<std::uint8_t>(length)).add(named);
    take(d, ulpdu);
  }

  Wire wire;
  Exchange exchange{wire};
  std::array<Half, 2> halves{Half(kRequests, wire, exchange), Half(kResponses, wire, exchange)};
  std::uint64_t frame = 0;
};

constexpr std::array<std::uint8_t, 2> kCrcError{0x20, 0x02}, kVersion{0x12, 0x06};

TEST_F(HalfTest, ARequestOfOneHalfIsAnsweredByTheOther) {
  take(kRequests, untagged_octets(Opcode::rdma_read_request, 1, 1).add(read_header({})));
  EXPECT_EQ(half(kRequests).unfinished(), "1 request has no whole response yet, the oldest in frame 1");
  take(kResponses, tagged_octets(Opcode::rdma_read_response, 0x11, 0x1000).zeros(8));
  EXPECT_EQ(half(kRequests).unfinished(), "");
  half(kRequests).settle(true);
  EXPECT_EQ(wire.take(), Rules{});
  EXPECT_EQ(wire.records.all.size(), 2u);
  const DirectionRecord record = half(kResponses).record();
  EXPECT_EQ(record.messages[static_cast<std::size_t>(Opcode::rdma_read_response)], 1u);
  EXPECT_EQ(record.incomplete_messages, 0u);
}

TEST_F(HalfTest, AResponseThatBeginsBeforeTheCaptureIsCompleteWhenItHasAllThatWasAskedFor) {
  wire.midstream = true;
  half(kResponses).lost_octets();
  take(kRequests, untagged_octets(Opcode::rdma_read_request, 1, 5).add(read_header({})));
  take(kResponses, tagged_octets(Opcode::rdma_read_response, 0x11, 0x1000).zeros(8));
  EXPECT_EQ(half(kResponses).record().incomplete_messages, 0u);
}

TEST_F(HalfTest, TheDirectionsMustAgreeOnTheDdpVersion) {
  wire.agreement.reset();
  half(kResponses).begin({}, true);
  send(kRequests, 1);
  Bytes other = Bytes().u8(0x40).u8(control_of(Opcode::send)).u32(0).u32(0).u32(1).u32(0);
  take(kResponses, other);
  const Rules rules = wire.take();
  EXPECT_NE(std::find(rules.begin(), rules.end(), FindingId::ddp_version_changed), rules.end());
}

TEST_F(HalfTest, AMessageThatIsOpenAtTheEndIsKnown) {
  take(kRequests, tagged_octets(Opcode::rdma_write, 7, 0x100, false).zeros(16));
  EXPECT_EQ(half(kRequests).unfinished(), "the message that begins in frame 1 (RDMA Write) is not complete");
  EXPECT_TRUE(half(kRequests).ending());
  EXPECT_FALSE(half(kRequests).ending());
  half(kRequests).finish(false);
  DirectionSummary summary;
  half(kRequests).fill(summary);
  EXPECT_TRUE(summary.inside_message);
  EXPECT_EQ(half(kRequests).record().incomplete_messages, 1u);
}

TEST_F(HalfTest, ATerminateNamesTheMessageThatItQuotes) {
  send(kRequests, 1);
  send(kRequests, 2);
  terminate(kResponses, {0x12, 0x02}, untagged_octets(Opcode::send, 0, 2));
  EXPECT_EQ(wire.take(), Rules{FindingId::rdmap_terminate_sent});
  EXPECT_EQ(wire.first_terminate, kResponses);
  DirectionSummary summary;
  half(kResponses).fill(summary);
  ASSERT_TRUE(summary.terminate && summary.terminate->named);
  EXPECT_EQ(summary.terminate->named->message, 1u);
  EXPECT_EQ(summary.terminate->named->as_long_before, 1u);
  EXPECT_FALSE(summary.terminate->named->first_of_queue);
  const auto& detail = std::get<TerminateDetail>(wire.records.all.back().detail);
  ASSERT_TRUE(detail.names);
  EXPECT_EQ(detail.names->index, 1u);
  send(kResponses, 1);
  EXPECT_EQ(wire.take(), Rules{FindingId::rdmap_message_after_terminate});
}

TEST_F(HalfTest, ABreachOfTheNamedMessageIsNotedAfterTheTerminateToo) {
  send(kRequests, 1);
  terminate(kResponses, {0x12, 0x02}, untagged_octets(Opcode::send, 0, 1));
  half(kResponses).note_named_breach({FindingId::ddp_mo_wrong, {FrameNumber{1}, FrameNumber{1}, 5}});  // of another
  half(kResponses).note_named_breach({FindingId::ddp_mo_wrong, {FrameNumber{1}, FrameNumber{1}, 0}});
  DirectionSummary summary;
  half(kResponses).fill(summary);
  EXPECT_EQ(summary.terminate->named->breaches.size(), 1u);
}

TEST_F(HalfTest, AHeaderThatWasNeverSentIsReportedUnlessOctetsAreMissing) {
  send(kRequests, 1);
  terminate(kResponses, {0x12, 0x02}, untagged_octets(Opcode::send, 0, 9));
  EXPECT_EQ(wire.take(), (Rules{FindingId::rdmap_terminate_sent, FindingId::rdmap_terminate_names_unsent}));
}
TEST_F(HalfTest, AHeaderThatMayHaveBeenInAGapIsNotReported) {
  send(kRequests, 1);
  half(kRequests).lost_octets();
  terminate(kResponses, {0x12, 0x02}, untagged_octets(Opcode::send, 0, 9));
  EXPECT_EQ(wire.take(), Rules{FindingId::rdmap_terminate_sent});
}

TEST_F(HalfTest, TheQuotedLengthMustBeOneThatReceiversUse) {
  send(kRequests, 1);
  terminate(kResponses, {0x12, 0x02}, untagged_octets(Opcode::send, 0, 1), 37);
  EXPECT_EQ(wire.take(), (Rules{FindingId::rdmap_terminate_sent, FindingId::rdmap_terminate_segment_length_wrong}));
}

TEST_F(HalfTest, AClaimThatTheQuotedHeaderRefutesIsFalse) {
  send(kRequests, 1);
  terminate(kResponses, kVersion, untagged_octets(Opcode::send, 0, 1));
  EXPECT_EQ(wire.take(), (Rules{FindingId::rdmap_terminate_sent, FindingId::rdmap_terminate_claim_false}));
}

TEST_F(HalfTest, ATerminateAnswersABadCrc) {
  take(kRequests, untagged_octets(Opcode::send, 0, 1).zeros(20), true);
  wire.take();
  terminate(kResponses, kCrcError);
  EXPECT_EQ(wire.take(), (Rules{FindingId::rdmap_terminate_sent, FindingId::mpa_crc_mismatch_reaction}));
  half(kRequests).settle(true);
  EXPECT_EQ(wire.take(), Rules{});  // it is explained
}

TEST_F(HalfTest, ABadCrcWithoutATerminateIsExplainedAtTheEnd) {
  take(kRequests, untagged_octets(Opcode::send, 0, 1).zeros(20), true);
  wire.take();
  half(kRequests).settle(true);
  ASSERT_EQ(wire.raised.size(), 1u);
  EXPECT_EQ(wire.raised[0].id, FindingId::mpa_crc_mismatch_reaction);
  EXPECT_NE(wire.raised[0].text.find("neither a Terminate nor a retransmission"), std::string::npos);
}

TEST_F(HalfTest, ACrcErrorThatTheCaptureDoesNotShowIsReported) {
  send(kRequests, 1);
  wire.llps[index(kRequests)].crcs = 1;
  terminate(kResponses, kCrcError);
  EXPECT_EQ(wire.take(), (Rules{FindingId::rdmap_terminate_sent, FindingId::mpa_reported_error_not_seen}));
}
TEST_F(HalfTest, ACrcErrorOfAnFpduThatIsNotCompleteMayBeSo) {
  send(kRequests, 1);
  wire.llps[index(kRequests)].crcs = 1;
  wire.llps[index(kRequests)].pending_octets = 4;
  terminate(kResponses, kCrcError);
  EXPECT_EQ(wire.take(), Rules{FindingId::rdmap_terminate_sent});
}

TEST_F(HalfTest, AnErrorThatWasIgnoredIsReportedAtTheEnd) {
  take(kRequests, untagged_octets(Opcode::send, 0, 2).zeros(20));  // MSN 1 is due
  ASSERT_NE(wire.faults.first(kRequests), nullptr);
  take(kRequests, untagged_octets(Opcode::rdma_read_request, 1, 1).add(read_header({})));
  wire.take();
  judge_ignored_error(wire, kRequests);
  EXPECT_EQ(wire.take(), Rules{});  // not answered yet
  take(kResponses, tagged_octets(Opcode::rdma_read_response, 0x11, 0x1000).zeros(8));
  judge_ignored_error(wire, kResponses);
  EXPECT_EQ(wire.take(), Rules{});
  judge_ignored_error(wire, kRequests);
  EXPECT_EQ(wire.take(), Rules{FindingId::rdmap_error_ignored});
  wire.first_terminate = kResponses;
  judge_ignored_error(wire, kRequests);
  EXPECT_EQ(wire.take(), Rules{});
}

}  // namespace
}  // namespace iwarpscope::qp
