// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "live/capture_coverage.h"

#include <gtest/gtest.h>

#include "synth/options.h"

namespace iwarpscope::live {
namespace {

using synth::kSecond;

/// Looks at one interface, or two, second by second.
class Coverage : public testing::Test {
 protected:
  void look() { coverage_.look(interfaces_, TimePoint{kFirst}, TimePoint{kFirst + ++seconds_ * kSecond}); }
  /// The capture outage between two looks, in seconds after the first.
  [[nodiscard]] CaptureOutages::Share between(double from, double to, InterfaceSet of = InterfaceSet::all()) const {
    const auto at = [](double s) { return TimePoint{kFirst + static_cast<std::int64_t>(s * kSecond)}; };
    return coverage_.outages().between(at(from), at(to), of);
  }

  static constexpr std::int64_t kFirst = 1'700'000'000 * kSecond;
  std::vector<capture::IntakeCounters> interfaces_{1};
  CaptureCoverage coverage_;
  int seconds_ = 0;
};

TEST_F(Coverage, WithoutDisturbance_HasNoOutage) {
  for (int i = 0; i < 5; ++i) {
    interfaces_[0].frames += 100;
    interfaces_[0].waiting = 50;
    look();
  }
  EXPECT_FALSE(between(0, 10).any());
}

TEST_F(Coverage, FramesLost_IsAnOutageFromTheLookBefore) {
  for (auto lost : {&capture::IntakeCounters::dropped_by_nic, &capture::IntakeCounters::dropped_by_kernel,
                    &capture::IntakeCounters::dropped_by_queue}) {
    coverage_ = {};
    seconds_ = 0;
    look();
    look();
    interfaces_[0].*lost += 1;
    look();
    look();
    EXPECT_TRUE(between(2, 3).lost_frames);
    EXPECT_FALSE(between(2, 3).was_down);
    EXPECT_GE(between(0, 10).ns, kSecond);
    EXPECT_FALSE(between(0, 1.7).any());
    EXPECT_FALSE(between(3.3, 10).any());
    interfaces_[0] = {};
  }
}

TEST_F(Coverage, FramesLostWhileOthersWait_IsAnOutageUntilTheseWereGiven) {
  look();
  interfaces_[0].frames = 100;
  interfaces_[0].waiting = 1000;
  interfaces_[0].dropped_by_kernel = 5;
  look();
  interfaces_[0].frames = 900;
  interfaces_[0].waiting = 900;  // others came meanwhile
  look();
  EXPECT_TRUE(between(2.5, 3).lost_frames);
  interfaces_[0].frames = 1100;
  interfaces_[0].waiting = 800;
  look();
  EXPECT_TRUE(between(3.5, 4).lost_frames);
  look();
  EXPECT_FALSE(between(4.3, 10).any());
}

TEST_F(Coverage, FramesThatWereCountedAndAreNotThere_AreNotWaitedFor) {
  look();
  interfaces_[0].waiting = 1000;
  interfaces_[0].dropped_by_kernel = 5;
  look();
  interfaces_[0].waiting = 0;  // the socket is gone, and its ring with it
  look();
  look();
  EXPECT_FALSE(between(3.3, 10).any());
}

TEST_F(Coverage, Down_IsAnOutageUntilItIsUp) {
  interfaces_.resize(2);
  look();
  interfaces_[1].capturing = false;
  interfaces_[1].outages = 1;
  look();
  look();
  interfaces_[1].capturing = true;
  look();
  look();
  EXPECT_TRUE(between(1, 3).was_down);
  EXPECT_FALSE(between(1, 3).lost_frames);
  EXPECT_FALSE(between(0, 0.7).any());
  EXPECT_TRUE(between(3, 4).was_down);  // it came up somewhere there
  EXPECT_FALSE(between(4.3, 10).any());
}

TEST_F(Coverage, OfTwoInterfaces_OnlyTheOneThatIsDownHasAnOutage) {
  interfaces_.resize(2);
  look();
  interfaces_[1].capturing = false;
  interfaces_[0].dropped_by_kernel = 1;
  look();
  look();
  look();
  InterfaceSet first, second;
  first.add(0);
  second.add(1);
  EXPECT_TRUE(between(1, 2, first).lost_frames);
  EXPECT_FALSE(between(1, 2, first).was_down);
  EXPECT_FALSE(between(2.3, 10, first).any());
  EXPECT_TRUE(between(2.3, 10, second).was_down);
  EXPECT_FALSE(between(0, 10, second).lost_frames);
}

TEST_F(Coverage, DownAndUpBetweenTwoLooks_IsAnOutage) {
  look();
  interfaces_[0].outages = 3;
  look();
  look();
  EXPECT_TRUE(between(1, 2).was_down);
  EXPECT_FALSE(between(2.3, 10).any());
}

TEST_F(Coverage, DownBeforeTheFirstFrame_IsAnOutageFromIt) {
  interfaces_[0].capturing = false;
  coverage_.look(interfaces_, std::nullopt, {});
  look();
  EXPECT_TRUE(between(0, 1).was_down);
  EXPECT_LE(between(-100, 10).ns, 2 * kSecond);
}

TEST_F(Coverage, ClockSetBackWhileDown_IsAnOutageAtBothTimes) {
  look();
  interfaces_[0].capturing = false;
  coverage_.look(interfaces_, TimePoint{kFirst}, TimePoint{kFirst - 3600 * kSecond});
  EXPECT_TRUE(between(1, 1.2).was_down);
  EXPECT_TRUE(between(-3600, -3600).was_down);
  EXPECT_FALSE(between(-3500, 0).any());
}

}  // namespace
}  // namespace iwarpscope::live
