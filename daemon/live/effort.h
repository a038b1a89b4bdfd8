// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// What the analysis does beside the frames: questions, and visits of queue pairs. Counted and bounded.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <utility>

#include "live/views.h"

namespace iwarpscope::live {

/// A part of such work, or a round of parts before the next frames. It is used up when its time has passed or when so
/// many units were spent, whichever is first. A unit is what it takes to look at an entry.
class Slice {
 public:
  using Clock = std::chrono::steady_clock;
  static constexpr std::uint64_t kView = 64;   ///< units to make a view of a queue pair
  static constexpr std::uint64_t kCopies = 4;  ///< rows that are copied for one unit

  Slice(std::chrono::microseconds time, std::uint64_t units) : end_(Clock::now() + time), most_(units) {}
  void spend(std::uint64_t units) noexcept { spent_ += units; }
  /// Looks at the clock after some units only.
  [[nodiscard]] bool is_used_up() noexcept {
    if (spent_ >= most_) return true;
    if (spent_ < look_) return is_late_;
    look_ = spent_ + kBetweenLooks;
    return is_late_ = Clock::now() >= end_;
  }
  [[nodiscard]] std::uint64_t spent() const noexcept { return spent_; }

 private:
  static constexpr std::uint64_t kBetweenLooks = 256;
  Clock::time_point end_;
  std::uint64_t most_, spent_ = 0, look_ = kBetweenLooks;
  bool is_late_ = false;
};

/// The rounds and their parts. Not thread-safe.
class Effort {
 public:
  /// Runs a part: `work` takes a Slice and returns anything.
  template <class Work>
  auto part(Work&& work) {
    Slice slice(kPart, kPartUnits);
    auto result = std::forward<Work>(work)(slice);
    ++counts_.parts;
    counts_.units += slice.spent();
    counts_.longest_part = std::max(counts_.longest_part, slice.spent());
    return result;
  }
  /// Calls `turn` until it returns false, as nothing is left to do, or until enough was done before the next frames; at
  /// least once.
  template <class Turn>
  void round(Turn&& turn) {
    Slice slice(kRound, kRoundUnits);
    const std::uint64_t before = counts_.units;
    std::uint64_t last = before;
    do {
      const bool more = turn();
      slice.spend(std::max(counts_.units - std::exchange(last, counts_.units), kLeast));
      if (!more) break;
    } while (!slice.is_used_up());
    if (last == before) return;
    ++counts_.rounds;
    counts_.longest_round = std::max(counts_.longest_round, last - before);
  }
  [[nodiscard]] const EffortCounts& counts() const noexcept { return counts_; }

 private:
  static constexpr std::chrono::milliseconds kPart{1}, kRound{5};
  static constexpr std::uint64_t kPartUnits = EffortCounts::kPart, kRoundUnits = EffortCounts::kRound;
  static constexpr std::uint64_t kLeast = 64;  // of a turn: so the clock is looked at
  EffortCounts counts_;
};

}  // namespace iwarpscope::live
