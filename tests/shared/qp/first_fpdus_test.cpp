// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "qp/direction/first_fpdus.h"

#include <gtest/gtest.h>

#include "shared/qp/wire.h"

namespace iwarpscope::qp {
namespace {

using findings::FindingId;

/// Startup frames of 20 octets in each direction; the Initiator's first FPDU has 40 octets.
struct FirstFpdusTest : testing::Test {
  FirstFpdusTest() {
    asked.end = answered.end = offset_at(20);
    answered.frame = FrameNumber{2};
    wire.startup_request = &asked;
    wire.startup_reply = &answered;
    wire.agreement->initiator = kRequests;
    wire.agreement->sequence_start = {offset_at(20), offset_at(20)};
  }
  Rules begin(Direction d, std::uint64_t acknowledged, std::uint64_t start = 20) {
    mpa::Fpdu fpdu{};
    fpdu.start = offset_at(start);
    fpdu.crc = mpa::CrcVerdict::good;
    fpdu.first_frame = fpdu.last_frame = FrameNumber{++frame};
    fpdu.has_acknowledged = true;
    fpdu.acknowledged = offset_at(acknowledged);
    wire.coverage[index(d)].framed(offset_at(start + 40));
    first.judge(d, fpdu, wire);
    return wire.take();
  }
  mpa::StartupFrame asked, answered;
  Wire wire;
  FirstFpdus first;
  std::uint64_t frame = 4;
};

TEST_F(FirstFpdusTest, TheInitiatorMayBeginOnceItHasTheReply) {
  EXPECT_EQ(begin(kRequests, 20), Rules{});
}
TEST_F(FirstFpdusTest, OneOctetLessIsTooEarly) {
  EXPECT_EQ(begin(kRequests, 19), Rules{FindingId::mpa_fpdu_before_reply});
}
TEST_F(FirstFpdusTest, WhatStartupJudgedIsNotReportedAgain) {
  first.initiator_was_early();
  EXPECT_EQ(begin(kRequests, 19), Rules{});
}

TEST_F(FirstFpdusTest, TheResponderMayBeginOnceItHasTheInitiatorsFirstFpdu) {
  EXPECT_EQ(begin(kRequests, 20), Rules{});
  EXPECT_EQ(begin(kResponses, 60), Rules{});
}
TEST_F(FirstFpdusTest, PartOfTheInitiatorsFirstFpduIsNotEnough) {
  EXPECT_EQ(begin(kRequests, 20), Rules{});
  EXPECT_EQ(begin(kResponses, 59), Rules{FindingId::mpa_responder_sends_first});
}
TEST_F(FirstFpdusTest, AResponderThatHadNothingIsReportedAtOnce) {
  EXPECT_EQ(begin(kResponses, 20), Rules{FindingId::mpa_responder_sends_first});
}
TEST_F(FirstFpdusTest, AResponderSeenFirstIsJudgedWithTheInitiatorsFpdu) {
  EXPECT_EQ(begin(kResponses, 50), Rules{});
  EXPECT_EQ(begin(kRequests, 20), Rules{FindingId::mpa_responder_sends_first});
}
TEST_F(FirstFpdusTest, AResponderSeenFirstThatHadAllOfItIsRight) {
  EXPECT_EQ(begin(kResponses, 60), Rules{});
  EXPECT_EQ(begin(kRequests, 20), Rules{});
}

TEST_F(FirstFpdusTest, NothingIsJudgedWhereOctetsAreMissing) {
  wire.coverage[index(kRequests)].lost();
  EXPECT_EQ(begin(kResponses, 20), Rules{});
}
TEST_F(FirstFpdusTest, NothingIsJudgedAwayFromTheStartupFrame) {
  EXPECT_EQ(begin(kResponses, 20, 24), Rules{});
}
TEST_F(FirstFpdusTest, NothingIsJudgedOfOneDirectionAlone) {
  wire.one_sided = true;
  EXPECT_EQ(begin(kResponses, 20), Rules{});
}

}  // namespace
}  // namespace iwarpscope::qp
