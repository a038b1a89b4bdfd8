// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "qp/verdict_record.h"

#include <gtest/gtest.h>

#include <iterator>
#include <optional>

#include "qp/severity_order.h"

namespace iwarpscope::qp {
namespace {

TEST(Outcome, RefusedFailedAndStalledAreBadEnds) {
  EXPECT_TRUE(ended_badly(Outcome::refused));
  EXPECT_TRUE(ended_badly(Outcome::failed));
  EXPECT_TRUE(ended_badly(Outcome::stalled));
  EXPECT_FALSE(ended_badly(Outcome::completed));
  EXPECT_FALSE(ended_badly(Outcome::running));
  EXPECT_FALSE(ended_badly(Outcome::unknown));
}

TEST(SeverityOrder, WhatNeedsAttentionIsHigher) {
  const std::optional<Outcome> order[] = {std::nullopt,     Outcome::completed, Outcome::running, Outcome::unknown,
                                          Outcome::refused, Outcome::stalled,   Outcome::failed};
  for (std::size_t i = 1; i < std::size(order); ++i)
    EXPECT_LT(severity_order(order[i - 1]), severity_order(order[i])) << i;
}

}  // namespace
}  // namespace iwarpscope::qp
