// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Random loss, reordering and repeats against a slow model; TSN lines against sets; cuts everywhere.
#include <random>
#include <set>

#include "kit.h"
#include "sctp/tsn_line.h"

namespace iwarpscope::sctp::test {
namespace {

TEST(TsnLine, AgreesWithASetOnRandomOrders) {
  for (std::uint32_t seed = 0; seed < 50; ++seed) {
    std::mt19937 random(seed);
    TsnLine line;
    const std::uint32_t first = 0xFFFFFFC0u + seed;
    line.begin(first);
    std::set<std::uint32_t> seen, lost;
    std::uint64_t all_lost = 0;
    std::uint32_t acked = 0;  // how many from the first on
    std::uint32_t end = 0;    // after the highest that was seen
    // Acknowledged, not seen, and something after it was.
    const auto lose_below = [&](std::uint32_t to) {
      for (std::uint32_t each = 0; each < std::min(acked, to); ++each) {
        if (!seen.contains(each) && lost.insert(each).second) ++all_lost;
      }
    };
    for (int step = 0; step < 400; ++step) {
      const auto n = static_cast<std::uint32_t>(random() % 100);
      if (random() % 20 == 0) {
        acked = std::max(acked, n);
        line.acknowledge(first + acked - 1, {}, true, TimePoint{step});
        lose_below(end);
      } else {
        const Sight sight = line.see(first + n, TimePoint{step});
        // A lost one that comes all the same is late, and lost no more.
        EXPECT_EQ(sight == Sight::again, seen.contains(n)) << seed << " " << step;
        lost.erase(n);
        seen.insert(n);
        end = std::max(end, n + 1);
        lose_below(end);
      }
      std::uint32_t next = 0;
      while (seen.contains(next) || lost.contains(next)) ++next;
      EXPECT_EQ(static_cast<std::uint32_t>(line.next()), first + next) << seed << " " << step;
      EXPECT_EQ(line.lost(), all_lost);
      EXPECT_EQ(line.lost() - line.found(), lost.size());
      for (std::uint32_t each = 0; each < 100; ++each) {
        const Tsn tsn = line.unwrapped(first + each);
        EXPECT_EQ(line.lost_between(tsn - 1, tsn + 1).has_value(), lost.contains(each)) << each;
      }
    }
  }
}

TEST(TsnLine, ManyHolesAreBounded) {
  TsnLine line;
  line.begin(0);
  for (std::uint32_t n = 1; n < 3 * TsnLine::kMaxRuns * 2; n += 2) (void)line.see(n, TimePoint{0});
  EXPECT_GT(line.lost(), 0u);
  EXPECT_EQ(line.lost_between(line.unwrapped(0) - 1, line.unwrapped(1)), tcp::Missing::unexplained)
      << "too long ago to be remembered, and not discarded that it was";
}

// One lost run falls into ever more pieces as what was lost comes after all.
TEST(TsnLine, PiecesOfALossAreBounded) {
  TsnLine line;
  line.begin(1);
  (void)line.see(1, TimePoint{0});
  constexpr std::uint32_t kFar = 1'000'000;
  line.acknowledge(kFar, {}, true, TimePoint{0});
  (void)line.see(kFar + 1, TimePoint{0});
  for (std::uint32_t n = kFar - 1; n > kFar - 4 * TsnLine::kMaxLost; n -= 2) (void)line.see(n, TimePoint{0});
  EXPECT_EQ(line.see(2, TimePoint{0}), Sight::again) << "the oldest were discarded";
  EXPECT_EQ(line.see(kFar, TimePoint{0}), Sight::late) << "the newest were not";
}

TEST(TsnLine, FarAwayIsNotBelieved) {
  TsnLine line;
  line.begin(10);
  EXPECT_EQ(line.see(10, TimePoint{0}), Sight::next);
  EXPECT_EQ(line.see(0x60000000, TimePoint{0}), Sight::far_away);
  EXPECT_EQ(line.see(0xA0000000, TimePoint{0}), Sight::far_away);
  EXPECT_EQ(line.see(11, TimePoint{0}), Sight::next);
}

/// Each message comes once, in order, with its octets, or is reported as missing; neither end is accused.
TEST(Association, RandomLossReorderingAndRepeatsAccuseNoEnd) {
  for (std::uint32_t seed = 0; seed < 60; ++seed) {
    std::mt19937 random(seed);
    Bench b;
    b.limits.max_buffered_octets = 1 << 20;
    b.limits.max_buffered_chunks = 4096;
    b.open();
    constexpr std::uint16_t kStreams = 4;
    for (std::uint16_t s = 0; s < kStreams; ++s) b.establish(s);
    std::array<std::uint16_t, kStreams> next{};
    next.fill(1);
    std::deque<Packet> late;
    std::uint32_t captured = 0;
    for (int n = 0; n < 300; ++n) {
      const auto s = static_cast<std::uint16_t>(random() % kStreams);
      const Packet p = b.packet(kA, {b.segment(kA, s, next[s]++, random() % 60)});
      switch (random() % 10) {
        case 0: break;  // the capture lost it: it is acknowledged all the same
        case 1: late.push_back(p); break;
        case 2:
          b.feed(kA, p);
          late.push_back(p);
          break;
        default: b.feed(kA, p); ++captured;
      }
      if (!late.empty() && random() % 3 == 0) {
        late.front().sctp.time.ns = b.now;
        late.front().sctp.ip_id = static_cast<std::uint16_t>(n + 1);
        b.feed(kA, late.front());
        late.pop_front();
      }
      if (late.empty() && random() % 5 == 0) b.send(kB, {b.sack(kB)});
    }
    while (!late.empty()) {
      b.feed(kA, late.front());
      late.pop_front();
    }
    b.acknowledge();
    for (std::uint16_t s = 0; s < kStreams; ++s) b.send(kA, {b.control(kA, s, next[s]++, 4)});
    b.acknowledge();
    b.shut_down();
    for (const auto& f : b.sink.findings()) {
      const bool is_of_order = f.id == FindingId::sctp_retransmissions || f.id == FindingId::sctp_out_of_order;
      EXPECT_TRUE(is_of_order || findings::rule(f.id).about == findings::About::capture) << seed << ": " << f.text;
    }
    for (std::uint16_t s = 0; s < kStreams; ++s) {
      const Keeping& session = b.session(s);
      EXPECT_EQ(session.lines.back(), "whole ended terminated by A") << seed;
      std::uint64_t reported = session.statistics[0].gap_messages;
      std::size_t payload = 0;
      for (const Message& m : session.messages) {
        if (m.ssn == 0 || m.length < 18) continue;
        ++reported;
        const Buffer& octets = session.payloads.at(payload++);
        for (std::size_t i = 18; i < octets.size(); ++i) EXPECT_EQ(octets[i], static_cast<std::byte>(m.ssn));
      }
      EXPECT_EQ(reported, next[s] - 2u) << seed << " stream " << s;
    }
    EXPECT_GT(captured, 0u);
  }
}

TEST(Association, EveryPacketCutAnywhereAccusesNoEnd) {
  const std::size_t most = 140;
  for (std::size_t cut = 1; cut < most; cut += 3) {
    for (std::size_t which = 0; which < 8; ++which) {
      Bench b;
      std::size_t n = 0;
      const auto send = [&](Direction d, const std::vector<Buffer>& chunks) {
        std::size_t size = 0;
        for (const Buffer& each : chunks) size += each.size();
        b.send(d, chunks, n++ == which ? std::min(cut, size) : 0);
      };
      send(kA, {b.init(kA)});
      send(kB, {b.init(kB)});
      send(kA, {b.control(kA, 0, 0, 1, Buffer(20))});
      send(kB, {b.sack(kB), b.control(kB, 0, 0, 2, Buffer(20))});
      send(kA, {b.sack(kA), b.segment(kA, 0, 1, 40), b.segment(kA, 0, 2, 40)});
      send(kB, {b.sack(kB), b.segment(kB, 0, 1, 40)});
      send(kA, {b.sack(kA), b.control(kA, 0, 3, 4)});
      send(kB, {b.sack(kB), b.control(kB, 0, 2, 4)});
      b.shut_down();
      for (const auto& f : b.sink.findings()) {
        EXPECT_EQ(findings::rule(f.id).about, findings::About::capture) << which << " " << cut << ": " << f.text;
      }
    }
  }
}

}  // namespace
}  // namespace iwarpscope::sctp::test
