// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// A few threads that answer questions, so that gRPC's own never wait for the analysis.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

namespace iwarpscope::api {

/// Tasks run several at a time: those of a client in the order of their coming, those of several clients in turn. Any
/// thread.
class Work {
 public:
  /// `most_waiting`: tasks of all clients, `most_of_one` of one.
  Work(std::size_t threads, std::size_t most_waiting, std::size_t most_of_one);
  /// Runs what still waits, then ends the threads.
  ~Work();
  Work(const Work&) = delete;
  Work& operator=(const Work&) = delete;

  /// False: too many wait already, and the task is not taken.
  [[nodiscard]] bool post(const std::string& client, std::function<void()> task);

 private:
  using Tasks = std::deque<std::function<void()>>;
  void run();
  /// The first task of the client whose turn it is. Precondition: one waits.
  std::function<void()> next();

  std::size_t most_waiting_, most_of_one_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::unordered_map<std::string, Tasks> tasks_;  ///< by client; none is empty
  std::deque<std::string> turns_;                 ///< its clients, in the order of their turns
  std::size_t waiting_ = 0;                       ///< tasks of all clients
  bool stop_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace iwarpscope::api
