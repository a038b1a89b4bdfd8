// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "models/atomics/atomic_history.h"

#include <algorithm>
#include <limits>
#include <variant>

namespace iwarpscope::gui {

std::size_t WordHistory::count(std::string_view verdict) const {
  return static_cast<std::size_t>(
      std::count_if(uses.begin(), uses.end(), [&](const AtomicUse& use) { return use.verdict == verdict; }));
}

WordOrder order_of(const WordHistory& history) {
  WordOrder out;
  std::vector<OrderedAtomic> answered;
  std::vector<const AtomicUse*> answered_uses, others;
  for (const AtomicUse& use : history.uses) {
    if (!use.original || !use.first_octet_ns) {
      others.push_back(&use);
      continue;
    }
    const std::int64_t waited = std::max<std::int64_t>(0, *use.first_octet_ns);
    const std::int64_t room = std::numeric_limits<std::int64_t>::max() - std::max<std::int64_t>(0, use.invoked.ns);
    answered.push_back({use.qp * 2 + index(use.direction), use.index, use.invoked.ns,
                        use.invoked.ns + std::min(room, waited), *use.original, use.result});
    answered_uses.push_back(&use);
  }
  const AtomicOrder order = find_order(answered);
  out.found = order.found;
  out.unanswered = others.size();
  // Operations whose effect or time of effect is not known can explain values that the others do not explain.
  if (out.found == AtomicOrder::Found::no && !others.empty()) out.found = AtomicOrder::Found::undecided;
  for (const std::size_t i : order.order) out.order.push_back(answered_uses[i]);
  std::stable_sort(others.begin(), others.end(),
                   [](const AtomicUse* a, const AtomicUse* b) { return a->invoked.ns < b->invoked.ns; });
  out.order.insert(out.order.end(), others.begin(), others.end());
  out.is_break.resize(out.order.size());
  for (const std::size_t i : order.breaks) out.is_break[i] = true;
  return out;
}

void AtomicHistory::add(const net::IpAddress& a, const net::IpAddress& b, std::span<const qp::MessageRecord> messages) {
  for (const qp::MessageRecord& message : messages) {
    if (const auto* request = std::get_if<qp::AtomicRequestDetail>(&message.detail)) {
      if (message.complete) add_request(message.direction == Direction::a_to_b ? b : a, message, *request);
    } else if (const auto* response = std::get_if<qp::AtomicResponseDetail>(&message.detail)) {
      if (message.complete && response->request_index) add_response(message, *response);
    }
  }
}

void AtomicHistory::add_request(const net::IpAddress& responder, const qp::MessageRecord& message,
                                const qp::AtomicRequestDetail& detail) {
  const WordName word{responder, detail.remote_stag, detail.remote_to};
  const auto known = words_.find(word);
  if (uses_ >= kMostUses || (known == words_.end() && words_.size() >= kMostWords)) {
    ++left_out_;
    return;
  }
  WordHistory& history = known == words_.end() ? words_[word] : known->second;
  AtomicUse use{message.qp,       message.direction, message.index, message.first_frame, message.placed_time,
                detail.operation, detail.data,       detail.mask,   detail.compare,      detail.compare_mask};
  if (detail.response) use.first_octet_ns = detail.response->first_octet_ns;
  ++uses_;
  history.uses.push_back(use);
  const Name name{message.qp, message.direction, message.index};
  if (const auto response = responses_.find(name); response != responses_.end()) {
    answer(history.uses.back(), response->second);
    responses_.erase(response);
  } else {
    requests_[name] = {&history, history.uses.size() - 1};
  }
}

void AtomicHistory::add_response(const qp::MessageRecord& message, const qp::AtomicResponseDetail& detail) {
  const Name name{message.qp, opposite(message.direction), *detail.request_index};
  const Response response{message.first_frame, message.index, detail};
  if (const auto request = requests_.find(name); request != requests_.end()) {
    answer(request->second.first->uses[request->second.second], response);
    requests_.erase(request);
  } else if (responses_.size() < kMostUses) {
    responses_[name] = response;
  }
}

void AtomicHistory::answer(AtomicUse& use, const Response& response) {
  use.response_frame = response.frame;
  use.response = response.index;
  use.original = response.detail.original;
  use.result = response.detail.result;
  if (response.detail.verdict) use.verdict = *response.detail.verdict;
}

std::optional<AtomicHistory::Place> AtomicHistory::find(std::uint64_t qp, Direction direction,
                                                        std::uint64_t message) const {
  for (const auto& [word, history] : words_) {
    for (std::size_t i = 0; i < history.uses.size(); ++i) {
      const AtomicUse& use = history.uses[i];
      if (use.qp != qp) continue;
      const bool is_it = use.direction == direction ? use.index == message : use.response == message;
      if (is_it) return Place{word, i};
    }
  }
  return {};
}

}  // namespace iwarpscope::gui
