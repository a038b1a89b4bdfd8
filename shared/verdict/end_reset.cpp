// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// An RST or ABORT ended it.
#include <array>

#include "verdict/outstanding.h"
#include "verdict/reasons.h"

namespace iwarpscope::verdict {
namespace {

using enum VerdictId;

/// The first reset; a FIN before it does not matter: what was outstanding then ended with the reset.
std::optional<End> reset_of(const Facts& facts) {
  if (facts.is_replaced()) return std::nullopt;
  const qp::Moment a = facts.from(Direction::a_to_b).rst;
  const qp::Moment b = facts.from(Direction::b_to_a).rst;
  if (!a.happened() && !b.happened()) return std::nullopt;
  const bool by_a = a.happened() && (!b.happened() || a.frame < b.frame);
  return End{by_a ? Direction::a_to_b : Direction::b_to_a, by_a ? a : b, true};
}

/// A reset need not acknowledge what came before it: nothing shows then that it is missing.
Doubt doubt(const Facts& facts, const End& end) {
  return facts.doubt("what came before the reset", facts.record.first_time, end.at.time);
}

std::vector<Argument> reset_arguments(const End& end) {
  return {{Arg::who, end.by}, {Arg::frame, end.at.frame}};
}

Amount unacknowledged(const Facts& facts, Direction d) {
  return {facts.from(d).unacknowledged, facts.is_over_sctp() ? "message" : "octet"};
}

/// The other end broke a rule of startup with its first FPDUs, and this one closed without a message of its own: at
/// once, or when the other end had sent first.
std::optional<Diagnosis> left_at_once(const Facts& facts) {
  const auto end = facts.first_end();
  if (!end || end->reset || end->together || facts.is_replaced() || facts.is_over_sctp()) return std::nullopt;
  const qp::DirectionSummary& other = facts.from(opposite(end->by));
  if (!other.fin.happened() && !other.rst.happened()) return std::nullopt;
  if (facts.record.directions[index(end->by)].fpdus != 0 || facts.has_holes()) return std::nullopt;
  const qp::NotedFinding* const error = broken_startup_rule(facts, opposite(end->by));
  if (error == nullptr || facts.reply() == nullptr || error->frame <= facts.reply()->frame) return std::nullopt;
  // A Responder that sends first leaves the Initiator nothing but to end it, however late. Source: RFC 5044 §7.1.2.
  const bool sent_first = error->id == findings::FindingId::mpa_responder_sends_first;
  if (!sent_first && !is_at_once_after_startup(facts, *error, *end)) return std::nullopt;
  Diagnosis d = over_rule(facts, end_closed_over_rule, reset_arguments(*end), *error).show({end->at.frame});
  return list_outstanding(facts, d);
}

std::optional<Diagnosis> reset_over_rule(const Facts& facts) {
  const auto end = reset_of(facts);
  const qp::NotedFinding* const error = end ? explains_reset(facts, *end) : nullptr;
  if (error == nullptr) return std::nullopt;
  Diagnosis d = over_rule(facts, end_reset_over_rule, reset_arguments(*end), *error).show({end->at.frame});
  return list_outstanding(facts, d);
}

/// What is missing may explain it better than an error does: no end is blamed.
std::optional<Diagnosis> reset_before_hole(const Facts& facts) {
  const auto end = reset_of(facts);
  if (!end || !has_outstanding(facts)) return std::nullopt;
  if (!is_open_for_a_hole(facts) && !facts.may_lack_before(end->at)) return std::nullopt;
  Diagnosis d(end_reset_open_for_hole, reset_arguments(*end));
  list_outstanding(facts, d.show({end->at.frame})).remark(RemarkId::may_be_artefact);
  mention_without_blame(facts, d);
  return d;
}

/// Work was outstanding, and the resetting end itself had broken a rule: the other end sent nothing after that. Octets
/// that were lost may explain it as well.
std::optional<Diagnosis> over_own_rule(const Facts& facts) {
  const auto end = reset_of(facts);
  if (!end || !has_outstanding(facts) || facts.never_arrived(end->by)) return std::nullopt;
  const qp::NotedFinding* const error = first_error(facts, end->by, end->at.frame);
  if (error == nullptr || carried_on_after(facts, *error)) return std::nullopt;
  Diagnosis d = over_rule(facts, end_reset_over_rule, reset_arguments(*end), *error).doubted(doubt(facts, *end));
  return list_outstanding(facts, d.show({end->at.frame}));
}

std::optional<Diagnosis> reset_after_waiting(const Facts& facts) {
  const auto end = reset_of(facts);
  if (!end) return std::nullopt;
  const auto& waiting = facts.from(end->by).waiting;
  const std::int64_t waited = waiting ? elapsed_ns(waiting->oldest.time, end->at.time) : 0;
  const TimePoint answered = facts.from(opposite(end->by)).last_octets.time;
  if (waited < kLongNs || answered.ns >= waiting->oldest.time.ns + kLongNs) return std::nullopt;
  std::vector<Argument> all = reset_arguments(*end);
  all.push_back({Arg::waited, Nanoseconds{waited}});
  Diagnosis d(end_reset_after_waiting, std::move(all));
  list_outstanding(facts, d.doubted(doubt(facts, *end)).show({end->at.frame}));
  mention_either_end(facts, end->by, d);
  return d;
}

/// The other end stopped inside a message or FPDU, and the resetting end waited for the rest.
std::optional<Diagnosis> after_stop(const Facts& facts) {
  const auto end = reset_of(facts);
  if (!end) return std::nullopt;
  const qp::DirectionSummary& other = facts.from(opposite(end->by));
  const std::int64_t waited = elapsed_ns(other.last_octets.time, end->at.time);
  if ((!other.inside_message && !other.inside_fpdu) || waited < kLongNs) return std::nullopt;
  std::vector<Argument> all = reset_arguments(*end);
  all.push_back({Arg::waited, Nanoseconds{waited}});
  Diagnosis d(end_reset_stopped, std::move(all));
  list_outstanding(facts, d.doubted(doubt(facts, *end)).show({end->at.frame}));
  mention_either_end(facts, end->by, d);
  return d;
}

std::optional<Diagnosis> open_and_lost(const Facts& facts) {
  const auto end = reset_of(facts);
  if (!end || !has_outstanding(facts) || !facts.never_arrived(end->by)) return std::nullopt;
  std::vector<Argument> all = reset_arguments(*end);
  all.push_back({Arg::amount, unacknowledged(facts, end->by)});
  Diagnosis d(end_reset_open_lost, std::move(all));
  list_outstanding(facts, d.doubted(doubt(facts, *end)).show({end->at.frame}));
  mention_either_end(facts, end->by, d);
  return d;
}

/// Nothing but an FPDU of the other end was begun: its length or markers may be wrong, or this end did not wait for the
/// rest.
std::optional<Diagnosis> inside_fpdu_of_other(const Facts& facts) {
  const auto end = reset_of(facts);
  if (!end) return std::nullopt;
  const qp::DirectionSummary& own = facts.from(end->by);
  const qp::DirectionSummary& other = facts.from(opposite(end->by));
  if (own.waiting || own.inside_message || own.inside_fpdu) return std::nullopt;
  if (!other.inside_fpdu || other.inside_message || other.waiting) return std::nullopt;
  Diagnosis d(end_reset_inside_fpdu, reset_arguments(*end));
  name_unfinished_fpdu(facts, opposite(end->by), d.doubted(doubt(facts, *end)).show({end->at.frame}));
  mention_findings(facts, d);
  return d;
}

std::optional<Diagnosis> open_when_reset(const Facts& facts) {
  const auto end = reset_of(facts);
  if (!end || !has_outstanding(facts)) return std::nullopt;
  Diagnosis d(end_reset_open, reset_arguments(*end));
  list_outstanding(facts, d.doubted(doubt(facts, *end)).show({end->at.frame}));
  mention_findings(facts, d);
  return d;
}

std::optional<Diagnosis> gave_up(const Facts& facts) {
  const auto end = reset_of(facts);
  if (!end || !facts.never_arrived(end->by)) return std::nullopt;
  const TimePoint silent = facts.from(opposite(end->by)).last.time;
  if (facts.capture.covered_ns(silent, end->at.time) < kLongNs) return std::nullopt;
  std::vector<Argument> all = reset_arguments(*end);
  all.push_back({Arg::amount, unacknowledged(facts, end->by)});
  all.push_back({Arg::waited, Nanoseconds{facts.capture.covered_ns(silent, end->at.time)}});
  Diagnosis d(end_reset_unacknowledged, std::move(all));
  d.doubted(doubt(facts, *end)).show({end->at.frame});
  if (facts.has_holes()) d.blame_none();
  mention_findings(facts, d);
  return d;
}

/// As when it is closed: not one octet of the resetting end could be read.
std::optional<Diagnosis> reset_without_fpdus(const Facts& facts) {
  const auto end = reset_of(facts);
  const qp::NotedFinding* const error = end ? sent_no_fpdus(facts) : nullptr;
  if (error == nullptr) return std::nullopt;
  return over_rule(facts, end_reset_over_rule, reset_arguments(*end), *error).show({end->at.frame});
}

std::optional<Diagnosis> nothing_open(const Facts& facts) {
  const auto end = reset_of(facts);
  if (!end) return std::nullopt;
  const VerdictId id = is_end_unknown(facts) ? end_reset_end_unknown
                       : is_all_read(facts)  ? end_reset
                                             : end_reset_as_captured;
  Diagnosis d(id, reset_arguments(*end));
  d.show({end->at.frame});
  if (id != end_reset_end_unknown) d.remark(RemarkId::reset_is_usual);
  mention_findings(facts, d);
  return d;
}

/// A finding that explains the end is before what drivers are in the habit of.
constexpr auto kResetSteps = std::to_array<Step>({
    {"closed or reset: at once, the other end had broken a rule of startup", left_at_once},
    {"reset: the other end had broken a rule", reset_over_rule},
    {"reset: the rest may not be in the capture", reset_before_hole},
    {"reset: outstanding, the resetting end had broken a rule", over_own_rule},
    {"reset: after waiting for an answer", reset_after_waiting},
    {"reset: the other end had stopped inside a message", after_stop},
    {"reset: outstanding, and octets were lost", open_and_lost},
    {"reset: an FPDU of the other end", inside_fpdu_of_other},
    {"reset: outstanding", open_when_reset},
    {"reset: octets were lost", gave_up},
    {"reset: an end sent no FPDUs", reset_without_fpdus},
    {"reset: nothing outstanding", nothing_open},
});

}  // namespace

std::span<const Step> reset_steps() noexcept {
  return kResetSteps;
}

}  // namespace iwarpscope::verdict
