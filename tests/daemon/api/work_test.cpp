// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "api/work.h"

#include <gtest/gtest.h>

#include <atomic>
#include <future>

namespace iwarpscope::api {
namespace {

TEST(Work, RunsWhatWaitsBeforeItEnds) {
  std::atomic<int> ran{0};
  {
    Work work(2, 100);
    for (int i = 0; i < 100; ++i) {
      while (!work.post([&] { ++ran; })) {
      }
    }
  }
  EXPECT_EQ(ran, 100);
}

TEST(Work, TakesNoMoreThanMayWait) {
  std::promise<void> begun, go_on;
  Work work(1, 2);
  ASSERT_TRUE(work.post([&] {
    begun.set_value();
    go_on.get_future().wait();
  }));
  begun.get_future().wait();
  EXPECT_TRUE(work.post([] {}));
  EXPECT_TRUE(work.post([] {}));
  EXPECT_FALSE(work.post([] {}));
  go_on.set_value();
}

}  // namespace
}  // namespace iwarpscope::api
