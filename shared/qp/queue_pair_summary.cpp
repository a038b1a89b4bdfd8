// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// What a verdict on a queue pair will need, kept while it lives.
#include <algorithm>
#include <utility>

#include "qp/queue_pair_state.h"

namespace iwarpscope::qp {

namespace {

using findings::SenderCrc;

/// What two findings show together: nothing, where one of them may be of the path.
SenderCrc merged(SenderCrc a, SenderCrc b) noexcept {
  if (a == SenderCrc::no || b == SenderCrc::no) return SenderCrc::no;
  return a == SenderCrc::maybe ? b : a;
}

void confirm_zero(SenderCrc& crc) noexcept {
  if (crc == SenderCrc::maybe) crc = SenderCrc::zero;
}

}  // namespace

void QueuePair::Impl::zero_crc_was_sent(Direction d) {
  const auto is_one = [d](const auto& f) { return f.id == findings::FindingId::mpa_crc_mismatch && f.direction == d; };
  if (pending_ != nullptr) {
    for (findings::Finding& f : *pending_) {
      if (is_one(f)) confirm_zero(f.sender_crc);
    }
  }
  if (found_ == nullptr) return;
  for (NotedFinding& f : found_->noted) {
    if (is_one(f)) confirm_zero(f.sender_crc);
  }
}

void QueuePair::Impl::note(const findings::Finding& finding) {
  std::vector<NotedFinding>& noted = found_->noted;  // deliver() made it
  BreachPlace place{frame, frame, finding.message};
  if (!finding.frames.empty()) {
    place.first = finding.frames.front();
    place.frame = finding.broken_in.value != 0 ? finding.broken_in : finding.frames.back();
  }
  note_breach(finding, place);
  const auto known = std::find_if(noted.begin(), noted.end(), [&](const NotedFinding& n) {
    return n.id == finding.id && n.direction == finding.direction;
  });
  if (known != noted.end()) {
    known->sender_crc = merged(known->sender_crc, finding.sender_crc);
    // What came after a Terminate of the other end does not hide what the Terminate may speak of.
    const bool is_terminated = finding.direction && halves_[index(opposite(*finding.direction))].has_terminated();
    if (!is_terminated) known->latest = place;
  } else {
    const bool is_answer = finding.id == findings::FindingId::mpa_reply_key_wrong;
    noted.push_back({finding.id,
                     finding.direction,
                     place.frame,
                     place,
                     {},
                     finding.sender_crc,
                     is_answer ? finding.seen : std::string()});
  }
}

void QueuePair::Impl::note_breach(const findings::Finding& finding, const BreachPlace& place) {
  if (!finding.direction || !findings::is_refused(findings::rule(finding.id))) return;
  Half& refusing = halves_[index(opposite(*finding.direction))];
  if (refusing.has_terminated()) return refusing.note_named_breach({finding.id, place});
  if (breaches == nullptr) breaches = std::make_unique<RecentBreaches>();
  breaches->add(*finding.direction, {finding.id, place});
}

Summary QueuePair::Impl::summary() const {
  Summary s;
  if (found_ != nullptr) s.findings = found_->noted;
  // A message follows the Reply, or the Session Accept, whichever of them came first at the tap.
  const FrameNumber reply = startup_reply != nullptr ? startup_reply->frame : FrameNumber{};
  const auto place = [&](const NotedFinding& n) {
    const bool overtook = n.begin.message && n.frame < reply;
    return std::pair(overtook ? reply : n.frame, overtook);
  };
  std::ranges::stable_sort(s.findings, {}, place);
  s.one_sided = one_sided;
  for (const Direction d : kDirections) halves_[index(d)].fill(s.directions[index(d)]);
  fill(s);
  return s;
}

}  // namespace iwarpscope::qp
