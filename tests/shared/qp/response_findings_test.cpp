// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "qp/requests/response_findings.h"

#include <gtest/gtest.h>

#include "shared/qp/wire.h"

namespace iwarpscope::qp {
namespace {

using findings::FindingId;
using rdmap::Opcode;

struct ResponseFindings : testing::Test {
  ResponseFindings() {
    response.stag = STag{0x11};
    response.to = TaggedOffset{0x1000};
    segment.stag = STag{0x11};
    segment.to = TaggedOffset{0x1000};
    segment.payload_length = 8;
    request.frame = FrameNumber{5};
    request.msn = MessageSequence{3};
    request.sink_stag = STag{0x11};
    request.sink_to = TaggedOffset{0x1000};
    request.size = 8;
  }
  OpenMessage response = open_message(Opcode::rdma_read_response, 2, 9);
  ddp::Segment segment;
  Request request;
};

TEST_F(ResponseFindings, TheSinkSaysWhichFieldIsWrong) {
  segment.stag = STag{0x12};
  EXPECT_EQ(wrong_sink(kResponses, response, segment, request).id, FindingId::rdmap_read_response_stag_wrong);
  segment.stag = request.sink_stag;
  response.to = TaggedOffset{0x1001};
  const findings::Finding to = wrong_sink(kResponses, response, segment, request);
  EXPECT_EQ(to.id, FindingId::rdmap_read_response_to_wrong);
  EXPECT_EQ(to.seen, "0x0000000000001001");
  EXPECT_EQ(to.expected, "0x0000000000001000");
  request.size = 0;
  const findings::Finding zero = wrong_sink(kResponses, response, segment, request);
  EXPECT_EQ(zero.id, FindingId::rdmap_zero_length_read_response_wrong);
  EXPECT_EQ(zero.seen, "8");
}

TEST_F(ResponseFindings, EachNamesTheMessageAndBothFrames) {
  const findings::Finding f = wrong_length(kResponses, response, 9, request);
  EXPECT_EQ(f.direction, kResponses);
  EXPECT_EQ(f.message, 2u);
  EXPECT_EQ(f.seen, "9");
  EXPECT_EQ(f.expected, "8");
  EXPECT_EQ(f.frames, (std::vector{FrameNumber{5}, FrameNumber{9}}));
}

TEST_F(ResponseFindings, AnEarlyAnswerShowsBothOffsets) {
  request.end = offset_at(100);
  response.first.acknowledged = offset_at(60);
  findings::Finding f;
  describe_cause(f, response.first, request);
  EXPECT_EQ(f.id, FindingId::rdmap_response_before_request);
  EXPECT_EQ(f.seen, "60");
  EXPECT_EQ(f.expected, "at least 100");
}

TEST_F(ResponseFindings, AtomicsHaveRulesOfTheirOwn) {
  EarlyResponse early;
  EXPECT_EQ(response_unrequested(kResponses, response, early).id, FindingId::rdmap_read_response_unrequested);
  EXPECT_EQ(request_unanswered(kRequests, request).id, FindingId::rdmap_read_request_unanswered);
  early.atomic = request.atomic = true;
  early.request_id = 77;
  const findings::Finding f = response_unrequested(kResponses, response, early);
  EXPECT_EQ(f.id, FindingId::rdmap_atomic_response_unrequested);
  EXPECT_EQ(f.seen, "77");
  EXPECT_EQ(request_unanswered(kRequests, request).id, FindingId::rdmap_atomic_request_unanswered);
}

TEST_F(ResponseFindings, AnUnansweredRequestIsOfItsSender) {
  request.message = 4;
  const findings::Finding f = request_unanswered(kRequests, request);
  EXPECT_EQ(f.direction, kRequests);
  EXPECT_EQ(f.message, 4u);
  EXPECT_EQ(f.frames, std::vector{FrameNumber{5}});
}

}  // namespace
}  // namespace iwarpscope::qp
