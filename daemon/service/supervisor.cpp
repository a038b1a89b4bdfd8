// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "service/supervisor.h"

#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <systemd/sd-daemon.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "capture/thread_name.h"

namespace iwarpscope::service {
namespace {

using std::chrono::milliseconds;

// sd_notify() blocks while systemd does not read. This must delay neither the watchdog nor the shutdown.
constexpr milliseconds kWait{200};       // for messages that are repeated
constexpr milliseconds kLongWait{1000};  // for messages that are sent once

/// Sends the text to systemd, and waits at most `most`. The protocol is sd_notify(3): a datagram to $NOTIFY_SOCKET;
/// a leading @ means a zero octet.
void notify(const std::string& text, milliseconds most) {
  const char* const path = std::getenv("NOTIFY_SOCKET");
  if (path == nullptr || (path[0] != '/' && path[0] != '@')) return;
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const std::size_t length = std::strlen(path);
  if (length >= sizeof address.sun_path) return;
  std::memcpy(address.sun_path, path, length);
  if (path[0] == '@') address.sun_path[0] = '\0';
  const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + length);
  const int descriptor = ::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (descriptor < 0) return;
  // Connected, so that poll() waits for room in the queue of this receiver.
  if (::connect(descriptor, reinterpret_cast<const sockaddr*>(&address), size) == 0) {
    const auto end = std::chrono::steady_clock::now() + most;
    while (::send(descriptor, text.data(), text.size(), MSG_NOSIGNAL) < 0 && errno == EAGAIN) {
      const auto left = std::chrono::duration_cast<milliseconds>(end - std::chrono::steady_clock::now()).count();
      pollfd room{descriptor, POLLOUT, 0};
      if (left <= 0 || ::poll(&room, 1, static_cast<int>(left)) <= 0) break;
    }
  }
  ::close(descriptor);
}

}  // namespace

void notify_ready(const std::string& status) {
  notify("READY=1\nSTATUS=" + status, kLongWait);
}
void notify_status(const std::string& status) {
  notify("STATUS=" + status, kWait);
}
void notify_reloading() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  const auto us = static_cast<long long>(now.tv_sec) * 1'000'000 + now.tv_nsec / 1000;
  notify("RELOADING=1\nMONOTONIC_USEC=" + std::to_string(us), kLongWait);
}
void notify_stopping() {
  notify("STOPPING=1\nSTATUS=Writing the queued records", kWait);
}

Watchdog::Watchdog(std::function<bool()> works) {
  std::uint64_t us = 0;
  if (sd_watchdog_enabled(0, &us) <= 0) return;
  thread_ = std::thread([this, works = std::move(works), every = std::chrono::microseconds(us / 2)] {
    capture::name_thread("watchdog");
    std::unique_lock lock(mutex_);
    while (!stopping_) {
      lock.unlock();
      if (works()) notify("WATCHDOG=1", kWait);
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
