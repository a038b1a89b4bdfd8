// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// FINs, or over SCTP a Session Terminate, a shutdown or another session, ended it.
#include <array>

#include "verdict/outstanding.h"
#include "verdict/reasons.h"

namespace iwarpscope::verdict {
namespace {

using enum VerdictId;

// Over SCTP: a new session on its stream, or a new association in the place of its own.

Diagnosis replaced(const Facts& facts, VerdictId id) {
  const std::string_view how = facts.record.closed_by == "restart" ? "ended by a new association"
                               : facts.lacks_end()                 ? "not seen to be terminated"
                                                                   : "never terminated";
  Diagnosis d(id, {{Arg::what, how}, {Arg::frame, facts.record.last_frame}});
  list_outstanding(facts, d.show({facts.record.last_frame}));
  if (id == end_replaced_open_for_hole) d.remark(RemarkId::may_be_artefact);
  mention_findings(facts, d);
  return d;
}

std::optional<Diagnosis> replaced_unread(const Facts& facts) {
  if (!facts.is_replaced() || !has_outstanding(facts) || !is_open_for_a_hole(facts)) return std::nullopt;
  return replaced(facts, end_replaced_open_for_hole);
}

std::optional<Diagnosis> replaced_open(const Facts& facts) {
  if (!facts.is_replaced() || !has_outstanding(facts)) return std::nullopt;
  return replaced(facts, end_replaced_open);
}

std::optional<Diagnosis> replaced_idle(const Facts& facts) {
  if (!facts.is_replaced()) return std::nullopt;
  return replaced(facts, is_end_unknown(facts) ? end_replaced_end_unknown : end_replaced);
}

// Both ends closed.

std::optional<End> closed_by(const Facts& facts) {
  const qp::Moment a = facts.from(Direction::a_to_b).fin;
  const qp::Moment b = facts.from(Direction::b_to_a).fin;
  if (facts.is_replaced() || !a.happened() || !b.happened()) return std::nullopt;
  return facts.first_end();
}

/// Without {who} where both closed at about the same time: no row can blame the first then.
std::vector<Argument> closed_arguments(const End& end) {
  std::vector<Argument> all{{Arg::frame, end.at.frame}};
  if (!end.together) all.push_back({Arg::who, end.by});
  return all;
}

Diagnosis& show_close(const Facts& facts, const End& end, Diagnosis& d) {
  if (end.together) d.show({facts.from(opposite(end.by)).fin.frame});
  return d.show({end.at.frame});
}

/// Over SCTP nothing but the next chunk of its sender shows one that is missing: where others are, it may be too.
std::optional<Diagnosis> closed_before_hole(const Facts& facts) {
  const auto end = closed_by(facts);
  if (!end || !has_outstanding(facts)) return std::nullopt;
  if (!is_open_for_a_hole(facts) && !(facts.is_over_sctp() && facts.has_holes())) return std::nullopt;
  Diagnosis d(end_closed_open_for_hole, closed_arguments(*end));
  list_outstanding(facts, show_close(facts, *end, d)).remark(RemarkId::may_be_artefact);
  mention_findings(facts, d);
  return d;
}

/// Work was outstanding, and an end had broken a rule: the other end's error first, then its own.
std::optional<Diagnosis> closed_over_rule(const Facts& facts) {
  const auto end = closed_by(facts);
  if (!end || !has_outstanding(facts)) return std::nullopt;
  const qp::NotedFinding* error = first_error(facts, opposite(end->by), facts.had_until(*end));
  if (error == nullptr) error = first_error(facts, end->by, end->at.frame);
  if (error == nullptr) return std::nullopt;
  Diagnosis d = over_rule(facts, end_closed_over_rule, closed_arguments(*end), *error);
  return list_outstanding(facts, show_close(facts, *end, d));
}

std::optional<Diagnosis> closed_after_waiting(const Facts& facts) {
  auto end = closed_by(facts);
  if (!end) return std::nullopt;
  if (end->together && !facts.from(end->by).waiting) {
    end->by = opposite(end->by);
    end->at = facts.from(end->by).fin;
  }
  if (!facts.from(end->by).waiting) return std::nullopt;
  const std::int64_t waited = elapsed_ns(facts.from(end->by).waiting->oldest.time, end->at.time);
  if (waited < kLongNs) return std::nullopt;
  std::vector<Argument> all{{Arg::who, end->by}, {Arg::frame, end->at.frame}, {Arg::waited, Nanoseconds{waited}}};
  Diagnosis d(end_closed_after_waiting, std::move(all));
  if (facts.has_holes()) d.blame_none();
  list_outstanding(facts, show_close(facts, *end, d));
  mention_either_end(facts, end->by, d);
  return d;
}

/// It left work of its own, or a request that had come before. What the other end did not finish may be that end's
/// fault.
bool is_own_work(const Facts& facts, const End& end) {
  const qp::DirectionSummary& own = facts.from(end.by);
  const qp::DirectionSummary& other = facts.from(opposite(end.by));
  if (own.waiting || own.inside_message || own.inside_fpdu) return true;
  return !other.inside_message && !other.inside_fpdu && facts.came_before_close(opposite(end.by));
}

std::optional<Diagnosis> open_when_closed(const Facts& facts) {
  const auto end = closed_by(facts);
  if (!end || !has_outstanding(facts)) return std::nullopt;
  Diagnosis d(end_closed_open, closed_arguments(*end));
  if (facts.has_holes() || !is_own_work(facts, *end)) d.blame_none();
  list_outstanding(facts, show_close(facts, *end, d));
  mention_findings(facts, d);
  return d;
}

/// Not one octet of an end could be read after its startup frame: that nothing is known to be outstanding says nothing.
std::optional<Diagnosis> closed_without_fpdus(const Facts& facts) {
  const auto end = closed_by(facts);
  const qp::NotedFinding* const error = end ? sent_no_fpdus(facts) : nullptr;
  if (error == nullptr) return std::nullopt;
  Diagnosis d = over_rule(facts, end_closed_over_rule, closed_arguments(*end), *error);
  return show_close(facts, *end, d);
}

std::optional<Diagnosis> closed(const Facts& facts) {
  const auto end = closed_by(facts);
  if (!end) return std::nullopt;
  const VerdictId id = is_end_unknown(facts) ? end_closed_end_unknown
                       : is_all_read(facts)  ? end_closed
                                             : end_closed_as_captured;
  Diagnosis d(id, closed_arguments(*end));
  if (facts.record.joined_midstream) d.at_most(qp::Confidence::likely);
  show_close(facts, *end, d);
  mention_findings(facts, d);
  return d;
}

// One end closed.

std::optional<End> half_closed_by(const Facts& facts) {
  const bool a = facts.from(Direction::a_to_b).fin.happened();
  const bool b = facts.from(Direction::b_to_a).fin.happened();
  if (facts.is_replaced() || a == b) return std::nullopt;
  const Direction by = a ? Direction::a_to_b : Direction::b_to_a;
  return End{by, facts.from(by).fin, false};
}

std::optional<Diagnosis> half_one_sided(const Facts& facts) {
  const auto end = half_closed_by(facts);
  if (!end || !facts.summary().one_sided) return std::nullopt;
  Diagnosis d(end_half_one_sided, closed_arguments(*end));
  mention_without_blame(facts, d.show({end->at.frame}));
  return d;
}

/// `since`: from then on its end may be among what the capture lacks.
Diagnosis half_closed(const Facts& facts, VerdictId id, const End& end, std::int64_t waited) {
  Diagnosis d(id, {{Arg::who, end.by}, {Arg::frame, end.at.frame}, {Arg::waited, Nanoseconds{waited}}});
  d.doubted(facts.doubt_silence(std::min(end.at.time, facts.both_seen()))).show({end.at.frame});
  if (id == end_half_closed && !facts.is_whole(opposite(end.by))) d.blame_none().at_most(qp::Confidence::limited);
  if (id == end_half_closing) {
    mention_findings(facts, d);
  } else {
    mention_either_end(facts, end.by, d);
  }
  return d;
}

std::optional<Diagnosis> closing(const Facts& facts) {
  const auto end = half_closed_by(facts);
  if (!end || facts.waiting_ns(end->at) >= kLongNs) return std::nullopt;
  return half_closed(facts, end_half_closing, *end, facts.waiting_ns(end->at));
}

/// The other end was there long after: its end cannot have been missed with all that came after it.
std::optional<Diagnosis> half_closed_and_alive(const Facts& facts) {
  const auto end = half_closed_by(facts);
  if (!end) return std::nullopt;
  const std::int64_t alive = elapsed_ns(end->at.time, facts.from(opposite(end->by)).last_octets.time);
  if (alive < kLongNs) return std::nullopt;
  return half_closed(facts, end_half_closed, *end, alive);
}

std::optional<Diagnosis> half_closed_and_acknowledged(const Facts& facts) {
  const auto end = half_closed_by(facts);
  if (!end || !facts.from(end->by).fin_acknowledged) return std::nullopt;
  return half_closed(facts, end_half_acknowledged, *end, facts.waiting_ns(end->at));
}

std::optional<Diagnosis> half_closed_and_silent(const Facts& facts) {
  const auto end = half_closed_by(facts);
  return end ? std::optional(half_closed(facts, end_half_silent, *end, facts.waiting_ns(end->at))) : std::nullopt;
}

constexpr auto kClosedSteps = std::to_array<Step>({
    {"replaced: the rest may not be in the capture", replaced_unread},
    {"replaced: outstanding", replaced_open},
    {"replaced: nothing outstanding", replaced_idle},
    {"closed: the rest may not be in the capture", closed_before_hole},
    {"closed: outstanding, and a rule was broken", closed_over_rule},
    {"closed: after waiting for an answer", closed_after_waiting},
    {"closed: outstanding", open_when_closed},
    {"closed: an end sent no FPDUs", closed_without_fpdus},
    {"closed: nothing outstanding", closed},
    {"half closed: one direction only", half_one_sided},
    {"half closed: just now", closing},
    {"half closed: the other end is alive", half_closed_and_alive},
    {"half closed: the other end has acknowledged it", half_closed_and_acknowledged},
    {"half closed: the other end is silent", half_closed_and_silent},
});

}  // namespace

std::span<const Step> closed_steps() noexcept {
  return kClosedSteps;
}

}  // namespace iwarpscope::verdict
