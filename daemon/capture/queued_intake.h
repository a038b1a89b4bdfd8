// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Common parts of live capture and replay: reader threads, a queue and one consumer.
#pragma once

#include <atomic>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "capture/handover.h"
#include "capture/intake.h"
#include "capture/thread_name.h"

namespace iwarpscope::capture {

/// A descriptor that becomes readable once, for threads that wait in poll().
class Bell {
 public:
  /// descriptor() is -1 when the system has none left.
  Bell();
  Bell(const Bell&) = delete;
  Bell& operator=(const Bell&) = delete;
  ~Bell();
  void ring() noexcept;
  [[nodiscard]] int descriptor() const noexcept { return descriptor_; }

 private:
  int descriptor_;
};

class QueuedIntake : public Intake {
 public:
  Given next(std::chrono::milliseconds wait) final;
  void wake() noexcept final { handover_.wake(); }
  void stop() noexcept final;

 protected:
  QueuedIntake(std::size_t lanes, const Handover::Limits& limits) : handover_(lanes, limits) {}

  /// Starts a reader of this name, which ends soon after stop(). Threads of a class must be joined by its destructor.
  template <class Work>
  void begin(const char* name, Work work) {
    threads_.emplace_back([name, work = std::move(work)] {
      name_thread(name);
      work();
    });
  }
  void stop_and_join() noexcept;
  /// Numbers and counts frames that are about to be given; the taker's thread.
  virtual void give(TimeMerge::Run& run) = 0;

  Handover handover_;
  Bell bell_;

 private:
  std::optional<TimeMerge::Run> run_;
  std::vector<std::thread> threads_;
};

}  // namespace iwarpscope::capture
