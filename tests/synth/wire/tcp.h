// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// TCP segments.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "synth/wire/address.h"
#include "synth/wire/octets.h"

namespace iwarpscope::synth::wire {

inline constexpr std::uint8_t kFin = 0x01;
inline constexpr std::uint8_t kSyn = 0x02;
inline constexpr std::uint8_t kRst = 0x04;
inline constexpr std::uint8_t kPsh = 0x08;
inline constexpr std::uint8_t kAck = 0x10;
inline constexpr std::uint8_t kUrg = 0x20;

/// TCP options, padded to 4 octets with NOP. Source: RFC 9293 §3.2, RFC 7323, RFC 2018.
struct TcpOptions {
  std::optional<std::uint16_t> mss{};
  std::optional<std::uint8_t> window_scale{};
  bool sack_permitted = false;
  std::optional<std::pair<std::uint32_t, std::uint32_t>> timestamps{};  ///< value, echo
  std::vector<std::pair<std::uint32_t, std::uint32_t>> sack{};          ///< left and right edges, at most 3 or 4
  Buffer raw{};                                                         ///< more octets, unchanged
};
[[nodiscard]] Buffer write(const TcpOptions& options);

/// The contents of the checksum field.
enum class Checksum : std::uint8_t {
  right,
  wrong,               ///< off by some bits
  pseudo_header_only,  ///< value captured on a sending host with checksum offload
  zero,
};

/// TCP header: 20 octets and options. Source: RFC 9293 §3.1.
struct Tcp {
  std::uint16_t source_port = 40000;
  std::uint16_t destination_port = 5000;
  std::uint32_t sequence = 0;
  std::uint32_t acknowledgment = 0;
  std::uint8_t flags = kAck;
  std::uint16_t window = 65535;
  std::uint16_t urgent = 0;
  TcpOptions options{};
  Checksum checksum = Checksum::right;
  std::optional<std::uint8_t> data_offset{};  ///< a wrong header length, in units of 4 octets
};
/// The TCP segment. The addresses are those of the IP header, for the checksum.
[[nodiscard]] Buffer write(const Tcp& header, Octets payload, const Address& source, const Address& destination);

}  // namespace iwarpscope::synth::wire
