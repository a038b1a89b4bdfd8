// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Serial arithmetic around the wrap at 2^32.
#include "base/serial.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>

#include "base/ids.h"

namespace iwarpscope {
namespace {

constexpr std::uint64_t kTurn = std::uint64_t{1} << 32;
constexpr std::int64_t kHalfTurn = std::int64_t{1} << 31;

static_assert(unwrap(kTurn, 0) == kTurn);

TEST(Unwrap, SameNumberIsNear) {
  EXPECT_EQ(unwrap(5 * kTurn + 77, 77), 5 * kTurn + 77);
}

TEST(Unwrap, NextNumberBeyondTheWrapIsInTheNextTurn) {
  EXPECT_EQ(unwrap(kTurn + 0xFFFFFFF0u, 0x00000010u), 2 * kTurn + 0x10u);
}

TEST(Unwrap, OlderNumberBeforeTheWrapIsInTheTurnBefore) {
  EXPECT_EQ(unwrap(2 * kTurn + 0x10u, 0xFFFFFFF0u), kTurn + 0xFFFFFFF0u);
}

TEST(Unwrap, NumberOlderThanTheFirstStaysBelowTheOriginWithoutUnderflow) {
  const std::uint64_t older = unwrap(kStreamOrigin.value, 0xFFFFFF00u);
  EXPECT_EQ(older, kStreamOrigin.value - 0x100u);
  EXPECT_EQ(relative(StreamOffset{older}), -0x100);
}

TEST(Unwrap, EveryDistanceBelowHalfATurnComesBackExactly) {
  for (const std::uint64_t near : {kTurn, kTurn + 1, 2 * kTurn - 1, 2 * kTurn, 7 * kTurn + 0x7FFFFFFFu,
                                   7 * kTurn + 0x80000000u, 7 * kTurn + 0x80000001u}) {
    for (std::int64_t power = 0; power < 31; ++power) {
      for (const std::int64_t distance : {std::int64_t{1} << power, -(std::int64_t{1} << power),
                                          (std::int64_t{1} << power) - 1, 1 - (std::int64_t{1} << power)}) {
        const std::uint64_t there = near + static_cast<std::uint64_t>(distance);
        EXPECT_EQ(unwrap(near, static_cast<std::uint32_t>(there)), there) << near << " " << distance;
      }
    }
    const std::uint64_t ahead = near + static_cast<std::uint64_t>(kHalfTurn - 1);
    const std::uint64_t behind = near - static_cast<std::uint64_t>(kHalfTurn);
    EXPECT_EQ(unwrap(near, static_cast<std::uint32_t>(ahead)), ahead);
    EXPECT_EQ(unwrap(near, static_cast<std::uint32_t>(behind)), behind);
  }
}

TEST(SerialDistance, CountsAcrossTheWrapInBothDirections) {
  EXPECT_EQ(serial_distance(0xFFFFFFFFu, 1u), 2);
  EXPECT_EQ(serial_distance(1u, 0xFFFFFFFFu), -2);
  EXPECT_EQ(serial_distance(7u, 7u), 0);
}

TEST(SerialDistance, HalfATurnAwayIsBehind) {
  EXPECT_EQ(serial_distance(0u, 0x80000000u), std::numeric_limits<std::int32_t>::min());
  EXPECT_EQ(serial_distance(0u, 0x7FFFFFFFu), std::numeric_limits<std::int32_t>::max());
}

}  // namespace
}  // namespace iwarpscope
