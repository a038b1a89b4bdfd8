// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "qp/requests/credit.h"

#include <gtest/gtest.h>

namespace iwarpscope::qp {
namespace {

StreamOffset at(std::uint64_t octets) {
  return kStreamOrigin + octets;
}
TimePoint ns(std::int64_t value) {
  return TimePoint{value};
}

TEST(Credit, AResponseCountsUntilAllOfItIsAcknowledged) {
  Credit c;
  EXPECT_EQ(c.sent({1, 1}, at(0), 2, ns(0)).reads, 1u);
  c.answered(false, at(120), ns(10));
  EXPECT_EQ(c.sent({1, 1}, at(119), 2, ns(20)).reads, 2u);
  EXPECT_EQ(c.sent({2, 2}, at(120), 2, ns(30)).reads, 2u);
  EXPECT_EQ(c.record(2, ns(30))->reads.peak, 2u);
}

TEST(Credit, AtomicsCountTogetherWithReads) {
  Credit c;
  c.sent({1, 1}, at(0), {}, ns(0));
  c.answered(true, at(40), ns(1));
  c.answered(false, at(160), ns(2));
  const Waiting w = c.sent({1, 3}, at(0), {}, ns(3));
  EXPECT_EQ(w.reads, 2u);
  EXPECT_EQ(w.all, 5u);
  const Waiting later = c.sent({1, 3}, at(40), {}, ns(4));
  EXPECT_EQ(later.reads, 2u);
  EXPECT_EQ(later.all, 4u);
}

TEST(Credit, TimeAtTheLimitEndsWithTheResponseThatFreesAPlace) {
  Credit c;
  c.sent({1, 1}, at(0), 2, ns(100));
  c.sent({2, 2}, at(0), 2, ns(200));
  EXPECT_EQ(c.record(2, ns(250))->reads.at_limit_ns, 50);
  c.answered(false, at(120), ns(300));
  c.sent({2, 2}, at(120), 2, ns(400));
  c.answered(false, at(240), ns(450));
  const CreditUse use = c.record(2, ns(900))->reads;
  EXPECT_EQ(use.at_limit_ns, 150);
  EXPECT_EQ(use.times_at_limit, 2u);
  EXPECT_EQ(use.over_limit, 0u);
}

TEST(Credit, AboveTheLimitIsCountedAndIsAtTheLimitStill) {
  Credit c;
  for (std::uint32_t n = 1; n <= 3; ++n) c.sent({n, n}, at(0), 2, ns(n * 100));
  c.answered(false, at(120), ns(400));
  EXPECT_EQ(c.record(2, ns(450))->reads.at_limit_ns, 250);
  c.answered(false, at(240), ns(500));
  const CreditUse use = c.record(2, ns(900))->reads;
  EXPECT_EQ(use.over_limit, 1u);
  EXPECT_EQ(use.times_at_limit, 1u);
  EXPECT_EQ(use.at_limit_ns, 300);
}

TEST(Credit, WithoutALimitOnlyPeaksAreKept) {
  Credit c;
  c.sent({9, 9}, at(0), {}, ns(0));
  const auto record = c.record({}, ns(1'000));
  EXPECT_EQ(record->reads.peak, 9u);
  EXPECT_EQ(record->reads.times_at_limit, 0u);
  EXPECT_EQ(record->reads.at_limit_ns, 0);
}

TEST(Credit, AClockThatGoesBackTakesNoTimeOff) {
  Credit c;
  c.sent({1, 1}, at(0), 1, ns(500));
  c.answered(false, at(120), ns(100));
  EXPECT_EQ(c.record(1, ns(100))->reads.at_limit_ns, 0);
}

TEST(Credit, ResponsesBeyondTheBoundCountAsReceived) {
  Credit c;
  for (std::uint64_t n = 1; n <= Credit::kMost + 100; ++n) c.answered(false, at(n * 120), ns(0));
  EXPECT_EQ(c.sent({1, 1}, at(0), {}, ns(0)).reads, Credit::kMost + 1);
  c.forget_responses();
  EXPECT_EQ(c.sent({1, 1}, at(0), {}, ns(0)).reads, 1u);
}

TEST(Credit, NothingCountedIsNoRecord) {
  Credit c;
  c.seen_at_tap(3);
  EXPECT_FALSE(c.record(4, ns(0)).has_value());
  EXPECT_EQ(c.most_at_tap(), 3u);
}

TEST(Credit, TrimKeepsWhatCounts) {
  Credit c;
  c.answered(false, at(120), ns(0));
  c.answered(false, at(240), ns(0));
  c.sent({1, 1}, at(120), {}, ns(0));
  c.trim();
  EXPECT_EQ(c.sent({1, 1}, at(120), {}, ns(0)).reads, 2u);
}

}  // namespace
}  // namespace iwarpscope::qp
