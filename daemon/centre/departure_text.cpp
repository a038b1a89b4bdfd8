// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "centre/departure_text.h"

#include <array>
#include <ctime>
#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace iwarpscope::centre {
namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 15> kTitles{{
    {"", "messages"},
    {"rdma_write", "RDMA Writes"},
    {"rdma_read_request", "RDMA Reads"},
    {"rdma_read_response", "RDMA Read Responses"},
    {"send", "Sends"},
    {"send_invalidate", "Sends with Invalidate"},
    {"send_se", "Sends with SE"},
    {"send_se_invalidate", "Sends with SE and Invalidate"},
    {"terminate", "Terminates"},
    {"immediate", "Immediate Data"},
    {"immediate_se", "Immediate Data with SE"},
    {"atomic_request", "Atomic Operations"},
    {"atomic_response", "Atomic Responses"},
    {"connection", "connections"},
    {"fpdu", "FPDUs with a CRC"},
}};

std::string octets(std::uint64_t value) {
  constexpr std::uint64_t kKi = 1024, kMi = kKi * 1024;
  if (value >= kMi) return fmt::format("{} MiB", value / kMi);
  if (value >= kKi) return fmt::format("{} KiB", value / kKi);
  return fmt::format("{} octets", value);
}

/// "RDMA Reads of 4 to 16 KiB".
std::string messages(const SeriesName& name) {
  std::string text = name.opcode;
  for (const auto& [opcode, title] : kTitles) {
    if (opcode == name.opcode) text = title;
  }
  const bool has_size = name.opcode.starts_with("rdma_") || name.opcode.starts_with("send");
  if (!has_size || name.size_class < 0 || name.size_class > 9) return text;
  const auto begin = [](std::int64_t size_class) { return std::uint64_t{16} << (2 * size_class); };
  if (name.size_class == 0) return text + " below 64 octets";
  if (name.size_class == 9) return text + " of 4 MiB or more";
  std::string from = octets(begin(name.size_class));
  const std::string below = octets(begin(name.size_class + 1));
  const std::size_t unit = from.find(' ');
  if (below.ends_with(from.substr(unit))) from.resize(unit);
  return fmt::format("{} of {} to {}", text, from, below);
}

std::string where(const SeriesName& name) {
  std::string text = name.a.empty() ? "at the site" : fmt::format("between {} and {}", name.a, name.b);
  if (!name.ulp.empty()) text += fmt::format(" ({})", name.ulp);
  return text;
}

std::string number(double value, Trial trial) {
  if (trial == Trial::failures) return fmt::format("{:.2g} %", value * 100);
  if (rule_of(trial) == 2) return fmt::format("{:.0f}", value);
  if (value >= 1) return fmt::format("{:.1f} s", value);
  if (value >= 1e-3) return fmt::format("{:.1f} ms", value * 1e3);
  return fmt::format("{:.0f} us", value * 1e6);
}

std::string what(const SeriesName& name, const Departure& departure) {
  switch (departure.trial) {
    case Trial::p50: return fmt::format("p50 of {} {} was", messages(name), where(name));
    case Trial::p99: return fmt::format("p99 of {} {} was", messages(name), where(name));
    case Trial::failures: return fmt::format("the part of {} {} that failed was", messages(name), where(name));
    case Trial::fewer_octets:
    case Trial::more_octets: return fmt::format("the number of octets of {} {} was", messages(name), where(name));
    default: return fmt::format("the number of {} {} was", messages(name), where(name));
  }
}

std::string when(std::int64_t hour) {
  const std::time_t seconds = hour * 3600;
  std::tm parts{};
  if (gmtime_r(&seconds, &parts) == nullptr) return "an hour";
  return fmt::format("{:04}-{:02}-{:02}, {:02}:00 to {:02}:00 UTC", parts.tm_year + 1900, parts.tm_mon + 1,
                     parts.tm_mday, parts.tm_hour, (parts.tm_hour + 1) % 24);
}

}  // namespace

std::string departure_text(const SeriesName& name, const Departure& departure, std::int64_t hour) {
  const auto text = [&](double value) { return number(value, departure.trial); };
  const Compared& its = departure.compared;
  std::string sentence = fmt::format(
      "{}: {} {}; in the {} weeks before at this hour it was {} ({} to {}). The last {} hours differ like this.",
      when(hour), what(name, departure), text(its.now), its.weeks, text(its.median), text(its.lowest),
      text(its.highest), departure.hours);
  if (departure.pairs != 0) {
    sentence += fmt::format(" {} of {} pairs of hosts differ in the same way at this time; this one differs most.",
                            departure.pairs, departure.of_pairs);
  } else if (departure.alike != 0) {
    sentence += fmt::format(" {} other kinds of messages of this pair differ, too.", departure.alike);
  }
  return sentence;
}

}  // namespace iwarpscope::centre
