// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Each MF rule that an FPDU without markers can break: raised, and the near miss.
#include <gtest/gtest.h>

#include "mpa/marker.h"
#include "shared/mpa/support.h"

namespace iwarpscope::mpa::test {
namespace {

using synth::wire::FpduForm;
using enum FindingId;

/// Three Sends, the second written with `form`; each in a TCP segment of its own.
Bench& three(Bench& bench, const FpduForm& form, bool crc = true, std::size_t payload = 100) {
  StreamWriter w(false, crc);
  w.add(send_ulpdu(1, octets_of(payload)));
  w.add(send_ulpdu(2, octets_of(payload)), form);
  w.add(send_ulpdu(3, octets_of(payload)));
  for (std::size_t i = 0; i < 3; ++i) {
    const std::size_t end = i < 2 ? w.starts[i + 1] : w.octets.size();
    bench.feed(kStreamOrigin + w.starts[i], Octets{w.octets}.subspan(w.starts[i], end - w.starts[i]));
  }
  bench.finish();
  return bench;
}

TEST(Mf01, UlpduLengthZeroIsRaisedAndTheNextFpduIsFound) {
  Bench bench(settings(kStreamOrigin, false, true));
  FpduForm form;
  form.length = 0;
  three(bench, form);
  EXPECT_EQ(bench.reporter.serious(), "MF-01");
  ASSERT_EQ(bench.sink.all.size(), 2U);
  EXPECT_TRUE(bench.sink.all[1].fpdu.after_gap);
  EXPECT_EQ(bench.reporter.count(mpa_framing_lost), 1U);
  EXPECT_EQ(bench.reporter.count(capture_framing_lost), 0U);
}

TEST(Mf01, UlpduLengthAbove64768WithoutAHeaderAfterItLosesTheBoundary) {
  StreamWriter w(false);
  w.add(send_ulpdu(1, octets_of(100)));
  const std::size_t end = w.octets.size();
  append(w.octets, Buffer(60, std::byte{0xFF}));
  Bench bench(settings(kStreamOrigin, false, true));
  bench.feed(kStreamOrigin, Octets{w.octets}.first(end));
  bench.feed(kStreamOrigin + end, Octets{w.octets}.subspan(end));
  bench.feed(kStreamOrigin + w.octets.size(),
             synth::wire::write(synth::wire::FpduForm{}, send_ulpdu(2, octets_of(100))));
  bench.finish();
  EXPECT_EQ(bench.reporter.serious(), "MF-01");
  EXPECT_EQ(bench.reporter.all[0].seen, "65535");
  EXPECT_EQ(bench.sink.all.size(), 2U);
}

TEST(Mf01, FpduAbove64768OctetsIsRaisedAndReadAndTheLargestAllowedIsNotRaised) {
  Bench bench(settings(kStreamOrigin, false, true));
  three(bench, {}, true, kMaxUlpduOctets + 1 - 18);
  EXPECT_EQ(bench.reporter.serious(), "MF-01 MF-01 MF-01");
  EXPECT_EQ(bench.reporter.all[0].seen, "64769");
  EXPECT_EQ(bench.sink.all.size(), 3U);
  EXPECT_EQ(bench.framer.statistics().crc_good, 3U);

  Bench largest(settings(kStreamOrigin, false, true));
  three(largest, {}, true, kMaxUlpduOctets - 18);
  EXPECT_EQ(largest.reporter.codes(), "");
  EXPECT_EQ(largest.sink.all.size(), 3U);
}

TEST(Mf01, AfterAGapAndWithoutAConfirmedFpduIsNotRaised) {
  Bench bench(settings(kStreamOrigin, false, false));
  StreamWriter w(false, false);
  for (std::uint32_t i = 1; i <= 4; ++i) w.add(send_ulpdu(i, octets_of(20)));
  FpduForm lie = w.form();
  lie.length = 0;
  w.add(send_ulpdu(5, octets_of(20)), lie);
  bench.gap(kStreamOrigin, 500);
  bench.feed(kStreamOrigin + 500, w.octets);
  bench.finish();
  EXPECT_EQ(bench.sink.all.size(), 4U);
  EXPECT_EQ(bench.reporter.serious(), "");
}

TEST(Mf02, UlpduAboveMulpduIsRaisedOnce) {
  Bench bench(settings(kStreamOrigin, false, true, 1460));
  three(bench, {}, true, 3000);
  EXPECT_EQ(bench.reporter.count(mpa_ulpdu_above_mulpdu), 1U);
  EXPECT_NE(bench.reporter.all[0].text.find("siw"), std::string::npos);
}

TEST(Mf02, UlpduOfExactlyMulpduIsNotRaised) {
  Bench bench(settings(kStreamOrigin, false, true, 1460));
  three(bench, {}, true, 1454 - 18);
  EXPECT_EQ(bench.reporter.codes(), "");
  Bench unknown(settings(kStreamOrigin, false, true, 0));
  three(unknown, {}, true, 3000);
  EXPECT_EQ(unknown.reporter.codes(), "");
}

TEST(Mf03, PadNotZeroIsRaisedWhenTheCrcIsRight) {
  Bench bench(settings(kStreamOrigin, false, true));
  FpduForm form;
  form.pad = 0x7F;
  three(bench, form, true, 101);
  EXPECT_EQ(bench.reporter.codes(), "MF-03");
  EXPECT_EQ(bench.sink.all.size(), 3U);
}

TEST(Mf03, PadInAnFpduThatChangedOnTheWayIsNotRaised) {
  Bench bench(settings(kStreamOrigin, false, true));
  FpduForm form;
  form.flip_after_crc = 2 + 18 + 101 + 1;  // a PAD octet
  three(bench, form, true, 101);
  EXPECT_EQ(bench.reporter.codes(), "MF-04");
}

TEST(Mf04, WrongCrcIsRaisedAndFramingKept) {
  Bench bench(settings(kStreamOrigin, false, true));
  FpduForm form;
  form.crc_xor = 1;
  three(bench, form);
  EXPECT_EQ(bench.reporter.codes(), "MF-04");
  ASSERT_EQ(bench.sink.all.size(), 3U);
  EXPECT_EQ(bench.sink.all[1].fpdu.crc, CrcVerdict::bad);
  EXPECT_EQ(bench.sink.all[2].fpdu.crc, CrcVerdict::good);
  EXPECT_FALSE(bench.sink.all[2].fpdu.after_gap);
  EXPECT_EQ(bench.framer.statistics().crc_bad, 1U);
}

TEST(Mf04, CrcInTheOtherOctetOrderIsNamed) {
  Bench bench(settings(kStreamOrigin, false, true));
  FpduForm form;
  form.crc_big_endian = true;
  three(bench, form);
  ASSERT_EQ(bench.reporter.codes(), "MF-04");
  EXPECT_NE(bench.reporter.all[0].text.find("other octet order"), std::string::npos);
}

TEST(Mf04, LengthTooLargeByEightLosesTheBoundaryAndFindsItAgain) {
  Bench bench(settings(kStreamOrigin, false, true));
  FpduForm form;
  form.length = 18 + 108;
  StreamWriter w(false);
  w.add(send_ulpdu(1, octets_of(100)));
  w.add(send_ulpdu(2, octets_of(100)), form);
  for (std::uint32_t i = 3; i <= 6; ++i) w.add(send_ulpdu(i, octets_of(100)));
  bench.feed_all(kStreamOrigin, w.octets, 124);
  bench.finish();
  EXPECT_EQ(bench.reporter.serious(), "MF-04");
  ASSERT_EQ(bench.sink.all.size(), 6U) << "with the one whose head the wrong length claimed";
  EXPECT_TRUE(bench.sink.all[2].fpdu.after_gap);
}

TEST(Mf04, CrcOffOrIncompleteIsNeverJudged) {
  Bench off(settings(kStreamOrigin, false, false));
  FpduForm form;
  form.crc_value = 0x12345678;
  three(off, form);
  EXPECT_EQ(off.reporter.serious(), "");
  EXPECT_EQ(off.sink.all.size(), 3U);

  Bench cut(settings(kStreamOrigin, false, true));
  StreamWriter w(false);
  w.add(send_ulpdu(1, octets_of(100)), form);
  cut.feed(kStreamOrigin, Octets{w.octets}.first(50));
  cut.gap(kStreamOrigin + 50, w.octets.size() - 50);
  ASSERT_EQ(cut.sink.all.size(), 1U);
  EXPECT_EQ(cut.sink.all[0].fpdu.crc, CrcVerdict::incomplete);
  EXPECT_EQ(cut.sink.all[0].ulpdu.size(), 48U);
  EXPECT_EQ(cut.reporter.serious(), "");
}

TEST(Mf05, SaysOnceWhatTheUnusedFieldHolds) {
  struct Case {
    FpduForm form;
    const char* word;
  };
  FpduForm zero, valid, other;
  zero.crc = false;
  other.crc_value = 0xDEADBEEF;
  for (const Case& c : {Case{zero, "zero"}, Case{valid, "right CRC"}, Case{other, "another value"}}) {
    Bench bench(settings(kStreamOrigin, false, false));
    StreamWriter w(false);
    w.add(send_ulpdu(1, octets_of(9)), c.form);
    w.add(send_ulpdu(2, octets_of(9)), c.form);
    bench.feed(kStreamOrigin, w.octets);
    bench.finish();
    EXPECT_EQ(bench.reporter.codes(), "MF-05");
    EXPECT_NE(bench.reporter.all.at(0).text.find(c.word), std::string::npos) << bench.reporter.all.at(0).text;
  }
}

TEST(Mf14, FinInsideAnFpduIsRaisedAndAtABoundaryIsNot) {
  StreamWriter w(false);
  w.add(send_ulpdu(1, octets_of(100)));
  w.add(send_ulpdu(2, octets_of(100)));
  const Octets all = w.octets;
  for (const std::size_t cut : {w.starts[1] + 1, w.starts[1] + 30, w.octets.size() - 1}) {
    Bench bench(settings(kStreamOrigin, false, true));
    bench.feed(kStreamOrigin, all.first(cut));
    bench.finish(true);
    EXPECT_EQ(bench.reporter.codes(), "MF-14") << cut;
  }
  Bench boundary(settings(kStreamOrigin, false, true));
  boundary.feed(kStreamOrigin, all);
  boundary.finish(true);
  EXPECT_EQ(boundary.reporter.codes(), "");
}

TEST(Mf14, EndOfTheCaptureOrAGapInsideAnFpduIsNotRaised) {
  StreamWriter w(false);
  w.add(send_ulpdu(1, octets_of(100)));
  Bench capture_end(settings(kStreamOrigin, false, true));
  capture_end.feed(kStreamOrigin, Octets{w.octets}.first(60));
  capture_end.finish(false);
  EXPECT_EQ(capture_end.reporter.codes(), "");
  Bench gap(settings(kStreamOrigin, false, true));
  gap.feed(kStreamOrigin, Octets{w.octets}.first(60));
  gap.gap(kStreamOrigin + 60, 20);
  gap.finish(true);
  EXPECT_EQ(gap.reporter.codes(), "");
}

TEST(Mf16, TcpSegmentInsideAnFpduIsNotedOnce) {
  StreamWriter w(false);
  for (std::uint32_t i = 1; i < 10; ++i) w.add(send_ulpdu(i, octets_of(100)));
  Bench bench(settings(kStreamOrigin, false, true));
  bench.feed_all(kStreamOrigin, w.octets, 100);
  EXPECT_EQ(bench.reporter.codes(), "MF-16");
  Bench aligned(settings(kStreamOrigin, false, true));
  aligned.feed_all(kStreamOrigin, w.octets, 124);
  EXPECT_EQ(aligned.reporter.codes(), "");
}

TEST(Mf16, OctetsOfARetransmissionAreNotNoted) {
  StreamWriter w(false);
  w.add(send_ulpdu(1, octets_of(100)));
  Bench bench(settings(kStreamOrigin, false, true, 1460));
  bench.feed(kStreamOrigin, Octets{w.octets}.first(60));
  tcp::Chunk c = segment(kStreamOrigin + 60, Octets{w.octets}.subspan(60), 9);
  c.retransmitted = true;
  bench.framer.octets(c);
  EXPECT_EQ(bench.sink.all.size(), 1U);
  EXPECT_EQ(bench.reporter.codes(), "");
}

TEST(Mf17, FpduSplitAlthoughASegmentOfItsSizeWasSentIsNoted) {
  StreamWriter w(false);
  w.add(send_ulpdu(1, octets_of(1000)));
  w.add(send_ulpdu(2, octets_of(900)));
  Bench bench(settings(kStreamOrigin, false, true, 1460));
  const Octets all = w.octets;
  bench.feed(kStreamOrigin, all.first(w.starts[1]));
  bench.feed(kStreamOrigin + w.starts[1], all.subspan(w.starts[1], 500));
  bench.feed(kStreamOrigin + w.starts[1] + 500, all.subspan(w.starts[1] + 500));
  EXPECT_EQ(bench.reporter.codes(), "MF-16 MF-17");
}

TEST(Mf17, FpduLargerThanAnySegmentSeenIsNotNoted) {
  StreamWriter w(false);
  w.add(send_ulpdu(1, octets_of(900)));
  w.add(send_ulpdu(2, octets_of(1000)));
  Bench bench(settings(kStreamOrigin, false, true, 1460));
  const Octets all = w.octets;
  bench.feed(kStreamOrigin, all.first(w.starts[1]));
  bench.feed(kStreamOrigin + w.starts[1], all.subspan(w.starts[1], 500));
  bench.feed(kStreamOrigin + w.starts[1] + 500, all.subspan(w.starts[1] + 500));
  EXPECT_EQ(bench.reporter.codes(), "MF-16");
}

TEST(Mf22, SmallFpduInsideAMessageIsNotedOnce) {
  StreamWriter w(false);
  w.add(write_ulpdu(1, 0, octets_of(1400), false));
  w.add(write_ulpdu(1, 1400, octets_of(100), false));
  w.add(write_ulpdu(1, 1500, octets_of(100), false));
  w.add(write_ulpdu(1, 1600, octets_of(10), true));
  Bench bench(settings(kStreamOrigin, false, true, 1460));
  bench.feed(kStreamOrigin, w.octets);
  EXPECT_EQ(bench.reporter.codes(), "MF-22");
}

TEST(Mf22, SmallFpduAtTheEndOfAMessageIsNotNoted) {
  StreamWriter w(false);
  w.add(write_ulpdu(1, 0, octets_of(1400), false));
  w.add(write_ulpdu(1, 1400, octets_of(10), true));
  w.add(send_ulpdu(1, octets_of(1)));
  w.add(write_ulpdu(1, 0, octets_of(800), false));
  Bench bench(settings(kStreamOrigin, false, true, 1460));
  bench.feed(kStreamOrigin, w.octets);
  EXPECT_EQ(bench.reporter.codes(), "");
}

TEST(Ms40, OctetsAtSeqStartThatAreNoFpduAreRaisedAndTheFpdusBehindFound) {
  StreamWriter w(false);
  for (std::uint32_t i = 1; i <= 4; ++i) w.add(send_ulpdu(i, octets_of(100)));
  Buffer stray = octets_of(11, 0x68);  // private data that PD_Length did not count
  append(stray, w.octets);
  Bench bench(settings(kStreamOrigin, false, true));
  bench.feed(kStreamOrigin, stray);
  bench.finish();
  EXPECT_EQ(bench.reporter.serious(), "MS-40");
  EXPECT_EQ(bench.sink.all.size(), 4U);
}

TEST(Ms40, FirstFpduThatBreaksARuleOfDdpIsStillAnFpdu) {
  for (const bool crc : {true, false}) {
    StreamWriter w(false, crc);
    Buffer bad = send_ulpdu(1, octets_of(20));
    bad[0] = std::byte{0x42};  // DDP version 2
    w.add(bad);
    w.add(send_ulpdu(2, octets_of(20)));
    Bench bench(settings(kStreamOrigin, false, crc));
    bench.feed_all(kStreamOrigin, w.octets, w.starts[1]);
    bench.finish();
    EXPECT_EQ(bench.reporter.serious(), "");
    EXPECT_EQ(bench.sink.all.size(), 2U);
  }
}

TEST(Ms40, GapAtSeqStartIsNotRaised) {
  Bench bench(settings(kStreamOrigin, false, true));
  bench.gap(kStreamOrigin, 10);
  bench.feed(kStreamOrigin + 10, octets_of(300, 0x68));
  bench.finish();
  EXPECT_EQ(bench.reporter.serious(), "");
}

}  // namespace
}  // namespace iwarpscope::mpa::test
