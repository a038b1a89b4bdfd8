// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Capture time stamps.
#include "base/time_point.h"

#include <gtest/gtest.h>

namespace iwarpscope {
namespace {

TEST(TimePoint, ElapsedIsInNanoseconds) {
  EXPECT_EQ(elapsed_ns(TimePoint{1'700'000'000'000'000'001}, TimePoint{1'700'000'000'000'000'043}), 42);
}

TEST(TimePoint, ElapsedIsNegativeWhenTheClockWentBack) {
  EXPECT_EQ(elapsed_ns(TimePoint{10}, TimePoint{3}), -7);
}

TEST(TimePoint, OrdersByTimeAlsoBeforeTheEpoch) {
  EXPECT_LT(TimePoint{-1}, TimePoint{0});
  EXPECT_LT(TimePoint{0}, TimePoint{1});
  EXPECT_EQ(TimePoint{}, TimePoint{0});
}

}  // namespace
}  // namespace iwarpscope
