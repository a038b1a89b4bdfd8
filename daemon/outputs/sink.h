// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The destination of events: a file, a journal, a database.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "live/event.h"

namespace iwarpscope::outputs {

/// One output. Calls come from one thread of its own, except those marked "Any thread", so it may be slow. It counts
/// what it discards.
class Sink {
 public:
  virtual ~Sink() = default;
  [[nodiscard]] virtual std::string_view name()
      const noexcept = 0;  ///< "event-log", "history"; static storage. Any thread
  [[nodiscard]] virtual live::Wanted wanted() const = 0;
  /// Takes events in order. Returns how many could not be stored.
  virtual std::size_t take(const std::vector<live::Event>& events) = 0;
  /// It takes the place of `before`, which has finished: what that one took comes before all that this one takes.
  virtual void follow(const Sink& /*before*/) {}
  /// So many events were lost before take(), because the queue was full; they were before the next one it takes.
  virtual void missed(std::uint64_t /*events*/) {}
  /// Records that take() took and that were lost afterwards. Only grows. Any thread.
  [[nodiscard]] virtual std::uint64_t lost_later() const noexcept { return 0; }
  /// The part of these that was not begun, because as many as allowed were being written. Only grows. Any thread.
  [[nodiscard]] virtual std::uint64_t not_begun() const noexcept { return 0; }
  /// Left out as configured, by a quota or a threshold; not lost. Only grows. Any thread.
  [[nodiscard]] virtual std::uint64_t withheld() const noexcept { return 0; }
  /// Called about once a second, and after each take(): time to write what waits, rotate and retire.
  virtual void tend() {}
  /// All that was taken is stored when this returns. The last call.
  virtual void finish() {}
  /// What is wrong, as a sentence; empty: nothing. Any thread.
  [[nodiscard]] virtual std::string trouble() const { return {}; }
  /// Reopens its files, after SIGHUP.
  virtual void reopen() {}
  /// The daemon stops. From now on the sink must not wait long, for example for a lock of another process. Any thread.
  virtual void hurry() noexcept {}
};

}  // namespace iwarpscope::outputs
