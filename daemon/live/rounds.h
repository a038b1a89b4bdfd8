// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Reports findings about hosts and listeners during a live capture.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "analysis/engine.h"
#include "live/effort.h"
#include "live/recent_records.h"

namespace iwarpscope::live {

/// Visits all queue pairs once per period, some at each call so that no call takes long. Then reports the findings
/// about hosts and discards what they were made from. Not thread-safe.
class Rounds {
 public:
  /// `period_ns`: of the capture's time, from one round to the next; 0: no rounds.
  explicit Rounds(std::int64_t period_ns) : period_ns_(period_ns) {}

  /// Begins a round if one is due.
  void begin(const analysis::CaptureClock& clock);
  [[nodiscard]] bool is_under_way() const noexcept { return hand_.has_value(); }
  /// How much one call may do: it takes off what it does.
  struct Allowance {
    std::size_t& queue_pairs;
    Slice& slice;
  };
  /// Visits queue pairs until the allowance is used up, and calls `look` with each record. True: the round is complete,
  /// and its findings were reported. Precondition: is_under_way().
  bool go(const RecentRecords& records, analysis::Engine& core, const verdict::CaptureSpan& span,
          const std::function<void(const qp::QpRecord&)>& look, const Allowance& allowance);

 private:
  const std::int64_t period_ns_;
  TimePoint began_;
  std::optional<std::uint64_t> hand_;  ///< the queue pair where the round continues; empty: no round
};

}  // namespace iwarpscope::live
