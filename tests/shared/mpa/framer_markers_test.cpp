// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Each MF rule about markers: raised, and the near miss.
#include <gtest/gtest.h>

#include "shared/mpa/support.h"

namespace iwarpscope::mpa::test {
namespace {

using synth::wire::FpduForm;
using enum FindingId;

/// Sends with `markers`, the second one of `payload` octets written with `form`.
void run(Bench& bench, const FpduForm& form, std::size_t payload = 1300, bool markers = true) {
  StreamWriter w(markers);
  w.add(send_ulpdu(1, octets_of(100)));
  w.add(send_ulpdu(2, octets_of(payload)), form);
  w.add(send_ulpdu(3, octets_of(300)));
  w.add(send_ulpdu(4, octets_of(1300)));
  bench.feed_all(kStreamOrigin, w.octets, 1448);
  bench.finish();
}

TEST(Markers, RightOnesRaiseNothing) {
  Bench bench(settings(kStreamOrigin, true, true));
  run(bench, {});
  EXPECT_EQ(bench.reporter.serious(), "");
  EXPECT_EQ(bench.sink.all.size(), 4U);
  EXPECT_EQ(bench.framer.statistics().markers, bench.sink.all[0].fpdu.markers + bench.sink.all[1].fpdu.markers +
                                                   bench.sink.all[2].fpdu.markers + bench.sink.all[3].fpdu.markers);
}

TEST(Mf06, AllMarkersOfAnFpduLeftOutAreRaisedAndTheFpduIsRead) {
  Bench bench(settings(kStreamOrigin, true, true));
  FpduForm form;
  form.omit_markers = true;
  run(bench, form);
  EXPECT_EQ(bench.reporter.count(mpa_marker_missing), 1U) << bench.reporter.codes();
  EXPECT_EQ(bench.reporter.count(mpa_crc_mismatch), 0U);
  ASSERT_EQ(bench.sink.all.size(), 4U);
  EXPECT_EQ(bench.sink.all[1].ulpdu, send_ulpdu(2, octets_of(1300)));
}

TEST(Mf06, OneMarkerLeftOutIsRaisedAndTheFpduIsRead) {
  for (const unsigned which : {0U, 1U, 2U}) {
    Bench bench(settings(kStreamOrigin, true, true));
    FpduForm form;
    form.omit_markers = true;
    form.marker_index = which;
    run(bench, form, 1800);
    EXPECT_EQ(bench.reporter.serious(), "MF-06") << which;
    ASSERT_EQ(bench.sink.all.size(), 4U) << which;
    EXPECT_EQ(bench.sink.all[1].ulpdu, send_ulpdu(2, octets_of(1800))) << which;
  }
}

TEST(Mf06, NoMarkersAtAllThoughAgreedIsRaisedOnce) {
  StreamWriter w(false);
  for (std::uint32_t i = 1; i <= 6; ++i) w.add(send_ulpdu(i, octets_of(400)));
  Bench bench(settings(kStreamOrigin, true, true));
  bench.feed_all(kStreamOrigin, w.octets);
  bench.finish();
  EXPECT_EQ(bench.reporter.serious(), "MF-06");
  EXPECT_EQ(bench.sink.all.size(), 6U);
  EXPECT_EQ(bench.framer.settings().markers, false);
  EXPECT_TRUE(bench.framer.settings().markers_inferred);
}

TEST(Mf07, MarkersThoughNotAgreedAreRaisedOnce) {
  StreamWriter w(true);
  for (std::uint32_t i = 1; i <= 6; ++i) w.add(send_ulpdu(i, octets_of(400)));
  Bench bench(settings(kStreamOrigin, false, true));
  bench.feed_all(kStreamOrigin, w.octets);
  bench.finish();
  EXPECT_EQ(bench.reporter.serious(), "MF-07");
  EXPECT_EQ(bench.sink.all.size(), 6U);
}

TEST(Mf07, MarkersThatNoEndSpokeOfAreInferred) {
  StreamWriter w(true);
  for (std::uint32_t i = 1; i <= 6; ++i) w.add(send_ulpdu(i, octets_of(400)));
  FramingSettings s;
  s.sequence_start = kStreamOrigin;
  Bench bench(s);
  bench.feed_all(kStreamOrigin, w.octets);
  bench.finish();
  EXPECT_EQ(bench.reporter.serious(), "");
  EXPECT_EQ(bench.sink.all.size(), 6U);
  EXPECT_EQ(bench.framer.settings().markers, true);
  EXPECT_TRUE(bench.framer.settings().markers_inferred);
  EXPECT_EQ(bench.framer.settings().crc, true);
  EXPECT_TRUE(bench.framer.settings().crc_inferred);
}

TEST(Mf08, FirstMarkerNotZeroIsRaised) {
  StreamWriter w(true);
  FpduForm form;
  form.marker_pointer = 8;
  form.marker_index = 0;
  w.add(send_ulpdu(1, octets_of(100)), form);
  w.add(send_ulpdu(2, octets_of(700)));
  Bench bench(settings(kStreamOrigin, true, true));
  bench.feed_all(kStreamOrigin, w.octets);
  bench.finish();
  EXPECT_EQ(bench.reporter.serious(), "MF-08");
  EXPECT_EQ(bench.sink.all.size(), 2U);
}

TEST(Mf09, ReservedFieldIsRaisedForThatMarkerAlone) {
  Bench bench(settings(kStreamOrigin, true, true));
  FpduForm form;
  form.marker_reserved = 0x0100;
  form.marker_index = 1;
  run(bench, form);
  EXPECT_EQ(bench.reporter.count(mpa_marker_reserved_bits), 1U);
  EXPECT_EQ(bench.reporter.serious(), "");
  EXPECT_EQ(bench.sink.all.size(), 4U);
}

TEST(Mf10, LowBitsOfFpduptrAreRaisedAndIgnored) {
  Bench bench(settings(kStreamOrigin, true, true));
  FpduForm form;
  form.marker_pointer_xor = 2;
  form.marker_index = 0;
  run(bench, form);
  EXPECT_EQ(bench.reporter.count(mpa_marker_pointer_low_bits), 1U);
  EXPECT_EQ(bench.reporter.count(mpa_marker_pointer_wrong), 0U);
}

TEST(Mf11, WrongFpduptrIsRaisedOrMf13WhenTheMarkersDisagree) {
  Bench bench(settings(kStreamOrigin, true, true));
  FpduForm form;
  form.marker_pointer_xor = 0x10;
  form.marker_index = 0;
  run(bench, form);
  EXPECT_EQ(bench.reporter.serious(), "MF-13");
  EXPECT_EQ(bench.sink.all.size(), 4U);

  Bench single(settings(kStreamOrigin, true, true));
  run(single, form, 500);  // one marker alone cannot disagree
  EXPECT_EQ(single.reporter.serious(), "MF-11");
}

TEST(Mf12, ZeroFpduptrInsideAnFpduIsRaised) {
  Bench bench(settings(kStreamOrigin, true, true));
  FpduForm form;
  form.marker_pointer = 0;
  form.marker_index = 0;
  run(bench, form, 500);
  EXPECT_EQ(bench.reporter.serious(), "MF-12");
}

TEST(Mf12, NonZeroFpduptrBetweenFpdusIsRaised) {
  // The first FPDU ends where the second marker is due.
  StreamWriter w(true);
  w.add(send_ulpdu(1, octets_of(512 - 4 - 2 - 18 - 4)));
  ASSERT_EQ(w.octets.size(), 512U);
  FpduForm form;
  form.marker_pointer = 20;
  form.marker_index = 0;
  w.add(send_ulpdu(2, octets_of(50)), form);
  w.add(send_ulpdu(3, octets_of(50)));
  Bench bench(settings(kStreamOrigin, true, true));
  bench.feed_all(kStreamOrigin, w.octets);
  bench.finish();
  EXPECT_EQ(bench.reporter.serious(), "MF-12");
  EXPECT_EQ(bench.sink.all.size(), 3U);
}

TEST(MarkerRules, OctetsThatChangedOnTheWayAreACrcMismatchAlone) {
  StreamWriter w(true);
  w.add(send_ulpdu(1, octets_of(1300)));
  w.add(send_ulpdu(2, octets_of(1300)));
  w.octets[513] ^= std::byte{0x20};  // inside a marker
  Bench bench(settings(kStreamOrigin, true, true));
  bench.feed_all(kStreamOrigin, w.octets);
  bench.finish();
  EXPECT_EQ(bench.reporter.serious(), "MF-04");
  EXPECT_EQ(bench.sink.all.size(), 2U);
}

TEST(MarkerRules, CrcOffStillJudgesMarkers) {
  Bench bench(settings(kStreamOrigin, true, false));
  FpduForm form;
  form.marker_pointer_xor = 0x10;
  form.marker_index = 0;
  run(bench, form, 500);
  EXPECT_EQ(bench.reporter.serious(), "MF-11");
}

TEST(Mf15, LoneMarkerBeforeTheFinIsRaised) {
  StreamWriter w(true);
  w.add(send_ulpdu(1, octets_of(512 - 4 - 2 - 18 - 4)));
  Buffer octets = w.octets;
  append(octets, Buffer(4));
  Bench bench(settings(kStreamOrigin, true, true));
  bench.feed_all(kStreamOrigin, octets);
  bench.finish(true);
  EXPECT_EQ(bench.reporter.serious(), "MF-15");
}

TEST(Mf15, EndAtTheMarkersPlaceWithoutItIsNotRaised) {
  StreamWriter w(true);
  w.add(send_ulpdu(1, octets_of(512 - 4 - 2 - 18 - 4)));
  Bench bench(settings(kStreamOrigin, true, true));
  bench.feed_all(kStreamOrigin, w.octets);
  bench.finish(true);
  EXPECT_EQ(bench.reporter.serious(), "");
}

TEST(Ms40, MarkersAgreedAndNeitherAMarkerNorAnFpduThereIsRaised) {
  Bench bench(settings(kStreamOrigin, true, true));
  bench.feed(kStreamOrigin, octets_of(600));
  bench.finish();
  EXPECT_EQ(bench.reporter.serious(), "MS-40");
}

}  // namespace
}  // namespace iwarpscope::mpa::test
