// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Every bound of the analyser, reached: what it costs is counted and reported, and nothing found before is lost.
#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

#include "support/analysis.h"
#include "synth/association.h"
#include "synth/connection.h"
#include "synth/load.h"
#include "synth/script.h"

namespace iwarpscope::test {
namespace {

using findings::FindingId;
using synth::Side;

synth::ConnectionOptions nth_connection(unsigned i) {
  synth::ConnectionOptions options;
  options.initiator.port = static_cast<std::uint16_t>(30000 + i);
  return options;
}

synth::Frames connections(unsigned count) {
  std::vector<synth::Frames> all;
  for (unsigned i = 0; i < count; ++i) {
    synth::Connection c(nth_connection(i));
    c.connect();
    c.startup();
    c.send(Side::initiator, 100);
    all.push_back(c.frames());
  }
  return synth::merge(all);
}

TEST(Limits, OfQueuePairsIsKeptAndReportedWithTheNumberRefused) {
  analysis::Options options{.messages = true};
  options.limits.max_qps = 32;  // two a shard
  const Report report = analyze(connections(200), options);
  EXPECT_EQ(report.qps.size(), 32u);
  EXPECT_EQ(report.messages.size(), 32u);
  const auto* reported = report.find(FindingId::capture_table_limit);
  ASSERT_NE(reported, nullptr);
  EXPECT_EQ(reported->seen, "168");
}

TEST(Limits, OfConnectionsForgetsOnesThatAreNoQueuePairs) {
  analysis::Options options{.messages = true};
  options.limits.max_flows = 16 * 40;
  synth::Frames frames = connections(50);
  synth::syn_flood(5000, [&](synth::Frame&& f) { frames.push_back(std::move(f)); });
  synth::Frames again = connections(50);  // the same octets: retransmissions on the 50 queue pairs
  frames.insert(frames.end(), again.begin(), again.end());
  const Report report = analyze(frames, options);
  EXPECT_EQ(report.qps.size(), 50u);
  const auto* reported = report.find(FindingId::capture_table_limit);
  ASSERT_NE(reported, nullptr);
  EXPECT_GT(std::stoul(reported->seen), 4000u);
  EXPECT_EQ(report.errors(), 0u) << report.codes();
}

TEST(Limits, OfStreamsIsKeptAndReportedWithTheChunksThatWereNotRead) {
  analysis::Options options{.messages = true};
  options.limits.max_streams = 32;  // two a shard
  synth::Association a;
  a.connect();
  for (std::uint16_t id = 0; id < 5; ++id) {
    a.stream(id).startup();
    a.stream(id).send(Side::initiator, 100);
  }
  const Report report = analyze(a.frames(), options);
  EXPECT_EQ(report.qps.size(), 2u);
  const auto* reported = report.find(FindingId::capture_table_limit);
  ASSERT_NE(reported, nullptr);
  EXPECT_EQ(reported->seen, "9");
  EXPECT_EQ(report.errors(), 0u) << report.codes();
}

TEST(Limits, OfAssociationsForgetsTheOneLongestUnused) {
  analysis::Options options{.messages = true};
  options.limits.max_associations = 16;  // one a shard
  synth::Frames frames;
  for (std::uint16_t n = 0; n < 40; ++n) {
    synth::Association a({.initiator = {.port = static_cast<std::uint16_t>(40000 + n)}});
    a.connect();
    a.stream().startup();
    a.stream().send(Side::initiator, 100);
    for (synth::Frame& frame : a.frames()) frames.push_back(std::move(frame));
  }
  const Report report = analyze(frames, options);
  EXPECT_EQ(report.qps.size(), 40u);
  EXPECT_NE(report.find(FindingId::capture_table_limit), nullptr);
  EXPECT_EQ(report.errors(), 0u) << report.codes();
}

TEST(Limits, OfOutOfOrderOctetsGivesUpAndReports) {
  analysis::Options options{.messages = true};
  options.limits.buffer_octets = 16 * 4096;  // 4096 octets a shard
  synth::Connection c;
  c.connect();
  c.startup();
  c.send(Side::initiator, 100);
  c.channel(Side::initiator, synth::Effect::hold_back, {.skip = 1, .delay = 30});
  for (unsigned i = 0; i < 40; ++i) c.write(Side::initiator, STag{7}, TaggedOffset{i * 1000}, 1000);
  c.send(Side::initiator, 100);
  c.close();
  const Report report = analyze(c.frames(), options);
  ASSERT_EQ(report.qps.size(), 1u);
  EXPECT_EQ(report.count(FindingId::capture_buffer_limit), 1u) << report.codes();
  EXPECT_EQ(report.errors(), 0u) << report.codes();
  EXPECT_GT(report.messages.size(), 10u);
}

// Larger than all that is held of a connection before its first octets: nothing of it is held then, and nothing is
// looked for.
TEST(Limits, OfOctetsBeforeTheFirstOnesHoldsNothingOfALargerTcpSegment) {
  synth::Frames frames = synth::play("end a mss=30000; end b mss=30000; connect; startup; write a 20000; close");
  const auto large =
      std::find_if(frames.begin(), frames.end(), [](const synth::Frame& f) { return f.octets.size() > 20'000; });
  ASSERT_NE(large, frames.end());
  const auto request =
      std::find_if(frames.begin() + 2, frames.end(), [](const synth::Frame& f) { return f.octets.size() > 70; });
  ASSERT_LT(request, large);
  for (auto at = large; at != request; --at) {  // the times stay in order
    std::swap(*at, *(at - 1));
    std::swap(at->time_ns, (at - 1)->time_ns);
  }
  const Report report = analyze(frames, {.messages = true});
  EXPECT_EQ(report.qps.size(), 1u);
}

TEST(Limits, OfOutstandingRequestsForgetsTheOldestAndBlamesNoEnd) {
  analysis::Options options{.messages = true};
  options.limits.max_outstanding_requests = 8;
  synth::Connection c;
  c.connect();
  c.startup();
  for (unsigned i = 0; i < 30; ++i) c.read_request(Side::initiator, {.size = 100 + i});
  for (unsigned i = 0; i < 30; ++i) c.read_response(Side::responder);
  c.close();
  const Report report = analyze(c.frames(), options);
  EXPECT_EQ(report.errors(), 0u) << report.codes();
  EXPECT_EQ(report.messages.size(), 60u);
  EXPECT_LE(report.qps.at(0).directions[0].max_outstanding_reads, 8u);
}

TEST(Limits, OfFindingsARuleListsSoManyCountsAllAndSaysSo) {
  analysis::Options options{.messages = true};
  options.limits.findings_per_rule = 5;
  synth::Connection c;
  c.connect();
  c.startup();
  c.send(Side::initiator, 100);
  for (unsigned i = 0; i < 20; ++i) {
    c.fault(Side::initiator, "ddp-reserved");
    c.send(Side::initiator, 100);
  }
  const Report report = analyze(c.frames(), options);
  EXPECT_EQ(report.count(FindingId::ddp_reserved_bits), 5u);
  EXPECT_EQ(report.count(FindingId::capture_findings_limit), 1u);
  EXPECT_EQ(report.summary_record.findings_suppressed, 15u);
}

TEST(Limits, OfIncompleteDatagramsDropsThemAndReports) {
  synth::Frames frames = connections(3);
  synth::tiny_fragments(20'000, [&](synth::Frame&& f) { frames.push_back(std::move(f)); });
  analysis::Options options{.messages = true};
  options.limits.net.max_datagrams = 64;
  const Report report = analyze(frames, options);
  EXPECT_EQ(report.qps.size(), 3u);
  EXPECT_EQ(report.messages.size(), 3u);
  EXPECT_EQ(report.errors(), 0u) << report.codes();
  EXPECT_GE(report.count(FindingId::capture_fragments_limit) + report.count(FindingId::capture_fragments_incomplete),
            1u);
}

TEST(PortReuse, ManyTimesOverGivesAQueuePairEach) {
  synth::Connection c;
  for (unsigned i = 0; i < 20; ++i) {
    if (i != 0) c.reuse_ports();
    c.connect();
    c.startup({.crc = i % 2 == 0, .markers = i % 3 == 0});
    c.send(Side::initiator, 100 + i);
    if (i % 4 == 3) {
      c.reset(Side::initiator);
    } else {
      c.close();
    }
    c.wait(1'000'000'000);
  }
  const Report report = analyze(c.frames());
  EXPECT_EQ(report.qps.size(), 20u);
  EXPECT_EQ(report.messages.size(), 20u);
  EXPECT_EQ(report.errors(), 0u) << report.codes();
}

/// Closed queue pairs make room; their records must be as they were.
TEST(ClosedQueuePairs, InGreatNumberKeepTheirRecords) {
  constexpr unsigned kMany = 12'000;  // above what a shard keeps of closed ones
  Report report;
  analysis::Analyzer analyzer({.messages = true}, report);
  std::uint64_t number = 0;
  for (unsigned i = 0; i < kMany; ++i) {
    synth::ConnectionOptions options = nth_connection(i % 30'000);
    synth::Connection c(options);
    c.sink([&](synth::Frame&& f) { analyzer.feed(frame_of(f, ++number)); });
    c.connect();
    c.startup();
    c.send(Side::initiator, 10);
    c.close();
  }
  analyzer.finish({});
  ASSERT_EQ(report.qps.size(), kMany);
  EXPECT_EQ(report.messages.size(), kMany);
  EXPECT_EQ(report.summary_record.messages, kMany);
  EXPECT_EQ(report.errors(), 0u);
  for (const qp::QpRecord& r : report.qps) {
    ASSERT_EQ(r.state, qp::State::closed) << r.qp;
    ASSERT_EQ(r.directions[0].fpdus, 1u) << r.qp;
  }
}

}  // namespace
}  // namespace iwarpscope::test
