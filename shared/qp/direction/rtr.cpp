// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "qp/direction/rtr.h"

#include <fmt/format.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

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

/// The types that both frames name.
mpa::EnhancedData in_both(const mpa::EnhancedData& request, const mpa::EnhancedData& reply) noexcept {
  mpa::EnhancedData both;
  both.rtr_send = request.rtr_send && reply.rtr_send;
  both.rtr_write = request.rtr_write && reply.rtr_write;
  both.rtr_read = request.rtr_read && reply.rtr_read;
  return both;
}

bool names_any(const mpa::EnhancedData& data) noexcept {
  return data.rtr_send || data.rtr_write || data.rtr_read;
}

bool is_peer_to_peer(const Common& common) noexcept {
  const auto& request = common.startup_request->enhanced;
  const auto& reply = common.startup_reply->enhanced;
  return common.agreement->enhanced && request && reply && request->peer_to_peer && reply->peer_to_peer;
}

/// The Initiator's first message, and the startup frames that say what it has to be.
class FirstMessageJudge {
 public:
  FirstMessageJudge(const FirstMessage& first, Common& common)
      : common_(common),
        first_(first),
        open_(first.open),
        segment_(first.segment),
        request_(*common.startup_request),
        reply_(*common.startup_reply) {}

  void judge() {
    if (is_peer_to_peer(common_)) {
      with_rtr();
    } else {
      without_rtr();
    }
  }

 private:
  void without_rtr();
  void with_rtr();
  void read_without_depth();
  [[nodiscard]] bool is_due_terminate() const;
  void note(const Kind& kind) { common_.rtr = std::make_unique<RtrRecord>(RtrRecord{kind.name, open_.last_frame}); }
  void raise(FindingId id, std::string seen, std::string expected, std::string text,
             std::vector<FrameNumber> frames = {}) {
    findings::Finding f = finding_about(id, first_.direction, open_);
    f.seen = std::move(seen);
    f.expected = std::move(expected);
    f.text = std::move(text);
    if (!frames.empty()) f.frames = std::move(frames);
    common_.raise(std::move(f));
  }

  Common& common_;
  const FirstMessage& first_;
  const OpenMessage& open_;
  const ddp::Segment& segment_;
  const mpa::StartupFrame& request_;
  const mpa::StartupFrame& reply_;
};

/// MS-39.
void FirstMessageJudge::without_rtr() {
  const Kind kind = rtr_kind(open_, segment_, {});
  const bool negotiates = request_.revision >= 2 || request_.function_code != 0;  // SCTP knows no unnegotiated RTR
  if (kind.name.empty() || kind.name == "send" || negotiates) return;
  note(kind);
  const std::string title(rdmap::title(open_.opcode));
  raise(FindingId::mpa_unnegotiated_rtr, title, {},
        fmt::format("The Initiator's first message is a zero-length {} although revision {} negotiates no RTR.", title,
                    request_.revision));
}

/// MS-35.
void FirstMessageJudge::read_without_depth() {
  if (reply_.enhanced->ird != 0) return;
  raise(FindingId::mpa_read_rtr_with_zero_ird, "0", "1",
        "The RTR indication is a zero-length RDMA Read, but the Reply's IRD is 0.", {reply_.frame, open_.last_frame});
}

/// Types that do not meet oblige to a certain Terminate; one that cannot be read may be it.
bool FirstMessageJudge::is_due_terminate() const {
  const auto decoded = rdmap::Terminate::parse(segment_.payload, segment_.payload_length, first_.terminate);
  const auto* t = std::get_if<rdmap::Terminate>(&decoded);
  return t == nullptr || (t->layer == 2 && t->error_type == 0 && t->error_code == 7);
}

/// MS-28, MS-29, MS-35.
void FirstMessageJudge::with_rtr() {
  const mpa::EnhancedData both = in_both(*request_.enhanced, *reply_.enhanced);
  const bool any = names_any(both);
  const Kind kind = rtr_kind(open_, segment_, both);
  if (!kind.name.empty()) note(kind);
  // Any Terminate ends the connection before the RTR.
  if (open_.opcode == rdmap::Opcode::terminate && (any || is_due_terminate())) return;
  if (any && kind.offered) {
    if (kind.name == "read") read_without_depth();
    return;
  }
  const std::string title(rdmap::title(open_.opcode));
  if (any) {
    raise(FindingId::mpa_rtr_missing, title, "RTR",
          fmt::format(
              "Peer-to-peer mode was agreed, but the Initiator's first message ({}) is not an RTR of an agreed type.",
              title));
  } else if (names_any(*request_.enhanced)) {  // without an offer there is nothing to keep
    raise(FindingId::mpa_rtr_mismatch_not_terminated, title, "Terminate 2/0/07",
          fmt::format("The two startup frames share no RTR type; the Initiator's first message ({}) is not the "
                      "Terminate 2/0/07 that must report this.",
                      title));
  }
}

}  // namespace

void judge_first_message(const FirstMessage& first, Common& common) {
  const bool is_due = common.agreement && common.knows_startup() && common.agreement->initiator == first.direction;
  if (is_due) FirstMessageJudge(first, common).judge();
}

bool is_rtr_missing(const Common& common) noexcept {
  if (!common.agreement || !common.knows_startup() || !is_peer_to_peer(common)) return false;
  const mpa::EnhancedData& request = *common.startup_request->enhanced;
  const mpa::EnhancedData both = in_both(request, *common.startup_reply->enhanced);
  if (!names_any(both)) return names_any(request);
  if (!common.sees_whole(common.agreement->initiator)) return false;
  const std::string_view sent = common.rtr ? std::string_view(common.rtr->kind) : std::string_view();
  return !(sent == "send" && both.rtr_send) && !(sent == "write" && both.rtr_write) &&
         !(sent == "read" && both.rtr_read);
}

}  // namespace iwarpscope::qp
