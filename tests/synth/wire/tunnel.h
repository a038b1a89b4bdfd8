// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Mirror transports: UDP, GRE, ERSPAN, VXLAN, GENEVE. Each writes the octets after the IP header of the outer packet.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "synth/wire/address.h"
#include "synth/wire/link.h"
#include "synth/wire/octets.h"

namespace iwarpscope::synth::wire {

/// UDP: 8 octets. Checksum 0 (none) unless the addresses are given. Source: RFC 768, RFC 6936 for 0 over IPv6.
struct Udp {
  std::uint16_t source_port = 49152;
  std::uint16_t destination_port = 4789;
};
[[nodiscard]] Buffer write(const Udp& header, Octets payload);
[[nodiscard]] Buffer write(const Udp& header, Octets payload, const Address& source, const Address& destination);

/// GRE: 4 octets, 4 more for each of checksum, key and sequence number. Source: RFC 2784 §2, RFC 2890 §2.
struct Gre {
  std::uint16_t protocol = kEtherIpv4;
  bool checksum = false;
  std::optional<std::uint32_t> key{};
  std::optional<std::uint32_t> sequence{};
};
[[nodiscard]] Buffer write(const Gre& header, Octets payload);

/// ERSPAN type I: GRE without options and protocol 0x88BE, then the mirrored Ethernet frame.
/// Type II: GRE with sequence number and 8 octets. Type III: protocol 0x22EB, 12 octets and 8 more with O.
/// Writes from the GRE header on. Source: draft-foschiano-erspan-03 §4.
struct Erspan {
  int type = 2;                ///< 1, 2 or 3
  std::uint16_t session = 1;   ///< 10 bits
  std::uint16_t vlan = 0;      ///< 12 bits
  std::uint32_t sequence = 0;  ///< not in type I
  std::uint32_t index = 0;     ///< type II: port index; type III: time stamp
  bool platform = false;       ///< type III: the 8-octet platform specific sub-header follows
};
[[nodiscard]] Buffer write(const Erspan& header, Octets ethernet_frame);

/// VXLAN: 8 octets after UDP port 4789. Source: RFC 7348 §5.
struct Vxlan {
  std::uint32_t vni = 1;  ///< 24 bits
};
[[nodiscard]] Buffer write(const Vxlan& header, Octets ethernet_frame);

/// GENEVE: 8 octets and options after UDP port 6081. Source: RFC 8926 §3.4.
struct Geneve {
  std::uint32_t vni = 1;  ///< 24 bits
  std::uint16_t protocol = kEtherBridging;
  Buffer options{};  ///< a multiple of 4 octets
};
[[nodiscard]] Buffer write(const Geneve& header, Octets payload);

}  // namespace iwarpscope::synth::wire
