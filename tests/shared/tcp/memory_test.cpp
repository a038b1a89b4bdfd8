// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// What a connection costs.
#include "shared/tcp/kit.h"
#include "support/allocations.h"
#include "tcp/recent_segments.h"

namespace iwarpscope::tcp::test {
namespace {

using iwarpscope::test::allocations;

TEST(Memory, IdleConnectionStaysBelowSevenHundredOctets) {
  const Limits limits;
  BufferBudget budget(1u << 20);
  const std::size_t before = allocations().live;
  const Connection connection({}, limits, budget);
  EXPECT_LE(allocations().live - before + sizeof connection, 700u);
  EXPECT_GT(allocations().live - before, 0u);
}

/// Counts octets without storing them.
class Counter final : public StreamSink {
 public:
  void octets(const Chunk& chunk) override { count += chunk.octets.size(); }
  void missing(StreamOffset, std::uint64_t, Missing, FrameNumber, TimePoint) override {}
  std::uint64_t count = 0;
};

TEST(Memory, InOrderPacketsAllocateNothingAndRepeatedOnesNeither) {
  const Limits limits;
  BufferBudget budget(1u << 20);
  Connection connection({}, limits, budget);
  FindingLog log;
  Counter counter;
  std::vector<Packet> packets;
  for (std::uint32_t i = 0; i < 200; ++i) {
    Packet packet(kA, i * 100, 0, pattern(i * 100, 100));
    packet.seal(FrameNumber{i + 1}, TimePoint{i * 1000});
    packets.push_back(std::move(packet));
  }
  const auto feed = [&](std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < to; ++i) connection.feed(kA, packets[i].tcp, {&counter, &counter}, log);
  };
  feed(0, 100);  // the ring of recent TCP segments grows to its full size
  feed(50, 51);  // the first trace of a retransmission makes room for all of them
  const std::size_t before = allocations().calls;
  feed(100, 200);
  feed(150, 200);
  EXPECT_EQ(allocations().calls, before);
  EXPECT_EQ(counter.count, 20'000u);
}

TEST(Memory, ConnectionThatCarriedOctetsBothWaysStaysBelowHalfOfAnIdleQueuePair) {
  const std::size_t before = allocations().live;
  const Limits limits;
  BufferBudget budget(1u << 20);
  Connection connection({}, limits, budget);
  const std::size_t state = allocations().live - before;
  EXPECT_LE(state + 2 * RecentSegments::kMost * sizeof(RecentSegment), 2048u + 256u);
}

}  // namespace
}  // namespace iwarpscope::tcp::test
