// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// TCP segments that the receiver drops: each changes nothing but counts, until the receiver acknowledges its octets.
#include "shared/tcp/kit.h"

namespace iwarpscope::tcp::test {
namespace {

using findings::FindingId;

/// A connection in the middle of its work: 200 octets of each side, acknowledged; TSval 1000; hop limit 64.
class Forged : public ::testing::Test {
 protected:
  void SetUp() override {
    bench.handshake();
    for (const Direction d : {kA, kB, kA, kB}) send(d);
  }
  /// The next 100 octets of `d`, with everything as its stack would do it.
  void send(Direction d) {
    bench.feed(d, next(d));
    sent[index(d)] += 100;
  }
  [[nodiscard]] Packet next(Direction d, std::uint64_t ahead = 0) {
    Packet packet = bench.data(d, sent[index(d)] + ahead, 100).timestamp(1000);
    packet.tcp.flags |= flag::ack;
    packet.tcp.acknowledgment = bench.sequence(opposite(d), sent[index(opposite(d))]);
    packet.tcp.ip_checksum_good = true;
    return packet;
  }
  /// The same with other octets.
  [[nodiscard]] Packet garbage(std::uint64_t ahead = 0) {
    Packet packet = Packet(kA, bench.sequence(kA, sent[0] + ahead), flag::ack, Bytes(100, std::byte{'Z'}));
    packet.tcp.acknowledgment = bench.sequence(kB, sent[1]);
    packet.tcp.timestamp = 1000;
    packet.tcp.ip_checksum_good = true;
    return packet;
  }
  /// Fed between the others it changes nothing.
  void expect_dropped(Packet packet) {
    packet.seal(FrameNumber{99}, TimePoint{bench.now});
    const Doubt why = bench.connection->judge(kA, packet.tcp);
    EXPECT_NE(why, Doubt::none);
    bench.feed(kA, std::move(packet));
    EXPECT_EQ(bench.statistics().ignored_segments, 1u);
    for (const Direction d : {kA, kB, kA, kB}) send(d);
    bench.finish();
    for (const Direction d : {kA, kB}) {
      Bytes octets;
      for (const Call& call : bench.sinks[index(d)].calls) {
        octets.insert(octets.end(), call.octets.begin(), call.octets.end());
      }
      EXPECT_EQ(octets, pattern(0, 400));
      EXPECT_EQ(bench.text(d), "[0,400)");
    }
    EXPECT_EQ(bench.budget.held(), 0u);
    if (why == Doubt::maybe_keep_alive) {
      EXPECT_TRUE(bench.findings.all.empty());
      return;
    }
    ASSERT_EQ(bench.findings.all.size(), 1u);
    EXPECT_EQ(bench.findings.all[0].id, FindingId::tcp_forged_segments);
    EXPECT_EQ(bench.findings.all[0].seen, "1");
    ASSERT_NE(bench.connection->dropped(kA), nullptr);
    EXPECT_EQ((*bench.connection->dropped(kA))[static_cast<std::size_t>(why)], 1u);
  }
  Bench bench;
  std::array<std::uint64_t, 2> sent{};
};

TEST_F(Forged, OldTimestamp) {
  expect_dropped(garbage().timestamp(900));
}
TEST_F(Forged, NoAckFlag) {
  Packet packet = garbage();
  packet.tcp.flags = flag::psh;
  expect_dropped(std::move(packet));
}
TEST_F(Forged, BeyondTheWindow) {
  expect_dropped(garbage(3u << 20));
}
TEST_F(Forged, FinBeyondTheWindow) {
  Packet packet = bench.empty(kA, 1u << 28, flag::fin | flag::ack);
  packet.tcp.acknowledgment = bench.sequence(kB, sent[1]);
  expect_dropped(std::move(packet));
}
TEST_F(Forged, AcknowledgmentOfOctetsThatWereNeverOffered) {
  Packet packet = garbage();
  packet.tcp.acknowledgment += 10u << 20;
  expect_dropped(std::move(packet));
}
TEST_F(Forged, WrongIpChecksum) {
  Packet packet = garbage();
  packet.tcp.ip_checksum_good = false;
  packet.tcp.ip_checksum_wrong = true;
  expect_dropped(std::move(packet));
}
TEST_F(Forged, FarFewerHops) {
  expect_dropped(garbage().ttl(1));
}
TEST_F(Forged, FrameShorterThanItsIpLengthSays) {
  Packet packet = garbage().cut(0);
  packet.tcp.payload_length = 20'000;
  packet.tcp.shortened = true;
  expect_dropped(std::move(packet));
}

TEST_F(Forged, CutFrameThatClaimsMoreThanTheReceiverTakesInOne) {
  Packet packet = garbage();
  packet.tcp.payload_length = 20'000;
  packet.tcp.shortened = true;
  expect_dropped(std::move(packet));
}
TEST_F(Forged, FrameThatAMirrorCutIsTaken) {
  Packet packet = next(kA);
  packet.seal(FrameNumber{99}, TimePoint{bench.now});
  packet.tcp.payload_length = 1400;
  packet.tcp.shortened = true;
  EXPECT_EQ(bench.connection->judge(kA, packet.tcp), Doubt::none);
}

TEST_F(Forged, AFewHopsLessOrTheSameTimestampIsTaken) {
  Packet packet = next(kA).ttl(60);
  packet.seal(FrameNumber{99}, TimePoint{bench.now});
  EXPECT_EQ(bench.connection->judge(kA, packet.tcp), Doubt::none);
}

TEST_F(Forged, OctetsThatTheReceiverAcknowledgesWereReceivedAllTheSame) {
  Packet packet = next(kA).timestamp(900);
  bench.feed(kA, std::move(packet));
  EXPECT_EQ(bench.text(), "[0,200)");
  sent[0] += 100;
  send(kB);
  EXPECT_EQ(bench.text(), "[0,300)");
  EXPECT_EQ(bench.statistics().ignored_segments, 0u);
  EXPECT_TRUE(bench.findings.all.empty());
}

/// RFC 7323 §5.5.
TEST_F(Forged, OldTimestampAfterTwentyFourDaysIsTaken) {
  Packet packet = next(kA).timestamp(900);
  packet.seal(FrameNumber{99}, TimePoint{bench.now + std::int64_t{25} * 24 * 3600 * 1'000'000'000});
  EXPECT_EQ(bench.connection->judge(kA, packet.tcp), Doubt::none);
  packet.seal(FrameNumber{99}, TimePoint{bench.now + std::int64_t{23} * 24 * 3600 * 1'000'000'000});
  EXPECT_EQ(bench.connection->judge(kA, packet.tcp), Doubt::old_timestamp);
}

TEST_F(Forged, TimestampsThatWrapOrAreTurnedOffAreTaken) {
  for (const std::uint32_t timestamp : {0x7FFFFF00U, 0xFFFFFE00U, 5U}) {
    bench.feed(kA, next(kA).timestamp(timestamp));
    sent[0] += 100;
  }
  Packet without = next(kA);
  without.tcp.timestamp.reset();
  bench.feed(kA, std::move(without));
  EXPECT_EQ(bench.text(), "[0,600)");
}

TEST_F(Forged, ResetIsNoMatterOfTimestamps) {
  Packet packet = bench.empty(kA, sent[0], flag::rst).timestamp(5);
  bench.feed(kA, std::move(packet));
  EXPECT_EQ(bench.connection->closed_by(), ClosedBy::rst);
}

TEST_F(Forged, OctetsBeyondTheWindowAreNotUsedOnceTheWindowReachesThem) {
  bench.feed(kA, garbage(80'000));
  bench.now += 1'000'000'000;
  Packet opens = Packet(kB, bench.sequence(kB, sent[1]), flag::ack, {}).ack(bench.sequence(kA, sent[0]));
  opens.tcp.window = 0xFFFF;
  bench.feed(kB, std::move(opens));
  bench.finish();
  EXPECT_EQ(bench.text(), "[0,200)");
}

/// The flow table saw the handshake.
TEST(Origins, NoAckFlagAndWrongIpChecksumAreJudgedFromTheFirstPayload) {
  std::array<Origin, 2> origins{};
  origins[0].seen = origins[0].syn_seen = origins[0].ack_flag = origins[0].ip_checksum_good = true;
  origins[0].next_sequence = 1000;
  const Limits limits;
  BufferBudget budget(1u << 20);
  const Connection connection(origins, limits, budget);
  for (const bool is_ip : {false, true}) {
    Packet packet(kA, 1000, is_ip ? flag::ack : flag::psh, pattern(0, 100));
    packet.tcp.ip_checksum_wrong = is_ip;
    packet.seal(FrameNumber{9}, TimePoint{9});
    EXPECT_EQ(connection.judge(kA, packet.tcp), is_ip ? Doubt::wrong_ip_checksum : Doubt::no_ack_flag);
    EXPECT_TRUE(origins[0].is_dropped(packet.tcp));
    EXPECT_FALSE(origins[1].is_dropped(packet.tcp));
  }
}

TEST_F(Forged, ManyInSequenceAreBelieved) {
  for (int i = 0; i < 16; ++i) {
    Packet packet = next(kA).ttl(10);
    bench.feed(kA, std::move(packet));
    sent[0] += 100;
  }
  EXPECT_EQ(bench.text(), "[0,1800)");
}

TEST_F(Forged, KeepAliveThatOvertakesItsDataDoesNotTakeItsPlace) {
  Packet keep_alive = Packet(kA, bench.sequence(kA, sent[0] + 99), flag::ack, Bytes(1, std::byte{0}));
  keep_alive.tcp.acknowledgment = bench.sequence(kB, sent[1]);
  keep_alive.tcp.timestamp = 1000;
  expect_dropped(std::move(keep_alive));
}

TEST(OneSided, KeepAliveThatOvertakesItsDataDoesNotTakeItsPlace) {
  for (const std::uint8_t more : {std::uint8_t{0}, std::uint8_t{flag::psh}}) {
    Bench bench;
    bench.feed(kA, bench.syn(kA));
    bench.feed(kA, bench.data(kA, 0, 100).ack(bench.sequence(kB, 0)));
    const std::uint8_t flags = static_cast<std::uint8_t>(flag::ack | more);
    bench.feed(kA, Packet(kA, bench.sequence(kA, 199), flags, {std::byte{0}}).ack(bench.sequence(kB, 0)));
    bench.feed(kA, bench.data(kA, 100, 100).ack(bench.sequence(kB, 0)));
    bench.finish();
    // With PSH it is the last octet of a message.
    EXPECT_EQ(bench.sinks[0].calls.back().octets.back(), more == 0 ? pattern(199) : std::byte{0});
  }
}

TEST_F(Forged, ResetInTheWindowIsTakenOnlyIfNothingFollows) {
  bench.feed(kA, bench.empty(kA, sent[0] + 500, flag::rst));
  EXPECT_EQ(bench.connection->closed_by(), ClosedBy::open);
  send(kB);
  const std::uint64_t reset_frame = bench.frame - 1;
  bench.finish();
  EXPECT_EQ(bench.connection->closed_by(), ClosedBy::rst);
  EXPECT_EQ(bench.connection->reset_at().frame.value, reset_frame);
  EXPECT_EQ(bench.count(FindingId::tcp_connection_reset), 1u);
  EXPECT_EQ(bench.count(FindingId::tcp_ignored_control), 0u);
}

TEST_F(Forged, ResetOrSynAfterWhichTheSenderGoesOnIsReportedOnce) {
  for (const std::uint8_t flags : {std::uint8_t{flag::rst}, std::uint8_t{flag::syn}}) {
    bench.findings.all.clear();
    bench.feed(kA, bench.empty(kA, sent[0] + 50, flags));
    send(kB);
    EXPECT_EQ(bench.count(FindingId::tcp_ignored_control), 0u);
    send(kA);
    EXPECT_EQ(bench.count(FindingId::tcp_ignored_control), 1u);
    EXPECT_EQ(bench.connection->closed_by(), ClosedBy::open);
  }
  bench.finish();
  EXPECT_EQ(bench.text(), "[0,400)");
}

}  // namespace
}  // namespace iwarpscope::tcp::test
