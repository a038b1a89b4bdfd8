// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "mpa/enhanced_rules.h"

#include <fmt/format.h>

#include <string>
#include <utility>

#include "mpa/startup_frame_view.h"
#include "mpa/startup_rules.h"

namespace iwarpscope::mpa {

using enum findings::FindingId;

namespace {

std::string rtr_names(const EnhancedData& e) {
  std::string names;
  const auto add = [&](bool set, const char* name) {
    if (set) names += (names.empty() ? "" : ", ") + std::string(name);
  };
  add(e.rtr_send, "Send");
  add(e.rtr_write, "RDMA Write");
  add(e.rtr_read, "RDMA Read");
  return names.empty() ? "none" : names;
}

/// Raises findings about one frame.
class EnhancedJudge {
 public:
  EnhancedJudge(const StartupFrame& frame, Direction direction, const FrameNames& names, findings::Reporter& reporter)
      : frame_(frame), direction_(direction), names_(names), reporter_(reporter) {}
  void raise(findings::FindingId id, std::string seen, std::string expected, std::string text) const {
    raise_startup(frame_,
                  {.id = id,
                   .direction = direction_,
                   .seen = std::move(seen),
                   .expected = std::move(expected),
                   .text = std::move(text)},
                  reporter_);
  }

  /// "MPA Request".
  [[nodiscard]] std::string kind() const {
    return fmt::format("{} {}", names_.protocol, frame_.reply_key ? names_.reply : names_.request);
  }
  [[nodiscard]] std::string_view request() const noexcept { return names_.request; }
  [[nodiscard]] std::string_view reply() const noexcept { return names_.reply; }

 private:
  const StartupFrame& frame_;
  Direction direction_;
  const FrameNames& names_;
  findings::Reporter& reporter_;
};

constexpr const char* kAsIrdma = ", as irdma answers when either depth is 0x3FFF";

/// The rules of IRD and ORD between question and accepting answer. Source: RFC 6581 §9.1.
void judge_depths(const EnhancedData& req, const EnhancedData& rep, const EnhancedJudge& judge) {
  if (req.ord == kDepthNotNegotiated) {
    if (rep.ird != kDepthNotNegotiated) {
      judge.raise(mpa_unnegotiated_ord_not_answered, std::to_string(rep.ird), "0x3FFF",
                  fmt::format("The {}'s ORD 0x3FFF is answered by IRD {}.", judge.request(), rep.ird));
    }
  } else if (rep.ird == kDepthNotNegotiated) {
    judge.raise(mpa_unnegotiated_depth_not_asked, "IRD 0x3FFF", std::to_string(req.ord),
                fmt::format("The {}'s IRD is 0x3FFF although the {}'s ORD is {}{}.", judge.reply(), judge.request(),
                            req.ord, req.ird == kDepthNotNegotiated ? kAsIrdma : ""));
  } else if (rep.ird < req.ord) {
    judge.raise(
        mpa_reply_ird_too_low, std::to_string(rep.ird), std::to_string(req.ord),
        fmt::format("The {}'s IRD {} is below the {}'s ORD {}.", judge.reply(), rep.ird, judge.request(), req.ord));
  }
  if (req.ird == kDepthNotNegotiated) {
    if (rep.ord != kDepthNotNegotiated) {
      judge.raise(mpa_unnegotiated_ird_not_answered, std::to_string(rep.ord), "0x3FFF",
                  fmt::format("The {}'s IRD 0x3FFF is answered by ORD {}.", judge.request(), rep.ord));
    }
  } else if (rep.ord == kDepthNotNegotiated) {
    judge.raise(mpa_unnegotiated_depth_not_asked, "ORD 0x3FFF", std::to_string(req.ird),
                fmt::format("The {}'s ORD is 0x3FFF although the {}'s IRD is {}{}.", judge.reply(), judge.request(),
                            req.ird, req.ord == kDepthNotNegotiated ? kAsIrdma : ""));
  } else if (rep.ord > req.ird) {
    judge.raise(
        mpa_reply_ord_too_high, std::to_string(rep.ord), std::to_string(req.ird),
        fmt::format("The {}'s ORD {} is above the {}'s IRD {}.", judge.reply(), rep.ord, judge.request(), req.ird));
  }
}

}  // namespace

std::optional<EnhancedData> take_enhanced(Octets& private_data) noexcept {
  const auto parsed = EnhancedDataView::parse(private_data);
  const auto* const e = std::get_if<EnhancedDataView>(&parsed);
  if (e == nullptr) return std::nullopt;
  private_data = private_data.subspan(EnhancedDataView::kOctets);
  return EnhancedData{.ird = e->ird(),
                      .ord = e->ord(),
                      .peer_to_peer = e->peer_to_peer(),
                      .rtr_send = e->rtr_send(),
                      .rtr_write = e->rtr_write(),
                      .rtr_read = e->rtr_read()};
}

void judge_enhanced(const StartupFrame& frame, Direction direction, const FrameNames& names,
                    findings::Reporter& reporter) {
  if (!frame.enhanced) return;
  const EnhancedJudge judge(frame, direction, names, reporter);
  const EnhancedData& e = *frame.enhanced;
  const bool any_rtr = e.rtr_send || e.rtr_write || e.rtr_read;
  if (!e.peer_to_peer && any_rtr) {
    judge.raise(mpa_rtr_without_peer_to_peer, rtr_names(e), "none",
                fmt::format("The {} offers RTR by {} although A is not set.", judge.kind(), rtr_names(e)));
  }
  if (e.peer_to_peer && !any_rtr && !frame.reply_key) {
    judge.raise(mpa_request_offers_no_rtr, "none", "",
                fmt::format("The {} asks for peer-to-peer mode without an RTR option.", judge.kind()));
  }
  if (e.peer_to_peer && !any_rtr && frame.reply_key && !frame.rejected) {
    judge.raise(mpa_reply_offers_no_rtr, "none", "",
                fmt::format("The {} agrees to peer-to-peer mode without an RTR option.", judge.kind()));
  }
  if (!frame.reply_key && !e.peer_to_peer && e.ird == kDepthNotNegotiated && e.ord == kDepthNotNegotiated) {
    judge.raise(mpa_enhanced_asks_nothing, "", "",
                fmt::format("The enhanced {} asks for nothing: A=0, IRD and ORD 0x3FFF.", judge.kind()));
  }
}

void judge_enhanced_pair(const StartupFrame& request, const StartupFrame& reply, Direction reply_direction,
                         const FrameNames& names, findings::Reporter& reporter) {
  if (!request.enhanced || !reply.enhanced || reply.rejected) return;
  const EnhancedJudge judge(reply, reply_direction, names, reporter);
  const EnhancedData& req = *request.enhanced;
  const EnhancedData& rep = *reply.enhanced;
  if (req.peer_to_peer != rep.peer_to_peer) {
    judge.raise(mpa_peer_to_peer_differs, rep.peer_to_peer ? "1" : "0", req.peer_to_peer ? "1" : "0",
                fmt::format("A is {} in the {} and {} in the {}.", int{req.peer_to_peer}, names.request,
                            int{rep.peer_to_peer}, names.reply));
  }
  judge_depths(req, rep, judge);
}

}  // namespace iwarpscope::mpa
