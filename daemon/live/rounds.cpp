// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "live/rounds.h"

#include <cstdlib>

#include "analysis/capture_findings.h"

namespace iwarpscope::live {
namespace {

// Queue pairs looked at in one part: some milliseconds of work.
constexpr std::size_t kMostInOnePart = 2000;

}  // namespace

bool Rounds::go(const Book& book, analysis::Merger& merger, analysis::Judge& judge,
                analysis::Surroundings& surroundings, const analysis::CaptureClock& clock,
                const verdict::CaptureSpan& span, const std::function<void(const qp::QpRecord&)>& look) {
  if (period_ns_ == 0 || !clock.first_time()) return false;
  if (began_.ns == 0) began_ = *clock.first_time();
  if (!hand_) {
    if (std::abs(elapsed_ns(began_, clock.now())) < period_ns_) return false;
    hand_ = 0;
  }
  std::size_t looked = 0;
  for (auto it = book.pages().lower_bound(*hand_); it != book.pages().end(); ++it) {
    if (++looked > kMostInOnePart) {
      hand_ = it->first;
      return false;
    }
    if (!merger.has(it->first)) continue;
    const qp::QpRecord record = judge.look(it->first, span);
    surroundings.see(record, span);
    look(record);
  }
  analysis::CaptureFindings findings(merger, {clock.last_frame(), clock.last_time()});
  surroundings.tell(findings, span);
  surroundings.restart();
  hand_.reset();
  began_ = clock.now();
  return true;
}

}  // namespace iwarpscope::live
