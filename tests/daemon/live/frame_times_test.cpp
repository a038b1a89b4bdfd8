// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "live/frame_times.h"

#include <gtest/gtest.h>

namespace iwarpscope::live {
namespace {

TEST(FrameTimes, OfTheLastFramesOnly) {
  FrameTimes times(4);
  EXPECT_FALSE(times.at(FrameNumber{0}));
  for (const std::uint64_t frame : {1, 2, 4, 5, 6}) {
    times.see(FrameNumber{frame}, TimePoint{static_cast<std::int64_t>(frame) * 10});
  }
  EXPECT_FALSE(times.at(FrameNumber{2}));  // too old
  EXPECT_FALSE(times.at(FrameNumber{3}));  // hidden by a filter
  EXPECT_EQ(times.at(FrameNumber{4}), TimePoint{40});
  EXPECT_EQ(times.at(FrameNumber{6}), TimePoint{60});
  EXPECT_FALSE(times.at(FrameNumber{7}));
  times.see(FrameNumber{1'000'000'000'000}, TimePoint{7});  // no memory for what lies between
  EXPECT_FALSE(times.at(FrameNumber{6}));
  EXPECT_EQ(times.at(FrameNumber{1'000'000'000'000}), TimePoint{7});
}

TEST(FrameTimes, KnowTheInterfaceOfTheSameFrames) {
  FrameTimes times(3);
  for (const std::uint64_t frame : {1, 2, 4}) times.see(FrameNumber{frame}, TimePoint{1}, frame == 4 ? 70'000 : 7);
  EXPECT_FALSE(times.interface(FrameNumber{1}));
  EXPECT_EQ(times.interface(FrameNumber{2}), 7u);
  EXPECT_FALSE(times.interface(FrameNumber{3}));
  EXPECT_EQ(times.interface(FrameNumber{4}), 65535u);
}

}  // namespace
}  // namespace iwarpscope::live
