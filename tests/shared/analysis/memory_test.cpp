// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// What connections and hostile traffic cost, in octets and allocations: every allocation of the program is counted.
#include <gtest/gtest.h>

#include "support/allocations.h"
#include "support/analysis.h"
#include "synth/connection.h"
#include "synth/load.h"

namespace iwarpscope::test {
namespace {

struct Counter final : analysis::Observer {
  std::uint64_t qps = 0, discarded = 0;
  void qp(const qp::QpRecord&) override { ++qps; }
  void finding(const findings::Finding& f) override {
    if (f.id == findings::FindingId::capture_model_limit) discarded = std::stoull(f.seen);
  }
};

/// An analyser that is charged for what happens inside it alone: frames are made outside.
struct Meter {
  Counter counter;
  analysis::Analyzer analyzer{{}, counter};
  std::uint64_t frames = 0;
  std::size_t held = 0, most = 0, allocated = 0;  ///< by the analyser since its start; `most` at one time

  void feed(const synth::Frame& frame) {
    const Allocations before = allocations();
    allocations().most = before.live;
    analyzer.feed(frame_of(frame, ++frames));
    const Allocations& after = allocations();
    most = std::max(most, held + (after.most - before.live));
    held += after.live - before.live;  // modulo 2^64: what is given back is taken off
    allocated += after.calls - before.calls;
  }
  void finish() { analyzer.finish({}); }
};

TEST(Memory, AnIdleQueuePairCostsAtMost4096Octets) {
  constexpr std::uint64_t kQps = 20'000;
  Meter meter;
  synth::idle_qps(kQps, [&](synth::Frame&& f) { meter.feed(f); });
  const std::size_t each = meter.held / kQps;
  meter.finish();
  EXPECT_EQ(meter.counter.qps, kQps);
  EXPECT_LE(each, 4096u);
  EXPECT_GT(each, 200u);  // something was measured
}

TEST(Memory, AConnectionThatIsNoIwarpCostsAtMost256Octets) {
  constexpr std::uint64_t kConnections = 100'000;
  Meter meter;
  synth::plain_connections(kConnections, [&](synth::Frame&& f) { meter.feed(f); });
  const std::size_t each = meter.held / kConnections;
  meter.finish();
  EXPECT_EQ(meter.counter.qps, 0u);
  EXPECT_LE(each, 256u);
  EXPECT_GT(each, 40u);
}

TEST(Memory, ASynFloodStopsAtTheLimitOfConnections) {
  Counter counter;
  analysis::Options options;
  options.limits.max_flows = 32 << 10;
  analysis::Analyzer analyzer(options, counter);
  std::uint64_t number = 0;
  std::size_t held = 0, at_limit = 0;
  synth::syn_flood(400'000, [&](synth::Frame&& f) {
    const std::size_t live = allocations().live;
    analyzer.feed(frame_of(f, ++number));
    held += allocations().live - live;
    if (number == 100'000) at_limit = held;
  });
  EXPECT_LE(held, at_limit + at_limit / 16);
  // Beside the connections, SYNs without an answer are kept, up to a bound of their own.
  EXPECT_LE(held, (std::size_t{32} << 10) * 256 + (std::size_t{2} << 20));
  analyzer.finish({});
  EXPECT_EQ(counter.qps, 0u);
}

TEST(Memory, TinyFragmentsStopAtTheLimitOfDatagrams) {
  Meter meter;
  const net::DecoderLimits limits;
  synth::tiny_fragments(1'000'000, [&](synth::Frame&& f) { meter.feed(f); });
  // What is held are octets and where each of them lies.
  EXPECT_LE(meter.most, limits.max_fragment_octets * 8);
  EXPECT_LE(meter.allocated, meter.frames * 4);
  meter.finish();
}

TEST(Memory, GarbageLikeMarkersStopsAtTheSearchWindow) {
  Meter meter;
  synth::garbage_markers(20'000'000, [&](synth::Frame&& f) { meter.feed(f); });
  EXPECT_LE(meter.most, std::size_t{2} << 20);
  EXPECT_LE(meter.allocated, meter.frames * 4);
  meter.finish();
  EXPECT_EQ(meter.counter.qps, 0u);
}

TEST(Memory, ABusyConnectionAllocatesLittleForAFrame) {
  Meter meter;
  synth::small({.octets = 20'000'000}, [&](synth::Frame&& f) { meter.feed(f); });
  EXPECT_LE(meter.allocated, meter.frames + 1000);
  EXPECT_LE(meter.most, std::size_t{4} << 20);
  meter.finish();
  EXPECT_EQ(meter.counter.qps, 4u);
}

TEST(Memory, AMillionScatteredWritesStayWithinTheBoundAndAreCounted) {
  Meter meter;
  synth::scattered_writes(1'000'000, [&](synth::Frame&& f) { meter.feed(f); });
  EXPECT_LE(meter.most, std::size_t{256} << 10);
  meter.finish();
  EXPECT_EQ(meter.counter.qps, 1u);
  EXPECT_GT(meter.counter.discarded, 990'000u);
}

TEST(Memory, AMillionUnansweredAtomicsStayWithinTheBoundAndAreCounted) {
  Meter meter;
  synth::unanswered_atomics(1'000'000, [&](synth::Frame&& f) { meter.feed(f); });
  EXPECT_LE(meter.most, std::size_t{64} << 20);
  meter.finish();
  EXPECT_EQ(meter.counter.qps, 1u);
  EXPECT_GT(meter.counter.discarded, 900'000u);
}

TEST(Memory, ModelsOfManyQueuePairsStayWithinTheirBound) {
  Counter counter;
  analysis::Options options;
  options.limits.model_octets = std::size_t{1} << 20;
  const auto run = [&](bool emulation) {
    options.emulation = emulation;
    analysis::Analyzer analyzer(options, counter);
    std::uint64_t number = 0;
    std::size_t held = 0;
    for (std::uint16_t i = 0; i < 300; ++i) {
      synth::Connection c({.initiator = {.port = static_cast<std::uint16_t>(20000 + i)}});
      c.sink([&](synth::Frame&& f) {
        const std::size_t live = allocations().live;
        analyzer.feed(frame_of(f, ++number));
        held += allocations().live - live;
      });
      c.connect();
      c.startup();
      c.packing(synth::Side::initiator, synth::Packing::packed);
      for (std::uint64_t k = 0; k < 600; ++k) {
        c.write(synth::Side::initiator, STag{static_cast<std::uint32_t>(0x100 + k)}, TaggedOffset{k * 64}, 1);
      }
      c.flush();
    }
    analyzer.finish({});
    return held;
  };
  const std::size_t without = run(false);
  // On top come the objects themselves, the facts that cross queue pairs (STags are named 180 000 times), and what
  // vectors and tables keep beside what they say they hold.
  EXPECT_LE(run(true), without + (std::size_t{1} << 20) + (std::size_t{4} << 20));
  EXPECT_GT(counter.discarded, 100'000u);
}

}  // namespace
}  // namespace iwarpscope::test
