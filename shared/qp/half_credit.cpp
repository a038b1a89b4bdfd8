// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// What ACK numbers tell of requests and responses: how many were outstanding, and what came before its cause.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/wording.h"
#include "qp/half.h"

namespace iwarpscope::qp {

using findings::FindingId;

namespace {

/// SX-07: far above the limit, so that no slip in counting explains it. Ours.
constexpr std::uint32_t kFloodFactor = 4, kFloodMore = 8;

}  // namespace

/// Behind what a receiver needs of the FPDU that came last. Without CRC it may not wait for the CRC field and a marker
/// before it.
StreamOffset Half::needed_end() const noexcept {
  constexpr std::uint64_t kCrcAndMarker = 8;
  const bool crc = common_.agreement && common_.agreement->crc.value_or(true);
  return StreamOffset{framed_end_.value - (crc ? 0 : kCrcAndMarker)};
}

/// How many reads this half may have outstanding. Nothing when that was not negotiated, or its frames were not both
/// seen. Source: RFC 6581 §9.1: the Responder's IRD limits the Initiator; the Responder's ORD limits the Responder, for
/// the Initiator sets its IRD to at least that.
std::optional<std::uint16_t> Half::read_limit() const noexcept {
  if (!common_.agreement || !common_.agreement->enhanced || common_.startup_request == nullptr ||
      common_.startup_reply == nullptr) {
    return std::nullopt;
  }
  const std::optional<mpa::EnhancedData>& asked = common_.startup_request->enhanced;
  const bool initiator = common_.agreement->initiator == direction_;
  if (!asked || (initiator ? asked->ord : asked->ird) == mpa::kDepthNotNegotiated) return std::nullopt;
  return common_.agreement->read_depth[index(direction_)];
}

/// A request of this half was added to the outstanding ones.
void Half::count_request(const OpenMessage& open, TimePoint time) {
  if (credit_ == nullptr) credit_ = std::make_unique<Credit>();
  credit_->seen_at_tap(static_cast<std::uint32_t>(outstanding_.certain_reads()));
  const bool seen = open.first.has_acknowledged && open.first.acknowledged <= other_->stream_end_;
  if (!seen || !other_->is_captured() || !other_->is_framed_to_its_end() || credit_->is_doubtful()) {
    credit_->forget_responses();
    return;
  }
  const Waiting unanswered{static_cast<std::uint32_t>(outstanding_.certain_reads()),
                           static_cast<std::uint32_t>(outstanding_.certain())};
  const std::optional<std::uint16_t> limit = read_limit();
  const Waiting outstanding = credit_->sent(unanswered, open.first.acknowledged, limit, time);
  const bool certain = open.intact && gapless_ && other_->was_known_before(open.first) && !common_.first_terminate &&
                       other_->rare().first_bad_crc_frame.value == 0;
  if (limit && certain) judge_credit(open, outstanding, *limit);
}

/// RM-17, AT-13, SX-07.
void Half::judge_credit(const OpenMessage& open, Waiting outstanding, std::uint16_t negotiated) {
  // The RTR takes a place, and is sent before anybody asks for one.
  const bool read_rtr = common_.rtr != nullptr && common_.rtr->kind == "read";
  const std::uint32_t limit = std::max<std::uint32_t>(negotiated, read_rtr ? 1 : 0);
  const auto raise = [&](FindingId id, std::uint32_t seen, std::string_view what, std::string_view more) {
    findings::Finding f = about(id, open);
    f.seen = std::to_string(seen);
    f.expected = fmt::format("at most {}", limit);
    f.text = fmt::format("With this request {} {} are outstanding; the {} that was agreed allows {}{}.", seen, what,
                         common_.agreement->initiator == direction_ ? "IRD" : "ORD", counted(negotiated, "read"), more);
    common_.raise(std::move(f));
  };
  // Reported once, and noted each time: a Terminate may name any of them.
  if (outstanding.reads > limit) {
    raise(FindingId::rdmap_too_many_reads, outstanding.reads, "reads", "");
  } else if (outstanding.all > limit) {
    raise(FindingId::rdmap_too_many_atomics, outstanding.all, "reads and atomics", ", and does not mention atomics");
  }
  const std::uint32_t flood = std::max(limit * kFloodFactor, limit + kFloodMore);
  if (outstanding.reads >= flood && !std::exchange(credit_->flood_reported, true)) {
    raise(FindingId::rdmap_read_queue_flooded, outstanding.reads, "reads", "");
  }
}

/// A response of this half ended, to `request` of the other one.
void Half::count_response(const OpenMessage& open, const Request& request) {
  Credit* const credit = other_->credit_.get();
  if (credit != nullptr) credit->answered(request.atomic, needed_end(), open.placed_time);
}

/// RM-15: `open`, which answers `request` for certain, was sent when its sender had not received all of it.
void Half::judge_cause(const OpenMessage& open, const Request& request) {
  if (!open.intact || !open.first.has_acknowledged || open.first.acknowledged >= request.end) return;
  findings::Finding f = about(FindingId::rdmap_response_before_request, open);
  describe_cause(f, open.first, request);
  common_.raise(std::move(f));
}

/// RM-15: fills in the finding about a response whose first DDP segment this is.
void Half::describe_cause(findings::Finding& f, const ddp::Carrier& response, const Request& request) {
  f.id = FindingId::rdmap_response_before_request;
  f.frames = {request.frame, response.first_frame};
  f.seen = std::to_string(relative(response.acknowledged));
  f.expected = fmt::format("at least {}", relative(request.end));
  f.text = fmt::format(
      "When this {} Response was sent, its sender had received the other direction up to offset {}; the request with "
      "MSN {} ends at offset {}.",
      request.atomic ? "Atomic" : "Read", relative(response.acknowledged), request.msn.value, relative(request.end));
}

std::string Half::unfinished() const {
  if (!llp_->is_open()) return {};
  if (!open_.empty()) {
    const OpenMessage& open = *open_.front();
    return fmt::format("the message that begins in frame {} ({}) is not complete", open.first.first_frame.value,
                       rdmap::title(open.opcode));
  }
  if (llp_->pending_octets() != 0) {
    return fmt::format("an FPDU of which {} came is not complete", counted(llp_->pending_octets(), "octet"));
  }
  if (outstanding_.empty() || outstanding_.certain() != outstanding_.size()) return {};
  return fmt::format("{} {} no whole response yet, the oldest in frame {}", counted(outstanding_.size(), "request"),
                     outstanding_.size() == 1 ? "has" : "have", outstanding_.at(0).frame.value);
}

}  // namespace iwarpscope::qp
