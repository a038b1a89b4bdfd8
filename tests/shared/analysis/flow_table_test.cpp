// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "analysis/flow_table.h"

#include <gtest/gtest.h>

#include <map>

#include "analysis/shard.h"
#include "synth/random.h"

namespace iwarpscope::analysis {
namespace {

net::FlowKey key(std::uint32_t n) {
  return {{net::IpAddress::v4(0x0A000001), static_cast<std::uint16_t>(n)},
          {net::IpAddress::v4(0x0A000002 + (n >> 16)), 5000},
          0};
}

std::uint32_t add(FlowTable& table, std::uint32_t n) {
  bool fresh = false;
  const std::uint32_t index = table.find_or_add(key(n), fresh);
  EXPECT_TRUE(fresh || index == FlowTable::kNone);
  if (fresh) table.at(index).begun = true;
  return index;
}

bool has(FlowTable& table, std::uint32_t n) {
  bool found = false;
  for (std::uint32_t i = 0; i < table.extent(); ++i) found = found || (table.at(i).used && table.at(i).key == key(n));
  return found;
}

TEST(FlowTable, GivesTheSameFlowForTheSameKey) {
  FlowTable table(100);
  const std::uint32_t first = add(table, 1);
  const std::uint32_t second = add(table, 2);
  EXPECT_NE(first, second);
  bool fresh = true;
  EXPECT_EQ(table.find_or_add(key(1), fresh), first);
  EXPECT_FALSE(fresh);
  EXPECT_EQ(table.size(), 2u);
}

TEST(FlowTable, DistinguishesTenantsWithTheSameAddresses) {
  FlowTable table(100);
  net::FlowKey other = key(1);
  other.overlay = 43;
  bool fresh = false;
  const std::uint32_t first = add(table, 1);
  EXPECT_NE(table.find_or_add(other, fresh), first);
  EXPECT_TRUE(fresh);
}

TEST(FlowTable, AtItsLimitForgetsOneThatWasNotSeenLately) {
  FlowTable table(4);
  for (std::uint32_t n = 0; n < 4; ++n) table.at(add(table, n)).recent = n != 2;
  add(table, 10);
  EXPECT_EQ(table.size(), 4u);
  EXPECT_EQ(table.evicted(), 1u);
  EXPECT_FALSE(has(table, 2));
  for (const std::uint32_t n : {0U, 1U, 3U, 10U}) EXPECT_TRUE(has(table, n)) << n;
}

TEST(FlowTable, GivesThoseSeenLatelyOneMoreChance) {
  FlowTable table(4);
  for (std::uint32_t n = 0; n < 4; ++n) table.at(add(table, n)).recent = true;
  add(table, 10);  // the hand goes round once, then takes the first it meets
  EXPECT_EQ(table.evicted(), 1u);
  EXPECT_EQ(table.size(), 4u);
  EXPECT_TRUE(has(table, 10));
}

TEST(FlowTable, AConnectionThatIsOverMakesRoomUncounted) {
  FlowTable table(4);
  for (std::uint32_t n = 0; n < 100; ++n) {
    Flow& flow = table.at(add(table, n));
    flow.ended = n % 2 == 1;
    flow.begun = n == 50 || flow.ended;
  }
  EXPECT_EQ(table.size(), 4u);
  EXPECT_EQ(table.evicted(), 1u);
}

TEST(FlowTable, FlowsAgeUnlessTheyAreSeenOrQueuePairs) {
  constexpr std::uint32_t kParts = 10, kKinds = 5, kEnded = 0, kSilent = 1, kSeen = 2, kPair = 3, kNotBegun = 4;
  FlowTable table(1000);
  for (std::uint32_t n = 0; n < 125; ++n) {
    Flow& flow = table.at(add(table, n));
    flow.ended = n % kKinds == kEnded;
    flow.begun = n % kKinds != kNotBegun;
    if (n % kKinds == kPair) flow.qp = n;
    flow.recent = true;
  }
  const auto round = [&] {
    for (std::uint32_t n = kSeen; n < 125; n += kKinds) table.at(n).recent = true;
    for (std::uint32_t part = 0; part < kParts; ++part)
      table.age(kParts, [&](std::uint32_t index) { table.remove(index); });
  };
  round();
  EXPECT_EQ(table.size(), 125u) << "all were seen since the last look";
  round();
  EXPECT_EQ(table.size(), 75u);
  EXPECT_FALSE(has(table, kEnded) || has(table, kNotBegun));
  for (int n = 0; n < 13; ++n) round();
  EXPECT_EQ(table.size(), 75u);
  round();
  EXPECT_EQ(table.size(), 50u);
  EXPECT_FALSE(has(table, kSilent));
  EXPECT_TRUE(has(table, kSeen) && has(table, kPair));
  EXPECT_EQ(table.evicted(), 0u);
}

TEST(FlowTable, NeverForgetsAQueuePair) {
  FlowTable table(4);
  for (std::uint32_t n = 0; n < 3; ++n) table.at(add(table, n)).qp = n;
  for (std::uint32_t n = 10; n < 200; ++n) EXPECT_NE(add(table, n), FlowTable::kNone);
  for (std::uint32_t n = 0; n < 3; ++n) EXPECT_TRUE(has(table, n));
  EXPECT_EQ(table.evicted(), 189u);
}

TEST(FlowTable, FullOfQueuePairsTakesNoMore) {
  FlowTable table(4);
  for (std::uint32_t n = 0; n < 4; ++n) table.at(add(table, n)).qp = n;
  EXPECT_EQ(add(table, 10), FlowTable::kNone);
  EXPECT_EQ(table.size(), 4u);
  EXPECT_EQ(table.evicted(), 0u);
  table.remove(1);
  EXPECT_NE(add(table, 11), FlowTable::kNone);
}

TEST(FlowTable, AFlowMadeInAUsedSlotIsNew) {
  FlowTable table(4);
  const std::uint32_t index = add(table, 1);
  table.at(index).payloads = 7;
  table.at(index).origins[0].seen = true;
  table.remove(index);
  EXPECT_EQ(table.size(), 0u);
  const std::uint32_t again = add(table, 2);
  EXPECT_EQ(again, index);
  EXPECT_EQ(table.at(again).payloads, 0);
  EXPECT_FALSE(table.at(again).origins[0].seen);
  EXPECT_EQ(table.extent(), 1u);
}

TEST(FlowTable, AgreesWithAMapUnderRandomUse) {
  FlowTable table(5000);
  std::map<std::uint32_t, std::uint32_t> model;
  synth::Random random(3);
  for (unsigned step = 0; step < 50'000; ++step) {
    const auto n = static_cast<std::uint32_t>(random.below(4000));
    const auto it = model.find(n);
    bool fresh = false;
    if (random.chance(300) && it != model.end()) {
      table.remove(it->second);
      model.erase(it);
      continue;
    }
    const std::uint32_t index = table.find_or_add(key(n), fresh);
    ASSERT_EQ(fresh, it == model.end());
    if (!fresh) {
      ASSERT_EQ(index, it->second);
    }
    ASSERT_EQ(table.at(index).key, key(n));
    model[n] = index;
    ASSERT_EQ(table.size(), model.size());
  }
  EXPECT_EQ(table.evicted(), 0u);
}

TEST(FlowTable, AFlowCostsLessThan256Octets) {
  static_assert(sizeof(Flow) <= 160);
}

net::TcpPacket packet(std::uint8_t flags, std::uint32_t sequence, std::uint32_t acknowledgment = 0) {
  net::TcpPacket p;
  p.source = key(1).low;
  p.destination = key(1).high;
  p.flags = flags;
  p.sequence = sequence;
  p.acknowledgment = acknowledgment;
  return p;
}

TEST(Flow, SynAfterAnAckOfItsSenderIsItsOwn) {
  using namespace net::tcp_flag;
  Flow flow;
  flow.key = key(1);
  flow.note(packet(ack, 1021), true);
  EXPECT_FALSE(flow.has_other_syn(packet(syn, 1020), true));
  EXPECT_FALSE(flow.has_other_syn(packet(syn, 1000), true));
  EXPECT_TRUE(flow.has_other_syn(packet(syn, 1021), true));
  EXPECT_TRUE(flow.has_other_syn(packet(syn, 1020 - 70'000), true));
  flow.note(packet(syn, 1000), true);
  EXPECT_FALSE(flow.has_other_syn(packet(syn, 1000), true));
  EXPECT_TRUE(flow.has_other_syn(packet(syn, 990), true));
}

TEST(Flow, AckOfAnOlderConnectionDoesNotShowWhereTheOtherDirectionBegins) {
  using namespace net::tcp_flag;
  Flow flow;
  flow.key = key(1);
  flow.note(packet(syn, 0x1000000), true);
  flow.note(packet(ack, 5000, 77), true);
  EXPECT_FALSE(flow.origins[1].acknowledged);
  flow.note(packet(ack, 0x1000001, 88), true);
  EXPECT_TRUE(flow.origins[1].acknowledged);
  EXPECT_EQ(flow.origins[1].next_sequence, 88u);
}

TEST(ShardOf, SpreadsConnectionsEvenlyAndGivesBothDirectionsOneShard) {
  std::array<unsigned, kShards> counts{};
  for (std::uint32_t n = 0; n < 16'000; ++n) ++counts[shard_of(key(n * 3))];
  for (const unsigned count : counts) {
    EXPECT_GT(count, 700u);
    EXPECT_LT(count, 1300u);
  }
  net::TcpPacket there, back;
  there.source = back.destination = {net::IpAddress::v4(0x0A000001), 40000};
  there.destination = back.source = {net::IpAddress::v4(0x0A000002), 5000};
  EXPECT_EQ(shard_of(there.flow()), shard_of(back.flow()));
}

}  // namespace
}  // namespace iwarpscope::analysis
