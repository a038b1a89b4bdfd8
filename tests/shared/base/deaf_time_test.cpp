#include "base/deaf_time.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

namespace iwarpscope {
namespace {

DeafTime::Stretch lost(std::int64_t from, std::int64_t to) {
  return {.from = {from}, .to = {to}, .lost_frames = true};
}
DeafTime::Stretch down(std::int64_t from, std::int64_t to) {
  return {.from = {from}, .to = {to}, .was_down = true};
}

TEST(DeafTime, Empty_NothingIsDeaf) {
  const DeafTime deaf;
  EXPECT_FALSE(deaf.between({0}, {1'000}).any());
  EXPECT_EQ(deaf.between({0}, {1'000}).ns, 0);
}

TEST(DeafTime, Between_TakesWhatFallsIntoIt) {
  DeafTime deaf;
  deaf.add(lost(10, 20));
  deaf.add(down(40, 60));
  EXPECT_EQ(deaf.between({0}, {100}).ns, 30);
  EXPECT_EQ(deaf.between({15}, {45}).ns, 10);
  EXPECT_EQ(deaf.between({45}, {50}).ns, 5);
  const DeafTime::Share first = deaf.between({0}, {39});
  EXPECT_TRUE(first.lost_frames);
  EXPECT_FALSE(first.was_down);
  const DeafTime::Share second = deaf.between({21}, {100});
  EXPECT_FALSE(second.lost_frames);
  EXPECT_TRUE(second.was_down);
}

TEST(DeafTime, Between_MeetsAnEdgeAndMissesWhatIsBesideIt) {
  DeafTime deaf;
  deaf.add(lost(10, 20));
  EXPECT_TRUE(deaf.between({20}, {30}).any());
  EXPECT_EQ(deaf.between({20}, {30}).ns, 0);
  EXPECT_TRUE(deaf.between({5}, {10}).any());
  EXPECT_FALSE(deaf.between({21}, {30}).any());
  EXPECT_FALSE(deaf.between({5}, {9}).any());
}

TEST(DeafTime, Between_TimeThatRunsBackward_IsNone) {
  DeafTime deaf;
  deaf.add(lost(10, 20));
  EXPECT_EQ(deaf.between({18}, {12}).ns, 0);
  EXPECT_EQ(deaf.between({100}, {0}).ns, 0);
}

TEST(DeafTime, ClockSetBack_IsAMoment) {
  DeafTime deaf;
  deaf.add(lost(500, 100));
  EXPECT_TRUE(deaf.between({90}, {110}).any());
  EXPECT_FALSE(deaf.between({101}, {499}).any());
}

TEST(DeafTime, InAnyOrder_OverlapsCountOnce) {
  std::mt19937 random(7);
  DeafTime deaf;
  std::set<std::int64_t> obvious;  // each nanosecond that is followed by a deaf one
  for (int i = 0; i < 200; ++i) {
    const std::int64_t from = static_cast<std::int64_t>(random() % 3000);
    const std::int64_t to = from + static_cast<std::int64_t>(random() % 20);
    deaf.add(lost(from, to));
    for (std::int64_t at = from; at < to; ++at) obvious.insert(at);
    const std::int64_t a = static_cast<std::int64_t>(random() % 3000);
    const std::int64_t b = a + static_cast<std::int64_t>(random() % 500);
    const auto count = std::distance(obvious.lower_bound(a), obvious.lower_bound(b));
    ASSERT_EQ(deaf.between({a}, {b}).ns, count) << a << ' ' << b;
  }
}

TEST(DeafTime, TooMany_TheClosestBecomeOneAndNoneIsForgotten) {
  DeafTime deaf;
  for (std::int64_t i = 0; i < 1000; ++i) deaf.add(lost(i * 100, i * 100 + 1));
  deaf.add(down(200'000, 300'000));
  EXPECT_LE(deaf.size(), DeafTime::kMost);
  for (std::int64_t i = 0; i < 1000; ++i) ASSERT_TRUE(deaf.between({i * 100}, {i * 100 + 1}).lost_frames) << i;
  EXPECT_FALSE(deaf.between({100'000}, {199'999}).any());
  EXPECT_FALSE(deaf.between({200'000}, {300'000}).lost_frames);
}

}  // namespace
}  // namespace iwarpscope
