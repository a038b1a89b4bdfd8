// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Payload to its place in the stream: the part of Half that handles octets.
#include <algorithm>
#include <utility>

#include "tcp/half.h"
#include "tcp/notes.h"

namespace iwarpscope::tcp {

void Half::take(const Arrival& arrival, bool other_ended, Call& call) {
  distant_run_ = 0;
  if (!payload_seen_) see_payload(call);
  if (provisional_) {
    provisional_ = false;
    // The first TCP segment was a keep-alive, one below what comes next.
    if (arrival.begin == next_ + 1 && highest_ == next_) next_ = highest_ = arrival.begin;
  }
  if (arrival.octets.size() < arrival.end - arrival.begin) {
    if (statistics.truncated_segments++ == 0) first.truncated = call.frame;
  }
  if (fin_ == 0 || arrival.end <= fin_) {
    place(arrival, call);
  } else if (arrival.begin >= fin_) {
    after_fin(arrival, other_ended, call);
  } else {
    ++statistics.ignored_segments;
    Arrival before_fin = arrival;
    before_fin.end = fin_;
    if (before_fin.captured_end() > fin_) {
      before_fin.octets = arrival.octets.first(static_cast<std::size_t>(fin_ - arrival.begin));
    }
    place(before_fin, call);
  }
}

void Half::after_fin(const Arrival& arrival, bool other_ended, Call& call) {
  ++statistics.ignored_segments;
  // A keep-alive after the FIN repeats the octet before its own sequence number: the FIN's place.
  const bool keep_alive = arrival.begin == fin_ && arrival.end == fin_ + 1;
  constexpr std::uint64_t kNear = 1u << 20;  // further away it is more likely another connection's; ours
  const bool certain = state_ == HalfState::closed && fin_verified_ && arrival.comparable && !incomplete_ &&
                       !other_ended && !keep_alive && arrival.begin - fin_ <= kNear;
  if (certain) raise_data_after_fin(call, arrival, StreamOffset{fin_});
}

void Half::repeated(const Arrival& arrival, std::uint64_t to, Call& call) {
  const std::uint64_t from = std::max(arrival.begin, kStreamOrigin.value);
  if (from >= to) return;
  count_repeated(arrival, to - from, to, call);
}

void Half::count_repeated(const Arrival& arrival, std::uint64_t octets, std::uint64_t end, Call& call) {
  if (arrival.may_be_copy) return;  // unknown whether it was sent again
  note_repeated(octets, end);
  statistics.retransmitted_octets += octets;
  if (octets > 1 || end > acknowledged_) call.traces.of(call.direction).sent_again.add({end - octets, end});
  if (statistics.retransmitted_segments == 0) first.retransmission = call.frame;
}

void Half::place(const Arrival& arrival, Call& call) {
  const std::uint64_t repeated_before = statistics.retransmitted_octets;
  if (arrival.begin < next_) {
    repeated(arrival, std::min(arrival.end, next_), call);
    if (arrival.end <= next_) {
      if (statistics.retransmitted_octets > repeated_before) ++statistics.retransmitted_segments;
      return;
    }
  }
  std::uint64_t at = std::max(arrival.begin, next_);
  const std::uint64_t highest = highest_;
  highest_ = std::max(highest_, arrival.end);
  bool conflict = false;
  bool late = false;
  while (at < arrival.end) {
    std::uint64_t to = arrival.end;
    if (held_) {
      const auto run = held_->at_or_after(at);
      if (!held_->is_end(run)) {
        if (run->first <= at && at >= arrival.captured_end()) {
          at = pass(arrival, at, run, call);
          continue;
        }
        if (run->first <= at) {
          at = meet(arrival, at, run, conflict, call);
          continue;
        }
        to = std::min(to, run->first);
      }
    }
    if (at < highest) {
      to = std::min(to, highest);
      late = true;
    }
    put(arrival, at, to, at < highest, call);
    at = to;
  }
  drain(call);
  if (late && statistics.out_of_order_segments++ == 0) first.out_of_order = call.frame;
  if (statistics.retransmitted_octets > repeated_before) ++statistics.retransmitted_segments;
  if (has_hole() && acknowledged_ > next_) acknowledge(acknowledged_, call);
}

/// What the snap length cut from the arrival cannot change what is held: it passes all runs without a hole at once. One
/// frame may claim many octets for which runs are held.
std::uint64_t Half::pass(const Arrival& arrival, std::uint64_t at, HeldOctets::Runs::iterator run, Call& call) {
  const std::uint64_t to = std::min(held_->held_until(at), arrival.end);
  const bool is_next = run->first == next_;
  count_repeated(arrival, to - at, to, call);
  while (is_next && held_ && held_->front_offset() == next_ && next_ < to) deliver_front(call);
  return to;
}

std::uint64_t Half::meet(const Arrival& arrival, std::uint64_t at, HeldOctets::Runs::iterator run, bool& conflict,
                         Call& call) {
  const std::uint64_t to = std::min(run->second.end, arrival.end);
  if (run->second.is_cut()) {
    const std::uint64_t filled = std::min(to, arrival.captured_end());
    if (at < filled && held_->open_cut(run, at, filled)) {
      if (held_->empty()) held_.reset();
      return at;
    }
  } else if (arrival.comparable && !run->second.arrival.comparable) {
    // What is held may have been damaged on the way, and dropped: no checksum shows it.
    held_->correct(run, arrival, at, to);
  } else {
    compare(arrival, at, run, conflict, call);
  }
  count_repeated(arrival, to - at, to, call);
  if (run->first == next_) deliver_front(call);
  return to;
}

void Half::compare(const Arrival& arrival, std::uint64_t at, HeldOctets::Runs::iterator run, bool& conflict,
                   Call& call) {
  const Held& held = run->second;
  if (conflict || !arrival.comparable || !held.arrival.comparable) return;
  const auto size = static_cast<std::size_t>(std::min(held.end, arrival.end) - at);
  const Octets again = arrival.octets.subspan(static_cast<std::size_t>(at - arrival.begin), size);
  const Octets before = Octets{held.octets}.subspan(static_cast<std::size_t>(at - run->first), size);
  const auto differ = std::mismatch(before.begin(), before.end(), again.begin());
  if (differ.first == before.end()) return;
  conflict = true;
  const auto where = static_cast<std::uint64_t>(differ.first - before.begin());
  raise_conflict(call, held.arrival, arrival,
                 {.where = StreamOffset{at + where}, .second = to_u8(*differ.second), .first = to_u8(*differ.first)});
}

void Half::put(const Arrival& arrival, std::uint64_t from, std::uint64_t to, bool late, Call& call) {
  bool retransmitted = late;
  if (late && held_) {
    const auto behind = held_->at_or_after(from);
    if (!held_->is_end(behind)) retransmitted = !arrival.was_sent_before(behind->second.arrival);
  }
  if (retransmitted) call.traces.of(call.direction).filled_late.add({from, to});
  const std::uint64_t middle = std::clamp(arrival.captured_end(), from, to);
  for (const auto& [begin, end] : {std::pair{from, middle}, std::pair{middle, to}}) {
    if (begin == end) continue;
    if (begin == next_) {
      deliver(arrival, begin, end, retransmitted, call);
    } else {
      hold(arrival, begin, end, retransmitted, call);
    }
  }
}

void Half::hold(const Arrival& arrival, std::uint64_t from, std::uint64_t to, bool retransmitted, Call& call) {
  const bool first_after_hole = !has_hole();
  while (true) {
    if (!held_) held_ = std::make_unique<HeldOctets>(call.limits, call.budget);
    if (held_->hold(arrival, from, to, retransmitted)) {
      if (first_after_hole) hole_since_ = call.time.ns;
      return;
    }
    const bool lowest = held_->empty() || from < held_->front_offset();
    if (held_->empty()) held_.reset();
    if (lowest) {
      skip(from, Missing::buffer_limit, call);
    } else {
      close_hole(Missing::buffer_limit, call);
    }
    if (next_ == from) {
      deliver(arrival, from, to, retransmitted, call);
      return;
    }
  }
}

void Half::deliver(const Arrival& arrival, std::uint64_t from, std::uint64_t to, bool retransmitted, Call& call) {
  if (from >= arrival.captured_end()) {
    skip(to, Missing::snap_length, call);
    return;
  }
  next_ = to;
  const Octets octets =
      arrival.octets.subspan(static_cast<std::size_t>(from - arrival.begin), static_cast<std::size_t>(to - from));
  hand_up(arrival, from, octets, retransmitted, call);
}

void Half::deliver_front(Call& call) {
  const auto run = held_->front();
  if (run->second.is_cut()) {
    skip(run->second.end, Missing::snap_length, call);
  } else {
    next_ = run->second.end;
    hand_up(run->second.arrival, run->first, run->second.octets, run->second.retransmitted, call);
  }
  held_->pop_front();
  if (held_->empty()) held_.reset();
}

void Half::hand_up(const Arrival& arrival, std::uint64_t offset, Octets octets, bool retransmitted, Call& call) {
  statistics.stream_octets += octets.size();
  if (call.sink == nullptr) return;
  Chunk chunk;
  chunk.offset = StreamOffset{offset};
  chunk.octets = octets;
  chunk.frame = arrival.frame;
  chunk.arrival = arrival.time;
  chunk.delivery = call.time;
  chunk.delivery_frame = call.frame;
  chunk.acknowledged = arrival.acknowledged;
  chunk.has_acknowledged = arrival.has_acknowledged;
  chunk.starts_tcp_segment = offset == arrival.begin;
  chunk.ends_tcp_segment = offset + octets.size() == arrival.end;
  chunk.retransmitted = retransmitted;
  call.sink->octets(chunk);
}

}  // namespace iwarpscope::tcp
