// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// A session begins, goes on by the edges of its machine, and ends.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/wording.h"
#include "sctp/notes.h"
#include "sctp/stream.h"

namespace iwarpscope::sctp {

using enum findings::FindingId;

namespace {

[[nodiscard]] std::uint64_t ssn_of(const Lane& lane, const Arrival& arrival) noexcept {
  return lane.unwrapped(arrival.ssn);
}

[[nodiscard]] Message message_of(const Arrival& arrival, std::uint64_t ssn, const Context& context) noexcept {
  Message message;
  message.ssn = ssn;
  message.tsn = static_cast<std::uint32_t>(arrival.first_tsn);
  message.last_tsn = static_cast<std::uint32_t>(arrival.last_tsn);
  message.octets = arrival.octets;
  message.length = arrival.length;
  message.first_frame = arrival.first_frame;
  message.last_frame = arrival.last_frame;
  message.delivery_frame = context.frame;
  message.first_time = arrival.first_time;
  message.placed_time = arrival.placed_time;
  message.delivered_time = context.time;
  message.acknowledged = arrival.acknowledged;
  message.has_acknowledged = arrival.has_acknowledged;
  message.is_ahead = arrival.is_ahead;
  message.retransmitted = arrival.late;
  return message;
}

/// A DDP segment of queue 2 with RDMAP opcode 7. Source: RFC 5041 §4.3, RFC 5040 §4.1, §4.8.
[[nodiscard]] bool is_rdmap_terminate(Octets segment) noexcept {
  constexpr std::size_t kQueueAt = 6;
  constexpr std::uint8_t kTagged = 0x80, kOpcode = 0x0F, kTerminate = 7;
  if (segment.size() < kQueueAt + 4 || (to_u8(segment[0]) & kTagged) != 0) return false;
  return (to_u8(segment[1]) & kOpcode) == kTerminate && load_be<std::uint32_t>(segment.subspan(kQueueAt)) == 2;
}

[[nodiscard]] std::string_view event_text(SessionEvent event) noexcept {
  switch (event) {
    case SessionEvent::active_initiate: return "a second Initiate of the active side";
    case SessionEvent::active_answer: return "an Accept or Reject of the active side";
    case SessionEvent::active_segment: return "a DDP segment of the active side";
    case SessionEvent::active_terminate: return "a Session Terminate of the active side";
    case SessionEvent::passive_initiate: return "an Initiate of the passive side";
    case SessionEvent::passive_accept: return "an Accept of the passive side";
    case SessionEvent::passive_reject: return "a Reject of the passive side";
    case SessionEvent::passive_segment: return "a DDP segment of the passive side";
    case SessionEvent::passive_terminate: return "a Session Terminate of the passive side";
    case SessionEvent::passive_unseen: return "a message that was not seen";
  }
  return {};
}

[[nodiscard]] std::string_view phase_text(SessionPhase phase) noexcept {
  switch (phase) {
    case SessionPhase::idle: return "before an Initiate";
    case SessionPhase::opening: return "while the Initiate awaits its answer";
    case SessionPhase::withdrawn: return "after the active side closed an unanswered session";
    case SessionPhase::open: return "in an open session";
    case SessionPhase::active_closed: return "after the active side's Session Terminate";
    case SessionPhase::passive_closed: return "after the passive side's Session Terminate";
    case SessionPhase::closed: return "after both sides' Session Terminates";
    case SessionPhase::rejected: return "after a Reject";
    case SessionPhase::refused: return "after the session was refused";
    case SessionPhase::joined: return "in a session whose beginning was not seen";
  }
  return {};
}

}  // namespace

void Stream::start(const Arrival& message, bool joined) {
  Session& session = *session_;
  session.joined = joined;
  session.losses = joined ? 0 : context_.losses();
  session.last_time = context_.time;
  SessionStart start;
  start.association = context_.origin.number;
  start.stream = id_;
  start.number = number_++;
  for (const Direction d : {Direction::a_to_b, Direction::b_to_a}) {
    start.endpoints[index(session.reported(d))] = context_.ends[index(d)];
    start.openings[index(session.reported(d))] = context_.openings[index(d)];
  }
  start.overlay = context_.overlay;
  start.tap_group = context_.tap_group;
  start.tenant = context_.tenant();
  start.joined = joined;
  start.active = session.active;
  start.asked = session.initiate != 0 || joined;
  start.frame = message.first_frame;
  start.time = message.first_time;
  start.view = this;
  ++context_.sessions;
  missed_ = false;
  suspicions_.clear();
  session.sink = context_.sink.begin(start);
  tell_splits();
}

void Stream::begin(Direction d, const Arrival& message, std::uint16_t code) {
  Session* const before = session_.get();
  std::array<Tsn, 2> after{};
  bool too_early = false, same_packet = false;
  // What was taken for a session of its own may have been the beginning of this one.
  const bool replaces = may_have_missed() || (before != nullptr && !before->whole);
  const bool is_doubtful = before != nullptr && !before->whole && before->joined;
  Tsn outstanding = 0;
  if (before != nullptr) {
    for (const Direction each : {Direction::a_to_b, Direction::b_to_a}) {
      after[index(each)] = before->lane(each).highest_tsn() + 1;
    }
    outstanding = before->lane(d).highest_tsn();
    too_early = outstanding != 0 && !context_.line(d).is_acknowledged(outstanding) && context_.sees_both() &&
                context_.line(d).has_acknowledgments() && context_.losses() == before->losses && !message.late &&
                context_.misses_nothing();
    same_packet = before->lane(d).highest_frame() == message.first_frame;
    end(Ending::reused, d);
  }
  session_ = std::make_unique<Session>(context_);
  Session& session = *session_;
  session.active = d;
  session.first_tsn = after;
  // It begins each session: what its sender sent before it is of another. Source: RFC 5043 §6.2.
  session.first_tsn[index(d)] = message.first_tsn;
  session.initiate_tsn = message.first_tsn;
  session.initiate_frame = message.first_frame;
  session.initiate = code;
  session.replaces = replaces;
  const Direction other = opposite(d);
  session.lane(d).begin(message.ssn, message.first_tsn - 1);
  // Where nothing of that side was seen yet, its beginning may have been missed.
  const bool begins = context_.line(other).has_begun();
  Tsn answer_after = begins ? context_.line(other).highest_known() : 0;
  for (const Pending& pending : pending_) {
    if (pending.direction == other) answer_after = std::min(answer_after, pending.held.arrival.first_tsn - 1);
  }
  // What its sender had received by then is no answer: it is of the session before, and may come after it at the tap.
  // Not so if the answer is here: the SACK overtook the Initiate in the capture.
  const auto received = context_.line(other).acknowledged_end();
  if (received && !message.late && answer_to(d, message) == kNone) {
    session.first_tsn[index(other)] = std::max(session.first_tsn[index(other)], *received);
    answer_after = std::max(answer_after, *received - 1);
  }
  session.lane(other).begin(0, answer_after);
  start(message, false);
  session.joined = is_doubtful;
  const Spot spot{message.last_frame, message.placed_time, message.ssn};
  if (message.ssn != 0) {
    raise(reporter(), spot,
          {.id = sctp_ddp_ssn_wrong,
           .direction = reported(d),
           .seen = std::to_string(message.ssn),
           .expected = "0",
           .text = fmt::format("The session on stream {} begins with DDP-SSN {}.", id_, message.ssn)});
  }
  if (too_early) check_reused(d, message, outstanding, same_packet);
}

void Stream::hand_up(Direction d, const Arrival& arrival) {
  Session& session = *session_;
  Lane& lane = session.lane(d);
  Message message = message_of(arrival, ssn_of(lane, arrival), context_);
  // What waited till it was settled that a session begins in its middle, or that a message before it was never sent,
  // was not held back by the path.
  if ((session.joined && places_pending_) || waits_in_vain_)
    message.delivered_time = std::max(lane.placed_time(), arrival.placed_time);
  message.after_gap = lane.takes_after_gap();
  session.continues = session.joined && continues(d, arrival.first_tsn);
  lane.passed(arrival, context_.line(d));
  check_outstanding(d, message);
  if (arrival.ordered) {
    raise(reporter(), spot_of(message),
          {.id = sctp_ordered_chunk,
           .direction = reported(d),
           .seen = "U=0",
           .expected = "U=1",
           .text = fmt::format("The DATA chunk with TSN {} on stream {} is ordered.", message.tsn, id_)});
  }
  if (arrival.control) {
    control(d, message);
    return;
  }
  step(d, d == session.active ? SessionEvent::active_segment : SessionEvent::passive_segment, message);
  if (is_rdmap_terminate(arrival.octets)) session.rdmap_terminate[index(d)] = context_.time;
  if (session.sink != nullptr) session.sink->segment(session.reported(d), message);
}

void Stream::control(Direction d, const Message& message) {
  Session& session = *session_;
  ControlMessage control = read_control(message);
  const auto event = event_of(control.code, d == session.active);
  control.phase = event ? next_phase(session.phase, *event).value_or(session.phase) : session.phase;
  judge_control(control, reported(d), reporter());
  if (is_initiate(control.code) && d == session.active && !session.request) session.request = control.startup;
  // A chunk that is missing may be what was answered, or the answer.
  // And where the session before was not answered either, the answer may be to that one.
  const bool is_of_this = !session.replaces || context_.line(session.active).is_acknowledged(session.initiate_tsn);
  const bool is_pair = judges() && context_.misses_nothing() && is_of_this;
  if (session.request && is_pair && d != session.active && (is_accept(control.code) || is_reject(control.code))) {
    judge_answer(control, session.initiate, *session.request, reported(d), reporter());
  }
  if (session.sink != nullptr) session.sink->control(session.reported(d), control);
  if (event) step(d, *event, message);
}

void Stream::step(Direction d, SessionEvent event, const Message& message) {
  Session& session = *session_;
  const SessionPhase before = session.phase;
  const auto next = next_phase(before, event);
  if (!next) {
    illegal(d, event, message);
    return;
  }
  session.phase = *next;
  const bool closes = event == SessionEvent::active_terminate || event == SessionEvent::passive_terminate;
  if (is_over(session.phase)) {
    const Ending how = session.phase == SessionPhase::rejected  ? Ending::rejected
                       : session.phase == SessionPhase::refused ? Ending::refused
                                                                : Ending::terminated;
    end_whole(how, d);
  } else if (closes) {
    session.lane(d).over = true;
    if (session.sink != nullptr) {
      session.sink->ended(Ending::terminated, session.reported(d), false, context_.frame, context_.time);
    }
  }
}

/// An event that the machine has no edge for. Goes on with what the sender seems to believe.
void Stream::illegal(Direction d, SessionEvent event, const Message& message) {
  Session& session = *session_;
  const SessionPhase phase = session.phase;
  // What begins a session, or answers, comes first: never after others of its sender, whose first one was not seen.
  const bool opens_late = phase == SessionPhase::joined && message.ssn % 0x1'0000 != 0 &&
                          session.lane(d).begin_ssn() != 0 && event != SessionEvent::active_terminate &&
                          event != SessionEvent::passive_terminate;
  const bool is_certain = judges() || (opens_late && session.continues && context_.sees_both() &&
                                       context_.misses_nothing() && context_.line(opposite(d)).lost() == 0);
  findings::FindingId id = sctp_session_sequence_wrong;
  if (event == SessionEvent::passive_segment) {
    if (phase != SessionPhase::opening && phase != SessionPhase::withdrawn) return;
    // Its answer may follow.
    id = sctp_segment_before_session;
    if (std::exchange(session.reported_before, true)) return;
  } else if (event == SessionEvent::passive_initiate && phase == SessionPhase::opening) {
    id = sctp_both_sent_initiate;
    session.phase = SessionPhase::joined;
  } else if (event == SessionEvent::passive_initiate && phase == SessionPhase::withdrawn) {
    session.phase = SessionPhase::active_closed;
    return;  // it crossed the active side's Initiate or its Terminate
  }
  // Between two sessions the first one's answer may have been missed.
  const bool is_known = context_.origin.init_seen && context_.misses_nothing();
  if (!is_certain || (id == sctp_both_sent_initiate && !is_known)) return;
  // If two Initiates cross, each is as right as the other.
  const auto direction = id == sctp_both_sent_initiate ? std::nullopt : std::optional{reported(d)};
  raise(reporter(), spot_of(message),
        {.id = id,
         .direction = direction,
         .seen = std::string(event_text(event)),
         .text = fmt::format("Stream {} carried {} {}.", id_, event_text(event), phase_text(phase))});
}

/// The session is over: by another one on its stream, or with the association.
void Stream::end(Ending how, std::optional<Direction> by) {
  give_up_holes();
  if (!is_live()) return;
  const Session& session = *session_;
  const bool orderly = how == Ending::reused || how == Ending::shutdown;
  const bool lacks = lacks_end(Direction::a_to_b) || lacks_end(Direction::b_to_a);
  if (orderly && judges() && !lacks && context_.sees_both() && context_.misses_nothing()) {
    const Spot spot{context_.frame, context_.time, std::nullopt};
    const std::string_view what = how == Ending::reused ? "another session began" : "the association was shut down";
    if (session.phase == SessionPhase::open) {
      raise(reporter(), spot,
            {.id = sctp_session_not_terminated,
             .text = fmt::format("No Session Terminate was sent on stream {} before {}.", id_, what)});
    }
  }
  if (!is_terminated(session.phase)) {
    end_whole(how, by);
    return;
  }
  // What waits for others, or others for it, may be of this session.
  if (how == Ending::reused && context_.others_wait) {
    for (const Direction d : {Direction::a_to_b, Direction::b_to_a}) {
      session_->lost_end[index(d)] = session_->lost_end[index(d)] || !session_->lane(d).over;
    }
  }
  const bool by_active = session.phase == SessionPhase::active_closed || session.phase == SessionPhase::withdrawn;
  end_whole(Ending::terminated, by_active ? session.active : opposite(session.active));
}

void Stream::end_whole(Ending how, std::optional<Direction> by) {
  Session& session = *session_;
  for (const Direction d : {Direction::a_to_b, Direction::b_to_a}) session.lost_end[index(d)] = lacks_end(d);
  session.whole = true;
  losses_at_end_ = context_.losses();
  session.losses = losses_at_end_;
  for (Lane& lane : session.lanes) lane.over = true;
  if (SessionSink* const sink = std::exchange(session.sink, nullptr); sink != nullptr) {
    const std::optional<Direction> side = by ? std::optional{session.reported(*by)} : std::nullopt;
    raise_counts(sink->reporter(context_.frame, context_.time), session.statistics);
    // It still asks what was not acknowledged.
    sink->ended(how, side, true, context_.frame, context_.time);
  }
  for (Lane& lane : session.lanes) lane.forget();
}

void Stream::give_up_holes() {
  for (const Direction d : {Direction::a_to_b, Direction::b_to_a}) {
    if (is_live()) resolve(d, Patience::none);
  }
}

void Stream::finish(Ending how, std::optional<Direction> by) {
  if (is_live()) end(how, by);
  if (!pending_.empty()) {
    join();
    if (is_live()) end(how, by);
  }
  for (const Pending& pending : pending_) context_.waiting(pending.direction).give_back(pending.held.cost());
  pending_.clear();
  tell_splits();
}

}  // namespace iwarpscope::sctp
