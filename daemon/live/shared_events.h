// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Recent events, each kept once for all that are to read it.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

#include "live/event.h"

namespace iwarpscope::live {

/// An estimate of the memory that an event takes, with all that it refers to. It is never less than its own size.
[[nodiscard]] std::size_t octets_of(const Event& event) noexcept;

/// Keeps events until each reader that wants them has taken them, within a budget: above it, the oldest are discarded,
/// and lost for each reader that wanted them. Memory depends on the budget alone, not on the number of readers. Not
/// thread-safe, except where noted.
class SharedEvents {
 public:
  /// Its members but `wanted` are for SharedEvents.
  struct Reader {
    const Wanted wanted;
    std::uint64_t next = 0;               ///< number of the first event that it has not looked at
    bool is_leaving = false;              ///< later events are not for it
    std::atomic<std::size_t> waiting{0};  ///< events that it wants; any thread may read it
    std::atomic<std::uint64_t> lost{0};   ///< likewise
  };

  explicit SharedEvents(std::size_t most_octets) : most_octets_(most_octets) {}

  /// `reader` receives later events, until drop() returned true.
  void add(Reader& reader);
  /// Forgets the reader. False: it has looked at many events, and has to be called again.
  [[nodiscard]] bool drop(Reader& reader);
  /// Passes an event to those that want it. A reader with more than `wanted.queue` waiting loses its oldest.
  void tell(const Event& event);
  /// Adds up to `most` events, oldest first. False: it has looked at many events, and more may wait.
  [[nodiscard]] bool take(Reader& reader, std::size_t most, std::vector<Event>& to);
  /// That all events take. Any thread.
  [[nodiscard]] std::size_t octets() const noexcept { return octets_.load(std::memory_order_relaxed); }

 private:
  struct Item {
    Event event;
    std::size_t octets = 0;  ///< 0: no reader wants it any more, and it is empty
    std::uint32_t left = 0;  ///< readers that want it and have not taken it
  };
  [[nodiscard]] std::uint64_t end() const noexcept { return first_ + items_.size(); }
  [[nodiscard]] Item& item(std::uint64_t number) { return items_[number - first_]; }
  /// Gives the next event that the reader wants to `use` if it is one of the next `looks`. True: there was one.
  template <class Use>
  bool next(Reader& reader, std::size_t& looks, Use&& use);
  void release(Item& item);
  void lose_oldest(Reader& reader);
  void keep_to_budget();
  void grow(std::size_t octets) noexcept { octets_.fetch_add(octets, std::memory_order_relaxed); }
  void shrink(std::size_t octets) noexcept { octets_.fetch_sub(octets, std::memory_order_relaxed); }

  std::size_t most_octets_;
  std::vector<Reader*> readers_;
  std::deque<Item> items_;   ///< the first has a reader
  std::uint64_t first_ = 0;  ///< number of the first
  std::atomic<std::size_t> octets_{0};
};

}  // namespace iwarpscope::live
