// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "qp/requests/early_responses.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace iwarpscope::qp {

bool EarlyResponse::answers(const Request& request, const ddp::Carrier& sent) const noexcept {
  if (atomic != request.atomic || (sent.has_acknowledged && sent.acknowledged >= end)) return false;
  if (atomic) return request.request_id == request_id;
  if (zero_length) return request.size == 0;
  return request.size != 0 && request.sink_stag == stag && request.sink_to == to;
}

std::optional<EarlyResponse> EarlyResponses::keep(EarlyResponse early) {
  std::optional<EarlyResponse> oldest;
  if (early_.size() == EarlyResponse::kMost) {
    oldest = std::move(early_.front());
    early_.erase(early_.begin());
  }
  early_.push_back(std::move(early));
  return oldest;
}

EarlyResponse* EarlyResponses::find(std::uint64_t message) noexcept {
  const auto it = std::ranges::find(early_, message, &EarlyResponse::message);
  return it != early_.end() ? &*it : nullptr;
}

std::optional<EarlyResponse> EarlyResponses::take(const Request& request, const ddp::Carrier& sent) {
  const auto it = std::ranges::find_if(early_, [&](const EarlyResponse& e) { return e.answers(request, sent); });
  if (it == early_.end()) return std::nullopt;
  std::optional<EarlyResponse> taken = std::move(*it);
  early_.erase(it);
  return taken;
}

std::vector<EarlyResponse> EarlyResponses::take_expired(TimePoint now) {
  const auto waits = [&](const EarlyResponse& early) {
    return elapsed_ns(early.first.first_time, now) <= EarlyResponse::kWaitNs;
  };
  const auto first = std::ranges::find_if(early_, waits);
  std::vector<EarlyResponse> expired(std::make_move_iterator(early_.begin()), std::make_move_iterator(first));
  early_.erase(early_.begin(), first);
  return expired;
}

std::vector<EarlyResponse> EarlyResponses::take_all() {
  return std::exchange(early_, {});
}

void EarlyResponses::doubt(DoubtedResponse response) {
  if (doubted_.size() < DoubtedResponse::kMost) doubted_.push_back(std::move(response));
}

void EarlyResponses::forget_doubted(const ddp::Carrier& request) {
  std::erase_if(doubted_, [&](const DoubtedResponse& d) { return d.may_answer(request); });
}

std::vector<DoubtedResponse> EarlyResponses::take_doubted() {
  return std::exchange(doubted_, {});
}

}  // namespace iwarpscope::qp
