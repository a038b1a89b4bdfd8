// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// What an intake gave.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "capture/intake.h"
#include "files.h"

namespace iwarpscope::capture::test {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

/// Longer than anything takes; a test that waits for so long fails.
inline constexpr std::chrono::seconds kForever{30};

/// Takes from an intake until it has ended or a condition holds. Returns whether it ended or the condition held in
/// time.
class Taker {
 public:
  explicit Taker(Intake& intake) : intake_(intake) {}
  bool until(const std::function<bool()>& condition) {
    const auto deadline = steady_clock::now() + kForever;
    while (!condition()) {
      if (steady_clock::now() >= deadline) return false;
      if (!once(milliseconds(5))) return condition();
    }
    return true;
  }
  bool until_count(std::size_t count) {
    return until([&] { return frames.size() >= count; });
  }
  /// Returns whether it ended in time.
  bool until_end() {
    return until([&] { return ended; }) && ended;
  }
  /// Takes what there is; false at the end.
  bool once(milliseconds wait) {
    const Intake::Given given = intake_.next(wait);
    ended = given.state == Intake::State::ended;
    for (const net::Frame& frame : given.frames) {
      in_storage = in_storage && frame.octets.data() >= given.storage->data() &&
                   frame.octets.data() + frame.octets.size() <= given.storage->data() + given.storage->size();
      frames.push_back(seen(frame));
    }
    if (hold && given.storage) held.push_back(given.storage);
    return !ended;
  }
  [[nodiscard]] IntakeCounters counters(std::size_t interface = 0) const { return intake_.counters().at(interface); }
  [[nodiscard]] bool warned(const std::string& part, std::size_t interface = 0) const {
    for (const std::string& warning : counters(interface).warnings) {
      if (warning.find(part) != std::string::npos) return true;
    }
    return false;
  }

  std::vector<Seen> frames;
  std::vector<Intake::Storage> held;
  bool hold = false;
  bool ended = false;
  bool in_storage = true;

 private:
  Intake& intake_;
};

}  // namespace iwarpscope::capture::test
