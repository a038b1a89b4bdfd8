// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Small parts of the daemon. Private to daemon.cpp.
#pragma once

#include <fmt/format.h>
#include <pwd.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <ctime>
#include <mutex>
#include <string>
#include <utility>

#include "live/views.h"
#include "service/configuration.h"

namespace iwarpscope::service {

inline std::string folder_of(const std::string& path) {
  const std::size_t slash = path.find_last_of('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

inline std::string host_name() {
  std::array<char, 256> name{};
  return gethostname(name.data(), name.size() - 1) == 0 ? std::string(name.data()) : std::string("unknown");
}

inline std::string sensor_name(const Configuration& c) {
  return c.sensor.empty() ? host_name() : c.sensor;
}

inline std::string name_of_user() {
  const passwd* const entry = getpwuid(geteuid());
  return entry != nullptr ? std::string(entry->pw_name) : fmt::format("{}", geteuid());
}

/// A file descriptor of our own.
class Descriptor {
 public:
  explicit Descriptor(int fd) noexcept : fd_(fd) {}
  ~Descriptor() {
    if (fd_ >= 0) close(fd_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  [[nodiscard]] int get() const noexcept { return fd_; }

 private:
  const int fd_;
};

/// What Status says of the configuration: one thread changes it and others read.
class ConfigurationFacts {
 public:
  void in_force(std::string sensor, std::uint64_t hash, std::size_t waiting) {
    const std::lock_guard lock(mutex_);
    sensor_ = std::move(sensor);
    now_ = {hash, true, std::time(nullptr), waiting, {}};
  }
  void mistaken(std::string mistakes) {
    const std::lock_guard lock(mutex_);
    now_.reloaded = false;
    now_.mistakes = std::move(mistakes);
  }
  [[nodiscard]] live::ConfigurationView get() const {
    const std::lock_guard lock(mutex_);
    return now_;
  }
  [[nodiscard]] std::string sensor() const {
    const std::lock_guard lock(mutex_);
    return sensor_;
  }

 private:
  mutable std::mutex mutex_;
  std::string sensor_;
  live::ConfigurationView now_;
};

}  // namespace iwarpscope::service
