// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// What all streams of one analyser may hold together.
#pragma once

#include <cstddef>
#include <cstdint>

namespace iwarpscope {

/// How often something was given up to stay within a limit on what is held of streams.
struct LimitsMet {
  std::uint64_t all_octets = 0;        ///< of all connections together
  std::uint64_t direction_octets = 0;  ///< tcp::Limits::max_buffered_octets
  std::uint64_t direction_chunks = 0;  ///< tcp::Limits::max_buffered_chunks
  std::uint64_t search = 0;            ///< octets among which a boundary was searched for
  std::uint64_t searched = 0;          ///< a stream was left alone: too much of it was searched
};

/// Octets that all connections of one analyser may hold, out of order or of unfinished FPDUs, and what its limits cost.
class BufferBudget {
 public:
  explicit BufferBudget(std::size_t octets) noexcept : left_(octets), all_(octets) {}
  /// False: there are not so many left, and none were taken.
  [[nodiscard]] bool take(std::size_t octets) noexcept {
    if (octets > left_) return false;
    left_ -= octets;
    return true;
  }
  void give_back(std::size_t octets) noexcept { left_ += octets; }
  /// More than half of it is in use: nothing is held that need not be.
  [[nodiscard]] bool is_scarce() const noexcept { return left_ < all_ / 2; }
  [[nodiscard]] std::size_t held() const noexcept { return all_ - left_; }
  /// Counted by all that take from this budget.
  [[nodiscard]] LimitsMet& met() noexcept { return met_; }
  [[nodiscard]] const LimitsMet& met() const noexcept { return met_; }

 private:
  std::size_t left_;
  std::size_t all_;
  LimitsMet met_;
};

}  // namespace iwarpscope
