// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "api/work.h"

#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <string>
#include <vector>

namespace iwarpscope::api {
namespace {

TEST(Work, RunsWhatWaitsBeforeItEnds) {
  std::atomic<int> ran{0};
  {
    Work work(2, 100, 100);
    for (int i = 0; i < 100; ++i) {
      while (!work.post("a", [&] { ++ran; })) {
      }
    }
  }
  EXPECT_EQ(ran, 100);
}

TEST(Work, TakesNoMoreThanMayWait) {
  std::promise<void> begun, go_on;
  Work work(1, 2, 2);
  ASSERT_TRUE(work.post("a", [&] {
    begun.set_value();
    go_on.get_future().wait();
  }));
  begun.get_future().wait();
  EXPECT_TRUE(work.post("a", [] {}));
  EXPECT_TRUE(work.post("a", [] {}));
  EXPECT_FALSE(work.post("a", [] {}));
  go_on.set_value();
}

TEST(Work, ClientsTakeTurnsAndHaveAShareEach) {
  std::promise<void> begun, go_on;
  std::vector<std::string> ran;
  {
    Work work(1, 8, 3);
    ASSERT_TRUE(work.post("a", [&] {
      begun.set_value();
      go_on.get_future().wait();
    }));
    begun.get_future().wait();
    for (int i = 0; i < 3; ++i) EXPECT_TRUE(work.post("a", [&] { ran.emplace_back("a"); }));
    EXPECT_FALSE(work.post("a", [] {}));  // its share
    EXPECT_TRUE(work.post("b", [&] { ran.emplace_back("b"); }));
    EXPECT_TRUE(work.post("c", [&] { ran.emplace_back("c"); }));
    go_on.set_value();
  }
  EXPECT_EQ(ran, (std::vector<std::string>{"a", "b", "c", "a", "a"}));
}

}  // namespace
}  // namespace iwarpscope::api
