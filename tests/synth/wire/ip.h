// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// IPv4 and IPv6 packets and their fragments.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "synth/wire/address.h"
#include "synth/wire/octets.h"

namespace iwarpscope::synth::wire {

inline constexpr std::uint8_t kProtocolTcp = 6;
inline constexpr std::uint8_t kProtocolUdp = 17;
inline constexpr std::uint8_t kProtocolSctp = 132;
inline constexpr std::uint8_t kProtocolGre = 47;
inline constexpr std::uint8_t kProtocolIpv4 = 4;
inline constexpr std::uint8_t kProtocolIpv6 = 41;

/// IPv4 header: 20 octets and options. Lengths beyond 65535 are written as 0, as Linux shows offload-sized packets.
/// Source: RFC 791 §3.1.
struct Ipv4 {
  Address source = "10.0.0.1";
  Address destination = "10.0.0.2";
  std::uint8_t protocol = kProtocolTcp;
  std::uint16_t identification = 0;
  bool dont_fragment = true;
  bool more_fragments = false;
  std::uint16_t fragment_offset = 0;  ///< octets, a multiple of 8
  std::uint8_t ttl = 64;
  std::uint8_t traffic_class = 0;
  Buffer options{};                             ///< padded to 4 octets here
  std::optional<std::uint16_t> total_length{};  ///< a wrong length
  std::optional<std::uint16_t> checksum{};      ///< a wrong checksum
};
[[nodiscard]] Buffer write(const Ipv4& header, Octets payload);

/// One IPv6 extension header: its type and the octets after its next-header and length octets. Source: RFC 8200 §4.
struct Ipv6Extension {
  std::uint8_t type = 0;  ///< 0 hop-by-hop, 43 routing, 60 destination options, 51 AH
  Buffer body{};          ///< padded with zeros, so that the header is a multiple of 8 octets
};

/// IPv6 header: 40 octets and extension headers. Payload lengths beyond 65535 are written as 0. Source: RFC 8200 §3.
struct Ipv6 {
  Address source = "fd00::1";
  Address destination = "fd00::2";
  std::uint8_t next_header = kProtocolTcp;  ///< of the payload
  std::uint8_t hop_limit = 64;
  std::uint8_t traffic_class = 0;
  std::uint32_t flow_label = 0;
  std::vector<Ipv6Extension> extensions{};
  std::optional<std::uint16_t> payload_length{};  ///< a wrong length
};
[[nodiscard]] Buffer write(const Ipv6& header, Octets payload);

/// The packet as fragments with at most `payload_octets` (rounded down to 8) of payload each; one packet if it fits.
/// IPv6 fragments get a Fragment header after the extension headers. Source: RFC 791 §3.2, RFC 8200 §4.5.
[[nodiscard]] std::vector<Buffer> fragments(const Ipv4& header, Octets payload, std::size_t payload_octets);
[[nodiscard]] std::vector<Buffer> fragments(const Ipv6& header, Octets payload, std::size_t payload_octets,
                                            std::uint32_t identification);

}  // namespace iwarpscope::synth::wire
