// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Delivers the records of one daemon to the centre, until stop().
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>

namespace iwarpscope::forward {

struct Options {
  std::string socket = "/run/iwarpscope/iwarpscoped.sock";  ///< of the daemon
  std::string database;                                     ///< conninfo or URI of libpq; empty: the PG... variables
  std::size_t batch = 500;                                  ///< records in a transaction
  std::size_t in_flight = 4;                                ///< transactions that are sent and not yet answered
  std::chrono::milliseconds wait{200};                      ///< for a batch to become full
  std::chrono::milliseconds patience{60'000};               ///< with an answer of the centre
  std::chrono::milliseconds first_pause{1000}, longest_pause{60'000};  ///< before another attempt
};

/// Gets what an operator should know: a sentence for the log, and whether it is trouble. Called from run() alone.
using Tell = std::function<void(const std::string& sentence, bool is_trouble)>;

class Forwarder {
 public:
  Forwarder(Options options, Tell tell);
  ~Forwarder();
  Forwarder(const Forwarder&) = delete;
  Forwarder& operator=(const Forwarder&) = delete;

  /// Returns after stop(). What was sent by then is waited for, some seconds.
  void run();
  /// Any thread.
  void stop();

 private:
  class Session;
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace iwarpscope::forward
