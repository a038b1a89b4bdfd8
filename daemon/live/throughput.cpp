// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "live/throughput.h"

#include <algorithm>
#include <utility>

namespace iwarpscope::live {

namespace {

/// No frame has a time further from 1970: differences fit into 64 bits.
std::int64_t clamped(TimePoint time) noexcept {
  constexpr std::int64_t kMost = std::int64_t{1} << 61;
  return std::clamp(time.ns, -kMost, kMost);
}

}  // namespace

std::int64_t Throughput::number_of(TimePoint time) const noexcept {
  return (clamped(time) - origin_) >> shift_;
}

/// Two buckets become one.
void Throughput::widen() {
  const std::int64_t before = std::exchange(first_, first_ >> 1);
  ++shift_;
  std::vector<std::uint64_t> wide;
  for (std::size_t i = 0; i < octets_.size(); ++i) {
    const auto at = static_cast<std::size_t>(((before + static_cast<std::int64_t>(i)) >> 1) - first_);
    if (at == wide.size()) wide.push_back(0);
    wide[at] += octets_[i];
  }
  octets_ = std::move(wide);
}

/// False: the bucket would be older than all that are kept.
bool Throughput::make_room(std::int64_t number) {
  constexpr auto kMost = static_cast<std::int64_t>(kBuckets);
  const std::int64_t end = first_ + static_cast<std::int64_t>(octets_.size());
  if (octets_.empty() || number - end >= kMost) {
    octets_.assign(1, 0);
    first_ = number;
  } else if (number >= end) {
    octets_.resize(static_cast<std::size_t>(number - first_) + 1);
    const auto excess = static_cast<std::int64_t>(octets_.size()) - kMost;
    if (excess > 0) {
      octets_.erase(octets_.begin(), octets_.begin() + excess);
      first_ += excess;
    }
  } else if (number < first_) {
    if (end - number > kMost) return false;
    octets_.insert(octets_.begin(), static_cast<std::size_t>(first_ - number), 0);
    first_ = number;
  }
  return true;
}

void Throughput::add(TimePoint time, std::uint64_t octets) {
  if (octets_.empty()) origin_ = clamped(time);
  const auto is_too_far = [&] {
    const std::int64_t number = number_of(time), end = first_ + static_cast<std::int64_t>(octets_.size());
    return std::max(number + 1, end) - std::min(number, first_) > static_cast<std::int64_t>(kBuckets);
  };
  while (span_ == Span::whole && !octets_.empty() && is_too_far()) widen();
  const std::int64_t number = number_of(time);
  if (make_room(number)) octets_[static_cast<std::size_t>(number - first_)] += octets;
}

ThroughputView Throughput::view() const {
  if (octets_.empty()) return {};
  return {TimePoint{origin_ + first_ * (std::int64_t{1} << shift_)}, std::int64_t{1} << shift_, octets_};
}

}  // namespace iwarpscope::live
