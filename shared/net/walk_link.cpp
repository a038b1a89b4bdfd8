// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Link layers, tags and labels.
#include <algorithm>
#include <array>
#include <utility>

#include "net/cooked.h"
#include "net/ethernet.h"
#include "net/ip.h"
#include "net/mpls.h"
#include "net/walk.h"

namespace iwarpscope::net {
namespace {

constexpr std::uint16_t kLongestLlcFrame = 1500;  // IEEE 802.3 §3.2.6

/// Whether an EtherType is one that could be in an Ethernet frame of a pseudowire that matters here.
[[nodiscard]] bool is_known(std::uint16_t type) noexcept {
  static constexpr auto kKnown =
      std::to_array<std::uint16_t>({ether_type::ipv4, ether_type::vlan, ether_type::ipv6, ether_type::mpls_unicast,
                                    ether_type::mpls_multicast, ether_type::service_vlan, ether_type::old_qinq});
  return std::ranges::find(kKnown, type) != kKnown.end();
}

/// Whether `octets` start with an Ethernet header whose type is known.
[[nodiscard]] bool looks_like_ethernet(Octets octets) noexcept {
  const auto header = EthernetHeader::parse(octets);
  const auto* ethernet = std::get_if<EthernetHeader>(&header);
  return ethernet != nullptr && is_known(ethernet->type());
}

/// Whether an IPv4 header with a plausible length starts `octets`, of which `wire` were on the wire.
[[nodiscard]] bool looks_like_ipv4(Octets octets, std::size_t wire) noexcept {
  const auto header = Ipv4Header::parse(octets);
  const auto* ipv4 = std::get_if<Ipv4Header>(&header);
  if (ipv4 == nullptr) return true;  // too short for anything else
  return ipv4->header_length() >= Ipv4Header::kOctets && ipv4->total_length() >= ipv4->header_length() &&
         ipv4->total_length() <= wire;
}

/// Only the ends of the path know what is below a label stack; its first nibble shows it. Source: RFC 4928 §3,
/// RFC 4385 §3. A destination address of an Ethernet pseudowire may start with any nibble, so its type is asked too.
[[nodiscard]] Layer below_labels(Walk& walk) noexcept {
  if (walk.rest.empty()) return walk.lacks(1);
  const unsigned nibble = to_u8(walk.rest[0]) >> 4;
  if (nibble == 4 && (looks_like_ipv4(walk.rest, walk.wire_length()) || !looks_like_ethernet(walk.rest))) {
    return Layer::ip;
  }
  if (nibble == 6 && !looks_like_ethernet(walk.rest)) return Layer::ip;
  if (nibble == 0 && walk.rest.size() > kControlWordOctets &&
      (looks_like_ethernet(walk.rest.subspan(kControlWordOctets)) || !looks_like_ethernet(walk.rest))) {
    walk.skip(kControlWordOctets);
  }
  return walk.enter(Layer::ethernet);
}

}  // namespace

Layer walk_ethernet(Walk& walk) noexcept {
  const auto header = EthernetHeader::parse(walk.rest);
  const auto* ethernet = std::get_if<EthernetHeader>(&header);
  if (ethernet == nullptr) return walk.lacks(EthernetHeader::kOctets);
  walk.type = ethernet->type();
  walk.skip(EthernetHeader::kOctets);
  if (walk.type == ether_type::ipv4 || walk.type == ether_type::ipv6) return Layer::ip;
  return Layer::ether_type;
}

Layer walk_cooked(Walk& walk) noexcept {
  const auto header = CookedHeader::parse(walk.rest);
  const auto* cooked = std::get_if<CookedHeader>(&header);
  if (cooked == nullptr) return walk.lacks(CookedHeader::kOctets);
  walk.type = cooked->protocol();
  walk.skip(CookedHeader::kOctets);
  if (walk.type >= ether_type::first) return Layer::ether_type;
  return walk.type == linux_type::llc ? Layer::llc : walk.stop(NoPacket::other_protocol);
}

Layer walk_cooked2(Walk& walk) noexcept {
  const auto header = CookedHeader2::parse(walk.rest);
  const auto* cooked = std::get_if<CookedHeader2>(&header);
  if (cooked == nullptr) return walk.lacks(CookedHeader2::kOctets);
  walk.type = cooked->protocol();
  walk.skip(CookedHeader2::kOctets);
  if (walk.type >= ether_type::first) return Layer::ether_type;
  return walk.type == linux_type::llc ? Layer::llc : walk.stop(NoPacket::other_protocol);
}

Layer walk_loopback(Walk& walk) noexcept {
  const auto header = LoopbackHeader::parse(walk.rest);
  const auto* loopback = std::get_if<LoopbackHeader>(&header);
  if (loopback == nullptr) return walk.lacks(LoopbackHeader::kOctets);
  const bool is_ip = loopback->is_ip();
  walk.skip(LoopbackHeader::kOctets);
  return is_ip ? Layer::ip : walk.stop(NoPacket::other_protocol);
}

Layer walk_ether_type(Walk& walk) noexcept {
  switch (walk.type) {
    case ether_type::ipv4:
    case ether_type::ipv6: return Layer::ip;
    case ether_type::mpls_unicast:
    case ether_type::mpls_multicast: return Layer::mpls;
    case ether_type::transparent_ethernet: return walk.enter(Layer::ethernet);
    case ether_type::vlan:
    case ether_type::service_vlan:
    case ether_type::old_qinq: {
      const auto header = VlanTag::parse(walk.rest);
      const auto* tag = std::get_if<VlanTag>(&header);
      if (tag == nullptr) return walk.lacks(VlanTag::kOctets);
      walk.type = tag->type();
      // 0 is a priority and no VLAN. Source: IEEE 802.1Q §9.6.
      const bool is_repeated = std::exchange(walk.mirrored_vlan, std::uint16_t{0}) == tag->identifier();
      if (tag->identifier() != 0 && !is_repeated) walk.separate(separator::vlan, tag->identifier());
      walk.skip(VlanTag::kOctets);
      return walk.enter(Layer::ether_type);
    }
    default: break;
  }
  if (walk.type > kLongestLlcFrame) return walk.stop(NoPacket::other_protocol);
  walk.limit(walk.type);
  return Layer::llc;
}

Layer walk_llc(Walk& walk) noexcept {
  const auto header = LlcHeader::parse(walk.rest);
  const auto* llc = std::get_if<LlcHeader>(&header);
  if (llc == nullptr) return walk.lacks(LlcHeader::kOctets);
  const bool is_ip = llc->is_ip();
  const bool is_snap = llc->is_snap();
  walk.skip(LlcHeader::kOctets);
  if (is_ip) return Layer::ip;
  if (!is_snap) return walk.stop(NoPacket::other_protocol);
  const auto below = SnapHeader::parse(walk.rest);
  const auto* snap = std::get_if<SnapHeader>(&below);
  if (snap == nullptr) return walk.lacks(SnapHeader::kOctets);
  walk.type = snap->type();
  const bool has_ether_type = snap->has_ether_type() && walk.type >= ether_type::first;
  walk.skip(SnapHeader::kOctets);
  return has_ether_type ? Layer::ether_type : walk.stop(NoPacket::other_protocol);
}

Layer walk_mpls(Walk& walk) noexcept {
  const auto header = MplsEntry::parse(walk.rest);
  const auto* entry = std::get_if<MplsEntry>(&header);
  if (entry == nullptr) return walk.lacks(MplsEntry::kOctets);
  const bool is_bottom = entry->bottom_of_stack();
  // Those above it say how to get there; the last one says where. Source: RFC 4364 §5.
  if (is_bottom) walk.separate(separator::mpls, entry->label());
  walk.skip(MplsEntry::kOctets);
  const Layer next = walk.enter(Layer::mpls);
  return is_bottom && next == Layer::mpls ? below_labels(walk) : next;
}

}  // namespace iwarpscope::net
