// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Octets in order and out of order, repeated and overlapping.
#include "shared/tcp/kit.h"

namespace iwarpscope::tcp::test {
namespace {

using findings::FindingId;

TEST(Order, InOrderIsHandedUpWithoutCopy) {
  Bench bench;
  bench.handshake();
  const Packet& packet = bench.feed(kA, bench.data(kA, 0, 100).ack(bench.sequence(kB, 0)));
  ASSERT_EQ(bench.sinks[0].calls.size(), 1u);
  const Chunk& chunk = bench.sinks[0].calls[0].chunk;
  EXPECT_EQ(chunk.octets.data(), packet.data());
  EXPECT_EQ(chunk.offset, kStreamOrigin);
  EXPECT_EQ(chunk.frame.value, 4u);
  EXPECT_EQ(chunk.delivery_frame.value, 4u);
  EXPECT_EQ(chunk.arrival, chunk.delivery);
  EXPECT_TRUE(chunk.has_acknowledged);
  EXPECT_EQ(chunk.acknowledged, kStreamOrigin);
  EXPECT_TRUE(chunk.starts_tcp_segment);
  EXPECT_TRUE(chunk.ends_tcp_segment);
  EXPECT_FALSE(chunk.retransmitted);
  EXPECT_EQ(bench.connection->next_offset(kA), kStreamOrigin + 100);
  EXPECT_EQ(bench.connection->mss(kA), 1460);
  EXPECT_EQ(bench.connection->mss(kB), 1400);
  EXPECT_TRUE(bench.connection->syn_seen(kA));
  bench.finish();
  EXPECT_TRUE(bench.findings.all.empty());
}

TEST(Order, LateSegmentIsDeliveredInPlaceWithItsOwnFrameAndAck) {
  Bench bench;
  bench.handshake();
  bench.feed(kA, bench.data(kA, 100, 50).ack(bench.sequence(kB, 0)));
  EXPECT_TRUE(bench.sinks[0].calls.empty());
  bench.feed(kA, bench.data(kA, 0, 100).ack(bench.sequence(kB, 0)));
  ASSERT_EQ(bench.sinks[0].calls.size(), 2u);
  const Chunk& held = bench.sinks[0].calls[1].chunk;
  EXPECT_EQ(held.offset, kStreamOrigin + 100);
  EXPECT_EQ(held.frame.value, 4u);
  EXPECT_EQ(held.delivery_frame.value, 5u);
  EXPECT_EQ(elapsed_ns(held.arrival, held.delivery), 2'000'000);
  EXPECT_TRUE(held.starts_tcp_segment);
  EXPECT_TRUE(held.ends_tcp_segment);
  EXPECT_EQ(bench.sinks[0].calls[1].octets, pattern(100, 50));
  EXPECT_EQ(bench.statistics().out_of_order_segments, 1u);
  EXPECT_EQ(bench.statistics().retransmitted_octets, 0u);
  bench.finish();
  EXPECT_EQ(bench.count(FindingId::tcp_out_of_order), 1u);
  EXPECT_EQ(bench.findings.find(FindingId::tcp_out_of_order)->frames.at(0).value, 5u);
}

TEST(Order, LateSegmentWithOlderAckWasSentFirstAndIsNoRetransmission) {
  Bench bench;
  bench.handshake();
  bench.feed(kB, bench.data(kB, 0, 10));
  bench.feed(kA, bench.data(kA, 100, 50).ack(bench.sequence(kB, 10)));
  bench.feed(kA, bench.data(kA, 0, 100).ack(bench.sequence(kB, 0)));
  EXPECT_FALSE(bench.sinks[0].calls.at(0).chunk.retransmitted);
}

TEST(Order, LateSegmentThatNothingDatesMayBeARetransmission) {
  Bench bench;
  bench.handshake();
  bench.feed(kA, bench.data(kA, 100, 50).ack(bench.sequence(kB, 0)));
  bench.feed(kA, bench.data(kA, 0, 100).ack(bench.sequence(kB, 0)));
  EXPECT_TRUE(bench.sinks[0].calls.at(0).chunk.retransmitted);
  EXPECT_FALSE(bench.sinks[0].calls.at(1).chunk.retransmitted);
}

TEST(Order, TimestampAndIpIdTellReorderFromRetransmission) {
  for (const bool first_sent_first : {true, false}) {
    Bench bench;
    bench.handshake();
    bench.feed(kA, bench.data(kA, 100, 50).timestamp(70));
    bench.feed(kA, bench.data(kA, 0, 100).timestamp(first_sent_first ? 69 : 71));
    EXPECT_EQ(bench.sinks[0].calls.at(0).chunk.retransmitted, !first_sent_first);
    Bench other;
    other.handshake();
    other.feed(kA, other.data(kA, 100, 50).ip_id(2));
    other.feed(kA, other.data(kA, 0, 100).ip_id(first_sent_first ? 0xFFFF : 3));
    EXPECT_EQ(other.sinks[0].calls.at(0).chunk.retransmitted, !first_sent_first);
  }
}

TEST(Order, RetransmissionIsCountedInOctetsAndNotHandedUpAgain) {
  Bench bench;
  bench.handshake();
  bench.feed(kA, bench.data(kA, 0, 100));
  bench.feed(kA, bench.data(kA, 100, 100));
  bench.feed(kA, bench.data(kA, 0, 100));
  bench.feed(kA, bench.data(kA, 100, 100));
  EXPECT_EQ(bench.text(), "[0,200)");
  EXPECT_EQ(bench.statistics().retransmitted_octets, 200u);
  EXPECT_EQ(bench.statistics().retransmitted_segments, 2u);
  bench.finish();
  ASSERT_EQ(bench.count(FindingId::tcp_retransmissions), 1u);
  EXPECT_EQ(bench.findings.find(FindingId::tcp_retransmissions)->text, "2 TCP segments (200 octets) were sent again.");
  EXPECT_EQ(bench.findings.find(FindingId::tcp_retransmissions)->frames.at(0).value, 6u);
  EXPECT_EQ(bench.count(FindingId::tcp_retransmission_differs), 0u);
}

std::vector<OctetRange> ranges(const RangeList& list) {
  std::vector<OctetRange> all;
  for (const OctetRange& r : list.ranges()) all.push_back({r.begin - kStreamOrigin.value, r.end - kStreamOrigin.value});
  return all;
}

TEST(Order, OctetsSentAgainAndOctetsThatCameLateLeaveTraces) {
  Bench bench;
  bench.handshake();
  bench.feed(kA, bench.data(kA, 0, 100));
  EXPECT_EQ(bench.connection->loss_traces(kA), nullptr);
  bench.feed(kA, bench.data(kA, 0, 100).ip_id(7));
  bench.feed(kA, bench.data(kA, 200, 100).ip_id(9));
  bench.feed(kA, bench.data(kA, 100, 50).ip_id(11));
  bench.feed(kA, bench.data(kA, 150, 50).ip_id(12));
  const LossTraces* const traces = bench.connection->loss_traces(kA);
  ASSERT_NE(traces, nullptr);
  EXPECT_EQ(ranges(traces->sent_again), (std::vector<OctetRange>{{0, 100}}));
  EXPECT_EQ(ranges(traces->filled_late), (std::vector<OctetRange>{{100, 200}}));
  EXPECT_TRUE(bench.connection->loss_traces(kB)->sent_again.ranges().empty());
}

TEST(Order, ReorderingLeavesNoTrace) {
  Bench bench;
  bench.handshake();
  bench.feed(kA, bench.data(kA, 100, 100).ip_id(9));
  bench.feed(kA, bench.data(kA, 0, 100).ip_id(8));
  EXPECT_EQ(bench.connection->loss_traces(kA), nullptr);
}

TEST(Order, TheFirstTracesAreKept) {
  RangeList list;
  for (std::uint64_t i = 0; i < RangeList::kMost + 1; ++i) list.add({i * 100, i * 100 + 10});
  EXPECT_EQ(list.ranges().size(), RangeList::kMost);
  EXPECT_EQ(list.ranges().back(), (OctetRange{700, 710}));
  EXPECT_TRUE(list.has_more());
}

TEST(Order, SequenceNumbersAreThoseOfTheWire) {
  Bench bench;
  bench.handshake();
  bench.feed(kA, bench.data(kA, 0, 100));
  bench.feed(kA, bench.empty(kA, 100, flag::fin));
  const auto numbers = bench.connection->sequence_numbers(kA);
  ASSERT_TRUE(numbers);
  EXPECT_EQ(numbers->initial, 1000u);
  EXPECT_EQ(numbers->first, 1001u);
  EXPECT_EQ(numbers->octets, 100u);
  EXPECT_EQ(numbers->fin, 1101u);
  EXPECT_FALSE(numbers->is_acknowledged_only);
}

TEST(Order, WithoutASynTheInitialNumberIsNotKnown) {
  Bench bench;
  bench.feed(kA, std::move(bench.data(kA, 500, 100)).ack(bench.sequence(kB, 40)));
  const auto numbers = bench.connection->sequence_numbers(kA);
  ASSERT_TRUE(numbers);
  EXPECT_FALSE(numbers->initial);
  EXPECT_EQ(numbers->first, 1501u);
  const auto others = bench.connection->sequence_numbers(kB);
  ASSERT_TRUE(others);
  EXPECT_TRUE(others->is_acknowledged_only);
  EXPECT_EQ(others->first, bench.sequence(kB, 40));
}

TEST(Order, RetransmissionThatReachesFurtherGivesOnlyItsNewOctets) {
  Bench bench;
  bench.handshake();
  bench.feed(kA, bench.data(kA, 0, 100));
  bench.feed(kA, bench.data(kA, 50, 100));
  ASSERT_EQ(bench.sinks[0].calls.size(), 2u);
  const Chunk& chunk = bench.sinks[0].calls[1].chunk;
  EXPECT_EQ(chunk.offset, kStreamOrigin + 100);
  EXPECT_FALSE(chunk.starts_tcp_segment);
  EXPECT_TRUE(chunk.ends_tcp_segment);
  EXPECT_FALSE(chunk.retransmitted);  // its new octets were not sent before
  EXPECT_EQ(bench.statistics().retransmitted_octets, 50u);
}

TEST(Order, OverlapInTheBufferKeepsTheFirstCopyAndReportsTheConflict) {
  Bench bench;
  bench.handshake();
  bench.feed(kA, bench.data(kA, 100, 100));
  Bytes other = pattern(150, 100);
  other[10] = static_cast<std::byte>(std::to_integer<int>(other[10]) ^ 0x55);
  bench.feed(kA, Packet(kA, bench.sequence(kA, 150), 0, other));
  bench.feed(kA, bench.data(kA, 0, 100));
  EXPECT_EQ(bench.text(), "[0,250)");
  EXPECT_EQ(bench.sinks[0].calls.at(1).octets, pattern(100, 100));
  ASSERT_EQ(bench.count(FindingId::tcp_retransmission_differs), 1u);
  const auto& finding = *bench.findings.find(FindingId::tcp_retransmission_differs);
  EXPECT_EQ(finding.offset, kStreamOrigin + 160);
  EXPECT_EQ(finding.frames, (std::vector{FrameNumber{4}, FrameNumber{5}}));
  EXPECT_NE(finding.text.find("offset 150"), std::string::npos) << finding.text;
  EXPECT_NE(finding.text.find("offset 100"), std::string::npos) << finding.text;
}

TEST(Order, OverlapInTheBufferWithEqualOctetsIsNoConflict) {
  Bench bench;
  bench.handshake();
  bench.feed(kA, bench.data(kA, 100, 100));
  bench.feed(kA, bench.data(kA, 150, 100));
  bench.feed(kA, bench.data(kA, 0, 250));
  EXPECT_EQ(bench.text(), "[0,250)");
  EXPECT_EQ(bench.count(FindingId::tcp_retransmission_differs), 0u);
}

TEST(Order, RetransmissionOfDeliveredOctetsWithOtherContentIsAConflict) {
  Bench bench;
  bench.handshake();
  bench.feed(kA, bench.data(kA, 0, 100));
  bench.feed(kA, Packet(kA, bench.sequence(kA, 0), 0, pattern(7, 100)));
  EXPECT_EQ(bench.count(FindingId::tcp_retransmission_differs), 1u);
  EXPECT_EQ(bench.findings.find(FindingId::tcp_retransmission_differs)->frames,
            (std::vector{FrameNumber{4}, FrameNumber{5}}));
  EXPECT_EQ(bench.sinks[0].calls.at(0).octets, pattern(0, 100));
}

// What proves nothing: other bounds, a cut frame, a checksum that is not finished.
TEST(Order, RetransmissionThatCannotBeComparedIsNoConflict) {
  Bench bounds;
  bounds.handshake();
  bounds.feed(kA, bounds.data(kA, 0, 100));
  bounds.feed(kA, Packet(kA, bounds.sequence(kA, 0), 0, pattern(7, 99)));
  EXPECT_EQ(bounds.count(FindingId::tcp_retransmission_differs), 0u);
  Bench cut;
  cut.handshake();
  cut.feed(kA, cut.data(kA, 0, 100).cut(50));
  cut.feed(kA, cut.data(kA, 0, 100));
  cut.feed(kA, Packet(kA, cut.sequence(kA, 0), 0, pattern(7, 100)).cut(99));
  EXPECT_EQ(cut.count(FindingId::tcp_retransmission_differs), 0u);
  Bench offload;
  offload.handshake();
  offload.feed(kA, offload.data(kA, 0, 100).field(Field::pseudo_header));
  offload.feed(kA, Packet(kA, offload.sequence(kA, 0), 0, pattern(7, 100)));
  EXPECT_EQ(offload.count(FindingId::tcp_retransmission_differs), 0u);
}

TEST(Order, KeepAliveIsNoRetransmissionAndItsOctetIsNoConflict) {
  Bench bench;
  bench.handshake();
  bench.feed(kA, bench.data(kA, 0, 100));
  bench.acknowledge(kA, 100);
  bench.feed(kA, bench.empty(kA, 99).ack(bench.sequence(kB, 0)));
  bench.feed(kA, Packet(kA, bench.sequence(kA, 99), 0, {std::byte{0}}).ack(bench.sequence(kB, 0)));
  EXPECT_EQ(bench.statistics().keep_alives, 2u);
  EXPECT_EQ(bench.statistics().retransmitted_octets, 0u);
  bench.finish();
  EXPECT_TRUE(bench.findings.all.empty());
}

TEST(Order, OneOctetNotAcknowledgedYetIsARetransmissionNotAKeepAlive) {
  Bench bench;
  bench.handshake();
  bench.acknowledge(kA, 0);
  bench.feed(kA, bench.data(kA, 0, 1));
  bench.feed(kA, bench.data(kA, 0, 1));
  EXPECT_EQ(bench.statistics().keep_alives, 0u);
  EXPECT_EQ(bench.statistics().retransmitted_octets, 1u);
}

TEST(Order, OlderThanTheFirstOneSeenIsOldAndNoUnderflow) {
  for (const std::uint32_t first : {0u, 5u, 0x80000000u, 0xFFFFFFFFu}) {
    Bench bench({first - 1, 0});
    bench.feed(kA, bench.data(kA, 0, 10));
    bench.feed(kA, Packet(kA, first - 1000, 0, pattern(1, 500)));
    bench.feed(kA, bench.data(kA, 10, 10));
    EXPECT_EQ(bench.text(), "[0,20)") << first;
    EXPECT_EQ(bench.statistics().retransmitted_octets, 0u);
  }
}

/// The first of a direction, far from all that the other one acknowledged of it: another connection's on these ports.
TEST(Order, FirstSegmentFarFromWhatWasAcknowledgedIsNotTaken) {
  for (const std::uint32_t away : {0x01000000u, 0xFF000000u}) {
    Bench bench({0x7000, 0x9000});
    bench.feed(kA, bench.data(kA, 0, 20).ack(bench.sequence(kB, 0)));
    bench.feed(kB, Packet(kB, bench.sequence(kB, 0) + away, 0, pattern(7, 20)).ack(bench.sequence(kA, 20)));
    bench.feed(kB, bench.data(kB, 0, 30).ack(bench.sequence(kA, 20)));
    EXPECT_EQ(bench.text(kB), "[0,30)") << away;
    EXPECT_EQ(bench.statistics(kB).ignored_segments, 1u);
  }
}

/// The ACKs may be the other connection's instead.
TEST(Order, SegmentsInSequenceFarFromWhatWasAcknowledgedAreTakenInTheEnd) {
  for (const std::uint64_t segments : {15u, 40u}) {
    Bench bench({0x7000, 0x9000});
    bench.feed(kA, bench.data(kA, 0, 20).ack(bench.sequence(kB, 0) + 0x20000000));
    for (std::uint64_t i = 0; i < segments; ++i) bench.feed(kB, bench.data(kB, 10 * i, 10));
    bench.finish();
    EXPECT_EQ(bench.statistics(kB).stream_octets, segments == 15 ? 0u : 250u);
    EXPECT_EQ(bench.statistics(kB).capture_gap_octets, 0u);
  }
}

/// So far the window of its receiver may reach.
TEST(Order, FirstSegmentNearWhatWasAcknowledgedIsTaken) {
  for (const std::uint32_t away : {0x00200000u, 0xFFE00000u}) {
    Bench bench({0x7000, 0x9000});
    bench.feed(kA, bench.data(kA, 0, 20).ack(bench.sequence(kB, 0)));
    bench.feed(kB, Packet(kB, bench.sequence(kB, 0) + away, 0, pattern(7, 20)).ack(bench.sequence(kA, 20)));
    EXPECT_EQ(bench.statistics(kB).ignored_segments, 0u);
    EXPECT_EQ(bench.statistics(kB).stream_octets, 20u);
  }
}

TEST(Order, WrapOfSequenceNumbersAtEveryPlaceOfASegment) {
  for (std::uint32_t back = 0; back <= 40; ++back) {
    Bench bench({0u - back - 1, 0u - back / 2});
    bench.handshake();
    for (const std::uint64_t at : {0u, 20u, 10u, 30u})
      bench.feed(kA, bench.data(kA, at, 10).ack(bench.sequence(kB, 0)));
    bench.acknowledge(kA, 40);
    EXPECT_EQ(bench.text(), "[0,40)") << back;
    EXPECT_EQ(bench.connection->acknowledged(kA), kStreamOrigin + 40);
    bench.finish();
    EXPECT_EQ(bench.statistics().capture_gap_octets, 0u);
    EXPECT_EQ(bench.statistics().ignored_segments, 0u);
  }
}

TEST(Order, StreamLongerThanTheSequenceSpaceKeepsCounting) {
  Bench bench;
  bench.handshake();
  const std::size_t jump = 1u << 29;  // gaps that the receiver acknowledged carry the stream forward quickly
  std::uint64_t at = 0;
  for (int i = 0; i < 20; ++i) {
    bench.feed(kA, bench.data(kA, at, 4));
    bench.acknowledge(kA, at + 4);
    at += jump;
  }
  EXPECT_EQ(bench.connection->next_offset(kA), kStreamOrigin + (19 * std::uint64_t{jump} + 4));
}

TEST(Order, KeepAliveSeenFirstLeavesNoHole) {
  Bench bench;
  bench.feed(kA, bench.empty(kA, 99).ack(1));
  bench.feed(kA, bench.data(kA, 100, 20));
  bench.feed(kA, bench.data(kA, 120, 20));
  EXPECT_EQ(bench.sinks[0].octet_count(), 40u);
  Bench octet;  // with one octet, which the other end's ACK distinguishes from data
  octet.feed(kB, octet.empty(kB, 0).ack(octet.sequence(kA, 100)));
  octet.feed(kA, Packet(kA, octet.sequence(kA, 99), 0, {std::byte{0}}).ack(octet.sequence(kB, 0)));
  octet.feed(kA, octet.data(kA, 100, 20));
  EXPECT_EQ(octet.text(), "[0,20)");
}

TEST(Order, SynWithDataAndRepeatedSyn) {
  Bench bench;
  bench.feed(kA, Packet(kA, bench.isn[0], flag::syn, pattern(0, 30)).options(1460, 7));
  bench.feed(kA, bench.syn(kA).options(1460, 7).ip_id(9));
  bench.feed(kA, bench.data(kA, 30, 10));
  EXPECT_EQ(bench.text(), "[0,40)");
  EXPECT_EQ(bench.statistics().ignored_segments, 0u);
}

TEST(Order, SynSeenLateGivesItsOptions) {
  Bench bench;
  bench.feed(kA, bench.data(kA, 0, 10));
  bench.feed(kA, bench.syn(kA).options(1400, 3));
  EXPECT_EQ(bench.connection->mss(kA), 1400);
  EXPECT_EQ(bench.statistics().ignored_segments, 0u);
}

TEST(Order, SegmentLargerThanTheMtuIsOneChunk) {
  Bench bench;
  bench.handshake();
  bench.feed(kA, bench.data(kA, 0, 65000));
  ASSERT_EQ(bench.sinks[0].calls.size(), 1u);
  EXPECT_EQ(bench.sinks[0].calls[0].length, 65000u);
}

TEST(Order, WildSequenceNumbersAreIgnoredAndCounted) {
  Bench bench;
  bench.handshake();
  bench.feed(kA, bench.data(kA, 0, 10));
  bench.feed(kA, bench.data(kA, 1u << 31, 10));
  bench.feed(kA, bench.data(kA, (1u << 30) + 100, 10));
  bench.feed(kA, bench.data(kA, 0u - (1u << 30) - 100, 10));
  bench.feed(kB, bench.empty(kB, 0).ack(bench.sequence(kA, 1u << 31)));
  bench.feed(kA, bench.data(kA, 10, 10));
  EXPECT_EQ(bench.text(), "[0,20)");
  EXPECT_EQ(bench.statistics(kA).ignored_segments, 3u);
  EXPECT_EQ(bench.statistics(kB).ignored_segments, 1u);
  EXPECT_EQ(bench.connection->acknowledged(kA), kStreamOrigin);
  bench.finish();
  EXPECT_TRUE(bench.findings.all.empty());
}

TEST(Order, LongRunAtAnotherPlaceMeansTheCaptureMissedMuch) {
  Bench bench;
  bench.handshake();
  bench.feed(kA, bench.data(kA, 0, 10));
  const std::uint64_t far = std::uint64_t{5} << 29;
  for (std::uint64_t i = 0; i < 20; ++i) bench.feed(kA, bench.data(kA, far + 10 * i, 10));
  EXPECT_EQ(bench.text(), "[0,10) unexplained[10," + std::to_string(far + 150) + ") [" + std::to_string(far + 150) +
                              "," + std::to_string(far + 200) + ")");
  Bench near_miss;  // one of them out of sequence: not believed
  near_miss.handshake();
  near_miss.feed(kA, near_miss.data(kA, 0, 10));
  for (std::uint64_t i = 0; i < 30; ++i) near_miss.feed(kA, near_miss.data(kA, far + 11 * i, 10));
  EXPECT_EQ(near_miss.text(), "[0,10)");
}

TEST(Order, ZeroWindowsAreCountedAndNotedOnce) {
  Bench bench;
  bench.handshake();
  bench.feed(kB, bench.empty(kB, 0).ack(bench.sequence(kA, 0)).window(0).ip_id(1));
  bench.feed(kB, bench.empty(kB, 0).ack(bench.sequence(kA, 0)).window(0).ip_id(2));
  EXPECT_EQ(bench.statistics(kB).zero_windows, 2u);
  bench.finish();
  bench.finish();
  EXPECT_EQ(bench.count(FindingId::tcp_zero_window), 1u);
  EXPECT_EQ(bench.findings.find(FindingId::tcp_zero_window)->direction, kB);
}

TEST(Order, ResetWithWindowZeroIsNoZeroWindow) {
  Bench bench;
  bench.handshake();
  bench.feed(kB, bench.empty(kB, 0, flag::rst).ack(bench.sequence(kA, 0)).window(0));
  EXPECT_EQ(bench.statistics(kB).zero_windows, 0u);
}

TEST(Order, FragmentsAndMissingDontFragmentAreNotedOncePerDirection) {
  Bench bench;
  bench.handshake();
  bench.feed(kA, bench.data(kA, 0, 10));
  EXPECT_EQ(bench.count(FindingId::mpa_ip_fragmented), 0u);
  for (int i = 1; i < 3; ++i) {
    Packet fragmented = bench.data(kA, static_cast<std::uint64_t>(10 * i), 10);
    fragmented.tcp.fragmented = true;
    bench.feed(kA, std::move(fragmented));
  }
  EXPECT_EQ(bench.count(FindingId::mpa_ip_fragmented), 1u);
  Packet clear = bench.data(kB, 0, 10);
  clear.tcp.dont_fragment = false;
  bench.feed(kB, std::move(clear));
  EXPECT_EQ(bench.count(FindingId::mpa_ip_fragmented), 2u);
}

TEST(Order, NoSinkIsAllowed) {
  Bench bench;
  Packet packet = bench.data(kA, 0, 10);
  packet.seal(FrameNumber{1}, TimePoint{1});
  bench.connection->feed(kA, packet.tcp, {nullptr, nullptr}, bench.findings);
  bench.connection->finish(FrameNumber{2}, TimePoint{2}, {nullptr, nullptr}, bench.findings);
  EXPECT_EQ(bench.statistics().stream_octets, 10u);
}

TEST(Order, OriginOfTheFlowTableIsContinued) {
  std::array<Origin, 2> origins{};
  origins[0].next_sequence = 0xFFFFFFF0;
  origins[0].packets = 7;
  origins[0].mss = 1460;
  origins[0].window_scale = 2;
  origins[0].seen = origins[0].syn_seen = origins[0].good_checksum_seen = true;
  Bench bench({0xFFFFFFEF, 0}, {}, origins);
  EXPECT_EQ(bench.connection->mss(kA), 1460);
  EXPECT_TRUE(bench.connection->syn_seen(kA));
  EXPECT_FALSE(bench.connection->acknowledged(kA).has_value());
  bench.feed(kA, bench.data(kA, 0, 100));
  EXPECT_EQ(bench.text(), "[0,100)");
  EXPECT_EQ(bench.statistics().tcp_segments, 8u);
}

}  // namespace
}  // namespace iwarpscope::tcp::test
