// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Stream offsets, directions, and hashing of identifiers.
#include "base/ids.h"

#include <absl/hash/hash_testing.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace iwarpscope {
namespace {

TEST(StreamOffset, RelativeToTheOriginCountsBothWays) {
  EXPECT_EQ(relative(kStreamOrigin), 0);
  EXPECT_EQ(relative(kStreamOrigin + 20), 20);
  EXPECT_EQ(relative(StreamOffset{kStreamOrigin.value - 1}), -1);
  EXPECT_EQ(relative(StreamOffset{0}), -(std::int64_t{1} << 32));
}

TEST(StreamOffset, DistanceUndoesAddition) {
  const StreamOffset from = kStreamOrigin + 0xFFFFFFFEu;
  EXPECT_EQ(distance(from, from + 5), 5u);
  EXPECT_EQ(distance(from, from), 0u);
}

TEST(Direction, OppositeTwiceIsTheSameAndIndicesAreZeroAndOne) {
  for (const Direction direction : {Direction::a_to_b, Direction::b_to_a}) {
    EXPECT_NE(opposite(direction), direction);
    EXPECT_EQ(opposite(opposite(direction)), direction);
    EXPECT_EQ(index(direction) + index(opposite(direction)), 1u);
  }
  EXPECT_EQ(index(Direction::a_to_b), 0u);
}

TEST(Identifiers, HashFollowsEquality) {
  EXPECT_TRUE(
      absl::VerifyTypeImplementsAbslHashCorrectly(std::vector<STag>{STag{0}, STag{1}, STag{0x100}, STag{0xFFFFFFFFu}}));
}

}  // namespace
}  // namespace iwarpscope
