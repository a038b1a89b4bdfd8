// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Where markers fall in an FPDU, and how a marker is read.
#pragma once

#include <cstdint>
#include <variant>

#include "base/octets.h"

namespace iwarpscope::mpa {

/// Octets from one marker to the next, the marker itself included. Source: RFC 5044 §4.3.
inline constexpr std::uint32_t kMarkerPeriod = 512;
inline constexpr std::uint32_t kMarkerOctets = 4;
/// Source: RFC 5044 §3.
inline constexpr std::uint32_t kMaxUlpduOctets = 64768;
/// The largest FPDU with its markers: 64768 octets of ULPDU that begin on a marker.
inline constexpr std::uint32_t kMaxFpduOctets = 65288;
/// What ULPDU_Length can say, and an FPDU of that size. Linux siw sends such with its GSO option (65154 was seen).
inline constexpr std::uint32_t kMostUlpduOctets = 65535;
inline constexpr std::uint32_t kMostFpduOctets = 66064;
/// What every FPDU has beside ULPDU, PAD and markers. Source: RFC 5044 §4.1.
inline constexpr std::uint32_t kUlpduLengthOctets = 2;
inline constexpr std::uint32_t kCrcOctets = 4;
inline constexpr std::uint32_t kFpduOverhead = kUlpduLengthOctets + kCrcOctets;

/// One marker: RESERVED and FPDUPTR, two octets each, big-endian. Borrows its octets. Source: RFC 5044 §4.2.
class MarkerView {
 public:
  static constexpr std::size_t kOctets = kMarkerOctets;
  [[nodiscard]] static Decoded<MarkerView> parse(Octets octets) noexcept {
    if (octets.size() < kOctets) return Short{kOctets, octets.size()};
    return MarkerView{octets.first<kOctets>()};
  }
  [[nodiscard]] std::uint16_t reserved() const noexcept { return load_be<std::uint16_t, 0>(octets_); }
  /// As sent, with its low two bits, which a receiver treats as zero.
  [[nodiscard]] std::uint16_t fpdu_pointer() const noexcept { return load_be<std::uint16_t, 2>(octets_); }

 private:
  explicit MarkerView(std::span<const std::byte, kOctets> octets) noexcept : octets_(octets) {}
  std::span<const std::byte, kOctets> octets_;
};

/// How the raw octets of one FPDU are made up. Units: octets. Source: RFC 5044 §4.1, §4.3.
struct FpduLayout {
  std::uint32_t lead = 0;      ///< 4 with a marker before ULPDU_Length, else 0
  std::uint32_t ulpdu = 0;     ///< ULPDU_Length
  std::uint32_t pad = 0;       ///< 0..3
  std::uint32_t interior = 0;  ///< number of markers after ULPDU_Length and before the CRC
  std::uint32_t first = 0;     ///< from ULPDU_Length to the first of them; the others follow every 512 octets
  std::uint32_t raw = 0;       ///< all of it
  std::uint32_t absent = ~0U;  ///< index of the one of them that the sender left out; `interior` does not count it

  [[nodiscard]] constexpr std::uint32_t markers() const noexcept { return interior + (lead != 0 ? 1 : 0); }
};

/// The layout of an FPDU without markers.
[[nodiscard]] constexpr FpduLayout unmarked_layout(std::uint32_t ulpdu_length) noexcept {
  const std::uint32_t pad = (0U - (kUlpduLengthOctets + ulpdu_length)) & 3U;
  return {.ulpdu = ulpdu_length, .pad = pad, .raw = kFpduOverhead + ulpdu_length + pad};
}

/// The layout of an FPDU whose first octet lies `residue` octets (0..511) after a place where a marker is due.
/// A marker is also due between PAD and CRC; one due right after the CRC belongs to the next FPDU.
[[nodiscard]] constexpr FpduLayout marked_layout(std::uint32_t ulpdu_length, std::uint32_t residue) noexcept {
  FpduLayout layout = unmarked_layout(ulpdu_length);
  layout.lead = residue == 0 ? kMarkerOctets : 0;
  layout.first = kMarkerPeriod - (residue + layout.lead);
  const std::uint32_t body = kUlpduLengthOctets + ulpdu_length + layout.pad;
  if (body >= layout.first) layout.interior = 1 + (body - layout.first) / (kMarkerPeriod - kMarkerOctets);
  layout.raw += layout.lead + kMarkerOctets * layout.interior;
  return layout;
}

/// marked_layout() of an FPDU in which the marker inside with index `absent` was left out: what follows it moved up,
/// and the markers after it are at the expected positions.
[[nodiscard]] constexpr FpduLayout layout_without(std::uint32_t ulpdu_length, std::uint32_t residue,
                                                  std::uint32_t absent) noexcept {
  FpduLayout layout = marked_layout(ulpdu_length, residue);
  const std::uint32_t body = kUlpduLengthOctets + ulpdu_length + layout.pad;
  std::uint32_t present = 0;
  for (std::uint32_t k = 0; k < layout.interior; ++k) {
    const std::uint32_t before = layout.first + k * (kMarkerPeriod - kMarkerOctets) + (k > absent ? kMarkerOctets : 0);
    if (k != absent && before <= body) ++present;
  }
  layout.raw -= kMarkerOctets * (layout.interior - present);
  layout.interior = present;
  layout.absent = absent;
  return layout;
}

/// MULPDU for an effective maximum segment size: 128 .. 64768. Source: RFC 5044 §3, §4.5.
[[nodiscard]] constexpr std::uint32_t mulpdu(std::uint32_t emss, bool markers) noexcept {
  const std::uint32_t taken =
      kFpduOverhead + emss % 4 + (markers ? kMarkerOctets * ((emss + kMarkerPeriod - 1) / kMarkerPeriod) : 0);
  const std::uint32_t left = emss > taken ? emss - taken : 0;
  return left < 128 ? 128 : left > kMaxUlpduOctets ? kMaxUlpduOctets : left;
}

}  // namespace iwarpscope::mpa
