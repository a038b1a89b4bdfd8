// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Sums over time in bounded memory, for every capture.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/time_point.h"

namespace iwarpscope::gui {

/// At most kMostBuckets buckets; their width doubles if more are needed. `Bucket` has add(const Bucket&).
template <class Bucket>
class TimeBuckets {
 public:
  static constexpr std::size_t kMostBuckets = 4096;
  static constexpr unsigned kFirstShift = 10;  ///< the narrowest bucket: 2^10 ns, about a microsecond

  [[nodiscard]] bool is_empty() const noexcept { return buckets_.empty(); }
  [[nodiscard]] const std::vector<Bucket>& buckets() const noexcept { return buckets_; }
  [[nodiscard]] std::int64_t width_ns() const noexcept { return std::int64_t{1} << shift_; }
  [[nodiscard]] TimePoint begin_of(std::size_t bucket) const noexcept {
    return {(first_ + static_cast<std::int64_t>(bucket)) << shift_};
  }
  /// The bucket of a time, or the nearest one. Precondition: not empty.
  [[nodiscard]] std::size_t bucket_at(TimePoint time) const noexcept {
    const auto last = static_cast<std::int64_t>(buckets_.size()) - 1;
    return static_cast<std::size_t>(std::clamp<std::int64_t>(number(time.ns) - first_, 0, last));
  }

  /// The bucket of a time; makes it if it does not exist.
  Bucket& at(std::int64_t ns) {
    include(ns);
    return buckets_[static_cast<std::size_t>(number(ns) - first_)];
  }
  /// give(bucket, part): shares `count` evenly among the buckets of [from, to].
  template <class Give>
  void spread(std::int64_t from, std::int64_t to, std::uint64_t count, Give give) {
    include(from);
    include(to);
    const std::int64_t first = number(from), last = number(to);
    const double share = static_cast<double>(count) / static_cast<double>(last - first + 1);
    std::uint64_t given = 0;
    for (std::int64_t i = first; i <= last; ++i) {
      const std::uint64_t until =
          i == last ? count : static_cast<std::uint64_t>(share * static_cast<double>(i - first + 1));
      const std::uint64_t part = std::max(given, std::min(count, until)) - given;
      give(buckets_[static_cast<std::size_t>(i - first_)], part);
      given += part;
    }
  }

 protected:
  [[nodiscard]] std::int64_t number(std::int64_t ns) const noexcept { return ns >> shift_; }

  void include(std::int64_t ns) {
    if (buckets_.empty()) {
      first_ = number(ns);
      buckets_.resize(1);
      return;
    }
    constexpr auto kMost = static_cast<std::int64_t>(kMostBuckets);
    for (;;) {
      const std::int64_t last = first_ + static_cast<std::int64_t>(buckets_.size()) - 1;
      const std::int64_t low = std::min(first_, number(ns)), high = std::max(last, number(ns));
      if (high - low < kMost) {
        if (low < first_) buckets_.insert(buckets_.begin(), static_cast<std::size_t>(first_ - low), Bucket{});
        first_ = low;
        buckets_.resize(static_cast<std::size_t>(high - low + 1));
        return;
      }
      double_width();
    }
  }

  std::vector<Bucket> buckets_;
  std::int64_t first_ = 0;  ///< number of the first bucket

 private:
  void double_width() {
    const std::int64_t wider_first = first_ >> 1;
    for (std::size_t i = 0; i < buckets_.size(); ++i) {
      const auto to = static_cast<std::size_t>(((first_ + static_cast<std::int64_t>(i)) >> 1) - wider_first);
      if (to == i) continue;
      // The first of a pair moves to a free place.
      if (((first_ + static_cast<std::int64_t>(i)) & 1) == 0) {
        buckets_[to] = std::move(buckets_[i]);
      } else {
        buckets_[to].add(buckets_[i]);
      }
      buckets_[i] = Bucket{};
    }
    const std::int64_t last = (first_ + static_cast<std::int64_t>(buckets_.size()) - 1) >> 1;
    first_ = wider_first;
    ++shift_;
    buckets_.resize(static_cast<std::size_t>(last - first_ + 1));
  }

  unsigned shift_ = kFirstShift;
};

}  // namespace iwarpscope::gui
