// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "centre/arrivals.h"
#include "centre/rows.h"

namespace iwarpscope::centre {
namespace {

TEST(Watermark, IsTheLastNumberWhenNothingRuns) {
  Watermark mark;
  EXPECT_EQ(mark.look(7, {}), 7u);
  EXPECT_FALSE(mark.is_behind());
}

TEST(Watermark, WaitsForTransactionsThatRanWhenTheNumberWasRead) {
  Watermark mark;
  EXPECT_EQ(mark.look(5, {"3/1"}), 0u);
  EXPECT_TRUE(mark.is_behind());
  EXPECT_EQ(mark.look(9, {"3/1", "4/1"}), 0u);
  EXPECT_EQ(mark.look(12, {"4/1"}), 5u);  // what 4/1 drew is above 5
  EXPECT_EQ(mark.look(12, {}), 12u);
}

TEST(Watermark, GoesBackWithAServerThatLostRecords) {
  Watermark mark(20);
  EXPECT_EQ(mark.look(15, {}), 15u);
  EXPECT_EQ(mark.look(30, {"9/9"}), 15u);
  EXPECT_EQ(mark.look(10, {}), 10u);
}

/// Transactions that draw numbers while they hold a lock and end in any order: below the mark everything is there.
TEST(Watermark, NeverPassesANumberThatIsNotThereYet) {
  std::mt19937 random(17);
  for (int scene = 0; scene < 200; ++scene) {
    Watermark mark;
    std::uint64_t last = 0;
    std::map<std::string, std::vector<std::uint64_t>> running;
    std::set<std::uint64_t> hidden;  // drawn, by a transaction that has not ended
    for (int step = 0; step < 300; ++step) {
      const unsigned what = random() % 10;
      if (what < 3) {
        running[std::to_string(random() % 8) + "/" + std::to_string(step)];
      } else if (what < 7 && !running.empty()) {
        auto one = std::next(running.begin(), static_cast<std::ptrdiff_t>(random() % running.size()));
        one->second.push_back(++last);
        hidden.insert(last);
      } else if (what < 8 && !running.empty()) {
        const auto one = std::next(running.begin(), static_cast<std::ptrdiff_t>(random() % running.size()));
        for (const std::uint64_t number : one->second) hidden.erase(number);
        running.erase(one);
      } else {
        // The number is read first, then who holds the lock; transactions may begin in between.
        const std::uint64_t read = last;
        if (random() % 2 == 0) running["9/" + std::to_string(step)] = {++last}, hidden.insert(last);
        std::vector<std::string> names;
        for (const auto& [name, drawn] : running) names.push_back(name);
        const std::uint64_t value = mark.look(read, names);
        ASSERT_TRUE(hidden.empty() || *hidden.begin() > value);
      }
    }
    EXPECT_EQ(mark.look(last, {}), last) << "what ended is seen at last";
  }
}

TEST(Numbers, OfQueuePairsAreThoseOfTheSensorBehindTheRun) {
  EXPECT_EQ(number_of(12, 345), 120'000'000'345u);
  EXPECT_EQ(place_of(120'000'000'345u).run, 12);
  EXPECT_EQ(place_of(120'000'000'345u).qp, 345);
  EXPECT_EQ(place_of(UINT64_MAX).run, 2'147'483'647);  // behind all
}

}  // namespace
}  // namespace iwarpscope::centre
