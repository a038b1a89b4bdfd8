// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "analysis/engine.h"

#include <gtest/gtest.h>

#include "support/analysis.h"
#include "synth/connection.h"
#include "synth/options.h"
#include "synth/script.h"

namespace iwarpscope::test {
namespace {

using synth::kSecond;
using synth::Side;

/// Connections with a Send of 100 octets each, at the same time; the first ones are closed.
synth::Frames connections(unsigned count, unsigned closed) {
  std::vector<synth::Frames> all;
  for (unsigned i = 0; i < count; ++i) {
    synth::ConnectionOptions options;
    options.initiator.port = static_cast<std::uint16_t>(30000 + i);
    synth::Connection c(options);
    c.connect();
    c.startup();
    c.send(Side::initiator, 100);
    if (i < closed) c.close();
    all.push_back(c.frames());
  }
  return synth::merge(all);
}

void feed(analysis::Engine& engine, const synth::Frames& frames) {
  std::uint64_t number = 0;
  for (const synth::Frame& f : frames) engine.feed(frame_of(f, ++number));
}

verdict::CaptureSpan span_of(const analysis::Engine& engine) {
  verdict::CaptureSpan span;
  span.end = engine.clock().now();
  return span;
}

/// As a caller with threads does it: packets to the shards, and all reports together at the end.
Report analyze_in_parts(const synth::Frames& frames) {
  Report report;
  analysis::Engine engine({.messages = true}, report);
  analysis::Reports reports;
  std::uint64_t number = 0;
  for (const synth::Frame& f : frames) {
    const analysis::DecodedFrame decoded = engine.decode(frame_of(f, ++number));
    EXPECT_FALSE(decoded.finding);
    for (const auto& shard : engine.shards()) {
      if (decoded.is_step) shard->pass_time(decoded.number, decoded.time, reports);
    }
    const auto& packet = std::get<net::TcpPacket>(decoded.packet);
    engine.shards()[analysis::shard_of(packet.flow())]->feed(packet, reports);
  }
  engine.take(reports);
  engine.conclude({});
  return report;
}

TEST(Engine, InPartsReportsTheSameAsInOne) {
  const synth::Frames frames = connections(20, 10);
  const Report parts = analyze_in_parts(frames), whole = analyze(frames);
  ASSERT_EQ(whole.qps.size(), 20u);
  ASSERT_EQ(parts.qps.size(), 20u);
  for (std::size_t i = 0; i < 20; ++i) {
    EXPECT_EQ(parts.qps[i].a, whole.qps[i].a);
    EXPECT_EQ(parts.qps[i].verdict->text, whole.qps[i].verdict->text);
  }
  ASSERT_EQ(parts.messages.size(), whole.messages.size());
  for (std::size_t i = 0; i < whole.messages.size(); ++i) EXPECT_EQ(parts.messages[i].qp, whole.messages[i].qp);
  EXPECT_EQ(parts.codes(), whole.codes());
}

TEST(Engine, RetiresWhatIsClosedAndReportsItOnce) {
  Report report;
  analysis::Engine engine({}, report);
  feed(engine, connections(5, 3));
  EXPECT_EQ(engine.followed(), 5u);
  const analysis::RetireLimits limits{.closed_ns = kSecond, .idle_ns = 100 * kSecond};
  engine.retire(limits, span_of(engine));
  EXPECT_TRUE(report.qps.empty());  // they were closed less than a second ago
  engine.pass_time(TimePoint{engine.clock().last_time().ns + 2 * kSecond});
  engine.retire(limits, span_of(engine));
  EXPECT_EQ(report.qps.size(), 3u);
  EXPECT_EQ(engine.followed(), 2u);
  for (const qp::QpRecord& record : report.qps) EXPECT_FALSE(engine.has(record.qp));
  engine.conclude({}, span_of(engine));
  EXPECT_EQ(report.qps.size(), 5u);
  EXPECT_EQ(report.summary_record.qps, 5u);
}

TEST(Engine, SuspendEndsOnlyWhatDoesNotGoOn) {
  Report report;
  analysis::Engine engine({}, report);
  feed(engine, connections(5, 3));
  const auto is_open = [](const qp::QpRecord& record) { return !record.closed_by; };
  EXPECT_EQ(engine.suspend({}, span_of(engine), is_open), 2u);
  ASSERT_EQ(report.qps.size(), 3u);
  for (const qp::QpRecord& record : report.qps) EXPECT_EQ(record.closed_by, "fin");
  EXPECT_EQ(report.summary_record.qps, 5u);
}

TEST(Engine, SuspendSaysNothingOfWhatAnOpenQueuePairWaitsFor) {
  synth::Connection c;
  c.connect();
  c.startup();
  const std::size_t missing = c.frames().size();
  for (int i = 0; i < 3; ++i) c.send(Side::initiator, 100);
  synth::Frames frames = c.frames();
  frames.erase(frames.begin() + static_cast<std::ptrdiff_t>(missing));
  for (const bool goes_on : {false, true}) {
    Report report;
    analysis::Engine engine({}, report);
    feed(engine, frames);
    EXPECT_EQ(engine.suspend({}, span_of(engine), [&](const qp::QpRecord&) { return goes_on; }), goes_on ? 1u : 0u);
    EXPECT_EQ(report.count(findings::FindingId::capture_gap), goes_on ? 0u : 1u) << report.codes();
  }
}

TEST(Engine, ForgetsTheConnectionsOfQueuePairsThatEnded) {
  Report report;
  analysis::Engine engine({}, report);
  feed(engine, connections(100, 100));
  const analysis::RetireLimits limits{.closed_ns = kSecond, .idle_ns = 1000 * kSecond};
  const std::int64_t end = engine.clock().last_time().ns;
  const auto flows_after = [&](std::int64_t seconds) {
    for (std::int64_t s = 1; s <= seconds; ++s) {
      engine.pass_time(TimePoint{end + s * kSecond});
      engine.retire(limits, span_of(engine));
    }
    return engine.quick_statistics().flows;
  };
  EXPECT_EQ(flows_after(10), 100u) << "what comes late is of no new connection";
  EXPECT_EQ(report.qps.size(), 100u);
  EXPECT_EQ(flows_after(140), 0u);
  EXPECT_EQ(engine.quick_statistics().flows_evicted, 0u);
}

TEST(Engine, LooksAtAQueuePairWithoutChangingIt) {
  Report report;
  analysis::Engine engine({}, report);
  const synth::Frames frames = connections(1, 0);
  feed(engine, frames);
  ASSERT_TRUE(engine.has(0));
  EXPECT_FALSE(engine.has(1));
  const qp::QpRecord first = engine.look(0, span_of(engine)), second = engine.look(0, span_of(engine));
  EXPECT_EQ(first.verdict->text, second.verdict->text);
  EXPECT_EQ(engine.last_time(0), first.last_time);
  EXPECT_NE(engine.flow_hash(0), 0u);
  EXPECT_TRUE(report.qps.empty());
}

/// SYNs of 20 connections, each answered with a reset: many failures at one listener. One connection is iWARP.
TEST(Engine, RoundReportsWhatSurroundsQueuePairsOnceAndForgetsIt) {
  std::vector<synth::Frames> all{connections(1, 0)};
  for (unsigned i = 0; i < 20; ++i) {
    synth::ConnectionOptions options;
    options.initiator.port = static_cast<std::uint16_t>(40000 + i);
    synth::Connection c(options);
    c.connect();
    c.reset(Side::responder);
    all.push_back({c.frames().front(), c.frames().back()});
  }
  Report report;
  analysis::Engine engine({}, report);
  feed(engine, synth::merge(all));
  EXPECT_EQ(engine.surroundings().refused().count, 20u);
  static_cast<void>(engine.look_in_round(0, span_of(engine)));
  engine.end_round(span_of(engine));
  EXPECT_EQ(report.count(findings::FindingId::mpa_many_startups), 1u) << report.codes();
  EXPECT_EQ(engine.surroundings().size(), 0u);
  engine.end_round(span_of(engine));
  EXPECT_EQ(report.findings.size(), 1u) << report.codes();
}

}  // namespace
}  // namespace iwarpscope::test
