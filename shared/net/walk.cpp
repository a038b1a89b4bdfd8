// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "net/walk.h"

namespace iwarpscope::net {

Walk begin_walk(const Frame& frame, unsigned max_encapsulations) noexcept {
  Walk walk;
  walk.rest = frame.octets;
  walk.cut = frame.original_length > frame.octets.size() ? frame.original_length - frame.octets.size() : 0;
  walk.room = max_encapsulations;
  return walk;
}

Layer first_layer(LinkType link, Walk& walk) noexcept {
  switch (link) {
    case LinkType::ethernet: return Layer::ethernet;
    case LinkType::linux_sll: return Layer::cooked;
    case LinkType::linux_sll2: return Layer::cooked2;
    case LinkType::null:
    case LinkType::openbsd_loop: return Layer::loopback;
    case LinkType::raw_ip:
    case LinkType::ipv4:
    case LinkType::ipv6: return Layer::ip;
  }
  return walk.stop(NoPacket::unsupported_link);
}

Layer walk_on(Layer layer, Walk& walk) noexcept {
  switch (layer) {
    case Layer::ethernet: return walk_ethernet(walk);
    case Layer::cooked: return walk_cooked(walk);
    case Layer::cooked2: return walk_cooked2(walk);
    case Layer::loopback: return walk_loopback(walk);
    case Layer::ether_type: return walk_ether_type(walk);
    case Layer::llc: return walk_llc(walk);
    case Layer::mpls: return walk_mpls(walk);
    case Layer::ip: return walk_ip(walk);
    case Layer::ip_payload: return walk_ip_payload(walk);
    case Layer::gre: return walk_gre(walk);
    case Layer::udp: return walk_udp(walk);
    case Layer::fragment:
    case Layer::datagram:
    case Layer::tcp:
    case Layer::sctp:
    case Layer::none: break;
  }
  return walk.stop(NoPacket::other_protocol);
}

}  // namespace iwarpscope::net
