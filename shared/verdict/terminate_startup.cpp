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

}  // namespace

/// Both ends want peer-to-peer mode, and no kind is offered by both. Neither breaks a rule by that.
std::optional<Diagnosis> for_rtr_kinds(const Facts& facts) {
  const auto claim = first_claim(facts);
  const mpa::StartupFrame* const request = facts.request();
  const mpa::StartupFrame* const reply = facts.reply();
  if (!claim || !claim->is(2, 0, 7) || request == nullptr || reply == nullptr) return std::nullopt;
  const auto& asked = request->enhanced;
  const auto& answered = reply->enhanced;
  if (!asked || !answered || !asked->peer_to_peer || !answered->peer_to_peer) return std::nullopt;
  const std::string of_request = kinds(*asked);
  const std::string of_reply = kinds(*answered);
  if (has_common_kind(*asked, *answered) || of_request.empty() || of_reply.empty()) return std::nullopt;
  Diagnosis d = terminated(facts, *claim, VerdictId::terminate_rtr_kinds_differ,
                           {{Arg::of_request, of_request}, {Arg::of_reply, of_reply}});
  d.show({request->frame, reply->frame});
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
  if (!claim || !is_noted_of_it(facts, *claim, kRule)) return std::nullopt;
  Diagnosis d = terminated(facts, *claim, VerdictId::terminate_rtr_mismatch_unsaid, {{Arg::rule, kRule}});
  if (facts.reply() != nullptr) d.show({facts.reply()->frame});
  return d;
}

}  // namespace iwarpscope::verdict
