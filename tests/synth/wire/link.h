// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Link headers and the tags between them and IP.
#pragma once

#include <cstdint>
#include <vector>

#include "synth/wire/address.h"
#include "synth/wire/octets.h"

namespace iwarpscope::synth::wire {

inline constexpr std::uint16_t kEtherIpv4 = 0x0800;
inline constexpr std::uint16_t kEtherIpv6 = 0x86DD;
inline constexpr std::uint16_t kEtherMpls = 0x8847;
inline constexpr std::uint16_t kEtherBridging = 0x6558;  ///< Ethernet in GRE and GENEVE

/// Ethernet II: 14 octets. Frames below 60 octets are padded with zeros when `pad` is set. Source: IEEE 802.3.
struct Ethernet {
  Mac destination{0x020000000002};
  Mac source{0x020000000001};
  std::uint16_t ether_type = kEtherIpv4;
  bool pad = false;
};
[[nodiscard]] Buffer write(const Ethernet& header, Octets payload);

/// One VLAN tag: 4 octets between the MAC addresses and the EtherType. Source: IEEE 802.1Q, 802.1ad.
struct VlanTag {
  std::uint16_t id = 1;         ///< 12 bits
  std::uint16_t type = 0x8100;  ///< 0x8100, or 0x88A8 for the outer tag of QinQ
  std::uint8_t priority = 0;    ///< 3 bits
};
/// `payload` after the tags, outermost first; returns the contents of the Ethernet frame whose EtherType must be
/// tags.front().type. Precondition: tags is not empty.
[[nodiscard]] Buffer write(const std::vector<VlanTag>& tags, std::uint16_t ether_type, Octets payload);

/// One MPLS label: 4 octets; the last of a stack has the bottom bit. Source: RFC 3032 §2.1.
struct MplsLabel {
  std::uint32_t label = 16;  ///< 20 bits
  std::uint8_t traffic_class = 0;
  std::uint8_t ttl = 64;
};
[[nodiscard]] Buffer write(const std::vector<MplsLabel>& labels, Octets payload);

/// Linux cooked capture v1: 16 octets. Source: LINKTYPE_LINUX_SLL.
struct LinuxSll {
  std::uint16_t packet_type = 0;  ///< 0 to us, 4 from us
  Mac source{0x020000000001};
  std::uint16_t ether_type = kEtherIpv4;
};
[[nodiscard]] Buffer write(const LinuxSll& header, Octets payload);

/// Linux cooked capture v2: 20 octets. Source: LINKTYPE_LINUX_SLL2.
struct LinuxSll2 {
  std::uint16_t ether_type = kEtherIpv4;
  std::uint32_t interface_index = 2;
  std::uint8_t packet_type = 0;
  Mac source{0x020000000001};
};
[[nodiscard]] Buffer write(const LinuxSll2& header, Octets payload);

/// BSD loopback: 4 octets of address family, 2 for IPv4 and 24, 28 or 30 for IPv6. Source: LINKTYPE_NULL,
/// LINKTYPE_LOOP.
struct Loopback {
  std::uint32_t family = 2;
  bool big_endian = false;
};
[[nodiscard]] Buffer write(const Loopback& header, Octets payload);

}  // namespace iwarpscope::synth::wire
