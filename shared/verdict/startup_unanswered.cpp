// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// No answer came, or none that the capture has.
#include "verdict/startup.h"

#include <array>

#include "mpa/startup_frame_view.h"
#include "verdict/reasons.h"

namespace iwarpscope::verdict {

namespace {

using findings::FindingId;
using enum VerdictId;

bool is_unanswered(const Facts& facts) {
  return is_startup(facts) && facts.reply() == nullptr;
}

qp::Moment asked_at(const Facts& facts) {
  const mpa::StartupFrame* const request = facts.request();
  return request != nullptr ? qp::Moment{request->frame, request->time}
                            : qp::Moment{facts.record.first_frame, facts.record.first_time};
}

FrameNumber request_frame(const Facts& facts) {
  return facts.request() != nullptr ? facts.request()->frame : FrameNumber{};
}

/// Who ended it, where nothing answered; over TCP and SCTP an RST or ABORT counts before what came with it.
std::optional<End> ended_by(const Facts& facts, Direction d) {
  const auto end = facts.first_end();
  return is_unanswered(facts) && end && end->by == d ? end : std::nullopt;
}

/// The capture may have missed the answer. Over SCTP nothing but the next chunk of its sender shows one that is
/// missing, and a Responder that only answers sends no other: what the Initiator's messages lack shows it as well.
bool may_lack_answer(const Facts& facts) {
  return facts.request() == nullptr || !facts.is_whole(kResponder) || facts.is_cut() ||
         facts.may_have_answered(kResponder) || facts.from(kInitiator).lacks_end ||
         (facts.is_over_sctp() && facts.has_holes());
}

/// A sender must use a revision that is known; a receiver that does not know it closes. Whether it does, or leaves the
/// Initiator to give up: the Request was wrong first. Source: RFC 5044 §7.1.1.
const qp::NotedFinding* first_broken(const Facts& facts) {
  const qp::NotedFinding* const odd = unknown_revision(facts);
  return odd != nullptr ? odd : broken_startup_rule(facts);
}

std::optional<Diagnosis> one_sided(const Facts& facts) {
  if (!is_unanswered(facts) || !facts.summary().one_sided) return std::nullopt;
  return Diagnosis(startup_one_sided, {}).show({request_frame(facts)});
}

std::optional<Diagnosis> both_initiated(const Facts& facts) {
  if (!is_unanswered(facts)) return std::nullopt;
  for (const qp::NotedFinding& f : facts.summary().findings) {
    if (f.id != FindingId::mpa_both_sent_request && f.id != FindingId::sctp_both_sent_initiate) continue;
    return Diagnosis(startup_both_initiated, {{Arg::frame, f.frame}, {Arg::rule, f.id}})
        .show({request_frame(facts), f.frame});
  }
  return std::nullopt;
}

std::string_view how_ended(const Facts& facts, const End& end) {
  if (end.reset) return facts.is_over_sctp() ? "aborted the association" : "reset the connection";
  if (facts.record.closed_by == "shutdown") return "shut the association down";
  return facts.is_over_sctp() ? "sent a Session Terminate" : "closed the connection";
}

std::optional<Diagnosis> ended_over_rule(const Facts& facts) {
  const auto end = ended_by(facts, kResponder);
  const qp::NotedFinding* const broken = first_broken(facts);
  if (!end || broken == nullptr) return std::nullopt;
  return over_rule(facts, startup_ended_over_rule, {{Arg::frame, end->at.frame}, {Arg::what, how_ended(facts, *end)}},
                   *broken)
      .show({request_frame(facts), end->at.frame});
}

std::optional<Diagnosis> gave_up_over_rule(const Facts& facts) {
  const auto end = ended_by(facts, kInitiator);
  const qp::NotedFinding* const broken = first_broken(facts);
  if (!end || broken == nullptr) return std::nullopt;
  return over_rule(facts, startup_gave_up_over_rule, {{Arg::frame, end->at.frame}}, *broken)
      .show({request_frame(facts), end->at.frame});
}

std::optional<Diagnosis> answer_not_captured(const Facts& facts) {
  if (!is_unanswered(facts) || !may_lack_answer(facts)) return std::nullopt;
  // The Responder sent octets that the capture lacks: they may be the answer, however soon the capture ends.
  const bool has_sent = facts.record.directions[index(kResponder)].has_capture_gap();
  const bool may_wait = !facts.first_end() && !has_sent;
  if (may_wait && facts.waiting_ns(facts.from(kInitiator).last_octets) < kReplyLateNs) return std::nullopt;
  Diagnosis d(startup_answer_not_captured, {});
  if (const auto end = facts.first_end()) d.show({end->at.frame});
  return d.show({request_frame(facts)});
}

/// The private data that PD_Length announces is there. Where the rest was still to come, no answer was due.
bool is_request_whole(const Facts& facts) {
  const mpa::StartupFrame* const request = facts.request();
  if (request == nullptr || facts.is_over_sctp()) return true;
  return distance(request->start, request->end) >= mpa::StartupFrameView::kOctets + request->private_data_length;
}

std::optional<Diagnosis> ended_instead(const Facts& facts) {
  const auto end = ended_by(facts, kResponder);
  if (!end) return std::nullopt;
  const bool shut_down = !end->reset && facts.record.closed_by == "shutdown";
  const VerdictId id = shut_down              ? startup_shut_down_instead
                       : facts.is_over_sctp() ? startup_session_turned_away
                       : end->reset           ? startup_reset_instead
                                              : startup_closed_instead;
  Diagnosis d(id, {{Arg::frame, end->at.frame}, {Arg::what, how_ended(facts, *end)}});
  if (!shut_down && !name_program(facts, d)) {
    d.remark(facts.is_over_sctp() ? RemarkId::reason_too_many_wait : RemarkId::reason_not_mpa);
  }
  // An ABORT has no TSN that would show an answer before it. What was sent before the Request is no answer to it, and
  // where that is the first frame of all, the Responder may have asked before.
  if (end->reset && facts.is_over_sctp()) d.remark(RemarkId::limit_abort, {{Arg::what, std::string_view{"an answer"}}});
  if (end->at.frame < request_frame(facts)) {
    d.remark(RemarkId::limit_no_answer, {{Arg::what, std::string_view{"it was sent earlier"}}});
  } else if (!facts.is_over_sctp() && request_frame(facts) == facts.record.first_frame) {
    d.remark(RemarkId::limit_no_answer,
             {{Arg::what, std::string_view{"the connection may have begun before the capture"}}});
  }
  if (!is_request_whole(facts)) d.blame_none().remark(RemarkId::limit_request_unfinished);
  return d.show({request_frame(facts), end->at.frame});
}

/// How long the Initiator waited until it ended the connection; a reset need not acknowledge an answer that came.
Diagnosis gave_up(const Facts& facts, VerdictId id, const End& end) {
  const std::int64_t waited = elapsed_ns(asked_at(facts).time, end.at.time);
  Diagnosis d(id, {{Arg::frame, end.at.frame}, {Arg::waited, Nanoseconds{waited}}});
  if (end.reset) d.doubted(facts.doubt("an answer", asked_at(facts).time, end.at.time));
  // Over SCTP it may have asked as well, at the same time.
  if (facts.is_over_sctp() && facts.from(kResponder).last_octets.happened()) d.blame_none();
  name_program(facts, d);
  return d.show({request_frame(facts), end.at.frame});
}

bool has_arrived(const Facts& facts) {
  return facts.summary().request_acknowledged;
}

bool was_sent_again(const Facts& facts) {
  return facts.record.directions[index(kInitiator)].retransmitted_octets != 0;
}

/// The answer had begun; a rule says that its sender stopped inside of it, where it had time for the rest.
std::optional<Diagnosis> left_inside_answer(const Facts& facts) {
  const auto end = ended_by(facts, kInitiator);
  const qp::DirectionSummary& other = facts.from(kResponder);
  if (!end || !other.inside_startup) return std::nullopt;
  const std::int64_t waited = elapsed_ns(other.last_octets.time, end->at.time);
  Diagnosis d(
      startup_left_inside_answer,
      {{Arg::frame, end->at.frame}, {Arg::of_frame, other.last_octets.frame}, {Arg::waited, Nanoseconds{waited}}});
  return d.show({request_frame(facts), other.last_octets.frame, end->at.frame});
}

std::optional<Diagnosis> left_early(const Facts& facts) {
  const auto end = ended_by(facts, kInitiator);
  if (!end || elapsed_ns(asked_at(facts).time, end->at.time) >= kLongNs) return std::nullopt;
  Diagnosis d = gave_up(facts, startup_left_early, *end);
  // One that closes normally so soon may have had its answer; what the other end sent may be one, or follow it.
  const qp::DirectionSummary& other = facts.from(kResponder);
  const bool crossed = other.last_octets.happened() || (facts.is_over_sctp() && other.last.frame > end->at.frame);
  if (!end->reset || crossed) d.blame_none().remark(RemarkId::limit_closed_so_soon);
  // The capture's ports may have been merged in another order: those octets may be an answer.
  if (other.spoke_before) d.blame_none();
  if (other.spoke_before && program_of_banner(facts).empty()) d.remark(RemarkId::reason_spoke_first);
  if (facts.may_lack_before(end->at))
    d.blame_none().remark(RemarkId::limit_abort, {{Arg::what, std::string_view{"an answer"}}});
  return d;
}

std::optional<Diagnosis> gave_up_lost(const Facts& facts) {
  const auto end = ended_by(facts, kInitiator);
  if (!end || has_arrived(facts) || !was_sent_again(facts)) return std::nullopt;
  return gave_up(facts, startup_gave_up_lost, *end);
}

std::optional<Diagnosis> gave_up_unacknowledged(const Facts& facts) {
  const auto end = ended_by(facts, kInitiator);
  if (!end || has_arrived(facts)) return std::nullopt;
  return gave_up(facts, startup_gave_up_unacknowledged, *end);
}

std::optional<Diagnosis> gave_up_unanswered(const Facts& facts) {
  const auto end = ended_by(facts, kInitiator);
  return end ? std::optional(gave_up(facts, startup_gave_up, *end)) : std::nullopt;
}

std::optional<Diagnosis> initiator_waits(const Facts& facts) {
  if (!is_unanswered(facts)) return std::nullopt;
  const std::int64_t waited = facts.waiting_ns(facts.from(kInitiator).last_octets);
  const VerdictId id = waited < kReplyLateNs   ? startup_waiting
                       : has_arrived(facts)    ? startup_no_answer
                       : was_sent_again(facts) ? startup_request_lost
                                               : startup_request_unacknowledged;
  Diagnosis d(id, {{Arg::waited, Nanoseconds{waited}}});
  name_program(facts, d);
  if (id == startup_request_unacknowledged) d.remark(RemarkId::not_sent_again);
  const qp::NotedFinding* const odd = unknown_revision(facts);
  if (id == startup_no_answer && odd != nullptr) {
    d.remark(RemarkId::rule_broken_by, {{Arg::rule, odd->id}, {Arg::of_frame, odd->frame}, {Arg::breaker, kInitiator}});
  }
  return d.doubted(facts.doubt_silence(asked_at(facts).time)).show({request_frame(facts)});
}

constexpr auto kUnansweredSteps = std::to_array<Step>({
    {"unanswered: one direction only", one_sided},
    {"unanswered: both ends sent a Request", both_initiated},
    {"unanswered: the Responder ended it, after a broken rule", ended_over_rule},
    {"unanswered: the Initiator ended it, after a broken rule", gave_up_over_rule},
    {"unanswered: the capture may lack the answer", answer_not_captured},
    {"unanswered: the Responder ended it", ended_instead},
    {"unanswered: the Initiator left inside of the answer", left_inside_answer},
    {"unanswered: the Initiator left before an answer could come", left_early},
    {"unanswered: the Initiator gave up, its Request was lost", gave_up_lost},
    {"unanswered: the Initiator gave up, its Request was not acknowledged", gave_up_unacknowledged},
    {"unanswered: the Initiator gave up", gave_up_unanswered},
    {"unanswered: the Initiator waits", initiator_waits},
});

}  // namespace

std::span<const Step> unanswered_steps() noexcept {
  return kUnansweredSteps;
}

}  // namespace iwarpscope::verdict
