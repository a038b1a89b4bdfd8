// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "live/mailbox.h"

#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <string>
#include <thread>
#include <vector>

namespace iwarpscope::live {
namespace {

using namespace std::chrono_literals;
using Answer = tl::expected<int, std::string>;

/// A mailbox with questions of several threads, and what their parts did.
struct MailboxTest : testing::Test {
  Mailbox mailbox{[] {}};
  std::vector<std::string> done;

  /// A question of so many parts. It waits in the mailbox when this returns.
  std::future<Answer> ask(const std::string& name, int parts, Caller caller = {}) {
    std::future<Answer> answer = std::async(std::launch::async, [this, name, parts, caller = std::move(caller)] {
      return mailbox.ask_in_parts<int>(caller, [this, name, parts](int& result) {
        done.push_back(name);
        return ++result == parts;
      });
    });
    while (!mailbox.has_questions()) std::this_thread::yield();
    return answer;
  }
  void answer_all() {
    while (mailbox.has_questions()) mailbox.answer(0us);
  }
};

TEST_F(MailboxTest, AQuestionIsAnsweredInItsParts) {
  std::future<Answer> answer = ask("a", 3);
  mailbox.answer(0us);
  EXPECT_EQ(done.size(), 1u);
  EXPECT_TRUE(mailbox.has_questions());
  mailbox.answer(1s);
  EXPECT_EQ(answer.get(), 3);
  EXPECT_FALSE(mailbox.has_questions());
  EXPECT_EQ(mailbox.parts(), 3u);
}

TEST_F(MailboxTest, AShortQuestionDoesNotWaitForALongOne) {
  std::atomic<bool> enough{false};
  std::future<Answer> lengthy = std::async(std::launch::async, [&] {
    return mailbox.ask_in_parts<int>({}, [&](int& result) {
      ++result;
      return enough.load();
    });
  });
  while (!mailbox.has_questions()) std::this_thread::yield();
  std::future<Answer> brief = std::async(std::launch::async, [this] { return mailbox.ask({}, [] { return 7; }); });
  while (brief.wait_for(0s) != std::future_status::ready) mailbox.answer(0us);
  EXPECT_EQ(brief.get(), 7);
  enough = true;
  answer_all();
  EXPECT_GE(lengthy.get().value(), 1);
}

TEST_F(MailboxTest, WithABudgetOfNothingOnePartIsRun) {
  std::future<Answer> answer = ask("a", 2);
  mailbox.answer(0us);
  EXPECT_EQ(mailbox.parts(), 1u);
  mailbox.answer(0us);
  EXPECT_EQ(mailbox.parts(), 2u);
  EXPECT_EQ(answer.get(), 2);
}

TEST_F(MailboxTest, TheBudgetBoundsOneRound) {
  std::future<Answer> answer = std::async(std::launch::async, [this] {
    return mailbox.ask_in_parts<int>({}, [](int& result) {
      std::this_thread::sleep_for(2ms);
      return ++result == 50;
    });
  });
  while (!mailbox.has_questions()) std::this_thread::yield();
  mailbox.answer(5ms);
  EXPECT_LE(mailbox.parts(), 3u);
  answer_all();
  EXPECT_EQ(answer.get(), 50);
}

TEST_F(MailboxTest, WhenItsCallerIsGoneAQuestionIsCalledNoMore) {
  std::atomic<bool> gone{false};
  std::future<Answer> answer = ask("a", 1000, {.is_gone = [&] { return gone.load(); }});
  mailbox.answer(0us);
  gone = true;
  EXPECT_FALSE(answer.get());
  const std::uint64_t before = mailbox.parts();
  answer_all();
  EXPECT_EQ(mailbox.parts(), before);
}

TEST_F(MailboxTest, ACallerWaitsOnlySoLong) {
  std::future<Answer> answer = ask("a", 2, {.patience = 10ms});
  EXPECT_EQ(answer.get().error(), "The analysis is too busy to answer; try again.");
  answer_all();
  EXPECT_EQ(mailbox.parts(), 0u);
}

TEST_F(MailboxTest, WhatWaitsWhenItIsClosedFails) {
  std::future<Answer> answer = ask("a", 2);
  mailbox.close();
  EXPECT_EQ(answer.get().error(), "The analysis has ended.");
  EXPECT_EQ(mailbox.ask({}, [] { return 1; }).error(), "The analysis has ended.");
}

}  // namespace
}  // namespace iwarpscope::live
