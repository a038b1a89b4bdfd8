// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "models/atomics/atomic_order.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <tuple>

namespace iwarpscope::gui {
namespace {

constexpr std::size_t kMostCandidates = 64;  // operations of at most this number of queue pairs at one moment

class Search {
 public:
  explicit Search(std::span<const OrderedAtomic> operations)
      : operations_(operations), sorted_(operations.size()), is_taken_(operations.size()) {
    std::iota(sorted_.begin(), sorted_.end(), std::size_t{0});
    std::sort(sorted_.begin(), sorted_.end(), [this](std::size_t a, std::size_t b) {
      const OrderedAtomic &x = operations_[a], &y = operations_[b];
      return std::tuple(x.invoked, x.qp, x.index, a) < std::tuple(y.invoked, y.qp, y.index, b);
    });
  }

  [[nodiscard]] AtomicOrder run();

 private:
  struct Level {
    std::vector<std::size_t> candidates;  ///< operations to try, the next one at the back
    std::size_t front;                    ///< `front_` before
  };

  [[nodiscard]] std::vector<std::size_t> possible();
  void keep_matching(std::vector<std::size_t>& candidates) const;
  void take(std::size_t operation);
  void give_back(const Level& level);
  [[nodiscard]] AtomicOrder chain();

  std::span<const OrderedAtomic> operations_;
  std::vector<std::size_t> sorted_;  ///< by `invoked`
  std::vector<bool> is_taken_;
  std::size_t front_ = 0;  ///< all operations of sorted_ before it are taken
  std::vector<std::size_t> order_;
  bool crowded_ = false;  ///< some possible operations were not tried
};

/// Operations that can take effect next: no remaining operation must come before them. Sorted by response, the first at
/// the back.
std::vector<std::size_t> Search::possible() {
  while (front_ < sorted_.size() && is_taken_[sorted_[front_]]) ++front_;
  std::vector<std::size_t> out;
  std::int64_t first_answer = std::numeric_limits<std::int64_t>::max();
  for (std::size_t i = front_; i < sorted_.size(); ++i) {
    const OrderedAtomic& operation = operations_[sorted_[i]];
    if (operation.invoked > first_answer) break;
    if (is_taken_[sorted_[i]]) continue;
    first_answer = std::min(first_answer, operation.answered);
    out.push_back(sorted_[i]);
  }
  std::erase_if(out, [&](std::size_t i) { return operations_[i].invoked > first_answer; });
  // The first one of each queue pair.
  std::sort(out.begin(), out.end(), [this](std::size_t a, std::size_t b) {
    return std::tuple(operations_[a].qp, operations_[a].index, a) <
           std::tuple(operations_[b].qp, operations_[b].index, b);
  });
  const auto is_same = [this](std::size_t a, std::size_t b) { return operations_[a].qp == operations_[b].qp; };
  out.erase(std::unique(out.begin(), out.end(), is_same), out.end());
  std::sort(out.begin(), out.end(), [this](std::size_t a, std::size_t b) {
    return std::tuple(operations_[a].answered, a) > std::tuple(operations_[b].answered, b);
  });
  if (out.size() > kMostCandidates) {
    crowded_ = true;
    out.erase(out.begin(), out.end() - kMostCandidates);
  }
  return out;
}

void Search::keep_matching(std::vector<std::size_t>& candidates) const {
  if (order_.empty() || !operations_[order_.back()].result) return;
  const std::uint64_t value = *operations_[order_.back()].result;
  std::erase_if(candidates, [&](std::size_t i) { return operations_[i].original != value; });
}

void Search::take(std::size_t operation) {
  is_taken_[operation] = true;
  order_.push_back(operation);
}

void Search::give_back(const Level& level) {
  is_taken_[order_.back()] = false;
  order_.pop_back();
  front_ = level.front;
}

AtomicOrder Search::run() {
  std::vector<Level> levels;
  std::size_t steps = 0;
  const auto descend = [&] {
    const std::size_t front = front_;
    std::vector<std::size_t> candidates = possible();
    keep_matching(candidates);
    levels.push_back({std::move(candidates), front});
  };
  if (!operations_.empty()) descend();
  while (!levels.empty() && order_.size() < operations_.size() && steps < kMostOrderSteps) {
    Level& level = levels.back();
    if (level.candidates.empty()) {
      levels.pop_back();
      if (!order_.empty()) give_back(levels.back());
      continue;
    }
    ++steps;
    take(level.candidates.back());
    level.candidates.pop_back();
    if (order_.size() < operations_.size()) descend();
  }
  if (order_.size() == operations_.size()) return {AtomicOrder::Found::yes, order_, {}};
  const bool is_certain = levels.empty() && !crowded_;
  AtomicOrder out = chain();
  out.found = is_certain ? AtomicOrder::Found::no : AtomicOrder::Found::undecided;
  return out;
}

/// Takes operations that fit as long as there are any, then the one that was answered first.
AtomicOrder Search::chain() {
  is_taken_.assign(operations_.size(), false);
  order_.clear();
  front_ = 0;
  AtomicOrder out;
  while (order_.size() < operations_.size()) {
    const std::vector<std::size_t> all = possible();
    std::vector<std::size_t> matching = all;
    keep_matching(matching);
    if (matching.empty()) out.breaks.push_back(order_.size());
    take(matching.empty() ? all.back() : matching.back());
  }
  out.order = order_;
  return out;
}

}  // namespace

AtomicOrder find_order(std::span<const OrderedAtomic> operations) {
  return Search(operations).run();
}

}  // namespace iwarpscope::gui
