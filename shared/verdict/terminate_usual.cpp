// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// What the errors that a Terminate can report usually come from.
#include <algorithm>
#include <array>
#include <optional>

#include "verdict/reasons.h"
#include "verdict/terminate.h"
#include "verdict/terminate_subject.h"

namespace iwarpscope::verdict {
namespace {

using rdmap::TerminateDialect;

/// An error, as one kind of driver or any sends it, and the row for it.
struct Usual {
  findings::TerminateCode code;
  std::optional<TerminateDialect> dialect;
  VerdictId row;
};

/// Those of one kind of driver come first.
constexpr auto kUsual = std::to_array<Usual>({
    {{1, 2, 2}, TerminateDialect::siw_le, VerdictId::terminate_usual_siw_receive},
    {{1, 1, 0}, TerminateDialect::siw_le, VerdictId::terminate_usual_siw_stag},
    {{0, 2, 7}, TerminateDialect::siw_le, VerdictId::terminate_usual_siw_stream},
    {{1, 2, 3}, TerminateDialect::cxgb4, VerdictId::terminate_usual_cxgb4_msn},
    {{0, 1, 0}, std::nullopt, VerdictId::terminate_usual_stag},
    {{1, 1, 0}, std::nullopt, VerdictId::terminate_usual_stag},
    {{0, 1, 1}, std::nullopt, VerdictId::terminate_usual_bounds},
    {{1, 1, 1}, std::nullopt, VerdictId::terminate_usual_bounds},
    {{0, 1, 2}, std::nullopt, VerdictId::terminate_usual_rights},
    {{0, 1, 3}, std::nullopt, VerdictId::terminate_usual_protection_domain},
    {{0, 1, 4}, std::nullopt, VerdictId::terminate_usual_offset},
    {{1, 1, 3}, std::nullopt, VerdictId::terminate_usual_offset},
    {{0, 1, 9}, std::nullopt, VerdictId::terminate_usual_invalidate},
    {{0, 2, 9}, std::nullopt, VerdictId::terminate_usual_invalidate},
    {{0, 1, 0xFF}, std::nullopt, VerdictId::terminate_usual_protection},
    {{0, 2, 5}, std::nullopt, VerdictId::terminate_usual_rdmap_version},
    {{0, 2, 6}, std::nullopt, VerdictId::terminate_usual_opcode},
    {{0, 2, 7}, std::nullopt, VerdictId::terminate_usual_stream},
    {{0, 2, 8}, std::nullopt, VerdictId::terminate_usual_rnic},
    {{0, 2, 0xFF}, std::nullopt, VerdictId::terminate_usual_operation},
    {{1, 1, 2}, std::nullopt, VerdictId::terminate_usual_stag_or_rights},
    {{1, 1, 4}, std::nullopt, VerdictId::terminate_usual_ddp_version},
    {{1, 2, 6}, std::nullopt, VerdictId::terminate_usual_ddp_version},
    {{1, 2, 1}, std::nullopt, VerdictId::terminate_usual_queue},
    {{1, 2, 2}, std::nullopt, VerdictId::terminate_usual_no_receive},
    {{1, 2, 3}, std::nullopt, VerdictId::terminate_usual_msn},
    {{1, 2, 4}, std::nullopt, VerdictId::terminate_usual_mo},
    {{1, 2, 5}, std::nullopt, VerdictId::terminate_usual_too_long},
    {{1, 0, 0}, std::nullopt, VerdictId::terminate_usual_ddp},
    {{2, 0, 1}, std::nullopt, VerdictId::terminate_usual_llp},
    {{2, 0, 3}, std::nullopt, VerdictId::terminate_usual_markers},
    {{2, 0, 4}, std::nullopt, VerdictId::terminate_usual_startup_frame},
    {{2, 0, 5}, std::nullopt, VerdictId::terminate_usual_startup_local},
    {{2, 0, 6}, std::nullopt, VerdictId::terminate_usual_ird},
    {{2, 0, 7}, std::nullopt, VerdictId::terminate_usual_rtr},
});

/// An error of an untagged buffer, about a message that takes no posted receive: tagged messages and those of queue 1
/// to 3 do not. Queue 1 has room for as many requests as were agreed. Source: RFC 5040 §3.1, §6.1; RFC 5041 §7.1; RFC
/// 7306 §4.1.
std::optional<VerdictId> row_without_receive(const Claim& claim) noexcept {
  const auto opcode = opcode_of(claim);
  const bool is_of_msn = claim.is(1, 2, 2) || claim.is(1, 2, 3);
  if (!opcode || !(is_of_msn || claim.is(1, 2, 5))) return std::nullopt;
  const rdmap::OpcodeTraits& its = rdmap::traits(*opcode);
  const bool takes_none = its.tagged.value_or(false) || its.qn.value_or(QueueNumber{0}) != QueueNumber{0};
  if (!takes_none) return std::nullopt;
  const bool is_full = is_of_msn && its.qn == QueueNumber{1};
  return is_full ? VerdictId::terminate_usual_request_queue : VerdictId::terminate_usual_takes_none;
}

/// Linux siw has no Atomic Operations, so its receiver has a queue of Read Requests only.
bool is_of_read_queue(const Claim& claim) noexcept {
  return opcode_of(claim).value_or(rdmap::Opcode::rdma_read_request) == rdmap::Opcode::rdma_read_request;
}

VerdictId usual_row(const Claim& claim) noexcept {
  const findings::TerminateCode code = claim.code;
  if (code.layer == 0 && code.error_type == 0) return VerdictId::terminate_usual_local;  // every code means the same
  if (const auto of_queue = row_without_receive(claim)) return *of_queue;
  if (is_impossible(claim)) return VerdictId::terminate_usual_cannot_occur;
  const auto at = std::find_if(kUsual.begin(), kUsual.end(), [&](const Usual& u) {
    if (u.row == VerdictId::terminate_usual_siw_stream && !is_of_read_queue(claim)) return false;
    return u.code == code && (!u.dialect || u.dialect == claim.terminate.dialect);
  });
  return at != kUsual.end() ? at->row : VerdictId::terminate_usual_unregistered;
}

/// A startup error is about what Request and Reply disagree on, if they do.
void add_disagreement(const Facts& facts, const Claim& claim, Diagnosis& d) {
  if (!is_startup_error(claim.code) || facts.request() == nullptr || facts.reply() == nullptr) return;
  auto reason = disagreement(*facts.request(), *facts.reply(), facts.is_over_sctp());
  if (!reason) return;
  d.remark(reason->id, std::move(reason->arguments)).show({facts.request()->frame, facts.reply()->frame});
}

/// The capture lacks what the Terminate may be about: joined mid-stream, it has no message of the accused end.
bool lacks_octets(const Facts& facts, const Claim& claim) noexcept {
  if (facts.summary().one_sided) return true;
  const bool began_later = facts.record.joined_midstream && !facts.from(claim.accused()).last_message.happened();
  return !claim.terminate.named && (began_later || !facts.is_whole(claim.accused()));
}

/// Messages that take a receive: those of queue 0.
std::uint64_t with_receive(const qp::DirectionRecord& r) noexcept {
  std::uint64_t count = 0;
  for (std::size_t k = 0; k < r.messages.size(); ++k) {
    if (rdmap::traits(static_cast<rdmap::Opcode>(k)).qn == QueueNumber{0}) count += r.messages[k];
  }
  return count;
}

/// An error of a message number, of the first message of its queue in a capture that lacks those before: a number may
/// have been skipped.
bool is_msn_unknown(const Facts& facts, const Claim& claim) noexcept {
  if (!claim.is(1, 2, 2) && !claim.is(1, 2, 3)) return false;
  const auto& named = claim.terminate.named;
  const bool joined = facts.record.joined_midstream;
  if (named) return named->first_of_queue && (joined || !facts.is_whole(claim.accused()));
  return joined && with_receive(facts.record.directions[index(claim.accused())]) <= 1;
}

}  // namespace

bool is_cause_unseen(const Facts& facts, const Claim& claim) noexcept {
  const qp::TerminateSummary& t = claim.terminate;
  if (facts.summary().one_sided || (t.quoted && !t.named)) return true;
  const bool lacks_startup = facts.request() == nullptr || facts.reply() == nullptr || facts.is_cut();
  // Linux siw's octets for an error of startup and for one of the stream are the same. One FPDU may be the RTR message.
  // Source: RFC 6581 §8.
  const bool is_either = !facts.is_over_sctp() && is_startup_error({t.error_type, t.layer, t.error_code}) &&
                         facts.record.directions[index(claim.accused())].fpdus <= 1;
  if (lacks_startup && !t.named && is_either) return true;
  // It may be the RTR message, which has no octets and needs no STag. Source: RFC 6581 §9.2.
  if (lacks_startup && t.named && t.named->tagged && t.named->length == 0) return true;
  if (is_startup_error(claim.code) && lacks_startup) return true;
  return lacks_octets(facts, claim);
}

std::optional<Diagnosis> for_usual_cause(const Facts& facts) {
  const auto claim = first_claim(facts);
  if (!claim) return std::nullopt;
  Diagnosis d = terminated(facts, *claim, usual_row(*claim));
  add_disagreement(facts, *claim, d);
  // Its sender knows its own failures; what it met may be among what is missing.
  const bool is_own = row(d.id).blame == BlameRule::who && !is_startup_error(claim->code);
  const bool lacks = is_own ? lacks_octets(facts, *claim) : is_cause_unseen(facts, *claim);
  if ((lacks || is_msn_unknown(facts, *claim)) && !is_own_failure(*claim)) {
    d.blame_none().remark(RemarkId::cause_unseen);
  }
  return d;
}

}  // namespace iwarpscope::verdict
