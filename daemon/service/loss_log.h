// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Frames that are lost, for the log: a sentence now and then, however many they are.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "capture/intake.h"
#include "service/configuration.h"

namespace iwarpscope::service {

/// At most one sentence in kEvery for each interface, except at the end. Not thread-safe.
class LossLog {
 public:
  using Clock = std::chrono::steady_clock;
  static constexpr std::chrono::seconds kEvery{30};
  struct Sentence {
    LogLevel level{};
    std::string text;
  };

  /// What was lost since the last sentence and where, or, once, that nothing was for so long.
  [[nodiscard]] std::vector<Sentence> look(const std::vector<capture::IntakeCounters>& counters, Clock::time_point now);
  /// Reports the losses not reported yet, at the end of the capture.
  [[nodiscard]] std::vector<Sentence> end(const std::vector<capture::IntakeCounters>& counters) const;

 private:
  struct Lost {
    std::uint64_t nic = 0, kernel = 0, queue = 0;
    [[nodiscard]] std::uint64_t all() const noexcept { return nic + kernel + queue; }
  };
  struct Interface {
    Lost reported;                            ///< since the start
    std::uint64_t this_time = 0;              ///< reported since it began to lose frames; 0: no losses
    std::optional<Clock::time_point> spoken;  ///< when the last sentence was
  };
  [[nodiscard]] Lost since(const capture::IntakeCounters& counters) const;
  [[nodiscard]] static std::string text(const std::string& name, const Lost& lost);

  std::map<std::string, Interface> interfaces_;
};

}  // namespace iwarpscope::service
