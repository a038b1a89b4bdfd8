// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Passes events to all subscribers.
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <vector>

#include "live/event.h"

namespace iwarpscope::live {

/// The queues of all subscribers. Any thread; tell() takes no longer than the subscribers' queues take to be locked.
class Hub {
 public:
  /// `shared_octets`: for the events of all subscribers whose `Wanted` is shared, together.
  explicit Hub(std::size_t shared_octets);
  ~Hub();
  Hub(const Hub&) = delete;
  Hub& operator=(const Hub&) = delete;

  /// A queue that lives as long as it is held, and outlives the hub.
  [[nodiscard]] std::unique_ptr<Subscription> subscribe(const Wanted& wanted);
  [[nodiscard]] bool has_subscribers() const noexcept;
  /// A subscriber wants events about new and changed queue pairs, about messages, or about failed operations. Avoids
  /// making unwanted events.
  [[nodiscard]] bool wants_changes() const noexcept;
  [[nodiscard]] bool wants_messages() const noexcept;
  [[nodiscard]] bool wants_failed_operations() const noexcept;
  /// The queue of a patient subscriber is full, and it has taken events recently.
  [[nodiscard]] bool is_waited_for() const;
  /// Passes an event to subscribers with a matching `Wanted`.
  void tell(const Event& event);
  /// Closes all queues: no more events.
  void close();
  /// Closes the queues that there are now. Others can begin.
  void begin_again();
  /// What all shared events take.
  [[nodiscard]] std::size_t shared_octets() const noexcept;

 private:
  struct State;
  class Interest;
  class Queue;
  class Share;
  std::shared_ptr<State> state_;
};

}  // namespace iwarpscope::live
