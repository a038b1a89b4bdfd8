// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// What the centre does by itself with what arrived: sums by hour, connections that several taps saw, and alerts.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "centre/alerts.h"
#include "centre/arrivals.h"
#include "centre/progress.h"
#include "live/directory.h"

namespace iwarpscope::centre {

/// One thread and one connection. Of several services one does each step; where it goes on is in the database. A step
/// that fails does not stop the others.
class Worker {
 public:
  /// `arrivals` must outlive it. `alertmanagers`: as Alerts takes them; empty: no alerts. `log` gets sentences about
  /// trouble. Any thread.
  Worker(std::string database, const Arrivals& arrivals, const std::vector<std::string>& alertmanagers,
         std::function<void(const std::string&)> log);
  ~Worker();
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;
  /// How each step is: `taken` is up to which number of arrival, `queued` how many numbers are behind it,
  /// `lost` the queue pairs that were not compared. Any thread.
  [[nodiscard]] std::vector<live::OutputView> outputs() const;

 private:
  struct Task {
    const char* name;      ///< of the output
    const char* not_done;  ///< begin of a sentence
    /// A part of what arrived up to `through`.
    std::function<Advance(Connection& database, std::uint64_t through)> step;
    Progress done{};        ///< under mutex_, as the next two
    std::string trouble{};  ///< a sentence; empty: none
    /// When nothing was left to do; at first, the start of the service.
    std::chrono::system_clock::time_point last = std::chrono::system_clock::now();
  };

  void run();
  /// False: the connection is lost, or it is to stop.
  [[nodiscard]] bool work(Connection& database);
  [[nodiscard]] Asked<void> do_all_of(Task& task, Connection& database);
  /// False: the connection is lost.
  [[nodiscard]] bool end_stuck_deliveries(Connection& database);
  void pause();

  const std::string database_;
  const Arrivals& arrivals_;
  const std::function<void(const std::string&)> log_;
  std::atomic<bool> stopping_{false};
  mutable std::mutex mutex_;
  std::unique_ptr<Alerts> alerts_;  ///< null: none
  std::vector<Task> tasks_;
  std::thread thread_;
};

}  // namespace iwarpscope::centre
