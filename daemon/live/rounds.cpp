// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "live/rounds.h"

#include <cstdlib>

namespace iwarpscope::live {
namespace {

// Queue pairs looked at in one part: some milliseconds of work.
constexpr std::size_t kMostInOnePart = 2000;

}  // namespace

bool Rounds::go(const RecentRecords& records, analysis::Engine& core, const verdict::CaptureSpan& span,
                const std::function<void(const qp::QpRecord&)>& look) {
  const analysis::CaptureClock& clock = core.clock();
  if (period_ns_ == 0 || !clock.first_time()) return false;
  if (began_.ns == 0) began_ = *clock.first_time();
  if (!hand_) {
    if (std::abs(elapsed_ns(began_, clock.now())) < period_ns_) return false;
    hand_ = 0;
  }
  std::size_t looked = 0;
  for (auto it = records.qps().lower_bound(*hand_); it != records.qps().end(); ++it) {
    if (++looked > kMostInOnePart) {
      hand_ = it->first;
      return false;
    }
    if (core.has(it->first)) look(core.look_in_round(it->first, span));
  }
  core.end_round(span);
  hand_.reset();
  began_ = clock.now();
  return true;
}

}  // namespace iwarpscope::live
