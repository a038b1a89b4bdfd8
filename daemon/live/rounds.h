// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Reports findings about hosts and listeners during a live capture.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "analysis/engine.h"
#include "live/recent_records.h"

namespace iwarpscope::live {

/// Visits all queue pairs once per period, a part of them at each call so that no call takes long. Then reports the
/// findings about hosts and discards what they were made from. Not thread-safe.
class Rounds {
 public:
  /// `period_ns`: of the capture's time, from one round to the next; 0: no rounds.
  explicit Rounds(std::int64_t period_ns) : period_ns_(period_ns) {}

  /// Visits one part and calls `look` with each record. True: the round is complete, and its findings were reported.
  bool go(const RecentRecords& records, analysis::Engine& core, const verdict::CaptureSpan& span,
          const std::function<void(const qp::QpRecord&)>& look);

 private:
  const std::int64_t period_ns_;
  TimePoint began_;
  std::optional<std::uint64_t> hand_;  ///< the queue pair where the round continues; empty: no round
};

}  // namespace iwarpscope::live
