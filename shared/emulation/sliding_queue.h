// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// A queue in one block of memory, and the smallest of what is in it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace iwarpscope::emulation {

/// First in, first out, with access by position. Holds no memory until used; a std::deque would hold half a kilobyte.
template <class T>
class SlidingQueue {
 public:
  [[nodiscard]] bool empty() const noexcept { return first_ == items_.size(); }
  [[nodiscard]] std::size_t size() const noexcept { return items_.size() - first_; }
  /// Precondition: !empty().
  [[nodiscard]] T& front() noexcept { return items_[first_]; }
  [[nodiscard]] const T& front() const noexcept { return items_[first_]; }
  [[nodiscard]] T& back() noexcept { return items_.back(); }
  /// Precondition: position < size().
  [[nodiscard]] T& operator[](std::size_t position) noexcept { return items_[first_ + position]; }
  [[nodiscard]] const T& operator[](std::size_t position) const noexcept { return items_[first_ + position]; }

  void push(T item) { items_.push_back(std::move(item)); }
  void pop_back() noexcept { items_.pop_back(); }
  /// Puts `item` in the place of the items from position `from` up to `to`. Precondition: from <= to <= size().
  void replace(std::size_t from, std::size_t to, T item) {
    const auto first = items_.begin() + static_cast<std::ptrdiff_t>(first_);
    const auto at = items_.erase(first + static_cast<std::ptrdiff_t>(from), first + static_cast<std::ptrdiff_t>(to));
    items_.insert(at, std::move(item));
  }
  void pop() {
    ++first_;
    if (first_ == items_.size()) {
      items_.clear();
      first_ = 0;
    } else if (first_ >= kSlack && first_ * 2 >= items_.size()) {
      items_.erase(items_.begin(), items_.begin() + static_cast<std::ptrdiff_t>(first_));
      first_ = 0;
    }
  }
  void trim() { items_.shrink_to_fit(); }
  template <class A>
  void archive(A& a) {
    std::size_t count = a.count(size(), ~std::size_t{0});
    for (std::size_t k = 0; k < count && !a.has_failed(); ++k) {
      if (a.is_reading()) items_.emplace_back();
      a(items_[first_ + k]);
    }
  }

 private:
  static constexpr std::size_t kSlack = 32;

  std::vector<T> items_;
  std::size_t first_ = 0;
};

/// The smallest of the numbers in a queue. Numbers are distinguished by ids that rise. Amortised constant time.
template <class T>
class SlidingMinimum {
 public:
  void push(std::uint64_t id, T value) {
    while (!kept_.empty() && value <= kept_.back().second) kept_.pop_back();
    kept_.push({id, value});
  }
  /// The oldest number, pushed as `id`, leaves the queue.
  void pop(std::uint64_t id) {
    if (!kept_.empty() && kept_.front().first == id) kept_.pop();
  }
  /// The number pushed as `id`, which is still in the queue, is now `value`: not larger than before.
  void lower(std::uint64_t id, T value) {
    std::size_t after = kept_.size();  // the first that was pushed after it
    while (after > 0 && kept_[after - 1].first > id) --after;
    if (after < kept_.size() && kept_[after].second <= value) return;
    std::size_t first = after;
    while (first > 0 && kept_[first - 1].second >= value) --first;
    kept_.replace(first, after, {id, value});
  }
  /// Precondition: there is one.
  [[nodiscard]] T value() const noexcept { return kept_.front().second; }
  void trim() { kept_.trim(); }

 private:
  SlidingQueue<std::pair<std::uint64_t, T>> kept_;
};

}  // namespace iwarpscope::emulation
