// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Calls a function when the user wants to stop.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <thread>
#include <utility>

namespace iwarpscope::cli {

/// Calls `notify` once, on its own thread, soon after `stop` is set; not at all if it is destroyed before. A signal
/// handler can only set a flag.
class StopWatcher {
 public:
  StopWatcher(const std::atomic<bool>& stop, std::function<void()> notify)
      : thread_([this, &stop, notify = std::move(notify)] {
          while (!stop && !end_) std::this_thread::sleep_for(std::chrono::milliseconds{50});
          if (!end_) notify();
        }) {}
  ~StopWatcher() {
    end_ = true;
    thread_.join();
  }
  StopWatcher(const StopWatcher&) = delete;
  StopWatcher& operator=(const StopWatcher&) = delete;

 private:
  std::atomic<bool> end_{false};
  std::thread thread_;
};

}  // namespace iwarpscope::cli
