// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "qp/requests/exchange.h"

#include <gtest/gtest.h>

#include "shared/qp/wire.h"

namespace iwarpscope::qp {
namespace {

using findings::FindingId;
using rdmap::Opcode;

constexpr std::uint64_t kMessageOctets = 50;  // of each direction's stream

/// Requests and responses of one DDP segment each. Unless the test says so, each message acknowledges all that the
/// other direction sent so far.
struct ExchangeTest : testing::Test {
  std::array<std::uint64_t, 2> sent{};      ///< octets
  std::array<std::uint64_t, 2> messages{};  ///< also indices
  std::optional<std::uint64_t> acknowledges;
  std::uint64_t frame = 0;
  Wire wire;
  Exchange exchange{wire};

  OpenMessage next(Direction d, Opcode opcode, const Bytes& header) {
    sent[index(d)] += kMessageOctets;
    wire.coverage[index(d)].delivered(offset_at(sent[index(d)]));
    wire.coverage[index(d)].framed(offset_at(sent[index(d)]));
    wire.frame = FrameNumber{++frame};
    wire.time = TimePoint{static_cast<std::int64_t>(frame) * 1000};
    OpenMessage open = open_message(opcode, messages[index(d)]++, frame, header);
    open.first.has_acknowledged = true;
    open.first.acknowledged = offset_at(acknowledges.value_or(sent[index(opposite(d))]));
    acknowledges.reset();
    return open;
  }
  static ddp::Segment segment_of(const OpenMessage& open, std::uint32_t length) {
    ddp::Segment s;
    s.carrier = open.first;
    s.tagged = open.tagged;
    s.last = s.first_of_message = s.starts_message = true;
    s.stag = open.stag;
    s.to = open.to;
    s.payload_length = length;
    s.message = open.message;
    return s;
  }
  static ddp::MessageEnd end_of(const OpenMessage& open, std::uint64_t length) {
    return {.message = open.message,
            .length = length,
            .ddp_segments = 1,
            .complete = true,
            .length_certain = true,
            .complete_if_first = true,
            .last = open.first};
  }

  void ask(Opcode opcode, const Bytes& header) {
    const OpenMessage open = next(kRequests, opcode, header);
    exchange.message_begins(kRequests);
    exchange.request_begins(kRequests, segment_of(open, 28));
    const ddp::MessageEnd end = end_of(open, 28);
    exchange.request_ended(kRequests, open, end, make_record(open, kRequests, end, false));
  }
  void ask(const Read& read) { ask(Opcode::rdma_read_request, read_header(read)); }
  void ask_atomic(std::uint32_t identifier, std::uint64_t to = 0x3000) {
    ask(Opcode::atomic_request, atomic_header(identifier, to));
  }

