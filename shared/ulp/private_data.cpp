// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "ulp/private_data.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/wording.h"

namespace iwarpscope::ulp {
namespace {

constexpr std::size_t kShortestText = 4;
constexpr std::size_t kMostText = 60;
constexpr std::size_t kHexOctets = 8;

bool is_zero(std::byte o) noexcept {
  return o == std::byte{0};
}
bool is_printable(std::byte o) noexcept {
  return to_u8(o) >= 0x20 && to_u8(o) < 0x7F;
}

/// Without the zeros after it: librdmacm fills private data up to a fixed length.
Octets without_zeros(Octets octets) noexcept {
  while (!octets.empty() && is_zero(octets.back())) octets = octets.first(octets.size() - 1);
  return octets;
}

}  // namespace

std::string private_data_words(Octets private_data) {
  if (private_data.empty()) return "none";
  std::string words = counted(private_data.size(), "octet");
  const Octets core = without_zeros(private_data);
  if (core.empty()) return words + ", all zero";
  if (core.size() >= kShortestText && std::all_of(core.begin(), core.end(), is_printable)) {
    std::string text;
    for (const std::byte o : core.first(std::min(core.size(), kMostText))) text += static_cast<char>(to_u8(o));
    return fmt::format("{}, the text '{}{}'", words, text, core.size() > kMostText ? "..." : "");
  }
  words += ": ";
  for (const std::byte o : private_data.first(std::min(private_data.size(), kHexOctets))) {
    words += fmt::format("{:02x}", to_u8(o));
  }
  if (private_data.size() <= kHexOctets) return words;
  return words + (core.size() > kHexOctets ? "..." : ", then zeros");
}

}  // namespace iwarpscope::ulp
