// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "analysis/engine.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

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

/// An engine in a capture that goes on.
class AgingEngine : public testing::Test {
 protected:
  /// Frames come as soon as the last ones.
  void see(synth::Frames frames) {
    const std::int64_t later = std::max<std::int64_t>(0, now_ - frames.front().time_ns);
    for (synth::Frame& f : frames) {
      f.time_ns += later;
      engine_.feed(frame_of(f, ++number_));
    }
    now_ = frames.back().time_ns;
  }
  void wait(int seconds) {
    for (int s = 0; s < seconds; ++s) {
      now_ += kSecond;
      engine_.pass_time(TimePoint{now_});
      engine_.retire({.closed_ns = kSecond, .idle_ns = 3600 * kSecond}, span_of(engine_));
    }
  }
  [[nodiscard]] std::size_t flows() const { return engine_.quick_statistics().flows; }
  void expect_removed_uncounted() {
    EXPECT_EQ(flows(), 0u);
    EXPECT_EQ(engine_.quick_statistics().flows_evicted, 0u);
  }
  void finish() { engine_.conclude({}, span_of(engine_)); }
  /// Nothing said of a peer that is more than a note.
  void expect_no_blame() const {
    for (const findings::Finding& f : report_.findings) {
      const findings::Rule& rule = findings::rule(f.id);
      EXPECT_FALSE(rule.about == findings::About::peer && rule.severity != findings::Severity::note) << f.text;
    }
  }
  /// Octets of another protocol, each way.
  static void ask(synth::Connection& c) {
    c.raw_octets(Side::initiator, synth::text("a request of some other protocol"));
    c.raw_octets(Side::responder, synth::text("and its answer, which is longer than that"));
    c.flush();
  }
  static synth::Frames part(const synth::Frames& all, std::size_t from, std::size_t count) {
    const auto begin = all.begin() + static_cast<std::ptrdiff_t>(from);
    return {begin, begin + static_cast<std::ptrdiff_t>(count)};
  }

  Report report_;
  analysis::Engine engine_{{}, report_};

 private:
  std::int64_t now_ = 0;
  std::uint64_t number_ = 0;
};

TEST_F(AgingEngine, ForgetsTheConnectionsOfQueuePairsThatEnded) {
  see(connections(100, 100));
  wait(10);
  EXPECT_EQ(flows(), 100u) << "what comes late is of no new connection";
  EXPECT_EQ(report_.qps.size(), 100u);
  wait(130);
  expect_removed_uncounted();
}

TEST_F(AgingEngine, ForgetsWithinTwoMinutesWhatComesAfterAConnectionWasClosed) {
  synth::Connection c;
  c.connect();
  ask(c);
  c.close();
  see(c.frames());
  EXPECT_EQ(flows(), 1u) << "of the last ACK";
  wait(121);
  expect_removed_uncounted();
}

TEST_F(AgingEngine, ForgetsWithinTwoMinutesWhatComesAfterAConnectionWasReset) {
  synth::Connection c;
  c.connect();
  ask(c);
  c.reset(Side::responder);
  const std::size_t late = c.frames().size();
  c.acknowledge(Side::initiator);
  ASSERT_GT(c.frames().size(), late);
  see(c.frames());
  EXPECT_EQ(flows(), 1u);
  wait(121);
  expect_removed_uncounted();
}

TEST_F(AgingEngine, RemembersASilentOpenConnectionForAQuarterOfAnHour) {
  synth::Connection c;
  c.connect();
  ask(c);
  see(c.frames());
  wait(14 * 60);
  EXPECT_EQ(flows(), 1u);
  wait(2 * 60);
  expect_removed_uncounted();
}

/// The silent connection becomes a queue pair: nothing of its beginning was lost.
TEST_F(AgingEngine, AnOpenConnectionBeginsAsAQueuePairAfterMinutesOfSilence) {
  synth::Connection c;
  c.connect();
  const std::size_t opened = c.frames().size();
  c.wait(600 * kSecond);
  c.startup();
  c.send(Side::initiator, 100);
  c.close();
  const synth::Frames frames = c.frames();
  see(part(frames, 0, opened));
  wait(600);
  see(part(frames, opened, frames.size() - opened));
  finish();
  ASSERT_EQ(report_.qps.size(), 1u);
  EXPECT_EQ(report_.qps[0].first_frame.value, 1u);
  EXPECT_EQ(report_.count(findings::FindingId::mpa_startup_slow), 1u) << report_.codes();
  EXPECT_EQ(report_.errors(), 0u) << report_.codes();
}

/// What was not acknowledged before the end may come again for minutes. Once the flow is removed, it is at most a
/// queue pair that was joined midstream.
TEST_F(AgingEngine, RetransmissionsLongAfterTheEndBlameNoEnd) {
  synth::Connection c;
  c.connect();
  c.startup();
  c.send(Side::initiator, 100);
  const std::size_t late = c.frames().size();
  c.send(Side::initiator, 100);
  c.send(Side::responder, 100);
  c.close();
  const synth::Frames frames = c.frames();
  const auto close_and_repeat_after = [&](int seconds) {
    see(frames);
    wait(seconds);
    see(part(frames, late, frames.size() - late));
    wait(300);
  };
  for (const int seconds : {0, 5, 60}) close_and_repeat_after(seconds);
  EXPECT_EQ(report_.qps.size(), 3u);
  close_and_repeat_after(300);
  finish();
  ASSERT_EQ(report_.qps.size(), 5u);
  EXPECT_EQ(report_.qps[4].roles, qp::Roles::address);
  EXPECT_EQ(report_.qps[4].closed_by, "fin");
  expect_no_blame();
}

TEST_F(AgingEngine, FollowsAConnectionOnPortsThatWereUsedBefore) {
  synth::Connection c;
  std::vector<std::size_t> from, begun;
  std::uint32_t isn = 0x1000;
  for (int n = 0; n < 6; ++n) {
    from.push_back(c.frames().size());
    c.connect();
    begun.push_back(c.frames().size());
    c.startup();
    c.send(Side::initiator, 100);
    c.send(Side::responder, 100);
    c.close();
    isn += 0x10000000;
    c.reuse_ports(isn, isn + 0x5000);
  }
  const synth::Frames frames = c.frames();
  from.push_back(frames.size());
  constexpr std::array<int, 6> kSilent{0, 0, 200, 200, 5, 5};  // seconds after each
  for (std::size_t n = 0; n < 6; ++n) {
    const std::size_t first = n == 1 || n == 3 ? begun[n] : from[n];
    see(part(frames, first, from[n + 1] - first));
    wait(kSilent[n]);
  }
  finish();
  EXPECT_EQ(report_.qps.size(), 6u);
  expect_no_blame();
  for (const qp::QpRecord& record : report_.qps) {
    EXPECT_EQ(record.closed_by, "fin");
    EXPECT_EQ(record.directions[0].capture_gap_octets, 0u);
  }
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
