#include "service/supervisor.h"

#include <systemd/sd-daemon.h>
#include <time.h>

#include <chrono>
#include <utility>

namespace iwarpscope::service {

void notify_ready(const std::string& status) {
  sd_notify(0, ("READY=1\nSTATUS=" + status).c_str());
}
void notify_status(const std::string& status) {
  sd_notify(0, ("STATUS=" + status).c_str());
}
void notify_reloading() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  const auto us = static_cast<long long>(now.tv_sec) * 1'000'000 + now.tv_nsec / 1000;
  sd_notify(0, ("RELOADING=1\nMONOTONIC_USEC=" + std::to_string(us)).c_str());
}
void notify_stopping() {
  sd_notify(0, "STOPPING=1\nSTATUS=Writing what waits");
}

Watchdog::Watchdog(std::function<bool()> works) {
  std::uint64_t us = 0;
  if (sd_watchdog_enabled(0, &us) <= 0) return;
  thread_ = std::thread([this, works = std::move(works), every = std::chrono::microseconds(us / 2)] {
    std::unique_lock lock(mutex_);
    while (!stopping_) {
      lock.unlock();
      if (works()) sd_notify(0, "WATCHDOG=1");
      lock.lock();
      changed_.wait_for(lock, every, [this] { return stopping_; });
    }
  });
}

Watchdog::~Watchdog() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
}

}  // namespace iwarpscope::service
