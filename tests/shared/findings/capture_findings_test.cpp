// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "findings/capture_findings.h"

#include <gtest/gtest.h>

#include <utility>

namespace iwarpscope::findings {
namespace {

struct Raised final : Reporter {
  std::vector<Finding> all;
  void raise(Finding finding) override { all.push_back(std::move(finding)); }
};

class CaptureFindingsTest : public testing::Test {
 protected:
  Raised raised_;
  CaptureFindings findings_{raised_, {FrameNumber{50}, TimePoint{7}}};
};

TEST_F(CaptureFindingsTest, NothingToCountIsNoFinding) {
  findings_.tell(FindingId::capture_truncated_frames, 0, "text");
  EXPECT_TRUE(raised_.all.empty());
}

TEST_F(CaptureFindingsTest, WithoutEvidenceTheLastFrameIsIt) {
  findings_.tell(FindingId::capture_truncated_frames, 3, "text");
  ASSERT_EQ(raised_.all.size(), 1u);
  const Finding& f = raised_.all.front();
  EXPECT_EQ(f.id, FindingId::capture_truncated_frames);
  EXPECT_EQ(f.seen, "3");
  EXPECT_EQ(f.text, "text");
  EXPECT_EQ(f.frame, FrameNumber{50});
  EXPECT_EQ(f.frames, std::vector{FrameNumber{50}});
  EXPECT_EQ(f.time, TimePoint{7});
  EXPECT_FALSE(f.qp);
}

TEST_F(CaptureFindingsTest, TheFirstEightFramesOfTheEvidenceAreKeptInOrder) {
  std::vector<FrameNumber> evidence;
  for (std::uint64_t n = 12; n > 0; --n) evidence.push_back(FrameNumber{n});
  findings_.tell(FindingId::capture_truncated_frames, 12, "text", evidence);
  ASSERT_EQ(raised_.all.front().frames.size(), 8u);
  EXPECT_EQ(raised_.all.front().frames.front(), FrameNumber{1});
  EXPECT_EQ(raised_.all.front().frames.back(), FrameNumber{8});
}

}  // namespace
}  // namespace iwarpscope::findings
