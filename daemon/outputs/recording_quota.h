// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Which findings are still recorded when many come.
#pragma once

#include <chrono>
#include <cstddef>
#include <deque>
#include <string>
#include <vector>

#include "findings/catalogue.h"

namespace iwarpscope::outputs {

/// What a recording is for.
struct RecordingCause {
  std::string rule;   ///< code; or the reason of one that was asked for
  std::string hosts;  ///< both addresses, in order; empty: not known
  findings::Severity severity = findings::Severity::error;
};

struct RecordingQuotas {
  std::size_t per_rule = 20, per_pair = 10;  ///< recordings begun for findings within `time`; 0: no limit
  std::chrono::seconds time{3600};
};

/// Remembers for what recordings were begun lately. A storm of findings of one rule, or between two hosts, then leaves
/// room for others, and a more severe finding is not held back by less severe ones. Not thread-safe.
class RecordingQuota {
 public:
  using Clock = std::chrono::steady_clock;

  [[nodiscard]] bool admits(const RecordingCause& cause, const RecordingQuotas& quotas, Clock::time_point now);
  void begun(RecordingCause cause, Clock::time_point at);

 private:
  static constexpr std::size_t kMost = 4096;
  struct Begun {
    RecordingCause cause;
    Clock::time_point at;
  };
  std::deque<Begun> begun_;  ///< oldest first
};

/// Which of them makes room next, as an index of `all`: never empty, the oldest first. It is one of the rule with the
/// most recordings, there of the pair of hosts with the most, and there the oldest after the first. The first one of
/// each rule stays until there is nothing else; then those of less severe rules go before others.
[[nodiscard]] std::size_t next_to_remove(const std::vector<RecordingCause>& all);

}  // namespace iwarpscope::outputs
