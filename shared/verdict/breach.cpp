// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "verdict/breach.h"

#include <algorithm>

#include "verdict/words.h"

namespace iwarpscope::verdict {
namespace {

using findings::About;
using findings::FindingId;
using findings::Severity;
using enum RemarkId;

bool is_error(const qp::NotedFinding& f) noexcept {
  return findings::rule(f.id).severity == Severity::error && !is_consequence(f.id);
}

/// An error, or a warning, about an end.
bool is_suspicious(const qp::NotedFinding& f) noexcept {
  const findings::Rule& rule = findings::rule(f.id);
  return rule.severity != Severity::note && rule.about == About::peer && !is_consequence(f.id);
}

/// What makes Linux siw frame wrongly, where it may be the sender.
bool may_be_siw_gso(const Facts& facts, FindingId id) noexcept {
  if (id != FindingId::mpa_ulpdu_length_invalid) return false;
  const auto has_bit = [](const mpa::StartupFrame* f) { return f != nullptr && (f->reserved & mpa::kSiwGsoBit) != 0; };
  return has_bit(facts.request()) || has_bit(facts.reply());
}

/// A wrong CRC with no FPDU after it: the path may have changed a length, or its sender framed wrongly.
bool is_framing_wrong_after(const Facts& facts, const qp::NotedFinding& f) noexcept {
  if (f.id != FindingId::mpa_crc_mismatch || !f.direction) return false;
  return facts.noted(FindingId::mpa_framing_lost, f.direction) != nullptr ||
         facts.noted(FindingId::mpa_boundary_not_found, f.direction) != nullptr;
}

/// What speaks worst of the connection: an error, else what is suspicious about an end.
const qp::NotedFinding* worth_a_remark(const Facts& facts) noexcept {
  const auto& all = facts.summary().findings;
  const auto error = std::find_if(all.begin(), all.end(), is_error);
  if (error != all.end()) return &*error;
  const auto odd = std::find_if(all.begin(), all.end(), is_suspicious);
  return odd != all.end() ? &*odd : nullptr;
}

}  // namespace

bool is_consequence(FindingId id) noexcept {
  return findings::rule(id).explains == findings::Explains::nothing;
}

bool is_at_once_after_startup(const Facts& facts, const qp::NotedFinding& f, const End& end) noexcept {
  const bool is_of_startup = findings::rule(f.id).explains == findings::Explains::startup;
  return is_of_startup && facts.reply() != nullptr && elapsed_ns(facts.reply()->time, end.at.time) < kLongNs;
}

const qp::NotedFinding* sent_no_fpdus(const Facts& facts) noexcept {
  if (facts.has_holes() || facts.is_cut()) return nullptr;
  const auto& all = facts.summary().findings;
  const auto at = std::find_if(all.begin(), all.end(), [&](const qp::NotedFinding& f) {
    return f.id == FindingId::mpa_first_fpdu_unreadable && f.direction &&
           facts.record.directions[index(*f.direction)].fpdus == 0;
  });
  return at != all.end() ? &*at : nullptr;
}

const qp::NotedFinding* first_error(const Facts& facts, Direction breaker, FrameNumber until) noexcept {
  const auto& all = facts.summary().findings;
  const auto at = std::find_if(all.begin(), all.end(), [&](const qp::NotedFinding& f) {
    return is_error(f) && findings::rule(f.id).about == About::peer && f.direction == breaker && f.frame <= until;
  });
  return at != all.end() ? &*at : nullptr;
}

const qp::NotedFinding* explains_reset(const Facts& facts, const End& end) noexcept {
  const qp::NotedFinding* const error = first_error(facts, opposite(end.by), facts.had_until(end));
  if (error == nullptr) return nullptr;
  const FrameNumber latest = std::max(error->frame, error->latest.frame);
  const bool went_on = facts.from(end.by).last_message.frame > latest;
  return !went_on || is_at_once_after_startup(facts, *error, end) ? error : nullptr;
}

void mention_without_blame(const Facts& facts, Diagnosis& diagnosis) {
  const qp::Blame blame = diagnosis.blame;
  mention_findings(facts, diagnosis);
  diagnosis.blame = blame;
}

namespace {

/// No error is known, but something suspicious about this end, after which the other end sent nothing.
bool may_be_refused_for_oddity(const Facts& facts, Direction by) noexcept {
  const auto& all = facts.summary().findings;
  if (std::any_of(all.begin(), all.end(), is_error)) return false;
  return std::any_of(all.begin(), all.end(), [&](const qp::NotedFinding& f) {
    return f.direction == by && is_suspicious(f) && !carried_on_after(facts, f);
  });
}

}  // namespace

bool carried_on_after(const Facts& facts, const qp::NotedFinding& error) noexcept {
  return error.direction && facts.from(opposite(*error.direction)).last_message.frame > error.frame;
}

namespace {

/// What `by` may have done wrong where no rule says so: an answer that no request seen asks for, after which the other
/// end sent nothing; something in octets that could not be read; or anything before a capture in which the other end
/// says nothing.
void doubt_either_end(const Facts& facts, Direction by, Diagnosis& diagnosis) {
  const qp::DirectionSummary& other = facts.from(opposite(by));
  const FrameNumber unfit = facts.from(by).unfit_answer;
  if (unfit.value != 0 && other.last_message.frame <= unfit) {
    diagnosis.blame_none().remark(unfit_answer, {{Arg::who, by}, {Arg::of_frame, unfit}}).show({unfit});
  }
  if (facts.noted(FindingId::capture_framing_lost, by) != nullptr) {
    diagnosis.blame_none().remark(limit_skipped, {{Arg::who, by}});
  }
  if (facts.record.joined_midstream && !other.last_message.happened()) {
    diagnosis.blame_none().remark(limit_joined_late, {{Arg::who, by}});
  }
}

}  // namespace

void mention_either_end(const Facts& facts, Direction by, Diagnosis& diagnosis) {
  if (diagnosis.doubt.any()) return mention_without_blame(facts, diagnosis);
  const qp::Blame before = diagnosis.blame;
  doubt_either_end(facts, by, diagnosis);
  if (diagnosis.blame != before) return mention_without_blame(facts, diagnosis);
  const qp::Blame own = by == Direction::a_to_b ? qp::Blame::a : qp::Blame::b;
  mention_findings(facts, diagnosis);
  if (may_be_refused_for_oddity(facts, by)) diagnosis.blame_none();
  if (diagnosis.blame != own) return;
  diagnosis.blame_none();
  const qp::NotedFinding* const error = worth_a_remark(facts);
  if (carried_on_after(facts, *error)) diagnosis.remark(either_end, {{Arg::who, by}});
}

void mention_findings(const Facts& facts, Diagnosis& diagnosis) {
  const qp::NotedFinding* const f = worth_a_remark(facts);
  if (f == nullptr) return;
  const findings::Rule& rule = findings::rule(f->id);
  std::vector<Argument> arguments{{Arg::rule, f->id}, {Arg::of_frame, f->frame}};
  const bool by_sender = is_made_by_sender(*f);
  const bool by_peer = (rule.about == About::peer || by_sender) && f->direction.has_value();
  if (by_peer) arguments.push_back({Arg::breaker, *f->direction});
  const bool may_be_framing = is_framing_wrong_after(facts, *f) || f->sender_crc == findings::SenderCrc::maybe;
  if (by_sender) arguments.push_back({Arg::crc, crc_words(f->sender_crc)});
  const RemarkId id = by_sender                                      ? crc_by_sender
                      : rule.severity != Severity::error             ? suspicious
                      : by_peer                                      ? rule_broken_by
                      : rule.about == About::path && !may_be_framing ? damaged
                                                                     : rule_broken;
  diagnosis.remark(id, std::move(arguments)).show({f->begin.first, f->frame});
  if (may_be_framing && !by_peer) diagnosis.blame_none();
  // How the receiver reacted speaks against damage on the path.
  const auto doubts = [](const qp::NotedFinding& n) { return n.id == FindingId::mpa_crc_mismatch_reaction; };
  const auto& all = facts.summary().findings;
  const auto reaction = std::find_if(all.begin(), all.end(), doubts);
  if (id == damaged && reaction != all.end()) diagnosis.remark(limit_reaction, {{Arg::rule, reaction->id}});
  // What an end did wrong as well.
  const auto of_peer = std::find_if(all.begin(), all.end(), [](const qp::NotedFinding& n) {
    return is_error(n) && findings::rule(n.id).about == About::peer;
  });
  if ((id == damaged || may_be_framing) && of_peer != all.end()) {
    diagnosis.remark(rule_broken, {{Arg::rule, of_peer->id}, {Arg::of_frame, of_peer->frame}}).show({of_peer->frame});
  }
  if (may_be_siw_gso(facts, f->id)) diagnosis.remark(siw_gso);
}

}  // namespace iwarpscope::verdict
