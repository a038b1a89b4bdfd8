// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "models/host_pair.h"

#include <algorithm>
#include <limits>

namespace iwarpscope::gui {
namespace {

constexpr auto kSeconds = static_cast<std::int64_t>(live::Activity::kSeconds);

/// Adds counts of the same seconds; those older than the newest minute are left out.
void add_activity(const QpRow& row, QpRow& sum) {
  if (row.last_second > sum.last_second) {
    const auto by = static_cast<std::size_t>(std::min(row.last_second - sum.last_second, kSeconds));
    std::shift_left(sum.activity.begin(), sum.activity.end(), static_cast<std::ptrdiff_t>(by));
    std::fill(sum.activity.end() - static_cast<std::ptrdiff_t>(by), sum.activity.end(), 0U);
    sum.last_second = row.last_second;
  }
  const std::int64_t age = sum.last_second - row.last_second;
  for (std::int64_t i = age; i < kSeconds; ++i) {
    std::uint32_t& second = sum.activity[static_cast<std::size_t>(i - age)];
    const std::uint64_t both = std::uint64_t{second} + row.activity[static_cast<std::size_t>(i)];
    second = static_cast<std::uint32_t>(std::min<std::uint64_t>(both, std::numeric_limits<std::uint32_t>::max()));
  }
}

template <class T>
void keep_if_same(T& sum, const T& value) {
  if (sum != value) sum = T{};
}

}  // namespace

HostPairKey host_pair_of(const QpRow& row) {
  return row.a.address <= row.b.address ? HostPairKey{row.a.address, row.b.address}
                                        : HostPairKey{row.b.address, row.a.address};
}

HostPairSum::HostPairSum(const HostPairKey& key) {
  sum_.a.address = key.low;
  sum_.b.address = key.high;
  sum_.ended = true;
}

void HostPairSum::add(const QpRow& row) {
  const bool turned = row.a.address != sum_.a.address;  // its A is the higher address
  std::array<std::optional<bool>, 2> markers = row.markers;
  if (turned) std::swap(markers[0], markers[1]);
  if (++sum_.queue_pairs == 1) {
    sum_.number = row.number;
    sum_.ulp = row.ulp;
    sum_.crc = row.crc;
    sum_.markers = markers;
    sum_.began = row.began;
    sum_.last = row.last;
    sum_.last_second = row.last_second;
  }
  sum_.number = std::min(sum_.number, row.number);
  keep_if_same(sum_.ulp, row.ulp);
  keep_if_same(sum_.crc, row.crc);
  keep_if_same(sum_.markers, markers);
  sum_.crc_inferred |= row.crc_inferred;
  sum_.markers_inferred |= row.markers_inferred;
  if (sort_key(row, QpColumn::verdict).high > sort_key(sum_, QpColumn::verdict).high) sum_.outcome = row.outcome;
  if (row.worst && (!sum_.worst || *row.severity() > *sum_.severity())) sum_.worst = row.worst;
  sum_.ended &= row.ended;
  sum_.rate += row.rate;
  add_activity(row, sum_);
  for (std::size_t d = 0; d < 2; ++d) {
    sum_.waiting[d] += row.waiting[turned ? 1 - d : d];
    sum_.messages[d] += row.messages[turned ? 1 - d : d];
    sum_.octets[d] += row.octets[turned ? 1 - d : d];
  }
  sum_.at_least |= row.at_least;
  sum_.retransmitted += row.retransmitted;
  sum_.gaps += row.gaps;
  sum_.gap_messages += row.gap_messages;
  sum_.lost_frames = std::max(sum_.lost_frames, row.lost_frames);  // they may be the same frames
  sum_.errors += row.errors;
  sum_.warnings += row.warnings;
  sum_.notes += row.notes;
  sum_.began = std::min(sum_.began, row.began);
  sum_.last = std::max(sum_.last, row.last);
}

}  // namespace iwarpscope::gui
