// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// MPA: startup frames and FPDUs.
#pragma once

#include <cstdint>
#include <optional>

#include "synth/wire/octets.h"

namespace iwarpscope::synth::wire {

/// Enhanced RDMA connection data: 4 octets at the start of the Private Data. Source: RFC 6581 §9.
struct EnhancedData {
  bool peer_to_peer = false;  ///< A
  bool rtr_send = false;      ///< B
  bool rtr_write = false;     ///< C
  bool rtr_read = false;      ///< D
  std::uint16_t ird = 0;      ///< 14 bits
  std::uint16_t ord = 0;      ///< 14 bits
};
[[nodiscard]] Buffer write(const EnhancedData& data);

/// MPA Request or Reply: 20 octets and Private Data. Every field can be wrong. Source: RFC 5044 §7.1.1, RFC 6581 §6.
struct StartupFrame {
  enum class Kind : std::uint8_t { request, reply };
  Kind kind = Kind::request;
  bool markers = false;                 ///< M
  bool crc = true;                      ///< C
  bool reject = false;                  ///< R
  std::optional<bool> enhanced_flag{};  ///< S; without a value: set if `enhanced` has one
  std::uint8_t reserved = 0;            ///< the low 4 bits of the flags
  std::uint8_t revision = 1;
  std::optional<EnhancedData> enhanced{};              ///< put before private_data
  Buffer private_data{};                               ///< the ULP's
  std::optional<std::uint16_t> private_data_length{};  ///< a wrong PD_Length
  std::optional<Buffer> key{};                         ///< a wrong key, 16 octets
};
[[nodiscard]] Buffer write(const StartupFrame& frame);

/// How one FPDU is written. The lower half is for faults; the CRC covers the octets as they were written, so that a
/// fault in one field affects only that field. Source: RFC 5044 §4.
struct FpduForm {
  bool markers = false;
  bool crc = true;  ///< false: the CRC field is zero

  std::optional<std::uint16_t> length{};           ///< a wrong ULPDU_Length
  std::uint8_t pad = 0;                            ///< value of each PAD octet
  std::uint32_t crc_xor = 0;                       ///< makes the CRC wrong
  std::optional<std::uint32_t> crc_value{};        ///< the CRC field, low octet first
  bool crc_big_endian = false;                     ///< the CRC with its high octet first
  std::optional<std::size_t> flip_after_crc{};     ///< octet of the FPDU that changes after the CRC was computed
  std::uint16_t length_xor = 0;                    ///< bits of ULPDU_Length that change after the CRC was computed
  std::optional<unsigned> marker_index{};          ///< the marker faults apply only to this marker of the FPDU, from 0
  std::optional<std::uint16_t> marker_reserved{};  ///< RESERVED
  std::optional<std::uint16_t> marker_pointer{};   ///< FPDUPTR
  std::uint16_t marker_pointer_xor = 0;
  bool omit_markers = false;  ///< the four octets are left out
};
/// The raw octets of an FPDU whose first octet is at `position` of its direction, counted from the octet after the
/// startup frame. With markers, one is inserted at each position that is a multiple of 512.
[[nodiscard]] Buffer write(const FpduForm& form, Octets ulpdu, std::uint64_t position = 0);

/// The largest ULPDU of one FPDU in a TCP segment of `emss` octets; 128 .. 64768. Source: RFC 5044 §4.5.
[[nodiscard]] std::size_t mulpdu(std::size_t emss, bool markers);

}  // namespace iwarpscope::synth::wire
