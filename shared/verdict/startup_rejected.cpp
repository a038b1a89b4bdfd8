// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The Responder said that it refuses.
#include <algorithm>

#include "emulation/advertised_limits.h"
#include "ulp/private_data.h"
#include "verdict/breach.h"
#include "verdict/reasons.h"
#include "verdict/startup.h"

namespace iwarpscope::verdict {
namespace {

/// Whatever came of the connection afterwards.
bool is_refused(const Facts& facts) {
  return facts.reply() != nullptr && facts.reply()->rejected && !facts.has_fpdus();
}

/// With the Request, which may show why.
bool is_rejected(const Facts& facts) {
  return is_refused(facts) && facts.request() != nullptr;
}

Diagnosis rejected(const Facts& facts) {
  const FrameNumber frame = facts.reply()->frame;
  Diagnosis d(VerdictId::startup_rejected, {{Arg::frame, frame}});
  d.show({frame});
  if (facts.request() != nullptr) d.show({facts.request()->frame});
  return d;
}

/// The Request may have given a reason.
std::optional<Diagnosis> without_request(const Facts& facts) {
  if (!is_refused(facts) || facts.request() != nullptr) return std::nullopt;
  Diagnosis d = rejected(facts);
  mention_without_blame(facts, d.blame_none().at_most(qp::Confidence::likely));
  return d;
}

std::optional<Diagnosis> for_disagreement(const Facts& facts) {
  if (!is_rejected(facts)) return std::nullopt;
  auto reason = disagreement(*facts.request(), *facts.reply(), facts.is_over_sctp());
  if (!reason) return std::nullopt;
  Diagnosis d = rejected(facts);
  const qp::Blame refuser = d.blame;
  mention_findings(facts, d.remark(reason->id, std::move(reason->arguments)));
  d.blame = refuser;
  return d;
}

std::optional<Diagnosis> for_broken_rule(const Facts& facts, const qp::NotedFinding* broken) {
  if (!is_rejected(facts) || broken == nullptr) return std::nullopt;
  // What follows a rejection is no reason for it, even where the capture has frames in another order.
  if (broken->id == findings::FindingId::mpa_fpdu_after_reject) return std::nullopt;
  // Nor is what an end sent after its startup frame. The Request was there before the Reply, in whatever order the
  // capture has them.
  const FrameNumber latest =
      broken->direction == kInitiator ? facts.request()->frame : std::max(facts.request()->frame, facts.reply()->frame);
  if (broken->frame > latest) return std::nullopt;
  const FrameNumber frame = facts.reply()->frame;
  return over_rule(facts, VerdictId::startup_rejected_over_rule, {{Arg::frame, frame}}, *broken)
      .show({facts.request()->frame, frame});
}

std::optional<Diagnosis> for_unknown_revision(const Facts& facts) {
  return for_broken_rule(facts, unknown_revision(facts));
}

/// What is wrong with the Request itself.
std::optional<Diagnosis> for_broken_request(const Facts& facts) {
  return for_broken_rule(facts, broken_startup_rule(facts, kInitiator));
}

std::optional<Diagnosis> for_first_broken_rule(const Facts& facts) {
  return for_broken_rule(facts, broken_startup_rule(facts));
}

std::optional<Diagnosis> for_limits(const Facts& facts) {
  if (!is_rejected(facts)) return std::nullopt;
  const auto limits = emulation::advertised_limits(facts.record);
  if (!limits || limits->compatible) return std::nullopt;
  return rejected(facts).remark(RemarkId::reason_ulp_limits, {{Arg::what, limits->sentence}});
}

std::optional<Diagnosis> with_private_data(const Facts& facts) {
  if (!is_rejected(facts) || facts.reply()->private_data.empty()) return std::nullopt;
  return rejected(facts).remark(RemarkId::reason_private_data,
                                {{Arg::what, ulp::private_data_words(facts.reply()->private_data)}});
}

std::optional<Diagnosis> for_no_visible_reason(const Facts& facts) {
  if (!is_rejected(facts)) return std::nullopt;
  Diagnosis d = rejected(facts);
  mention_without_blame(facts, d.remark(RemarkId::reason_not_on_wire));
  return d;
}

constexpr auto kRejectedSteps = std::to_array<Step>({
    {"rejected: a Request of an unknown revision", for_unknown_revision},
    {"rejected: the Initiator had broken a rule of startup", for_broken_request},
    {"rejected: the startup frames disagree", for_disagreement},
    {"rejected: a rule of startup was broken", for_first_broken_rule},
    {"rejected: the limits of the upper layer do not fit", for_limits},
    {"rejected: private data may say why", with_private_data},
    {"rejected: nothing shows why", for_no_visible_reason},
    {"rejected: the Request is not in the capture", without_request},
});

}  // namespace

std::span<const Step> rejected_steps() noexcept {
  return kRejectedSteps;
}

}  // namespace iwarpscope::verdict
