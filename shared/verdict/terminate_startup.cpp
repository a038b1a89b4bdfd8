// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Terminates about the RTR message and its kinds. Source: RFC 6581 §9.2.
#include <string>

#include "verdict/terminate.h"

namespace iwarpscope::verdict {
namespace {

using findings::FindingId;

/// "Write or Read"; empty: none.
std::string kinds(const mpa::EnhancedData& data) {
  std::string text;
  const auto add = [&text](bool offered, std::string_view kind) {
    if (!offered) return;
    if (!text.empty()) text += " or ";
    text += kind;
  };
  add(data.rtr_send, "Send");
  add(data.rtr_write, "Write");
  add(data.rtr_read, "Read");
  return text;
}

bool has_common_kind(const mpa::EnhancedData& request, const mpa::EnhancedData& reply) noexcept {
  return (request.rtr_send && reply.rtr_send) || (request.rtr_write && reply.rtr_write) ||
         (request.rtr_read && reply.rtr_read);
}

/// Both ends want peer-to-peer mode, and no kind is offered by both. Neither breaks a rule by that.
bool do_kinds_differ(const Facts& facts) {
  if (facts.request() == nullptr || facts.reply() == nullptr) return false;
  const auto& asked = facts.request()->enhanced;
  const auto& answered = facts.reply()->enhanced;
  if (!asked || !answered || !asked->peer_to_peer || !answered->peer_to_peer) return false;
  return !has_common_kind(*asked, *answered) && !kinds(*asked).empty() && !kinds(*answered).empty();
}

}  // namespace

/// Source: RFC 6581 §8.
std::optional<Diagnosis> for_rtr_kinds(const Facts& facts) {
  const auto claim = first_claim(facts);
  if (!claim || !claim->is(2, 0, 7) || !do_kinds_differ(facts)) return std::nullopt;
  const mpa::StartupFrame& request = *facts.request();
  const mpa::StartupFrame& reply = *facts.reply();
  Diagnosis d = terminated(facts, *claim, VerdictId::terminate_rtr_kinds_differ,
                           {{Arg::of_request, kinds(*request.enhanced)}, {Arg::of_reply, kinds(*reply.enhanced)}});
  d.show({request.frame, reply.frame});
  return d;
}

/// The RTR was refused for an STag that it need not have: its length is zero, and no STag is checked then.
/// Source: RFC 5041 §5.2, RFC 5040 §5.2.1, RFC 6581 §9.2.
std::optional<Diagnosis> for_refused_rtr(const Facts& facts) {
  const auto claim = first_claim(facts);
  const auto& startup = facts.record.startup;
  if (!claim || !startup || !startup->rtr || !claim->terminate.named) return std::nullopt;
  if (claim->terminate.named->frame != startup->rtr->frame) return std::nullopt;
  return terminated(facts, *claim, VerdictId::terminate_rtr_refused);
}

/// MS-28: there was no RTR to send, and the Initiator reported that by another error.
std::optional<Diagnosis> for_unsaid_rtr_mismatch(const Facts& facts) {
  constexpr FindingId kRule = FindingId::mpa_rtr_mismatch_not_terminated;
  const auto claim = first_claim(facts);
  const bool is_unsaid = claim && claim->sender == kInitiator && !claim->terminate.named && do_kinds_differ(facts);
  if (!claim || (!is_noted_of_it(facts, *claim, kRule) && !is_unsaid)) return std::nullopt;
  Diagnosis d = terminated(facts, *claim, VerdictId::terminate_rtr_mismatch_unsaid, {{Arg::rule, kRule}});
  if (facts.reply() != nullptr) d.show({facts.reply()->frame});
  return d;
}

}  // namespace iwarpscope::verdict
