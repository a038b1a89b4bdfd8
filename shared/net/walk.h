// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// One frame's way from header to header.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/octets.h"
#include "net/address.h"
#include "net/frame.h"
#include "net/no_packet.h"

namespace iwarpscope::net {

/// What is next in a frame. `none` ends the walk without a transport packet.
enum class Layer : std::uint8_t {
  ethernet,
  cooked,
  cooked2,
  loopback,
  ether_type,  ///< Walk::type says what
  llc,
  mpls,
  ip,
  fragment,    ///< Walk::fragment says which
  ip_payload,  ///< Walk::ip.protocol says what
  gre,
  udp,
  datagram,  ///< what a UDP header of interest is followed by; Walk::udp_source and udp_destination say from where
  tcp,
  sctp,
  none,
};

/// What the innermost IP header said.
struct IpFacts {
  IpAddress source;
  IpAddress destination;
  std::uint16_t id = 0;
  std::uint8_t protocol = 0;
  std::uint8_t ttl = 0;
  bool is_v4 = false;
  bool dont_fragment = false;
  bool fragmented = false;
  bool checksum_good = false, checksum_wrong = false;  ///< of the IPv4 header; neither where the field is 0
};

/// Which part of its datagram an IP fragment is. Units: octets of the datagram's payload.
struct FragmentFacts {
  std::uint32_t identification = 0;
  std::uint32_t offset = 0;
  bool more = false;
};

/// Kinds of numbers that separate tenants.
namespace separator {
inline constexpr std::uint32_t vlan = 1, mpls = 2, gre = 3, overlay = 4, tap_group = 5, tunnel_ends = 6;
}

/// The state of a walk. Invariant: `rest` was captured, `cut` octets follow it that were on the wire but not captured.
struct Walk {
  Octets rest;
  std::size_t cut = 0;
  unsigned room = 0;           ///< encapsulations still allowed
  bool shortened = false;      ///< an IP length promised more than the wire length holds
  bool cut_announced = false;  ///< the header of a mirror says that it cut the frame
  bool too_deep = false;
  NoPacket reason = NoPacket::other_protocol;
  std::uint16_t type = 0;
  std::uint16_t udp_source = 0, udp_destination = 0;  ///< ports of the innermost UDP header
  std::uint32_t overlay = 0;                          ///< VXLAN or GENEVE network identifier plus one, 0 without
  std::uint32_t tenant = 0;                           ///< as FlowKey::overlay over TCP
  std::uint16_t mirrored_vlan = 0;                    ///< in the header of the mirror; 0: none
  FragmentFacts fragment;
  IpFacts ip;

  [[nodiscard]] std::size_t wire_length() const noexcept { return rest.size() + cut; }
  /// Precondition: octets <= rest.size().
  void skip(std::size_t octets) noexcept { rest = rest.subspan(octets); }
  /// A header says that `length` octets belong to it: what follows them is padding, what lacks was cut.
  void limit(std::size_t length) noexcept {
    if (length <= rest.size()) {
      rest = rest.first(length);
      cut = 0;
      return;
    }
    if (length > wire_length()) shortened = true;
    cut = length - rest.size();
  }
  Layer stop(NoPacket why) noexcept {
    reason = why;
    return Layer::none;
  }
  /// A header needs `need` octets and rest has fewer.
  Layer lacks(std::size_t need) noexcept {
    return stop(need <= wire_length() ? NoPacket::truncated : NoPacket::malformed);
  }
  /// What separates tenants: one more number of this kind.
  void separate(std::uint32_t kind, std::uint32_t number) noexcept {
    constexpr std::uint64_t kMix = 0x9E3779B97F4A7C15;
    const std::uint64_t mixed = ((std::uint64_t{tenant} << 32 | kind << 24) ^ number) * kMix;
    tenant = static_cast<std::uint32_t>(mixed >> 32 ^ mixed >> 3) | 1U;
  }
  /// A VLAN in the header of a mirror: the tag inside may repeat it, or may have been taken off.
  void separate_mirrored(std::uint16_t vlan) noexcept {
    mirrored_vlan = vlan;
    if (vlan != 0) separate(separator::vlan, vlan);
  }
  /// One more tag, label or tunnel, then `next`.
  Layer enter(Layer next) noexcept {
    if (room == 0) {
      too_deep = true;
      return stop(NoPacket::malformed);
    }
    --room;
    return next;
  }
};

/// A walk through all that was captured of a frame.
[[nodiscard]] Walk begin_walk(const Frame& frame, unsigned max_encapsulations) noexcept;
/// The first header of a frame of this link type.
[[nodiscard]] Layer first_layer(LinkType link, Walk& walk) noexcept;
/// Takes the header of `layer` off, if it is one that needs nothing but the frame: not an IP fragment, and no layer
/// that ends a walk. Returns what follows.
[[nodiscard]] Layer walk_on(Layer layer, Walk& walk) noexcept;

// Each takes the header at the front of walk.rest off and says what follows. Total on any octets; nothing is allocated.
[[nodiscard]] Layer walk_ethernet(Walk& walk) noexcept;
[[nodiscard]] Layer walk_cooked(Walk& walk) noexcept;
[[nodiscard]] Layer walk_cooked2(Walk& walk) noexcept;
[[nodiscard]] Layer walk_loopback(Walk& walk) noexcept;
[[nodiscard]] Layer walk_ether_type(Walk& walk) noexcept;
[[nodiscard]] Layer walk_llc(Walk& walk) noexcept;
[[nodiscard]] Layer walk_mpls(Walk& walk) noexcept;
[[nodiscard]] Layer walk_ip(Walk& walk) noexcept;
[[nodiscard]] Layer walk_ip_payload(Walk& walk) noexcept;
[[nodiscard]] Layer walk_gre(Walk& walk) noexcept;
[[nodiscard]] Layer walk_udp(Walk& walk) noexcept;

}  // namespace iwarpscope::net
