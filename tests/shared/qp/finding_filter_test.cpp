// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "qp/finding_filter.h"

#include <gtest/gtest.h>

namespace iwarpscope::qp {
namespace {

using Answer = FindingFilter::Answer;
using findings::FindingId;

TEST(FindingFilter, EachViolationIsReportedUpToTheLimitThenCounted) {
  FindingFilter filter;
  ASSERT_EQ(findings::rule(FindingId::mpa_crc_mismatch).repeat, findings::Repeat::each);
  EXPECT_EQ(filter.ask(FindingId::mpa_crc_mismatch, Direction::a_to_b, 2), Answer::report);
  EXPECT_EQ(filter.ask(FindingId::mpa_crc_mismatch, Direction::a_to_b, 2), Answer::report);
  EXPECT_EQ(filter.ask(FindingId::mpa_crc_mismatch, Direction::a_to_b, 2), Answer::first_over_limit);
  EXPECT_EQ(filter.ask(FindingId::mpa_crc_mismatch, Direction::a_to_b, 2), Answer::over_limit);
  EXPECT_EQ(filter.suppressed(), 2u);
}

TEST(FindingFilter, DirectionsAreCountedApart) {
  FindingFilter filter;
  EXPECT_EQ(filter.ask(FindingId::mpa_crc_mismatch, Direction::a_to_b, 1), Answer::report);
  EXPECT_EQ(filter.ask(FindingId::mpa_crc_mismatch, Direction::b_to_a, 1), Answer::report);
}

TEST(FindingFilter, ANoteOfADirectionIsReportedOnceInEach) {
  FindingFilter filter;
  ASSERT_EQ(findings::rule(FindingId::mpa_fpdu_not_aligned).repeat, findings::Repeat::per_direction);
  EXPECT_EQ(filter.ask(FindingId::mpa_fpdu_not_aligned, Direction::a_to_b, 100), Answer::report);
  EXPECT_EQ(filter.ask(FindingId::mpa_fpdu_not_aligned, Direction::a_to_b, 100), Answer::repeated);
  EXPECT_EQ(filter.ask(FindingId::mpa_fpdu_not_aligned, Direction::b_to_a, 100), Answer::report);
  EXPECT_EQ(filter.suppressed(), 0u);
}

TEST(FindingFilter, ANoteOfAQueuePairIsReportedOnce) {
  FindingFilter filter;
  ASSERT_EQ(findings::rule(FindingId::capture_joined_midstream).repeat, findings::Repeat::per_qp);
  EXPECT_EQ(filter.ask(FindingId::capture_joined_midstream, Direction::a_to_b, 100), Answer::report);
  EXPECT_EQ(filter.ask(FindingId::capture_joined_midstream, Direction::b_to_a, 100), Answer::repeated);
}

}  // namespace
}  // namespace iwarpscope::qp
