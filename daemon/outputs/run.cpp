// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "outputs/run.h"

#include <unistd.h>

#include <chrono>
#include <ctime>

#include <fmt/format.h>

namespace iwarpscope::outputs {

TimePoint now() {
  const auto since = std::chrono::system_clock::now().time_since_epoch();
  return TimePoint{std::chrono::duration_cast<std::chrono::nanoseconds>(since).count()};
}

std::string compact_time(TimePoint time) {
  const auto seconds = static_cast<std::time_t>(time.ns / 1'000'000'000);
  std::tm parts{};
  if (gmtime_r(&seconds, &parts) == nullptr) return "00000000T000000Z";
  return fmt::format("{:04}{:02}{:02}T{:02}{:02}{:02}Z", parts.tm_year + 1900, parts.tm_mon + 1, parts.tm_mday,
                     parts.tm_hour, parts.tm_min, parts.tm_sec);
}

Run make_run(std::string_view version) {
  const TimePoint started = now();
  return Run{fmt::format("{}-{}", compact_time(started), getpid()), std::string{version}, started};
}

}  // namespace iwarpscope::outputs
