// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// What is certain of a stream's sessions, and what a capture that lost something may only make seem so.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "base/wording.h"
#include "sctp/stream.h"

namespace iwarpscope::sctp {

using enum findings::FindingId;

namespace {

constexpr Tsn kEver = std::numeric_limits<Tsn>::max();

/// After what is known of the lane's messages.
[[nodiscard]] Tsn tail_of(const Lane& lane) noexcept {
  return std::max(lane.last_tsn(), lane.highest_tsn());
}

}  // namespace

// ---- where a session begins and ends ----

/// Messages of a live session of `d` may have come after the last one that was seen.
bool Stream::lacks_end(Direction d) const noexcept {
  if (!session_) return false;
  if (session_->whole || session_->lost_end[index(d)]) return session_->lost_end[index(d)];
  const Lane& lane = session_->lanes[index(d)];
  const TsnLine& line = context_.line(d);
  if (lane.over) return false;
  // For a side that is not seen at all, nothing is known to be missing, but for what is acknowledged.
  if (!line.has_begun()) return context_.seen[index(d)] && line.was_missed();
  const Tsn tail = tail_of(lane);
  if (line.is_overdue() || line.lacks_end() || line.missed_first(tail)) return true;
  if (!lane.has_begun()) return line.lost() != 0;
  return line.awaited_between(tail, line.highest() + 1) ||
         (context_.untold(d) != 0 && line.lost_between(tail, kEver).has_value());
}

/// Chunks after the last messages of the newest session are lost: they may be of that one or of the next. When the
/// association ends, the session may be reported to be over only after they were given up.
bool Stream::lost_since_last() const noexcept {
  if (!session_) return false;
  for (const Direction d : {Direction::a_to_b, Direction::b_to_a}) {
    if (context_.line(d).lost_between(tail_of(session_->lanes[index(d)]), kEver)) return true;
  }
  return false;
}

std::uint64_t Stream::acknowledged_unseen(Direction d) const noexcept {
  const TsnLine& line = context_.line(d);
  if (!is_live()) return pending_.empty() ? 0 : line.lost_by_capture();
  if (!lacks_end(d)) return 0;
  const Tsn tail = tail_of(session_->lanes[index(d)]);
  return line.lost_between(tail, kEver) == tcp::Missing::capture_gap ? line.lost_after(tail) : 0;
}

void Stream::lose_end(Direction d, std::uint64_t count) {
  session_->lost_end[index(d)] = true;
  context_.reported_lost[index(d)] += count;
  if (!session_->lane(d).has_begun()) session_->lane(d).begin(0, 0);
  give_up(d, session_->lane(d).next() + count, tcp::Missing::capture_gap);
}

/// No message before those that wait can come any more: it was received, as a SACK says, or too much time passed. A
/// capture that begins in the middle may show what was overtaken, or sent again, after what came later.
bool Stream::knows_start() const noexcept {
  constexpr std::int64_t kPatienceNs = 200'000'000;  // within which a SACK comes: RFC 9260 §6.2
  const std::int64_t waited = elapsed_ns(pending_since_, context_.time);
  if (waited < 0 || waited >= context_.limits.hole_timeout_ns) return true;
  for (const Direction d : {Direction::a_to_b, Direction::b_to_a}) {
    std::optional<Tsn> first;
    bool is_beginning = false;
    for (const Pending& one : pending_) {
      if (one.direction != d) continue;
      const Arrival& arrival = one.held.arrival;
      first = std::min(first.value_or(arrival.first_tsn), arrival.first_tsn);
      is_beginning = is_beginning || (arrival.control && arrival.ssn == 0);
    }
    if (!first || is_beginning) continue;
    const TsnLine& line = context_.line(d);
    if (line.has_acknowledgments() ? line.next() <= *first : waited < kPatienceNs) return false;
  }
  return true;
}

/// For the session that the live one took the place of: its sender had not received the Initiate of the live one. An
/// answer shows by that alone that there was one before.
bool Stream::is_of_before(Direction d, const Arrival& message) const noexcept {
  const Session& session = *session_;
  if (session.initiate == 0 || d == session.active) return false;
  if (!session.replaces) {
    const auto code = message.control ? read_code(message.octets) : std::nullopt;
    if (!code || !(is_accept(*code) || is_reject(*code))) return false;
  }
  if (message.received_end != 0) return session.initiate_tsn >= message.received_end;
  return message.first_frame == context_.frame && context_.sack && context_.sack->lacks(session.initiate_tsn);
}

/// A sender gives TSNs in the order of its DDP-SSNs, and the DDP-SSNs of a session begin at 0. Where the two orders
/// differ and messages are missing, there is more than one session: what was sent first is of the one before.
bool Stream::is_out_of_turn(Direction d, const Arrival& message) {
  if (is_surely_one()) return false;
  Lane& lane = session_->lane(d);
  const std::uint64_t ssn = lane.unwrapped(message.ssn);
  const bool is_before = lane.is_before_lower(ssn, message.first_tsn);
  const bool is_after = !is_before && lane.is_after_higher(ssn, message.first_tsn);
  if (is_after) lane.drop_before(message.first_tsn);
  session_->doubtful = session_->doubtful || is_before || is_after;
  return is_before;
}

/// Nothing is missing, and nothing can be of a session before.
bool Stream::is_surely_one() const noexcept {
  return judges() && !session_->replaces && context_.misses_nothing();
}

/// Its DDP-SSN was used in the live session, and chunks were lost since: so may have been an Initiate. Or it was sent
/// after messages with higher DDP-SSNs.
bool Stream::shows_another(Direction d, const Arrival& message) const noexcept {
  const Lane& lane = session_->lanes[index(d)];
  if (!lane.has_begun() || lane.over || message.first_tsn <= lane.highest_tsn()) return false;
  const bool may_be_before = session_->replaces && d != session_->active;  // what waits, of the session before
  if (!may_be_before && !is_surely_one() && lane.is_after_higher(lane.unwrapped(message.ssn), message.first_tsn)) {
    return true;
  }
  if (!lacks_end(Direction::a_to_b) && !lacks_end(Direction::b_to_a)) return false;
  if (lane.next() == 0) return false;
  if (is_answer(message)) return true;
  const std::uint64_t ssn = lane.unwrapped(message.ssn);
  return lane.place(message.ssn) == Place::repeated && ssn < lane.next() && ssn >= lane.begin_ssn();
}

/// Its DDP-SSN is next, but of what was not seen since the message before it there is enough for the end of this
/// session and the beginning of another.
bool Stream::may_be_of_another(Direction d, const Arrival& message) const noexcept {
  const Lane& lane = session_->lanes[index(d)];
  const Lane& other = session_->lanes[index(opposite(d))];
  const Tsn before = std::max<Tsn>(message.ssn, 1);  // of another session at least its answer is missing, or these
  if (context_.line(d).missed_first(lane.last_tsn())) return true;
  if (message.first_tsn <= lane.last_tsn() + before) return false;
  const TsnLine& back = context_.line(opposite(d));
  // Where directions come with a skew, or packets wait, the other one's Terminate and what it began may come yet.
  // Met in its middle, they may have come before it.
  const bool moved_on = other.over || !pending_.empty() || context_.is_skewed || context_.others_wait ||
                        session_->joined || !other.has_begun() || back.misses_some_after(tail_of(other));
  return moved_on && context_.line(d).unseen_between(lane.last_tsn(), message.first_tsn) >= before;
}

/// The answer, or the Initiate that comes after it in the capture, where the answer's sender had received more than
/// this Initiate, of which some was not seen: it may have been another Initiate.
bool Stream::may_answer_another(Direction d, const Arrival& message) const noexcept {
  const Session& session = *session_;
  const bool is_asked = d == session.active;
  const Tsn initiate = is_asked ? message.first_tsn : session.initiate_tsn;
  const Tsn end = is_asked ? session.answer_received : message.received_end;
  if (is_asked ? session.initiate != 0 || message.ssn != 0 : session.initiate == 0 || !is_answer(message)) return false;
  const TsnLine& line = context_.line(session.active);
  return end > initiate + 1 && (line.highest() + 1 < end || line.unseen_between(initiate, end) != 0);
}

/// The receiver of d's messages ended the session, or the association: it may have met them so.
bool Stream::is_refused(Direction d) const noexcept {
  return context_.aborted_by == opposite(d) || (session_ && session_->lanes[index(opposite(d))].over);
}

/// For a session met in its middle: d's sender sent nothing that is not here between the last message handed up and
/// this TSN, so both are of one session, and nothing of it is missing between them.
bool Stream::continues(Direction d, Tsn tsn) const noexcept {
  const Lane& lane = session_->lanes[index(d)];
  const TsnLine& line = context_.line(d);
  if (!session_->joined || session_->doubtful || context_.is_skewed) return false;
  if (lane.begin_ssn() == 0 || lane.next() <= lane.begin_ssn() || tsn <= lane.last_tsn()) return false;
  return !line.lost_between(lane.last_tsn(), tsn) && !line.awaited_between(lane.last_tsn(), tsn);
}

/// Whose DDP segments wait although nothing that could have opened their session can have been missed: every chunk of
/// that side is here from the first one on, and was received, or met with an ABORT. Each side begins with a session
/// control message. Source: RFC 5043 §6.2.
std::array<bool, 2> Stream::unasked() const noexcept {
  std::array<bool, 2> sides{};
  if (may_have_missed() || !context_.origin.init_seen || !context_.sees_both()) return sides;
  if (!context_.misses_nothing()) return sides;
  for (const Direction d : {Direction::a_to_b, Direction::b_to_a}) {
    bool segments = false, controls = false, received = true;
    for (const Pending& one : pending_) {
      if (one.direction != d) continue;
      (one.held.arrival.control ? controls : segments) = true;
      const bool was_met = context_.aborted_by == opposite(d);
      received = received && (was_met || context_.line(d).is_acknowledged(one.held.arrival.last_tsn));
    }
    sides[index(d)] = segments && !controls && received;
  }
  return sides;
}

/// SC-14. Where no session of the stream is known yet, the one whose message it is may be met later.
void Stream::tell_split(Direction d, const Split& split) {
  constexpr std::size_t kMostSplits = 4;  // ours
  if (!is_live() && splits_.size() < kMostSplits) {
    splits_.emplace_back(d, split);
    return;
  }
  raise_split(d, split);
}

void Stream::raise_split(Direction d, const Split& split) {
  raise(reporter(), split.spot,
        {.id = sctp_fragmented,
         .direction = reported(d),
         .seen = fmt::format("{} chunks", split.chunks),
         .expected = "1 chunk",
         .text = fmt::format("A message of {} on stream {} came in {} chunks, although {}.",
                             counted(split.length, "octet"), id_, split.chunks,
                             split.largest == 0 ? std::string("every path of IPv6 takes it whole")
                                                : "its sender sends packets of " + counted(split.largest, "octet"))});
}

void Stream::tell_splits() {
  for (const auto& [d, split] : std::exchange(splits_, {})) raise_split(d, split);
}

// ---- what SACKs tell ----

void Stream::tell(Suspicion proven) {
  raise(reporter(), proven.spot,
        {.id = proven.id,
         .direction = reported(proven.direction),
         .seen = std::move(proven.seen),
         .expected = std::move(proven.expected),
         .text = std::move(proven.text)});
}

void Stream::suspect(Suspicion suspicion, bool is_proven) {
  if (is_proven) return tell(std::move(suspicion));
  if (context_.is_skewed) return;
  context_.suspects[index(suspicion.direction)].insert(id_);
  suspicions_.push_back(std::move(suspicion));
}

/// Was it acknowledged when the chunk was sent? A SACK that acknowledges the chunk, or one sent after it, but not what
/// had to be acknowledged first, settles that: whatever other SACKs are missing, or shown in another order, none of
/// them acknowledged it earlier. A SACK that acknowledges neither may be an old one.
void Stream::acknowledged(Direction d) {
  const TsnLine& line = context_.line(d);
  for (Suspicion& one : std::exchange(suspicions_, {})) {
    const bool is_settled = is_live() && judges() && !context_.is_skewed && line.is_surely_unacknowledged(one.tsn);
    if (one.direction != d) {
      suspicions_.push_back(std::move(one));
    } else if (is_settled && line.is_acknowledged_from(one.sent)) {
      tell(std::move(one));
    } else if (is_live() && !line.is_acknowledged(one.tsn)) {
      context_.suspects[index(d)].insert(id_);
      suspicions_.push_back(std::move(one));
    } else if (is_live() && one.id == sctp_too_many_outstanding) {
      session_->lane(d).reported_outstanding = false;
    }
  }
}

/// SC-10: at the tap, nothing had shown the active side that its Initiate arrived.
void Stream::check_early(Direction d, const Arrival& message) {
  Session& session = *session_;
  if (message.control || d != session.active || session.reported_early || session.answered || message.late) return;
  if (session.phase != SessionPhase::opening || session.initiate == 0) return;
  if (!context_.sees_both() || !context_.origin.init_seen || !judges()) return;
  if (context_.line(d).is_acknowledged(session.initiate_tsn)) return;
  session.reported_early = true;
  // In one packet with it, no SACK can have come between.
  suspect({sctp_segment_before_acknowledgment,
           d,
           session.initiate_tsn,
           message.last_tsn,
           {message.last_frame, message.placed_time, message.ssn},
           "",
           "",
           fmt::format("The DDP segment with DDP-SSN {} was sent on stream {} before the Initiate with TSN {} was "
                       "acknowledged or answered.",
                       message.ssn, id_, static_cast<std::uint32_t>(session.initiate_tsn))},
          message.first_frame == session.initiate_frame);
}

/// SC-16.
void Stream::check_reused(Direction d, const Arrival& message, Tsn outstanding, bool same_packet) {
  suspect({sctp_stream_reused_early,
           d,
           outstanding,
           message.last_tsn,
           {message.last_frame, message.placed_time, message.ssn},
           "",
           "",
           fmt::format("The chunk with TSN {} of the previous session on stream {} was not acknowledged yet.",
                       static_cast<std::uint32_t>(outstanding), id_)},
          same_packet);
}

/// SC-17.
void Stream::check_outstanding(Direction d, const Message& message) {
  constexpr std::size_t kMost = 32'767;  // RFC 5043 §10
  Lane& lane = session_->lane(d);
  if (lane.outstanding() <= kMost) return;
  static_cast<void>(lane.received(context_.line(d)));
  if (lane.outstanding() <= kMost || lane.reported_outstanding) return;
  if (!context_.line(d).has_acknowledgments() || !judges()) return;
  lane.reported_outstanding = true;
  suspect({sctp_too_many_outstanding, d, lane.oldest_outstanding(), lane.last_tsn(), spot_of(message),
           std::to_string(lane.outstanding()), "at most 32767",
           fmt::format("{} of stream {} are not acknowledged.", counted(lane.outstanding(), "message"), id_)},
          false);
}

}  // namespace iwarpscope::sctp
