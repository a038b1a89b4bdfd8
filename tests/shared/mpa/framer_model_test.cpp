// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The framer against a slow, obvious model that looks at one octet at a time.
#include <gtest/gtest.h>

#include <set>

#include "mpa/marker.h"
#include "shared/mpa/support.h"

namespace iwarpscope::mpa::test {
namespace {

struct ModelFpdu {
  std::size_t start = 0;
  Buffer ulpdu;
  std::size_t markers = 0;
  std::size_t end = 0;
};

/// RFC 5044 §4 read aloud: every 512th octet begins a marker; of the others, two are the length, and so on.
std::vector<ModelFpdu> model(Octets stream, bool markers) {
  std::vector<ModelFpdu> all;
  ModelFpdu now;
  Buffer plain;
  for (std::size_t at = 0; at < stream.size();) {
    if (markers && at % 512 == 0) {
      ++now.markers;
      at += 4;
      continue;
    }
    plain.push_back(stream[at++]);
    if (plain.size() < 2) continue;
    const std::size_t length = std::to_integer<std::size_t>(plain[0]) * 256 + std::to_integer<std::size_t>(plain[1]);
    std::size_t whole = 2 + length;
    while (whole % 4 != 0) ++whole;
    if (plain.size() < whole + 4) continue;
    now.ulpdu.assign(plain.begin() + 2, plain.begin() + 2 + static_cast<std::ptrdiff_t>(length));
    now.end = at;
    all.push_back(now);
    now = {};
    now.start = at;
    plain.clear();
  }
  return all;
}

Buffer random_ulpdu(Random& random, std::uint32_t msn, std::size_t payload) {
  const Buffer data = random.octets(payload);
  return random.chance(500) ? send_ulpdu(msn, data) : write_ulpdu(7, random.next() >> 8, data);
}

void expect_same(const KeepingSink& sink, const std::vector<ModelFpdu>& expected, StreamOffset base) {
  ASSERT_EQ(sink.all.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const Kept& k = sink.all[i];
    EXPECT_EQ(k.fpdu.start, base + expected[i].start) << i;
    EXPECT_EQ(k.fpdu.end, base + expected[i].end) << i;
    EXPECT_EQ(k.fpdu.markers, expected[i].markers) << i;
    EXPECT_EQ(k.fpdu.crc, CrcVerdict::good) << i;
    EXPECT_FALSE(k.fpdu.after_gap);
    ASSERT_TRUE(k.ulpdu == expected[i].ulpdu) << i;
  }
}

class FramerModel : public testing::TestWithParam<bool> {};

TEST_P(FramerModel, RandomStreamsWithRandomCutsGiveWhatTheModelGives) {
  const bool markers = GetParam();
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    Random random(seed);
    StreamWriter w(markers);
    const std::size_t most = seed % 10 == 0 ? 60000 : seed % 3 == 0 ? 40 : 1600;
    for (std::uint32_t i = 1; i <= (most > 10000 ? 8U : 60U); ++i) w.add(random_ulpdu(random, i, random.below(most)));
    const auto expected = model(w.octets, markers);
    ASSERT_EQ(expected.size(), w.ulpdus.size());
    // Offsets near multiples of 2^32, where sequence numbers wrap.
    const StreamOffset base{(seed % 5 + 1) * (std::uint64_t{1} << 32) - random.below(4000)};
    Bench bench(settings(base, markers, true));
    std::size_t at = 0;
    while (at < w.octets.size()) {
      const std::size_t cut = std::min<std::size_t>(random.between(1, seed % 4 == 0 ? 12 : 3000), w.octets.size() - at);
      bench.feed(base + at, Octets{w.octets}.subspan(at, cut));
      at += cut;
    }
    bench.finish();
    expect_same(bench.sink, expected, base);
    EXPECT_EQ(bench.reporter.serious(), "") << seed;
    EXPECT_EQ(bench.framer.pending_octets(), 0U);
    EXPECT_EQ(bench.framer.statistics().crc_good, expected.size());
  }
}

INSTANTIATE_TEST_SUITE_P(Markers, FramerModel, testing::Bool());

TEST(Framer, EveryMarkerPositionAndManySizesGiveWhatTheModelGives) {
  // A first FPDU moves the second to each residue modulo 512; the second has each size up to two periods.
  std::set<std::uint32_t> residues;
  for (std::size_t shift = 0; shift < 512; shift += 4) {
    StreamWriter first(true);
    const Buffer filler(shift, std::byte{0xEE});
    first.add(send_ulpdu(1, filler));
    residues.insert(static_cast<std::uint32_t>(first.octets.size() % 512));
    for (const std::size_t size : {0,   1,   2,   3,   4,   5,   100, 470, 474, 475, 476, 477, 478,  480,  484, 485,
                                   486, 487, 488, 490, 500, 508, 512, 980, 984, 988, 992, 996, 1000, 1004, 1500}) {
      StreamWriter w = first;
      w.add(send_ulpdu(2, Buffer(size, std::byte{0x55})));
      w.add(send_ulpdu(3, Buffer(7, std::byte{0x66})));
      Bench bench(settings(kStreamOrigin, true, true));
      bench.feed(kStreamOrigin, w.octets);
      bench.finish();
      expect_same(bench.sink, model(w.octets, true), kStreamOrigin);
      ASSERT_EQ(bench.reporter.serious(), "") << shift << " " << size;
      // The same cut where it hurts: at the second FPDU's start and at each marker.
      Bench cut(settings(kStreamOrigin, true, true));
      std::size_t at = 0;
      for (const std::size_t end : {w.starts[1] + 1, w.octets.size() / 512 * 512 + 2, w.octets.size()}) {
        if (end <= at || end > w.octets.size()) continue;
        cut.feed(kStreamOrigin + at, Octets{w.octets}.subspan(at, end - at));
        at = end;
      }
      if (at < w.octets.size()) cut.feed(kStreamOrigin + at, Octets{w.octets}.subspan(at));
      expect_same(cut.sink, model(w.octets, true), kStreamOrigin);
    }
  }
  EXPECT_EQ(residues.size(), 127U) << "an FPDU starts at each multiple of four but never right after a marker";
}

TEST(Framer, ManyFpdusInOneChunkAreSubspansOfIt) {
  StreamWriter w(false);
  for (std::uint32_t i = 1; i <= 15; ++i) w.add(send_ulpdu(i, Buffer(64, std::byte{1})));
  struct Borrowing : FpduSink {
    void fpdu(const Fpdu& f) override {
      ++count;
      inside = inside && f.ulpdu.data() >= low && f.ulpdu.data() + f.ulpdu.size() <= high;
    }
    const std::byte* low = nullptr;
    const std::byte* high = nullptr;
    int count = 0;
    bool inside = true;
  } sink;
  sink.low = w.octets.data();
  sink.high = w.octets.data() + w.octets.size();
  KeepingReporter reporter;
  BufferBudget budget(0);  // nothing may be held
  const FramerLimits limits;
  Framer framer(Direction::b_to_a, settings(kStreamOrigin, false, true), limits, budget, {sink, reporter});
  framer.octets(segment(kStreamOrigin, w.octets));
  EXPECT_EQ(sink.count, 15);
  EXPECT_TRUE(sink.inside);
}

TEST(Framer, FpduOverThreeChunksCarriesTheirTimesAndFrames) {
  StreamWriter w(false);
  w.add(send_ulpdu(1, Buffer(300, std::byte{1})));
  Bench bench(settings(kStreamOrigin, false, true));
  const Octets all = w.octets;
  tcp::Chunk c = segment(kStreamOrigin, all.first(100), 10);
  c.acknowledged = StreamOffset{kStreamOrigin.value + 77};
  c.has_acknowledged = true;
  c.arrival = TimePoint{5};
  bench.framer.octets(c);
  c = segment(kStreamOrigin + 100, all.subspan(100, 100), 12);
  c.arrival = TimePoint{9};
  c.delivery_frame = FrameNumber{14};
  bench.framer.octets(c);
  c = segment(kStreamOrigin + 200, all.subspan(200), 11);
  c.arrival = TimePoint{7};
  c.delivery = TimePoint{20};
  c.delivery_frame = FrameNumber{14};
  bench.framer.octets(c);
  ASSERT_EQ(bench.sink.all.size(), 1U);
  const Fpdu& f = bench.sink.all[0].fpdu;
  EXPECT_EQ(f.first_frame.value, 10U);
  EXPECT_EQ(f.last_frame.value, 12U);
  EXPECT_EQ(f.delivery_frame.value, 14U);
  EXPECT_EQ(f.first_time.ns, 5);
  EXPECT_EQ(f.placed_time.ns, 9);
  EXPECT_EQ(f.delivered_time.ns, 20);
  EXPECT_TRUE(f.has_acknowledged);
  EXPECT_EQ(f.acknowledged, kStreamOrigin + 77);
  EXPECT_TRUE(f.starts_tcp_segment);
  EXPECT_FALSE(f.in_one_tcp_segment);
}

TEST(Framer, IdleBetweenFpdusHoldsNothingOfTheBudget) {
  struct Probe {
    static std::size_t left(BufferBudget& b) {
      std::size_t n = 0;
      while (b.take(1)) ++n;
      b.give_back(n);
      return n;
    }
  };
  constexpr std::size_t kBudget = 20000;
  Bench bench(settings(kStreamOrigin, true, true), {}, kBudget);
  StreamWriter w(true);
  for (std::uint32_t i = 1; i <= 20; ++i) w.add(send_ulpdu(i, Buffer(1000, std::byte{1})));
  for (std::size_t at = 0; at < w.octets.size(); at += 700) {
    bench.feed(kStreamOrigin + at, Octets{w.octets}.subspan(at, std::min<std::size_t>(700, w.octets.size() - at)));
    if (bench.framer.pending_octets() == 0) {
      EXPECT_EQ(Probe::left(bench.budget), kBudget);
    }
  }
  EXPECT_EQ(bench.sink.all.size(), 20U);
  EXPECT_EQ(Probe::left(bench.budget), kBudget);
}

TEST(Framer, WithoutBudgetAnFpduOverTwoChunksIsIncompleteAndFramingGoesOn) {
  Bench bench(settings(kStreamOrigin, false, true), {}, 100);
  StreamWriter w(false);
  w.add(send_ulpdu(1, Buffer(1000, std::byte{1})));
  w.add(send_ulpdu(2, Buffer(10, std::byte{2})));
  bench.feed(kStreamOrigin, Octets{w.octets}.first(60));
  bench.feed(kStreamOrigin + 60, Octets{w.octets}.subspan(60));
  ASSERT_EQ(bench.sink.all.size(), 2U);
  EXPECT_EQ(bench.sink.all[0].fpdu.crc, CrcVerdict::incomplete);
  EXPECT_FALSE(bench.sink.all[0].fpdu.whole());
  EXPECT_EQ(bench.sink.all[1].fpdu.crc, CrcVerdict::good);
  EXPECT_EQ(bench.reporter.serious(), "");
}

}  // namespace
}  // namespace iwarpscope::mpa::test
