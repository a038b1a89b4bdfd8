// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "analysis/first_trouble.h"

#include <gtest/gtest.h>

namespace iwarpscope::analysis {
namespace {

using findings::FindingId;

/// A queue pair that ended with a Terminate for an invalid STag, in frame 7.
qp::QpRecord terminated() {
  qp::QpRecord record;
  qp::TerminateSummary terminate;
  terminate.at.frame = FrameNumber{7};
  terminate.layer = 1;
  terminate.error_type = 1;
  record.summary.directions[index(Direction::b_to_a)].terminate = terminate;
  return record;
}

TEST(FirstTrouble, IsTheEarliestOfWhatEndedBadly) {
  qp::QpRecord record = terminated();
  EXPECT_FALSE(first_trouble(record)) << "without a verdict";
  record.verdict = qp::VerdictRecord{};
  record.verdict->outcome = qp::Outcome::completed;
  EXPECT_FALSE(first_trouble(record));
  record.verdict->outcome = qp::Outcome::failed;
  EXPECT_EQ(first_trouble(record), FrameNumber{7});
  record.summary.findings.push_back({FindingId::capture_gap, Direction::a_to_b, FrameNumber{2}});
  EXPECT_EQ(first_trouble(record), FrameNumber{7}) << "neither end lost what the capture lost";
  record.summary.findings.push_back({FindingId::mpa_crc_mismatch, Direction::a_to_b, FrameNumber{5}});
  EXPECT_EQ(first_trouble(record), FrameNumber{5});
  qp::QpRecord bare;
  bare.verdict = qp::VerdictRecord{};
  bare.verdict->outcome = qp::Outcome::stalled;
  EXPECT_FALSE(first_trouble(bare));
  bare.verdict->evidence = {FrameNumber{9}, FrameNumber{4}};
  EXPECT_EQ(first_trouble(bare), FrameNumber{4});
}

}  // namespace
}  // namespace iwarpscope::analysis
