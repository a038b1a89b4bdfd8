// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "net/address.h"

#include <arpa/inet.h>

#include <bit>
#include <cstring>

#include <fmt/format.h>

#include "base/octets.h"

namespace iwarpscope::net {
namespace {

constexpr std::array<std::uint8_t, 12> kMappedPrefix{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF};

/// Where the longest run of at least two zero groups starts and how many it has; the first of equals. RFC 5952 §4.2.
struct ZeroRun {
  unsigned begin = 8;
  unsigned length = 0;
};
[[nodiscard]] ZeroRun longest_zero_run(const std::array<unsigned, 8>& groups) noexcept {
  ZeroRun best;
  for (unsigned i = 0; i < groups.size(); ++i) {
    unsigned length = 0;
    while (i + length < groups.size() && groups[i + length] == 0) ++length;
    if (length >= 2 && length > best.length) best = {i, length};
    i += length;
  }
  return best;
}

/// Eight octets as a number that is the same on every machine.
[[nodiscard]] std::uint64_t load_word(const std::uint8_t* octets) noexcept {
  std::uint64_t value;
  std::memcpy(&value, octets, sizeof value);
  if constexpr (std::endian::native == std::endian::big) value = swap_octets(value);
  return value;
}

/// Both halves of a 128-bit product folded into one word.
[[nodiscard]] std::uint64_t mix(std::uint64_t a, std::uint64_t b) noexcept {
  __extension__ using Wide = unsigned __int128;
  const Wide product = static_cast<Wide>(a) * b;
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

// Odd numbers with bits spread evenly, so that an all-zero or all-one half of an address does not swallow the other.
constexpr std::uint64_t kMixLow = 0x9E3779B97F4A7C15u;
constexpr std::uint64_t kMixHigh = 0xC2B2AE3D27D4EB4Fu;
constexpr std::uint64_t kMixPorts = 0x165667B19E3779F9u;

}  // namespace

std::optional<IpAddress> IpAddress::parse(const std::string& text) noexcept {
  in_addr v4{};
  if (::inet_pton(AF_INET, text.c_str(), &v4) == 1) return IpAddress::v4(ntohl(v4.s_addr));
  IpAddress address;
  if (::inet_pton(AF_INET6, text.c_str(), address.octets.data()) != 1) return std::nullopt;
  return address;
}

bool IpAddress::is_v4() const noexcept {
  return std::memcmp(octets.data(), kMappedPrefix.data(), 12) == 0;
}

std::string IpAddress::text() const {
  if (is_v4()) return fmt::format("{}.{}.{}.{}", octets[12], octets[13], octets[14], octets[15]);
  std::array<unsigned, 8> groups{};
  for (std::size_t i = 0; i < groups.size(); ++i) groups[i] = octets[2 * i] * 256u + octets[2 * i + 1];
  const ZeroRun zeros = longest_zero_run(groups);
  std::string out;
  for (unsigned i = 0; i < groups.size();) {
    if (i == zeros.begin) {
      out += "::";
      i += zeros.length;
      continue;
    }
    if (!out.empty() && out.back() != ':') out += ':';
    fmt::format_to(std::back_inserter(out), "{:x}", groups[i]);
    ++i;
  }
  return out;
}

std::string Endpoint::text() const {
  return address.is_v4() ? fmt::format("{}:{}", address.text(), port) : fmt::format("[{}]:{}", address.text(), port);
}

std::uint64_t stable_hash(const FlowKey& key) noexcept {
  const auto& low = key.low.address.octets;
  const auto& high = key.high.address.octets;
  const std::uint64_t rest = std::uint64_t{key.low.port} << 16 | key.high.port;
  const std::uint64_t first = mix(load_word(low.data()) ^ kMixLow, load_word(low.data() + 8) ^ kMixHigh);
  const std::uint64_t second = mix(load_word(high.data()) ^ kMixHigh, load_word(high.data() + 8) ^ kMixLow);
  return mix(mix(first ^ kMixPorts, second ^ kMixHigh) ^ kMixLow,
             rest ^ kMixPorts ^ std::uint64_t{key.tap_group} << 32);
}

}  // namespace iwarpscope::net
