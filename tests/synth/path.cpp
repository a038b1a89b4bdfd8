// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "synth/path.h"

#include <algorithm>
#include <stdexcept>

#include "synth/wire/tunnel.h"

namespace iwarpscope::synth {

namespace {

std::uint16_t ether_type(const Address& address) {
  return address.is_v6() ? wire::kEtherIpv6 : wire::kEtherIpv4;
}

// An Ethernet frame with tags and a packet of this EtherType.
Buffer tagged_ethernet(Mac destination, Mac source, const std::vector<wire::VlanTag>& vlans, std::uint16_t type,
                       bool pad, const Buffer& payload) {
  wire::Ethernet header{destination, source, type, pad};
  if (vlans.empty()) return write(header, payload);
  header.ether_type = vlans.front().type;
  return write(header, wire::write(vlans, type, payload));
}

// UDP needs a checksum over IPv6; over IPv4, tunnels omit it.
Buffer udp(const Tunnel& tunnel, std::uint16_t port, const Buffer& payload) {
  const wire::Udp header{.destination_port = port};
  return tunnel.source.is_v6() ? write(header, payload, tunnel.source, tunnel.destination) : write(header, payload);
}

Buffer outer_ip(const Tunnel& tunnel, std::uint8_t protocol, std::uint16_t identification, const Buffer& payload) {
  if (tunnel.source.is_v6()) {
    return write(wire::Ipv6{.source = tunnel.source, .destination = tunnel.destination, .next_header = protocol},
                 payload);
  }
  return write(wire::Ipv4{.source = tunnel.source,
                          .destination = tunnel.destination,
                          .protocol = protocol,
                          .identification = identification},
               payload);
}

}  // namespace

Buffer Framer::ethernet(const IpPacket& packet, Buffer ip) const {
  std::uint16_t type = ether_type(packet.source);
  if (!path_.labels.empty()) {
    ip = wire::write(path_.labels, ip);
    type = wire::kEtherMpls;
  }
  return tagged_ethernet(packet.destination_mac, packet.source_mac, path_.vlans, type, path_.pad_ethernet, ip);
}

Buffer Framer::tunnelled(const IpPacket& packet, Buffer ip) {
  const Tunnel& tunnel = *path_.tunnel;
  const auto erspan = [&](int type) {
    const std::uint16_t tagged = path_.vlans.empty() ? std::uint16_t{0} : path_.vlans.front().id;
    const std::uint16_t vlan = tunnel.erspan_vlan != 0 ? tunnel.erspan_vlan : tagged;
    const wire::Erspan header{.type = type,
                              .session = static_cast<std::uint16_t>(tunnel.id),
                              .vlan = vlan,
                              .sequence = mirrored_,
                              .platform = type == 3 && tunnel.id % 2 == 1};
    return write(header, ethernet(packet, std::move(ip)));
  };
  Buffer payload;
  std::uint8_t protocol = wire::kProtocolGre;
  switch (tunnel.kind) {
    case Tunnel::Kind::gre_ip:
      payload = write(wire::Gre{.protocol = ether_type(packet.source), .key = tunnel.id}, ip);
      break;
    case Tunnel::Kind::gre_ethernet:
      payload = write(wire::Gre{.protocol = wire::kEtherBridging, .checksum = true, .sequence = mirrored_},
                      ethernet(packet, std::move(ip)));
      break;
    case Tunnel::Kind::erspan_1: payload = erspan(1); break;
    case Tunnel::Kind::erspan_2: payload = erspan(2); break;
    case Tunnel::Kind::erspan_3: payload = erspan(3); break;
    case Tunnel::Kind::vxlan:
      protocol = wire::kProtocolUdp;
      payload = udp(tunnel, 4789, write(wire::Vxlan{tunnel.id}, ethernet(packet, std::move(ip))));
      break;
    case Tunnel::Kind::geneve:
      protocol = wire::kProtocolUdp;
      payload = udp(tunnel, 6081,
                    write(wire::Geneve{.vni = tunnel.id, .options = tunnel.options}, ethernet(packet, std::move(ip))));
      break;
    case Tunnel::Kind::geneve_ip:
      protocol = wire::kProtocolUdp;
      payload = udp(tunnel, 6081, write(wire::Geneve{tunnel.id, ether_type(packet.source), tunnel.options}, ip));
      break;
  }
  return outer_ip(tunnel, protocol, static_cast<std::uint16_t>(mirrored_++), payload);
}

Frame Framer::frame(const IpPacket& packet, Buffer ip) {
  const bool v6 = path_.tunnel ? path_.tunnel->source.is_v6() : packet.source.is_v6();
  const std::uint16_t type = v6 ? wire::kEtherIpv6 : wire::kEtherIpv4;
  const bool inside = path_.tunnel.has_value();
  if (inside) ip = tunnelled(packet, std::move(ip));
  Buffer octets;
  switch (path_.link) {
    case LinkType::ethernet:
      octets = inside ? tagged_ethernet(Mac{0x0200000000FE}, Mac{0x0200000000FD}, path_.tunnel->vlans, type,
                                        path_.pad_ethernet, ip)
                      : ethernet(packet, std::move(ip));
      break;
    case LinkType::linux_sll:
      octets = write(wire::LinuxSll{.source = packet.source_mac, .ether_type = type}, ip);
      break;
    case LinkType::linux_sll2:
      octets = write(wire::LinuxSll2{.ether_type = type, .source = packet.source_mac}, ip);
      break;
    case LinkType::null_loopback: octets = write(wire::Loopback{v6 ? 30U : 2U, false}, ip); break;
    case LinkType::loop: octets = write(wire::Loopback{v6 ? 24U : 2U, true}, ip); break;
    case LinkType::raw_ip:
    case LinkType::ipv4:
    case LinkType::ipv6: octets = std::move(ip); break;
  }
  Frame frame{.link_type = path_.link, .original_length = static_cast<std::uint32_t>(octets.size())};
  if (octets.size() > path_.snap_length) octets.resize(path_.snap_length);
  frame.octets = std::move(octets);
  return frame;
}

Frames Framer::frames(const IpPacket& packet) {
  if (packet.source.is_v6() != packet.destination.is_v6()) throw std::invalid_argument("path: mixed IP versions");
  const std::size_t limit = path_.fragment_payload == 0 ? ~std::size_t{0} : path_.fragment_payload;
  std::vector<Buffer> packets;
  if (packet.source.is_v6()) {
    const wire::Ipv6 header{.source = packet.source,
                            .destination = packet.destination,
                            .next_header = packet.protocol,
                            .hop_limit = packet.ttl,
                            .extensions = path_.ipv6_extensions};
    packets = wire::fragments(header, packet.payload, limit, packet.identification);
  } else {
    const wire::Ipv4 header{.source = packet.source,
                            .destination = packet.destination,
                            .protocol = packet.protocol,
                            .identification = packet.identification,
                            .ttl = packet.ttl,
                            .options = path_.ipv4_options};
    packets = wire::fragments(header, packet.payload, limit);
  }
  if (path_.fragments_reversed) std::reverse(packets.begin(), packets.end());
  Frames out;
  out.reserve(packets.size());
  for (Buffer& ip : packets) out.push_back(frame(packet, std::move(ip)));
  return out;
}

}  // namespace iwarpscope::synth
