// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Fields from the link layer to the transport header.
#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "fields/headers.h"
#include "net/ethernet.h"
#include "net/gre.h"
#include "net/ip.h"
#include "net/mpls.h"
#include "net/overlay.h"
#include "net/sctp_header.h"
#include "net/tcp_header.h"
#include "net/tcp_packet.h"
#include "net/walk.h"

namespace iwarpscope::fields {
namespace {

constexpr unsigned kMostEncapsulations = 8;  // as net::DecoderLimits
constexpr std::size_t kMacOctets = 6;

std::string mac_text(Octets octets) {
  return fmt::format("{:02x}:{:02x}:{:02x}:{:02x}:{:02x}:{:02x}", to_u8(octets[0]), to_u8(octets[1]), to_u8(octets[2]),
                     to_u8(octets[3]), to_u8(octets[4]), to_u8(octets[5]));
}

std::string hex_text(unsigned value, int digits) {
  return fmt::format("0x{:0{}x}", value, digits);
}

/// One header: where it is, and the frame.
struct Header {
  FieldList& to;
  Octets rest;           ///< from the header on
  std::uint32_t at = 0;  ///< of the header in the frame

  [[nodiscard]] Writer writer() const {
    return {to, {.at = at, .begin = at, .end = at + static_cast<std::uint32_t>(rest.size())}};
  }
};

void put_ethernet(const Header& h) {
  const auto parsed = net::EthernetHeader::parse(h.rest);
  const auto* header = std::get_if<net::EthernetHeader>(&parsed);
  if (header == nullptr) return;
  Writer to = h.writer();
  to.put("Ethernet", "Destination", 0, kMacOctets, mac_text(h.rest));
  to.put("Ethernet", "Source", kMacOctets, kMacOctets, mac_text(h.rest.subspan(kMacOctets)));
  to.put("Ethernet", "Type", 12, 2, hex_text(header->type(), 4));
}

void put_vlan(const Header& h) {
  const auto parsed = net::VlanTag::parse(h.rest);
  const auto* tag = std::get_if<net::VlanTag>(&parsed);
  if (tag == nullptr) return;
  Writer to = h.writer();
  to.put("VLAN", "Identifier", 0, 2, std::to_string(tag->identifier()));
  to.put("VLAN", "Type", 2, 2, hex_text(tag->type(), 4));
}

void put_mpls(const Header& h) {
  const auto parsed = net::MplsEntry::parse(h.rest);
  const auto* entry = std::get_if<net::MplsEntry>(&parsed);
  if (entry != nullptr) h.writer().put("MPLS", "Label", 0, net::MplsEntry::kOctets, std::to_string(entry->label()));
}

void put_ipv4(const Header& h) {
  const auto parsed = net::Ipv4Header::parse(h.rest);
  const auto* ip = std::get_if<net::Ipv4Header>(&parsed);
  if (ip == nullptr) return;
  Writer to = h.writer();
  to.put("IPv4", "Version and header length", 0, 1,
         fmt::format("{}, {}", ip->version(), octets_text(ip->header_length())));
  to.put("IPv4", "Total length", 2, 2, std::to_string(ip->total_length()));
  to.put("IPv4", "Identification", 4, 2, std::to_string(ip->identification()));
  to.put("IPv4", "Flags and fragment offset", 6, 2,
         fmt::format("{}{}{}", ip->dont_fragment() ? "DF, " : "", ip->more_fragments() ? "MF, " : "",
                     ip->fragment_offset()));
  to.put("IPv4", "TTL", 8, 1, std::to_string(ip->ttl()));
  to.put("IPv4", "Protocol", 9, 1, std::to_string(ip->protocol()));
  to.put("IPv4", "Header checksum", 10, 2, hex_text(ip->checksum(), 4));
  to.put("IPv4", "Source", 12, 4, ip->source().text());
  to.put("IPv4", "Destination", 16, 4, ip->destination().text());
  if (ip->header_length() > net::Ipv4Header::kOctets) {
    const std::size_t options = ip->header_length() - net::Ipv4Header::kOctets;
    to.put("IPv4", "Options", net::Ipv4Header::kOctets, options, octets_text(options));
  }
}

void put_ipv6(const Header& h) {
  const auto parsed = net::Ipv6Header::parse(h.rest);
  const auto* ip = std::get_if<net::Ipv6Header>(&parsed);
  if (ip == nullptr) return;
  Writer to = h.writer();
  to.put("IPv6", "Version", 0, 1, std::to_string(ip->version()));
  to.put("IPv6", "Payload length", 4, 2, std::to_string(ip->payload_length()));
  to.put("IPv6", "Next header", 6, 1, std::to_string(ip->next_header()));
  to.put("IPv6", "Hop limit", 7, 1, std::to_string(ip->hop_limit()));
  to.put("IPv6", "Source", 8, 16, ip->source().text());
  to.put("IPv6", "Destination", 24, 16, ip->destination().text());
}

void put_ip(const Header& h) {
  if (h.rest.empty()) return;
  if (to_u8(h.rest[0]) >> 4 == 4) return put_ipv4(h);
  put_ipv6(h);
}

void put_gre(const Header& h) {
  const auto parsed = net::GreHeader::parse(h.rest);
  const auto* gre = std::get_if<net::GreHeader>(&parsed);
  if (gre == nullptr) return;
  Writer to = h.writer();
  to.put("GRE", "Protocol type", 2, 2, hex_text(gre->protocol(), 4));
  if (gre->length() > net::GreHeader::kOctets) {
    const std::size_t more = gre->length() - net::GreHeader::kOctets;
    to.put("GRE", "Key, checksum and sequence number", net::GreHeader::kOctets, more, octets_text(more));
  }
}

/// With the header of an overlay after it, if the walk found one.
void put_udp(const Header& h, std::uint32_t overlay_before, const net::Walk& after) {
  const auto parsed = net::UdpHeader::parse(h.rest);
  const auto* udp = std::get_if<net::UdpHeader>(&parsed);
  if (udp == nullptr) return;
  Writer to = h.writer();
  to.put("UDP", "Source port", 0, 2, std::to_string(udp->source_port()));
  to.put("UDP", "Destination port", 2, 2, std::to_string(udp->destination_port()));
  to.put("UDP", "Length", 4, 2, std::to_string(udp->length()));
  if (after.overlay == 0 || after.overlay == overlay_before) return;
  const bool geneve = udp->destination_port() == net::udp_port::geneve;
  constexpr std::size_t kIdentifier = 4;  // VXLAN and GENEVE have it at the same place
  to.put(geneve ? "GENEVE" : "VXLAN", "Network identifier", net::UdpHeader::kOctets + kIdentifier, 3,
         std::to_string(after.overlay - 1));
}

std::string flags_text(std::uint8_t flags) {
  namespace flag = net::tcp_flag;
  std::string text;
  const auto add = [&](std::uint8_t bit, const char* name) {
    if ((flags & bit) == 0) return;
    if (!text.empty()) text += ", ";
    text += name;
  };
  add(flag::syn, "SYN");
  add(flag::fin, "FIN");
  add(flag::rst, "RST");
  add(flag::psh, "PSH");
  add(flag::ack, "ACK");
  add(flag::urg, "URG");
  return fmt::format("0x{:02x}{}{}", flags, text.empty() ? "" : ": ", text);
}

void put_tcp(const Header& h, Transport& out) {
  const auto parsed = net::TcpHeader::parse(h.rest);
  const auto* tcp = std::get_if<net::TcpHeader>(&parsed);
  if (tcp == nullptr) return;
  Writer to = h.writer();
  to.put("TCP", "Source port", 0, 2, std::to_string(tcp->source_port()));
  to.put("TCP", "Destination port", 2, 2, std::to_string(tcp->destination_port()));
  to.put("TCP", "Sequence number", 4, 4, std::to_string(tcp->sequence()));
  to.put("TCP", "Acknowledgment number", 8, 4, std::to_string(tcp->acknowledgment()));
  to.put("TCP", "Header length", 12, 1, octets_text(tcp->length()));
  to.put("TCP", "Flags", 13, 1, flags_text(tcp->flags()));
  to.put("TCP", "Window", 14, 2, std::to_string(tcp->window()));
  to.put("TCP", "Checksum", 16, 2, hex_text(tcp->checksum(), 4));
  if (tcp->length() < net::TcpHeader::kOctets) return;
  const std::size_t options = tcp->length() - net::TcpHeader::kOctets;
  to.put("TCP", "Options", net::TcpHeader::kOctets, options, octets_text(options));
  out.kind = Transport::Kind::tcp;
  out.source.port = tcp->source_port();
  const std::size_t header = std::min(tcp->length(), h.rest.size());
  out.payload = h.at + static_cast<std::uint32_t>(header);
  out.length = static_cast<std::uint32_t>(h.rest.size() - header);
}

void put_sctp(const Header& h, Transport& out) {
  const auto parsed = net::SctpHeader::parse(h.rest);
  const auto* sctp = std::get_if<net::SctpHeader>(&parsed);
  if (sctp == nullptr) return;
  Writer to = h.writer();
  to.put("SCTP", "Source port", 0, 2, std::to_string(sctp->source_port()));
  to.put("SCTP", "Destination port", 2, 2, std::to_string(sctp->destination_port()));
  to.put("SCTP", "Verification tag", 4, 4, fmt::format("0x{:08x}", sctp->verification_tag()));
  to.put("SCTP", "CRC32c", net::SctpHeader::kCrcAt, 4, fmt::format("0x{:08x}", sctp->crc()));
  out.kind = Transport::Kind::sctp;
  out.source.port = sctp->source_port();
  out.payload = h.at + net::SctpHeader::kOctets;
  out.length = static_cast<std::uint32_t>(h.rest.size() - net::SctpHeader::kOctets);
}

std::string_view why(const net::Walk& walk, net::Layer last) {
  if (last == net::Layer::fragment) return "This frame is an IP fragment: the headers inside are not decoded.";
  switch (walk.reason) {
    case net::NoPacket::unsupported_link: return "This link type is not decoded.";
    case net::NoPacket::truncated: return "The capture cut this frame inside its headers.";
    case net::NoPacket::malformed: return "The headers of this frame contradict their lengths.";
    case net::NoPacket::fragment_held:
    case net::NoPacket::other_protocol: break;
  }
  return "This frame holds neither TCP nor SCTP.";
}

/// The header of `layer`, which the walk took off `h`.
void put_header(net::Layer layer, const Header& h, std::uint16_t type_before, std::uint32_t overlay_before,
                const net::Walk& after) {
  switch (layer) {
    case net::Layer::ethernet: return put_ethernet(h);
    case net::Layer::mpls: return put_mpls(h);
    case net::Layer::ip: return put_ip(h);
    case net::Layer::gre: return put_gre(h);
    case net::Layer::udp: return put_udp(h, overlay_before, after);
    case net::Layer::ether_type:
      if (type_before == net::ether_type::vlan || type_before == net::ether_type::service_vlan ||
          type_before == net::ether_type::old_qinq) {
        put_vlan(h);
      }
      return;
    case net::Layer::cooked:
    case net::Layer::cooked2:
    case net::Layer::loopback:
    case net::Layer::llc:
    case net::Layer::fragment:
    case net::Layer::ip_payload:
    case net::Layer::datagram:
    case net::Layer::tcp:
    case net::Layer::sctp:
    case net::Layer::none: return;
  }
}

}  // namespace

Transport put_link(const net::Frame& frame, FieldList& to) {
  net::Walk walk = net::begin_walk(frame, kMostEncapsulations);
  const auto here = [&](Octets rest) {
    return Header{to, rest, static_cast<std::uint32_t>(rest.data() - frame.octets.data())};
  };
  net::Layer layer = net::first_layer(frame.link, walk);
  while (layer != net::Layer::tcp && layer != net::Layer::sctp && layer != net::Layer::none &&
         layer != net::Layer::fragment && layer != net::Layer::datagram) {
    const Octets before = walk.rest;
    const std::uint16_t type = walk.type;
    const std::uint32_t overlay = walk.overlay;
    const net::Layer taken = layer;
    layer = net::walk_on(layer, walk);
    put_header(taken, here(before), type, overlay, walk);
  }
  Transport out;
  out.source.address = walk.ip.source;
  if (layer == net::Layer::tcp) put_tcp(here(walk.rest), out);
  if (layer == net::Layer::sctp) put_sctp(here(walk.rest), out);
  if (out.kind == Transport::Kind::none) {
    if (layer == net::Layer::tcp || layer == net::Layer::sctp) walk.reason = net::NoPacket::truncated;
    out.why = why(walk, layer);
    return out;
  }
  const std::size_t header = out.payload - here(walk.rest).at;
  out.wire_length = static_cast<std::uint32_t>(walk.wire_length() - std::min(header, walk.wire_length()));
  return out;
}

}  // namespace iwarpscope::fields
