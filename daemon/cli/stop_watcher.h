// Tells somebody who waits that the user wants to end.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <thread>
#include <utility>

namespace iwarpscope::cli {

/// Calls `tell` once, on a thread of its own, soon after `stop` is set; not at all if it is destroyed before. Signal
/// handlers can set a flag and do no more.
class StopWatcher {
 public:
  StopWatcher(const std::atomic<bool>& stop, std::function<void()> tell)
      : thread_([this, &stop, tell = std::move(tell)] {
          while (!stop && !end_) std::this_thread::sleep_for(std::chrono::milliseconds{50});
          if (!end_) tell();
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
