// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Requests from other threads, answered on the analysis thread.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <string>
#include <type_traits>
#include <utility>

#include <tl/expected.hpp>

namespace iwarpscope::live {

/// Bounded. Any thread asks; one answers.
class Mailbox {
 public:
  /// `wake` is called when a question arrives, on the thread that asks.
  explicit Mailbox(std::function<void()> wake) : wake_(std::move(wake)) {}

  /// Has `work` run by answer() and returns what it returns. Fails with a sentence after `most`, or when the
  /// analysis has ended. What `work` borrows must live until it has run or is discarded: it holds what it needs.
  template <class Work>
  [[nodiscard]] tl::expected<std::invoke_result_t<Work>, std::string> ask(
      Work work, std::chrono::milliseconds most = std::chrono::seconds(5)) {
    using Result = std::invoke_result_t<Work>;
    auto task = std::make_shared<std::packaged_task<Result()>>(std::move(work));
    std::future<Result> answer = task->get_future();
    {
      const std::lock_guard lock(mutex_);
      if (closed_) return tl::unexpected(std::string("The analysis has ended."));
      if (questions_.size() >= kMost) return tl::unexpected(std::string("Too many requests are waiting."));
      // This is its only holder: if it is discarded unanswered, the waiting thread gets an error.
      questions_.push_back([task = std::move(task)] { (*task)(); });
      waiting_.store(true, std::memory_order_release);
    }
    arrived_.notify_one();
    wake_();
    if (answer.wait_for(most) != std::future_status::ready) {
      return tl::unexpected(std::string("The analysis is too busy to answer; try again."));
    }
    try {
      return answer.get();
    } catch (const std::future_error&) {
      return tl::unexpected(std::string("The analysis has ended."));
    }
  }

  [[nodiscard]] bool has_questions() const noexcept { return waiting_.load(std::memory_order_acquire); }
  /// Runs what was asked so far.
  void answer() {
    std::deque<std::function<void()>> questions;
    {
      const std::lock_guard lock(mutex_);
      questions.swap(questions_);
      waiting_.store(false, std::memory_order_release);
    }
    for (const auto& question : questions) question();
  }
  /// Waits for questions at most this long and answers them.
  void wait_and_answer(std::chrono::milliseconds most) {
    {
      std::unique_lock lock(mutex_);
      arrived_.wait_for(lock, most, [this] { return !questions_.empty(); });
    }
    answer();
  }
  /// Throws away what waits; later questions fail.
  void close() {
    std::deque<std::function<void()>> questions;
    const std::lock_guard lock(mutex_);
    closed_ = true;
    questions.swap(questions_);
  }

 private:
  static constexpr std::size_t kMost = 4096;
  const std::function<void()> wake_;
  std::mutex mutex_;
  std::condition_variable arrived_;
  std::deque<std::function<void()>> questions_;
  std::atomic<bool> waiting_{false};
  bool closed_ = false;
};

}  // namespace iwarpscope::live
