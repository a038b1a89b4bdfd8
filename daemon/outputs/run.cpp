// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "outputs/run.h"

#include <sys/random.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdint>
#include <ctime>

#include <utility>

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

std::string make_uuid() {
  std::array<std::uint8_t, 16> octets{};
  while (getrandom(octets.data(), octets.size(), 0) != static_cast<ssize_t>(octets.size())) continue;
  octets[6] = (octets[6] & 0x0F) | 0x40;  // version 4
  octets[8] = (octets[8] & 0x3F) | 0x80;  // variant
  std::string text;
  for (std::size_t i = 0; i < octets.size(); ++i)
    text += fmt::format("{}{:02x}", i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "", octets[i]);
  return text;
}

Run make_run(std::string_view version) {
  const TimePoint started = now();
  live::Origin origin;
  origin.run_uuid = make_uuid();
  return Run{fmt::format("{}-{}", compact_time(started), getpid()), std::string{version}, started, std::move(origin)};
}

}  // namespace iwarpscope::outputs
