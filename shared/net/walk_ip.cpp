// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// IPv4, IPv6 and the headers that may be between them and the transport.
#include "net/checksum.h"
#include "net/ip.h"
#include "net/walk.h"

namespace iwarpscope::net {
namespace {

constexpr unsigned kMaxExtensions = 32;  // ours: RFC 8200 §4.1 gives each header once, options twice

[[nodiscard]] Layer walk_ipv4(Walk& walk) noexcept {
  const auto header = Ipv4Header::parse(walk.rest);
  const auto* ipv4 = std::get_if<Ipv4Header>(&header);
  if (ipv4 == nullptr) return walk.lacks(Ipv4Header::kOctets);
  const std::size_t header_length = ipv4->header_length();
  const std::size_t total = ipv4->total_length() != 0 ? ipv4->total_length() : walk.wire_length();
  if (header_length < Ipv4Header::kOctets || total < header_length) return walk.stop(NoPacket::malformed);
  walk.limit(total);
  if (walk.rest.size() < header_length) return walk.lacks(header_length);

  walk.ip.source = ipv4->source();
  walk.ip.destination = ipv4->destination();
  walk.ip.id = ipv4->identification();
  walk.ip.protocol = ipv4->protocol();
  walk.ip.ttl = ipv4->ttl();
  walk.ip.is_v4 = true;
  walk.ip.dont_fragment = ipv4->dont_fragment();
  walk.ip.fragmented = false;
  const bool right = header_sum(walk.rest.first(header_length)) == 0xFFFFu;
  walk.ip.checksum_good = right;
  walk.ip.checksum_wrong = !right && ipv4->checksum() != 0;
  const std::uint32_t offset = ipv4->fragment_offset();
  const bool more = ipv4->more_fragments();
  walk.skip(header_length);
  if (offset == 0 && !more) return Layer::ip_payload;
  walk.fragment = {walk.ip.id, offset, more};
  return Layer::fragment;
}

[[nodiscard]] Layer walk_ipv6(Walk& walk) noexcept {
  const auto header = Ipv6Header::parse(walk.rest);
  const auto* ipv6 = std::get_if<Ipv6Header>(&header);
  if (ipv6 == nullptr) return walk.lacks(Ipv6Header::kOctets);
  walk.ip.source = ipv6->source();
  walk.ip.destination = ipv6->destination();
  walk.ip.id = 0;
  walk.ip.protocol = ipv6->next_header();
  walk.ip.ttl = ipv6->hop_limit();
  walk.ip.is_v4 = false;
  walk.ip.checksum_good = walk.ip.checksum_wrong = false;
  walk.ip.dont_fragment = true;
  walk.ip.fragmented = false;
  const std::size_t payload = ipv6->payload_length();
  walk.skip(Ipv6Header::kOctets);
  if (payload != 0) walk.limit(payload);
  return Layer::ip_payload;
}

/// While addresses of a routing header are still to be visited, the IPv6 header names one of them; the connection is
/// with the last. Source: RFC 8200 §8.1; types 0 (RFC 5095), 2 (RFC 6275 §6.4), 4 (RFC 8754 §2, last address first).
void visit_routing(const Ipv6Extension& routing, Walk& walk) noexcept {
  constexpr std::uint8_t kSource = 0;
  constexpr std::uint8_t kMobile = 2;
  constexpr std::uint8_t kSegments = 4;
  constexpr std::size_t kAddress = 16;
  const std::size_t length = routing.length();
  const std::uint8_t type = routing.routing_type();
  if (routing.segments_left() == 0 || (type != kSource && type != kMobile && type != kSegments)) return;
  if (length < Ipv6Extension::kOctets + kAddress || length > walk.rest.size()) return;
  const std::size_t addresses = (length - Ipv6Extension::kOctets) / kAddress;
  const std::size_t at = Ipv6Extension::kOctets + (type == kSegments ? 0 : (addresses - 1) * kAddress);
  walk.ip.destination = ipv6_address(walk.rest.subspan(at).first<kAddress>());
}

/// Takes one extension header off. ip_payload: go on; anything else ends the chain.
[[nodiscard]] Layer walk_extension(Walk& walk) noexcept {
  const auto header = Ipv6Extension::parse(walk.rest);
  const auto* extension = std::get_if<Ipv6Extension>(&header);
  if (extension == nullptr) return walk.lacks(Ipv6Extension::kOctets);
  const std::uint8_t protocol = walk.ip.protocol;
  walk.ip.protocol = extension->next_header();
  if (protocol == ip_protocol::fragment) {
    walk.fragment = {extension->identification(), extension->fragment_offset(), extension->more_fragments()};
    walk.skip(Ipv6Extension::kOctets);
    // An atomic fragment is whole. Source: RFC 6946 §4.
    return walk.fragment.offset == 0 && !walk.fragment.more ? Layer::ip_payload : Layer::fragment;
  }
  const std::size_t length =
      protocol == ip_protocol::authentication ? extension->authentication_length() : extension->length();
  if (walk.rest.size() < length) return walk.lacks(length);
  if (protocol == ip_protocol::routing) visit_routing(*extension, walk);
  walk.skip(length);
  return Layer::ip_payload;
}

[[nodiscard]] bool is_ipv6_extension(std::uint8_t protocol) noexcept {
  switch (protocol) {
    case ip_protocol::hop_by_hop:
    case ip_protocol::routing:
    case ip_protocol::fragment:
    case ip_protocol::destination_options:
    case ip_protocol::mobility:
    case ip_protocol::host_identity:
    case ip_protocol::shim6: return true;
    default: return false;
  }
}

}  // namespace

Layer walk_ip(Walk& walk) noexcept {
  if (walk.rest.empty()) return walk.lacks(1);
  switch (to_u8(walk.rest[0]) >> 4) {
    case 4: return walk_ipv4(walk);
    case 6: return walk_ipv6(walk);
    default: return walk.stop(NoPacket::malformed);
  }
}

Layer walk_ip_payload(Walk& walk) noexcept {
  for (unsigned extensions = 0;; ++extensions) {
    const std::uint8_t protocol = walk.ip.protocol;
    switch (protocol) {
      case ip_protocol::tcp: return Layer::tcp;
      case ip_protocol::sctp:
        walk.udp_source = walk.udp_destination = 0;  // those of a tunnel around it
        return Layer::sctp;
      case ip_protocol::udp: return Layer::udp;
      case ip_protocol::gre: return Layer::gre;
      case ip_protocol::ipv4:
      case ip_protocol::ipv6: return walk.enter(Layer::ip);
      default: break;
    }
    if (protocol != ip_protocol::authentication && (walk.ip.is_v4 || !is_ipv6_extension(protocol))) {
      return walk.stop(NoPacket::other_protocol);
    }
    if (extensions == kMaxExtensions) {
      walk.too_deep = true;
      return walk.stop(NoPacket::malformed);
    }
    if (const Layer next = walk_extension(walk); next != Layer::ip_payload) return next;
  }
}

}  // namespace iwarpscope::net
