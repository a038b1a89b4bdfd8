// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "synth/wire/tcp.h"

#include "synth/wire/checksum.h"
#include "synth/wire/ip.h"

namespace iwarpscope::synth::wire {

Buffer write(const TcpOptions& options) {
  Writer w;
  if (options.mss) w.u8(2).u8(4).u16(*options.mss);
  if (options.sack_permitted) w.u8(4).u8(2);
  if (options.timestamps) w.u8(8).u8(10).u32(options.timestamps->first).u32(options.timestamps->second);
  if (options.window_scale) w.u8(3).u8(3).u8(*options.window_scale);
  if (!options.sack.empty()) {
    w.u8(5).u8(2 + 8 * options.sack.size());
    for (const auto& [left, right] : options.sack) w.u32(left).u32(right);
  }
  w.octets(options.raw);
  return w.fill((4 - w.size() % 4) % 4, 1).take();
}

Buffer write(const Tcp& header, Octets payload, const Address& source, const Address& destination) {
  const Buffer options = write(header.options);
  const std::size_t header_octets = 20 + options.size();
  Writer w;
  w.reserve(header_octets + payload.size());
  w.u16(header.source_port).u16(header.destination_port).u32(header.sequence).u32(header.acknowledgment);
  w.u8(header.data_offset.value_or(static_cast<std::uint8_t>(header_octets / 4)) * 16U).u8(header.flags);
  w.u16(header.window).u16(0).u16(header.urgent).octets(options).octets(payload);
  Buffer tcp = w.take();
  InternetSum sum;
  sum.add(source.octets()).add(destination.octets()).add16(kProtocolTcp);
  sum.add16(static_cast<std::uint16_t>(tcp.size() >> 16)).add16(static_cast<std::uint16_t>(tcp.size()));
  switch (header.checksum) {
    case Checksum::right: poke16(tcp, 16, sum.add(tcp).checksum()); break;
    case Checksum::wrong: poke16(tcp, 16, sum.add(tcp).checksum() ^ 0x2040); break;
    case Checksum::pseudo_header_only: poke16(tcp, 16, sum.folded()); break;
    case Checksum::zero: break;
  }
  return tcp;
}

}  // namespace iwarpscope::synth::wire
