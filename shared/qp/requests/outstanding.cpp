// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "qp/requests/outstanding.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace iwarpscope::qp {

bool Request::holds(STag stag, TaggedOffset to, std::uint32_t octets) const noexcept {
  if (atomic || sink_stag != stag || to.value < sink_to.value) return false;
  const std::uint64_t before = to.value - sink_to.value;
  return before <= size && size - before >= octets;
}

Outstanding::Key Outstanding::key_of(const Request& request) noexcept {
  if (request.atomic) return {Kind::atomic, request.request_id, 0};
  if (request.size == 0) return {Kind::read_of_nothing, 0, 0};
  return {Kind::read, request.sink_stag.value, request.sink_to.value};
}

Outstanding::Entry Outstanding::entry_of(const Request& request) noexcept {
  const Stage stage = request.response_begun ? Stage::answered
                      : request.passed_over  ? Stage::passed_over
                                             : Stage::waiting;
  return {key_of(request), stage, request.message};
}

/// Null: its response has begun.
Outstanding::Messages* Outstanding::unanswered(const Request& request) noexcept {
  if (request.response_begun) return nullptr;
  return &(request.passed_over ? passed_over_ : waiting_)[request.atomic ? 1 : 0];
}

void Outstanding::enter(const Request& request) {
  by_key_.insert(entry_of(request));
  if (Messages* const messages = unanswered(request)) messages->insert(request.message);
  (request.before_gap ? before_gap_ : certain_).insert(request.message);
  if (request.before_gap) return;
  if (request.atomic) {
    certain_atomics_.insert({request.request_id, request.message});
  } else {
    ++certain_reads_;
  }
}

void Outstanding::leave(const Request& request) {
  by_key_.erase(entry_of(request));
  if (Messages* const messages = unanswered(request)) messages->erase(request.message);
  (request.before_gap ? before_gap_ : certain_).erase(request.message);
  if (request.before_gap) return;
  if (request.atomic) {
    certain_atomics_.erase({request.request_id, request.message});
  } else {
    --certain_reads_;
  }
}

/// In order, so that put_back() restores them. Doubt stays.
std::vector<Request> Outstanding::take_all() {
  std::vector<Request> all;
  all.reserve(requests_.size());
  for (auto& [message, request] : requests_) {
    leave(request);
    all.push_back(std::move(request));
  }
  requests_.clear();
  return all;
}

/// What was read may name a message twice: then the first is kept.
void Outstanding::put_back(Request request) {
  const std::uint64_t message = request.message;
  const auto [it, is_new] = requests_.try_emplace(message, std::move(request));
  if (is_new) enter(it->second);
}

std::optional<Request> Outstanding::add(Request request, std::size_t most) {
  std::optional<Request> discarded;
  if (size() >= most && !empty()) discarded = take_front();
  enter(request);
  // One that began before others may be whole after them, where messages are mixed against the rules.
  const std::uint64_t message = request.message;
  requests_.emplace_hint(requests_.end(), message, std::move(request));
  return discarded;
}

const Request* Outstanding::find(std::uint64_t message) const noexcept {
  const auto it = requests_.find(message);
  return it != requests_.end() ? &it->second : nullptr;
}

std::optional<Request> Outstanding::take(std::uint64_t message) {
  const auto it = requests_.find(message);
  if (it == requests_.end()) return std::nullopt;
  leave(it->second);
  std::optional<Request> taken{std::move(it->second)};
  requests_.erase(it);
  if (requests_.empty()) doubtful_ = false;
  return taken;
}

void Outstanding::begin_response(std::uint64_t message) {
  Request& request = requests_.find(message)->second;
  leave(request);
  request.response_begun = true;
  enter(request);
}

/// The first message of the key and stage of `least`, from its message on.
std::optional<std::uint64_t> Outstanding::first_after(const Entry& least) const noexcept {
  const auto it = by_key_.lower_bound(least);
  const bool is_of_it = it != by_key_.end() && it->key == least.key && it->stage == least.stage;
  return is_of_it ? std::optional(it->message) : std::nullopt;
}

