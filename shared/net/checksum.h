// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The Internet checksum's sum.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>

#include "base/octets.h"

namespace iwarpscope::net {

/// Folds a sum of 16-bit words into 16 bits, carries added back. Source: RFC 1071 §1.
[[nodiscard]] constexpr std::uint16_t fold_sum(std::uint64_t sum) noexcept {
  sum = (sum >> 32) + (sum & 0xFFFFFFFFu);
  sum = (sum >> 16) + (sum & 0xFFFFu);
  sum = (sum >> 16) + (sum & 0xFFFFu);
  sum = (sum >> 16) + (sum & 0xFFFFu);
  return static_cast<std::uint16_t>(sum);
}

/// The ones-complement sum of the octets as big-endian 16-bit words, folded, not complemented; an odd octet at the end
/// is the high half of a word. Source: RFC 1071 §1.
[[nodiscard]] std::uint16_t ones_complement_sum(Octets octets) noexcept;

/// The same for a header or an address: a few words of 32 bits. Precondition: octets.size() is a multiple of 4.
[[nodiscard]] inline std::uint16_t header_sum(Octets octets) noexcept {
  // The order of octets in a word does not matter until the end. Source: RFC 1071 §2 (B).
  std::uint64_t sum = 0;
  std::size_t at = 0;
  for (; at + 8 <= octets.size(); at += 8) {
    std::uint64_t word;
    std::memcpy(&word, octets.data() + at, sizeof word);
    sum += word;
    sum += sum < word ? 1u : 0u;
  }
  if (at < octets.size()) {
    std::uint32_t word;
    std::memcpy(&word, octets.data() + at, sizeof word);
    sum = (sum >> 32) + (sum & 0xFFFFFFFFu) + word;
  }
  const std::uint16_t folded = fold_sum(sum);
  return std::endian::native == std::endian::little ? swap_octets(folded) : folded;
}

}  // namespace iwarpscope::net
