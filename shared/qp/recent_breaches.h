// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The latest messages that receivers may refuse because they broke a rule: a Terminate may name any of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "qp/summary.h"

namespace iwarpscope::qp {

/// A bounded record for one queue pair, of both directions. Empty until a rule is broken; trim() shrinks it when the
/// queue pair is idle.
class RecentBreaches {
 public:
  static constexpr std::size_t kMost = 256;
  static constexpr std::size_t kIdle = 4;

  void add(Direction of, const MessageBreach& breach);
  /// The rules that this message of direction `of` broke, oldest first; at most TerminateSummary::Named::kMostBreaches.
  [[nodiscard]] std::vector<MessageBreach> of_message(Direction of, const TerminateSummary::Named& named) const;
  void trim();

  template <class A>
  void archive(A& a) {
    a(ring_, next_);
    a.check(ring_.size() <= kMost && (next_ == 0 || next_ < ring_.size()));
  }

 private:
  struct Entry {
    MessageBreach breach;
    Direction direction{};
  };
  std::vector<Entry> ring_;
  std::uint32_t next_ = 0;  ///< where the next entry goes once the ring is full
};

}  // namespace iwarpscope::qp
