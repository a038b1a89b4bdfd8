// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "models/overview/throughput.h"

#include <algorithm>
#include <limits>

namespace iwarpscope::gui {
namespace {

constexpr std::int64_t kNs = 1'000'000'000;
constexpr auto kMinute = static_cast<std::int64_t>(live::Activity::kSeconds);

}  // namespace

void Throughput::add(const live::QpView& row) {
  const qp::QpRecord& record = row.record;
  const std::int64_t ended = record.last_time.ns / kNs;
  const bool is_bad = qp::ended_badly(record);
  if (is_bad && (failures_.size() < kMostSeconds || failures_.contains(ended))) ++failures_[ended];
  const std::int64_t newest = row.activity.last_second;
  // A hostile daemon may send any number.
  if (newest < kMinute || newest > std::numeric_limits<std::int64_t>::max() / kNs) return;
  is_cut_ = is_cut_ || ended - record.first_time.ns / kNs >= kMinute;
  bool has_any = false;
  for (std::int64_t i = 0; i < kMinute; ++i) {
    const std::uint32_t value = row.activity.octets[static_cast<std::size_t>(i)];
    if (value == 0) continue;
    const std::int64_t second = newest - kMinute + 1 + i;
    const auto known = octets_.find(second);
    if (known != octets_.end()) {
      known->second += value;
    } else if (octets_.size() < kMostSeconds) {
      octets_.emplace(second, value);
    } else {
      continue;
    }
    first_ = last_ < first_ ? second : std::min(first_, second);
    last_ = std::max(last_, second);
    has_any = true;
  }
  // The end of a queue pair that failed is often silence.
  if (has_any || (is_bad && first_ <= last_)) last_ = std::max(last_, std::min(ended, newest + kMostShown));
}

void Throughput::keep(const Throughput& earlier) {
  for (const auto& [second, octets] : earlier.octets_) {
    if (second <= last_ - kMostShown) continue;
    std::uint64_t& known = octets_[second];
    known = std::max(known, octets);
    first_ = last_ < first_ ? second : std::min(first_, second);
    last_ = std::max(last_, second);
  }
}

std::int64_t Throughput::first() const noexcept {
  return std::max(first_, last_ - kMostShown + 1);
}

QList<quint32> Throughput::octets() const {
  QList<quint32> all;
  for (std::int64_t second = first(); second <= last_; ++second) {
    const auto known = octets_.find(second);
    const std::uint64_t value = known == octets_.end() ? 0 : known->second;
    all << static_cast<quint32>(std::min<std::uint64_t>(value, std::numeric_limits<quint32>::max()));
  }
  return all;
}

}  // namespace iwarpscope::gui
