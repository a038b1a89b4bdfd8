// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The synthesiser's own checksums: they use no code of the core, so an error there cannot be hidden here.
#pragma once

#include <cstdint>

#include "synth/wire/octets.h"

namespace iwarpscope::synth::wire {

/// The sum of an Internet checksum, added piece by piece. Pieces must have an even number of octets, except the last
/// one. Source: RFC 1071.
class InternetSum {
 public:
  InternetSum& add(Octets octets) noexcept;
  InternetSum& add16(std::uint16_t value) noexcept {
    sum_ += value;
    return *this;
  }
  /// The field's value: the complement of the folded sum.
  [[nodiscard]] std::uint16_t checksum() const noexcept;
  /// The folded sum without complement, which checksum offload leaves in the field for the pseudo header.
  [[nodiscard]] std::uint16_t folded() const noexcept { return static_cast<std::uint16_t>(~checksum()); }

 private:
  std::uint64_t sum_ = 0;
};

/// CRC32c by table, eight octets a step: polynomial 0x1EDC6F41 reflected, initial and final complement. Source: RFC
/// 5044 §4.4, RFC 3720 §B.4 for vectors.
[[nodiscard]] std::uint32_t crc32c(Octets octets, std::uint32_t before = 0) noexcept;

}  // namespace iwarpscope::synth::wire
