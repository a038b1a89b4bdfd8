// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// What the centre does by itself with what arrived: sums by hour, and connections that several taps saw.
#pragma once

#include <array>
#include <atomic>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "centre/arrivals.h"
#include "centre/postgres.h"
#include "live/directory.h"

namespace iwarpscope::centre {

/// One thread and one connection. Of several services one does each step; where it goes on is in the database. A step
/// that fails does not stop the others.
class Worker {
 public:
  /// `arrivals` must outlive it. `log` gets sentences about trouble. Any thread.
  Worker(std::string database, const Arrivals& arrivals, std::function<void(const std::string&)> log);
  ~Worker();
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;
  /// How each step is: `taken` is up to which number of arrival, `queued` how many numbers are behind it,
  /// `lost` the queue pairs that were not compared. Any thread.
  [[nodiscard]] std::vector<live::OutputView> outputs() const;

 private:
  struct Step;
  static const std::array<Step, 2> kSteps;
  struct State {
    std::uint64_t through = 0, left_out = 0;
    std::string trouble;  ///< a sentence; empty: none
  };

  void run();
  void work(Connection& database);
  [[nodiscard]] Asked<void> do_all_of(const Step& step, State& state, Connection& database);
  void end_stuck_deliveries(Connection& database);
  void pause();

  const std::string database_;
  const Arrivals& arrivals_;
  const std::function<void(const std::string&)> log_;
  std::atomic<bool> stopping_{false};
  mutable std::mutex mutex_;
  std::array<State, 2> states_;  ///< under mutex_
  std::thread thread_;
};

}  // namespace iwarpscope::centre
