// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "service/loss_log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace iwarpscope::service {
namespace {

using std::chrono::seconds;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

struct LossLogOf : ::testing::Test {
  LossLog log;
  std::vector<capture::IntakeCounters> counters{1};
  LossLogOf() { counters[0].name = "mirror0"; }
  static std::vector<std::string> texts(const std::vector<LossLog::Sentence>& all) {
    std::vector<std::string> texts;
    for (const LossLog::Sentence& one : all) texts.push_back((one.level == LogLevel::info ? "info " : "") + one.text);
    return texts;
  }
  std::vector<std::string> look(int second) {
    return texts(log.look(counters, LossLog::Clock::time_point{} + seconds{second}));
  }
};

TEST_F(LossLogOf, WithoutLossNothingIsReported) {
  EXPECT_THAT(look(0), IsEmpty());
  EXPECT_THAT(look(100), IsEmpty());
  EXPECT_THAT(texts(log.end(counters)), IsEmpty());
}

TEST_F(LossLogOf, LossesAreReportedAtOnceWithTheirPlaces) {
  EXPECT_THAT(look(0), IsEmpty());
  counters[0].dropped_by_nic = 1;
  EXPECT_THAT(look(1), ElementsAre("mirror0: 1 frame was lost: 1 at the interface."));
  counters.emplace_back();
  counters[1].name = "mirror1";
  counters[1].dropped_by_kernel = 2;
  counters[1].dropped_by_queue = 3;
  EXPECT_THAT(look(2), ElementsAre("mirror1: 5 frames were lost: 2 in the kernel's ring (capture.ring and "
                                   "capture.workers give it more room), 3 before the analysis (analysis.threads makes "
                                   "it faster, capture.queue gives it more room)."));
}

TEST_F(LossLogOf, LossesThatGoOnAreReportedEveryHalfMinuteAndTheirEndOnce) {
  int sentences = 0;
  for (int second = 1; second <= 60; ++second) {
    counters[0].dropped_by_nic += 10;
    sentences += static_cast<int>(look(second).size());
  }
  EXPECT_EQ(sentences, 2) << "after 1 s and 31 s";
  EXPECT_THAT(look(61), ElementsAre("mirror0: 290 frames were lost: 290 at the interface."));
  EXPECT_THAT(look(90), IsEmpty());
  EXPECT_THAT(look(91), ElementsAre("info mirror0: no frame was lost for 30 s; 600 frames were lost before that."));
  EXPECT_THAT(look(500), IsEmpty());
  counters[0].dropped_by_nic += 1;
  EXPECT_THAT(look(501), ElementsAre("mirror0: 1 frame was lost: 1 at the interface."));
}

TEST_F(LossLogOf, WhatWasNotReportedYetIsReportedAtTheEnd) {
  counters[0].dropped_by_nic = 1;
  EXPECT_EQ(look(1).size(), 1u);
  EXPECT_THAT(texts(log.end(counters)), IsEmpty());
  counters[0].dropped_by_nic = 3;
  EXPECT_THAT(look(2), IsEmpty());
  EXPECT_THAT(texts(log.end(counters)), ElementsAre("mirror0: 2 frames were lost: 2 at the interface."));
}

}  // namespace
}  // namespace iwarpscope::service
