// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The tap of a Connection: TCP segments become frames.
#include "synth/connection.h"

namespace iwarpscope::synth {

void Connection::show(TcpSegment tcp) {
  if (!sees(tcp.sender)) return;
  if (sink_) {
    render(framer_, tcp, sink_);
  } else {
    seen_.push_back(std::move(tcp));
  }
}

void Connection::render(Framer& framer, const TcpSegment& tcp, const std::function<void(Frame&&)>& out) const {
  const Endpoint& from = end(tcp.sender).endpoint;
  const Endpoint& to = end(peer(tcp.sender)).endpoint;
  const wire::Tcp header{.source_port = from.port,
                         .destination_port = to.port,
                         .sequence = tcp.sequence,
                         .acknowledgment = tcp.acknowledgment,
                         .flags = tcp.flags,
                         .window = tcp.window,
                         .options = tcp.options,
                         .checksum = tcp.checksum};
  const IpPacket packet{.source = from.address,
                        .destination = to.address,
                        .source_mac = from.mac,
                        .destination_mac = to.mac,
                        .identification = tcp.identification,
                        .ttl = from.ttl,
                        .payload = wire::write(header, tcp.payload, from.address, to.address)};
  std::int64_t time = tcp.time_ns;
  for (Frame& frame : framer.frames(packet)) {
    frame.time_ns = time;
    frame.interface = from.interface;
    time += 100;  // fragments follow one another
    out(std::move(frame));
  }
}

Frames Connection::frames() {
  flush();
  Framer framer(framer_.path());
  Frames out;
  for (const TcpSegment& tcp : seen_) {
    render(framer, tcp, [&out](Frame&& frame) { out.push_back(std::move(frame)); });
  }
  return out;
}

}  // namespace iwarpscope::synth
