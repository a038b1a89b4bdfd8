// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "emulation/lru_table.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <list>
#include <random>

namespace iwarpscope::emulation {
namespace {

TEST(LruTable, AnotherKeyTakesThePlaceOfTheOneNotUsedLongest) {
  LruTable<int, int> table(2);
  *table.take(1).first = 10;
  *table.take(2).first = 20;
  ASSERT_NE(table.find(1), nullptr);
  EXPECT_TRUE(table.take(3).second);
  EXPECT_EQ(table.find(2), nullptr);
  EXPECT_EQ(*table.find(1), 10);
  EXPECT_EQ(table.size(), 2U);
  EXPECT_EQ(table.evicted(), 1U);
}

TEST(LruTable, PeekingIsNoUse) {
  LruTable<int, int> table(2);
  table.take(1);
  table.take(2);
  ASSERT_NE(table.peek(1), nullptr);
  EXPECT_EQ(table.peek(7), nullptr);
  table.take(3);
  EXPECT_EQ(table.peek(1), nullptr);
}

TEST(LruTable, NewValueInAUsedPlaceIsFresh) {
  LruTable<int, int> table(1);
  *table.take(1).first = 10;
  EXPECT_EQ(*table.take(2).first, 0);
  EXPECT_FALSE(table.take(2).second);
}

TEST(LruTable, RandomUseKeepsWhatAListKeeps) {
  std::mt19937 random(11);
  LruTable<std::uint64_t, std::uint64_t> table(8);
  std::list<std::uint64_t> model;  // newest first
  for (int step = 0; step < 20'000; ++step) {
    const std::uint64_t key = random() % 20;
    const auto it = std::find(model.begin(), model.end(), key);
    const bool known = it != model.end();
    if (random() % 2 == 0) {
      ASSERT_EQ(table.find(key) != nullptr, known);
      if (known) model.splice(model.begin(), model, it);
      continue;
    }
    const auto [value, is_new] = table.take(key);
    ASSERT_EQ(is_new, !known);
    if (known) {
      ASSERT_EQ(*value, key * 3);
      model.splice(model.begin(), model, it);
    } else {
      *value = key * 3;
      model.push_front(key);
      if (model.size() > 8) model.pop_back();
    }
    ASSERT_EQ(table.size(), model.size());
  }
  EXPECT_GT(table.evicted(), 0U);
}

}  // namespace
}  // namespace iwarpscope::emulation
