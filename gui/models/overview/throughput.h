// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// ULP payload of all queue pairs over time, and when queue pairs failed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "base/time_point.h"
#include "iwarpscope/v1/status.pb.h"

namespace iwarpscope::gui {

/// Buckets of equal width. Empty: nothing is known.
struct Throughput {
  static constexpr int kMostBuckets = 4096;  ///< a daemon sends fewer; others do not count
  static constexpr int kMostShown = 150;     ///< neighbours are added up: each has some pixels

  TimePoint first{}, last{};                      ///< the beginning of the first bucket; the last frame
  std::int64_t width_ns = 0;                      ///< of a bucket
  std::vector<double> rates{};                    ///< octets per second, by bucket
  std::map<std::size_t, std::uint64_t> failed{};  ///< queue pairs that failed, by the bucket of their last frame
};

/// `failures`: the last frames of queue pairs that failed. One after all buckets is in the last one.
[[nodiscard]] Throughput throughput_of(const v1::Status& status, const std::vector<TimePoint>& failures);

}  // namespace iwarpscope::gui
