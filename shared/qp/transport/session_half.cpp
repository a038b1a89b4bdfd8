// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "qp/transport/session_half.h"

#include <limits>
#include <utility>

namespace iwarpscope::qp {
namespace {

StreamOffset at(std::uint64_t ssn) noexcept {
  return kStreamOrigin + ssn;
}

ddp::Carrier carrier_of(const sctp::Message& message) noexcept {
  ddp::Carrier c;
  c.offset = at(message.ssn);
  c.first_frame = message.first_frame;
  c.last_frame = message.last_frame;
  c.delivery_frame = message.delivery_frame;
  c.first_time = message.first_time;
  c.placed_time = message.placed_time;
  c.delivered_time = message.delivered_time;
  c.acknowledged = at(message.acknowledged);
  c.has_acknowledged = message.has_acknowledged;
  c.is_ahead = message.is_ahead;
  c.after_gap = message.after_gap;
  c.intact = message.whole();
  return c;
}

}  // namespace

SessionHalf::SessionHalf(Half& half, Common& common, const sctp::SessionView* view)
    : half_(half), common_(common), view_(view) {}

void SessionHalf::begin(bool whole) {
  if (open_) return;
  open_ = true;
  constexpr std::uint8_t kDdpVersion = 1;  // RFC 5041 §4.1; only MPA knows another
  half_.begin(kDdpVersion, whole);
  joins_ = !whole;
}

void SessionHalf::take(const sctp::Message& message) {
  // Where nothing is known of what its sender had received, it may have been anything.
  constexpr StreamOffset kAnything{std::numeric_limits<std::uint64_t>::max()};
  other_->note_acknowledged(message.has_acknowledged ? at(message.acknowledged) : kAnything);
  half_.delivered(at(message.ssn + 1));
  if (message.after_gap) half_.lost_octets();
}

void SessionHalf::passed(const sctp::Message& message) {
  take(message);
}

void SessionHalf::segment(const sctp::Message& message) {
  begin(!common_.midstream);
  const bool joins = std::exchange(joins_, false);
  if (joins) half_.lost_octets();
  take(message);
  half_.framed(at(message.ssn + 1));
  ++segments_;
  segment_octets_ += message.length;
  if (common_.midstream) common_.move(Event::joined);
  common_.move(Event::fpdu);  // a session that only its answer was seen of awaits it
  ddp::Carrier carrier = carrier_of(message);
  carrier.after_gap = carrier.after_gap || joins;
  half_.ulpdu(carrier, message.octets, message.length);
}

void SessionHalf::missing(const sctp::MissingMessages& messages) {
  half_.missing(at(messages.ssn + messages.count), messages.reason);
}

void SessionHalf::note_unseen_end() {
  if (view_ == nullptr || lacks_end_ || !view_->may_lack_end(half_.direction())) return;
  lacks_end_ = true;
  half_.missing(half_.coverage().stream_end(), tcp::Missing::unexplained);
}

void SessionHalf::ended(bool orderly) {
  const bool first = half_.ending();
  if (open_) half_.finish(orderly && first && !lacks_end_);
}

void SessionHalf::settle() {
  if (view_ == nullptr) return;
  settled_ = statistics();
  settled_seen_ = is_captured();
  settled_unacknowledged_ = unacknowledged();
  settled_window_closed_ = window_closed();
  settled_shutdown_ = shutdown();
  settled_elsewhere_ = may_pass_elsewhere();
  view_ = nullptr;
}

void SessionHalf::fill(DirectionRecord& record) const {
  const sctp::DirectionStatistics& s = statistics();
  record.tcp_segments = s.data_chunks;
  record.stream_octets = s.user_octets;
  record.retransmitted_octets = s.retransmitted_octets;
  record.retransmitted_segments = s.retransmitted_chunks;
  record.out_of_order_segments = s.out_of_order_chunks;
  record.capture_gap_messages = s.gap_messages;
  record.cut_octets = s.cut_octets;
  record.fpdus = segments_;
  record.fpdu_octets = segment_octets_;
}

}  // namespace iwarpscope::qp
