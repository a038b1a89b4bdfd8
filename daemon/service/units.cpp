// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "service/units.h"

#include <arpa/inet.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <numeric>
#include <span>

#include "base/read_text.h"

namespace iwarpscope::service {
namespace {

struct Unit {
  std::string_view name;
  std::uint64_t of;
};
constexpr auto kSizes = std::to_array<Unit>({{"TiB", std::uint64_t{1} << 40},
                                             {"GiB", std::uint64_t{1} << 30},
                                             {"MiB", std::uint64_t{1} << 20},
                                             {"KiB", std::uint64_t{1} << 10},
                                             {"B", 1}});
constexpr auto kTimes = std::to_array<Unit>({{"d", 86'400'000'000'000},
                                             {"h", 3'600'000'000'000},
                                             {"min", 60'000'000'000},
                                             {"s", 1'000'000'000},
                                             {"ms", 1'000'000},
                                             {"us", 1'000},
                                             {"ns", 1}});

std::optional<std::uint64_t> parse(std::string_view text, std::span<const Unit> units, std::uint64_t most) {
  text = trimmed(text);
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc()) return std::nullopt;
  const std::string_view name = trimmed(text.substr(static_cast<std::size_t>(end - text.data())));
  const auto unit = std::find_if(units.begin(), units.end(), [name](const Unit& u) { return u.name == name; });
  if (unit == units.end() || number > most / unit->of) return std::nullopt;
  return number * unit->of;
}

std::string text_of(std::uint64_t value, std::span<const Unit> units, std::string_view zero) {
  for (const Unit& unit : units) {
    if (value != 0 && value % unit.of == 0) return std::to_string(value / unit.of) + " " + std::string(unit.name);
  }
  return std::string(zero);
}

}  // namespace

std::optional<std::uint64_t> parse_size(std::string_view text) {
  return parse(text, kSizes, std::numeric_limits<std::int64_t>::max());
}
std::string size_text(std::uint64_t octets) {
  return text_of(octets, kSizes, "0 B");
}

std::optional<std::int64_t> parse_time(std::string_view text) {
  const auto ns = parse(text, kTimes, std::numeric_limits<std::int64_t>::max());
  if (!ns) return std::nullopt;
  return static_cast<std::int64_t>(*ns);
}
std::string time_text(std::int64_t ns) {
  return text_of(static_cast<std::uint64_t>(std::max<std::int64_t>(ns, 0)), kTimes, "0 s");
}

bool Address::is_loopback() const {
  return host.starts_with("127.") || host == "::1";
}

std::optional<Address> parse_address(std::string_view text) {
  const std::size_t colon = text.rfind(':');
  if (colon == std::string_view::npos) return std::nullopt;
  std::string_view host = text.substr(0, colon);
  const std::string_view port = text.substr(colon + 1);
  const auto number = whole_number<decltype(Address::port)>(port);
  if (!number) return std::nullopt;
  Address address;
  address.port = *number;
  const bool brackets = host.size() > 2 && host.front() == '[' && host.back() == ']';
  if (brackets) host = host.substr(1, host.size() - 2);
  address.host = host;
  std::array<unsigned char, 16> octets{};
  if (inet_pton(brackets ? AF_INET6 : AF_INET, address.host.c_str(), octets.data()) != 1) return std::nullopt;
  return address;
}

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t change = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, change});
    }
  }
  return row[b.size()];
}

std::string nearest(std::string_view name, const std::vector<std::string>& names) {
  const auto best = std::min_element(names.begin(), names.end(), [&](const std::string& a, const std::string& b) {
    return edit_distance(name, a) < edit_distance(name, b);
  });
  if (best == names.end() || edit_distance(name, *best) > std::max<std::size_t>(2, name.size() / 3)) return {};
  return *best;
}

}  // namespace iwarpscope::service
