// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tcp/half.h"

#include <algorithm>

#include "tcp/notes.h"

namespace iwarpscope::tcp {

bool Half::step(HalfEvent event) noexcept {
  const auto to = next_state(state_, event);
  if (to) state_ = *to;
  return to.has_value();
}

void Half::start(const Origin& origin) {
  statistics.tcp_segments = origin.packets;
  mss = origin.mss;
  window_scale = origin.window_scale;
  syn_seen = origin.syn_seen;
  checksums.start(origin.good_checksum_seen, origin.bad_checksum_seen);
  if (!origin.seen && origin.acknowledged) remember_acknowledgment(origin.next_sequence);
  if (!origin.seen) return;
  saw_segment();
  set_origin(origin.next_sequence, !origin.syn_seen);
  starts_at_syn_ = origin.syn_seen && !origin.octets_seen;
}

void Half::set_origin(std::uint32_t first_octet, bool provisional) {
  first_sequence_ = first_octet;
  has_origin_ = true;
  provisional_ = provisional;
  if (!has_early_acknowledgment_) return;
  if (const auto offset = acknowledged_by(early_acknowledgment_)) acknowledged_ = *offset;
}

std::optional<SequenceNumbers> Half::sequence_numbers() const noexcept {
  if (!has_origin_ && !has_early_acknowledgment_) return std::nullopt;
  SequenceNumbers numbers;
  numbers.first = first_sequence_;
  numbers.is_acknowledged_only = statistics.tcp_segments == 0;
  if (!has_origin_) {
    numbers.octets = early_acknowledgment_ - first_sequence_;
    return numbers;
  }
  if (starts_at_syn_) numbers.initial = first_sequence_ - 1;
  numbers.octets = std::max(highest_, next_) - kStreamOrigin.value;
  if (fin_ != 0) numbers.fin = first_sequence_ + static_cast<std::uint32_t>(fin_ - kStreamOrigin.value);
  return numbers;
}

bool Half::is_in_window(std::uint64_t offset, std::uint64_t reach) const noexcept {
  constexpr std::uint64_t kUnknownReach = 65535;  // of a receiver whose ACKs were not seen; ours
  std::uint64_t low = acknowledged_ != 0 ? std::min(acknowledged_, next_) : next_ - kUnknownReach;
  if (syn_seen) low = std::max(low, kStreamOrigin.value);
  return offset >= low && offset <= std::max(highest_, acknowledged_) + reach;
}

void Half::take_fin(std::uint64_t offset, bool verified, Call& call) {
  if (fin_ == 0) {
    // A FIN below octets already seen contradicts them; the octets came first.
    if (offset < highest_ || !step(HalfEvent::fin_seen)) {
      ++statistics.ignored_segments;
      return;
    }
    fin_ = offset;
    fin_verified_ = verified;
    if (!held_) hole_since_ = call.time.ns;
    if (acknowledged_ > fin_) acknowledged_ = fin_;
    drain(call);
    acknowledge(acknowledged_, call);
  } else if (offset != fin_) {
    ++statistics.ignored_segments;
  }
}

void Half::take_empty(std::uint64_t offset, Call& call) {
  // A FIN that the capture lost looks like one octet: only more than that are octets for certain.
  if (has_hole() || offset <= next_ || fin_ != 0) return;
  const std::uint64_t lost = std::min(offset, acknowledged_);
  if (lost > next_ + 1) skip(lost, Missing::capture_gap, call);
}

bool Half::is_distant_run(std::uint32_t sequence, std::uint32_t length) noexcept {
  distant_run_ = sequence == distant_next_ && distant_run_ > 0 ? static_cast<std::uint8_t>(distant_run_ + 1) : 1;
  distant_next_ = sequence + length;
  if (distant_run_ < kDistantRun) return false;
  distant_run_ = 0;
  return true;
}

bool Half::goes_on_at(std::uint32_t sequence, std::uint32_t length, Call& call) {
  if (!is_distant_run(sequence, length)) return false;
  if (fin_ != 0) {
    distant_run_ = 1;
    return false;
  }
  if (!payload_seen_) see_payload(call);
  flush(call);
  const std::uint32_t ahead = sequence - first_sequence_ - static_cast<std::uint32_t>(next_);
  acknowledged_ = 0;
  recent.clear();
  skip(next_ + ahead, Missing::unexplained, call);
  highest_ = next_;
  return true;
}

void Half::remember_acknowledgment(std::uint32_t acknowledgment) noexcept {
  if (!has_early_acknowledgment_ && !has_origin_) first_sequence_ = acknowledgment;
  // A frame with a lower one may be late in the file.
  const bool is_higher = serial_distance(early_acknowledgment_, acknowledgment) > 0;
  if (!has_early_acknowledgment_ || is_higher) early_acknowledgment_ = acknowledgment;
  has_early_acknowledgment_ = true;
}

void Half::acknowledge(std::uint64_t offset, Call& call) {
  if (offset > acknowledged_) {
    // One octet more may be a FIN.
    if (!payload_seen_ && acknowledged_ > kStreamOrigin.value && offset > acknowledged_ + 1) unseen_twice_ = true;
    acknowledged_ = offset;
    sent_again_ = false;
  }
  while (has_hole() && acknowledged_ > next_) {
    const std::uint64_t end = hole_end();
    skip(std::min(acknowledged_, end), Missing::capture_gap, call);
    if (next_ < end) return;
    drain(call);
  }
}

void Half::expire(Call& call) {
  while (has_hole() && call.time.ns - hole_since_ > call.limits.hole_timeout_ns) close_hole(Missing::unexplained, call);
}

void Half::flush(Call& call) {
  while (has_hole()) close_hole(Missing::unexplained, call);
}

void Half::give_up_tail(std::uint64_t end, bool followed, Call& call) {
  // See take_empty() for the one octet.
  if (has_hole() || end <= next_ + (followed ? 0 : 1) || fin_ != 0) return;
  skip(end, Missing::capture_gap, call);
  highest_ = std::max(highest_, next_);
}

void Half::close_hole(Missing reason, Call& call) {
  const std::uint64_t end = hole_end();
  if (acknowledged_ > next_) skip(std::min(acknowledged_, end), Missing::capture_gap, call);
  if (next_ < end) skip(end, reason, call);
  drain(call);
}

void Half::skip(std::uint64_t to, Missing reason, Call& call) {
  const StreamOffset from{next_};
  const std::uint64_t length = to - next_;
  next_ = to;
  switch (reason) {
    case Missing::snap_length: statistics.cut_octets += length; break;
    case Missing::capture_gap:
    case Missing::unexplained:
      statistics.capture_gap_octets += length;
      incomplete_ = true;
      if (payload_seen_) {
        raise_missing(call, from, length, reason);
      } else {
        // Members of a bit, which clang 14 does not take as the result of a conditional.
        if (reason == Missing::capture_gap) {
          unseen_acknowledged_ = true;
        } else {
          unseen_unexplained_ = true;
        }
      }
      break;
    case Missing::buffer_limit:
      incomplete_ = true;
      if (!limit_raised) raise_missing(call, from, length, reason);
      limit_raised = true;
      break;
  }
  if (call.sink != nullptr) call.sink->missing(from, length, reason, call.frame, call.time);
}

/// Payload is here: what is missing before it is a gap. Without any, this half is one that the capture does not hold.
void Half::see_payload(Call& call) {
  payload_seen_ = true;
  if (!unseen_acknowledged_ && !unseen_unexplained_) return;
  raise_missing(call, kStreamOrigin, next_ - kStreamOrigin.value,
                unseen_acknowledged_ ? Missing::capture_gap : Missing::unexplained);
}

void Half::raise_lost_payload(Call& call) {
  const bool is_gap = statistics.tcp_segments != 0 && !is_unseen() && (unseen_acknowledged_ || unseen_unexplained_);
  if (!payload_seen_ && is_gap) see_payload(call);
}

void Half::drain(Call& call) {
  bool delivered = false;
  while (held_ && held_->front_offset() == next_) {
    deliver_front(call);
    delivered = true;
  }
  if (delivered) hole_since_ = held_ ? held_->front()->second.arrival.time.ns : call.time.ns;
  if (fin_ != 0 && next_ == fin_) step(HalfEvent::fin_reached);
}

}  // namespace iwarpscope::tcp
