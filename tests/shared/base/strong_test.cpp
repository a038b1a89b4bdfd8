// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Integers that convert to nothing else.
#include "base/strong.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <type_traits>

#include "base/ids.h"

namespace iwarpscope {
namespace {

TEST(Strong, TwoKindsOfTheSameWidthDoNotMix) {
  EXPECT_FALSE((std::is_convertible_v<STag, QueueNumber>));
  EXPECT_FALSE((std::is_convertible_v<QueueNumber, STag>));
  EXPECT_FALSE((std::is_constructible_v<MessageOffset, MessageSequence>));
  EXPECT_FALSE((std::is_assignable_v<STag&, QueueNumber>));
}

TEST(Strong, IntegersDoNotBecomeStrongByThemselvesNorStrongIntegers) {
  EXPECT_FALSE((std::is_convertible_v<std::uint32_t, STag>));
  EXPECT_FALSE((std::is_convertible_v<STag, std::uint32_t>));
  EXPECT_TRUE((std::is_constructible_v<STag, std::uint32_t>));
}

TEST(Strong, IsAsLargeAsItsInteger) {
  EXPECT_EQ(sizeof(STag), 4u);
  EXPECT_EQ(sizeof(TaggedOffset), 8u);
  EXPECT_EQ(sizeof(FrameNumber), 8u);
  EXPECT_TRUE((std::is_trivially_copyable_v<STag>));
}

TEST(Strong, WithoutAValueIsZero) {
  EXPECT_EQ(STag{}.value, 0u);
}

TEST(Strong, ComparesAsItsIntegerWithoutASign) {
  EXPECT_LT(STag{1}, STag{0xFFFFFFFFu});
  EXPECT_EQ(STag{7}, STag{7});
  EXPECT_NE(STag{7}, STag{8});
  EXPECT_GE(TaggedOffset{UINT64_MAX}, TaggedOffset{0});
}

}  // namespace
}  // namespace iwarpscope
