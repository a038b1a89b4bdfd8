// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The messages that the HTML report keeps of each queue pair: those around its first problem, and the last ones.
#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <unordered_map>
#include <vector>

#include "qp/records.h"

namespace iwarpscope::report {

/// Bounded: when it holds kMost messages, those of the queue pair that was quiet for longest are given up; queue pairs
/// with a problem come last, but for at most kPinned of them.
class HtmlMessages {
 public:
  static constexpr std::size_t kEach = 16;
  static constexpr std::size_t kMost = 65'536;
  static constexpr std::size_t kPinned = 1024;

  void add(const qp::MessageRecord& record);
  /// The queue pair has a problem in this frame: the messages before it, and the next few, are kept. Only the first
  /// problem counts. Messages may come before it or after it.
  void problem(std::uint64_t qp, FrameNumber frame);
  /// In the order in which they came, each once.
  [[nodiscard]] std::vector<qp::MessageRecord> of(std::uint64_t qp) const;

 private:
  static constexpr std::size_t kAfterProblem = 4;

  struct Entry {
    std::vector<qp::MessageRecord> problem;  ///< around it
    std::vector<qp::MessageRecord> last;     ///< a ring
    std::size_t oldest = 0;                  ///< place in the ring
    std::size_t until_problem_is_over = 0;   ///< messages that still belong to it
    FrameNumber problem_frame;
    bool has_problem = false, is_pinned = false;
    std::list<std::uint64_t>::iterator place;  ///< in by_use_, unless it is pinned
  };
  [[nodiscard]] static std::vector<qp::MessageRecord> in_order(const Entry& entry);
  Entry& entry_of(std::uint64_t qp);
  void make_room();

  std::unordered_map<std::uint64_t, Entry> entries_;
  std::list<std::uint64_t> by_use_;  ///< the one that was quiet for longest first
  std::size_t held_ = 0, pinned_ = 0;
};

}  // namespace iwarpscope::report
