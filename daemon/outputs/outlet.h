// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// One output, on a thread of its own, fed with events.
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <thread>

#include "live/directory.h"
#include "outputs/sink.h"

namespace iwarpscope::outputs {

struct OutletOptions {
  std::chrono::milliseconds tend_every{1000};
  std::size_t queue = 0;                        ///< events that wait at most; 0: as many as the sink wants
  std::chrono::milliseconds stop_within{5000};  ///< what is not stored by then is lost, and counted
};

/// Runs a Sink. The only queue is that of the subscription. If the sink is slow, the queue fills: events that do not
/// fit are counted as lost, and no thread waits. If a sink throws, only the batch that it was given is lost.
class Outlet {
 public:
  /// Starts at once. `directory` must live until stop() has returned.
  Outlet(std::unique_ptr<Sink> sink, live::Directory& directory, const OutletOptions& options = {});
  ~Outlet();  ///< stop()
  Outlet(const Outlet&) = delete;
  Outlet& operator=(const Outlet&) = delete;

  /// Passed on to the sink within a second. Any thread.
  void reopen();
  /// Stores what waits now and finishes; returns after `stop_within` at the latest. A sink that hangs beyond that (a
  /// dead network file system) keeps its thread until the process ends. Calling it again does nothing. One thread.
  void stop();
  /// Any thread.
  [[nodiscard]] live::OutputView view() const;

 private:
  struct State;
  static void run(const std::shared_ptr<State>& state);

  std::shared_ptr<State> state_;  ///< the thread holds it, too
  std::thread thread_;
};

}  // namespace iwarpscope::outputs
