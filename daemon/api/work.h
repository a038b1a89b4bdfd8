// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// A few threads that answer questions, so that gRPC's own never wait for the analysis.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace iwarpscope::api {

/// Tasks run in the order of their coming, several at a time. Any thread.
class Work {
 public:
  Work(std::size_t threads, std::size_t most_waiting);
  /// Runs what still waits, then ends the threads.
  ~Work();
  Work(const Work&) = delete;
  Work& operator=(const Work&) = delete;

  /// False: too many wait already, and the task is not taken.
  [[nodiscard]] bool post(std::function<void()> task);

 private:
  void run();

  std::size_t most_waiting_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> tasks_;
  bool stop_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace iwarpscope::api
