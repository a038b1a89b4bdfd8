// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "qp/ending_order.h"

#include <cstdlib>

namespace iwarpscope::qp {

EndSeen end_seen(const DirectionSummary& side) noexcept {
  const bool fin_first = side.fin.happened() && (!side.rst.happened() || side.fin.frame < side.rst.frame);
  return {fin_first ? side.fin : side.rst, !fin_first && side.rst.happened()};
}

std::optional<Direction> first_to_end(const std::array<EndSeen, 2>& ends) noexcept {
  const auto& [a, b] = ends;
  if (!a.at.happened() && !b.at.happened()) return std::nullopt;
  if (!b.at.happened()) return Direction::a_to_b;
  if (!a.at.happened()) return Direction::b_to_a;
  if (a.answers != b.answers) return a.answers ? Direction::b_to_a : Direction::a_to_b;
  if (std::llabs(elapsed_ns(a.at.time, b.at.time)) >= kMostSkewNs) {
    return a.at.frame < b.at.frame ? Direction::a_to_b : Direction::b_to_a;
  }
  if (a.reset == b.reset) return std::nullopt;
  // An end that has a reset sends no FIN. The reset answers what it closed on, unless it says what it had until then.
  const EndSeen& reset = a.reset ? a : b;
  return a.reset == reset.alone ? Direction::a_to_b : Direction::b_to_a;
}

std::optional<Direction> first_to_terminate(const Summary& summary,
                                            const std::array<Terminated, 2>& terminates) noexcept {
  std::array<EndSeen, 2> ends{end_seen(summary.directions[0]), end_seen(summary.directions[1])};
  const bool is_reset = ends[0].reset || ends[1].reset;
  const bool both_ended = ends[0].at.happened() && ends[1].at.happened();
  if (both_ended && !is_reset && terminates[0].sent == terminates[1].sent) {
    const bool in_one_frame = ends[0].at.frame == ends[1].at.frame;
    if (summary.shut_down_by && (in_one_frame || !terminates[0].sent)) return summary.shut_down_by;
  } else if (both_ended && !is_reset) {
    // What closed the other side came later: no DATA may follow a SHUTDOWN.
    return terminates[0].sent ? Direction::a_to_b : Direction::b_to_a;
  }
  for (std::size_t k = 0; k < ends.size(); ++k) ends[k].answers = terminates[k].had_terminate;
  return first_to_end(ends);
}

}  // namespace iwarpscope::qp
