// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "sctp/lane.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <utility>

#include "sctp/control.h"

namespace iwarpscope::sctp {

Place Lane::place(std::uint16_t ssn) const noexcept {
  // Half of what 16 bits can tell apart is behind, half ahead. Source: RFC 5043 §10.
  const std::uint64_t at = unwrapped(ssn);
  if (at == next_) return Place::next;
  const auto away = static_cast<std::int64_t>(at - next_);
  if (away > 0) return held_.contains(at) ? Place::repeated : Place::ahead;
  if (next_ < static_cast<std::uint64_t>(-away)) return Place::far_away;
  constexpr std::int64_t kNear = 16'384;  // ours: further back it is as well one far ahead of a gap
  return away >= -kNear ? Place::repeated : Place::far_away;
}

bool Lane::hold(std::uint64_t ssn, const Arrival& arrival) {
  HeldArrival held(arrival);
  if (!waiting_->take(held.cost())) return false;
  if (held_.empty()) hole_since_ = arrival.placed_time;
  if (arrival.control && read_code(arrival.octets) == function_code::terminate) terminate_ssn_ = ssn;
  held_.emplace(ssn, std::move(held));
  return true;
}

bool Lane::follows_terminate(const Arrival& arrival) const noexcept {
  const auto found = held_.find(terminate_ssn_);
  if (found == held_.end() || arrival.first_tsn <= found->second.arrival.last_tsn) return false;
  return arrival.first_tsn != found->second.arrival.last_tsn + 1 || unwrapped(arrival.ssn) != terminate_ssn_ + 1;
}

bool Lane::is_after_higher(std::uint64_t ssn, Tsn tsn) const noexcept {
  const auto higher = held_.upper_bound(ssn);
  return higher != held_.end() && higher->second.arrival.first_tsn < tsn;
}

bool Lane::is_before_lower(std::uint64_t ssn, Tsn tsn) const noexcept {
  if (ssn >= next_ && tsn < last_tsn_) return true;
  const auto at = held_.lower_bound(ssn);
  return at != held_.begin() && std::prev(at)->second.arrival.first_tsn > tsn;
}

std::optional<HeldArrival> Lane::take_next() {
  const auto first = held_.begin();
  if (first == held_.end() || first->first != next_) return std::nullopt;
  HeldArrival taken = std::move(first->second);
  waiting_->give_back(taken.cost());
  held_.erase(first);
  return taken;
}

std::uint64_t Lane::give_up(std::uint64_t to) {
  const std::uint64_t count = to - next_;
  gap_ = true;
  after_gap_ = true;
  if (count > kMostUnacknowledged - std::min(outstanding_, kMostUnacknowledged)) overflow();
  if (count != 0) remember(kGivenUp | count, kMostUnacknowledged);
  next_ = to;
  return count;
}

void Lane::passed(const Arrival& arrival, const TsnLine& line) {
  placed_time_ = std::max(placed_time_, arrival.placed_time);
  ++next_;
  last_tsn_ = arrival.last_tsn;
  remember(arrival.last_tsn, line.has_acknowledgments() ? kMostUnacknowledged : kMostUnanswered);
}

void Lane::remember(Tsn tsn, std::size_t most) {
  if (overflowed_) return;
  auto& all = unacknowledged_;
  if (all.size() == all.capacity() && head_ > all.size() / 2) {
    all.erase(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(head_));
    head_ = 0;
  }
  if (all.size() == all.capacity()) {
    const std::size_t larger = std::max<std::size_t>(16, all.capacity() * 2);
    const std::size_t cost = larger * sizeof(Tsn);
    if (outstanding_ >= most || (cost > kFreeOctets && !waiting_->take_room(cost - room_))) {
      overflow();
      return;
    }
    if (cost > kFreeOctets) room_ = cost;
    all.reserve(larger);
  }
  all.push_back(tsn);
  outstanding_ += messages(tsn);
}

void Lane::overflow() noexcept {
  overflowed_ = true;
  std::vector<Tsn>().swap(unacknowledged_);
  head_ = outstanding_ = 0;
  waiting_->give_room_back(std::exchange(room_, 0));
}

void Lane::forget() noexcept {
  clear();
  std::vector<Tsn>().swap(unacknowledged_);
  head_ = outstanding_ = 0;
  waiting_->give_room_back(std::exchange(room_, 0));
}

void Lane::clear() noexcept {
  for (const auto& [ssn, held] : held_) waiting_->give_back(held.cost());
  held_.clear();
}

void Lane::drop_before(Tsn tsn) noexcept {
  std::erase_if(held_, [&](const auto& one) {
    if (one.second.arrival.first_tsn >= tsn) return false;
    waiting_->give_back(one.second.cost());
    return true;
  });
}

std::uint64_t Lane::unacknowledged(const TsnLine& line) const noexcept {
  if (overflowed_) return kMostUnacknowledged;
  std::uint64_t count = outstanding_;
  for (std::size_t i = head_; i < unacknowledged_.size() && is_settled(unacknowledged_[i], line); ++i) {
    count -= messages(unacknowledged_[i]);
  }
  return count;
}

std::uint64_t Lane::received(const TsnLine& line) noexcept {
  while (head_ < unacknowledged_.size() && is_settled(unacknowledged_[head_], line)) {
    const std::size_t count = messages(unacknowledged_[head_++]);
    outstanding_ -= count;
    received_ += count;
  }
  if (head_ == unacknowledged_.size()) {
    unacknowledged_.clear();
    head_ = 0;
  }
  return received_;
}

}  // namespace iwarpscope::sctp
