// The Internet checksum's sum.
#pragma once

#include <cstdint>

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

}  // namespace iwarpscope::net
