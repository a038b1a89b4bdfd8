// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Captures that lack a direction, or a part of each frame: what can be counted is, and no more.
#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "shared/analysis/nth_read.h"
#include "support/analysis.h"
#include "synth/connection.h"

namespace iwarpscope::test {
namespace {

using findings::FindingId;
using synth::Connection;
using synth::kI;
using synth::kR;
using synth::Packing;

/// Five reads, one after the other; then three requests at once.
void reads(Connection& c) {
  c.send(kI, 100);
  for (std::uint32_t i = 0; i < 5; ++i) c.read(kI, nth_read(i));
  for (std::uint32_t i = 5; i < 8; ++i) c.read_request(kI, nth_read(i));
  for (std::uint32_t i = 5; i < 8; ++i) c.read_response(kR);
  c.close();
}

Report run(const std::function<void(Connection&)>& prepare) {
  Connection c;
  prepare(c);
  c.connect();
  c.startup();
  reads(c);
  return analyze(c.frames());
}

TEST(OutstandingReads, AreCountedWhenTheirResponsesWereCaptured) {
  const Report report = run([](Connection&) {});
  ASSERT_EQ(report.qps.size(), 1u);
  EXPECT_EQ(report.qps[0].directions[0].max_outstanding_reads, 3u);
  EXPECT_TRUE(report.qps[0].directions[1].captured);
}

TEST(OutstandingReads, OnlyTheRequestJustSentIsCertainWhenResponsesWereNotCaptured) {
  const Report report = run([](Connection& c) { c.capture_only(kI); });
  ASSERT_EQ(report.qps.size(), 1u);
  const qp::QpRecord& record = report.qps[0];
  EXPECT_EQ(record.directions[0].messages[static_cast<std::size_t>(rdmap::Opcode::rdma_read_request)], 8u);
  EXPECT_EQ(record.directions[0].max_outstanding_reads, 1u);
  EXPECT_TRUE(record.directions[0].captured);
  EXPECT_FALSE(record.directions[1].captured);
  EXPECT_EQ(report.count(FindingId::capture_one_sided), 1u);
}

TEST(OutstandingReads, BeforeAGapInTheResponsesAreNoLongerCertain) {
  // The first of three responses is missed: the other two show that the gap held it.
  const Report report = run([](Connection& c) { c.channel(kR, synth::Effect::miss, {.skip = 1}); });
  ASSERT_EQ(report.qps.size(), 1u);
  EXPECT_EQ(report.qps[0].directions[0].max_outstanding_reads, 3u);
  EXPECT_EQ(report.count(FindingId::capture_gap), 1u);
}

TEST(OneSided, WithTheHandshakeOfBothIsOneSidedAndHasNoGap) {
  Connection c;
  c.connect();
  c.capture_only(kI);
  c.startup();
  c.send(kI, 40'000);
  reads(c);
  const Report report = analyze(c.frames());
  ASSERT_EQ(report.qps.size(), 1u) << report.codes();
  EXPECT_EQ(report.count(FindingId::capture_one_sided), 1u) << report.codes();
  EXPECT_EQ(report.count(FindingId::capture_gap), 0u) << report.codes();
  EXPECT_EQ(report.errors(), 0u) << report.codes();
  EXPECT_FALSE(report.qps[0].directions[1].captured);
  EXPECT_EQ(report.qps[0].directions[1].capture_gap_octets, c.stream_octets(kR));
  EXPECT_EQ(report.qps[0].directions[0].max_outstanding_reads, 1u);
  const findings::Finding* f = report.find(FindingId::capture_one_sided);
  EXPECT_EQ(f->direction, Direction::a_to_b);
  EXPECT_NE(f->text.find("the one TCP segment seen carries no payload"), std::string::npos) << f->text;
}

TEST(OneSided, IsTakenBackWhenPayloadComesLate) {
  Connection c;
  c.connect();
  c.capture_only(kI);
  c.startup();
  c.send(kI, 100);
  c.send(kR, 100);
  c.send(kI, 100);
  c.capture(true);
  c.capture_only(kR);
  c.send(kR, 300);
  const std::uint64_t sent = c.stream_octets(kR);
  const Report report = analyze(c.frames());
  ASSERT_EQ(report.qps.size(), 1u);
  EXPECT_EQ(report.count(FindingId::capture_one_sided), 0u) << report.codes();
  const findings::Finding* gap = report.find(FindingId::capture_gap);
  ASSERT_NE(gap, nullptr) << report.codes();
  EXPECT_TRUE(report.qps[0].directions[1].captured);
  EXPECT_EQ(report.qps[0].directions[1].capture_gap_octets + report.qps[0].directions[1].stream_octets, sent);
}

TEST(CutFrames, OfPackedFpdusAreCountedAsNotRead) {
  Connection c({.path = {.snap_length = 160}});
  c.connect();
  c.startup();
  c.send(kI, 100);
  c.packing(kI, Packing::packed);
  for (int i = 0; i < 60; ++i) c.send(kI, 200);
  c.flush();
  const std::uint64_t sent = c.stream_octets(kI);
  const Report report = analyze(c.frames());
  ASSERT_EQ(report.qps.size(), 1u);
  const qp::DirectionRecord& d = report.qps[0].directions[0];
  EXPECT_LT(d.messages[static_cast<std::size_t>(rdmap::Opcode::send)], 61u);
  EXPECT_EQ(d.cut_octets + d.stream_octets, sent);
  EXPECT_GT(d.cut_octets, sent / 2);
  EXPECT_TRUE(d.cut_framing);
  EXPECT_GT(d.unframed_octets, sent / 2);
  const findings::Finding* f = report.find(FindingId::capture_cut_framing);
  ASSERT_NE(f, nullptr) << report.codes();
  EXPECT_EQ(f->seen, std::to_string(d.unframed_octets));
  EXPECT_EQ(f->direction, Direction::a_to_b);
}

TEST(CutFrames, OfAlignedFpdusLoseNoMessage) {
  Connection c({.path = {.snap_length = 160}});
  c.connect();
  c.startup();
  for (int i = 0; i < 60; ++i) c.send(kI, 200);
  const Report report = analyze(c.frames());
  ASSERT_EQ(report.qps.size(), 1u);
  const qp::DirectionRecord& d = report.qps[0].directions[0];
  EXPECT_EQ(d.messages[static_cast<std::size_t>(rdmap::Opcode::send)], 60u);
  EXPECT_GT(d.cut_octets, 0u);
  EXPECT_EQ(d.unframed_octets, 0u);
  EXPECT_FALSE(d.cut_framing);
  EXPECT_EQ(report.count(FindingId::capture_cut_framing), 0u);
}

TEST(RdmapVersion, OfTheRecordIsTheLastLegalOne) {
  for (const unsigned before : {0u, 3u}) {
    Connection c;
    c.connect();
    c.startup();
    for (unsigned i = 0; i < before; ++i) c.send(kI, 100);
    c.alter(kI, {.rdmap_version = 2});
    c.send(kI, 100);
    c.alter(kI, {.rdmap_version = 3});
    c.send(kI, 100);
    const Report report = analyze(c.frames());
    ASSERT_EQ(report.qps.size(), 1u);
    EXPECT_GT(report.count(FindingId::rdmap_version_wrong), 0u) << report.codes();
    const auto expected = before == 0 ? std::nullopt : std::optional<std::uint8_t>(1);
    EXPECT_EQ(report.qps[0].rdmap_version, expected);
  }
}

}  // namespace
}  // namespace iwarpscope::test
