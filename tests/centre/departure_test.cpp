// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Judges simulated months: unchanged traffic raises almost nothing, and changes are found within hours.
#include "centre/departure.h"

#include <gtest/gtest.h>

#include "centre/departure_text.h"
#include "simulated_site.h"

namespace iwarpscope::centre {
namespace {

constexpr std::int64_t kWeek = 168;

HourOf an_hour(std::uint64_t messages, std::uint64_t failures = 0) {
  return {messages, messages * 4096, failures, messages, 1e-3, 4e-3, 1.2e-3};
}

TEST(Quantile, LiesWithinItsBucket) {
  LatencyCounts counts{};
  EXPECT_EQ(quantile(counts, 0.5), 0);
  counts[10] = 100;  // 2^19 to 2^20 ns
  EXPECT_NEAR(quantile(counts, 0.5), 1e-9 * std::exp2(19.5), 1e-12);
  EXPECT_NEAR(quantile(counts, 1), 1e-9 * std::exp2(20), 1e-12);
  counts[12] = 100;
  EXPECT_NEAR(quantile(counts, 0.75), 1e-9 * std::exp2(21.5), 1e-12);
}

TEST(Look, NeedsFourWeeks) {
  const std::vector<HourOf> three(3, an_hour(1000)), four(4, an_hour(1000));
  for (const auto& trial : look(an_hour(0), three)) EXPECT_FALSE(trial.has_value());
  const Looked looked = look(an_hour(0), four);
  ASSERT_TRUE(looked[0].has_value());
  EXPECT_TRUE(looked[0]->departs);
  EXPECT_EQ(looked[0]->median, 1000);
  EXPECT_FALSE(look(an_hour(900), four)[0]->departs);
}

TEST(Look, FailuresOfAFewMessagesAreChance) {
  const auto trial = static_cast<std::size_t>(Trial::failures);
  const std::vector<HourOf> weeks(8, an_hour(1000, 1));
  EXPECT_FALSE(look(an_hour(1000, 6), weeks)[trial]->departs);
  EXPECT_TRUE(look(an_hour(1000, 20), weeks)[trial]->departs);
  EXPECT_FALSE(look(an_hour(10, 10), weeks)[trial].has_value());
}

TEST(Look, AQuantileThatOnlyCrossesABucketDoesNotDepart) {
  const auto trial = static_cast<std::size_t>(Trial::p50);
  const std::vector<HourOf> weeks(8, an_hour(1000));
  HourOf now = an_hour(1000);
  now.p50 = 2.2e-3;
  EXPECT_FALSE(look(now, weeks)[trial]->departs);  // the mean did not grow
  now.mean = 3e-3;
  EXPECT_TRUE(look(now, weeks)[trial]->departs);
}

TEST(HoursNeeded, AreTwiceAnyRunThatWasSeenAndMoreForMoreTests) {
  Learnt learnt;
  EXPECT_GT(hours_needed(learnt, Trial::gone, 100), 1000U);  // nothing is known
  learnt.compared = {600, 80, 0};
  EXPECT_EQ(hours_needed(learnt, Trial::gone, 3000), 3U);
  EXPECT_EQ(hours_needed(learnt, Trial::gone, 100'000), 8U);
  EXPECT_EQ(hours_needed(learnt, Trial::gone, 100), 3U);
  learnt.departed = {12, 0, 0};
  EXPECT_LT(hours_needed(learnt, Trial::gone, 100), hours_needed(learnt, Trial::gone, 3000));
  learnt.longest = {0, 10, 0};
  EXPECT_EQ(hours_needed(learnt, Trial::gone, 100), 21U);
  EXPECT_EQ(hours_needed(learnt, Trial::more, 100), 24U);
}

TEST(Judge, UnchangedTrafficRaisesLessThanOneFindingAWeek) {
  constexpr std::size_t kPairs = 300;
  constexpr std::int64_t kWeeks = 16;
  for (const std::uint64_t seed : {1, 2}) {
    SimulatedSite site(kPairs, seed);
    std::size_t found = 0;
    while (site.hour() < kWeeks * kWeek) {
      found += site.pass().size();
    }
    // Nothing can be found in the first eight weeks.
    EXPECT_LE(found, static_cast<std::size_t>(kWeeks - 8)) << "seed " << seed;
  }
}

struct ChangeCase {
  const char* name;
  Trial trial;  ///< or another of its rule
  std::int64_t within;
  SimulatedSite::Change change;
};

TEST(Judge, ChangesAreFoundWithinHours) {
  constexpr std::size_t kPairs = 70, kChanged = 8;  // of the habit "steady"
  constexpr std::int64_t kFrom = 12 * kWeek + 10;
  const auto when = [](auto change) {
    return [change](std::size_t pair, std::int64_t hour, SimulatedPair& its, HourOf& made) {
      if (pair == kChanged && hour >= kFrom) change(its, made);
    };
  };
  const std::vector<ChangeCase> cases{
      {"latency x3", Trial::p50, 8,
       when([](SimulatedPair& its, HourOf& made) { its.set_latency(made, 3 * its.typical()); })},
      {"gone", Trial::gone, 6, when([](SimulatedPair&, HourOf& made) { made = {}; })},
      {"failures 2 %", Trial::failures, 8,
       [](std::size_t pair, std::int64_t hour, SimulatedPair& its, HourOf& made) {
         const double rate = hour >= kFrom ? 0.02 : 0.001;
         if (pair == kChanged) made.failures = its.poisson(rate * static_cast<double>(made.messages));
       }},
  };
  for (const ChangeCase& one : cases) {
    SimulatedSite site(kPairs, 7);
    std::int64_t found_after = -1;
    std::size_t findings = 0;
    while (site.hour() < kFrom + 3 * kWeek) {
      for (const Departure& departure : site.pass(one.change)) {
        if (departure.series != kChanged || rule_of(departure.trial) != rule_of(one.trial)) continue;
        ++findings;
        if (found_after < 0) found_after = site.hour() - kFrom;
      }
    }
    EXPECT_GE(found_after, 3) << one.name;
    EXPECT_LE(found_after, one.within) << one.name;
    EXPECT_EQ(findings, 1U) << one.name;  // not each hour again
  }
}

TEST(Judge, AFaultThatManyPairsFeelIsOneFinding) {
  constexpr std::int64_t kFrom = 12 * kWeek + 10;
  SimulatedSite site(140, 3);
  std::vector<Departure> found;
  while (site.hour() < kFrom + 24) {
    for (const Departure& one : site.pass([](std::size_t pair, std::int64_t hour, SimulatedPair&, HourOf&made) {
           if (pair % kHabits == 1 && hour >= kFrom) made = {};
         }))
      if (site.hour() > kFrom && rule_of(one.trial) == 2) {
        found.push_back(one);
      }
  }
  ASSERT_EQ(found.size(), 1U);
  EXPECT_GE(found[0].pairs, 20U);
}

TEST(DepartureText, SaysThenAndNow) {
  SeriesName name{"10.0.0.1", "10.0.0.2", "nvme", "rdma_read_request", 4};
  Departure departure;
  departure.trial = Trial::p99;
  departure.since = 494'894;
  departure.hours = 3;
  departure.compared = {8.2e-3, 1.1e-3, 0.9e-3, 1.4e-3, 8, true};
  EXPECT_EQ(departure_text(name, departure, 494'896),
            "2026-06-16, 16:00 to 17:00 UTC: p99 of RDMA Reads of 4 to 16 KiB between 10.0.0.1 and 10.0.0.2 (nvme) was "
            "8.2 ms; in the 8 weeks before at this hour it was 1.1 ms (900 us to 1.4 ms). The last 3 hours differ like "
            "this.");
}

}  // namespace
}  // namespace iwarpscope::centre
