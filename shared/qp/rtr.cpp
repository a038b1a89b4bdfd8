// The Initiator's first message: in peer-to-peer mode it is the RTR.
#include <fmt/format.h>

#include "qp/half.h"

namespace iwarpscope::qp {
namespace {

using findings::FindingId;

struct Kind {
  std::string_view name;  ///< "send", "write", "read"; empty: no RTR
  bool offered = false;   ///< among the types both frames name
};

/// Which RTR a message would be. Source: RFC 6581 §9.2.
Kind rtr_kind(const OpenMessage& open, const ddp::Segment& segment, const mpa::EnhancedData& common) noexcept {
  if (!segment.last) return {};
  if (open.opcode == rdmap::Opcode::rdma_write && segment.payload_length == 0) return {"write", common.rtr_write};
  if (open.opcode == rdmap::Opcode::send && segment.payload_length == 0) return {"send", common.rtr_send};
  if (open.opcode == rdmap::Opcode::rdma_read_request) {
    auto decoded = rdmap::ReadRequestHeader::parse(segment.payload);
    const auto* header = std::get_if<rdmap::ReadRequestHeader>(&decoded);
    if (header != nullptr && header->size() == 0) return {"read", common.rtr_read};
  }
  return {};
}

}  // namespace

void judge_first_message(Half& half, const OpenMessage& open, const ddp::Segment& segment) {
  Common& common = half.common_;
  if (!common.agreement || common.midstream || half.startup_request_ == nullptr || half.startup_reply_ == nullptr ||
      common.agreement->initiator != half.direction_) {
    return;
  }
  const mpa::StartupFrame& request = *half.startup_request_;
  const mpa::StartupFrame& reply = *half.startup_reply_;
  const bool peer_to_peer = common.agreement->enhanced && request.enhanced && reply.enhanced &&
                            request.enhanced->peer_to_peer && reply.enhanced->peer_to_peer;
  if (!peer_to_peer) {
    const Kind kind = rtr_kind(open, segment, {});
    if (kind.name.empty() || kind.name == "send" || request.revision >= 2) return;
    common.rtr = std::make_unique<RtrRecord>(RtrRecord{kind.name, open.last_frame});
    findings::Finding f = half.about(FindingId::mpa_unnegotiated_rtr, open);
    f.seen = rdmap::name(open.opcode);
    f.text = fmt::format("The first FPDU is a zero-length {} although revision {} negotiates no RTR.",
                         rdmap::name(open.opcode), request.revision);
    common.raise(std::move(f));
    return;
  }
  mpa::EnhancedData both;
  both.rtr_send = request.enhanced->rtr_send && reply.enhanced->rtr_send;
  both.rtr_write = request.enhanced->rtr_write && reply.enhanced->rtr_write;
  both.rtr_read = request.enhanced->rtr_read && reply.enhanced->rtr_read;
  const Kind kind = rtr_kind(open, segment, both);
  const bool any = both.rtr_send || both.rtr_write || both.rtr_read;
  const bool offers_something = request.enhanced->rtr_send || request.enhanced->rtr_write || request.enhanced->rtr_read;
  if (!kind.name.empty()) common.rtr = std::make_unique<RtrRecord>(RtrRecord{kind.name, open.last_frame});
  if (open.opcode == rdmap::Opcode::terminate) {
    // Any Terminate ends the connection before the RTR; only types that do not meet oblige to a certain one.
    if (any) return;
    const auto decoded = rdmap::Terminate::parse(segment.payload, segment.payload_length, half.terminate_context());
    const auto* t = std::get_if<rdmap::Terminate>(&decoded);
    if (t == nullptr || (t->layer == 2 && t->error_type == 0 && t->error_code == 7)) return;
  }
  if (any && kind.offered) {
    if (kind.name != "read" || reply.enhanced->ird != 0) return;
    findings::Finding f = half.about(FindingId::mpa_read_rtr_with_zero_ird, open);
    f.frames = {reply.frame, open.last_frame};
    f.seen = "0";
    f.expected = "1";
    f.text = "The RTR indication is a zero-length RDMA Read, but the Reply's IRD is 0.";
    common.raise(std::move(f));
    return;
  }
  if (!any && !offers_something) return;  // neither frame names a type: there is nothing to keep
  findings::Finding f = half.about(any ? FindingId::mpa_rtr_missing : FindingId::mpa_rtr_mismatch_not_terminated, open);
  f.seen = rdmap::name(open.opcode);
  f.expected = any ? "RTR" : "terminate 2/0/7";
  f.text = any ? fmt::format(
                     "Peer-to-peer mode was agreed, but the Initiator's first FPDU is a {} and no RTR of an agreed "
                     "type.",
                     rdmap::name(open.opcode))
               : fmt::format(
                     "The two startup frames share no RTR type; the Initiator's first message is {}, not the "
                     "Terminate 2/0/07 that says so.",
                     rdmap::name(open.opcode));
  common.raise(std::move(f));
}

}  // namespace iwarpscope::qp
