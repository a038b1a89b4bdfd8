// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "hosts/surroundings.h"

namespace iwarpscope::hosts {

void Surroundings::see_opening(const net::TcpPacket& packet) {
  openings_.see(packet);
  if (packet.has(net::tcp_flag::syn) && !packet.has(net::tcp_flag::ack)) {
    port_mapper_.see_connection({packet.destination, packet.tap_group});
  }
}

void Surroundings::see(const qp::QpRecord& record, const verdict::CaptureSpan& capture) {
  openings_.see(record, capture);
  plain_smb_.see(record);
  refused_access_.see(record);
  port_mapper_.see_connection({record.a, record.tap_group});
  port_mapper_.see_connection({record.b, record.tap_group});
  one_sided_ = one_sided_ || record.summary.one_sided;
}

void Surroundings::tell(findings::CaptureFindings& to, const verdict::CaptureSpan& capture) {
  port_mapper_.tell(to, one_sided_, capture);
  plain_smb_.tell(to, openings_);
  port_mapper_.each_named([this](const Listener& listener) { openings_.note_listener(listener); });
  openings_.tell(to, one_sided_, capture);
  refused_access_.tell(to);
}

}  // namespace iwarpscope::hosts
