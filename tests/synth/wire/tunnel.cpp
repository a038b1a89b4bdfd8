// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "synth/wire/tunnel.h"

#include "synth/wire/checksum.h"
#include "synth/wire/ip.h"

namespace iwarpscope::synth::wire {

Buffer write(const Udp& header, Octets payload) {
  Writer w;
  w.reserve(8 + payload.size());
  w.u16(header.source_port).u16(header.destination_port).u16(8 + payload.size()).u16(0).octets(payload);
  return w.take();
}

Buffer write(const Udp& header, Octets payload, const Address& source, const Address& destination) {
  Buffer datagram = write(header, payload);
  InternetSum sum;
  sum.add(source.octets()).add(destination.octets()).add16(kProtocolUdp);
  sum.add16(static_cast<std::uint16_t>(datagram.size())).add(datagram);
  const std::uint16_t checksum = sum.checksum();
  poke16(datagram, 6, checksum == 0 ? 0xFFFF : checksum);
  return datagram;
}

Buffer write(const Gre& header, Octets payload) {
  Writer w;
  w.u16((header.checksum ? 0x8000U : 0U) | (header.key ? 0x2000U : 0U) | (header.sequence ? 0x1000U : 0U));
  w.u16(header.protocol);
  if (header.checksum) w.u32(0);
  if (header.key) w.u32(*header.key);
  if (header.sequence) w.u32(*header.sequence);
  Buffer packet = w.octets(payload).take();
  if (header.checksum) poke16(packet, 4, InternetSum().add(packet).checksum());
  return packet;
}

Buffer write(const Erspan& header, Octets ethernet_frame) {
  if (header.type == 1) return write(Gre{.protocol = 0x88BE}, ethernet_frame);
  Writer w;
  if (header.type == 2) {
    w.u16(0x1000U | (header.vlan & 0xFFFU)).u16(header.session & 0x3FFU).u32(header.index & 0xFFFFFU);
  } else {
    w.u16(0x2000U | (header.vlan & 0xFFFU)).u16(header.session & 0x3FFU).u32(header.index).u16(0);
    w.u16(header.platform ? 1U : 0U);
    if (header.platform) w.fill(8);
  }
  w.octets(ethernet_frame);
  const auto protocol = static_cast<std::uint16_t>(header.type == 2 ? 0x88BE : 0x22EB);
  return write(Gre{.protocol = protocol, .sequence = header.sequence}, w.view());
}

Buffer write(const Vxlan& header, Octets ethernet_frame) {
  Writer w;
  w.reserve(8 + ethernet_frame.size());
  return w.u32(0x08000000U).u32(header.vni << 8).octets(ethernet_frame).take();
}

Buffer write(const Geneve& header, Octets payload) {
  Writer w;
  w.reserve(8 + header.options.size() + payload.size());
  w.u8(header.options.size() / 4).u8(0).u16(header.protocol).u32(header.vni << 8);
  return w.octets(header.options).octets(payload).take();
}

}  // namespace iwarpscope::synth::wire