  void respond(OpenMessage open, std::uint32_t length) {
    exchange.message_begins(kResponses);
    exchange.response_begins(kResponses, open, segment_of(open, length));
    const ddp::MessageEnd end = end_of(open, length);
    std::unique_ptr<MessageRecord> record = make_record(open, kResponses, end, false);
    exchange.response_ended(kResponses, open, end, record);
    if (record != nullptr) wire.records.all.push_back(std::move(*record));
  }
  void answer(const Read& read) {
    OpenMessage open = next(kResponses, Opcode::rdma_read_response, {});
    open.tagged = true;
    open.stag = STag{read.sink_stag};
    open.to = TaggedOffset{read.sink_to};
    respond(std::move(open), read.size);
  }
  void answer_atomic(std::uint32_t identifier) {
    respond(next(kResponses, Opcode::atomic_response, atomic_response_header(identifier, 0)), 12);
  }
  /// The last octets of a Response, whose first ones are missing.
  void answer_rest(const Read& read, std::uint32_t length) {
    OpenMessage open = next(kResponses, Opcode::rdma_read_response, {});
    open.tagged = true;
    open.intact = false;
    open.stag = STag{read.sink_stag};
    open.to = TaggedOffset{read.sink_to + read.size - length};
    ddp::Segment rest = segment_of(open, length);
    rest.starts_message = false;
    exchange.message_begins(kResponses);
    exchange.response_begins(kResponses, open, rest);
  }
  void lose(Direction d) {
    wire.coverage[index(d)].lost();
    exchange.lost(d);
  }
};

TEST_F(ExchangeTest, AResponseIsPairedWithItsRequestInBothRecords) {
  ask({});
  EXPECT_EQ(exchange.outstanding(kRequests).size(), 1u);
  answer({});
  EXPECT_EQ(wire.take(), Rules{});
  EXPECT_TRUE(exchange.outstanding(kRequests).empty());
  ASSERT_EQ(wire.records.all.size(), 2u);
  const auto& request = std::get<ReadRequestDetail>(wire.records.all[0].detail);
  ASSERT_TRUE(request.response);
  EXPECT_EQ(request.response->index, 0u);
  EXPECT_EQ(request.response->last_octet_ns, 1000);
  EXPECT_EQ(std::get<ReadResponseDetail>(wire.records.all[1].detail).request_index, 0u);
}

TEST_F(ExchangeTest, EitherEndMayAskTheOther) {
  OpenMessage request = next(kResponses, Opcode::rdma_read_request, read_header({}));
  exchange.request_ended(kResponses, request, end_of(request, 28), nullptr);
  EXPECT_EQ(exchange.outstanding(kResponses).size(), 1u);
  EXPECT_TRUE(exchange.outstanding(kRequests).empty());
  OpenMessage response = next(kRequests, Opcode::rdma_read_response, {});
  response.tagged = true;
  response.stag = STag{Read{}.sink_stag};
  response.to = TaggedOffset{Read{}.sink_to};
  exchange.response_begins(kRequests, response, segment_of(response, 8));
  EXPECT_TRUE(response.answer_certain);
  EXPECT_EQ(response.answers, request.message);
}

TEST_F(ExchangeTest, AResponseWithoutARequestIsReportedOnceNoneCanCome) {
  answer({});
  EXPECT_EQ(wire.take(), Rules{});
  EXPECT_TRUE(wire.records.all.empty());  // its record waits
  exchange.settle_early(kRequests);
  EXPECT_EQ(wire.take(), Rules{});
  exchange.settle_early(kResponses);
  EXPECT_EQ(wire.take(), Rules{FindingId::rdmap_read_response_unrequested});
  EXPECT_EQ(wire.records.all.size(), 1u);
}

TEST_F(ExchangeTest, AResponseWaitsForItsRequestOnlySoLong) {
  answer({});
  wire.time = TimePoint{1000 + EarlyResponse::kWaitNs};
  exchange.message_begins(kRequests);
  EXPECT_EQ(wire.take(), Rules{});
  wire.time = TimePoint{1001 + EarlyResponse::kWaitNs};
  exchange.message_begins(kRequests);
  EXPECT_EQ(wire.take(), Rules{FindingId::rdmap_read_response_unrequested});
}

TEST_F(ExchangeTest, ARequestAfterItsResponseWasAnsweredTooEarly) {
  answer({});
  acknowledges = 0;  // its sender had not received the response
  ask({});
  EXPECT_EQ(wire.take(), Rules{FindingId::rdmap_response_before_request});
  EXPECT_TRUE(exchange.outstanding(kRequests).empty());
  ASSERT_EQ(wire.records.all.size(), 2u);
  EXPECT_TRUE(std::get<ReadRequestDetail>(wire.records.all[0].detail).response);
  exchange.settle_early(kResponses);
  EXPECT_EQ(wire.take(), Rules{});
}

TEST_F(ExchangeTest, ARequestSentOnceTheResponseWasReceivedIsNotItsCause) {
  answer({});
  ask({});
  EXPECT_EQ(exchange.outstanding(kRequests).size(), 1u);
  exchange.settle_early(kResponses);
  EXPECT_EQ(wire.take(), Rules{FindingId::rdmap_read_response_unrequested});
}

TEST_F(ExchangeTest, ARequestMayComeWhileItsResponseIsStillOpen) {
  OpenMessage response = next(kResponses, Opcode::rdma_read_response, {});
  response.tagged = true;
  response.stag = STag{Read{}.sink_stag};
  response.to = TaggedOffset{Read{}.sink_to};
  exchange.response_begins(kResponses, response, segment_of(response, 8));
  acknowledges = 0;
  ask({});
  EXPECT_EQ(wire.take(), Rules{FindingId::rdmap_response_before_request});
  EXPECT_EQ(response.answers, 0u);
  EXPECT_EQ(response.expected_size, 8u);
  std::unique_ptr<MessageRecord> record;
  exchange.response_ended(kResponses, response, end_of(response, 8), record);
  EXPECT_TRUE(exchange.outstanding(kRequests).empty());
}

TEST_F(ExchangeTest, AResponseSentBeforeAllOfItsRequestWasReceivedIsReported) {
  ask({});
  acknowledges = kMessageOctets - 1;
  answer({});
  EXPECT_EQ(wire.take(), Rules{FindingId::rdmap_response_before_request});
}

TEST_F(ExchangeTest, AResponseThatPassesAnOlderRequestIsReportedOnce) {
  ask({.sink_to = 0x1000});
  ask({.sink_to = 0x2000});
  ask({.sink_to = 0x3000});
  answer({.sink_to = 0x2000});
  EXPECT_EQ(wire.take(), Rules{FindingId::rdmap_responses_out_of_order});
  answer({.sink_to = 0x3000});
  answer({.sink_to = 0x1000});
  EXPECT_EQ(wire.take(), Rules{});
}

TEST_F(ExchangeTest, WhatAGapMayHoldIsNotBlamedOnTheResponder) {
  ask({.sink_to = 0x1000});
  ask({.sink_to = 0x2000});
  lose(kResponses);
  answer({.sink_to = 0x2000});
  EXPECT_EQ(wire.take(), Rules{});
  EXPECT_TRUE(exchange.outstanding(kRequests).empty());  // the older one was answered in the gap
  EXPECT_FALSE(exchange.waiting(kRequests));
}

TEST_F(ExchangeTest, ARequestSeenAfterTheRestOfItsResponseIsNotPassedOver) {
  ask({.sink_to = 0x1000});
  lose(kResponses);
  answer_rest({.sink_to = 0x2000, .size = 8}, 4);
  ask({.sink_to = 0x2000, .size = 8});
  ask({.sink_to = 0x3000});
  answer({.sink_to = 0x1000});
  answer({.sink_to = 0x3000});
  EXPECT_EQ(wire.take(), Rules{});
}

TEST_F(ExchangeTest, AnAtomicRequestSeenAfterItsResponseIsNotPassedOver) {
  ask_atomic(1);
  ask_atomic(2);
  lose(kResponses);
  answer_atomic(3);
  ask_atomic(3);
  answer_atomic(2);
  ask_atomic(4);
  answer_atomic(4);
  EXPECT_EQ(wire.take(), Rules{});
}

TEST_F(ExchangeTest, AWrongSinkOrLengthIsReported) {
  ask({});
  answer({.sink_stag = 0x12});
  EXPECT_EQ(wire.take(), Rules{FindingId::rdmap_read_response_stag_wrong});
  ask({});
  answer({.sink_to = 0x1004});
  EXPECT_EQ(wire.take(), Rules{FindingId::rdmap_read_response_to_wrong});
  EXPECT_EQ(exchange.unfit(kResponses).message, 1u);
  ask({});
  answer({.size = 7});
  EXPECT_EQ(wire.take(), Rules{FindingId::rdmap_read_response_length_wrong});
}

TEST_F(ExchangeTest, NothingIsReportedWhereARequestCouldNotBeRead) {
  ask(Opcode::rdma_read_request, Bytes().zeros(27));
  EXPECT_FALSE(exchange.has_certain_requests(kRequests));
  ask({});
  answer({.sink_stag = 0x12});
  exchange.settle_requests(kRequests, true);
  EXPECT_EQ(wire.take(), Rules{});
}

TEST_F(ExchangeTest, WhatThePortsOfTheCaptureMergedInAnotherOrderIsPairedSilently) {
  acknowledges = kMessageOctets;  // the request, which was not seen yet
  answer({});
  ask({});
  exchange.settle_early(kResponses);
  EXPECT_EQ(wire.take(), Rules{});
  EXPECT_TRUE(exchange.outstanding(kRequests).empty());
}

TEST_F(ExchangeTest, ARequestThatStillWaitsAtTheEndIsReported) {
  ask({});
  ask_atomic(1);
  ASSERT_TRUE(exchange.waiting(kRequests));
  EXPECT_EQ(exchange.waiting(kRequests)->count, 2u);
  exchange.settle_requests(kRequests, true);
  EXPECT_EQ(wire.take(), (Rules{FindingId::rdmap_read_request_unanswered, FindingId::rdmap_atomic_request_unanswered}));
  EXPECT_EQ(wire.records.all.size(), 2u);
  ASSERT_TRUE(exchange.waiting(kRequests));  // what waited when they were settled
  EXPECT_EQ(exchange.waiting(kRequests)->count, 2u);
}

TEST_F(ExchangeTest, NeitherEndIsBlamedForARequestWhereTheStreamMayGoOnOrATerminateExplainsIt) {
  ask({});
  exchange.settle_requests(kRequests, false);
  EXPECT_EQ(wire.take(), Rules{});
  Wire other;
  other.first_terminate = kResponses;
  Exchange ended(other);
  const OpenMessage open = open_message(Opcode::rdma_read_request, 0, 1, read_header({}));
  ended.request_ended(kRequests, open, end_of(open, 28), nullptr);
  ended.settle_requests(kRequests, true);
  EXPECT_EQ(other.take(), Rules{});
}

TEST_F(ExchangeTest, AnFpduThatIsNotCompleteMayBeTheResponse) {
  ask({});
  wire.llps[index(kResponses)].pending_octets = 10;
  exchange.settle_requests(kRequests, true);
  EXPECT_EQ(wire.take(), Rules{});
}

TEST_F(ExchangeTest, AnFpduThatTheDirectionEndedInsideMayBeTheResponse) {
  ask({});
  wire.llps[index(kResponses)].pending_octets = 10;
  EXPECT_TRUE(wire.coverage[index(kResponses)].end());
  wire.llps[index(kResponses)].pending_octets = 0;
  exchange.settle_requests(kRequests, true);
  EXPECT_EQ(wire.take(), Rules{});
}

TEST_F(ExchangeTest, AnAtomicResponseEchoesTheIdentifierOfTheOldest) {
  ask_atomic(1);
  answer_atomic(1);
  EXPECT_EQ(wire.take(), Rules{});
  ask_atomic(2);
  answer_atomic(3);
  EXPECT_EQ(wire.take(), Rules{FindingId::rdmap_atomic_identifier_wrong});
  answer_atomic(4);
  exchange.settle_early(kResponses);
  EXPECT_EQ(wire.take(), Rules{FindingId::rdmap_atomic_response_unrequested});
}

TEST_F(ExchangeTest, AnAtomicOnAMisalignedWordMustNotBeAnswered) {
  ask_atomic(1, 0x3004);
  EXPECT_EQ(wire.take(), Rules{});
  answer_atomic(1);
  EXPECT_EQ(wire.take(), Rules{FindingId::rdmap_atomic_misaligned_answered});
}

TEST_F(ExchangeTest, AnIdentifierIsRepeatedOnlyWhileTheFirstRequestWaits) {
  ask_atomic(1);
  answer_atomic(1);
  ask_atomic(1);
  EXPECT_EQ(wire.take(), Rules{});
  ask_atomic(1);
  EXPECT_EQ(wire.take(), Rules{FindingId::rdmap_atomic_identifier_repeated});
}

TEST_F(ExchangeTest, OnlyARequestAfterTheOneThatWasRefusedMustNotBeAnswered) {
  ask({.sink_to = 0x1000});
  ask({.sink_to = 0x2000});
  exchange.terminated(kResponses, 0);
  answer({.sink_to = 0x1000});
  EXPECT_EQ(wire.take(), Rules{});
  answer({.sink_to = 0x2000});
  EXPECT_EQ(wire.take(), Rules{FindingId::ddp_answered_after_error});
}

TEST_F(ExchangeTest, RequestsBeyondTheLimitAreDiscardedAndCounted) {
  wire.environment.max_outstanding_requests = 1;
  ask({.sink_to = 0x1000});
  EXPECT_TRUE(exchange.has_certain_requests(kRequests));
  ask({.sink_to = 0x2000});
  EXPECT_EQ(wire.environment.requests_discarded, 1u);
  EXPECT_FALSE(exchange.has_certain_requests(kRequests));
  EXPECT_EQ(exchange.outstanding(kRequests).size(), 1u);
  EXPECT_EQ(wire.records.all.size(), 1u);
}

TEST_F(ExchangeTest, CreditIsCountedByWhatTheSenderHadReceived) {
  mpa::StartupFrame asked, answered;
  asked.enhanced = mpa::EnhancedData{.ird = 1, .ord = 1};
  wire.startup_request = &asked;
  wire.startup_reply = &answered;
  wire.agreement->enhanced = true;
  wire.agreement->initiator = kRequests;
  wire.agreement->read_depth = {1, 1};
  ask({.sink_to = 0x1000});
  answer({.sink_to = 0x1000});
  ask({.sink_to = 0x2000});
  EXPECT_EQ(wire.take(), Rules{});
  answer({.sink_to = 0x2000});
  acknowledges = kMessageOctets;  // of the two responses
  ask({.sink_to = 0x3000});
  EXPECT_EQ(wire.take(), Rules{FindingId::rdmap_too_many_reads});
  DirectionRecord record;
  exchange.fill(kRequests, record);
  EXPECT_EQ(record.max_outstanding_reads, 1u);
  ASSERT_TRUE(record.read_credit);
  EXPECT_EQ(record.read_credit->limit, 1);
  EXPECT_EQ(record.read_credit->reads.peak, 2u);
  DirectionRecord none;
  exchange.fill(kResponses, none);
  EXPECT_FALSE(none.read_credit);
}

TEST_F(ExchangeTest, OverSctpADoubtedResponseIsSettledOnceAllIsSeen) {
  const auto answer_unknown = [&] {
    OpenMessage open = next(kResponses, Opcode::rdma_read_response, {});
    open.first.has_acknowledged = false;  // no SACK was bundled with it
    open.tagged = true;
    open.stag = STag{0x77};
    respond(std::move(open), 8);
  };
  answer_unknown();
  EXPECT_EQ(wire.take(), Rules{});
  exchange.settle_doubted(kResponses);
  EXPECT_EQ(wire.take(), Rules{FindingId::rdmap_read_response_unrequested});
  answer_unknown();
  wire.llps[index(kRequests)].framed = false;
  exchange.settle_doubted(kResponses);
  EXPECT_EQ(wire.take(), Rules{});
}

}  // namespace
}  // namespace iwarpscope::qp
