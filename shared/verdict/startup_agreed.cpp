// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Startup was agreed on, and no FPDU came.
#include <array>

#include "verdict/reasons.h"
#include "verdict/startup.h"

namespace iwarpscope::verdict {
namespace {

using enum VerdictId;

bool is_agreed(const Facts& facts) {
  return is_startup(facts) && facts.request() != nullptr && facts.reply() != nullptr && !facts.reply()->rejected;
}

/// Agreed on, and not one octet followed: one that could not be read is no FPDU, and yet an end sent it.
bool is_unused(const Facts& facts) {
  return is_agreed(facts) && !facts.has_octets_of_fpdus();
}

std::optional<End> end_of(const Facts& facts) {
  return is_agreed(facts) ? facts.first_end() : std::nullopt;
}

Diagnosis& show_all(const Facts& facts, Diagnosis& d) {
  d.show({facts.request()->frame, facts.reply()->frame});
  if (const auto end = facts.first_end()) d.show({end->at.frame});
  return d;
}

bool is_rtr_due(const Facts& facts) {
  const auto& asked = facts.request()->enhanced;
  const auto& answered = facts.reply()->enhanced;
  return asked && answered && asked->peer_to_peer && answered->peer_to_peer;
}

/// The Responder waited in vain for the RTR message.
std::optional<Diagnosis> dropped_without_rtr(const Facts& facts) {
  const auto end = end_of(facts);
  if (!is_unused(facts) || !end || end->by != kResponder || !is_rtr_due(facts)) return std::nullopt;
  const std::int64_t waited = elapsed_ns(facts.reply()->time, end->at.time);
  if (waited < kLongNs) return std::nullopt;
  Diagnosis d(startup_dropped_without_rtr, {{Arg::frame, end->at.frame}, {Arg::waited, Nanoseconds{waited}}});
  return show_all(facts, d);
}

/// FPDUs may have passed: octets are missing, or frames were cut.
std::optional<Diagnosis> fpdus_not_captured(const Facts& facts) {
  const auto end = end_of(facts);
  if (!end || (!facts.has_holes() && !facts.is_cut())) return std::nullopt;
  Diagnosis d(startup_fpdus_not_captured, {{Arg::who, end->by}, {Arg::frame, end->at.frame}});
  return show_all(facts, d);
}

std::optional<Diagnosis> left_over_rule(const Facts& facts) {
  const auto end = end_of(facts);
  const qp::NotedFinding* const broken = broken_startup_rule(facts);
  if (!end || broken == nullptr) return std::nullopt;
  const bool is_own = broken->direction == kInitiator;
  const VerdictId id = end->by != kInitiator ? startup_dropped_over_rule
                       : is_own              ? startup_left_own_rule
                                             : startup_left_over_rule;
  Diagnosis d = over_rule(facts, id, {{Arg::frame, end->at.frame}}, *broken);
  return show_all(facts, d);
}

std::optional<Diagnosis> left_over_disagreement(const Facts& facts) {
  const auto end = end_of(facts);
  if (!is_unused(facts) || !end) return std::nullopt;
  auto reason = disagreement(*facts.request(), *facts.reply(), facts.is_over_sctp());
  if (!reason) return std::nullopt;
  Diagnosis d(end->by == kInitiator ? startup_left : startup_dropped,
              {{Arg::frame, end->at.frame}, {Arg::breaker, asking_end(*reason)}});
  d.remark(reason->id, std::move(reason->arguments));
  return show_all(facts, d);
}

std::optional<Diagnosis> reset_after_reply(const Facts& facts) {
  const auto end = end_of(facts);
  if (!is_unused(facts) || !end) return std::nullopt;
  for (const Direction d : kDirections) {
    const qp::Moment& reset = facts.from(d).rst;
    if (!reset.happened()) continue;
    Diagnosis diagnosis(startup_reset_after_reply, {{Arg::who, d}, {Arg::frame, reset.frame}});
    if (!end->reset) diagnosis.blame_none();  // the reset may answer a FIN
    // An ABORT has no TSN that would show messages before it.
    if (facts.is_over_sctp()) diagnosis.remark(RemarkId::limit_abort, {{Arg::what, std::string_view{"messages"}}});
    return show_all(facts, diagnosis);
  }
  return std::nullopt;
}

std::optional<Diagnosis> closed_unused(const Facts& facts) {
  if (!is_unused(facts) || !end_of(facts)) return std::nullopt;
  Diagnosis d(startup_closed_unused, {});
  return show_all(facts, d);
}

std::int64_t idle_ns(const Facts& facts) {
  return facts.waiting_ns({facts.reply()->frame, facts.reply()->time});
}

std::optional<Diagnosis> rtr_missing(const Facts& facts) {
  if (!is_unused(facts) || idle_ns(facts) < kReplyLateNs || !is_rtr_due(facts)) return std::nullopt;
  Diagnosis d(startup_rtr_missing, {{Arg::waited, Nanoseconds{idle_ns(facts)}}});
  d.doubted(facts.doubt_silence(facts.reply()->time));
  if (facts.has_holes()) d.blame_none();
  return show_all(facts, d);
}

std::optional<Diagnosis> ready(const Facts& facts) {
  if (!is_unused(facts)) return std::nullopt;
  Diagnosis d(startup_ready, {{Arg::waited, Nanoseconds{idle_ns(facts)}}});
  d.doubted(facts.doubt_silence(facts.reply()->time));
  return show_all(facts, d);
}

constexpr auto kAgreedSteps = std::to_array<Step>({
    {"agreed: the capture may lack FPDUs", fpdus_not_captured},
    {"agreed: ended after a broken rule", left_over_rule},
    {"agreed: ended, the startup frames disagree", left_over_disagreement},
    {"agreed: ended by the Responder, the RTR message was due", dropped_without_rtr},
    {"agreed: reset", reset_after_reply},
    {"agreed: closed without a message", closed_unused},
    {"agreed: the RTR message is missing", rtr_missing},
    {"agreed: no message yet", ready},
});

}  // namespace

std::span<const Step> agreed_steps() noexcept {
  return kAgreedSteps;
}

}  // namespace iwarpscope::verdict
