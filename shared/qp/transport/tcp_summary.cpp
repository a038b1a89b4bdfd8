// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// What TCP segments show of the last segments and the end of a queue pair, for its verdict.
#include <algorithm>

#include "qp/transport/tcp_queue_pair_state.h"

namespace iwarpscope::qp {

void TcpQueuePair::Impl::follow(Direction d, const net::TcpPacket& packet) {
  const Moment now{packet.frame, packet.time};
  LastSegments& latest = last_segments_[index(d)];
  latest.last = now;
  if (packet.payload_length != 0) latest.last_octets = now;
  note_acknowledged(d, packet);
  if (packet.has(net::tcp_flag::rst)) ending(d).rst_sequence = packet.sequence;
  if (packet.has(net::tcp_flag::syn) || packet.has(net::tcp_flag::rst)) return;
  // A window speaks of the octets of the other direction.
  if (packet.window != 0) {
    if (endings_ != nullptr) ending(opposite(d)).window_closed = {};
  } else if (Moment& closed = ending(opposite(d)).window_closed; !closed.happened()) {
    closed = now;
  }
}

/// What an end had of the other side: to the end, and when it sent its FIN or RST.
void TcpQueuePair::Impl::note_acknowledged(Direction d, const net::TcpPacket& packet) {
  if (!packet.has(net::tcp_flag::ack)) return;
  acknowledgments_[index(d)] = packet.acknowledgment;
  if (packet.has(net::tcp_flag::rst)) {
    ending(d).rst_acknowledges = packet.acknowledgment;
  } else if (packet.has(net::tcp_flag::fin) && !ending(d).fin_acknowledges) {
    ending(d).fin_acknowledges = packet.acknowledgment;
  }
}

/// Every octet of `of` before `end` was acknowledged.
bool TcpQueuePair::Impl::reaches(Direction of, std::uint32_t acknowledgment, StreamOffset end) const noexcept {
  net::TcpPacket next;  // what its sender expects
  next.sequence = acknowledgment;
  const auto offset = connection_.offset_of(of, next);
  return offset && *offset >= end;
}

EndSeen TcpQueuePair::Impl::how_ended(Direction d, const DirectionSummary& summary) const noexcept {
  EndSeen end = end_seen(summary);
  if (endings_ == nullptr) return end;
  const Ending& ending = (*endings_)[index(d)];
  const auto& acknowledges = end.reset ? ending.rst_acknowledges : ending.fin_acknowledges;
  const auto fin = connection_.fin_offset(opposite(d));
  end.alone = end.reset && acknowledges;
  end.answers = acknowledges && fin && reaches(opposite(d), *acknowledges, *fin + 1);
  return end;
}

bool TcpQueuePair::Impl::is_request_acknowledged() const noexcept {
  const mpa::StartupFrame* const asked = request();
  const auto acknowledged = connection_.acknowledged(Direction::a_to_b);
  return asked != nullptr && acknowledged && *acknowledged >= asked->end;
}

/// An RST shows octets, by its own number or by what it acknowledges, that are not in the capture so far. Where the
/// capture merges both directions with some skew, they may come after it.
bool TcpQueuePair::Impl::is_reset_beyond_seen() const noexcept {
  if (last_reset_beyond_seen_) return true;
  if (endings_ == nullptr) return false;
  const auto is_ahead = [this](Direction of, const std::optional<std::uint32_t>& sequence) {
    if (!sequence) return false;
    net::TcpPacket next;
    next.sequence = *sequence;
    const auto offset = connection_.offset_of(of, next);
    return !offset || *offset > connection_.next_offset(of) + (connection_.fin_offset(of) ? 1 : 0);
  };
  return std::any_of(kDirections.begin(), kDirections.end(), [&](Direction by) {
    const Ending& ending = (*endings_)[index(by)];
    return is_ahead(by, ending.rst_sequence) || is_ahead(opposite(by), ending.rst_acknowledges);
  });
}

/// At the end: an RST that does not fit exactly, after which its sender sent nothing, speaks of octets that were not
/// seen, unless it lies where none can be.
void TcpQueuePair::Impl::follow_last_resets() {
  if (connection_.closed_by() == tcp::ClosedBy::fin) return;
  for (const Direction d : {Direction::a_to_b, Direction::b_to_a}) {
    const auto reset = connection_.last_reset(d);
    if (!reset || !connection_.may_reach(d, *reset)) continue;
    last_reset_beyond_seen_ = true;
    LastSegments& latest = last_segments_[index(d)];
    if (latest.last.frame < reset->frame) latest.last = {reset->frame, reset->time};
  }
}

TcpQueuePair::Impl::Ending& TcpQueuePair::Impl::ending(Direction d) {
  if (endings_ == nullptr) endings_ = std::make_unique<std::array<Ending, 2>>();
  return (*endings_)[index(d)];
}

/// This frame, if `d` has acknowledged all that was delivered so far of the other direction; else 0.
FrameNumber TcpQueuePair::Impl::had_by_now(Direction d) const noexcept {
  const Direction o = opposite(d);
  const auto acknowledged = connection_.acknowledged(o);
  return acknowledged && connection_.next_offset(o) <= *acknowledged ? frame : FrameNumber{};
}

Moment TcpQueuePair::Impl::first_close() const noexcept {
  Moment first;
  const auto take = [&first](const Moment& sign) {
    if (sign.happened() && (!first.happened() || sign.frame < first.frame)) first = sign;
  };
  for (const Direction d : kDirections) {
    if (endings_ != nullptr) {
      take((*endings_)[index(d)].fin);
      take((*endings_)[index(d)].rst);
    }
    const auto acknowledged = connection_.acknowledged(d);
    if (acknowledged && connection_.next_offset(d) < *acknowledged && !connection_.fin_delivered(d))
      take(halves_[index(d)].messages().last_message());
  }
  return first;
}

void TcpQueuePair::Impl::fill(Summary& summary) const {
  summary.reset_beyond_seen = is_reset_beyond_seen();
  for (const Direction d : kDirections) {
    DirectionSummary& to = summary.directions[index(d)];
    const LastSegments& latest = last_segments_[index(d)];
    to.last = latest.last;
    to.last_octets = latest.last_octets;
    if (endings_ != nullptr) {
      const Ending& ending = (*endings_)[index(d)];
      to.fin = ending.fin;
      to.rst = ending.rst;
      to.fin_had = ending.fin_had;
      to.rst_had = ending.rst_had;
      to.window_closed = ending.window_closed;
      to.had_all = ending.fin_acknowledges &&
                   reaches(opposite(d), *ending.fin_acknowledges, connection_.next_offset(opposite(d)));
    }
    const auto acknowledged = connection_.acknowledged(d);
    const StreamOffset sent = connection_.next_offset(d);
    const auto fin = connection_.fin_offset(d);
    to.fin_acknowledged = fin && reaches(d, acknowledgments_[index(opposite(d))], *fin + 1);
    if (acknowledged && *acknowledged < sent) to.unacknowledged = distance(*acknowledged, sent);
    to.sent_again = to.unacknowledged != 0 && connection_.was_sent_again(d);
    to.lacks_end = connection_.lacks_end(d);
    to.lacks_start = connection_.lacks_start(d);
    to.inside_startup = startup_ != nullptr && startup_->is_inside_frame(d);
    to.spoke_before = spoke_before_[index(d)];
  }
  summary.ended_first = first_to_end(
      {how_ended(Direction::a_to_b, summary.directions[0]), how_ended(Direction::b_to_a, summary.directions[1])});
  if (rare_ != nullptr) summary.banner = rare_->banner;
  summary.request_acknowledged = is_request_acknowledged();
}

}  // namespace iwarpscope::qp
