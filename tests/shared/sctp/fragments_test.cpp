// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Joining of fragments: any order, and what it costs.
#include <chrono>
#include <numeric>

#include "kit.h"
#include "sctp/fragments.h"
#include "synth/random.h"

namespace iwarpscope::sctp::test {
namespace {

struct Room {
  tcp::Limits limits;
  BufferBudget budget{std::size_t{1} << 30};
  Room() { limits.max_buffered_octets = limits.max_buffered_chunks = std::size_t{1} << 30; }
};

Fragment part(Tsn tsn, Tsn first, Tsn last, std::uint16_t stream = 0) {
  static const std::array<std::byte, 4> kOctets{};
  Fragment f;
  f.tsn = tsn;
  f.stream = stream;
  f.begins = tsn == first;
  f.ends = tsn == last;
  f.octets = kOctets;
  f.length = 4;
  return f;
}

TEST(Fragments, InAnyOrderTheyAreOneMessage) {
  synth::Random random(7);
  for (int run = 0; run < 200; ++run) {
    Room room;
    Waiting waiting(room.limits, room.budget);
    Fragments all(waiting);
    std::vector<Tsn> order(1 + random.below(12));
    std::iota(order.begin(), order.end(), 100);
    const Tsn last = order.back();
    for (std::size_t n = order.size(); n > 1; --n) std::swap(order[n - 1], order[random.below(n)]);
    for (std::size_t n = 0; n < order.size(); ++n) {
      const auto joined = all.add(part(order[n], 100, last));
      ASSERT_EQ(joined.has_value(), n + 1 == order.size());
      if (joined) {
        EXPECT_EQ(joined->first_tsn, 100u);
        EXPECT_EQ(joined->last_tsn, last);
        EXPECT_EQ(joined->length, 4 * order.size());
      }
    }
    EXPECT_TRUE(all.empty());
    EXPECT_EQ(room.budget.held(), 0u);
  }
}

TEST(Fragments, OfTwoStreamsAreTwoMessages) {
  Room room;
  Waiting waiting(room.limits, room.budget);
  Fragments all(waiting);
  EXPECT_FALSE(all.add(part(1, 1, 3, 5)));
  EXPECT_FALSE(all.add(part(3, 1, 3, 5)));
  EXPECT_FALSE(all.add(part(2, 1, 3, 6)));
}

// Each of them was looked for along all others: 10^10 steps for these.
TEST(Fragments, VeryManyOfOneMessageCostLittleEach) {
  constexpr Tsn kCount = 200'000;
  Room room;
  Waiting waiting(room.limits, room.budget);
  Fragments all(waiting);
  const auto begin = std::chrono::steady_clock::now();
  for (Tsn tsn = kCount; tsn > 1; --tsn) ASSERT_FALSE(all.add(part(tsn, 1, kCount)));
  EXPECT_TRUE(all.add(part(1, 1, kCount)));
  for (Tsn tsn = 1; tsn < kCount; ++tsn) ASSERT_FALSE(all.add(part(tsn, 1, kCount)));
  EXPECT_TRUE(all.add(part(kCount, 1, kCount)));
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(20));
}

TEST(Fragments, PruningLooksAtWhatIsSettledOnly) {
  constexpr Tsn kCount = 100'000;
  Room room;
  Waiting waiting(room.limits, room.budget);
  Fragments all(waiting);
  for (Tsn n = 0; n < kCount; ++n) ASSERT_FALSE(all.add(part(10 + 2 * n, 10 + 2 * n, 0)));
  const auto begin = std::chrono::steady_clock::now();
  for (Tsn n = 0; n < kCount; ++n) all.prune(10 + n % 8);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(20));
  all.prune(10 + 2 * kCount);
  EXPECT_TRUE(all.empty() || room.budget.held() < 1000);
}

TEST(Fragments, WhatHoldsThemIsPaidFor) {
  Room room;
  room.limits.max_buffered_octets = 1 << 20;
  Waiting waiting(room.limits, room.budget);
  Fragments all(waiting);
  Tsn count = 0;
  do {
    ASSERT_FALSE(all.add(part(1000 + 2 * count++, 1, 2)));
  } while (!all.was_refused());
  // Two nodes of trees and a vector, each from an allocator.
  EXPECT_LT(count, (1u << 20) / 230);
}

}  // namespace
}  // namespace iwarpscope::sctp::test
