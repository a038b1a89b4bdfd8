// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// FIN, RST, and the 4-tuple used again.
#include "shared/tcp/kit.h"
#include "tcp/half_state.h"

namespace iwarpscope::tcp::test {
namespace {

using findings::FindingId;

// Every state and every event; what is not listed changes nothing.
TEST(HalfState, EveryStateAndEventIsAsListed) {
  using enum HalfState;
  constexpr std::array states{unseen, open, fin_seen, closed, reset};
  constexpr std::array events{HalfEvent::segment, HalfEvent::fin_seen, HalfEvent::fin_reached, HalfEvent::reset};
  const std::array<std::array<std::optional<HalfState>, 4>, 5> expected{{
      {open, std::nullopt, std::nullopt, reset},
      {open, fin_seen, std::nullopt, reset},
      {fin_seen, fin_seen, closed, reset},
      {closed, closed, std::nullopt, reset},
      {reset, std::nullopt, std::nullopt, reset},
  }};
  for (std::size_t s = 0; s < states.size(); ++s) {
    for (std::size_t e = 0; e < events.size(); ++e) {
      EXPECT_EQ(next_state(states[s], events[e]), expected[s][e]) << s << ' ' << e;
    }
  }
  for (const HalfEdge& edge : kHalfEdges) EXPECT_TRUE(edge.source.starts_with("RFC 9293 §"));
}

TEST(Closing, BothFinsDeliveredCloseTheConnection) {
  Bench bench;
  bench.handshake();
  bench.feed(kA, bench.data(kA, 0, 100, flag::fin));
  EXPECT_EQ(bench.connection->fin_offset(kA), kStreamOrigin + 100);
  EXPECT_TRUE(bench.connection->fin_delivered(kA));
  EXPECT_EQ(bench.connection->closed_by(), ClosedBy::open);
  bench.feed(kB, bench.data(kB, 0, 10).ack(bench.sequence(kA, 101)));
  bench.feed(kB, bench.empty(kB, 10, flag::fin).ack(bench.sequence(kA, 101)));
  EXPECT_EQ(bench.connection->closed_by(), ClosedBy::fin);
  EXPECT_EQ(bench.connection->acknowledged(kA), kStreamOrigin + 100);
  EXPECT_EQ(bench.text(kB), "[0,10)");
  bench.finish();
  EXPECT_TRUE(bench.findings.all.empty());
}

TEST(Closing, SimultaneousFinsClose) {
  Bench bench;
  bench.handshake();
  bench.feed(kA, bench.empty(kA, 0, flag::fin).ack(bench.sequence(kB, 0)));
  bench.feed(kB, bench.empty(kB, 0, flag::fin).ack(bench.sequence(kA, 0)));
  bench.feed(kA, bench.empty(kA, 1).ack(bench.sequence(kB, 1)));
  bench.feed(kB, bench.empty(kB, 1).ack(bench.sequence(kA, 1)));
  EXPECT_EQ(bench.connection->closed_by(), ClosedBy::fin);
  bench.finish();
  EXPECT_TRUE(bench.findings.all.empty());
}

TEST(Closing, FinBeforeItsOctetsWaitsForThem) {
  Bench bench;
  bench.handshake();
  bench.feed(kA, bench.data(kA, 100, 50, flag::fin));
  EXPECT_TRUE(bench.connection->fin_offset(kA).has_value());
  EXPECT_FALSE(bench.connection->fin_delivered(kA));
  bench.feed(kA, bench.data(kA, 0, 100));
  EXPECT_TRUE(bench.connection->fin_delivered(kA));
  EXPECT_EQ(bench.text(), "[0,150)");
}

TEST(Closing, AcknowledgedHoleBeforeAFinIsACaptureGap) {
  Bench bench;
  bench.handshake();
  bench.feed(kA, bench.data(kA, 0, 100));
  bench.acknowledge(kA, 201);
  bench.feed(kA, bench.empty(kA, 200, flag::fin));
  EXPECT_EQ(bench.text(), "[0,100) gap[100,200)");
  EXPECT_TRUE(bench.connection->fin_delivered(kA));
  Bench later;
  later.handshake();
  later.feed(kA, later.empty(kA, 200, flag::fin));
  EXPECT_EQ(later.text(), "");
  later.acknowledge(kA, 201);
  EXPECT_EQ(later.text(), "gap[0,200)");
}

TEST(Closing, HoleBeforeAFinThatNoEndAcknowledgesIsGivenUpInTime) {
  Bench bench;
  bench.handshake();
  bench.feed(kA, bench.empty(kA, 200, flag::fin));
  bench.step = 4'000'000'000;
  bench.feed(kB, bench.empty(kB, 0));
  EXPECT_EQ(bench.text(), "unexplained[0,200)");
  EXPECT_TRUE(bench.connection->fin_delivered(kA));
}

TEST(Closing, FinThatContradictsDeliveredOctetsIsIgnored) {
  Bench bench;
  bench.handshake();
  bench.feed(kA, bench.data(kA, 0, 100));
  bench.feed(kA, bench.empty(kA, 50, flag::fin));
  EXPECT_FALSE(bench.connection->fin_offset(kA).has_value());
  EXPECT_EQ(bench.statistics().ignored_segments, 1u);
}

TEST(Closing, OctetsBeyondAFinAreLeftOut) {
  Bench bench;
  bench.handshake();
  bench.feed(kA, bench.empty(kA, 100, flag::fin));
  bench.feed(kA, bench.data(kA, 50, 100));
  bench.feed(kA, bench.data(kA, 0, 50));
  EXPECT_EQ(bench.text(), "[0,100)");
  EXPECT_TRUE(bench.connection->fin_delivered(kA));
  EXPECT_EQ(bench.count(FindingId::tcp_data_after_fin), 0u);
}

TEST(DataAfterFin, NewOctetsAreAFinding) {
  Bench bench;
  bench.handshake();
  bench.feed(kA, bench.data(kA, 0, 100, flag::fin));
  bench.feed(kA, bench.data(kA, 101, 20));
  ASSERT_EQ(bench.count(FindingId::tcp_data_after_fin), 1u);
  EXPECT_EQ(bench.findings.all[0].offset, kStreamOrigin + 101);
  EXPECT_EQ(bench.findings.all[0].expected, "100");
  EXPECT_EQ(bench.text(), "[0,100)");
}

TEST(DataAfterFin, IsNotBlamedOnAPeerWithoutCertainty) {
  const auto none = [](auto script) {
    Bench bench;
    bench.handshake();
    script(bench);
    EXPECT_EQ(bench.count(FindingId::tcp_data_after_fin), 0u);
  };
  none([](Bench& b) {  // a retransmission
    b.feed(kA, b.data(kA, 0, 100, flag::fin));
    b.feed(kA, b.data(kA, 0, 100));
  });
  none([](Bench& b) {  // a wrong checksum
    b.feed(kA, b.data(kA, 0, 100, flag::fin));
    b.feed(kA, b.data(kA, 101, 20).field(Field::wrong));
  });
  none([](Bench& b) {  // a FIN whose checksum is unknown
    b.feed(kA, b.data(kA, 0, 100, flag::fin).cut(10));
    b.feed(kA, b.data(kA, 101, 20));
  });
  none([](Bench& b) {  // a frame that was cut
    b.feed(kA, b.data(kA, 0, 100, flag::fin));
    b.feed(kA, b.data(kA, 101, 20).cut(5));
  });
  none([](Bench& b) {  // a gap
    b.feed(kA, b.data(kA, 50, 50, flag::fin));
    b.acknowledge(kA, 101);
    b.feed(kA, b.data(kA, 101, 20));
  });
  none([](Bench& b) {  // a keep-alive
    b.feed(kA, b.data(kA, 0, 100, flag::fin));
    b.feed(kA, b.data(kA, 100, 1));
  });
  none([](Bench& b) {  // the 4-tuple may be used again
    b.feed(kA, b.data(kA, 0, 100, flag::fin));
    b.feed(kB, b.empty(kB, 0, flag::fin));
    b.feed(kA, b.data(kA, 101, 20));
  });
  none([](Bench& b) {  // somewhere else altogether
    b.feed(kA, b.data(kA, 0, 100, flag::fin));
    b.feed(kA, b.data(kA, 5'000'000, 20));
  });
}

TEST(Reset, InWindowEndsTheConnectionAndFlushesBothDirections) {
  Bench bench;
  bench.handshake();
  bench.feed(kA, bench.data(kA, 100, 50));
  bench.feed(kB, bench.data(kB, 10, 50));
  bench.acknowledge(kB, 10);
  bench.feed(kB, bench.empty(kB, 60, flag::rst));
  EXPECT_EQ(bench.connection->closed_by(), ClosedBy::rst);
  EXPECT_EQ(bench.connection->reset_by(), kB);
  EXPECT_EQ(bench.text(kA), "unexplained[0,100) [100,150)");
  EXPECT_EQ(bench.text(kB), "gap[0,10) [10,60)");
  ASSERT_EQ(bench.count(FindingId::tcp_connection_reset), 1u);
  EXPECT_EQ(bench.findings.find(FindingId::tcp_connection_reset)->direction, kB);
}

TEST(Reset, ItsPayloadIsNotPartOfTheStream) {
  Bench bench;
  bench.handshake();
  bench.feed(kA, bench.data(kA, 0, 20, flag::rst));
  EXPECT_EQ(bench.connection->closed_by(), ClosedBy::rst);
  EXPECT_EQ(bench.text(), "");
}

TEST(Reset, OutOfWindowIsIgnoredAndCounted) {
  Bench bench;
  bench.handshake();
  bench.feed(kA, bench.data(kA, 0, 100));
  bench.acknowledge(kA, 100);
  for (const std::uint64_t at : {std::uint64_t{5000}, std::uint64_t{50}, std::uint64_t{1} << 29}) {
    bench.feed(kA, bench.empty(kA, at, flag::rst));
  }
  EXPECT_EQ(bench.connection->closed_by(), ClosedBy::open);
  EXPECT_EQ(bench.statistics().ignored_segments, 3u);
  EXPECT_EQ(bench.count(FindingId::tcp_connection_reset), 0u);
}

TEST(Reset, AnswerToASynIsBelievedByItsAck) {
  for (const std::uint32_t ack : {1001u, 77u}) {
    Bench bench;
    bench.feed(kA, bench.syn(kA));
    bench.feed(kB, Packet(kB, 0, flag::rst, {}).ack(ack));
    EXPECT_EQ(bench.connection->closed_by(), ack == 1001 ? ClosedBy::rst : ClosedBy::open);
  }
}

TEST(Reset, OfAHalfThatWasNotSeenFitsWhatTheOtherAcknowledged) {
  for (const std::uint64_t at : {100u, 500'000u}) {
    Bench bench;
    bench.feed(kB, bench.data(kB, 0, 10).ack(bench.sequence(kA, 100)));
    bench.feed(kA, bench.empty(kA, at, flag::rst));
    EXPECT_EQ(bench.connection->closed_by(), at == 100 ? ClosedBy::rst : ClosedBy::open);
  }
}

TEST(Reset, AfterBothFinsChangesNothing) {
  Bench bench;
  bench.handshake();
  bench.feed(kA, bench.empty(kA, 0, flag::fin));
  bench.feed(kB, bench.empty(kB, 0, flag::fin));
  bench.feed(kA, bench.empty(kA, 1, flag::rst));
  EXPECT_EQ(bench.connection->closed_by(), ClosedBy::fin);
  EXPECT_EQ(bench.count(FindingId::tcp_connection_reset), 0u);
}

TEST(Reset, OctetsStillOnTheirWayAreHandedUp) {
  Bench bench;
  bench.handshake();
  bench.feed(kA, bench.empty(kA, 0, flag::rst));
  bench.feed(kB, bench.data(kB, 0, 10));
  EXPECT_EQ(bench.text(kB), "[0,10)");
  EXPECT_EQ(bench.connection->closed_by(), ClosedBy::rst);
}

class Reuse : public ::testing::Test {
 protected:
  [[nodiscard]] bool by(Direction d, std::uint32_t sequence, std::uint8_t flags = flag::syn,
                        Field field = Field::right) {
    Packet packet = Packet(d, sequence, flags, {}).field(field);
    packet.seal(FrameNumber{99}, TimePoint{bench.now});
    return bench.connection->is_reused_by(d, packet.tcp);
  }
  void close() {
    bench.feed(kA, bench.empty(kA, 0, flag::fin));
    bench.feed(kB, bench.empty(kB, 0, flag::fin));
  }
  Bench bench;
};

TEST_F(Reuse, SynWithAnotherNumberOnAClosedConnectionIsReuse) {
  bench.handshake();
  EXPECT_FALSE(by(kA, 1500));
  close();
  EXPECT_TRUE(by(kA, 1500));
  EXPECT_TRUE(by(kA, 123456789));
  EXPECT_TRUE(by(kB, 987654321));
  EXPECT_TRUE(by(kB, 987654321, flag::syn | flag::ack));
}

TEST_F(Reuse, SynOutOfWindowOnAnOpenConnectionIsReuse) {
  bench.handshake();
  EXPECT_TRUE(by(kA, 123456789));
  EXPECT_TRUE(by(kB, 5000 + (1u << 31), flag::syn | flag::ack));
}

TEST_F(Reuse, RetransmittedSynAndOthersAreNot) {
  bench.handshake();
  EXPECT_FALSE(by(kA, 1000));
  EXPECT_FALSE(by(kB, 5000, flag::syn | flag::ack));
  EXPECT_FALSE(by(kA, 123456789, flag::ack));
  EXPECT_FALSE(by(kA, 123456789, flag::syn | flag::rst));
  EXPECT_FALSE(by(kA, 123456789, flag::syn, Field::wrong));
  close();
  EXPECT_FALSE(by(kA, 1000));
}

TEST_F(Reuse, FirstSynOfTheOtherHalfBelongsToTheConnection) {
  bench.feed(kA, bench.syn(kA));
  EXPECT_FALSE(by(kB, 777, flag::syn | flag::ack));
}

TEST_F(Reuse, SynOfAnUnseenHalfBelongsIfTheOtherAcknowledgedIt) {
  bench.feed(kB, bench.data(kB, 0, 10).ack(bench.sequence(kA, 0)));
  EXPECT_FALSE(by(kA, 1000));
  EXPECT_TRUE(by(kA, 123456789));
}

TEST_F(Reuse, AfterAResetAnyOtherSynIs) {
  bench.feed(kA, bench.syn(kA));
  bench.feed(kB, Packet(kB, 0, flag::rst, {}).ack(1001));
  EXPECT_TRUE(by(kA, 1002));
  EXPECT_FALSE(by(kA, 1000));
}

TEST_F(Reuse, SynWithANewNumberThatIsFedAnywayIsIgnored) {
  bench.handshake();
  bench.feed(kA, Packet(kA, 123456789, flag::syn, pattern(0, 10)));
  EXPECT_EQ(bench.statistics().ignored_segments, 1u);
  EXPECT_EQ(bench.text(), "");
}

}  // namespace
}  // namespace iwarpscope::tcp::test
