// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Whether octets look like an FPDU's first: what framing needs to know of the DDP and RDMAP headers after
// ULPDU_Length.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "base/octets.h"

namespace iwarpscope::mpa {

/// The fields of ULPDU_Length and DDP header that a chain of FPDUs is tested by.
struct UlpduHeader {
  std::uint32_t ulpdu_length = 0;
  std::uint32_t header_octets = 0;  ///< of the DDP header: 14 or 18
  bool tagged = false;
  bool last = false;
  std::uint8_t version = 0;
  std::uint8_t opcode = 0;
  std::uint32_t stag_or_queue = 0;  ///< STag, or QN
  std::uint32_t msn = 0;
  std::uint64_t offset = 0;  ///< TO or MO

  [[nodiscard]] std::uint32_t payload() const noexcept { return ulpdu_length - header_octets; }
};

enum class HeaderLikelihood : std::uint8_t {
  no,          ///< these octets are not the start of an FPDU that keeps the rules
  unfinished,  ///< nothing speaks against it, but the header is not all there
  plausible,   ///< length, versions, opcode, T, QN, MSN, MO and the octets that must be zero agree
};

/// ULPDU_Length, DDP header and RDMAP control octet, without markers: at most this many octets are looked at.
inline constexpr std::size_t kHeaderProbeOctets = 20;

/// ULPDU_Length is not below this: the header of a Tagged DDP segment. Source: RFC 5041 §4.2.
inline constexpr std::uint32_t kLeastUlpduOctets = 14;

/// Tests the octets from ULPDU_Length on. `version`: the DDP version to expect; without one both 1 and 0 will do.
/// `header` is filled when plausible. Source: RFC 5041 §4, RFC 5040 §4, RFC 7306 §4.
[[nodiscard]] HeaderLikelihood test_header(Octets octets, std::optional<std::uint8_t> version,
                                           UlpduHeader& header) noexcept;

using HeaderRoom = std::array<std::byte, kHeaderProbeOctets>;
/// The octets from ULPDU_Length on without the marker that follows `first_marker` octets after it (0: none does), as
/// far as they are there. Copies into `room` when a marker is between; lives as long as both.
[[nodiscard]] Octets header_octets(Octets from_header, std::uint32_t first_marker, HeaderRoom& room) noexcept;

/// Rejects only what no version of DDP or RDMAP allows: length 0, and reserved bits.
/// Precondition: octets.size() >= 4.
[[nodiscard]] bool loosely_plausible(Octets octets) noexcept;

}  // namespace iwarpscope::mpa
