// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// GRE with ERSPAN, VXLAN and GENEVE.
#include <algorithm>

#include "net/ethernet.h"
#include "net/gre.h"
#include "net/overlay.h"
#include "net/sctp_header.h"
#include "net/walk.h"

namespace iwarpscope::net {
namespace {

/// Takes GRE source routes off. Returns false when they do not end; walk.reason says why. Source: RFC 1701.
[[nodiscard]] bool skip_routes(Walk& walk) noexcept {
  for (;;) {
    const auto header = GreRoute::parse(walk.rest);
    const auto* route = std::get_if<GreRoute>(&header);
    const std::size_t need = GreRoute::kOctets + (route != nullptr ? route->data_length() : 0);
    if (walk.rest.size() < need) {
      (void)walk.lacks(need);
      return false;
    }
    const bool is_last = route->is_last();
    walk.skip(need);
    if (is_last) return true;
  }
}

void note_cut(Walk& walk, bool is_cut) noexcept {
  walk.shortened = walk.shortened || is_cut;
  walk.cut_announced = walk.cut_announced || is_cut;
}

[[nodiscard]] Layer walk_erspan2(Walk& walk) noexcept {
  const auto header = Erspan2Header::parse(walk.rest);
  const auto* erspan = std::get_if<Erspan2Header>(&header);
  if (erspan == nullptr) return walk.lacks(Erspan2Header::kOctets);
  if (erspan->version() != Erspan2Header::kVersion) return walk.stop(NoPacket::malformed);
  note_cut(walk, erspan->truncated());
  walk.separate_mirrored(erspan->vlan());
  walk.skip(Erspan2Header::kOctets);
  return walk.enter(Layer::ethernet);
}

[[nodiscard]] Layer walk_erspan3(Walk& walk) noexcept {
  constexpr unsigned kEthernet = 0;
  constexpr unsigned kIp = 2;
  const auto header = Erspan3Header::parse(walk.rest);
  const auto* erspan = std::get_if<Erspan3Header>(&header);
  if (erspan == nullptr) return walk.lacks(Erspan3Header::kOctets);
  if (erspan->version() != Erspan3Header::kVersion) return walk.stop(NoPacket::malformed);
  const std::size_t length =
      Erspan3Header::kOctets + (erspan->has_subheader() ? Erspan3Header::kSubheaderOctets : std::size_t{0});
  if (walk.rest.size() < length) return walk.lacks(length);
  note_cut(walk, erspan->truncated());
  walk.separate_mirrored(erspan->vlan());
  const unsigned frame_type = erspan->frame_type();
  walk.skip(length);
  if (frame_type == kEthernet) return walk.enter(Layer::ethernet);
  return frame_type == kIp ? walk.enter(Layer::ip) : walk.stop(NoPacket::other_protocol);
}

[[nodiscard]] Layer walk_vxlan(Walk& walk) noexcept {
  const auto header = VxlanHeader::parse(walk.rest);
  const auto* vxlan = std::get_if<VxlanHeader>(&header);
  if (vxlan == nullptr) return walk.lacks(VxlanHeader::kOctets);
  if (!vxlan->has_identifier()) return walk.stop(NoPacket::other_protocol);
  walk.overlay = vxlan->identifier() + 1;
  walk.separate(separator::overlay, vxlan->identifier());
  walk.skip(VxlanHeader::kOctets);
  return walk.enter(Layer::ethernet);
}

[[nodiscard]] Layer walk_geneve(Walk& walk) noexcept {
  const auto header = GeneveHeader::parse(walk.rest);
  const auto* geneve = std::get_if<GeneveHeader>(&header);
  if (geneve == nullptr) return walk.lacks(GeneveHeader::kOctets);
  if (geneve->version() != 0) return walk.stop(NoPacket::other_protocol);
  if (walk.rest.size() < geneve->length()) return walk.lacks(geneve->length());
  walk.type = geneve->protocol();
  walk.overlay = geneve->identifier() + 1;
  walk.separate(separator::overlay, geneve->identifier());
  walk.skip(geneve->length());
  return walk.type >= ether_type::first ? walk.enter(Layer::ether_type) : walk.stop(NoPacket::other_protocol);
}

/// Its ends are part of a tunnel's name: keys are theirs to choose, and there may be none. Source: RFC 2890 §2.1.
void separate_tunnel(Walk& walk) noexcept {
  const auto [low, high] = std::minmax(walk.ip.source, walk.ip.destination);  // the same in both directions
  for (const IpAddress& end : {low, high}) {
    for (const std::size_t half : {0U, 1U}) {
      walk.separate(separator::tunnel_ends, static_cast<std::uint32_t>(end.word(half) >> 32));
      walk.separate(separator::tunnel_ends, static_cast<std::uint32_t>(end.word(half)));
    }
  }
}

}  // namespace

Layer walk_gre(Walk& walk) noexcept {
  const auto header = GreHeader::parse(walk.rest);
  const auto* gre = std::get_if<GreHeader>(&header);
  if (gre == nullptr) return walk.lacks(GreHeader::kOctets);
  if (gre->version() != 0) return walk.stop(NoPacket::other_protocol);
  if (walk.rest.size() < gre->length()) return walk.lacks(gre->length());
  walk.type = gre->protocol();
  const bool has_routing = gre->has_routing();
  const bool has_sequence = gre->has_sequence();
  if (gre->has_key()) {
    const std::size_t at = GreHeader::kOctets + (gre->has_checksum() || has_routing ? 4u : 0u);
    walk.separate(separator::gre, load_be<std::uint32_t>(walk.rest.subspan(at)));
  }
  walk.skip(gre->length());
  if (has_routing && !skip_routes(walk)) return Layer::none;
  if (walk.type == gre_type::erspan_3) return walk_erspan3(walk);
  if (walk.type == gre_type::erspan) return has_sequence ? walk_erspan2(walk) : walk.enter(Layer::ethernet);
  if (walk.type < ether_type::first) return walk.stop(NoPacket::other_protocol);
  separate_tunnel(walk);  // what a mirror sends, above, is of one network, wherever it comes from
  return walk.enter(Layer::ether_type);
}

Layer walk_udp(Walk& walk) noexcept {
  const auto header = UdpHeader::parse(walk.rest);
  const auto* udp = std::get_if<UdpHeader>(&header);
  if (udp == nullptr) return walk.lacks(UdpHeader::kOctets);
  walk.udp_source = udp->source_port();
  walk.udp_destination = udp->destination_port();
  const std::size_t length = udp->length() != 0 ? udp->length() : walk.wire_length();
  if (length < UdpHeader::kOctets) return walk.stop(NoPacket::malformed);
  // A length beyond the datagram is for the headers inside to judge.
  if (length < walk.wire_length()) walk.limit(length);
  walk.skip(UdpHeader::kOctets);
  switch (walk.udp_destination) {
    case udp_port::vxlan:
    case udp_port::vxlan_linux: return walk_vxlan(walk);
    case udp_port::geneve: return walk_geneve(walk);
    case udp_port::port_mapper: return Layer::datagram;
    default: break;
  }
  if (walk.udp_source == udp_port::port_mapper) return Layer::datagram;
  if (walk.udp_destination != udp_port::sctp && walk.udp_source != udp_port::sctp) {
    return walk.stop(NoPacket::other_protocol);
  }
  // What is too short for SCTP is another protocol that was given the port.
  return walk.wire_length() >= SctpHeader::kOctets ? Layer::sctp : walk.stop(NoPacket::other_protocol);
}

}  // namespace iwarpscope::net
