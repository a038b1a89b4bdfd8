// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// What the centre does by itself with what arrived: sums by hour, and connections that several taps saw.
#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <thread>

#include "centre/arrivals.h"
#include "centre/postgres.h"

namespace iwarpscope::centre {

/// One thread and one connection. Of several services one does each step; where it goes on is in the database.
class Worker {
 public:
  /// `arrivals` must outlive it. `log` gets sentences about trouble. Any thread.
  Worker(std::string database, const Arrivals& arrivals, std::function<void(const std::string&)> log);
  ~Worker();
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

 private:
  void run();
  /// True: everything that can be seen is done.
  [[nodiscard]] Asked<bool> summarise(Connection& database);
  [[nodiscard]] Asked<bool> join(Connection& database);
  [[nodiscard]] Asked<void> work(Connection& database);
  void say(const std::string& sentence);
  void pause();

  const std::string database_;
  const Arrivals& arrivals_;
  const std::function<void(const std::string&)> log_;
  std::atomic<bool> stopping_{false};
  std::string said_;  ///< of its thread
  std::thread thread_;
};

}  // namespace iwarpscope::centre
