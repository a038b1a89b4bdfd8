// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/buffer_budget.h"

#include <gtest/gtest.h>

namespace iwarpscope {
namespace {

TEST(BufferBudget, GivesNoMoreThanItHas) {
  BufferBudget budget(100);
  EXPECT_TRUE(budget.take(60));
  EXPECT_FALSE(budget.take(41));
  EXPECT_EQ(budget.held(), 60u);
  EXPECT_TRUE(budget.take(40));
  EXPECT_FALSE(budget.take(1));
  EXPECT_TRUE(budget.take(0));
  budget.give_back(100);
  EXPECT_EQ(budget.held(), 0u);
}

TEST(BufferBudget, IsScarceWhenMoreThanHalfIsInUse) {
  BufferBudget budget(100);
  EXPECT_TRUE(budget.take(50));
  EXPECT_FALSE(budget.is_scarce());
  EXPECT_TRUE(budget.take(1));
  EXPECT_TRUE(budget.is_scarce());
}

}  // namespace
}  // namespace iwarpscope
