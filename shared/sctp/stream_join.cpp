// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Sessions whose beginning is not here.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "sctp/notes.h"
#include "sctp/stream.h"

namespace iwarpscope::sctp {

using enum findings::FindingId;

/// What waits when an Initiate comes may be of a session before it.
void Stream::join_before(Direction d, const Arrival& initiate) {
  if (pending_.empty() || is_live()) return;
  std::vector<Pending> answered = take_answer_to(d, initiate);
  if (!pending_.empty()) join_older(d, initiate);
  std::move(answered.begin(), answered.end(), std::back_inserter(pending_));
}

/// For what waits, the first TSN of an answer whose sender had received this Initiate.
Tsn Stream::answer_to(Direction d, const Arrival& initiate) const {
  Tsn answer = kNone;
  for (const Pending& one : pending_) {
    const Arrival& arrival = one.held.arrival;
    if (one.direction == d || arrival.received_end <= initiate.first_tsn) continue;
    if (is_answer(one.held.borrowed())) answer = std::min(answer, arrival.first_tsn);
  }
  return answer;
}

/// For what waits, an answer whose sender had received this Initiate, and all that it sent after it: that is of no
/// session before.
std::vector<Stream::Pending> Stream::take_answer_to(Direction d, const Arrival& initiate) {
  const Tsn answer = answer_to(d, initiate);
  const auto later = std::stable_partition(pending_.begin(), pending_.end(), [&](const Pending& one) {
    return one.direction == d || one.held.arrival.first_tsn < answer;
  });
  std::vector<Pending> taken(std::make_move_iterator(later), std::make_move_iterator(pending_.end()));
  pending_.erase(later, pending_.end());
  return taken;
}

void Stream::join_older(Direction d, const Arrival& initiate) {
  // It is of a session before it whose Initiate was lost, unless it overtook this one in the capture.
  const bool is_older = std::any_of(pending_.begin(), pending_.end(), [&](const Pending& one) {
    return one.direction == d && one.held.arrival.first_tsn < initiate.first_tsn;
  });
  // All of it may be of this one, and have overtaken its Initiate.
  const bool is_first = std::all_of(pending_.begin(), pending_.end(), [&](const Pending& one) {
    return one.direction == d && one.held.arrival.first_tsn > initiate.first_tsn;
  });
  if (is_older || (may_have_missed() && !is_first)) join();
}

/// A session whose Initiate is not here. Where nothing shows whether it was ever sent, it is met in its middle.
void Stream::join() {
  std::vector<Pending> next = take_next_session();
  join_one();
  if (next.empty()) return;
  if (is_live()) end(Ending::reused, std::nullopt);
  missed_ = true;
  pending_ = std::move(next);
  join();
}

/// For what waits, the first TSN of direction `d` that is of another session: DDP-SSNs begin again, or a Session
/// Terminate was sent before it.
Tsn Stream::next_session_of(Direction d) const {
  std::vector<const Pending*> sent;
  for (const Pending& one : pending_) {
    if (one.direction == d) sent.push_back(&one);
  }
  std::sort(sent.begin(), sent.end(),
            [](const Pending* a, const Pending* b) { return a->held.arrival.first_tsn < b->held.arrival.first_tsn; });
  const HeldArrival* before = nullptr;
  for (const Pending* one : sent) {
    const HeldArrival& held = one->held;
    if (before != nullptr) {
      const auto step = static_cast<std::int16_t>(held.arrival.ssn - before->arrival.ssn);
      const bool is_ended = before->arrival.control && read_code(before->octets) == function_code::terminate;
      if (is_ended || step <= 0) return held.arrival.first_tsn;
    }
    before = &held;
  }
  return kNone;
}

/// For what waits, what is of another session than the first of its sender.
std::vector<Stream::Pending> Stream::take_next_session() {
  std::vector<Pending> next;
  for (const Direction d : {Direction::a_to_b, Direction::b_to_a}) {
    const Tsn begin = next_session_of(d);
    const auto later = std::stable_partition(pending_.begin(), pending_.end(), [&](const Pending& one) {
      return one.direction != d || one.held.arrival.first_tsn < begin;
    });
    std::move(later, pending_.end(), std::back_inserter(next));
    pending_.erase(later, pending_.end());
  }
  return next;
}

void Stream::join_one() {
  const std::array<bool, 2> offends = unasked();
  std::array<Tsn, 2> after{};
  if (session_) {
    for (const Direction each : {Direction::a_to_b, Direction::b_to_a}) {
      after[index(each)] = session_->lane(each).highest_tsn() + 1;
    }
  }
  session_ = std::make_unique<Session>(context_);
  Session& session = *session_;
  session.first_tsn = after;
  session.phase = SessionPhase::joined;
  session.active = context_.ends[0] < context_.ends[1] ? Direction::a_to_b : Direction::b_to_a;
  const Pending* first = &pending_.front();
  for (const Pending& one : pending_) {
    if (one.held.arrival.first_frame < first->held.arrival.first_frame) first = &one;
    if (!is_answer(one.held.borrowed())) continue;
    // The answer shows who asked.
    session.active = opposite(one.direction);
    session.phase = SessionPhase::opening;
    session.answer_received = one.held.arrival.received_end;
    session.lane(session.active).begin(0, 0);
  }
  for (const Pending& one : pending_) {
    Lane& lane = session.lane(one.direction);
    if (lane.has_begun()) continue;
    std::uint16_t lowest = one.held.arrival.ssn;
    Tsn tsn = one.held.arrival.first_tsn;
    for (const Pending& each : pending_) {
      if (each.direction != one.direction) continue;
      if (static_cast<std::int16_t>(each.held.arrival.ssn - lowest) < 0) lowest = each.held.arrival.ssn;
      tsn = std::min(tsn, each.held.arrival.first_tsn);
    }
    lane.begin(lowest, tsn - 1, lowest != 0);
  }
  const Arrival arrival = first->held.arrival;
  start(arrival, !offends[0] && !offends[1]);
  for (const Direction d : {Direction::a_to_b, Direction::b_to_a}) {
    if (!offends[index(d)]) continue;
    const auto of_it =
        std::find_if(pending_.begin(), pending_.end(), [&](const Pending& one) { return one.direction == d; });
    const Arrival& segment = of_it->held.arrival;
    raise(reporter(), {segment.last_frame, segment.placed_time, segment.ssn},
          {.id = sctp_segment_before_session,
           .direction = reported(d),
           .seen = "a DDP segment",
           .expected = "an Initiate",
           .text = fmt::format("DDP segments came on stream {} without an Initiate or Accept before them.", id_)});
  }
  place_pending();
}

}  // namespace iwarpscope::sctp
