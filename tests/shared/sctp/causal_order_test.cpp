// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Packets that the capture shows in another order than the wire: what acknowledges a TSN waits for it, within limits.
#include <algorithm>
#include <random>
#include <string>

#include "kit.h"
#include "sctp/causal_order.h"

namespace iwarpscope::sctp::test {
namespace {

class WaitingForOthers : public ::testing::Test {
 protected:
  WaitingForOthers() {
    b.open();
    b.establish();
  }
  Bench b{true, kOrderPatienceNs};
};

TEST_F(WaitingForOthers, ASackThatIsShownBeforeItsDataWaitsForIt) {
  const Packet segment = b.packet(kA, {b.segment(kA, 0, 1)});
  b.send(kB, {b.sack(kB), b.segment(kB, 0, 1)});
  EXPECT_EQ(b.text(), kOpened);
  b.feed(kA, segment);
  EXPECT_EQ(b.text(), kOpened + "A segment @1\nB segment @1\n");
  EXPECT_TRUE(b.session().messages.back().has_acknowledged);
  EXPECT_EQ(b.session().messages.back().acknowledged, 2u);
  b.finish();
  EXPECT_EQ(b.codes(), "");
}

// Its sender had not received what the newer SACK acknowledges, although the capture shows that one first.
TEST_F(WaitingForOthers, ASackThatWasOvertakenSaysNothingOfWhatItsSenderHad) {
  const Packet first = b.packet(kA, {b.sack(kA), b.segment(kA, 0, 1)});
  b.send(kB, {b.segment(kB, 0, 1)});
  b.send(kA, {b.sack(kA)});
  b.feed(kA, first);
  ASSERT_EQ(b.session().lines.back(), "A segment @1");
  EXPECT_FALSE(b.session().messages.back().has_acknowledged);
}

TEST_F(WaitingForOthers, WhatDoesNotComeWasLostByTheCapture) {
  (void)b.segment(kA, 0, 1);
  b.send(kB, {b.sack(kB), b.segment(kB, 0, 1)});
  b.send(kA, {b.sack(kA), b.segment(kA, 0, 2)});
  EXPECT_EQ(b.text(), kOpened);
  b.pass(997);
  b.send(kB, {b.sack(kB)});
  EXPECT_EQ(b.text(), kOpened);
  b.send(kB, {b.sack(kB)});
  EXPECT_EQ(b.text(), kOpened + "B segment @1\nA missing @1 x1 gap\nA segment @2\n");
  EXPECT_EQ(b.codes(), "CA-01");
}

TEST_F(WaitingForOthers, TimeGoesOnWithoutPackets) {
  (void)b.segment(kA, 0, 1);
  b.send(kB, {b.sack(kB), b.segment(kB, 0, 1)});
  ASSERT_TRUE(b.association->is_waiting());
  b.association->pass_time(TimePoint{b.now + kOrderPatienceNs - 1});
  EXPECT_EQ(b.text(), kOpened);
  b.association->pass_time(TimePoint{b.now + kOrderPatienceNs});
  EXPECT_EQ(b.text(), kOpened + "B segment @1\n");
  EXPECT_FALSE(b.association->is_waiting());
}

TEST_F(WaitingForOthers, WhereManyPacketsComeNotSoLong) {
  (void)b.segment(kA, 0, 1);
  b.send(kB, {b.sack(kB), b.segment(kB, 0, 1)});
  b.pass(100);
  std::uint16_t ssn = 2;
  for (std::uint64_t n = 2; n < CausalOrder::kEnough; ++n) b.send(kB, {b.segment(kB, 0, ssn++)});
  EXPECT_EQ(b.text(), kOpened);
  b.send(kB, {b.segment(kB, 0, ssn++)});
  b.send(kB, {b.segment(kB, 0, ssn++)});
  EXPECT_NE(b.text(), kOpened);
}

// A packet that is out of its place may have a time that is.
TEST_F(WaitingForOthers, ATimeBeforeIsNoTimeThatPassed) {
  const Packet segment = b.packet(kA, {b.segment(kA, 0, 1)});
  b.pass(500);
  b.send(kB, {b.sack(kB), b.segment(kB, 0, 1)});
  b.feed(kA, segment);
  b.finish();
  EXPECT_EQ(b.text(), kOpened + "A segment @1\nB segment @1\nwhole ended capture end\n");
  EXPECT_EQ(b.codes(), "");
}

TEST_F(WaitingForOthers, AClockThatGoesBackKeepsNothing) {
  (void)b.segment(kA, 0, 1);
  b.send(kB, {b.sack(kB), b.segment(kB, 0, 1)});
  b.association->pass_time(TimePoint{b.now - kOrderPatienceNs});
  EXPECT_EQ(b.text(), kOpened + "B segment @1\n");
}

// A loss on the path is never acknowledged: what comes after it need not wait.
TEST_F(WaitingForOthers, NotForWhatThePathLost) {
  const Packet lost = b.packet(kA, {b.segment(kA, 0, 1)});
  b.send(kA, {b.segment(kA, 0, 2)});
  wire::Sack sack;
  sack.cumulative_tsn = b.tsn[0] - 3;
  sack.gaps = {{2, 2}};
  b.send(kB, {wire::write(sack), b.segment(kB, 0, 1)});
  EXPECT_EQ(b.text(), kOpened + "B segment @1\n");
  b.feed(kA, lost);
  EXPECT_EQ(b.text(), kOpened + "B segment @1\nA segment @1\nA segment @2\n");
  EXPECT_EQ(b.codes(), "");
}

TEST_F(WaitingForOthers, AGapAckBlockWaitsForWhatItAcknowledges) {
  const Packet lost = b.packet(kA, {b.segment(kA, 0, 1)});
  const Packet late = b.packet(kA, {b.segment(kA, 0, 2)});
  wire::Sack sack;
  sack.cumulative_tsn = b.tsn[0] - 3;
  sack.gaps = {{2, 2}};
  b.send(kB, {wire::write(sack), b.segment(kB, 0, 1)});
  EXPECT_EQ(b.text(), kOpened);
  b.feed(kA, late);
  EXPECT_EQ(b.text(), kOpened + "B segment @1\n");
  b.feed(kA, lost);
  EXPECT_EQ(b.text(), kOpened + "B segment @1\nA segment @1\nA segment @2\n");
}

TEST_F(WaitingForOthers, TheEndWaitsForAllThatWasSent) {
  const Packet last = b.packet(kA, {b.sack(kA), b.control(kA, 0, 1, 4)});
  const Packet answer = b.packet(kB, {b.sack(kB), b.control(kB, 0, 1, 4)});
  const Packet shutdown = b.packet(kA, {wire::write(wire::Shutdown{b.tsn[1] - 1})});
  b.send(kB, {Ends::chunk(wire::ChunkType::shutdown_ack)});
  b.feed(kA, shutdown);
  b.feed(kB, answer);
  EXPECT_EQ(b.association->end(), AssociationEnd::open);
  b.feed(kA, last);
  EXPECT_EQ(b.association->end(), AssociationEnd::shutdown);
  EXPECT_EQ(b.session().lines.back(), "whole ended terminated by B");
  EXPECT_EQ(b.codes(), "");
}

// A packet without SACK or DATA does not show its place: what waits after it may still belong before others.
TEST_F(WaitingForOthers, TheEndIsLastAlsoAmongPacketsThatDoNotShowTheirPlace) {
  const Packet last = b.packet(kA, {b.sack(kA), b.control(kA, 0, 1, 4)});
  b.send(kB, {Ends::chunk(wire::ChunkType::shutdown_ack)});
  b.send(kB, {Ends::chunk(wire::ChunkType::cookie_ack)});
  b.send(kB, {b.sack(kB), b.control(kB, 0, 1, 4)});
  b.send(kA, {wire::write(wire::Shutdown{b.tsn[1] - 1})});
  b.feed(kA, last);
  EXPECT_EQ(b.association->end(), AssociationEnd::shutdown);
  EXPECT_EQ(b.session().lines.back(), "whole ended terminated by B");
  EXPECT_EQ(b.codes(), "");
}

// As in a replay: DATA of the next association is not put before the end of the one that waits for what the capture
// lost.
TEST_F(WaitingForOthers, AnotherAssociationWithTheSameTagsAndTsnsStaysAfterTheEnd) {
  (void)b.segment(kA, 0, 1);
  b.send(kB, {b.sack(kB)});
  b.shut_down();
  ASSERT_TRUE(b.association->is_waiting());
  b.tsn = Ends{}.tsn;
  b.open();
  b.establish();
  for (std::uint16_t ssn = 1; ssn < 6; ++ssn) b.send(kA, {b.segment(kA, 0, ssn)});
  b.pass(1000);
  b.send(kB, {b.sack(kB)});
  EXPECT_EQ(b.association->end(), AssociationEnd::shutdown);
  EXPECT_EQ(b.text(), kOpened + "A missing @1 x1 gap\nwhole ended shutdown by A\n");
}

TEST_F(WaitingForOthers, SoManyPacketsAndNoMore) {
  (void)b.segment(kA, 0, 1);
  b.now = 0;
  std::size_t sent = 0;
  while (b.text() == kOpened && sent < 2 * CausalOrder::kMaxPackets) {
    b.now -= kMs;  // no time passes
    b.send(kB, {b.sack(kB), b.segment(kB, 0, static_cast<std::uint16_t>(1 + sent++))});
  }
  EXPECT_LE(sent, CausalOrder::kMaxPackets + 1);
  EXPECT_NE(b.association->statistics().waits_cut_short, 0u);
  EXPECT_LE(b.budget.held(), CausalOrder::kMaxOctets);
  b.finish();
  EXPECT_EQ(b.session().messages.back().ssn, sent);
}

TEST_F(WaitingForOthers, ChunksAreShownInTheFrameThatCarriedThem) {
  const Packet segment = b.packet(kA, {b.segment(kA, 0, 1)});
  const std::size_t before = b.sink.chunks.size();
  b.send(kB, {b.sack(kB), b.segment(kB, 0, 1)});
  EXPECT_EQ(b.sink.chunks.size(), before + 1) << "although it waits";
  b.feed(kA, segment);
  b.send(kB, {b.sack(kB)});
  EXPECT_EQ(b.sink.chunks.size(), before + 2);
}

/// A correct association with sessions in turn, each packet with a SACK, as random says.
std::vector<std::pair<Direction, Packet>> random_exchange(Ends& ends, std::mt19937& random) {
  std::vector<std::pair<Direction, Packet>> all;
  const auto send = [&](Direction d, std::vector<Buffer> chunks) {
    ends.now += static_cast<std::int64_t>(random() % 3) * kMs;
    if (random() % 4 != 0) {
      chunks.insert(chunks.begin(), ends.sack(d));
    } else {
      all.emplace_back(d, ends.packet(d, {ends.sack(d)}));
    }
    all.emplace_back(d, ends.packet(d, chunks));
  };
  for (int session = 0; session < 4; ++session) {
    const Direction active = random() % 2 == 0 ? kA : kB;
    std::array<std::uint16_t, 2> ssn{};
    send(active, {ends.control(active, 0, ssn[index(active)]++, 1)});
    send(opposite(active), {ends.control(opposite(active), 0, ssn[index(opposite(active))]++, 2)});
    for (auto n = random() % 12; n > 0; --n) {
      const Direction d = random() % 2 == 0 ? kA : kB;
      send(d, {ends.segment(d, 0, ssn[index(d)]++, random() % 100)});
    }
    send(active, {ends.control(active, 0, ssn[index(active)]++, 4)});
    send(opposite(active), {ends.control(opposite(active), 0, ssn[index(opposite(active))]++, 4)});
    all.emplace_back(active, ends.packet(active, {ends.sack(active)}));
  }
  return all;
}

std::array<std::string, 2> lines_of(const Bench& b) {
  std::array<std::string, 2> text;
  for (const auto& session : b.sink.sessions) {
    for (const std::string& line : session->lines) text[line[0] == 'B' ? 1 : 0] += line + "\n";
  }
  return text;
}

// One direction comes up to 10 ms later than the other: the same messages, and neither end is accused.
TEST(CausalOrder, ADirectionThatComesLaterChangesNothing) {
  for (std::uint32_t seed = 0; seed < 300; ++seed) {
    std::mt19937 random(seed);
    Bench plain(true, kOrderPatienceNs), moved(true, kOrderPatienceNs);
    plain.open();
    moved.open();
    auto packets = random_exchange(plain, random);
    for (const auto& [d, packet] : packets) plain.feed(d, packet);
    plain.finish();
    const Direction late = random() % 2 == 0 ? kA : kB;
    const std::int64_t by = 1 + static_cast<std::int64_t>(random() % (10 * kMs));
    for (auto& [d, packet] : packets) {
      if (d == late) packet.sctp.time.ns += by;
    }
    std::stable_sort(packets.begin(), packets.end(),
                     [](const auto& x, const auto& y) { return x.second.sctp.time < y.second.sctp.time; });
    std::uint64_t frame = moved.frame;
    for (auto& [d, packet] : packets) {
      packet.sctp.frame = FrameNumber{++frame};
      moved.feed(d, packet);
    }
    moved.now = plain.now + by;
    moved.finish();
    EXPECT_EQ(plain.codes(), "") << seed;
    EXPECT_EQ(moved.codes(), "") << seed;
    EXPECT_EQ(lines_of(moved), lines_of(plain)) << seed;
  }
}

}  // namespace
}  // namespace iwarpscope::sctp::test
