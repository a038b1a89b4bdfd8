// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "qp/requests/requests.h"

#include <algorithm>

namespace iwarpscope::qp {

bool StrayResponse::may_answer(const Request& request) const noexcept {
  if (atomic != request.atomic) return false;
  if (atomic) return request_id == request.request_id;
  return request.holds(stag, to, octets);
}

void Requests::strayed(const StrayResponse& response) {
  if (strays_.size() >= kMostStrays) strays_.erase(strays_.begin());
  strays_.push_back(response);
}

void Requests::lost() noexcept {
  first_seen_ = false;
  merged_ahead_ = 0;
}

void Requests::answered_ahead(std::optional<StreamOffset> acknowledged) noexcept {
  ++answered_ahead_;
  if (acknowledged) answered_to_ = std::max(answered_to_, *acknowledged);
}

bool Requests::take_merged() noexcept {
  if (merged_ahead_ == 0) return false;
  --merged_ahead_;
  return true;
}

void Requests::mark_unseen(Request& request, const ddp::Carrier& first, const UnseenResponses& unseen) noexcept {
  // Its response was seen before it: the capture's ports were merged in another order.
  if (answered_ahead_ != 0) {
    // Where no request can have been missed, every one from now on may have been answered before it was seen.
    if (!unseen.requests_whole) --answered_ahead_;
    request.before_gap = true;
  }
  const auto stray = std::find_if(strays_.begin(), strays_.end(),
                                  [&request](const StrayResponse& each) { return each.may_answer(request); });
  if (stray != strays_.end()) {
    strays_.erase(stray);
    request.before_gap = true;
  }
  // The count does not show which request was answered: other responses may be missing.
  if (request.end <= answered_to_) request.before_gap = true;
  // Its sender had not yet received the octets that are missing: they may be its response, although the capture shows
  // the request later.
  if (first.has_acknowledged && first.acknowledged < unseen.lost_to) request.before_gap = true;
}

std::optional<UnansweredRequests> Requests::settled() const {
  return settled_ != nullptr ? std::optional(*settled_) : std::nullopt;
}

void Requests::trim() {
  strays_.shrink_to_fit();
  if (credit_) credit_->trim();
}

}  // namespace iwarpscope::qp
