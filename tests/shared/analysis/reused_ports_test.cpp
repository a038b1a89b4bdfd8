// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Addresses and ports used again, where the capture has neither the end of the old connection nor the SYN of the new.
#include <gtest/gtest.h>

#include <algorithm>

#include "support/analysis.h"
#include "synth/connection.h"

namespace iwarpscope::test {
namespace {

using findings::FindingId;
using synth::Buffer;
using synth::Connection;
using synth::Effect;
using synth::kI;
using synth::kR;
using synth::Packing;

constexpr std::uint32_t kIsnI = 0x1000, kIsnR = 0x80000000;  // of the old connection
constexpr std::size_t kMuch = 20u << 20;

void talk(Connection& c, int rounds = 3) {
  for (int i = 0; i < rounds; ++i) {
    c.send(kI, 2000);
    c.write(kI, STag{7}, TaggedOffset{0}, 3000);
    c.send(kR, 500);
    c.read(kI, {.size = 700});
  }
}
void old_connection(Connection& c) {
  c.connect();
  c.startup({.crc = true, .markers = true});
  talk(c);
}
/// Closes, and opens the next connection up to its Request, unseen.
void pass_unseen(Connection& c, std::uint32_t isn_i = kIsnI + 0x30000000, std::uint32_t isn_r = kIsnR + 0x20000000) {
  c.capture(false);
  c.close();
  c.reuse_ports(isn_i, isn_r);
  c.connect();
  c.capture(true);
}
/// A Request as octets.
Buffer request_octets(std::uint8_t revision = 1) {
  Buffer octets = synth::text("MPA ID Req Frame");
  for (unsigned o : {0x40u, unsigned{revision}, 0u, 4u, 1u, 2u, 3u, 4u}) octets.push_back(static_cast<std::byte>(o));
  return octets;
}
/// Nothing said of a peer that is more than a note.
void expect_no_blame(const Report& report) {
  EXPECT_EQ(report.errors(), 0u) << report.codes();
  for (const findings::Finding& f : report.findings) {
    const findings::Rule& rule = findings::rule(f.id);
    EXPECT_FALSE(rule.about == findings::About::peer && rule.severity != findings::Severity::note) << f.text;
  }
}
void expect_two(const Report& report) {
  expect_no_blame(report);
  ASSERT_EQ(report.qps.size(), 2u) << report.codes();
  EXPECT_EQ(report.qps[0].directions[0].capture_gap_octets, 0u);
  EXPECT_EQ(report.qps[0].closed_by, std::nullopt);
  EXPECT_EQ(report.qps[1].closed_by, "fin");
  EXPECT_EQ(report.qps[1].roles, qp::Roles::mpa);
  ASSERT_TRUE(report.qps[1].startup && report.qps[1].startup->request && report.qps[1].startup->reply);
  for (const qp::QpRecord& r : report.qps) {
    EXPECT_EQ(r.directions[0].messages[static_cast<std::size_t>(rdmap::Opcode::send)], 3u) << r.qp;
    EXPECT_EQ(r.directions[1].messages[static_cast<std::size_t>(rdmap::Opcode::rdma_read_response)], 3u) << r.qp;
    EXPECT_EQ(r.directions[0].crc_bad + r.directions[1].crc_bad, 0u) << r.qp;
  }
}

class ReusedPorts : public testing::TestWithParam<std::uint32_t> {};

TEST_P(ReusedPorts, RequestFarOffBeginsAQueuePair) {
  Connection c;
  old_connection(c);
  pass_unseen(c, kIsnI + GetParam(), kIsnR + GetParam());
  c.startup({.crc = true, .markers = false});
  talk(c);
  c.close();
  expect_two(analyze(c.frames()));
}

INSTANTIATE_TEST_SUITE_P(Distances, ReusedPorts,
                         testing::Values(0x01000000, 0x3FFFF000, 0x41000000, 0x7FFFFFFF, 0x80000000, 0xC0000000,
                                         0xFE000000));

/// Where all of it was captured, what is between the old connection's octets and the new one's Request is taken
/// out, but for the last `kept` TCP segments.
Report without_between(unsigned kept) {
  Connection c;
  old_connection(c);
  const auto from = static_cast<std::ptrdiff_t>(c.tcp_segments().size());
  c.close();
  c.reuse_ports(kIsnI + 0x10000000, kIsnR + 0x10000000);
  c.connect();
  auto& seen = c.tcp_segments();
  seen.erase(seen.begin() + from, seen.end() - kept);
  c.startup({.crc = true, .markers = false});
  talk(c);
  c.close();
  return analyze(c.frames());
}

TEST(ReusedPorts, RequestBehindTheLastOfTheHandshakeBeginsAQueuePair) {
  const Report report = without_between(1);
  expect_two(report);
  EXPECT_EQ(report.count(FindingId::capture_gap), 0u) << report.codes();
}

TEST(ReusedPorts, SynAckBeginsAQueuePair) {
  expect_two(without_between(2));
}

TEST(ReusedPorts, SynAckOfTheConnectionBeforeIsNoAnswerToTheNextSyn) {
  Connection c;
  old_connection(c);
  c.close();
  c.reuse_ports(kIsnI + 0x30000000, kIsnR + 0x20000000);
  const std::size_t next = c.frames().size();
  c.connect();
  c.startup({.crc = true, .markers = false});
  talk(c);
  c.close();
  auto frames = c.frames();
  auto late = frames[1];
  late.time_ns = frames[next].time_ns;
  frames[next + 1] = late;  // its own is missing
  const Report report = analyze(frames);
  expect_no_blame(report);
  ASSERT_EQ(report.qps.size(), 2u) << report.codes();
  for (const Direction d : {Direction::a_to_b, Direction::b_to_a}) {
    EXPECT_EQ(report.qps[1].directions[index(d)].capture_gap_octets, 0u);
  }
  EXPECT_TRUE(report.qps[1].startup && report.qps[1].startup->reply);
}

TEST(ReusedPorts, RequestOfAnOlderConnectionIsNotThatOfTheSecondSynAfterIt) {
  Connection c;
  old_connection(c);
  constexpr std::size_t kRequest = 3;
  const auto late = c.tcp_segments()[kRequest];
  c.close();
  // The first SYN after it is not answered; the old Request follows the second one.
  c.reuse_ports(kIsnI + 0x10000000, kIsnR + 0x10000000);
  c.connect();
  auto& seen = c.tcp_segments();
  seen.resize(seen.size() - 2);
  const std::size_t syn = seen.size();
  c.reuse_ports(kIsnI + 0x20000000, kIsnR + 0x20000000);
  c.connect();
  seen.insert(seen.begin() + static_cast<std::ptrdiff_t>(syn) + 1, late);
  c.startup({.crc = true, .markers = false});
  talk(c);
  c.close();
  const Report report = analyze(c.frames());
  expect_no_blame(report);
  ASSERT_EQ(report.qps.size(), 2u) << report.codes();
  EXPECT_EQ(report.qps[1].directions[0].capture_gap_octets, 0u);
  EXPECT_EQ(report.qps[1].directions[0].messages[static_cast<std::size_t>(rdmap::Opcode::send)], 3u);
}

TEST(ReusedPorts, RequestOfTheOtherEndBeginsAQueuePair) {
  Connection c;
  old_connection(c);
  pass_unseen(c);
  c.request({.crc = true}, kR);
  c.reply({.kind = synth::wire::StartupFrame::Kind::reply, .crc = true}, kI);
  c.send(kR, 100);
  c.send(kI, 100);
  c.close();
  const Report report = analyze(c.frames());
  expect_no_blame(report);
  ASSERT_EQ(report.qps.size(), 2u) << report.codes();
  EXPECT_EQ(report.qps[1].a, report.qps[0].b);
  EXPECT_EQ(report.qps[1].state, qp::State::closed);
}

TEST(ReusedPorts, OneSideOfBothConnectionsGivesTwoQueuePairs) {
  Connection c;
  c.capture_only(kI);
  old_connection(c);
  pass_unseen(c);
  c.startup();
  talk(c);
  c.close();
  const Report report = analyze(c.frames());
  EXPECT_EQ(report.qps.size(), 2u) << report.codes();
  expect_no_blame(report);
}

TEST(ReusedPorts, OldConnectionThatWasJoinedMidstreamEndsToo) {
  Connection c;
  c.begin_full_operation(kI);
  c.begin_full_operation(kR);
  talk(c);
  pass_unseen(c);
  c.startup();
  talk(c);
  c.close();
  const Report report = analyze(c.frames());
  expect_no_blame(report);
  ASSERT_EQ(report.qps.size(), 2u) << report.codes();
  EXPECT_TRUE(report.qps[0].joined_midstream);
  EXPECT_FALSE(report.qps[1].joined_midstream);
}

TEST(ReusedPorts, WhatTheOldConnectionLeftOpenBlamesNoEnd) {
  Connection c;
  old_connection(c);
  c.read_request(kI, {.size = 5000});
  c.packing(kI, Packing::cut, {700});
  const std::size_t before = c.tcp_segments().size();
  c.send(kI, 1400);
  c.tcp_segments().resize(before + 1);  // the rest of the FPDU is not in the capture
  pass_unseen(c);
  c.packing(kI, Packing::fpdu_per_tcp_segment);
  c.startup();
  talk(c);
  c.close();
  const Report report = analyze(c.frames());
  EXPECT_EQ(report.qps.size(), 2u) << report.codes();
  expect_no_blame(report);
}

TEST(ReusedPorts, NeverAnsweredRequestThenAnotherConnection) {
  Connection c;
  c.connect();
  c.request({.crc = true});
  pass_unseen(c);
  c.startup();
  talk(c);
  c.close();
  const Report report = analyze(c.frames());
  EXPECT_EQ(report.qps.size(), 2u) << report.codes();
  expect_no_blame(report);
}

TEST(ReusedPorts, RequestOnAClosedQueuePairThatMadeRoomBeginsAQueuePair) {
  Connection c;
  old_connection(c);
  c.close();
  synth::Frames frames = c.frames();
  const std::size_t first = frames.size();
  for (unsigned i = 0; i < 12'000; ++i) {  // above what a shard keeps of closed ones
    Connection other({.initiator = {.port = static_cast<std::uint16_t>(40001 + i % 20'000)}});
    other.connect();
    other.startup();
    other.send(kI, 10);
    other.close();
    for (synth::Frame& f : other.frames()) frames.push_back(std::move(f));
  }
  pass_unseen(c);
  c.startup();
  c.send(kI, 10);
  c.close();
  const synth::Frames all = c.frames();
  frames.insert(frames.end(), all.begin() + static_cast<std::ptrdiff_t>(first), all.end());
  const Report report = analyze(frames);
  EXPECT_EQ(report.qps.size(), 12'002u);
  EXPECT_EQ(report.errors(), 0u) << report.codes();
}

// ---- near misses ----

void expect_one(const Report& report) {
  expect_no_blame(report);
  EXPECT_EQ(report.qps.size(), 1u) << report.codes();
}

TEST(SamePorts, RetransmittedRequestBeginsNothing) {
  Connection c;
  c.connect();
  c.channel(kI, Effect::retransmit);
  c.startup();
  talk(c);
  c.close();
  expect_one(analyze(c.frames()));
}

TEST(SamePorts, RequestOnceMoreWhenMuchWasSentBothWaysBeginsNothing) {
  Connection c;
  c.connect();
  c.startup();
  const auto& segments = c.tcp_segments();
  const auto request =
      std::find_if(segments.begin(), segments.end(), [](const auto& tcp) { return !tcp.payload.empty(); });
  const synth::TcpSegment again = *request;
  for (int i = 0; i < 4; ++i) {
    c.write(kI, STag{7}, TaggedOffset{0}, kMuch / 4);
    c.write(kR, STag{8}, TaggedOffset{0}, kMuch / 4);
  }
  c.tcp_segments().push_back(again);
  talk(c);
  c.close();
  expect_one(analyze(c.frames()));
}

TEST(SamePorts, RequestQuotedAtTheStartOfATcpSegmentBeginsNothing) {
  Connection c;
  old_connection(c);
  c.packing(kI, Packing::cut, {20, 1400});
  c.use_markers(kI, false);
  for (int i = 0; i < 3; ++i) c.send(kI, request_octets());
  c.packing(kI, Packing::fpdu_per_tcp_segment);
  talk(c);
  c.close();
  EXPECT_EQ(analyze(c.frames()).qps.size(), 1u);
}

/// As above, after octets that the capture lacks: so many of each direction.
Report quoted_after_gap(std::size_t lost, std::size_t lost_of_responder) {
  Connection c;
  c.connect();
  c.startup({.crc = true, .markers = false});
  talk(c);
  c.capture(false);
  if (lost != 0) c.write(kI, STag{7}, TaggedOffset{0}, lost);
  if (lost_of_responder != 0) c.write(kR, STag{7}, TaggedOffset{0}, lost_of_responder);
  c.capture(true);
  c.packing(kI, Packing::cut, {20, 1400});
  const std::size_t before = c.tcp_segments().size();
  c.send(kI, request_octets());
  c.tcp_segments().erase(c.tcp_segments().begin() + static_cast<std::ptrdiff_t>(before));  // the FPDU's header
  c.packing(kI, Packing::fpdu_per_tcp_segment);
  talk(c, 10);
  c.close();
  return analyze(c.frames());
}

// TCP segments below the number of a SYN belong to an older connection; but this one was never answered.
TEST(SamePorts, ForgedSynHidesNoConnection) {
  Connection c;
  c.connect();
  auto& seen = c.tcp_segments();
  seen.erase(seen.begin() + 1);  // the SYN-ACK
  std::swap(seen[0], seen[1]);
  seen[1].sequence += 0x10000000;
  c.startup({.crc = true, .markers = false});
  talk(c, 10);
  const Report report = analyze(c.frames());
  ASSERT_EQ(report.qps.size(), 1u) << report.codes();
  EXPECT_GT(report.qps[0].directions[0].fpdus, 10u);
}

TEST(SamePorts, RequestQuotedBehindAGapBeginsNothing) {
  for (const std::size_t lost : {std::size_t{1400}, std::size_t{100'000}, std::size_t{900'000}}) {
    expect_one(quoted_after_gap(lost, lost));
  }
  expect_one(quoted_after_gap(kMuch, 0));
  expect_one(quoted_after_gap(0, kMuch));
}

TEST(SamePorts, OctetsOfMuchMissingBothWaysGoOn) {
  Connection c;
  c.connect();
  c.startup();
  talk(c);
  c.capture(false);
  c.write(kI, STag{7}, TaggedOffset{0}, kMuch);
  c.write(kR, STag{7}, TaggedOffset{0}, kMuch);
  c.capture(true);
  for (int i = 0; i < 5; ++i) c.acknowledge(kI);
  for (int i = 0; i < 5; ++i) c.acknowledge(kR);
  talk(c, 10);
  c.close();
  const Report report = analyze(c.frames());
  expect_one(report);
  ASSERT_FALSE(report.qps.empty());
  for (const qp::DirectionRecord& d : report.qps[0].directions) EXPECT_GT(d.capture_gap_octets, kMuch);
  EXPECT_EQ(report.qps[0].closed_by, "fin");
}

TEST(SamePorts, AcknowledgmentsBehindMuchMissingBothWaysTellOfIt) {
  Connection c;
  c.connect();
  c.startup();
  talk(c);
  c.capture(false);
  c.write(kI, STag{7}, TaggedOffset{0}, kMuch);
  c.write(kR, STag{7}, TaggedOffset{0}, kMuch);
  c.capture(true);
  for (int i = 0; i < 40; ++i) {
    c.wait(10'000'000);
    c.send(kR, 1000);
  }
  const synth::Frames frames = c.frames();
  const Report report = analyze(frames);
  expect_one(report);
  const auto gap = std::find_if(report.findings.begin(), report.findings.end(), [](const findings::Finding& f) {
    return f.id == FindingId::capture_gap && f.direction == Direction::b_to_a;
  });
  ASSERT_NE(gap, report.findings.end()) << report.codes();
  EXPECT_LT(gap->frame.value, frames.size() - 5);  // not only at the end
}

/// A TCP segment of the Initiator far from all others.
Report with_far_off(const Buffer& payload, synth::wire::Checksum checksum = synth::wire::Checksum::right) {
  Connection c;
  old_connection(c);
  const auto& segments = c.tcp_segments();
  synth::TcpSegment tcp =
      *std::find_if(segments.rbegin(), segments.rend(), [](const auto& t) { return t.sender == kI; });
  tcp.sequence += 0x30000000;
  tcp.acknowledgment += 0x30000000;
  tcp.payload = payload;
  tcp.checksum = checksum;
  c.tcp_segments().push_back(tcp);
  talk(c);
  c.close();
  return analyze(c.frames());
}

TEST(SamePorts, FarOffTcpSegmentThatIsNoWholeValidRequestBeginsNothing) {
  EXPECT_EQ(with_far_off(request_octets()).qps.size(), 2u);  // what the others are measured by
  EXPECT_EQ(with_far_off(request_octets(3)).qps.size(), 1u);
  Buffer key_damaged = request_octets();
  key_damaged[3] = std::byte{'_'};
  EXPECT_EQ(with_far_off(key_damaged).qps.size(), 1u);
  Buffer not_whole = request_octets();
  not_whole.pop_back();
  EXPECT_EQ(with_far_off(not_whole).qps.size(), 1u);
  Buffer too_long = request_octets();
  too_long[18] = std::byte{2};
  too_long.resize(20 + 0x0204);
  EXPECT_EQ(with_far_off(too_long).qps.size(), 1u);
  EXPECT_EQ(with_far_off(request_octets(), synth::wire::Checksum::wrong).qps.size(), 1u);
}

}  // namespace
}  // namespace iwarpscope::test
