// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Octets that may be no FPDU: text after FPDUs, headers that break rules, lengths that lie. What follows decides, one
// finding says it, and no FPDU after or inside is lost.
#include <gtest/gtest.h>

#include "mpa/marker.h"
#include "shared/mpa/support.h"

namespace iwarpscope::mpa::test {
namespace {

using synth::wire::FpduForm;
using enum FindingId;

constexpr std::size_t kControl = 0;  ///< of a ULPDU: the DDP control octet, and the RDMAP one after it
constexpr std::size_t kQueue = 9;

Buffer text_of(std::size_t n) {
  const std::string line = "HTTP/1.1 400 Bad Request\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n";
  Buffer text(n);
  for (std::size_t i = 0; i < n; ++i) text[i] = static_cast<std::byte>(line[i % line.size()]);
  return text;
}

void add_sends(StreamWriter& w, std::uint32_t first, std::uint32_t count, std::size_t octets = 100) {
  for (std::uint32_t i = 0; i < count; ++i) w.add(send_ulpdu(first + i, octets_of(octets)));
}

/// Sends, the foreign octets, Sends.
StreamWriter with_foreign(bool markers, bool crc, const Buffer& foreign) {
  StreamWriter w(markers, crc);
  add_sends(w, 1, 10);
  append(w.octets, foreign);
  add_sends(w, 11, 10);
  return w;
}

std::size_t offset_of(const Kept& k) {
  return k.fpdu.start.value - kStreamOrigin.value;
}

TEST(FramerDoubt, TextBehindFpdusWithoutCrcIsOneFindingAndTheFpdusBehindAreFound) {
  for (const std::size_t text : {80U, 3000U, 60'000U}) {
    for (const std::size_t size : {1U, 60U, 1448U, 200'000U}) {
      for (const bool known : {true, false}) {
        const StreamWriter w = with_foreign(false, false, text_of(text));
        Bench bench(settings(kStreamOrigin, false, known ? std::optional(false) : std::nullopt));
        bench.feed_all(kStreamOrigin, w.octets, size);
        bench.finish();
        EXPECT_EQ(bench.reporter.serious(), "MF-01") << text << " " << size;
        ASSERT_EQ(bench.sink.all.size(), 20U) << text << " " << size;
        EXPECT_EQ(offset_of(bench.sink.all[10]), w.starts[10]);
        EXPECT_TRUE(bench.sink.all[10].fpdu.after_gap);
        EXPECT_EQ(bench.framer.statistics().skipped_octets, text);
        EXPECT_EQ(bench.framer.statistics().resynchronisations, 1U);
        EXPECT_EQ(bench.reporter.count(mpa_framing_lost), 1U);
        EXPECT_EQ(bench.reporter.count(capture_framing_lost), 0U);
      }
    }
  }
}

TEST(FramerDoubt, TextBetweenMarkersWithoutCrcIsOneFinding) {
  const StreamWriter w = with_foreign(true, false, text_of(2048));
  Bench bench(settings(kStreamOrigin, true, false));
  bench.feed_all(kStreamOrigin, w.octets, 700);
  bench.finish();
  EXPECT_EQ(bench.reporter.serious(), "MF-01");
  EXPECT_EQ(bench.sink.all.size(), 20U);
}

TEST(FramerDoubt, FindingNamesTheOctetsAndTheirFrame) {
  const StreamWriter w = with_foreign(false, false, text_of(400));
  Bench bench(settings(kStreamOrigin, false, false));
  bench.feed(kStreamOrigin, Octets{w.octets}.first(w.starts[9]));
  bench.feed(kStreamOrigin + w.starts[9], Octets{w.octets}.subspan(w.starts[9], 130));
  bench.feed_all(kStreamOrigin + w.starts[9] + 130, Octets{w.octets}.subspan(w.starts[9] + 130), 124);
  bench.finish();
  const auto& all = bench.reporter.all;
  const auto it = std::find_if(all.begin(), all.end(), [](const auto& f) { return f.id == mpa_ulpdu_length_invalid; });
  ASSERT_NE(it, all.end());
  EXPECT_EQ(it->seen, "485454502f312e31");
  EXPECT_EQ(it->expected, "an FPDU");
  EXPECT_EQ(it->frame, FrameNumber{2});
  ASSERT_TRUE(it->offset);
  EXPECT_EQ(it->offset->value, kStreamOrigin.value + w.starts[9] + 124);
}

TEST(FramerDoubt, RandomOctetsWithoutCrcNeverCascade) {
  std::size_t findings = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    Random random(seed);
    StreamWriter w = with_foreign(false, false, random.octets(random.between(4, 40'000)));
    add_sends(w, 21, 10, 1000);
    Bench bench(settings(kStreamOrigin, false, false));
    bench.feed_all(kStreamOrigin, w.octets, random.between(20, 1448));
    bench.finish();
    EXPECT_LE(bench.reporter.all.size(), 4U) << seed << ": " << bench.reporter.codes();
    EXPECT_GE(bench.sink.all.size(), 29U) << seed;
    findings += bench.reporter.count(mpa_ulpdu_length_invalid);
  }
  EXPECT_GE(findings, 50U);
}

/// One FPDU with that octet of its ULPDU changed, between others.
StreamWriter with_broken_header(bool markers, std::size_t at, std::uint8_t value) {
  StreamWriter w(markers, false);
  add_sends(w, 1, 10);
  Buffer ulpdu = send_ulpdu(11, octets_of(100));
  ulpdu[at] = std::byte{value};
  w.add(ulpdu);
  add_sends(w, 12, 10);
  return w;
}

TEST(FramerDoubt, OneHeaderThatBreaksARuleIsStillAnFpduHoweverItIsCut) {
  struct Case {
    std::size_t at;
    std::uint8_t value;
  };
  // DDP versions 2 and 0, reserved bits of DDP and of RDMAP, RDMAP version 2, opcode 15, a queue that does not exist.
  for (const Case& c : {Case{kControl, 0x42}, Case{kControl, 0x40}, Case{kControl, 0x7D}, Case{kControl + 1, 0x73},
                        Case{kControl + 1, 0x83}, Case{kControl + 1, 0x4F}, Case{kQueue, 9}}) {
    for (const bool markers : {false, true}) {
      const StreamWriter w = with_broken_header(markers, c.at, c.value);
      for (const std::size_t size : {1U, 7U, 50U, 124U, 125U, 1448U, 10'000U}) {
        Bench bench(settings(kStreamOrigin, markers, false));
        bench.feed_all(kStreamOrigin, w.octets, size);
        bench.finish();
        EXPECT_EQ(bench.reporter.serious(), "") << c.at << " " << int{c.value} << " " << size;
        ASSERT_EQ(bench.sink.all.size(), 21U) << c.at << " " << int{c.value} << " " << size;
        EXPECT_EQ(bench.sink.all[10].ulpdu, w.ulpdus[10]);
        EXPECT_FALSE(bench.sink.all[11].fpdu.after_gap);
        EXPECT_EQ(bench.framer.statistics().skipped_octets, 0U);
        EXPECT_EQ(bench.framer.statistics().resynchronisations, 0U);
      }
    }
  }
}

TEST(FramerDoubt, HeaderThatBreaksARuleAtTheEndOfATcpSegmentIsHandedUpAtOnce) {
  const StreamWriter w = with_broken_header(false, kControl, 0x42);
  Bench bench(settings(kStreamOrigin, false, false));
  bench.feed(kStreamOrigin, Octets{w.octets}.first(w.starts[10] + 60));
  EXPECT_EQ(bench.sink.all.size(), 10U);
  bench.feed(kStreamOrigin + w.starts[10] + 60, Octets{w.octets}.subspan(w.starts[10] + 60, 64));
  EXPECT_EQ(bench.sink.all.size(), 11U);
  EXPECT_EQ(bench.framer.state(), FramerState::framing);
}

TEST(FramerDoubt, EveryHeaderBreaksTheSameRuleAndAllAreFpdus) {
  StreamWriter w(false, false);
  add_sends(w, 1, 1);
  for (std::uint32_t i = 2; i <= 20; ++i) {
    Buffer ulpdu = send_ulpdu(i, octets_of(100));
    ulpdu[kControl] = std::byte{0x42};
    w.add(ulpdu);
  }
  Bench bench(settings(kStreamOrigin, false, false));
  bench.feed_all(kStreamOrigin, w.octets, 999);
  bench.finish();
  EXPECT_EQ(bench.sink.all.size(), 20U);
  EXPECT_EQ(bench.reporter.serious(), "");
}

TEST(FramerDoubt, FramesOfFpdusBehindADoubtAreTheirOwn) {
  const StreamWriter w = with_broken_header(false, kControl, 0x7D);
  Bench bench(settings(kStreamOrigin, false, false));
  for (std::size_t i = 0; i < w.octets.size(); i += 31) {
    bench.feed(kStreamOrigin + i, Octets{w.octets}.subspan(i, std::min<std::size_t>(31, w.octets.size() - i)));
  }
  bench.finish();
  ASSERT_EQ(bench.sink.all.size(), 21U);
  for (const Kept& k : bench.sink.all) {
    EXPECT_EQ(k.fpdu.first_frame.value, offset_of(k) / 31 + 1);
    EXPECT_EQ(k.fpdu.last_frame.value, (k.fpdu.end.value - kStreamOrigin.value - 1) / 31 + 1);
  }
}

TEST(FramerDoubt, EndOfTheStreamInsideIsMf14AndTheEndOfTheCaptureIsNothing) {
  for (const bool fin : {true, false}) {
    for (const bool crc : {true, false}) {
      StreamWriter w(false, crc);
      add_sends(w, 1, 10);
      append(w.octets, text_of(300));
      Bench bench(settings(kStreamOrigin, false, crc));
      bench.feed_all(kStreamOrigin, w.octets, 124);
      bench.finish(fin);
      EXPECT_EQ(bench.reporter.serious(), fin ? "MF-14" : "");
      EXPECT_EQ(bench.sink.all.size(), 10U);
      EXPECT_EQ(bench.framer.state(), FramerState::searching);
      EXPECT_EQ(bench.framer.pending().octets, 0U);
    }
  }
}

TEST(FramerDoubt, GapInsideKeepsTheLengthAndBelievesNoHeaderThatIsNone) {
  for (const bool loose : {true, false}) {
    const StreamWriter w = with_broken_header(false, kControl, loose ? 0x42 : 0x7D);
    Bench bench(settings(kStreamOrigin, false, false));
    const std::size_t from = w.starts[10] + 60;
    bench.feed(kStreamOrigin, Octets{w.octets}.first(from));
    bench.gap(kStreamOrigin + from, 20);
    bench.feed(kStreamOrigin + from + 20, Octets{w.octets}.subspan(from + 20));
    bench.finish();
    EXPECT_EQ(bench.reporter.serious(), "");
    ASSERT_EQ(bench.sink.all.size(), 21U);
    EXPECT_EQ(bench.sink.all[10].fpdu.crc, CrcVerdict::incomplete);
    EXPECT_EQ(bench.sink.all[10].ulpdu.size(), loose ? 58U : 0U);
    EXPECT_FALSE(bench.sink.all[11].fpdu.after_gap);
    EXPECT_EQ(bench.framer.statistics().skipped_octets, 0U);
  }
}

TEST(FramerDoubt, GapBehindTextBlamesNoEnd) {
  const StreamWriter w = with_foreign(false, false, text_of(40'000));
  Bench bench(settings(kStreamOrigin, false, false));
  const std::size_t from = w.starts[9] + 124 + 1000;
  bench.feed_all(kStreamOrigin, Octets{w.octets}.first(from));
  bench.gap(kStreamOrigin + from, 30'000);
  bench.feed_all(kStreamOrigin + from + 30'000, Octets{w.octets}.subspan(from + 30'000));
  bench.finish();
  EXPECT_EQ(bench.reporter.serious(), "");
  EXPECT_GE(bench.sink.all.size(), 20U);
}

TEST(FramerDoubt, GapInsideTheHeaderWithoutCrcKeepsTheLength) {
  StreamWriter w(false, false);
  add_sends(w, 1, 10);
  Bench bench(settings(kStreamOrigin, false, false));
  const std::size_t from = w.starts[5] + 6;
  bench.feed(kStreamOrigin, Octets{w.octets}.first(from));
  bench.gap(kStreamOrigin + from, 50);
  bench.feed(kStreamOrigin + from + 50, Octets{w.octets}.subspan(from + 50));
  bench.finish();
  EXPECT_EQ(bench.sink.all.size(), 10U);
  EXPECT_EQ(bench.framer.statistics().skipped_octets, 0U);
}

TEST(FramerDoubt, NoRoomToHoldBlamesNoEnd) {
  const StreamWriter w = with_foreign(false, false, text_of(30'000));
  FramerLimits limits;
  limits.max_search_octets = 2000;
  Bench small(settings(kStreamOrigin, false, false), limits);
  small.feed_all(kStreamOrigin, w.octets, 700);
  small.finish();
  EXPECT_EQ(small.reporter.serious(), "");
  EXPECT_GE(small.sink.all.size(), 18U);
  Bench poor(settings(kStreamOrigin, false, false), {}, 1500);
  poor.feed_all(kStreamOrigin, w.octets, 700);
  poor.finish();
  EXPECT_EQ(poor.reporter.serious(), "");
  EXPECT_TRUE(poor.budget.take(1500)) << "octets are still held";
}

/// Ten Sends; the fourth says that it has `length` octets of ULPDU.
StreamWriter with_lying_length(bool markers, bool crc, std::uint16_t length) {
  StreamWriter w(markers, crc);
  add_sends(w, 1, 3);
  FpduForm lie = w.form();
  lie.length = length;
  w.add(send_ulpdu(4, octets_of(100)), lie);
  add_sends(w, 5, 40);
  return w;
}

TEST(FramerLyingLength, FpdusInsideTheClaimedExtentAreFound) {
  for (const bool markers : {false, true}) {
    for (const std::uint16_t length : std::initializer_list<std::uint16_t>{126, 400, 3000}) {
      for (const std::size_t size : {60U, 124U, 1448U, 100'000U}) {
        const StreamWriter w = with_lying_length(markers, true, length);
        Bench bench(settings(kStreamOrigin, markers, true));
        bench.feed_all(kStreamOrigin, w.octets, size);
        bench.finish();
        EXPECT_EQ(bench.reporter.serious(), "MF-04") << markers << " " << length << " " << size;
        ASSERT_EQ(bench.sink.all.size(), 44U) << markers << " " << length << " " << size;
        EXPECT_EQ(bench.sink.all[3].fpdu.crc, CrcVerdict::bad);
        for (std::size_t i = 0; i < 44; ++i) EXPECT_EQ(offset_of(bench.sink.all[i]), w.starts[i]);
        EXPECT_TRUE(bench.sink.all[4].fpdu.after_gap);
        EXPECT_EQ(bench.sink.all[4].fpdu.first_frame.value, w.starts[4] / size + 1);
        EXPECT_EQ(bench.framer.statistics().crc_good, 43U);
      }
    }
  }
}

TEST(FramerLyingLength, LengthThatCountsTheCrcIsItsSendersAndHoldsNothingBack) {
  for (const bool markers : {false, true}) {
    for (const std::size_t size : {60U, 124U, 1448U, 100'000U}) {
      const StreamWriter w = with_lying_length(markers, true, 122);
      Bench bench(settings(kStreamOrigin, markers, true));
      bench.feed_all(kStreamOrigin, w.octets, size);
      bench.finish();
      EXPECT_EQ(bench.reporter.serious(), "MF-27") << markers << " " << size;
      ASSERT_EQ(bench.sink.all.size(), 44U) << markers << " " << size;
      for (std::size_t i = 0; i < 44; ++i) EXPECT_EQ(offset_of(bench.sink.all[i]), w.starts[i]);
      EXPECT_FALSE(bench.sink.all[4].fpdu.after_gap);
      EXPECT_EQ(bench.framer.statistics().crc_good, 44U);
      EXPECT_EQ(bench.framer.statistics().crc_bad, 0U);
    }
  }
}

TEST(FramerLyingLength, LengthWithOneBitChangedOnTheWayHoldsNothingBack) {
  for (const bool markers : {false, true}) {
    for (const std::size_t size : {124U, 1448U, 100'000U}) {
      for (const bool larger : {true, false}) {
        if (!larger && size == 124) continue;  // without a length, all of it has to be there
        StreamWriter w(markers, true);
        add_sends(w, 1, 8);
        FpduForm changed = w.form();
        changed.length_xor = 0x0080;
        w.add(send_ulpdu(9, octets_of(larger ? 100 : 110)), changed);  // 118 octets become 246, or 128 become 0
        add_sends(w, 10, 40);
        Bench bench(settings(kStreamOrigin, markers, true));
        bench.feed_all(kStreamOrigin, w.octets, size);
        bench.finish();
        EXPECT_EQ(bench.reporter.serious(), "MF-04") << markers << " " << size;
        ASSERT_EQ(bench.sink.all.size(), 49U) << markers << " " << size;
        for (std::size_t i = 0; i < 49; ++i) EXPECT_EQ(offset_of(bench.sink.all[i]), w.starts[i]);
        EXPECT_EQ(bench.framer.statistics().resynchronisations, 0U);
      }
    }
  }
}

TEST(FramerLyingLength, RightLengthBehindAWrongCrcHoldsNothingBack) {
  StreamWriter w(false);
  add_sends(w, 1, 3);
  FpduForm bad = w.form();
  bad.crc_xor = 1;
  w.add(send_ulpdu(4, octets_of(100)), bad);
  w.add(send_ulpdu(5, octets_of(100)));
  Bench bench(settings(kStreamOrigin, false, true), {}, 64U << 10);
  bench.feed_all(kStreamOrigin, w.octets, 124);
  EXPECT_EQ(bench.reporter.serious(), "MF-04");
  EXPECT_EQ(bench.sink.all.size(), 5U);
  EXPECT_EQ(bench.framer.statistics().resynchronisations, 0U);
  EXPECT_TRUE(bench.budget.take(64U << 10)) << "octets are still held";
}

TEST(FramerLyingLength, Above64768WithABelievableHeaderSwallowsNothing) {
  for (const bool crc : {true, false}) {
    for (const std::size_t size : {1000U, 1448U, 100'000U}) {
      StreamWriter w = with_lying_length(false, crc, 65'000);
      add_sends(w, 45, 80, 1000);
      Bench bench(settings(kStreamOrigin, false, crc));
      bench.feed_all(kStreamOrigin, w.octets, size);
      bench.finish();
      EXPECT_EQ(bench.reporter.serious(), crc ? "MF-01 MF-04" : "MF-01") << size;
      EXPECT_EQ(bench.sink.all.size(), crc ? 124U : 123U) << size;
      EXPECT_EQ(bench.reporter.all.at(crc ? 0 : 1).seen, "65000");
    }
  }
}

TEST(FramerLyingLength, Above64768WithoutCrcIsAnFpduWhenOneFollows) {
  StreamWriter w(false, false);
  add_sends(w, 1, 10, kMaxUlpduOctets + 1 - 18);
  Bench bench(settings(kStreamOrigin, false, false));
  bench.feed_all(kStreamOrigin, w.octets, 1448);
  bench.finish();
  EXPECT_EQ(bench.sink.all.size(), 10U);
  EXPECT_EQ(bench.reporter.count(mpa_ulpdu_length_invalid), 10U);
  EXPECT_EQ(bench.framer.statistics().skipped_octets, 0U);
}

TEST(FramerForeign, TextWithCrcIsOneFindingAndTheFpdusInsideItsLengthAreFound) {
  for (const std::size_t size : {124U, 1448U, 100'000U}) {
    StreamWriter w = with_foreign(false, true, text_of(400));
    add_sends(w, 21, 30, 1000);  // more than the 18 516 octets that the text claims
    Bench bench(settings(kStreamOrigin, false, true));
    bench.feed_all(kStreamOrigin, w.octets, size);
    bench.finish();
    EXPECT_EQ(bench.reporter.serious(), "MF-04") << size;
    EXPECT_EQ(bench.sink.all.size(), 51U) << size;
    EXPECT_EQ(bench.framer.statistics().crc_good, 50U) << size;
  }
}

TEST(FramerForeign, TextWithCrcWhoseLengthReachesBeyondTheEndHidesNoFpdu) {
  const StreamWriter w = with_foreign(false, true, text_of(400));
  for (const bool gap : {false, true}) {
    Bench bench(settings(kStreamOrigin, false, true));
    bench.feed_all(kStreamOrigin, w.octets, 124);
    EXPECT_EQ(bench.sink.all.size(), 10U);
    if (gap) bench.gap(kStreamOrigin + w.octets.size(), 10);
    bench.finish();
    EXPECT_EQ(bench.reporter.serious(), "MF-01");
    EXPECT_EQ(bench.sink.all.size(), 20U);
  }
}

TEST(FramerForeign, FpduThatTheEndCutIsNotSearched) {
  // Its payload holds FPDUs with right CRCs, as when a program sends a capture file.
  StreamWriter inside(false);
  add_sends(inside, 1, 10);
  StreamWriter w(false);
  add_sends(w, 1, 3);
  w.add(send_ulpdu(4, inside.octets));
  Bench bench(settings(kStreamOrigin, false, true));
  bench.feed(kStreamOrigin, Octets{w.octets}.first(w.octets.size() - 10));
  bench.finish();
  EXPECT_EQ(bench.reporter.serious(), "MF-14");
  EXPECT_EQ(bench.sink.all.size(), 3U);
}

}  // namespace
}  // namespace iwarpscope::mpa::test
