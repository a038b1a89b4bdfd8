// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Messages find their session, and their place in the order of its DDP-SSNs.
#include "sctp/stream.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/wording.h"
#include "sctp/notes.h"

namespace iwarpscope::sctp {

using enum findings::FindingId;

Stream::~Stream() {
  for (const Pending& pending : pending_) context_.waiting(pending.direction).give_back(pending.held.cost());
}

findings::Reporter& Stream::reporter() const {
  if (!is_live() || session_->sink == nullptr) return context_.sink.reporter();
  return session_->sink->reporter(context_.frame, context_.time);
}

void Stream::count(Direction d, const ChunkCount& chunk) {
  const FirstSeen here{context_.frame, context_.time};
  if (chunk.again && session_) {
    // For a session that is over: it may be on another path, or its acknowledgment was lost.
    const bool is_old = chunk.tsn < session_->first_tsn[index(d)];
    if (is_old || (!is_live() && pending_.empty())) return;
  }
  if (is_live() && session_->sink != nullptr && (chunk.again || chunk.out_of_order)) {
    session_->sink->chunk(session_->reported(d), chunk.again ? ChunkEvent::sent_again : ChunkEvent::overtaken,
                          chunk.octets, context_.frame, context_.time);
  }
  DirectionStatistics& n =
      chunk.again && is_live() ? session_->statistics[index(session_->reported(d))] : tally_[index(d)];
  if (chunk.again) {
    ++n.retransmitted_chunks;
    n.retransmitted_octets += chunk.octets;
    n.first_retransmitted.see(here);
    return;
  }
  ++n.data_chunks;
  n.user_octets += chunk.octets;
  n.cut_octets += chunk.cut;
  if (!chunk.out_of_order) return;
  ++n.out_of_order_chunks;
  n.first_out_of_order.see(here);
}

void Stream::count_copy(Direction d) {
  if (!is_live()) return;
  DirectionStatistics& n = session_->statistics[index(session_->reported(d))];
  ++n.mirror_duplicates;
  n.first_duplicate.see({context_.frame, context_.time});
}

/// What is not here can have been lost by the capture, or was sent before it began.
bool Stream::may_have_missed() const noexcept {
  return missed_ || (!context_.origin.init_seen && number_ == 0) || context_.losses() != losses_at_end_ ||
         lost_since_last();
}

/// Nothing that the capture lost can explain what the session looks like.
bool Stream::judges() const noexcept {
  return !session_->joined && !session_->doubtful && session_->phase != SessionPhase::joined &&
         context_.losses() == session_->losses && !session_->lanes[0].has_gap() && !session_->lanes[1].has_gap() &&
         !context_.lines[0].is_overdue() && !context_.lines[1].is_overdue();
}

bool Stream::opens(Direction d, const Arrival& message) const {
  if (!session_) return true;
  const Lane& lane = session_->lanes[index(d)];
  if (message.first_tsn <= lane.highest_tsn()) return false;  // of a session before
  // What was met in its middle may have begun with it, if nothing of its sender was sent before it.
  if (session_->joined && message.is_after_ack && lane.highest_tsn() == 0) return false;
  if (session_->whole || lane.over) return true;
  if (message.ssn != 0) return false;
  // The answer came first, unless its sender had not received this one then.
  if (session_->joined && d == session_->active && session_->lanes[index(d)].next() == 0) {
    return session_->answer_received != 0 && message.first_tsn >= session_->answer_received;
  }
  // Both may ask at the same time.
  const bool crosses = session_->phase == SessionPhase::opening || (session_->phase == SessionPhase::withdrawn &&
                                                                    context_.line(d).is_acknowledged(message.last_tsn));
  return !crosses || d == session_->active || lane.highest_tsn() != 0;
}

void Stream::arrive(Direction d, Arrival message) {
  if (message.first_frame == context_.frame && context_.sack && context_.sack->whole && context_.sack->blocks.empty()) {
    message.received_end = context_.sack->cumulative + 1;
  }
  const auto code = message.control ? read_code(message.octets) : std::nullopt;
  if (code && is_initiate(*code) && opens(d, message)) {
    join_before(d, message);
    begin(d, message, *code);
  }
  if (is_live() && is_of_before(d, message)) {
    session_->replaces = true;
    // So is all that its sender sent before it, and could not be distinguished from this one's.
    session_->lane(d).drop_before(message.first_tsn);
    session_->first_tsn[index(d)] = std::max(session_->first_tsn[index(d)], message.last_tsn + 1);
    return;
  }
  if (is_live() && shows_another(d, message)) {
    end(Ending::reused, std::nullopt);
    missed_ = true;
  }
  if (!is_live() || session_->lane(d).over || session_->lane(d).follows_terminate(message)) {
    outside(d, message);
    return;
  }
  Lane& other = session_->lane(opposite(d));
  const TsnLine& line = context_.line(opposite(d));
  // A packet without a SACK says nothing of what its sender had received: SACKs may wait. Source: RFC 9260 §6.2.
  // And what was received and not seen may be of this stream.
  const bool is_reported = context_.shows_received && message.first_frame == context_.frame && other.has_begun() &&
                           other.is_received_known() && !other.has_hole() && !other.has_gap() && line.is_whole() &&
                           !line.was_missed() && !line.missed_first(other.last_tsn()) &&
                           context_.losses() == session_->losses;
  message.has_acknowledged = is_reported && line.has_seen_all_acknowledged();
  message.is_ahead = is_reported && !message.has_acknowledged;
  if (message.has_acknowledged) message.acknowledged = other.received(line);
  place(d, message);
  if (!pending_.empty() && is_live()) place_pending();
}

void Stream::outside(Direction d, const Arrival& message) {
  if (session_) {
    Lane& lane = session_->lane(d);
    if (message.last_tsn <= lane.highest_tsn() || (session_->joined && message.is_after_ack)) return;
    const bool refused = session_->phase == SessionPhase::rejected || session_->phase == SessionPhase::refused;
    if (refused && d == session_->active) {  // it was sent before the answer came
      lane.see(message.last_tsn, message.last_frame);
      return;
    }
    // Right after it: no message of another session can have been between. A session that only another one showed to
    // be over may have been ended by what is not here.
    const TsnLine& line = context_.line(d);
    const bool is_ended = !missed_ && (!session_->whole || is_over(session_->phase)) &&
                          !line.awaited_between(lane.last_tsn(), message.first_tsn);
    if (lane.over && is_ended && message.ssn == static_cast<std::uint16_t>(lane.next()) &&
        message.first_tsn == lane.highest_tsn() + 1 && context_.losses() == session_->losses) {
      lane.see(message.last_tsn, message.last_frame);
      lane.skip();
      raise(reporter(), {message.last_frame, message.placed_time, message.ssn},
            {.id = sctp_session_sequence_wrong,
             .direction = reported(d),
             .seen = message.control ? "a control message" : "a DDP segment",
             .expected = "nothing",
             .text = fmt::format("A {} with DDP-SSN {} follows its sender's Session {} on stream {}.",
                                 message.control ? "session control message" : "DDP segment", message.ssn,
                                 session_->phase == SessionPhase::rejected ? "Reject" : "Terminate", id_)});
      return;
    }
  }
  HeldArrival held(message);
  if (pending_.size() == kMaxPending || !context_.waiting(d).take(held.cost())) {
    if (!pending_.empty() && !is_live()) join();
    if (is_live() && !session_->lane(d).over) {
      place(d, message);
    } else {
      context_.waiting(d).refuse();
    }
    return;
  }
  if (pending_.empty()) pending_since_ = context_.time;
  pending_.push_back({d, std::move(held)});
  if (may_have_missed() && !is_live() && knows_start()) join();
}

void Stream::place_pending() {
  // What its sender sent after its Session Terminate is of the next session.
  const auto is_of_next = [this](const Pending& one) {
    const Lane& lane = session_->lane(one.direction);
    return lane.over || lane.follows_terminate(one.held.arrival);
  };
  const auto at = std::stable_partition(pending_.begin(), pending_.end(), is_of_next);
  std::vector<Pending> pending(std::make_move_iterator(at), std::make_move_iterator(pending_.end()));
  pending_.erase(at, pending_.end());
  std::stable_sort(pending.begin(), pending.end(), [](const Pending& a, const Pending& b) {
    return a.held.arrival.first_frame < b.held.arrival.first_frame;
  });
  places_pending_ = true;
  for (Pending& one : pending) {
    if (!is_live() || session_->lane(one.direction).over) {  // by one of them: the rest is of the next one
      pending_.push_back(std::move(one));
      continue;
    }
    context_.waiting(one.direction).give_back(one.held.cost());
    place(one.direction, one.held.borrowed());
  }
  places_pending_ = false;
}

/// Precondition: the session is live and the sender's lane is not over.
void Stream::place(Direction d, const Arrival& message) {
  Session& session = *session_;
  Lane& lane = session.lane(d);
  if (message.first_tsn < session.first_tsn[index(d)]) {
    session.doubtful = true;
    // What was taken for the session before may have been the beginning of this one.
    if (session.joined && d != session.active) doubt_both(d);
    return;
  }
  if (is_of_before(d, message)) {
    session.doubtful = session.replaces = true;
    return;
  }
  if (is_out_of_turn(d, message)) return doubt_both(d);
  if (may_answer_another(d, message)) doubt_both(d);
  auto& mine = session.statistics[index(session.reported(d))];
  mine += std::exchange(tally_[index(d)], {});
  if (!lane.has_begun()) lane.begin(message.ssn, message.first_tsn - 1, true);
  check_early(d, message);
  lane.see(message.last_tsn, message.last_frame);
  if (d != session.active) session.answered = true;
  session.last_time = context_.time;
  switch (lane.place(message.ssn)) {
    case Place::next:
      if (may_be_of_another(d, message)) doubt(d);
      deliver(d, message);
      break;
    case Place::ahead: hold(d, lane.unwrapped(message.ssn), message); break;
    case Place::repeated:
      if (session.joined && lane.unwrapped(message.ssn) < lane.begin_ssn()) {
        tell_too_late(d);
        break;
      }
      if (!is_surely_one()) doubt_both(d);
      wrong_ssn(d, message, fmt::format("DDP-SSN {} of stream {} was used twice.", message.ssn, id_));
      break;
    case Place::far_away:
      if (!is_surely_one()) doubt_both(d);
      wrong_ssn(d, message,
                fmt::format("The message has DDP-SSN {}, where {} is next on stream {}.", message.ssn,
                            static_cast<std::uint16_t>(lane.next()), id_));
      break;
  }
}

void Stream::wrong_ssn(Direction d, const Arrival& message, std::string text) {
  // While chunks are awaited, 16 bits may not tell whether a message is behind or far ahead.
  if (!judges() || !context_.misses_nothing()) return;
  // Nor of which session the answering side's message is, where the order at the tap does not tell.
  if (context_.is_skewed && session_->replaces && d != session_->active) return;
  raise(reporter(), {message.last_frame, message.placed_time, message.ssn},
        {.id = sctp_ddp_ssn_wrong,
         .direction = reported(d),
         .seen = std::to_string(message.ssn),
         .expected = std::to_string(static_cast<std::uint16_t>(session_->lane(d).next())),
         .text = std::move(text)});
}

/// What follows may be of a session whose beginning the capture lacks, together with the end of this one.
void Stream::doubt(Direction d) {
  Session& session = *session_;
  session.doubtful = true;
  session.lane(d).doubt();
  if (!std::exchange(session.lost_end[index(d)], true)) tell_unknown(d);
}

/// A message of `d` may be of this session or of another one, and so may what follows on both sides: requests and
/// answers may be missing.
void Stream::doubt_both(Direction d) {
  doubt(d);
  doubt(opposite(d));
  tell_unknown(d);
}

/// For a session met in its middle: a message from before what was taken for its beginning. What it said is not known
/// above, and may have been an answer.
void Stream::tell_too_late(Direction d) {
  ++session_->statistics[index(session_->reported(d))].gap_messages;
  tell_unknown(d);
}

/// Messages that are not known above, and how many is not known either, come before the next one.
void Stream::tell_unknown(Direction d) {
  Session& session = *session_;
  if (session.sink == nullptr) return;
  const MissingMessages unknown{.ssn = session.lane(d).next(), .reason = tcp::Missing::unexplained};
  session.sink->missing(session.reported(d), unknown, context_.frame, context_.time);
}

void Stream::hold(Direction d, std::uint64_t ssn, const Arrival& message) {
  while (is_live() && !session_->lane(d).hold(ssn, message)) {
    Lane& lane = session_->lane(d);
    if (lane.has_hole() && lane.first_waiting() < ssn) {
      give_up(d, lane.first_waiting(), tcp::Missing::buffer_limit);
    } else {
      if (ssn > lane.next()) give_up(d, ssn, tcp::Missing::buffer_limit);
      if (is_live()) deliver(d, message);
      return;
    }
    if (lane.place(static_cast<std::uint16_t>(ssn)) == Place::next) {
      deliver(d, message);
      return;
    }
  }
  if (is_live()) resolve(d, Patience::usual);
}

/// Hands up a message that is next, and those that waited for it.
void Stream::deliver(Direction d, const Arrival& message) {
  hand_up(d, message);
  while (is_live() && !session_->lane(d).over) {
    const auto waited = session_->lane(d).take_next();
    if (!waited) break;
    if (may_be_of_another(d, waited->arrival)) doubt(d);
    hand_up(d, waited->borrowed());
  }
  if (!is_live()) return;
  Lane& lane = session_->lane(d);
  if (!lane.has_hole()) return;
  if (!lane.over) {
    lane.set_hole_since(context_.time);
    return;
  }
  const Arrival behind = lane.first_held();
  lane.clear();
  if (judges()) {
    raise(reporter(), {behind.last_frame, behind.placed_time, behind.ssn},
          {.id = sctp_session_sequence_wrong,
           .direction = reported(d),
           .seen = std::to_string(behind.ssn),
           .expected = "nothing",
           .text = fmt::format("A message with DDP-SSN {} follows its sender's Session Terminate on stream {}.",
                               behind.ssn, id_)});
  }
}

/// Messages before `to` will not come; `was_sent`: as far as is known they were sent.
void Stream::give_up(Direction d, std::uint64_t to, tcp::Missing reason, bool was_sent) {
  Session& session = *session_;
  Lane& lane = session.lane(d);
  const std::uint64_t from = lane.next();
  const std::uint64_t count = lane.give_up(to);
  const bool is_abandoned = lane.has_hole() && reason == tcp::Missing::unexplained &&
                            context_.line(d).abandoned_between(lane.last_tsn(), lane.first_held().first_tsn);
  // What its sender gave up, or never sent, the capture does not lack.
  if (was_sent && !is_abandoned) session.statistics[index(session.reported(d))].gap_messages += count;
  if (session.sink != nullptr) {
    session.sink->missing(session.reported(d), {.ssn = from, .count = count, .reason = reason}, context_.frame,
                          context_.time);
  }
  const Spot spot{context_.frame, context_.time, from};
  if (reason == tcp::Missing::capture_gap) {
    raise(reporter(), spot,
          {.id = capture_gap,
           .direction = reported(d),
           .seen = std::to_string(count),
           .text = fmt::format("{} from DDP-SSN {} on of stream {} {} acknowledged and {} not in the capture.",
                               counted(count, "message"), from, id_, count == 1 ? "was" : "were",
                               count == 1 ? "is" : "are")});
  } else if (reason == tcp::Missing::buffer_limit) {
    raise(reporter(), spot,
          {.id = capture_buffer_limit,
           .direction = reported(d),
           .seen = std::to_string(count),
           .text = fmt::format("{} from DDP-SSN {} on of stream {} {} discarded: too much waited for {}.",
                               counted(count, "message"), from, id_, count == 1 ? "was" : "were",
                               count == 1 ? "it" : "them")});
  }
  if (from == 0 && d != session.active) {
    const auto next = next_phase(session.phase, SessionEvent::passive_unseen);
    if (next) session.phase = *next;
  }
  waits_in_vain_ = !was_sent;
  if (const auto waited = lane.take_next()) deliver(d, waited->borrowed());
  waits_in_vain_ = false;
}

/// The messages up to `to` are given up, with lost chunks before that TSN. What was sent before the capture began is
/// not among those.
void Stream::note_reported(Direction d, std::uint64_t to, Tsn before) {
  const Lane& lane = session_->lane(d);
  context_.reported_lost[index(d)] += std::min(to - lane.next(), context_.line(d).lost_after(lane.last_tsn(), before));
}

/// Gives up what cannot come any more, and with Patience::none everything.
void Stream::resolve(Direction d, Patience patience) {
  while (is_live() && !session_->lane(d).over && session_->lane(d).has_hole()) {
    Lane& lane = session_->lane(d);
    const TsnLine& line = context_.line(d);
    const Arrival first = lane.first_held();
    const std::uint64_t to = lane.first_waiting();
    if (const auto lost = line.lost_between(lane.last_tsn(), first.first_tsn)) {
      note_reported(d, to, first.first_tsn);
      give_up(d, to, *lost);
      continue;
    }
    if (context_.time < lane.hole_since()) lane.set_hole_since(context_.time);  // the clock went back
    const bool waited = elapsed_ns(lane.hole_since(), context_.time) >= context_.limits.hole_timeout_ns;
    if (patience == Patience::usual && !waited) return;
    if (const auto lost = line.lost_between(lane.last_tsn(), line.highest() + 1)) {
      note_reported(d, to, line.highest() + 1);
      give_up(d, to, *lost);
      continue;
    }
    // All that was sent is here, and was received, or refused by what ended the session: the message was not sent.
    const bool received = !line.awaited_between(lane.last_tsn(), line.highest() + 1) &&
                          (line.is_acknowledged(lane.highest_tsn()) || (patience == Patience::none && is_refused(d)));
    if (patience == Patience::usual && !received) return;
    // The first of a side may have been taken for one of a session before.
    const bool is_doubtful = lane.next() == 0 && (session_->replaces || context_.is_skewed);
    const bool was_sent = !received || is_doubtful || !(judges() || continues(d, first.first_tsn));
    if (!was_sent) {
      raise(reporter(), {first.last_frame, first.placed_time, first.ssn},
            {.id = sctp_ddp_ssn_wrong,
             .direction = reported(d),
             .seen = std::to_string(first.ssn),
             .expected = std::to_string(static_cast<std::uint16_t>(lane.next())),
             .text = fmt::format("DDP-SSN {} of stream {} was skipped: {} follows, and no TSN is missing between them.",
                                 static_cast<std::uint16_t>(lane.next()), id_, first.ssn)});
    }
    give_up(d, to, tcp::Missing::unexplained, was_sent);
  }
}

bool Stream::is_waiting() const noexcept {
  return !pending_.empty() || (is_live() && (session_->lanes[0].has_hole() || session_->lanes[1].has_hole()));
}

void Stream::settle() {
  for (const Direction d : {Direction::a_to_b, Direction::b_to_a}) {
    if (is_live()) resolve(d, Patience::usual);
  }
  if (pending_.empty() || is_live()) return;
  if (context_.time < pending_since_) pending_since_ = context_.time;
  const bool waited = elapsed_ns(pending_since_, context_.time) >= context_.limits.hole_timeout_ns;
  const bool whole = context_.line(Direction::a_to_b).is_whole() && context_.line(Direction::b_to_a).is_whole();
  if (may_have_missed() ? knows_start() : waited && whole) join();
}

}  // namespace iwarpscope::sctp
