// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// CRC32c, the check of an FPDU.
#pragma once

#include <cstdint>

#include "base/octets.h"

namespace iwarpscope {

/// CRC32c over octets that come in pieces: polynomial 0x1EDC6F41, reflected, initial and final complement. In an FPDU
/// the value travels low octet first (load_le). Source: RFC 5044 §4.4, RFC 3385; computed by ISA-L.
class Crc32c {
 public:
  void add(Octets octets) noexcept;
  [[nodiscard]] std::uint32_t value() const noexcept { return ~state_; }

 private:
  std::uint32_t state_ = 0xFFFFFFFFu;
};

[[nodiscard]] std::uint32_t crc32c(Octets octets) noexcept;

}  // namespace iwarpscope
