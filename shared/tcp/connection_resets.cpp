// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// RSTs of a connection: which of them end it.
#include "tcp/connection_state.h"
#include "tcp/notes.h"
#include "tcp/windows.h"

namespace iwarpscope::tcp {

/// An RST that its receiver would believe. Source: RFC 9293 §3.5.2, §3.10.7.3; RFC 5961 §3.2.
bool Connection::State::is_reset_believable(const net::TcpPacket& packet, const Half& half,
                                            const Half& other) const noexcept {
  if (half.has_origin()) {
    const std::uint64_t offset = half.offset_of(packet.sequence);
    return half.is_plausible(offset) && half.is_in_window(offset, offered_window(other, half));
  }
  // The answer to a SYN for a port without a listener, or the capture lacks one half.
  if (packet.has(net::tcp_flag::ack) && other.has_origin()) {
    const auto offset = other.acknowledged_by(packet.acknowledgment);
    return offset && other.is_in_window(*offset, offered_window(half, other));
  }
  const auto expected = half.remembered_acknowledgment();
  return !expected || (packet.sequence - *expected) <= 0xFFFFu;
}

bool Connection::State::is_reset_doubted(const net::TcpPacket& packet, const Half& half,
                                         const Half& other) const noexcept {
  if (reset_by) return false;
  if (closed_by_fin()) return half.is_after_fin(half.offset_of(packet.sequence));
  return Acceptance::fit(packet, half, is_reset_believable(packet, half, other)) != ResetFit::exact;
}

void Connection::State::take_reset(const net::TcpPacket& packet, Side own, Side other) {
  if (closed_by_fin()) return;
  Half& half = own.half;
  const ResetFit fit = Acceptance::fit(packet, half, is_reset_believable(packet, half, other.half));
  if (fit != ResetFit::exact) {
    ++half.statistics.ignored_segments;
    if (!reset_by) acceptance.wait_for_more(packet, fit, half, other.half, own.call);
    return;
  }
  std::optional<StreamOffset> offset;
  if (half.has_origin()) offset = StreamOffset{half.offset_of(packet.sequence)};
  end_by_reset({packet.frame, packet.time, offset}, own, other);
}

void Connection::State::end_by_reset(const ControlSeen& reset, Side own, Side other) {
  own.half.take_reset();
  if (reset_by) return;
  reset_by = own.call.direction;
  acceptance.keep_reset(reset, own.call);
  own.half.flush(own.call);
  other.half.flush(other.call);
  raise_reset(own.call, reset);
}

/// At the end: RSTs in the window after which nothing came from their senders.
void Connection::State::take_late_resets(const std::array<Call*, 2>& calls) {
  if (closed_by_fin() || reset_by) return;
  for (const Direction d : {Direction::a_to_b, Direction::b_to_a}) {
    const auto reset = acceptance.unanswered_reset(d);
    if (!reset || reset_by) continue;
    const Direction o = opposite(d);
    end_by_reset(*reset, {half(d), *calls[index(d)]}, {half(o), *calls[index(o)]});
  }
}

}  // namespace iwarpscope::tcp
