// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Verdicts on streams that a Terminate ended, in order of precedence.
#include "verdict/terminate.h"

#include <algorithm>
#include <array>

#include "verdict/breach.h"
#include "verdict/terminate_subject.h"

namespace iwarpscope::verdict {
namespace {

using findings::FindingId;

/// For the message that it names, or reported by the very error: that goes before what is wrong with the Terminate.
std::optional<Diagnosis> for_sure_breach(const Facts& facts) {
  const auto claim = first_claim(facts);
  if (!claim) return std::nullopt;
  const auto breach = explaining_breach(facts.summary(), *claim);
  const bool sure = breach && (claim->terminate.named || breach->fit == Fit::reported);
  return sure ? std::optional{over_breach(facts, *claim, *breach)} : std::nullopt;
}

/// What the capture lacks may be the reason instead, where receivers report that rule by other errors.
bool may_be_another(const Facts& facts, const Claim& claim, const Breach& breach) noexcept {
  const qp::DirectionRecord& of = facts.record.directions[index(claim.accused())];
  const bool lacks = facts.summary().one_sided || !of.captured || of.has_capture_gap() || of.cut_octets != 0;
  return breach.fit == Fit::last && lacks;
}

std::optional<Diagnosis> for_other_breach(const Facts& facts) {
  const auto claim = first_claim(facts);
  if (!claim) return std::nullopt;
  const auto breach = explaining_breach(facts.summary(), *claim);
  if (!breach || may_be_another(facts, *claim, *breach)) return std::nullopt;
  return over_breach(facts, *claim, *breach);
}

// ---- the wire contradicts what it reports ----

/// What it quotes may be right where that end broke a rule; a header that was not found may be in octets not read.
Diagnosis doubted(const Facts& facts, const Claim& claim, Diagnosis d) {
  const bool all_read =
      facts.is_whole(claim.accused()) && facts.record.directions[index(claim.accused())].cut_octets == 0;
  const bool is_seen = claim.terminate.named.has_value() || all_read;
  if (!is_seen || first_error(facts, claim.accused(), facts.record.last_frame) != nullptr) {
    d.blame_none().remark(RemarkId::cause_unseen);
  }
  return d;
}

std::optional<Diagnosis> for_false_claim(const Facts& facts) {
  const auto claim = first_claim(facts);
  if (!claim || !is_noted_of_it(facts, *claim, FindingId::rdmap_terminate_claim_false)) return std::nullopt;
  return doubted(facts, *claim, terminated(facts, *claim, VerdictId::terminate_claim_false));
}

std::optional<Diagnosis> for_unsent_header(const Facts& facts) {
  const auto claim = first_claim(facts);
  if (!claim || !is_noted_of_it(facts, *claim, FindingId::rdmap_terminate_names_unsent)) return std::nullopt;
  return doubted(facts, *claim, terminated(facts, *claim, VerdictId::terminate_names_unsent));
}

std::optional<Diagnosis> for_markers_right_at_tap(const Facts& facts) {
  const auto claim = first_claim(facts);
  if (!claim || !claim->is(2, 0, 3) || facts.from(claim->accused()).inside_fpdu) return std::nullopt;
  if (!is_noted_of_it(facts, *claim, FindingId::mpa_reported_error_not_seen)) return std::nullopt;
  // Its octets may come after the Terminate in the capture, and show the error then.
  if (explaining_breach(facts.summary(), *claim) ||
      facts.noted(FindingId::mpa_crc_mismatch, claim->accused()) != nullptr) {
    return std::nullopt;
  }
  Diagnosis d = terminated(facts, *claim, VerdictId::terminate_markers_wrong_after_tap);
  if (may_markers_differ(facts, *claim)) {
    d.blame_none().remark(RemarkId::markers_not_known, {{Arg::who, claim->sender}});
  }
  return d;
}

// ---- what it refuses ----

/// AT-18: its sender lacks RFC 7306.
std::optional<Diagnosis> for_refused_extension(const Facts& facts) {
  constexpr FindingId kRule = FindingId::rdmap_extension_refused;
  const auto claim = first_claim(facts);
  if (!claim || !claim->is(0, 2, 6) || !is_noted_of_it(facts, *claim, kRule)) return std::nullopt;
  return terminated(facts, *claim, VerdictId::terminate_extension_refused, {{Arg::rule, kRule}});
}

/// A message was refused as too long, or for want of a receive, although messages as long were received before. Linux
/// siw reports both by 1/2/02. Source: RFC 5041 §7.1.
std::optional<Diagnosis> for_refused_length(const Facts& facts) {
  constexpr std::uint64_t kEnough = 2;  // one may have met a larger receive by chance
  const auto claim = first_claim(facts);
  if (!claim || !claim->terminate.named || claim->terminate.named->as_long_before < kEnough) return std::nullopt;
  const Argument amount{Arg::amount, Amount{claim->terminate.named->as_long_before, "message"}};
  if (claim->is(1, 2, 5)) return terminated(facts, *claim, VerdictId::terminate_receive_smaller, {amount});
  const bool either = claim->is(1, 2, 2) && claim->terminate.dialect == rdmap::TerminateDialect::siw_le;
  if (!either) return std::nullopt;
  return terminated(facts, *claim, VerdictId::terminate_no_receive, {amount});
}

/// Its STag was known before it, and so named by the Request; empty: not known.
bool is_asked_for(const Facts& facts, const Claim& claim) noexcept {
  const auto& named = claim.terminate.named;
  if (!named) return false;
  const auto& uses = facts.record.stags;
  const auto at = std::find_if(uses.begin(), uses.end(), [&](const qp::StagUse& u) { return u.stag == named->stag; });
  return at != uses.end() ? at->first_frame < named->frame : !facts.record.joined_midstream;
}

/// A Read Response was refused by the end that said where it is to go.
std::optional<Diagnosis> for_refused_sink(const Facts& facts) {
  const auto claim = first_claim(facts);
  if (!claim || claim->terminate.quoted != rdmap::Opcode::rdma_read_response) return std::nullopt;
  if (!is_about_buffer(*claim)) return std::nullopt;
  Diagnosis d = terminated(facts, *claim, VerdictId::terminate_read_sink);
  const bool all_seen = is_asked_for(facts, *claim) && !is_cause_unseen(facts, *claim) &&
                        facts.is_whole(claim->sender) && facts.is_whole(claim->accused()) &&
                        !claim->terminate.named->unfit;
  if (!all_seen) d.blame_none().remark(RemarkId::cause_unseen);
  return d;
}

/// Its octets are not those of a Terminate: it ended the stream, for a reason that cannot be read.
std::optional<Diagnosis> for_unreadable(const Facts& facts) {
  for (const Direction d : kDirections) {
    const qp::NotedFinding* const sent = facts.noted(FindingId::rdmap_terminate_sent, d);
    if (sent == nullptr) continue;
    Diagnosis diagnosis(VerdictId::terminate_unreadable, {{Arg::who, d}, {Arg::frame, sent->frame}});
    return diagnosis.show({sent->frame});
  }
  return std::nullopt;
}

constexpr auto kTerminateSteps = std::to_array<Step>({
    {"wrong CRC: a rule of framing was broken before", for_rule_before_bad_crc},
    {"wrong CRC: it is wrong at the tap too", for_crc_seen_wrong},
    {"wrong CRC: CRC is not in use", for_crc_not_in_use},
    {"wrong CRC: the capture lacks FPDUs", for_crc_unseen},
    {"wrong CRC: an FPDU is not complete", for_crc_of_unfinished_fpdu},
    {"wrong CRC: every FPDU is right at the tap", for_crc_right_at_tap},
    {"the two ends offer other kinds of RTR message", for_rtr_kinds},
    {"the message that it names, or reports, broke a rule", for_sure_breach},
    {"what it quotes cannot have that error", for_false_claim},
    {"what it quotes was never sent", for_unsent_header},
    {"wrong markers: every marker is right at the tap", for_markers_right_at_tap},
    {"it refuses an RTR message", for_refused_rtr},
    {"it refuses RFC 7306", for_refused_extension},
    {"no common kind of RTR message, and another error", for_unsaid_rtr_mismatch},
    {"the other end broke a rule", for_other_breach},
    {"messages as long were received before", for_refused_length},
    {"it refuses the answer to its own Read", for_refused_sink},
    {"the usual cause of its error", for_usual_cause},
    {"it cannot be read", for_unreadable},
});

}  // namespace

std::span<const Step> terminate_steps() noexcept {
  return kTerminateSteps;
}

}  // namespace iwarpscope::verdict
