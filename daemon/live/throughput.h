// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// ULP payload of all queue pairs over time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/time_point.h"

namespace iwarpscope::live {

struct ThroughputView {
  TimePoint first;            ///< the beginning of the first bucket
  std::int64_t width_ns = 0;  ///< of a bucket; 0: nothing is known
  std::vector<std::uint64_t> octets{};
};

/// Octets by buckets of equal width, at most kBuckets of them. Not thread-safe.
class Throughput {
 public:
  static constexpr std::size_t kBuckets = 600;
  enum class Span : std::uint8_t {
    whole,   ///< all times: the buckets double their width when a time has no bucket
    recent,  ///< the last ten minutes: the buckets are about a second wide, and the oldest are dropped
  };

  void set_span(Span span) noexcept {
    span_ = span;
    if (octets_.empty()) shift_ = span == Span::whole ? kFirstShift : kRecentShift;
  }
  /// The first bucket ever begins at the first time. 0 octets: only extends the buckets to this time.
  void add(TimePoint time, std::uint64_t octets);
  [[nodiscard]] bool is_empty() const noexcept { return octets_.empty(); }
  [[nodiscard]] ThroughputView view() const;

 private:
  static constexpr unsigned kFirstShift = 20, kRecentShift = 30;  // a width is 2^shift ns: a millisecond, a second

  [[nodiscard]] std::int64_t number_of(TimePoint time) const noexcept;
  [[nodiscard]] bool make_room(std::int64_t number);
  void widen();

  Span span_ = Span::whole;
  unsigned shift_ = kFirstShift;
  std::int64_t origin_ = 0;  ///< the first time ever, in nanoseconds
  std::int64_t first_ = 0;   ///< number of the first bucket: its time after `origin_`, divided by the width
  std::vector<std::uint64_t> octets_;
};

}  // namespace iwarpscope::live
