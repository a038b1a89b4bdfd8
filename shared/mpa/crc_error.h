// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// What a wrong CRC shows about the damage.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

namespace iwarpscope::mpa {

/// A single bit that, turned over, makes CRC and octets agree.
struct WrongBit {
  std::size_t octet = 0;  ///< of the FPDU, from 0: the CRC's own follow those it covers
  std::uint8_t mask = 0;  ///< the bit within that octet
  bool in_crc = false;
};

/// The bit that explains the difference of the two CRCs over `covered` octets, if one does. Of a difference that
/// several wrong bits made there is at most one such bit, and hardly ever one. The CRC is linear: the difference of two
/// CRCs is that of the errors alone, so it is followed back octet by octet to where it was a single bit. Costs a few
/// instructions an octet. Precondition: seen != computed. Source: RFC 5044 §4.4 for the polynomial.
[[nodiscard]] std::optional<WrongBit> one_wrong_bit(std::size_t covered, std::uint32_t seen,
                                                    std::uint32_t computed) noexcept;

}  // namespace iwarpscope::mpa
