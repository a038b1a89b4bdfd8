// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Messages to systemd, sd_notify(3). Without systemd nothing is sent.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

namespace iwarpscope::service {

void notify_ready(const std::string& status);
void notify_status(const std::string& status);
void notify_reloading();
void notify_stopping();

/// Notifies the watchdog that the daemon works for as long as `works` says so; asked on an own thread, twice in the
/// time the unit sets. Does nothing when the unit sets none.
class Watchdog {
 public:
  explicit Watchdog(std::function<bool()> works);
  ~Watchdog();
  Watchdog(const Watchdog&) = delete;
  Watchdog& operator=(const Watchdog&) = delete;

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool stopping_ = false;
  std::thread thread_;
};

}  // namespace iwarpscope::service
