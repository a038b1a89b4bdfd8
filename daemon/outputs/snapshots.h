// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Open queue pairs and the daemon's own state, as they are from time to time. Private to daemon/outputs.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <thread>
#include <unordered_map>
#include <vector>

#include "live/directory.h"

namespace iwarpscope::outputs {

struct SnapshotOptions {
  std::chrono::nanoseconds states{};      ///< each open queue pair that has changed, once in this time; 0: never
  std::chrono::nanoseconds heartbeats{};  ///< 0: never
};

/// Asks the directory on a thread of its own, evenly over the time. When what it got is not taken, it asks no more: it
/// makes no other record wait.
class Snapshots {
 public:
  /// `directory` must outlive it.
  Snapshots(const SnapshotOptions& options, live::Directory& directory);
  ~Snapshots();
  Snapshots(const Snapshots&) = delete;
  Snapshots& operator=(const Snapshots&) = delete;

  struct Taken {
    std::vector<live::QpViewPtr> states;
    std::vector<live::Status> heartbeats;
  };
  /// What came since the last call. Any thread.
  [[nodiscard]] Taken take();

 private:
  using Clock = std::chrono::steady_clock;
  /// What a queue pair was like when it was taken last.
  struct Seen {
    std::int64_t last_time = 0;
    std::uint64_t version = 0;
    friend bool operator==(const Seen&, const Seen&) = default;
  };

  void run();
  void walk();
  [[nodiscard]] bool wait_until(Clock::time_point when);
  void add(const live::QpPage& page);

  const SnapshotOptions options_;
  live::Directory& directory_;
  std::mutex mutex_;
  std::condition_variable changed_;
  Taken taken_;            ///< under mutex_
  bool stopping_ = false;  ///< under mutex_
  Clock::time_point next_heartbeat_ = Clock::now();
  std::unordered_map<std::uint64_t, Seen> seen_, seen_before_;  ///< in this round, in the one before
  std::thread thread_;
};

}  // namespace iwarpscope::outputs
