// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "qp/direction/rtr.h"

#include <gtest/gtest.h>

#include "shared/qp/wire.h"

namespace iwarpscope::qp {
namespace {

using findings::FindingId;
using rdmap::Opcode;

/// A startup in peer-to-peer mode whose frames share the RTR types Send and Read.
struct Rtr : testing::Test {
  Rtr() {
    for (mpa::StartupFrame* each : {&asked, &answered}) {
      each->revision = 2;
      each->enhanced = mpa::EnhancedData{
          .ird = 1, .ord = 1, .peer_to_peer = true, .rtr_send = true, .rtr_write = false, .rtr_read = true};
    }
    wire.startup_request = &asked;
    wire.startup_reply = &answered;
    wire.agreement->enhanced = true;
    wire.agreement->initiator = kRequests;
  }
  Rules judge(Direction d, Opcode opcode, std::uint32_t length, const Bytes& payload = {}) {
    const OpenMessage open = open_message(opcode, 0, 4);
    const std::vector<std::byte> octets = payload.octets();
    ddp::Segment segment;
    segment.last = true;
    segment.payload = octets;
    segment.payload_length = length;
    judge_first_message({d, open, segment, {.peer_has_sent = false}}, wire);
    return wire.take();
  }
  mpa::StartupFrame asked, answered;
  Wire wire;
};

TEST_F(Rtr, AnAgreedTypeIsTheRtr) {
  EXPECT_EQ(judge(kRequests, Opcode::send, 0), Rules{});
  ASSERT_NE(wire.rtr, nullptr);
  EXPECT_EQ(wire.rtr->kind, "send");
}

TEST_F(Rtr, AnythingElseMissesIt) {
  EXPECT_EQ(judge(kRequests, Opcode::send, 1), Rules{FindingId::mpa_rtr_missing});
  EXPECT_EQ(wire.rtr, nullptr);
  EXPECT_EQ(judge(kRequests, Opcode::rdma_write, 0), Rules{FindingId::mpa_rtr_missing});  // not agreed
}

TEST_F(Rtr, TheRespondersFirstMessageAndAStartupNotSeenAreNotJudged) {
  EXPECT_EQ(judge(kResponses, Opcode::send, 1), Rules{});
  wire.midstream = true;
  EXPECT_EQ(judge(kRequests, Opcode::send, 1), Rules{});
}

TEST_F(Rtr, AReadNeedsADepth) {
  const Bytes read = read_header({.size = 0});
  EXPECT_EQ(judge(kRequests, Opcode::rdma_read_request, 28, read), Rules{});
  answered.enhanced->ird = 0;
  EXPECT_EQ(judge(kRequests, Opcode::rdma_read_request, 28, read), Rules{FindingId::mpa_read_rtr_with_zero_ird});
}

TEST_F(Rtr, TypesThatDoNotMeetObligeToATerminate) {
  answered.enhanced->rtr_send = answered.enhanced->rtr_read = false;
  EXPECT_EQ(judge(kRequests, Opcode::send, 0), Rules{FindingId::mpa_rtr_mismatch_not_terminated});
  const Bytes no_matching_rtr = Bytes().u8(0x20).u8(7).u8(0).u8(0);
  EXPECT_EQ(judge(kRequests, Opcode::terminate, 4, no_matching_rtr), Rules{});
}

TEST_F(Rtr, WithoutPeerToPeerModeOnlyAnUnnegotiatedRtrIsReported) {
  for (mpa::StartupFrame* each : {&asked, &answered}) each->enhanced.reset();
  EXPECT_EQ(judge(kRequests, Opcode::rdma_write, 0), Rules{});  // revision 2 negotiates it
  asked.revision = 1;
  EXPECT_EQ(judge(kRequests, Opcode::rdma_write, 1), Rules{});
  EXPECT_EQ(judge(kRequests, Opcode::send, 0), Rules{});
  EXPECT_EQ(judge(kRequests, Opcode::rdma_write, 0), Rules{FindingId::mpa_unnegotiated_rtr});
}

}  // namespace
}  // namespace iwarpscope::qp
