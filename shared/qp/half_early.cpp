// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Responses that were sent before their sender had received the request: RM-15, and RM-09 or AT-11 when none comes.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "qp/half.h"

namespace iwarpscope::qp {

using findings::FindingId;

bool EarlyResponse::answers(const Request& request, const ddp::Carrier& sent) const noexcept {
  if (atomic != request.atomic || (sent.has_acknowledged && sent.acknowledged >= end)) return false;
  if (atomic) return request.request_id == request_id;
  if (zero_length) return request.size == 0;
  return request.size != 0 && request.sink_stag == stag && request.sink_to == to;
}

/// `open` begins, and its sender had received no request that waits for a response.
void Half::keep_early(const OpenMessage& open, EarlyResponse early) {
  early.message = open.message;
  early.stag = open.stag;
  early.to = open.to;
  early.first = open.first;
  early.end = framed_end_;
  std::vector<EarlyResponse>& kept = make_rare().early;
  if (kept.size() == EarlyResponse::kMost) tell_unrequested(kept.front()), kept.erase(kept.begin());
  kept.push_back(std::move(early));
}

/// The early response with this message index ended. False: it is none.
bool Half::early_ended(const OpenMessage& open, const ddp::MessageEnd& end, std::unique_ptr<MessageRecord>& record) {
  if (rare().early.empty()) return false;
  auto& kept = make_rare().early;
  const auto it = std::find_if(kept.begin(), kept.end(), [&](const auto& e) { return e.message == open.message; });
  if (it == kept.end()) return false;
  EarlyResponse::Ended ended{open.facts(direction_), end, {}};
  if (it->atomic) ended.original = original_of(open);
  it->ended = ended;
  it->record = std::move(record);
  return true;
}

/// RM-15. `sent`: of the request, which the other half sent. Returns the early response that answers it.
std::optional<EarlyResponse> Half::take_early(const Request& request, const ddp::Carrier& sent) {
  if (rare().early.empty()) return std::nullopt;
  auto& kept = make_rare().early;
  const auto it = std::find_if(kept.begin(), kept.end(), [&](const auto& e) { return e.answers(request, sent); });
  if (it == kept.end()) return std::nullopt;
  EarlyResponse early = std::move(*it);
  kept.erase(it);
  findings::Finding f = std::move(early.unrequested);
  describe_cause(f, early.first, request);
  common_.raise(std::move(f));
  return early;
}

/// A request of this half comes, and its response was seen before. Returns false when it was not, or is not at its end:
/// then the request waits as usual.
bool Half::was_answered_early(const OpenMessage& open, Request& request, std::unique_ptr<MessageRecord>& record) {
  std::optional<EarlyResponse> early = other_->take_early(request, open.first);
  if (!early) return false;
  if (credit_ != nullptr) credit_->doubt();
  if (!early->ended) {
    OpenMessage* const response = other_->find_open(early->message);
    if (response == nullptr) return false;
    request.response_begun = true;
    response->answers = request.message;
    response->expected_size = request.size;
    return false;
  }
  // What it did is not what the request asked for: models are not to believe it.
  if (common_.observation != nullptr) {
    common_.observation->requested(direction_, request);
    common_.observation->answered(request, early->ended->facts, early->ended->end, false, early->ended->original);
  }
  const ResponseLink link{early->message, elapsed_ns(request.time, early->first.first_time),
                          elapsed_ns(request.time, early->ended->facts.placed_time)};
  if (record != nullptr) {
    if (auto* read = std::get_if<ReadRequestDetail>(&record->detail)) read->response = link;
    if (auto* atomic = std::get_if<AtomicRequestDetail>(&record->detail)) atomic->response = link;
    common_.events.message(std::move(*record));
  }
  if (early->record != nullptr) {
    if (auto* read = std::get_if<ReadResponseDetail>(&early->record->detail)) read->request_index = request.message;
    if (auto* atomic = std::get_if<AtomicResponseDetail>(&early->record->detail))
      atomic->request_index = request.message;
    common_.events.message(std::move(*early->record));
  }
  return true;
}

/// RM-09, AT-11.
void Half::tell_unrequested(EarlyResponse& early) {
  common_.raise(std::move(early.unrequested));
  if (early.record != nullptr) common_.events.message(std::move(*early.record));
}

void Half::settle_early() {
  if (rare().early.empty()) return;
  std::vector<EarlyResponse> kept = std::move(make_rare().early);
  make_rare().early.clear();
  for (EarlyResponse& early : kept) tell_unrequested(early);
}

void Half::tell_expired() {
  auto& kept = make_rare().early;
  const auto waits = [&](const EarlyResponse& early) {
    return elapsed_ns(early.first.first_time, common_.time) <= EarlyResponse::kWaitNs;
  };
  const auto first = std::find_if(kept.begin(), kept.end(), waits);
  for (auto it = kept.begin(); it != first; ++it) tell_unrequested(*it);
  kept.erase(kept.begin(), first);
}

}  // namespace iwarpscope::qp
