// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// What TCP did to the octets of queue pairs: reported frame by frame, and adding up to what the counters say.
#include <gtest/gtest.h>

#include <algorithm>

#include "support/analysis.h"
#include "synth/connection.h"
#include "synth/script.h"

namespace iwarpscope::test {
namespace {

using qp::TransportEvent;
using qp::TransportEventKind;
using synth::Effect;
using synth::Side;

struct Transport final : analysis::Observer {
  std::vector<TransportEvent> events;
  std::vector<qp::QpRecord> qps;
  void transport(const TransportEvent& e) override { events.push_back(e); }
  void qp(const qp::QpRecord& r) override { qps.push_back(r); }

  [[nodiscard]] std::uint64_t octets(TransportEventKind kind, Direction d) const {
    std::uint64_t sum = 0;
    for (const TransportEvent& e : events) sum += e.kind == kind && e.direction == d ? e.octets : 0;
    return sum;
  }
  [[nodiscard]] std::vector<TransportEvent> of(TransportEventKind kind) const {
    std::vector<TransportEvent> all;
    std::copy_if(events.begin(), events.end(), std::back_inserter(all),
                 [kind](const auto& e) { return e.kind == kind; });
    return all;
  }
};

Transport follow(const synth::Frames& frames, bool wanted = true) {
  Transport transport;
  analysis::Options options;
  options.transport = wanted;
  analysis::Analyzer analyzer(options, transport);
  std::uint64_t number = 0;
  for (const synth::Frame& f : frames) analyzer.feed(frame_of(f, ++number));
  analyzer.finish({});
  return transport;
}

/// Ten Sends of 64 octets each way, the fourth of the Initiator with this effect.
Transport with(Effect effect, bool wanted = true) {
  synth::Connection c;
  c.connect();
  c.startup();
  for (int i = 0; i < 10; ++i) {
    if (i == 3) c.channel(Side::initiator, effect, {.delay = 2});
    c.send(Side::initiator, 64);
    c.send(Side::responder, 64);
  }
  c.close();
  return follow(c.frames(), wanted);
}

constexpr std::uint64_t kFpdu = 2 + 18 + 64 + 4;

TEST(Transport, ARetransmissionIsReportedWithItsFrameAndOctets) {
  const auto reported = with(Effect::retransmit).of(TransportEventKind::retransmission);
  ASSERT_EQ(reported.size(), 1u);
  EXPECT_EQ(reported[0].direction, Direction::a_to_b);
  EXPECT_EQ(reported[0].octets, kFpdu);
  EXPECT_EQ(reported[0].qp, 0u);
  EXPECT_GT(reported[0].frame.value, 5u);
  EXPECT_GT(reported[0].time.ns, 0);
  ASSERT_TRUE(reported[0].offset);
  EXPECT_EQ(reported[0].offset->value - kStreamOrigin.value, 20 + 3 * kFpdu) << "the fourth FPDU after the MPA Request";
}

TEST(Transport, LateOctetsAreReportedAsOutOfOrder) {
  const auto reported = with(Effect::hold_back).of(TransportEventKind::out_of_order);
  ASSERT_EQ(reported.size(), 1u);
  EXPECT_EQ(reported[0].octets, kFpdu);
  EXPECT_EQ(reported[0].direction, Direction::a_to_b);
}

TEST(Transport, WhatTheCaptureMissedIsReportedAsAGapOfItsDirection) {
  const auto reported = with(Effect::miss).of(TransportEventKind::capture_gap);
  ASSERT_EQ(reported.size(), 1u);
  EXPECT_EQ(reported[0].octets, kFpdu);
  EXPECT_EQ(reported[0].direction, Direction::a_to_b);
}

TEST(Transport, ADamagedTcpSegmentIsReported) {
  const auto reported = with(Effect::corrupt).of(TransportEventKind::damaged);
  ASSERT_EQ(reported.size(), 1u);
  EXPECT_EQ(reported[0].octets, kFpdu);
}

TEST(Transport, AClosedWindowIsReportedForTheDirectionThatHasToWait) {
  synth::Connection c;
  c.connect();
  c.startup();
  for (int i = 0; i < 4; ++i) c.send(Side::initiator, 64);
  c.touch(Side::responder, [](synth::TcpSegment& tcp) { tcp.window = 0; });
  c.send(Side::responder, 64);
  const auto reported = follow(c.frames()).of(TransportEventKind::window_closed);
  ASSERT_EQ(reported.size(), 1u);
  EXPECT_EQ(reported[0].direction, Direction::a_to_b);
}

TEST(Transport, NothingIsReportedOfACleanConnectionOrUnlessAskedFor) {
  EXPECT_TRUE(with(Effect::none).events.empty());
  EXPECT_TRUE(with(Effect::retransmit, false).events.empty());
}

TEST(Transport, EventsAddUpToTheCounters) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    synth::Connection c;
    c.connect();
    c.startup();
    c.send(Side::initiator, 64);
    c.send(Side::responder, 64);
    c.impair(
        {.seed = seed, .lose_before_tap = 20, .lose_after_tap = 20, .miss = 10, .hold_back = 20, .retransmit = 20});
    for (int i = 0; i < 200; ++i) c.send(i % 2 == 0 ? Side::initiator : Side::responder, 300);
    c.impair({});
    c.close();
    const Transport transport = follow(c.frames());
    ASSERT_EQ(transport.qps.size(), 1u);
    for (const Direction d : {Direction::a_to_b, Direction::b_to_a}) {
      const qp::DirectionRecord& record = transport.qps[0].directions[index(d)];
      SCOPED_TRACE(testing::Message() << "seed " << seed << ", direction " << index(d));
      EXPECT_EQ(transport.octets(TransportEventKind::retransmission, d), record.retransmitted_octets);
      EXPECT_EQ(transport.octets(TransportEventKind::capture_gap, d), record.capture_gap_octets);
      const auto late = transport.of(TransportEventKind::out_of_order);
      const auto count = std::count_if(late.begin(), late.end(), [d](const auto& e) { return e.direction == d; });
      EXPECT_EQ(static_cast<std::uint64_t>(count), record.out_of_order_segments);
    }
  }
}

// Over SCTP octets are those of user data; of what is missing only messages are known.
TEST(Transport, OfSessionsIsReportedChunkByChunk) {
  const auto transport = follow(synth::play(
      "sctp; connect; startup; retransmit a; send a 64; reorder a delay=1; send a 64; send a 64; miss a; send a 64\n"
      "send a 64; ack b; close; shutdown"));
  ASSERT_EQ(transport.qps.size(), 1u);
  const qp::DirectionRecord& a = transport.qps[0].directions[0];
  constexpr std::uint64_t kChunk = 2 + 18 + 64;
  EXPECT_EQ(a.retransmitted_octets, kChunk);
  EXPECT_EQ(transport.octets(TransportEventKind::retransmission, Direction::a_to_b), kChunk);
  EXPECT_EQ(transport.of(TransportEventKind::out_of_order).size(), a.out_of_order_segments);
  ASSERT_EQ(transport.of(TransportEventKind::out_of_order).size(), 1u);
  EXPECT_EQ(transport.of(TransportEventKind::out_of_order)[0].octets, kChunk);
  const auto gaps = transport.of(TransportEventKind::capture_gap);
  ASSERT_EQ(gaps.size(), 1u);
  EXPECT_EQ(gaps[0].offset, kStreamOrigin + 4);
  EXPECT_EQ(gaps[0].octets, 0u);
}

}  // namespace
}  // namespace iwarpscope::test
