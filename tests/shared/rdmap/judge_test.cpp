// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Each RM and AT rule that one DDP segment decides, raised, and a near miss of it. Terminate: judge_terminate_test.cpp.
#include "rdmap/judge.h"

#include <gtest/gtest.h>

#include "support.h"

namespace iwarpscope::rdmap::test {
namespace {

constexpr JudgeContext kIetf{.rdmac = false, .terminate = {}};
constexpr JudgeContext kRdmac{.rdmac = true, .terminate = {}};

Suspect read_request(const synth::wire::ReadRequest& w = {}) {
  return {.control = rdmap_control(WireOpcode::rdma_read_request), .qn = 1, .payload = synth::wire::write(w)};
}
Suspect atomic_request(const synth::wire::AtomicRequest& w = {}) {
  return {.control = rdmap_control(WireOpcode::atomic_request), .qn = 1, .payload = synth::wire::write(w)};
}
Suspect atomic_response() {
  return {.control = rdmap_control(WireOpcode::atomic_response),
          .qn = 3,
          .payload = synth::wire::write(synth::wire::AtomicResponse{})};
}
Suspect immediate(WireOpcode opcode = WireOpcode::immediate) {
  return {.control = rdmap_control(opcode), .payload = synth::wire::write_immediate(5)};
}
Suspect send(WireOpcode opcode = WireOpcode::send) {
  return {.control = rdmap_control(opcode), .payload = synth::Buffer(9)};
}

TEST(RdmapJudge, OneOfEachRightMessageIsSilent) {
  for (const JudgeContext& context : {JudgeContext{}, kIetf}) {
    EXPECT_EQ(judged({.tagged = true, .control = rdmap_control(WireOpcode::rdma_write)}, context), "");
    EXPECT_EQ(judged({.tagged = true, .control = rdmap_control(WireOpcode::rdma_read_response)}, context), "");
    EXPECT_EQ(judged(read_request(), context), "");
    EXPECT_EQ(judged(send(), context), "");
    EXPECT_EQ(judged(send(WireOpcode::send_se), context), "");
    Suspect invalidate = send(WireOpcode::send_invalidate);
    invalidate.invalidate = 0x100;
    EXPECT_EQ(judged(invalidate, context), "");
    invalidate.control = rdmap_control(WireOpcode::send_se_invalidate);
    EXPECT_EQ(judged(invalidate, context), "");
    EXPECT_EQ(judged(immediate(), context), "");
    EXPECT_EQ(judged(immediate(WireOpcode::immediate_se), context), "");
    EXPECT_EQ(judged(atomic_request(), context), "");
    EXPECT_EQ(judged(atomic_response(), context), "");
  }
}

TEST(RdmapJudge, DamagedOrLaterSegmentsAreNotJudged) {
  Suspect s = send();
  s.control = 0xFF;
  EXPECT_EQ(judged(s), "RM-01 RM-02 RM-03F");
  s.intact = false;
  EXPECT_EQ(judged(s), "");
  s.intact = true;
  s.first = s.starts = false;
  EXPECT_EQ(judged(s), "");
}

TEST(RdmapVersion, OtherThanNegotiatedIsRaised) {
  Suspect s = send();
  s.control = rdmap_control(WireOpcode::send, 0);
  EXPECT_EQ(judged(s, kIetf), "RM-01");
  s.ddp_version = 0;
  EXPECT_EQ(judged(s, kRdmac), "");
  EXPECT_EQ(judged(send(), kRdmac), "RM-01");
}
TEST(RdmapVersion, WithoutANegotiatedOneTheDdpVersionDecides) {
  Suspect s = send();
  s.control = rdmap_control(WireOpcode::send, 0);
  EXPECT_EQ(judged(s), "RM-01");
  s.ddp_version = 0;
  EXPECT_EQ(judged(s), "");
  s.ddp_version = 2;
  EXPECT_EQ(judged(s), "");  // the DDP version is at fault, not this
  s.control = rdmap_control(WireOpcode::send, 2);
  EXPECT_EQ(judged(s), "RM-01");
}
TEST(RdmapVersion, ExtensionInVersionZeroIsRaised) {
  Suspect s = atomic_request();
  s.control = rdmap_control(WireOpcode::atomic_request, 0);
  s.ddp_version = 0;
  EXPECT_EQ(judged(s, kRdmac), "AT-16");
  s = read_request();
  s.control = rdmap_control(WireOpcode::rdma_read_request, 0);
  s.ddp_version = 0;
  EXPECT_EQ(judged(s, kRdmac), "");
}

TEST(RdmapReservedBits, EachIsRaised) {
  for (std::uint8_t bits = 1; bits < 4; ++bits) {
    Suspect s = send();
    s.control = rdmap_control(WireOpcode::send, 1, bits);
    Reporter reporter;
    EXPECT_EQ(judged(s, kIetf, &reporter), "RM-02");
    EXPECT_EQ(reporter.findings.at(0).seen, std::to_string(bits));
  }
}

TEST(RdmapOpcodes, TwelveToFourteenAndFifteenAreRaisedElevenIsNot) {
  Suspect s = send();
  for (std::uint8_t code = 12; code < 16; ++code) {
    s.control = static_cast<std::uint8_t>(0x40 | code);
    EXPECT_EQ(judged(s), code == 15 ? "RM-03F" : "RM-03");
  }
  EXPECT_EQ(judged(atomic_response()), "");
}

TEST(RdmapModel, TaggedSendAndUntaggedWriteAreRaised) {
  Suspect s = send();
  s.tagged = true;
  EXPECT_EQ(judged(s), "RM-04");
  s = {.control = rdmap_control(WireOpcode::rdma_write), .payload = synth::Buffer(50)};
  EXPECT_EQ(judged(s), "RM-04");
  s = read_request();
  s.tagged = true;
  EXPECT_EQ(judged(s), "RM-04");
}

TEST(RdmapQueue, OtherThanTheOpcodesIsRaised) {
  Suspect s = send();
  s.qn = 1;
  EXPECT_EQ(judged(s), "RM-05");
  s = read_request();
  s.qn = 0;
  EXPECT_EQ(judged(s), "RM-05");
  s = atomic_request();
  s.qn = 3;
  EXPECT_EQ(judged(s), "RM-05");
  s = immediate();
  s.qn = 1;
  EXPECT_EQ(judged(s), "RM-05");
}
TEST(RdmapQueue, OneThatNoEndHasIsForDdpToReport) {
  EXPECT_EQ(judged({.qn = 4}), "");
  EXPECT_EQ(judged({.qn = 3}), "RM-05");
}
TEST(RdmapQueue, ThoseOfTheFirstDraftAreNamedSo) {
  Suspect s = immediate(WireOpcode::immediate_se);
  s.qn = 1;
  EXPECT_EQ(judged(s), "AT-17");
  s = atomic_response();
  s.qn = 1;
  EXPECT_EQ(judged(s), "AT-17");
  s.qn = 0;
  EXPECT_EQ(judged(s), "RM-05");
}

TEST(RdmapInvalidate, StagWhereNoneBelongsIsRaised) {
  for (const WireOpcode opcode : {WireOpcode::send, WireOpcode::send_se, WireOpcode::immediate}) {
    Suspect s = opcode == WireOpcode::immediate ? immediate() : send(opcode);
    s.invalidate = 1;
    EXPECT_EQ(judged(s), "RM-06");
  }
  Suspect s = read_request();
  s.invalidate = 0x80000000;
  EXPECT_EQ(judged(s), "RM-06");
  s.control = 0x4D;  // it is unknown what opcode 13 puts there
  EXPECT_EQ(judged(s), "RM-03");
}
TEST(RdmapInvalidate, StagZeroIsRaised) {
  EXPECT_EQ(judged(send(WireOpcode::send_invalidate)), "RM-40");
  EXPECT_EQ(judged(send(WireOpcode::send_se_invalidate)), "RM-40");
}

TEST(RdmapReadRequest, OtherThan28OctetsOrNotAloneIsRaised) {
  Suspect s = read_request();
  s.payload.push_back(std::byte{0});
  EXPECT_EQ(judged(s), "RM-07");
  s.payload.resize(27);
  EXPECT_EQ(judged(s), "RM-07");
  s = read_request();
  s.last = false;
  EXPECT_EQ(judged(s), "RM-07");
}
TEST(RdmapReadRequest, SizeIsNotJudgedWhereTheStartIsNotCertain) {
  Suspect s = read_request();
  s.payload.resize(10);
  s.starts = false;
  EXPECT_EQ(judged(s), "");
  s.starts = true;
  s.mo = 18;
  EXPECT_EQ(judged(s), "");  // the offset is at fault: DD-10
}
TEST(RdmapReadRequest, WrappingOffsetsAreRaised) {
  constexpr std::uint64_t kTop = ~std::uint64_t{0};
  EXPECT_EQ(judged(read_request({.size = 100, .source_to = TaggedOffset{kTop - 98}})), "RM-08");
  EXPECT_EQ(judged(read_request({.sink_to = TaggedOffset{kTop - 98}, .size = 100})), "RM-08");
  EXPECT_EQ(judged(read_request({.sink_to = TaggedOffset{kTop - 99}, .size = 100})), "");
  EXPECT_EQ(judged(read_request({.sink_to = TaggedOffset{kTop}, .size = 0, .source_to = TaggedOffset{kTop}})), "");
}

TEST(RdmapExtension, WrongSizesAreRaised) {
  Suspect s = atomic_request();
  s.payload.resize(51);
  EXPECT_EQ(judged(s), "AT-01");
  s = atomic_response();
  s.payload.resize(32);
  EXPECT_EQ(judged(s), "AT-02");
  s = immediate();
  s.payload.resize(4);
  EXPECT_EQ(judged(s), "AT-03");
  s = immediate(WireOpcode::immediate_se);
  s.last = false;
  EXPECT_EQ(judged(s), "AT-03");
}

TEST(RdmapAtomicResponse, MsnOutOfSequenceIsRaisedWhereTheSequenceIsKnown) {
  Suspect s{.control = rdmap_control(WireOpcode::atomic_response), .qn = 3, .msn = 2, .payload = synth::Buffer(12)};
  EXPECT_EQ(judged(s), "");
  s.expected_msn = 1;
  EXPECT_EQ(judged(s), "AT-10");
  s.expected_msn = 2;
  EXPECT_EQ(judged(s), "");
}
TEST(RdmapAtomic, UnknownOperationAndTheDraftsSwapAreRaised) {
  Suspect s = atomic_request({.operation = synth::wire::AtomicOperation::swap});
  Reporter reporter;
  EXPECT_EQ(judged(s, kIetf, &reporter), "AT-04");
  EXPECT_NE(reporter.findings.at(0).text.find("Swap in the first draft"), std::string::npos);
  s.payload[3] = std::byte{3};
  EXPECT_EQ(judged(s), "AT-04");
  EXPECT_EQ(judged(atomic_request({.operation = synth::wire::AtomicOperation::cmp_swap, .compare = 5})), "");
}
TEST(RdmapAtomic, ReservedBitsAreRaised) {
  EXPECT_EQ(judged(atomic_request({.reserved = 1})), "AT-05");
  EXPECT_EQ(judged(atomic_request({.reserved = 0x8000000})), "AT-05");
}
TEST(RdmapAtomic, FetchAddWithCompareFieldsIsRaised) {
  EXPECT_EQ(judged(atomic_request({.compare = 1})), "AT-06");
  EXPECT_EQ(judged(atomic_request({.compare_mask = 0})), "AT-06");
  EXPECT_EQ(judged(atomic_request({.operation = synth::wire::AtomicOperation::cmp_swap, .compare_mask = 0})), "");
}
TEST(RdmapAtomic, OffsetThatIsNoMultipleOfEightIsRaised) {
  EXPECT_EQ(judged(atomic_request({.remote_to = TaggedOffset{0x1004}})), "AT-07");
  EXPECT_EQ(judged(atomic_request({.remote_to = TaggedOffset{0x1008}})), "");
}

TEST(RdmapJudge, FindingCarriesDirectionMessageAndFrame) {
  Reporter reporter;
  Suspect s = send();
  s.qn = 1;
  judged(s, kIetf, &reporter);
  ASSERT_EQ(reporter.findings.size(), 1u);
  const findings::Finding& f = reporter.findings[0];
  EXPECT_EQ(f.direction, Direction::b_to_a);
  EXPECT_EQ(f.message, 3u);
  EXPECT_EQ(f.frame, FrameNumber{7});
  EXPECT_EQ(f.seen, "1");
  EXPECT_EQ(f.expected, "0");
  EXPECT_EQ(f.text, "Send is sent on QN 1 (requests) and belongs on QN 0 (Send).");
}

}  // namespace
}  // namespace iwarpscope::rdmap::test
