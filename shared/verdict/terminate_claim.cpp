// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// What a Terminate reports, and the message that it names.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "rdmap/opcode.h"
#include "verdict/terminate.h"

namespace iwarpscope::verdict {
namespace {

using Named = qp::TerminateSummary::Named;

/// Read in the RFC's order of bits where its sender seems to have the other: Linux siw's "0/2/07" and the RFC's
/// "2/0/07" are the same octets. What was wrong in startup decides which is meant. Source: RFC 6581 §8.
findings::TerminateCode code_of(const Facts& facts, const qp::TerminateSummary& t, Direction sender) {
  const findings::TerminateCode code{t.layer, t.error_type, t.error_code};
  if (t.dialect != rdmap::TerminateDialect::siw_le || t.layer != 0 || t.named) return code;
  const findings::TerminateCode other{t.error_type, t.layer, t.error_code};
  if (!is_startup_error(other)) return code;
  const auto breach = explaining_breach(facts.summary(), {t, sender, other});
  return breach && breach->fit == Fit::reported ? other : code;
}

std::string text(STag stag) {
  return fmt::format("0x{:08x}", stag.value);
}
std::string text(TaggedOffset to) {
  return fmt::format("0x{:016x}", to.value);
}

RemarkId remark_for(const Named& named) noexcept {
  if (named.target) return named.target->size ? RemarkId::named_read : RemarkId::named_atomic;
  if (named.tagged) return named.cut ? RemarkId::named_tagged_so_far : RemarkId::named_tagged;
  if (named.length == 0 || !rdmap::traits(named.opcode).has_payload) return RemarkId::named_message;
  return named.cut ? RemarkId::named_untagged_so_far : RemarkId::named_untagged;
}

void add_named(const Claim& claim, const Named& named, Diagnosis& d) {
  const STag stag = named.target ? named.target->stag : named.stag;
  const TaggedOffset to = named.target ? named.target->to : named.to;
  const std::uint64_t octets = named.target ? named.target->size.value_or(0) : named.length;
  d.remark(remark_for(named), {{Arg::opcode, named.opcode},
                               {Arg::who, claim.sender},
                               {Arg::of_frame, named.frame},
                               {Arg::stag, text(stag)},
                               {Arg::to, text(to)},
                               {Arg::amount, Amount{octets, "octet"}}});
  d.show({named.frame});
}

/// What a verdict for another reason has to say as well. Where the other end broke a rule before, its sender is not
/// blamed: it may have met that.
void add_breach_before(const Facts& facts, const Claim& claim, Diagnosis& d) {
  const auto earlier = breach_before(facts.summary(), claim);
  if (!earlier) return;
  const Breach& breach = earlier->breach;
  const bool may_excuse = earlier->by == claim.accused() && !is_own_failure(claim);
  if (may_excuse && row(d.id).blame == BlameRule::who) d.blame_none();
  // A rule that receivers report by this error does belong to it.
  const bool agrees = may_excuse && findings::rule(breach.id).refused_with.contains(claim.code);
  d.remark(agrees ? RemarkId::rule_broken : RemarkId::broken_before,
           {{Arg::breaker, earlier->by}, {Arg::rule, breach.id}, {Arg::of_frame, breach.frame}});
  d.show({breach.first, breach.frame});
}

VerdictId row_for(Fit fit) noexcept {
  switch (fit) {
    case Fit::reported: return VerdictId::terminate_over_rule;
    case Fit::named: return VerdictId::terminate_over_named_rule;
    case Fit::late: return VerdictId::terminate_before_rule;
    case Fit::last: return VerdictId::terminate_over_last_rule;
    case Fit::forced: break;
  }
  return VerdictId::terminate_over_other_rule;
}

/// The verdict names an error that an end made.
bool is_broken_rule(const Argument& a) noexcept {
  if (a.name != Arg::rule || a.value.kind() != Value::Kind::rule) return false;
  const findings::Rule& rule = findings::rule(a.value.rule());
  return rule.severity == findings::Severity::error && rule.about == findings::About::peer;
}

/// What makes Linux siw frame wrongly, where it may be the sender.
bool has_gso_bit(const mpa::StartupFrame* frame) noexcept {
  return frame != nullptr && (frame->reserved & mpa::kSiwGsoBit) != 0;
}

}  // namespace

bool is_startup_error(findings::TerminateCode code) noexcept {
  return code.layer == 2 && code.error_type == 0 && code.error_code >= 4 && code.error_code <= 7;
}

bool is_own_failure(const Claim& claim) noexcept {
  return (claim.code.layer == 0 && claim.code.error_type == 0) || claim.is(0, 2, 8) || claim.is(2, 0, 5);
}

std::optional<Claim> first_claim(const Facts& facts) {
  std::optional<Claim> first;
  for (const Direction d : kDirections) {
    const auto& t = facts.from(d).terminate;
    if (t && (!first || t->at.frame < first->terminate.at.frame)) first.emplace(Claim{*t, d, code_of(facts, *t, d)});
  }
  return first;
}

Diagnosis terminated(const Facts& facts, const Claim& claim, VerdictId id, std::vector<Argument> more) {
  const qp::TerminateSummary& t = claim.terminate;
  more.push_back({Arg::who, claim.sender});
  more.push_back({Arg::frame, t.at.frame});
  more.push_back({Arg::what, rdmap::error_name(claim.code.layer, claim.code.error_type, claim.code.error_code)});
  Diagnosis d(id, std::move(more));
  d.show({t.at.frame});
  if (t.named) add_named(claim, *t.named, d);
  const bool is_over_error = std::any_of(d.arguments.begin(), d.arguments.end(), is_broken_rule);
  if (!is_over_error) {
    add_breach_before(facts, claim, d);
    // A rule that was broken in the octets that were cut off is not known.
    const bool is_cut = facts.record.directions[index(claim.accused())].cut_octets != 0;
    if (is_cut && row(id).confidence != qp::Confidence::limited) d.remark(RemarkId::limit_frames_cut);
  }
  return d;
}

Diagnosis over_breach(const Facts& facts, const Claim& claim, const Breach& breach) {
  using findings::FindingId;
  Diagnosis d = terminated(facts, claim, row_for(breach.fit),
                           {{Arg::breaker, claim.accused()}, {Arg::rule, breach.id}, {Arg::of_frame, breach.frame}});
  d.show({breach.first, breach.frame});
  // What was wrong comes before the message that the Terminate names: the name of a rule is not enough.
  d.remark(RemarkId::rule_means, {{Arg::rule, breach.id}});
  std::rotate(d.remarks.begin(), std::prev(d.remarks.end()), d.remarks.end());
  const bool by_other_error = breach.fit == Fit::named || breach.fit == Fit::forced || breach.fit == Fit::last;
  const bool has_usual_error = !findings::rule(breach.id).refused_with.codes().empty();
  if (by_other_error && has_usual_error) d.remark(RemarkId::usually_other_error);
  if (claim.is(0, 2, 6) && is_noted_of_it(facts, claim, FindingId::rdmap_extension_refused)) {
    d.remark(RemarkId::lacks_extension, {{Arg::who, claim.sender}, {Arg::rule, FindingId::rdmap_extension_refused}});
  }
  const bool by_gso =
      breach.id == FindingId::mpa_ulpdu_length_invalid && (has_gso_bit(facts.request()) || has_gso_bit(facts.reply()));
  if (by_gso) d.remark(RemarkId::siw_gso);
  return d;
}

bool is_noted_of_it(const Facts& facts, const Claim& claim, findings::FindingId id) noexcept {
  const qp::NotedFinding* const f = facts.noted(id, claim.sender);
  return f != nullptr && f->frame == claim.terminate.at.frame;
}

bool may_markers_differ(const Facts& facts, const Claim& claim) noexcept {
  const mpa::StartupFrame* const asks = claim.sender == kInitiator ? facts.request() : facts.reply();
  return asks == nullptr && elapsed_ns(facts.record.first_time, claim.terminate.at.time) < kLongNs;
}

}  // namespace iwarpscope::verdict
