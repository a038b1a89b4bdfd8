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

/// A queue pair that failed.
struct FailedQp {
  TimePoint last;  ///< its last frame
  std::uint64_t qp = 0;
};
/// Several of them.
struct FailedQps {
  std::uint64_t count = 0;
  std::uint64_t first_qp = 0;
  friend bool operator==(const FailedQps&, const FailedQps&) = default;
};

/// Buckets of equal width. Empty: nothing is known.
struct Throughput {
  static constexpr int kMostBuckets = 4096;  ///< a daemon sends fewer; others do not count
  static constexpr int kMostShown = 150;     ///< neighbours are added up: each has some pixels

  TimePoint first{}, last{};                  ///< the beginning of the first bucket; the last frame
  std::int64_t width_ns = 0;                  ///< of a bucket
  std::vector<double> rates{};                ///< octets per second, by bucket
  std::map<std::size_t, FailedQps> failed{};  ///< by the bucket of their last frame
};

/// One after all buckets is in the last one.
[[nodiscard]] Throughput throughput_of(const v1::Status& status, const std::vector<FailedQp>& failures);

}  // namespace iwarpscope::gui
