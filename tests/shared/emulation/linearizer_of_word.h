// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// A word with its linearizer, for tests: operations fed frame by frame, and what was decided on them.
#pragma once

#include <gtest/gtest.h>

#include <vector>

#include "emulation/linearizer.h"
#include "shared/emulation/word_history.h"

namespace iwarpscope::emulation::test {

inline constexpr std::uint64_t kAll = ~std::uint64_t{0};

[[nodiscard]] inline AtomicFunction add(std::uint64_t data, std::uint64_t mask = 0) {
  return {rdmap::AOpCode::fetch_add, data, mask, 0, kAll};
}
[[nodiscard]] inline AtomicFunction compare_and_swap(std::uint64_t compare, std::uint64_t data,
                                                     std::uint64_t compare_mask = kAll, std::uint64_t mask = kAll) {
  return {rdmap::AOpCode::cmp_swap, data, mask, compare, compare_mask};
}
[[nodiscard]] inline AtomicFunction swap(std::uint64_t data) {
  return {rdmap::AOpCode::swap, data, kAll, 0, kAll};
}

/// A word that is fed frame by frame, and what was decided on it.
class LinearizerOfWord : public testing::Test {
 protected:
  /// An atomic from one frame to another; nothing else is fed in between.
  void atomic(std::uint64_t qp, std::uint64_t from, std::uint64_t to, const AtomicFunction& function,
              std::uint64_t original) {
    answer(word_.request(qp, from, function, at(from)), to, original);
  }
  void answer(std::uint64_t id, std::uint64_t frame, std::uint64_t original) {
    EXPECT_TRUE(word_.response(id, original, at(frame)));
    word_.advance(search_, decided_);
  }
  void finish() { word_.finish(search_, decided_); }
  /// The last decision.
  [[nodiscard]] WordVerdict verdict() const { return decided_.back().verdict; }
  [[nodiscard]] UndecidableCause cause() const { return decided_.back().cause; }
  [[nodiscard]] const WordConflict& conflict() const { return *decided_.back().conflict; }
  [[nodiscard]] std::size_t count(WordVerdict verdict) const {
    std::size_t found = 0;
    for (const WordDecision& decision : decided_) found += decision.verdict == verdict ? 1U : 0U;
    return found;
  }

  Linearizer word_;
  WordSearch search_;
  std::vector<WordDecision> decided_;
};

}  // namespace iwarpscope::emulation::test
