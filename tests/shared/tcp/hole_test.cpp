// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Holes: what the capture lost, what the network lost, what is unknown, what the snap length or a limit took.
#include "shared/tcp/kit.h"
#include "support/rounds.h"

namespace iwarpscope::tcp::test {
namespace {

using findings::FindingId;

TEST(Hole, AcknowledgedAndNeverSeenIsACaptureGapAtOnce) {
  Bench bench;
  bench.handshake();
  bench.feed(kA, bench.data(kA, 0, 100));
  bench.feed(kA, bench.data(kA, 200, 100));
  EXPECT_EQ(bench.text(), "[0,100)");
  bench.acknowledge(kA, 300);
  EXPECT_EQ(bench.text(), "[0,100) gap[100,200) [200,300)");
  EXPECT_EQ(bench.statistics().capture_gap_octets, 100u);
  const Call& gap = bench.sinks[0].calls.at(1);
  EXPECT_EQ(gap.frame.value, 6u);
  ASSERT_EQ(bench.count(FindingId::capture_gap), 1u);
  const auto& finding = *bench.findings.find(FindingId::capture_gap);
  EXPECT_EQ(finding.direction, kA);
  EXPECT_EQ(finding.offset, kStreamOrigin + 100);
  EXPECT_EQ(finding.text, "100 octets from offset 100 were acknowledged by the receiver but never seen.");
}

TEST(Hole, AcknowledgedBeforeSomethingShowsBehindItClosesWhenItShows) {
  Bench bench;
  bench.handshake();
  bench.feed(kA, bench.data(kA, 0, 100));
  bench.acknowledge(kA, 200);
  EXPECT_EQ(bench.text(), "[0,100)");
  EXPECT_EQ(bench.connection->acknowledged(kA), kStreamOrigin + 200);
  bench.feed(kA, bench.data(kA, 200, 100));
  EXPECT_EQ(bench.text(), "[0,100) gap[100,200) [200,300)");
}

TEST(Hole, AckSeenBeforeItsOctetsIsNoGap) {
  Bench bench;
  bench.handshake();
  bench.acknowledge(kA, 200);
  bench.feed(kA, bench.data(kA, 0, 100));
  bench.feed(kA, bench.data(kA, 100, 100));
  bench.finish();
  EXPECT_EQ(bench.text(), "[0,200)");
  EXPECT_TRUE(bench.findings.all.empty());
}

TEST(Hole, SentAgainIsLossOfTheNetworkAndNoGap) {
  Bench bench;
  bench.handshake();
  bench.feed(kA, bench.data(kA, 0, 100));
  bench.feed(kA, bench.data(kA, 200, 100));
  bench.acknowledge(kA, 100);
  bench.feed(kA, bench.data(kA, 100, 100));
  bench.acknowledge(kA, 300);
  EXPECT_EQ(bench.text(), "[0,300)");
  EXPECT_EQ(bench.statistics().capture_gap_octets, 0u);
  EXPECT_EQ(bench.count(FindingId::capture_gap), 0u);
}

TEST(Hole, AckIntoAHoleClosesOnlyWhatItCovers) {
  Bench bench;
  bench.handshake();
  bench.feed(kA, bench.data(kA, 300, 100));
  bench.acknowledge(kA, 100);
  bench.feed(kA, bench.data(kA, 100, 200));
  EXPECT_EQ(bench.text(), "gap[0,100) [100,400)");
}

TEST(Hole, SequenceOfAPureAckShowsThatTheAcknowledgedOctetsWereSent) {
  Bench bench;
  bench.handshake();
  bench.acknowledge(kA, 100);
  EXPECT_EQ(bench.text(), "");
  bench.feed(kA, bench.empty(kA, 100).ack(bench.sequence(kB, 0)));
  EXPECT_EQ(bench.text(), "gap[0,100)");
  Bench fin_lost;  // one octet may as well be a FIN that was not captured
  fin_lost.handshake();
  fin_lost.acknowledge(kA, 1);
  fin_lost.feed(kA, fin_lost.empty(kA, 1).ack(fin_lost.sequence(kB, 0)));
  fin_lost.finish();
  EXPECT_EQ(fin_lost.text(), "");
}

TEST(Hole, AcknowledgedTailCountsAtTheEndOfTheCapture) {
  Bench bench;
  bench.handshake();
  bench.feed(kA, bench.data(kA, 0, 100));
  bench.acknowledge(kA, 150);
  EXPECT_EQ(bench.text(), "[0,100)");
  bench.finish();
  EXPECT_EQ(bench.text(), "[0,100) gap[100,150)");
  EXPECT_EQ(bench.statistics().capture_gap_octets, 50u);
}

TEST(Hole, OneDirectionAloneWaitsForTheTimeOut) {
  Bench bench;
  bench.feed(kA, bench.data(kA, 0, 100));
  bench.feed(kA, bench.data(kA, 200, 100));
  bench.step = 2'900'000'000;
  bench.feed(kA, bench.data(kA, 300, 100));
  EXPECT_EQ(bench.text(), "[0,100)");
  bench.step = 200'000'000;
  bench.feed(kA, bench.data(kA, 400, 100));
  EXPECT_EQ(bench.text(), "[0,100) unexplained[100,200) [200,500)");
  EXPECT_EQ(bench.statistics().capture_gap_octets, 100u);
  EXPECT_EQ(bench.count(FindingId::tcp_hole_never_filled), 1u);
  bench.finish();
  EXPECT_EQ(bench.count(FindingId::capture_gap), 0u);
}

TEST(Hole, TimeOutCountsFromEachHolesOwnBeginning) {
  Bench bench;
  bench.handshake();
  bench.feed(kA, bench.data(kA, 100, 100));
  bench.step = 2'000'000'000;
  bench.feed(kA, bench.data(kA, 300, 100));
  bench.feed(kB, bench.empty(kB, 0));
  EXPECT_EQ(bench.text(), "unexplained[0,100) [100,200)");
  bench.feed(kB, bench.empty(kB, 0));
  EXPECT_EQ(bench.text(), "unexplained[0,100) [100,200) unexplained[200,300) [300,400)");
}

TEST(Hole, EndOfCaptureGivesUpHolesAndShowsAcknowledgedFromUnexplained) {
  Bench bench;
  bench.handshake();
  bench.feed(kA, bench.data(kA, 100, 100));
  bench.feed(kA, bench.data(kA, 300, 100));
  bench.finish();
  EXPECT_EQ(bench.text(), "unexplained[0,100) [100,200) unexplained[200,300) [300,400)");
  EXPECT_EQ(bench.count(FindingId::tcp_hole_never_filled), 2u);
}

TEST(Hole, ClockThatGoesBackGivesNothingUp) {
  Bench bench;
  bench.handshake();
  bench.feed(kA, bench.data(kA, 100, 100));
  bench.step = -3'600'000'000'000;
  bench.feed(kB, bench.empty(kB, 0));
  EXPECT_EQ(bench.text(), "");
}

TEST(Hole, SnapLengthInOrderGivesTheCapturedOctetsAndTheRestAsMissing) {
  Bench bench;
  bench.handshake();
  bench.feed(kA, bench.data(kA, 0, 100).cut(60));
  bench.feed(kA, bench.data(kA, 100, 100).cut(0));
  bench.feed(kA, bench.data(kA, 200, 10));
  EXPECT_EQ(bench.text(), "[0,60) snap[60,200) [200,210)");
  EXPECT_FALSE(bench.sinks[0].calls.at(0).chunk.ends_tcp_segment);
  EXPECT_EQ(bench.statistics().truncated_segments, 2u);
  EXPECT_EQ(bench.statistics().capture_gap_octets, 0u);
  bench.finish();
  EXPECT_EQ(bench.count(FindingId::capture_truncated_frames), 1u);
  EXPECT_EQ(bench.findings.all.size(), 1u);
}

TEST(Hole, CompleteCopyFillsACutFrameOnlyWhileItWaits) {
  Bench bench;
  bench.handshake();
  bench.feed(kA, bench.data(kA, 100, 100).cut(60));
  bench.feed(kA, bench.data(kA, 100, 100));
  bench.feed(kA, bench.data(kA, 0, 100));
  EXPECT_EQ(bench.text(), "[0,200)");
  Bench partly;  // the copy covers the middle of what is lacking
  partly.handshake();
  partly.feed(kA, partly.data(kA, 100, 100).cut(10));
  partly.feed(kA, partly.data(kA, 130, 20));
  partly.feed(kA, partly.data(kA, 0, 100));
  EXPECT_EQ(partly.text(), "[0,110) snap[110,130) [130,150) snap[150,200)");
  Bench late;  // handed up already
  late.handshake();
  late.feed(kA, late.data(kA, 0, 100).cut(60));
  late.feed(kA, late.data(kA, 0, 100));
  EXPECT_EQ(late.text(), "[0,60) snap[60,100)");
}

/// A frame that was damaged on its way, and cut so that its checksum does not show it, or the first of its sender.
TEST(Hole, CopyWithARightChecksumCorrectsOneThatWaitsWithoutIt) {
  for (const bool is_cut : {true, false}) {
    Bench bench;
    const auto sent = [&](std::uint64_t at, std::size_t length) {
      return bench.data(kA, at, length).ack(bench.sequence(kB, 0));
    };
    bench.feed(kA, bench.empty(kA, 0).ack(bench.sequence(kB, 0)));
    bench.feed(kB, bench.empty(kB, 0).ack(bench.sequence(kA, 0)));
    Bytes damaged = pattern(100, 100);
    damaged[30] ^= std::byte{1};
    Packet packet = Packet(kA, bench.sequence(kA, 100), 0, std::move(damaged)).ack(bench.sequence(kB, 0));
    bench.feed(kA, is_cut ? std::move(packet).cut(60) : std::move(packet).field(Field::wrong));
    bench.feed(kA, sent(120, 40));
    bench.feed(kA, sent(160, 40));
    bench.feed(kA, sent(100, 20));
    bench.feed(kB, bench.empty(kB, 0).ack(bench.sequence(kA, 200)));
    EXPECT_EQ(bench.sinks[0].calls.size(), 4u);
    Bytes octets;
    for (const auto& call : bench.sinks[0].calls) octets.insert(octets.end(), call.octets.begin(), call.octets.end());
    EXPECT_EQ(octets, pattern(100, 100)) << is_cut << bench.text();
    bench.finish();
    EXPECT_EQ(bench.count(FindingId::tcp_retransmission_differs), 0u);
  }
}

/// Between two with right checksums the first counts, and the difference is reported.
TEST(Hole, CopyWithARightChecksumThatDiffersFromAnotherIsReported) {
  Bench bench;
  bench.handshake();
  bench.feed(kA, bench.data(kA, 100, 100));
  Bytes other = pattern(100, 100);
  other[30] ^= std::byte{1};
  bench.feed(kA, Packet(kA, bench.sequence(kA, 100), flag::ack, std::move(other)));
  bench.finish();
  EXPECT_EQ(bench.count(FindingId::tcp_retransmission_differs), 1u);
}

TEST(Hole, CorruptAckThatWouldOpenAGapIsNotBelieved) {
  Bench bench;
  bench.handshake();
  bench.feed(kA, bench.data(kA, 100, 100));
  bench.feed(kB, bench.empty(kB, 0).ack(bench.sequence(kA, 200)).field(Field::wrong));
  EXPECT_EQ(bench.text(), "");
  EXPECT_EQ(bench.statistics(kB).wrong_checksums, 1u);
}

TEST(HoleLimit, OctetsPerDirectionGiveTheHoleUpAndAreReportedOnce) {
  Limits limits;
  limits.max_buffered_octets = 250;
  Bench bench({1000, 5000}, limits);
  bench.handshake();
  for (const std::uint64_t at : {100u, 200u}) bench.feed(kA, bench.data(kA, at, 100));
  EXPECT_EQ(bench.text(), "");
  bench.feed(kA, bench.data(kA, 300, 100));
  EXPECT_EQ(bench.text(), "limit[0,100) [100,400)");
  for (const std::uint64_t at : {500u, 700u, 900u}) bench.feed(kA, bench.data(kA, at, 100));
  EXPECT_EQ(bench.text(), "limit[0,100) [100,400) limit[400,500) [500,600)");
  EXPECT_EQ(bench.count(FindingId::capture_buffer_limit), 1u);
  EXPECT_EQ(bench.statistics().capture_gap_octets, 0u);
}

TEST(HoleLimit, SegmentBelowAllHeldOnesIsDeliveredInstead) {
  Limits limits;
  limits.max_buffered_chunks = 2;
  Bench bench({1000, 5000}, limits);
  bench.handshake();
  for (const std::uint64_t at : {300u, 500u, 100u}) bench.feed(kA, bench.data(kA, at, 100));
  EXPECT_EQ(bench.text(), "limit[0,100) [100,200)");
  bench.feed(kA, bench.data(kA, 200, 100));
  EXPECT_EQ(bench.text(), "limit[0,100) [100,400)");
}

TEST(HoleLimit, SegmentLargerThanTheLimitIsDeliveredAtOnce) {
  Limits limits;
  limits.max_buffered_octets = 50;
  Bench bench({1000, 5000}, limits);
  bench.handshake();
  bench.feed(kA, bench.data(kA, 100, 100));
  EXPECT_EQ(bench.text(), "limit[0,100) [100,200)");
}

TEST(HoleLimit, BudgetIsSharedAndGivenBack) {
  Bench bench({1000, 5000}, {}, {}, 1000);
  bench.handshake();
  bench.feed(kA, bench.data(kA, 100, 500));
  bench.feed(kB, bench.data(kB, 100, 500));
  EXPECT_EQ(bench.text(kA), "");
  EXPECT_EQ(bench.text(kB), "limit[0,100) [100,600)");
  bench.feed(kA, bench.data(kA, 0, 100));
  EXPECT_EQ(bench.text(kA), "[0,600)");
  bench.feed(kA, bench.data(kA, 700, 10));
  bench.connection.reset();
  EXPECT_TRUE(bench.budget.take(1000));
  EXPECT_FALSE(bench.budget.take(1));
}

TEST(HoleLimit, MillionTinySegmentsOutOfOrderStayBounded) {
  Limits limits;
  Bench bench({1000, 5000}, limits);
  bench.handshake();
  bench.step = 1;
  const std::uint64_t base = std::uint64_t{1} << 25;
  for (std::uint64_t i = 0; i < iwarpscope::test::rounds(1'000'000U); ++i) {
    Packet packet = bench.data(kA, base - 1 + 2 * (i * 7919 % 1'000'003), 1);
    bench.feed(kA, std::move(packet));
  }
  EXPECT_GT(bench.statistics().stream_octets, 0u);
  bench.finish();
  EXPECT_TRUE(bench.budget.take(64u << 20)) << "held octets were not given back";
}

}  // namespace
}  // namespace iwarpscope::tcp::test
