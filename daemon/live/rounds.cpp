// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "live/rounds.h"

#include <cstdlib>

namespace iwarpscope::live {

void Rounds::begin(const analysis::CaptureClock& clock) {
  if (period_ns_ == 0 || hand_ || !clock.first_time()) return;
  if (began_.ns == 0) began_ = *clock.first_time();
  if (std::abs(elapsed_ns(began_, clock.now())) >= period_ns_) hand_ = 0;
}

bool Rounds::go(const RecentRecords& records, analysis::Engine& core, const verdict::CaptureSpan& span,
                const std::function<void(const qp::QpRecord&)>& look, const Allowance& allowance) {
  const auto& [most, slice] = allowance;
  for (auto it = records.qps().lower_bound(*hand_); it != records.qps().end(); ++it) {
    hand_ = it->first;
    if (most == 0 || slice.is_used_up()) return false;
    slice.spend(1);
    if (!core.has(it->first)) continue;
    look(core.look_in_round(it->first, span));
    slice.spend(Slice::kView);
    --most;
  }
  core.end_round(span);
  hand_.reset();
  began_ = core.clock().now();
  return true;
}

}  // namespace iwarpscope::live
