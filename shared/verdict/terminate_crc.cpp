// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// An end that reports a wrong CRC: 2/0/2. Source: RFC 5044 §8.
#include <algorithm>

#include "verdict/outstanding.h"
#include "verdict/terminate.h"
#include "verdict/words.h"

namespace iwarpscope::verdict {
namespace {

using findings::FindingId;

std::optional<Claim> crc_claim(const Facts& facts) {
  auto claim = first_claim(facts);
  return claim && claim->is(2, 0, 2) ? claim : std::nullopt;
}

/// A capture may have the FPDU that was refused after the Terminate: mirrored ports are merged with some skew.
const qp::NotedFinding* bad_crc(const Facts& facts, const Claim& claim) noexcept {
  return facts.noted(FindingId::mpa_crc_mismatch, claim.accused());
}

/// The last FPDU with a wrong CRC up to the Terminate, else the first.
FrameNumber last_bad_crc(const qp::NotedFinding& f, const Claim& claim) noexcept {
  return f.latest.frame <= claim.terminate.at.frame ? std::max(f.frame, f.latest.frame) : f.frame;
}

const qp::DirectionRecord& accused(const Facts& facts, const Claim& claim) noexcept {
  return facts.record.directions[index(claim.accused())];
}

bool is_framing_wrong(const Facts& facts, const Claim& claim) noexcept {
  const Direction d = claim.accused();
  return facts.from(d).framing_lost || facts.from(d).inside_fpdu || facts.record.directions[index(d)].cut_octets != 0 ||
         facts.noted(FindingId::mpa_framing_lost, d) != nullptr ||
         facts.noted(FindingId::mpa_ulpdu_length_invalid, d) != nullptr;
}

VerdictId row_for(const Facts& facts, const Claim& claim, const qp::NotedFinding& bad) noexcept {
  constexpr std::uint64_t kFew = 3;  // so many may be damaged one after the other
  const qp::DirectionRecord& of = accused(facts, claim);
  if (is_made_by_sender(bad)) return VerdictId::terminate_crc_by_sender;
  if (of.crc_ok == 0 && of.crc_bad >= kFew) return VerdictId::terminate_crc_never_right;
  const bool may_be_sender = bad.sender_crc == findings::SenderCrc::maybe;
  return may_be_sender || is_framing_wrong(facts, claim) ? VerdictId::terminate_crc_and_framing
                                                         : VerdictId::terminate_crc_wrong_at_tap;
}

}  // namespace

/// A wrong CRC at the tap explains what came after it, and not what came before.
std::optional<Diagnosis> for_rule_before_bad_crc(const Facts& facts) {
  const auto claim = crc_claim(facts);
  if (!claim) return std::nullopt;
  const auto breach = explaining_breach(facts.summary(), *claim);
  const qp::NotedFinding* const bad = bad_crc(facts, *claim);
  if (!breach || breach->fit == Fit::forced || breach->fit == Fit::last) return std::nullopt;
  if (bad != nullptr && (breach->fit != Fit::reported || breach->frame > bad->frame)) return std::nullopt;
  Diagnosis d = over_breach(facts, *claim, *breach);
  // A bit of ULPDU_Length that changed on the way would do the same.
  if (breach->id == FindingId::mpa_ulpdu_length_invalid) d.at_most(qp::Confidence::likely);
  return d;
}

std::optional<Diagnosis> for_crc_seen_wrong(const Facts& facts) {
  const auto claim = crc_claim(facts);
  const qp::NotedFinding* const bad = claim ? bad_crc(facts, *claim) : nullptr;
  if (bad == nullptr) return std::nullopt;
  const FrameNumber frame = last_bad_crc(*bad, *claim);
  return terminated(facts, *claim, row_for(facts, *claim, *bad),
                    {{Arg::amount, Amount{accused(facts, *claim).crc_bad, "FPDU"}},
                     {Arg::of_frame, frame},
                     {Arg::crc, crc_words(bad->sender_crc)}})
      .show({frame});
}

std::optional<Diagnosis> for_crc_not_in_use(const Facts& facts) {
  const auto claim = crc_claim(facts);
  if (!claim || facts.record.crc_in_use.value_or(true)) return std::nullopt;
  Diagnosis d = terminated(facts, *claim, VerdictId::terminate_crc_not_in_use);
  if (facts.record.crc_inferred) d.remark(RemarkId::limit_crc_inferred);
  return d;
}

std::optional<Diagnosis> for_crc_unseen(const Facts& facts) {
  const auto claim = crc_claim(facts);
  if (!claim) return std::nullopt;
  const qp::DirectionRecord& of = accused(facts, *claim);
  if (of.crc_ok == 0) return terminated(facts, *claim, VerdictId::terminate_crc_unchecked);
  const bool all_seen =
      facts.is_whole(claim->accused()) && of.cut_octets == 0 && of.crc_unjudged == 0 && of.unframed_octets == 0;
  // The Terminate may be about an FPDU sent before the capture began.
  const bool began_later =
      facts.record.joined_midstream && elapsed_ns(facts.record.first_time, claim->terminate.at.time) < kLongNs;
  if (all_seen && !began_later) return std::nullopt;
  return terminated(facts, *claim, VerdictId::terminate_crc_not_captured, {{Arg::amount, Amount{of.crc_ok, "FPDU"}}});
}

std::optional<Diagnosis> for_crc_of_unfinished_fpdu(const Facts& facts) {
  const auto claim = crc_claim(facts);
  if (!claim || !facts.from(claim->accused()).inside_fpdu) return std::nullopt;
  Diagnosis d = terminated(facts, *claim, VerdictId::terminate_crc_unfinished);
  return name_unfinished_fpdu(facts, claim->accused(), d);
}

std::optional<Diagnosis> for_crc_right_at_tap(const Facts& facts) {
  const auto claim = crc_claim(facts);
  if (!claim) return std::nullopt;
  Diagnosis d = terminated(facts, *claim, VerdictId::terminate_crc_wrong_after_tap);
  if (may_markers_differ(facts, *claim)) {
    d.blame_none().remark(RemarkId::markers_not_known, {{Arg::who, claim->sender}});
  }
  return d;
}

}  // namespace iwarpscope::verdict