std::optional<Fit> Outstanding::choose(const Key& key) const noexcept {
  const std::optional<std::uint64_t> waits = first_after({key, Stage::waiting, 0});
  const std::optional<std::uint64_t> passed = first_after({key, Stage::passed_over, 0});
  if (waits) return Fit{*waits, passed && *passed < *waits};
  if (passed) return Fit{*passed, false};
  return std::nullopt;
}

std::optional<Fit> Outstanding::find_read(STag stag, TaggedOffset to, bool zero_length) const noexcept {
  return choose(zero_length ? Key{Kind::read_of_nothing, 0, 0} : Key{Kind::read, stag.value, to.value});
}

std::optional<Fit> Outstanding::find_atomic(std::uint32_t request_id) const noexcept {
  return choose({Kind::atomic, request_id, 0});
}

std::optional<Fit> Outstanding::find_read_around(STag stag, TaggedOffset to, std::uint32_t octets) const noexcept {
  const std::optional<std::uint64_t> first = oldest(false);
  if (!first || !at(*first).holds(stag, to, octets)) return std::nullopt;
  return Fit{*first, false};
}

bool Outstanding::any_read_holds(STag stag, TaggedOffset to, std::uint32_t octets) const noexcept {
  constexpr std::uint64_t kLast = std::numeric_limits<std::uint64_t>::max();
  const auto holds_below = [&](const Key& key) {
    auto it = by_key_.upper_bound({key, Stage::answered, kLast});
    for (std::size_t looked = 0; looked < kMostLookedAt && it != by_key_.begin(); ++looked) {
      --it;
      if (it->key.kind != key.kind || it->key.stag_or_identifier != key.stag_or_identifier) return false;
      if (at(it->message).holds(stag, to, octets)) return true;
    }
    return false;
  };
  return holds_below({Kind::read, stag.value, to.value}) || (octets == 0 && holds_below({Kind::read_of_nothing, 0, 0}));
}

const Request* Outstanding::find_certain_atomic(std::uint32_t request_id) const noexcept {
  const auto it = certain_atomics_.lower_bound({request_id, 0});
  return it != certain_atomics_.end() && it->request_id == request_id ? &at(it->message) : nullptr;
}

std::optional<std::uint64_t> Outstanding::oldest(bool atomic) const noexcept {
  const std::size_t kind = atomic ? 1 : 0;
  if (!waiting_[kind].empty()) return *waiting_[kind].begin();
  if (!passed_over_[kind].empty()) return *passed_over_[kind].begin();
  return std::nullopt;
}

std::optional<std::uint64_t> Outstanding::passed_by(std::uint64_t message) const noexcept {
  std::uint64_t first = message;
  for (const Messages& messages : waiting_) {
    if (!messages.empty()) first = std::min(first, *messages.begin());
  }
  return first < message ? std::optional(first) : std::nullopt;
}

void Outstanding::pass_over(std::uint64_t message) {
  // Each is passed over once.
  while (const std::optional<std::uint64_t> passed = passed_by(message)) {
    Request& request = requests_.find(*passed)->second;
    leave(request);
    request.passed_over = true;
    enter(request);
  }
}

bool Outstanding::is_gap_before(std::uint64_t message) const noexcept {
  return !before_gap_.empty() && *before_gap_.begin() <= message;
}

bool Outstanding::has_twin_after(std::uint64_t message) const noexcept {
  const Key key = key_of(at(message));
  constexpr std::array kStages = {Stage::waiting, Stage::passed_over, Stage::answered};
  return std::ranges::any_of(kStages, [&](Stage stage) { return first_after({key, stage, message + 1}).has_value(); });
}

void Outstanding::mark_gap() {
  // Each is marked once.
  for (const std::uint64_t message : certain_) {
    requests_.find(message)->second.before_gap = true;
    before_gap_.insert(message);
  }
  certain_.clear();
  certain_atomics_.clear();
  certain_reads_ = 0;
}

}  // namespace iwarpscope::qp
