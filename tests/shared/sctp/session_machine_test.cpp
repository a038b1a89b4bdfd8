// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "sctp/session_machine.h"

#include <gtest/gtest.h>

#include <string_view>

namespace iwarpscope::sctp {
namespace {

// Each phase (rows) and each event (columns): where it leads, '.' when nothing changes. I idle, G opening, W withdrawn,
// O open, A active_closed, P passive_closed, C closed, X rejected, F refused, J joined. Columns: active_initiate,
// active_answer, active_segment, active_terminate, passive_initiate, passive_accept, passive_reject, passive_segment,
// passive_terminate, passive_unseen.
constexpr std::string_view kExpected[kSessionPhases] = {
    "G.........",  // idle
    "..GW.OX.FO",  // opening
    ".....AX.CA",  // withdrawn
    "..OA...OP.",  // open
    ".......AC.",  // active_closed
    "..PC......",  // passive_closed
    "..........",  // closed
    "..........",  // rejected
    "..........",  // refused
    "..JA...JPJ",  // joined
};

TEST(SessionMachine, EveryPhaseAndEveryEventLeadWhereTheTableSays) {
  constexpr std::string_view kLetters = "IGWOAPCXFJ";
  for (std::size_t p = 0; p < kSessionPhases; ++p) {
    for (std::size_t e = 0; e < kSessionEvents; ++e) {
      const auto to = next_phase(static_cast<SessionPhase>(p), static_cast<SessionEvent>(e));
      const char letter = to ? kLetters[static_cast<std::size_t>(*to)] : '.';
      EXPECT_EQ(letter, kExpected[p][e]) << "phase " << p << " event " << e;
    }
  }
}

TEST(SessionMachine, NothingLeavesAPhaseThatIsOver) {
  for (const SessionEdge& edge : kSessionEdges) EXPECT_FALSE(is_over(edge.from));
}

}  // namespace
}  // namespace iwarpscope::sctp
