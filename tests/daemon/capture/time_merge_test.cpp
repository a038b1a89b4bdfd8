// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "capture/time_merge.h"

#include <algorithm>
#include <atomic>
#include <initializer_list>
#include <random>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "capture/buffer_pool.h"
#include "capture/handover.h"

namespace iwarpscope::capture::test {
namespace {

using std::chrono::milliseconds;
using ::testing::ElementsAre;

constexpr milliseconds kSettle{15};
const SteadyTime kStart = SteadyTime{} + std::chrono::hours(1);

Batch batch(std::initializer_list<std::int64_t> times, SteadyTime handed = kStart, std::size_t octets = 100) {
  Batch b;
  b.storage = std::make_shared<const std::vector<std::byte>>(octets);
  b.handed = handed;
  b.octets = octets;
  for (const std::int64_t t : times) b.frames.push_back({FrameNumber{0}, TimePoint{t}, {}, 0, 0, *b.storage});
  return b;
}

/// All that can be given now.
std::vector<std::int64_t> take_all(TimeMerge& merge, SteadyTime now) {
  std::vector<std::int64_t> times;
  while (const auto run = merge.next(now)) {
    EXPECT_FALSE(run->frames.empty());
    for (const net::Frame& frame : run->frames) times.push_back(frame.time.ns);
  }
  return times;
}

TEST(TimeMerge, OneLaneIsGivenAtOnceAndAsItIs) {
  TimeMerge merge(1, kSettle);
  merge.add(0, batch({3, 1, 2}));
  const auto run = merge.next(kStart);
  ASSERT_TRUE(run);
  EXPECT_EQ(run->frames.size(), 3u);
  EXPECT_EQ(run->frames[0].time.ns, 3);
  ASSERT_TRUE(merge.take_done());
  EXPECT_FALSE(merge.take_done());
}

TEST(TimeMerge, LanesAreInterleavedByTime) {
  TimeMerge merge(3, kSettle);
  merge.add(0, batch({1, 4, 7}));
  merge.add(1, batch({2, 3, 8}));
  merge.add(2, batch({5, 6, 9}));
  for (std::size_t i = 0; i < 3; ++i) merge.end(i);
  EXPECT_THAT(take_all(merge, kStart), ElementsAre(1, 2, 3, 4, 5, 6, 7, 8, 9));
  EXPECT_TRUE(merge.ended());
}

TEST(TimeMerge, EmptyLaneKeepsTheOthersWaitingForFiftyMilliseconds) {
  TimeMerge merge(2, kSettle);
  merge.add(0, batch({1}));
  EXPECT_FALSE(merge.next(kStart));
  EXPECT_EQ(merge.due(), kStart + milliseconds(50));
  EXPECT_FALSE(merge.next(kStart + milliseconds(49)));
  EXPECT_THAT(take_all(merge, kStart + milliseconds(50)), ElementsAre(1));
}

TEST(TimeMerge, EmptyLaneThatIsKnownToBeEmptyDelaysNoOther) {
  TimeMerge merge(2, kSettle);
  merge.add(0, batch({1}));
  merge.clear(1, kStart + kSettle - std::chrono::nanoseconds(1));
  EXPECT_FALSE(merge.next(kStart + kSettle));
  merge.clear(1, kStart + kSettle);
  EXPECT_THAT(take_all(merge, kStart + kSettle), ElementsAre(1));
}

TEST(TimeMerge, LaneThatEndedDelaysNoOther) {
  TimeMerge merge(2, kSettle);
  merge.end(1);
  merge.add(0, batch({1}));
  EXPECT_THAT(take_all(merge, kStart), ElementsAre(1));
  EXPECT_FALSE(merge.ended());
}

TEST(TimeMerge, LateFramesStillCome) {
  TimeMerge merge(2, kSettle);
  merge.add(0, batch({10, 11}));
  EXPECT_THAT(take_all(merge, kStart + milliseconds(50)), ElementsAre(10, 11));
  merge.add(0, batch({12}, kStart + milliseconds(60)));
  merge.add(1, batch({5}, kStart + milliseconds(60)));
  EXPECT_THAT(take_all(merge, kStart + milliseconds(60)), ElementsAre(5));
}

TEST(TimeMerge, NoLaneWaitsLongerBecauseOfABatchThatIsBothEarlierAndYounger) {
  TimeMerge merge(3, kSettle);
  merge.add(0, batch({20}, kStart));
  merge.add(1, batch({10}, kStart + milliseconds(40)));
  EXPECT_FALSE(merge.next(kStart + milliseconds(49)));
  EXPECT_THAT(take_all(merge, kStart + milliseconds(50)), ElementsAre(10, 20));
}

TEST(TimeMerge, RandomLanesAreSortedAndNothingIsLost) {
  std::mt19937 random(7);
  for (int round = 0; round < 50; ++round) {
    TimeMerge merge(4, kSettle);
    std::size_t added = 0;
    for (std::size_t lane = 0; lane < 4; ++lane) {
      std::int64_t time = 0;
      for (auto b = random() % 5; b > 0; --b) {
        Batch some = batch({});
        for (auto f = random() % 20; f > 0; --f) {
          time += static_cast<std::int64_t>(random() % 3);
          some.frames.push_back({FrameNumber{0}, TimePoint{time}, {}, 0, 0, {}});
        }
        added += some.frames.size();
        merge.add(lane, std::move(some));
      }
      merge.end(lane);
    }
    const auto times = take_all(merge, kStart);
    EXPECT_EQ(times.size(), added);
    EXPECT_TRUE(std::is_sorted(times.begin(), times.end()));
  }
}

TEST(Handover, FullQueueRefusesUntilItsBatchesAreDoneWith) {
  Handover handover(1, {.octets = 400, .simulate_full_every = 0, .settle = kSettle});
  Batch first = batch({1}, kStart, 200), second = batch({2}, kStart, 200), third = batch({3}, kStart, 50);
  ASSERT_EQ(first.weight(), 200 + sizeof(net::Frame));
  EXPECT_TRUE(handover.offer(0, first));
  EXPECT_FALSE(handover.offer(0, second));
  EXPECT_EQ(second.frames.size(), 1u);  // it was left as it is
  std::optional<TimeMerge::Run> run;
  ASSERT_EQ(handover.take(run, milliseconds(0)), Handover::Outcome::run);
  EXPECT_FALSE(handover.offer(0, second));  // what was given is still in use
  ASSERT_EQ(handover.take(run, milliseconds(0)), Handover::Outcome::nothing);
  EXPECT_TRUE(handover.offer(0, second));
  EXPECT_TRUE(handover.offer(0, third));
}

TEST(Handover, LongBatchIsLetIntoAnEmptyQueue) {
  Handover handover(1, {.octets = 10, .simulate_full_every = 0, .settle = kSettle});
  Batch long_one = batch({1}, kStart, 5000);
  EXPECT_TRUE(handover.offer(0, long_one));
}

TEST(Handover, EveryThirdBatchFindsTheQueueFullWhenSimulated) {
  Handover handover(1, {.octets = 1 << 20, .simulate_full_every = 3, .settle = kSettle});
  std::vector<bool> taken;
  for (int i = 0; i < 7; ++i) {
    Batch b = batch({i});
    taken.push_back(handover.offer(0, b));
  }
  EXPECT_THAT(taken, ElementsAre(true, true, false, true, true, false, true));
}

TEST(Handover, PushWaitsForRoomAndStopEndsTheWait) {
  Handover handover(1, {.octets = 10, .simulate_full_every = 0, .settle = kSettle});
  std::atomic<int> pushed{0};
  std::thread reader([&] {
    for (;;) {
      Batch b = batch({1});
      if (!handover.push(0, b)) return;
      ++pushed;
    }
  });
  std::optional<TimeMerge::Run> run;
  for (int i = 0; i < 100; ++i) ASSERT_EQ(handover.take(run, std::chrono::seconds(30)), Handover::Outcome::run);
  EXPECT_LE(pushed.load(), 101);
  handover.stop();
  reader.join();
}

TEST(Handover, WakeEndsTheWaitOnce) {
  Handover handover(1, {.octets = 10, .simulate_full_every = 0, .settle = kSettle});
  std::optional<TimeMerge::Run> run;
  std::thread other([&] { handover.wake(); });
  EXPECT_EQ(handover.take(run, std::chrono::hours(1000)), Handover::Outcome::nothing);
  other.join();
  handover.end(0);
  EXPECT_EQ(handover.take(run, std::chrono::hours(1000)), Handover::Outcome::ended);
}

TEST(BufferPool, BufferComesBackFromAnotherThreadAndIsUsedAgain) {
  const auto pool = BufferPool::make(2);
  auto buffer = pool->take(1000);
  const std::byte* where = buffer->data();
  (*buffer)[999] = std::byte{1};
  std::thread([held = std::move(buffer)]() mutable {
    (*held)[0] = std::byte{2};
    held.reset();
  }).join();
  EXPECT_EQ(pool->spares(), 1u);
  const auto again = pool->take(500);
  EXPECT_EQ(again->data(), where);
  EXPECT_EQ(pool->spares(), 0u);
}

TEST(BufferPool, KeepsNoMoreThanItsSparesAndNoHugeOnes) {
  const auto pool = BufferPool::make(2);
  std::vector<std::shared_ptr<BufferPool::Buffer>> held;
  for (int i = 0; i < 5; ++i) held.push_back(pool->take(100));
  held.clear();
  EXPECT_EQ(pool->spares(), 2u);
  const auto empty = BufferPool::make(2);
  (void)empty->take(BufferPool::kMostKept + 1);
  EXPECT_EQ(empty->spares(), 0u);
}

TEST(BufferPool, BufferOutlivesItsPool) {
  auto pool = BufferPool::make(2);
  const auto buffer = pool->take(100);
  pool.reset();
  (*buffer)[99] = std::byte{1};
}

}  // namespace
}  // namespace iwarpscope::capture::test
