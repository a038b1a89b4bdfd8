// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Finding FPDUs in a stream whose boundaries are not known: joined mid-stream, or after a gap.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "base/ids.h"
#include "base/octets.h"
#include "mpa/framer.h"
#include "mpa/marker.h"

namespace iwarpscope::mpa {

/// Contiguous octets of one direction to search in. Borrows both spans.
struct SearchWindow {
  Octets octets;
  StreamOffset offset;  ///< of octets[0]; matters when the settings know where markers are counted from
  std::span<const std::uint32_t> tcp_segment_starts;  ///< indices into `octets`, ascending: likely FPDU starts
  bool at_end = false;                                ///< no more octets will come: what needs more is not found
  /// Octets of CRC that may be computed. Candidates beyond it are passed over, which bounds the time on hostile input.
  std::uint64_t crc_allowance = ~std::uint64_t{0};
};

enum class SearchOutcome : std::uint8_t {
  found,
  need_more,  ///< nothing yet; octets before `at` are out of the question, those from it on must be kept
  none,       ///< nothing begins before `at`; `at` is the end of the window
};

/// What a search says.
struct SearchResult {
  SearchOutcome outcome = SearchOutcome::none;
  std::size_t at = 0;           ///< index into the window: of the FPDU's first octet (a leading marker included)
  FpduLayout layout;            ///< of the FPDU found
  std::optional<bool> crc;      ///< true: its CRC is right; false: the CRC fields of a chain hold zero; else not known
  std::optional<bool> markers;  ///< in use or not, if this search can tell
  std::optional<StreamOffset> marker_phase;  ///< a place that has a marker, with markers
  std::uint8_t ddp_version = 1;
  std::uint64_t crc_spent = 0;  ///< octets of CRC that were computed
};

/// Looks for the first FPDU in the window. An FPDU is believed when its CRC is right (settings.crc not false), or, when
/// CRC is off or unknown, when it heads a chain of at least three plausible headers that hang together: TO or MSN and
/// MO go on, CRC fields are zero, FPDUs end where TCP segments end. With markers in use the FPDUPTR of a marker names
/// the start. Settings that are known are kept to; unknown ones are inferred. Pure; time linear in the window and
/// crc_allowance.
[[nodiscard]] SearchResult find_fpdu(const SearchWindow& window, const FramingSettings& settings) noexcept;

/// What the first octets of a TCP segment say about iWARP. Cheap: for every unknown flow.
struct Plausible {
  enum class Kind : std::uint8_t {
    none,
    header,     ///< ULPDU_Length and headers are plausible; chance does this about once in 16 000 TCP segments
    confirmed,  ///< the CRC of a whole FPDU is right
  };
  Kind kind = Kind::none;
  std::uint32_t raw_octets = 0;  ///< of the FPDU, not counting interior markers; 0 with Kind::none
};
[[nodiscard]] Plausible plausible_fpdu(Octets at_segment_start) noexcept;

}  // namespace iwarpscope::mpa
