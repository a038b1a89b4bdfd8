// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// What TCP did to the octets, TCP segment by TCP segment.
#include <array>
#include <string_view>

#include "qp/transport/tcp_queue_pair_state.h"
#include "qp/transport_event.h"

namespace iwarpscope::qp {

std::string_view name(TransportEventKind kind) noexcept {
  constexpr std::array<std::string_view, kTransportEventKinds> kNames{"retransmission", "out_of_order", "capture_gap",
                                                                      "damaged", "window_closed"};
  return kNames[static_cast<std::size_t>(kind)];
}

/// Reports what the TCP segment changed in the counters of both directions.
void TcpQueuePair::Impl::tell_transport(Direction d, const net::TcpPacket& packet,
                                        const std::array<tcp::DirectionStatistics, 2>& before) {
  const auto tell = [&](Direction of, TransportEventKind kind, std::uint64_t octets) {
    TransportEvent event{.kind = kind, .direction = of, .frame = packet.frame, .time = packet.time, .octets = octets};
    const bool has_octets = of == d && kind != TransportEventKind::window_closed;
    if (has_octets && kind != TransportEventKind::damaged) event.offset = connection_.offset_of(d, packet);
    events.transport(event);
  };
  for (const Direction of : kDirections) {
    const tcp::DirectionStatistics& was = before[index(of)];
    const tcp::DirectionStatistics& is = connection_.statistics(of);
    using enum TransportEventKind;
    if (is.capture_gap_octets != was.capture_gap_octets) {
      tell(of, capture_gap, is.capture_gap_octets - was.capture_gap_octets);
    }
    if (is.wrong_checksums != was.wrong_checksums) tell(of, damaged, packet.payload_length);
    if (is.retransmitted_octets != was.retransmitted_octets) {
      tell(of, retransmission, is.retransmitted_octets - was.retransmitted_octets);
    }
    if (is.out_of_order_segments != was.out_of_order_segments) tell(of, out_of_order, packet.payload_length);
    // The end that announces it makes the other direction wait.
    if (is.zero_windows != was.zero_windows) tell(opposite(of), window_closed, 0);
  }
}

}  // namespace iwarpscope::qp
