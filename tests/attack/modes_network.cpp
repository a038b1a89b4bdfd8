// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include <array>

#include "attack/connection.h"
#include "attack/modes.h"
#include "synth/wire/link.h"
#include "synth/wire/tunnel.h"

namespace iwarpscope::attack {
namespace {

namespace wire = synth::wire;

constexpr std::size_t kIpHeaders = 34;  // Ethernet and IPv4

void fragment(Load& load, std::uint32_t datagram, std::uint32_t offset, bool more, const Buffer& payload,
              std::optional<std::size_t> captured = {}) {
  load.ip({.source = Address::v4(0x0A000001U + (datagram >> 16U)),
           .identification = static_cast<std::uint16_t>(datagram),
           .dont_fragment = false,
           .more_fragments = more,
           .fragment_offset = static_cast<std::uint16_t>(offset)},
          payload, captured);
}

void fragments_last_first(Load& load) {
  for (std::uint32_t n = 1; !load.is_full(); ++n) {
    for (std::int64_t k = 8184; k >= 0 && !load.is_full(); --k) {
      fragment(load, n, static_cast<std::uint32_t>(k) * 8, k != 8184, filled(8));
    }
  }
}

void fragments_of_many(Load& load) {
  for (std::uint32_t n = 1; !load.is_full(); ++n) fragment(load, n, 8, true, filled(8));
}

/// Every other piece of eight octets.
void every_other(Load& load, std::uint32_t datagram) {
  for (std::uint32_t k = 8180; k >= 2; k -= 2) fragment(load, datagram, k * 8, true, filled(8));
}

void fragments_every_other(Load& load) {
  const Buffer wide = filled(65'504);
  for (std::uint32_t n = 1; !load.is_full(); ++n) {
    every_other(load, n);
    fragment(load, n, 0, true, wide, kIpHeaders + 20);
  }
}

void fragments_cut_over_pieces(Load& load) {
  const Buffer wide = filled(65'504);
  every_other(load, 1);
  while (!load.is_full()) fragment(load, 1, 0, true, wide, kIpHeaders);
}

void fragments_in_conflict(Load& load) {
  for (std::uint32_t n = 1; !load.is_full(); ++n) {
    every_other(load, 1 + n % 64);
    fragment(load, 1 + n % 64, 16, true, filled(8, 'y'));
    load.advance(60'000'000);
  }
}

void tunnels(Load& load) {
  Connection c(load, 0);
  while (!load.is_full()) {
    Buffer inner = wire::write(wire::Tcp{}, filled(1), "10.0.0.1", "10.0.0.2");
    std::uint8_t protocol = wire::kProtocolTcp;
    for (int k = 0; k < 30; ++k) {
      inner = wire::write(wire::Gre{}, wire::write(wire::Ipv4{.protocol = protocol}, inner));
      protocol = wire::kProtocolGre;
    }
    load.ip({.protocol = wire::kProtocolGre}, inner);
  }
}

void vlan_tags(Load& load) {
  const std::vector<wire::VlanTag> tags(300);
  while (!load.is_full()) load.frame(wire::write(tags, wire::kEtherIpv4, filled(20)), tags.front().type);
}

void ipv6_extensions(Load& load) {
  const wire::Ipv6 header{.extensions = std::vector<wire::Ipv6Extension>(150, {60, filled(6)})};
  while (!load.is_full()) load.frame(wire::write(header, filled(20)), wire::kEtherIpv6);
}

void ipv6_fragments(Load& load) {
  const wire::Ipv6 header;
  for (std::uint32_t n = 1; !load.is_full(); ++n) {
    for (const Buffer& packet : wire::fragments(header, filled(4000), 8, n)) load.frame(packet, wire::kEtherIpv6);
  }
}

void port_mapper(Load& load) {
  for (std::uint32_t n = 1; !load.is_full(); ++n) {
    wire::Writer message;
    message.u8(0x10).u8(4).u16(0).u64(n).u16(1000 + n % 60'000).u16(2000).u32(0).u32(0).u32(0x0A000001).u64(0);
    load.ip({.source = Address::v4(0x0A000001U + n % 1000), .protocol = wire::kProtocolUdp},
            wire::write(wire::Udp{40'000, 3935}, message.view()));
  }
}

void syns(Load& load) {
  for (std::uint32_t n = 0; !load.is_full(); ++n) {
    Connection c(load, n, static_cast<std::uint16_t>(7000 + n % 1000));
    c.segment(kThere, {}, wire::kSyn);
  }
}

void refused(Load& load) {
  for (std::uint32_t n = 0; !load.is_full(); ++n) {
    Connection c(load, n, 7000);
    c.segment(kThere, {}, wire::kSyn);
    c.segment(kBack, {}, wire::kRst | wire::kAck);
  }
}

void plain_smb(Load& load) {
  for (std::uint32_t n = 0; !load.is_full(); ++n) {
    Connection c(load, n, 445);
    c.handshake();
    wire::Writer message;
    message.u32(0x40).u32(0xFE534D42).fill(60);
    c.segment(kThere, message.view());
    c.segment(kBack, message.view());
  }
}

constexpr std::array kNetworkModes = {
    Mode{"fragments-last-first", "IP fragments of 8 octets, the last first", fragments_last_first},
    Mode{"fragments-of-many", "one IP fragment of each datagram", fragments_of_many},
    Mode{"fragments-every-other", "every other IP fragment, then a cut one over all", fragments_every_other},
    Mode{"fragments-cut-over-pieces", "cut IP fragments over 4000 held ones", fragments_cut_over_pieces},
    Mode{"fragments-in-conflict", "4000 IP fragments, then one that contradicts them", fragments_in_conflict},
    Mode{"ipv6-fragments", "IPv6 fragments of 8 octets", ipv6_fragments},
    Mode{"tunnels", "GRE in GRE", tunnels},
    Mode{"vlan-tags", "300 VLAN tags", vlan_tags},
    Mode{"ipv6-extensions", "150 extension headers", ipv6_extensions},
    Mode{"port-mapper", "port mapper requests", port_mapper},
    Mode{"syns", "SYNs without an answer", syns},
    Mode{"refused", "SYNs answered by RST", refused},
    Mode{"plain-smb", "SMB without RDMA between many hosts", plain_smb},
};

}  // namespace

std::span<const Mode> network_modes() {
  return kNetworkModes;
}

}  // namespace iwarpscope::attack
