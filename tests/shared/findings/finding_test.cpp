// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "findings/finding.h"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

namespace iwarpscope::findings {
namespace {

class Recorder final : public Reporter {
 public:
  void raise(Finding finding) override { raised.push_back(std::move(finding)); }
  std::vector<Finding> raised;
};

TEST(Finding, DefaultsSpeakOfNothing) {
  const Finding finding;
  EXPECT_FALSE(finding.qp.has_value());
  EXPECT_FALSE(finding.direction.has_value());
  EXPECT_FALSE(finding.message.has_value());
  EXPECT_FALSE(finding.offset.has_value());
  EXPECT_EQ(finding.frame, FrameNumber{});
  EXPECT_EQ(finding.frame.value, 0U);
  EXPECT_TRUE(finding.frames.empty());
  EXPECT_TRUE(finding.seen.empty());
  EXPECT_TRUE(finding.expected.empty());
  EXPECT_TRUE(finding.text.empty());
}

TEST(Reporter, RaisedFindingKeepsItsValues) {
  Recorder recorder;
  Reporter& reporter = recorder;
  Finding finding;
  finding.id = FindingId::mpa_crc_mismatch;
  finding.direction = Direction::b_to_a;
  finding.offset = kStreamOrigin + 20;
  finding.seen = "0x00000001";
  reporter.raise(std::move(finding));
  ASSERT_EQ(recorder.raised.size(), 1U);
  EXPECT_EQ(recorder.raised[0].id, FindingId::mpa_crc_mismatch);
  EXPECT_EQ(recorder.raised[0].direction, Direction::b_to_a);
  EXPECT_EQ(recorder.raised[0].offset, kStreamOrigin + 20);
  EXPECT_EQ(recorder.raised[0].seen, "0x00000001");
  EXPECT_EQ(rule(recorder.raised[0].id).code, "MF-04");
}

}  // namespace
}  // namespace iwarpscope::findings
