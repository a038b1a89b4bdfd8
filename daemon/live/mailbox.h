// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Requests from other threads, answered on the analysis thread.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <type_traits>
#include <utility>

#include <tl/expected.hpp>

#include "live/caller.h"

namespace iwarpscope::live {

/// Bounded. Any thread asks; one answers, a part of a question at a time, so that no question keeps it from its other
/// work.
class Mailbox {
 public:
  using Clock = std::chrono::steady_clock;

  /// `wake` is called when a question arrives, on the thread that asks.
  explicit Mailbox(std::function<void()> wake) : wake_(std::move(wake)) {}

  /// Has `part` called by answer() until it returns true, and returns what it made of the Result. Fails with a sentence
  /// when `caller` is gone or has waited long enough, or when the analysis has ended; `part` is then called no more.
  /// What `part` borrows must live until it is destroyed, which may be later than the return: it holds what it needs.
  template <class Result>
  [[nodiscard]] tl::expected<Result, std::string> ask_in_parts(const Caller& caller,
                                                               std::function<bool(Result&)> part) {
    auto question = std::make_shared<Asked<Result>>(std::move(part));
    if (const char* const why = put(question)) return tl::unexpected(std::string(why));
    arrived_.notify_one();
    wake_();
    if (const char* const why = question->wait(caller)) return tl::unexpected(std::string(why));
    return std::move(question->result);
  }
  /// The same for a question of one part.
  template <class Work>
  [[nodiscard]] tl::expected<std::invoke_result_t<Work>, std::string> ask(const Caller& caller, Work work) {
    using Result = std::invoke_result_t<Work>;
    return ask_in_parts<Result>(caller, [work = std::move(work)](Result& result) mutable {
      result = work();
      return true;
    });
  }

  [[nodiscard]] bool has_questions() const noexcept { return waiting_.load(std::memory_order_acquire); }
  /// Calls parts of the questions in turn until none waits or `budget` is used up; at least one.
  void answer(std::chrono::microseconds budget) {
    const Clock::time_point end = Clock::now() + budget;
    while (answer_part() && Clock::now() < end) continue;
  }
  /// Calls one part of the question whose turn it is. False: none waits.
  bool answer_part() {
    while (const std::shared_ptr<Question> question = next()) {
      if (question->is_over()) continue;
      ++parts_;
      if (question->go_on()) {
        question->end(nullptr);
      } else {
        put_back(question);
      }
      return true;
    }
    return false;
  }
  /// Waits for questions at most this long and answers them.
  void wait_and_answer(std::chrono::milliseconds most) {
    {
      std::unique_lock lock(mutex_);
      arrived_.wait_for(lock, most, [this] { return !questions_.empty(); });
    }
    answer(most);
  }
  /// Throws away what waits; later questions fail.
  void close() {
    std::deque<std::shared_ptr<Question>> questions;
    {
      const std::lock_guard lock(mutex_);
      closed_ = true;
      questions.swap(questions_);
    }
    for (const auto& question : questions) question->end(kEnded);
  }
  /// Parts called so far. The answering thread.
  [[nodiscard]] std::uint64_t parts() const noexcept { return parts_; }

 private:
  static constexpr std::size_t kMost = 4096;
  static constexpr const char* kEnded = "The analysis has ended.";
  static constexpr const char* kBusy = "The analysis is too busy to answer; try again.";
  static constexpr const char* kGone = "The caller does not wait for the answer.";

  /// What is shared by the thread that asks and the one that answers.
  class Question {
   public:
    virtual ~Question() = default;
    /// Calls one part. True: it was the last. The answering thread.
    virtual bool go_on() = 0;
    /// `why`: a sentence; null: it is answered. Only the first call counts.
    void end(const char* why) {
      {
        const std::lock_guard lock(mutex_);
        if (over_) return;
        over_ = true;
        why_ = why;
      }
      changed_.notify_one();
    }
    [[nodiscard]] bool is_over() const {
      const std::lock_guard lock(mutex_);
      return over_;
    }
    /// The thread that asks. Null: it is answered.
    [[nodiscard]] const char* wait(const Caller& caller) {
      const Clock::time_point end = Clock::now() + caller.patience;
      std::unique_lock lock(mutex_);
      while (!changed_.wait_for(lock, kLookEvery, [this] { return over_; })) {
        if (caller.is_gone && caller.is_gone()) return give_up(kGone);
        if (Clock::now() >= end) return give_up(kBusy);
      }
      return why_;
    }

   private:
    static constexpr std::chrono::milliseconds kLookEvery{50};
    const char* give_up(const char* why) {
      over_ = true;
      return why;
    }
    mutable std::mutex mutex_;
    std::condition_variable changed_;
    bool over_ = false;
    const char* why_ = nullptr;
  };
  template <class Result>
  struct Asked final : Question {
    explicit Asked(std::function<bool(Result&)> its_part) : part(std::move(its_part)) {}
    bool go_on() override { return part(result); }
    Result result{};
    std::function<bool(Result&)> part;
  };

  /// Null: it waits; otherwise why it does not.
  const char* put(std::shared_ptr<Question> question) {
    const std::lock_guard lock(mutex_);
    if (closed_) return kEnded;
    if (questions_.size() >= kMost) return "Too many requests are waiting.";
    questions_.push_back(std::move(question));
    waiting_.store(true, std::memory_order_release);
    return nullptr;
  }
  void put_back(std::shared_ptr<Question> question) {
    const std::lock_guard lock(mutex_);
    questions_.push_back(std::move(question));
    waiting_.store(true, std::memory_order_release);
  }
  /// Null: none waits.
  std::shared_ptr<Question> next() {
    const std::lock_guard lock(mutex_);
    if (questions_.empty()) return nullptr;
    std::shared_ptr<Question> first = std::move(questions_.front());
    questions_.pop_front();
    waiting_.store(!questions_.empty(), std::memory_order_release);
    return first;
  }

  const std::function<void()> wake_;
  std::mutex mutex_;
  std::condition_variable arrived_;
  std::deque<std::shared_ptr<Question>> questions_;
  std::atomic<bool> waiting_{false};
  bool closed_ = false;
  std::uint64_t parts_ = 0;
};

}  // namespace iwarpscope::live
