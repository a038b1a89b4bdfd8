// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Octets that the capture lacks: framing is kept where it can be, found again where not, and neither end is blamed.
#include <gtest/gtest.h>

#include "shared/mpa/support.h"

namespace iwarpscope::mpa::test {
namespace {

StreamWriter stream(Random& random, bool markers, bool crc, std::size_t fpdus, std::size_t most = 1400) {
  StreamWriter w(markers, crc);
  std::uint64_t to = 0x1000;
  for (std::uint32_t i = 1; i <= fpdus; ++i) {
    const Buffer data = random.octets(random.below(most));
    if (i % 2 != 0) {
      w.add(send_ulpdu(i / 2 + 1, data));
    } else {
      w.add(write_ulpdu(5, to, data));
      to += data.size();
    }
  }
  return w;
}

TEST(FramerGap, InsideAnFpduKeepsFramingAndHandsUpThePartBefore) {
  for (const bool markers : {false, true}) {
    StreamWriter w(markers);
    for (std::uint32_t i = 1; i <= 4; ++i) w.add(send_ulpdu(i, Buffer(1000, std::byte{0x42})));
    Bench bench(settings(kStreamOrigin, markers, true));
    const std::size_t from = w.starts[1] + 200;
    const std::size_t to = w.starts[1] + 300;
    bench.feed(kStreamOrigin, Octets{w.octets}.first(from));
    bench.gap(kStreamOrigin + from, to - from);
    bench.feed(kStreamOrigin + to, Octets{w.octets}.subspan(to));
    bench.finish();
    ASSERT_EQ(bench.sink.all.size(), 4U);
    EXPECT_EQ(bench.sink.all[1].fpdu.crc, CrcVerdict::incomplete);
    EXPECT_FALSE(bench.sink.all[1].fpdu.whole());
    const Buffer& part = bench.sink.all[1].ulpdu;
    EXPECT_GT(part.size(), 180U);
    EXPECT_TRUE(std::equal(part.begin(), part.end(), w.ulpdus[1].begin()));
    EXPECT_EQ(bench.sink.all[2].fpdu.crc, CrcVerdict::good);
    EXPECT_FALSE(bench.sink.all[2].fpdu.after_gap);
    EXPECT_EQ(bench.framer.statistics().resynchronisations, 0U);
    EXPECT_EQ(bench.reporter.serious(), "");
  }
}

TEST(FramerGap, FramesCutByASnapLengthKeepFramingThroughout) {
  StreamWriter w(false);
  for (std::uint32_t i = 1; i <= 50; ++i) w.add(send_ulpdu(i, Buffer(1000, std::byte{0x42})));
  Bench bench(settings(kStreamOrigin, false, true));
  for (std::size_t i = 0; i < w.starts.size(); ++i) {
    const std::size_t end = i + 1 < w.starts.size() ? w.starts[i + 1] : w.octets.size();
    bench.feed(kStreamOrigin + w.starts[i], Octets{w.octets}.subspan(w.starts[i], 60));
    bench.framer.missing(kStreamOrigin + w.starts[i] + 60, end - w.starts[i] - 60, tcp::Missing::snap_length,
                         FrameNumber{i}, TimePoint{});
  }
  bench.finish();
  EXPECT_EQ(bench.sink.all.size(), 50U);
  EXPECT_EQ(bench.framer.statistics().skipped_octets, 0U);
  EXPECT_EQ(bench.reporter.codes(), "");
}

TEST(FramerGap, AcrossAHeaderIsResynchronisedBehind) {
  for (const bool markers : {false, true}) {
    for (const bool crc : {false, true}) {
      Random random(3);
      StreamWriter w = stream(random, markers, crc, 40);
      Bench bench(settings(kStreamOrigin, markers, crc));
      const std::size_t from = w.starts[5] - 30;
      const std::size_t to = w.starts[7] + 30;
      bench.feed_all(kStreamOrigin, Octets{w.octets}.first(from));
      bench.gap(kStreamOrigin + from, to - from);
      bench.feed_all(kStreamOrigin + to, Octets{w.octets}.subspan(to));
      bench.finish();
      EXPECT_EQ(bench.sink.all.size(), 37U) << markers << crc;  // the cut FPDU is handed up, three are lost
      EXPECT_EQ(bench.framer.statistics().resynchronisations, 1U);
      EXPECT_EQ(bench.reporter.serious(), "") << markers << crc;
      EXPECT_EQ(bench.reporter.count(FindingId::capture_framing_lost), 1U);
      EXPECT_EQ(bench.reporter.count(FindingId::mpa_framing_lost), 0U);
    }
  }
}

TEST(FramerGap, OverWholeFpdusBeforeTheNextIsNoNewsOfItsOwn) {
  for (const bool markers : {false, true}) {
    Random random(4);
    StreamWriter w = stream(random, markers, true, 40);
    Bench bench(settings(kStreamOrigin, markers, true));
    bench.feed_all(kStreamOrigin, Octets{w.octets}.first(w.starts[5]));
    bench.gap(kStreamOrigin + w.starts[5], w.starts[7] - w.starts[5]);
    bench.feed_all(kStreamOrigin + w.starts[7], Octets{w.octets}.subspan(w.starts[7]));
    bench.finish();
    EXPECT_EQ(bench.sink.all.size(), 38U) << markers;
    EXPECT_EQ(bench.framer.statistics().resynchronisations, 1U);
    EXPECT_EQ(bench.reporter.serious(), "") << markers;
    EXPECT_EQ(bench.reporter.count(FindingId::capture_framing_lost), 0U) << markers;
  }
}

TEST(FramerGap, BehindAnFpduWithAWrongLengthIsNotItsFault) {
  Random random(5);
  StreamWriter w = stream(random, false, true, 40);
  w.octets[w.starts[5] + 1] ^= std::byte{0x40};  // ULPDU_Length
  Bench bench(settings(kStreamOrigin, false, true));
  const std::size_t from = w.starts[9] + 30;
  bench.feed_all(kStreamOrigin, Octets{w.octets}.first(w.starts[6] + 70));
  bench.gap(kStreamOrigin + w.starts[6] + 70, from - w.starts[6] - 70);
  bench.feed_all(kStreamOrigin + from, Octets{w.octets}.subspan(from));
  bench.finish();
  EXPECT_EQ(bench.reporter.count(FindingId::mpa_framing_lost), 0U) << bench.reporter.codes();
  EXPECT_EQ(bench.reporter.count(FindingId::capture_framing_lost), 1U) << bench.reporter.codes();
}

TEST(FramerGap, RandomGapsNeverBlameAnybodyAndWhatIsHandedUpIsTrue) {
  for (std::uint64_t seed = 1; seed <= 120; ++seed) {
    Random random(seed);
    const bool markers = random.chance(500);
    const bool crc = random.chance(700);
    StreamWriter w = stream(random, markers, crc, 80, seed % 3 == 0 ? 100 : 1400);
    std::map<std::uint64_t, const Buffer*> sent;
    for (std::size_t i = 0; i < w.starts.size(); ++i) sent[kStreamOrigin.value + w.starts[i]] = &w.ulpdus[i];
    FramingSettings s = settings(kStreamOrigin, markers, crc);
    if (seed % 5 == 0) s.crc.reset();
    Bench bench(s);
    std::size_t at = 0;
    while (at < w.octets.size()) {
      const std::size_t n = std::min<std::size_t>(random.between(1, 1448), w.octets.size() - at);
      if (random.chance(100)) {
        bench.gap(kStreamOrigin + at, n);
      } else {
        bench.feed(kStreamOrigin + at, Octets{w.octets}.subspan(at, n));
      }
      at += n;
    }
    bench.finish();
    EXPECT_EQ(bench.reporter.serious(), "") << seed;
    std::uint64_t last_end = 0;
    for (const Kept& k : bench.sink.all) {
      EXPECT_GE(k.fpdu.start.value, last_end);
      last_end = k.fpdu.end.value;
      const auto it = sent.find(k.fpdu.start.value);
      ASSERT_NE(it, sent.end()) << "seed " << seed << ": an FPDU where none starts";
      ASSERT_EQ(k.fpdu.ulpdu_length, it->second->size());
      ASSERT_LE(k.ulpdu.size(), it->second->size());
      EXPECT_TRUE(std::equal(k.ulpdu.begin(), k.ulpdu.end(), it->second->begin())) << seed;
      EXPECT_EQ(k.fpdu.whole(), k.fpdu.crc != CrcVerdict::incomplete || k.ulpdu.size() == k.fpdu.ulpdu_length);
    }
    EXPECT_GT(bench.sink.all.size(), 20U) << seed;
  }
}

TEST(FramerGap, OffsetThatJumpsWithoutACallIsAGap) {
  StreamWriter w(false);
  for (std::uint32_t i = 1; i <= 4; ++i) w.add(send_ulpdu(i, Buffer(100, std::byte{0x42})));
  Bench bench(settings(kStreamOrigin, false, true));
  bench.feed(kStreamOrigin + w.starts[2], Octets{w.octets}.subspan(w.starts[2]));
  bench.finish();
  EXPECT_EQ(bench.sink.all.size(), 2U);
  EXPECT_TRUE(bench.sink.all[0].fpdu.after_gap);
  EXPECT_EQ(bench.reporter.serious(), "");
}

TEST(Framer, ChangedOctetsCutsAndGapsNeverBreakOrderOrHoldMemory) {
  constexpr std::size_t kBudget = 1U << 20;
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    Random random(seed);
    const bool markers = random.chance(500);
    StreamWriter w = stream(random, markers, random.chance(500), 40, 700);
    for (std::uint64_t k = random.below(12); k > 0; --k) {
      w.octets[random.below(w.octets.size())] ^= static_cast<std::byte>(1U << random.below(8));
    }
    FramingSettings s;
    if (random.chance(700)) s.sequence_start = kStreamOrigin;
    if (random.chance(700)) s.markers = random.chance(800) ? markers : !markers;
    if (random.chance(700)) s.crc = random.chance(500);
    FramerLimits limits;
    limits.max_search_octets = random.chance(500) ? 4000 : 192U << 10;
    Bench bench(s, limits, random.chance(200) ? 3000 : kBudget);
    for (std::size_t at = 0; at < w.octets.size();) {
      const std::size_t n = std::min<std::size_t>(random.between(1, 1448), w.octets.size() - at);
      if (random.chance(50)) {
        bench.gap(kStreamOrigin + at, n);
      } else {
        bench.feed(kStreamOrigin + at, Octets{w.octets}.subspan(at, n));
      }
      at += n;
    }
    bench.finish(random.chance(500));
    std::uint64_t last_end = 0;
    for (const Kept& k : bench.sink.all) {
      EXPECT_GE(k.fpdu.start.value, last_end) << seed;
      EXPECT_GT(k.fpdu.end.value, k.fpdu.start.value);
      if (k.fpdu.crc == CrcVerdict::bad) {  // its length may lie: FPDUs may follow inside it
        last_end = k.fpdu.start.value + 1;
        continue;
      }
      EXPECT_LE(k.ulpdu.size(), k.fpdu.ulpdu_length);
      last_end = k.fpdu.end.value;
    }
    EXPECT_LE(last_end, kStreamOrigin.value + w.octets.size()) << seed;
    EXPECT_EQ(bench.framer.pending().octets, 0U);
    EXPECT_EQ(bench.framer.statistics().fpdus, bench.sink.all.size());
  }
}

TEST(FramerJoined, WithoutStartupFindsFpdusAndInfersSettings) {
  for (const bool markers : {false, true}) {
    for (const bool crc : {false, true}) {
      Random random(11);
      StreamWriter w = stream(random, markers, crc, 60);
      const std::size_t from = w.starts[9] + 77;
      Bench bench;
      EXPECT_EQ(bench.framer.state(), FramerState::searching);
      bench.feed_all(kStreamOrigin, Octets{w.octets}.subspan(from), 1448);
      bench.finish();
      EXPECT_EQ(bench.framer.state(), FramerState::framing);
      EXPECT_GE(bench.sink.all.size(), 48U) << markers << crc;
      EXPECT_EQ(bench.framer.settings().markers, markers);
      EXPECT_EQ(bench.framer.settings().crc, crc);
      EXPECT_TRUE(bench.framer.settings().markers_inferred);
      EXPECT_TRUE(bench.framer.settings().crc_inferred);
      EXPECT_EQ(bench.reporter.serious(), "") << markers << crc;
    }
  }
}

TEST(FramerJoined, StreamThatIsNotIwarpIsGivenUpAndHoldsNothing) {
  FramerLimits limits;
  limits.max_searched_octets = 1U << 20;
  Bench bench({}, limits, 400U << 10);
  Random random(5);
  StreamOffset at = kStreamOrigin;
  for (int i = 0; i < 1500; ++i) {
    bench.feed(at, random.octets(1448));
    at = at + 1448;
  }
  EXPECT_EQ(bench.framer.state(), FramerState::given_up);
  EXPECT_TRUE(bench.sink.all.empty());
  EXPECT_EQ(bench.framer.statistics().skipped_octets, 1500U * 1448U);
  EXPECT_EQ(bench.reporter.codes(), "");
  EXPECT_TRUE(bench.budget.take(400U << 10)) << "octets are still held";
}

TEST(FramerJoined, MarkersTurnUpLateAndAreFound) {
  // Small FPDUs without a marker inside come first: nothing shows yet whether markers are in use.
  StreamWriter w(true);
  for (std::uint32_t i = 1; i <= 60; ++i) w.add(send_ulpdu(i, Buffer(30, std::byte{0x42})));
  const std::size_t from = w.starts[1];
  Bench bench;
  for (std::size_t at = from; at < w.octets.size(); at += 52) {
    bench.feed(kStreamOrigin + at, Octets{w.octets}.subspan(at, std::min<std::size_t>(52, w.octets.size() - at)));
  }
  bench.finish();
  EXPECT_EQ(bench.reporter.serious(), "");
  EXPECT_EQ(bench.framer.settings().markers, true);
  EXPECT_EQ(bench.sink.all.size(), 59U);
}

TEST(FramerJoined, LongFpduReadAcrossMarkersWithoutCrcProvesNothing) {
  // Three small FPDUs are found before the first marker comes; the long ones after them hold several.
  StreamWriter w(true, false);
  for (std::uint32_t i = 1; i <= 4; ++i) w.add(send_ulpdu(i, Buffer(4, std::byte{0x42})));
  Random random(3);
  for (std::uint32_t i = 5; i <= 20; ++i) w.add(send_ulpdu(i, random.octets(1400)));
  Bench bench;
  for (std::size_t k = 1; k < w.starts.size(); ++k) {
    const std::size_t end = k + 1 < w.starts.size() ? w.starts[k + 1] : w.octets.size();
    bench.feed(kStreamOrigin + w.starts[k], Octets{w.octets}.subspan(w.starts[k], end - w.starts[k]));
  }
  bench.finish();
  EXPECT_EQ(bench.reporter.serious(), "");
  EXPECT_EQ(bench.framer.settings().markers, true);
  EXPECT_EQ(bench.framer.settings().crc, false);
  EXPECT_GE(bench.sink.all.size(), 18U);
}

}  // namespace
}  // namespace iwarpscope::mpa::test
