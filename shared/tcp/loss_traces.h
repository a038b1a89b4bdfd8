// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// What losses on the path leave behind at one place of it: enough to say, with the traces of another place, on which
// side of it the first transmission was lost.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "base/ids.h"

namespace iwarpscope::tcp {

/// Octets of a stream, by StreamOffset values: [begin, end).
struct OctetRange {
  std::uint64_t begin = 0, end = 0;
  friend bool operator==(const OctetRange&, const OctetRange&) = default;
};

/// The first ranges of one kind, in the order in which they were seen. Ranges that touch the newest one extend it.
class RangeList {
 public:
  static constexpr std::size_t kMost = 8;  ///< ours: the first losses are enough to say where they happen

  void add(OctetRange range) noexcept {
    if (count_ != 0) {
      OctetRange& last = ranges_[count_ - 1u];
      if (range.begin <= last.end && range.end >= last.begin) {
        last = {std::min(last.begin, range.begin), std::max(last.end, range.end)};
        return;
      }
    }
    if (count_ == kMost) {
      more_ = true;
    } else {
      ranges_[count_++] = range;
    }
  }
  [[nodiscard]] std::span<const OctetRange> ranges() const noexcept { return std::span{ranges_}.first(count_); }
  /// There were others after them.
  [[nodiscard]] bool has_more() const noexcept { return more_; }

  template <class A>
  void archive(A& a) {
    a(ranges_, count_, more_);
    a.check(count_ <= kMost);
    if (count_ > kMost) count_ = 0;
  }

 private:
  std::array<OctetRange, kMost> ranges_{};
  std::uint8_t count_ = 0;
  bool more_ = false;
};

/// The traces of one direction. Most directions have none.
struct LossTraces {
  /// Octets that had passed here and were sent again: they were lost after this place, or needlessly sent again.
  RangeList sent_again;
  /// Octets that came after octets with higher offsets, because they were sent again, and that no ACK had covered:
  /// their first transmission was lost before this place.
  RangeList filled_late;
};

/// Both directions, made when the first of them has a trace: there are very many connections without one.
class ConnectionTraces {
 public:
  [[nodiscard]] LossTraces& of(Direction d) {
    if (!both_) both_ = std::make_unique<std::array<LossTraces, 2>>();
    return (*both_)[index(d)];
  }
  /// Null: neither direction has any.
  [[nodiscard]] const LossTraces* find(Direction d) const noexcept { return both_ ? &(*both_)[index(d)] : nullptr; }

  template <class A>
  void archive(A& a) {
    a(both_);
  }

 private:
  std::unique_ptr<std::array<LossTraces, 2>> both_;
};

}  // namespace iwarpscope::tcp
