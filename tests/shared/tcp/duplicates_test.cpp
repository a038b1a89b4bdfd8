// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Second copies that a mirror made, and retransmissions that only look like them.
#include "shared/tcp/kit.h"
#include "tcp/recent_segments.h"

namespace iwarpscope::tcp::test {
namespace {

using findings::FindingId;

Packet copy_of(const Bench& bench, std::uint16_t ip_id, std::uint8_t ttl = 64) {
  return bench.data(kA, 0, 100).ack(bench.sequence(kB, 0)).ip_id(ip_id).ttl(ttl);
}

TEST(MirrorDuplicate, SameIpIdIsACopyWithAnotherTtlToo) {
  Bench bench;
  bench.handshake();
  bench.feed(kA, copy_of(bench, 7, 64));
  bench.feed(kA, copy_of(bench, 7, 63));
  EXPECT_EQ(bench.statistics().mirror_duplicates, 1u);
  EXPECT_EQ(bench.statistics().retransmitted_octets, 0u);
  bench.finish();
  ASSERT_EQ(bench.findings.all.size(), 1u);
  EXPECT_EQ(bench.findings.all[0].id, FindingId::capture_mirror_duplicates);
  EXPECT_EQ(bench.findings.all[0].frames.at(0).value, 5u);
}

Packet of_other_octets(const Bench& bench, std::uint64_t from, std::uint16_t ip_id) {
  return Packet(kA, bench.sequence(kA, from), 0, pattern(7, 100)).ack(bench.sequence(kB, 0)).ip_id(ip_id);
}

TEST(MirrorDuplicate, ACopyWithOtherOctetsWasDamagedAndNotSentAgain) {
  for (const bool in_order : {true, false}) {
    for (const std::uint16_t second_id : {std::uint16_t{7}, std::uint16_t{8}}) {
      const std::uint64_t from = in_order ? 0 : 200;
      Bench bench;
      bench.handshake();
      bench.feed(kA, bench.data(kA, from, 100).ack(bench.sequence(kB, 0)).ip_id(7));
      bench.feed(kA, of_other_octets(bench, from, second_id));
      const bool is_copy = second_id == 7;
      EXPECT_EQ(bench.count(FindingId::capture_copies_differ), is_copy ? 1u : 0u) << in_order;
      EXPECT_EQ(bench.count(FindingId::tcp_retransmission_differs), is_copy ? 0u : 1u) << in_order;
      if (!in_order) continue;
      EXPECT_EQ(bench.statistics().retransmitted_octets, is_copy ? 0u : 100u);
    }
  }
}

TEST(MirrorDuplicate, EachDifferenceOfASenderMakesARetransmission) {
  const auto differ = [](auto change) {
    Bench bench;
    bench.handshake();
    bench.feed(kA, copy_of(bench, 7));
    Packet packet = copy_of(bench, 7);
    change(packet.tcp);
    bench.feed(kA, std::move(packet));
    EXPECT_EQ(bench.statistics().mirror_duplicates, 0u);
    EXPECT_EQ(bench.statistics().retransmitted_octets, 100u);
  };
  differ([](net::TcpPacket& p) { p.ip_id = 8; });
  differ([](net::TcpPacket& p) { p.ttl = 32; });
  differ([](net::TcpPacket& p) { p.window += 1; });
  differ([](net::TcpPacket& p) { p.acknowledgment -= 1; });
  differ([](net::TcpPacket& p) { p.timestamp = 4; });
  differ([](net::TcpPacket& p) { p.flags |= flag::psh; });
}

TEST(MirrorDuplicate, CutToAnotherLengthIsNoRetransmission) {
  const auto retransmitted = [](std::size_t first, std::size_t second, std::uint16_t second_id) {
    Bench bench;
    bench.handshake();
    bench.feed(kA, copy_of(bench, 7).cut(first));
    bench.feed(kA, copy_of(bench, second_id).cut(second));
    return bench.statistics().retransmitted_octets;
  };
  EXPECT_EQ(retransmitted(100, 60, 7), 0u);
  EXPECT_EQ(retransmitted(60, 100, 7), 0u);
  EXPECT_EQ(retransmitted(60, 40, 7), 0u);
  EXPECT_EQ(retransmitted(100, 60, 8), 100u);
}

TEST(MirrorDuplicate, CutWithinTheTcpOptionsIsNoRetransmission) {
  const auto retransmitted = [](bool first_cut, bool second_cut, std::uint16_t second_id,
                                std::uint8_t second_ttl = 64) {
    Bench bench;
    bench.handshake();
    for (const bool first : {true, false}) {
      Packet packet = first ? copy_of(bench, 7) : copy_of(bench, second_id, second_ttl);
      const bool cut = first ? first_cut : second_cut;
      packet.tcp.options_cut = cut;
      if (!cut) packet.tcp.timestamp = 5;
      bench.feed(kA, cut ? std::move(packet).cut(0) : std::move(packet));
    }
    return bench.statistics().retransmitted_octets;
  };
  EXPECT_EQ(retransmitted(false, true, 7), 0u);
  EXPECT_EQ(retransmitted(true, false, 7), 0u);
  EXPECT_EQ(retransmitted(true, true, 7), 0u);
  EXPECT_EQ(retransmitted(true, true, 8), 100u);
  EXPECT_EQ(retransmitted(false, true, 7, 32), 100u);
}

TEST(MirrorDuplicate, WithoutIpIdAndTimestampOnlyWithinAMillisecond) {
  for (const std::int64_t step : {900'000, 1'100'000}) {
    Bench bench;
    bench.handshake();
    bench.feed(kA, copy_of(bench, 0));
    bench.step = step;
    bench.feed(kA, copy_of(bench, 0));
    EXPECT_EQ(bench.statistics().mirror_duplicates, step < 1'000'000 ? 1u : 0u);
  }
}

TEST(MirrorDuplicate, OfSynAckAndFinAreCopiesToo) {
  Bench bench;
  for (int i = 0; i < 2; ++i) bench.feed(kA, bench.syn(kA).ip_id(1));
  for (int i = 0; i < 2; ++i) bench.feed(kB, std::move(bench.syn(kB).ack(bench.isn[0] + 1)).ip_id(1));
  for (int i = 0; i < 2; ++i) bench.feed(kA, bench.empty(kA, 0).ack(bench.sequence(kB, 0)).ip_id(2));
  for (int i = 0; i < 2; ++i) bench.feed(kA, bench.data(kA, 0, 100).ip_id(3));
  for (int i = 0; i < 2; ++i) bench.feed(kA, bench.empty(kA, 100, flag::fin).ip_id(4));
  for (int i = 0; i < 2; ++i) bench.feed(kB, bench.empty(kB, 0, flag::rst).ip_id(5));
  EXPECT_EQ(bench.statistics(kA).mirror_duplicates, 4u);
  EXPECT_EQ(bench.statistics(kB).mirror_duplicates, 2u);
  EXPECT_EQ(bench.statistics(kA).tcp_segments, 8u);
  bench.finish();
  EXPECT_EQ(bench.count(FindingId::capture_mirror_duplicates), 1u);
}

TEST(MirrorDuplicate, EqualAcksAndResetsWithoutIpIdAreNoCopies) {
  Bench bench;
  bench.handshake();
  bench.step = 1000;
  for (int i = 0; i < 3; ++i) bench.feed(kB, bench.empty(kB, 0).ack(bench.sequence(kA, 0)).timestamp(5));
  for (int i = 0; i < 2; ++i) bench.feed(kB, bench.empty(kB, 0, flag::rst));
  bench.finish();
  EXPECT_EQ(bench.statistics(kB).mirror_duplicates, 0u);
  EXPECT_EQ(bench.count(FindingId::capture_mirror_duplicates), 0u);
}

TEST(MirrorDuplicate, OutOfOrderCopyIsACopy) {
  Bench bench;
  bench.handshake();
  for (int i = 0; i < 2; ++i) bench.feed(kA, bench.data(kA, 100, 50).ip_id(3));
  bench.feed(kA, bench.data(kA, 0, 100).ip_id(2));
  EXPECT_EQ(bench.text(), "[0,150)");
  EXPECT_EQ(bench.statistics().mirror_duplicates, 1u);
  EXPECT_EQ(bench.statistics().retransmitted_octets, 0u);
}

TEST(RecentSegments, RemembersTheLastEightAndMoreWhileTheyAreNotAcknowledged) {
  const auto known = [](std::optional<std::uint32_t> acknowledged) {
    RecentSegments recent;
    for (std::uint32_t i = 0; i < 200; ++i) {
      RecentSegment segment;
      segment.offset = i * 10;
      segment.length = 10;
      recent.add(segment, acknowledged ? std::optional{i * 10} : std::nullopt);
    }
    std::size_t n = 0;
    for (std::uint32_t i = 0; i < 200; ++i) n += recent.first_of(i * 10, 10) != nullptr;
    EXPECT_NE(recent.first_of(1990, 10), nullptr);
    EXPECT_EQ(recent.first_of(1990, 9), nullptr);
    return n;
  };
  EXPECT_EQ(known(0u), RecentSegments::kFirst);
  EXPECT_EQ(known(std::nullopt), RecentSegments::kMost);
}

TEST(RecentSegments, FirstTransmissionIsTheOldestOfItsBounds) {
  RecentSegments recent;
  for (std::uint32_t i = 0; i < 3; ++i) {
    RecentSegment segment;
    segment.length = 10;
    segment.frame = i + 1;
    recent.add(segment, std::nullopt);
  }
  ASSERT_NE(recent.first_of(0, 10), nullptr);
  EXPECT_EQ(recent.first_of(0, 10)->frame, 1u);
  recent.clear();
  EXPECT_EQ(recent.first_of(0, 10), nullptr);
}

}  // namespace
}  // namespace iwarpscope::tcp::test
