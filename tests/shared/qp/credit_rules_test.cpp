// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "qp/requests/credit_rules.h"

#include <gtest/gtest.h>

#include "shared/qp/wire.h"

namespace iwarpscope::qp {
namespace {

using findings::FindingId;

/// An enhanced startup whose Reply allows the Initiator, which sends the requests, 2 reads.
struct CreditRules : testing::Test {
  CreditRules() {
    asked.enhanced = mpa::EnhancedData{.ird = 2, .ord = 2};
    wire.startup_request = &asked;
    wire.startup_reply = &answered;
    wire.agreement->enhanced = true;
    wire.agreement->initiator = kRequests;
    wire.agreement->read_depth = {2, 1};
  }
  Rules judge(Waiting outstanding) {
    judge_credit({kRequests, request, outstanding, 2}, credit, wire);
    return wire.take();
  }
  mpa::StartupFrame asked, answered;
  Wire wire;
  Credit credit;
  OpenMessage request = open_message(rdmap::Opcode::rdma_read_request, 0, 1);
};

TEST_F(CreditRules, TheLimitIsTheNegotiatedDepthOfItsDirection) {
  EXPECT_EQ(read_limit(wire, kRequests), 2);
  EXPECT_EQ(read_limit(wire, kResponses), 1);
}

TEST_F(CreditRules, WithoutAnEnhancedStartupSeenWholeThereIsNoLimit) {
  wire.startup_reply = nullptr;
  EXPECT_FALSE(read_limit(wire, kRequests));
  wire.startup_reply = &answered;
  wire.agreement->enhanced = false;
  EXPECT_FALSE(read_limit(wire, kRequests));
}

TEST_F(CreditRules, ADepthThatIsNotNegotiatedLimitsOnlyTheOtherDirection) {
  asked.enhanced->ord = mpa::kDepthNotNegotiated;
  EXPECT_FALSE(read_limit(wire, kRequests));
  EXPECT_EQ(read_limit(wire, kResponses), 1);
}

TEST_F(CreditRules, ReadsAndAtomicsCountAgainstTheLimit) {
  EXPECT_EQ(judge({2, 2}), Rules{});
  EXPECT_EQ(judge({3, 3}), Rules{FindingId::rdmap_too_many_reads});
  EXPECT_EQ(judge({2, 3}), Rules{FindingId::rdmap_too_many_atomics});
}

TEST_F(CreditRules, AnRtrTakesAPlaceThatIsNotNegotiated) {
  wire.rtr = std::make_unique<RtrRecord>(RtrRecord{"read", FrameNumber{1}});
  judge_credit({kRequests, request, {1, 1}, 0}, credit, wire);
  EXPECT_EQ(wire.take(), Rules{});
  wire.rtr = std::make_unique<RtrRecord>(RtrRecord{"send", FrameNumber{1}});
  judge_credit({kRequests, request, {1, 1}, 0}, credit, wire);
  EXPECT_EQ(wire.take(), Rules{FindingId::rdmap_too_many_reads});
}

TEST_F(CreditRules, AFloodIsFarAboveTheLimitAndReportedOnce) {
  EXPECT_EQ(judge({9, 9}), Rules{FindingId::rdmap_too_many_reads});
  EXPECT_EQ(judge({10, 10}), (Rules{FindingId::rdmap_too_many_reads, FindingId::rdmap_read_queue_flooded}));
  EXPECT_EQ(judge({11, 11}), Rules{FindingId::rdmap_too_many_reads});
}

}  // namespace
}  // namespace iwarpscope::qp
