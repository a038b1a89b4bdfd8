// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/capture_outages.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

namespace iwarpscope {
namespace {

CaptureOutages::Stretch lost(std::int64_t from, std::int64_t to) {
  return {.from = {from}, .to = {to}, .lost_frames = true};
}
CaptureOutages::Stretch down(std::int64_t from, std::int64_t to) {
  return {.from = {from}, .to = {to}, .was_down = true};
}

TEST(CaptureOutages, Empty_HasNone) {
  const CaptureOutages outages;
  EXPECT_FALSE(outages.between({0}, {1'000}).any());
  EXPECT_EQ(outages.between({0}, {1'000}).ns, 0);
}

TEST(CaptureOutages, Between_TakesWhatFallsIntoIt) {
  CaptureOutages outages;
  outages.add(lost(10, 20));
  outages.add(down(40, 60));
  EXPECT_EQ(outages.between({0}, {100}).ns, 30);
  EXPECT_EQ(outages.between({15}, {45}).ns, 10);
  EXPECT_EQ(outages.between({45}, {50}).ns, 5);
  const CaptureOutages::Share first = outages.between({0}, {39});
  EXPECT_TRUE(first.lost_frames);
  EXPECT_FALSE(first.was_down);
  const CaptureOutages::Share second = outages.between({21}, {100});
  EXPECT_FALSE(second.lost_frames);
  EXPECT_TRUE(second.was_down);
}

TEST(CaptureOutages, Between_MeetsAnEdgeAndMissesWhatIsBesideIt) {
  CaptureOutages outages;
  outages.add(lost(10, 20));
  EXPECT_TRUE(outages.between({20}, {30}).any());
  EXPECT_EQ(outages.between({20}, {30}).ns, 0);
  EXPECT_TRUE(outages.between({5}, {10}).any());
  EXPECT_FALSE(outages.between({21}, {30}).any());
  EXPECT_FALSE(outages.between({5}, {9}).any());
}

TEST(CaptureOutages, Between_TimeThatRunsBackward_IsNone) {
  CaptureOutages outages;
  outages.add(lost(10, 20));
  EXPECT_EQ(outages.between({18}, {12}).ns, 0);
  EXPECT_EQ(outages.between({100}, {0}).ns, 0);
}

TEST(CaptureOutages, ClockSetBack_IsAMoment) {
  CaptureOutages outages;
  outages.add(lost(500, 100));
  EXPECT_TRUE(outages.between({90}, {110}).any());
  EXPECT_FALSE(outages.between({101}, {499}).any());
}

TEST(CaptureOutages, InAnyOrder_OverlapsCountOnce) {
  std::mt19937 random(7);
  CaptureOutages outages;
  std::set<std::int64_t> obvious;  // each nanosecond that is followed by one in an outage
  for (int i = 0; i < 200; ++i) {
    const std::int64_t from = static_cast<std::int64_t>(random() % 3000);
    const std::int64_t to = from + static_cast<std::int64_t>(random() % 20);
    outages.add(lost(from, to));
    for (std::int64_t at = from; at < to; ++at) obvious.insert(at);
    const std::int64_t a = static_cast<std::int64_t>(random() % 3000);
    const std::int64_t b = a + static_cast<std::int64_t>(random() % 500);
    const auto count = std::distance(obvious.lower_bound(a), obvious.lower_bound(b));
    ASSERT_EQ(outages.between({a}, {b}).ns, count) << a << ' ' << b;
  }
}

TEST(CaptureOutages, TooMany_TheClosestBecomeOneAndNoneIsDiscarded) {
  CaptureOutages outages;
  for (std::int64_t i = 0; i < 1000; ++i) outages.add(lost(i * 100, i * 100 + 1));
  outages.add(down(200'000, 300'000));
  EXPECT_LE(outages.size(), CaptureOutages::kMost);
  for (std::int64_t i = 0; i < 1000; ++i) ASSERT_TRUE(outages.between({i * 100}, {i * 100 + 1}).lost_frames) << i;
  EXPECT_FALSE(outages.between({100'000}, {199'999}).any());
  EXPECT_FALSE(outages.between({200'000}, {300'000}).lost_frames);
}

TEST(CaptureOutages, OfSeveralInterfaces_TimeCountsOnceAndOthersDoNot) {
  CaptureOutages outages;
  const auto at = [](CaptureOutages::Stretch stretch, std::uint32_t interface) {
    stretch.interface = interface;
    return stretch;
  };
  const auto set = [](std::initializer_list<std::uint32_t> of) {
    InterfaceSet all;
    for (const std::uint32_t i : of) all.add(i);
    return all;
  };
  outages.add(at(lost(10, 30), 0));
  outages.add(at(down(20, 50), 1));
  outages.add(at(lost(25, 28), 2));
  outages.add(at(down(90, 95), 40));
  EXPECT_EQ(outages.between({0}, {100}, set({0})).ns, 20);
  EXPECT_FALSE(outages.between({0}, {100}, set({0})).was_down);
  EXPECT_EQ(outages.between({0}, {100}, set({0, 1, 2})).ns, 40);
  EXPECT_EQ(outages.between({0}, {100}).ns, 45);
  EXPECT_FALSE(outages.between({31}, {100}, set({0, 2})).any());
  EXPECT_EQ(outages.between({0}, {100}, set({33})).ns, 5);  // those from kApart on count as one
  EXPECT_EQ(outages.between({22}, {27}, set({1, 2})).ns, 5);
  EXPECT_FALSE(outages.between({0}, {100}, {}).any());
}

}  // namespace
}  // namespace iwarpscope
