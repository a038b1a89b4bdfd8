// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "synth/wire/link.h"

namespace iwarpscope::synth::wire {

Buffer write(const Ethernet& header, Octets payload) {
  Writer w;
  w.reserve(14 + payload.size());
  w.be(header.destination.number, 6).be(header.source.number, 6).u16(header.ether_type).octets(payload);
  if (header.pad && w.size() < 60) w.fill(60 - w.size());
  return w.take();
}

Buffer write(const std::vector<VlanTag>& tags, std::uint16_t ether_type, Octets payload) {
  Writer w;
  for (std::size_t i = 0; i < tags.size(); ++i) {
    w.u16((tags[i].priority & 7U) << 13 | (tags[i].id & 0xFFFU));
    w.u16(i + 1 < tags.size() ? tags[i + 1].type : ether_type);
  }
  return w.octets(payload).take();
}

Buffer write(const std::vector<MplsLabel>& labels, Octets payload) {
  Writer w;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const std::uint32_t bottom = i + 1 == labels.size() ? 1 : 0;
    w.u32((labels[i].label & 0xFFFFFU) << 12 | (labels[i].traffic_class & 7U) << 9 | bottom << 8 | labels[i].ttl);
  }
  return w.octets(payload).take();
}

Buffer write(const LinuxSll& header, Octets payload) {
  Writer w;
  w.u16(header.packet_type).u16(1).u16(6).be(header.source.number, 6).u16(0).u16(header.ether_type).octets(payload);
  return w.take();
}

Buffer write(const LinuxSll2& header, Octets payload) {
  Writer w;
  w.u16(header.ether_type).u16(0).u32(header.interface_index).u16(1).u8(header.packet_type).u8(6);
  w.be(header.source.number, 6).u16(0).octets(payload);
  return w.take();
}

Buffer write(const Loopback& header, Octets payload) {
  Writer w;
  if (header.big_endian) {
    w.u32(header.family);
  } else {
    w.le(header.family, 4);
  }
  return w.octets(payload).take();
}

}  // namespace iwarpscope::synth::wire
