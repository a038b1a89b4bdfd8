// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/human.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>

#include "mpa/startup.h"

namespace iwarpscope::report {
namespace {

constexpr std::uint64_t kSecond = 1'000'000'000;

/// Three significant digits: 1.23, 12.3, 123.
std::string three_digits(double value) {
  if (value < 9.995) return fmt::format("{:.2f}", value);
  return value < 99.95 ? fmt::format("{:.1f}", value) : fmt::format("{:.0f}", value);
}

std::uint64_t magnitude(std::int64_t v) noexcept {
  return v < 0 ? ~static_cast<std::uint64_t>(v) + 1 : static_cast<std::uint64_t>(v);
}

std::string long_duration(std::uint64_t seconds) {
  if (seconds < 3600) return fmt::format("{} min {} s", seconds / 60, seconds % 60);
  if (seconds < 86400) return fmt::format("{} h {} min", seconds / 3600, seconds / 60 % 60);
  return fmt::format("{} d {} h", seconds / 86400, seconds / 3600 % 24);
}

using Nanoseconds = std::chrono::sys_time<std::chrono::nanoseconds>;

}  // namespace

std::string human_octets(std::uint64_t octets) {
  constexpr std::array<std::string_view, 6> kUnits = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  if (octets < 1024) return counted(octets, "octet");
  double value = static_cast<double>(octets) / 1024;
  std::size_t unit = 0;
  while (value >= 1023.5 && unit + 1 < kUnits.size()) {
    value /= 1024;
    ++unit;
  }
  return fmt::format("{} {}", three_digits(value), kUnits[unit]);
}

std::string human_rate(double octets_per_second) {
  constexpr double kMost = 1e18;
  return human_octets(static_cast<std::uint64_t>(std::clamp(octets_per_second, 0.0, kMost))) + "/s";
}

std::string gap_text(std::uint64_t octets, std::uint64_t messages) {
  if (messages == 0) return human_octets(octets);
  if (octets == 0) return counted(messages, "message");
  return fmt::format("{} and {}", human_octets(octets), counted(messages, "message"));
}

std::string human_duration(std::int64_t ns) {
  const std::uint64_t size = magnitude(ns);
  const std::string_view sign = ns < 0 ? "-" : "";
  if (size < 1000) return fmt::format("{}{} ns", sign, size);
  const double value = static_cast<double>(size);
  if (value < 999.5e3) return fmt::format("{}{} us", sign, three_digits(value / 1e3));
  if (value < 999.5e6) return fmt::format("{}{} ms", sign, three_digits(value / 1e6));
  if (value < 59.95e9) return fmt::format("{}{} s", sign, three_digits(value / 1e9));
  return fmt::format("{}{}", sign, long_duration((size + kSecond / 2) / kSecond));
}

std::string date_time(TimePoint time) {
  const Nanoseconds at{std::chrono::nanoseconds{time.ns}};
  const std::chrono::year_month_day day{std::chrono::floor<std::chrono::days>(at)};
  return fmt::format("{:04}-{:02}-{:02} {} UTC", static_cast<int>(day.year()), static_cast<unsigned>(day.month()),
                     static_cast<unsigned>(day.day()), time_of_day(time));
}

std::string time_of_day(TimePoint time) {
  const Nanoseconds at{std::chrono::nanoseconds{time.ns}};
  const std::chrono::hh_mm_ss clock{at - std::chrono::floor<std::chrono::days>(at)};
  return fmt::format("{:02}:{:02}:{:02}.{:09}", clock.hours().count(), clock.minutes().count(), clock.seconds().count(),
                     clock.subseconds().count());
}

std::string since(TimePoint start, TimePoint time) {
  const bool back = time.ns < start.ns;
  const std::uint64_t from = static_cast<std::uint64_t>(back ? time.ns : start.ns);
  const std::uint64_t to = static_cast<std::uint64_t>(back ? start.ns : time.ns);
  return fmt::format("{}{}.{:09}", back ? '-' : '+', (to - from) / kSecond, (to - from) % kSecond);
}

std::string stag_text(STag stag) {
  return fmt::format("0x{:08x}", stag.value);
}

std::string to_text(TaggedOffset to) {
  return fmt::format("0x{:016x}", to.value);
}

std::string depth_text(std::uint16_t depth) {
  return depth == mpa::kDepthNotNegotiated ? std::string{"not negotiated"} : fmt::format("{}", depth);
}

std::string percent(double part, double whole) {
  const double share = 100 * part / whole;
  if (share > 0 && share < 0.01) return "less than 0.01 %";
  return three_digits(share) + " %";
}

std::size_t columns_of(std::string_view text) noexcept {
  std::size_t n = 0;
  bool in_color = false;
  for (const char c : text) {
    if (c == '\x1b') in_color = true;
    if (!in_color) n += (static_cast<unsigned char>(c) & 0xC0) != 0x80;
    if (c == 'm') in_color = false;
  }
  return n;
}

std::string wrapped(std::string_view first, std::string_view rest, std::string_view text, std::size_t width) {
  std::string out{first};
  std::size_t column = columns_of(first);
  bool line_start = true;
  while (!text.empty()) {
    const std::size_t end = text.find(' ');
    const std::string_view word = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    if (word.empty()) continue;
    if (!line_start && column + 1 + columns_of(word) > width) {
      out += '\n';
      out += rest;
      column = columns_of(rest);
      line_start = true;
    }
    if (!line_start) {
      out += ' ';
      ++column;
    }
    out += word;
    column += columns_of(word);
    line_start = false;
  }
  out += '\n';
  return out;
}

}  // namespace iwarpscope::report
