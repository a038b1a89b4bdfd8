// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "mpa/startup_machine.h"

#include <gtest/gtest.h>

#include <string_view>

namespace iwarpscope::mpa {
namespace {

// Each phase (rows) and each event (columns): where it leads, '.' when nothing changes. A await_request, R await_reply,
// X rejected, O full operation, F failed. Columns: request, malformed_request, reply, reject, malformed_reply,
// second_request, fpdu, not_startup.
constexpr std::string_view kExpected[kStartupPhases] = {
    "RFOXF...",  // await_request
    "..OXFFOA",  // await_reply
    "RFO.X...",  // rejected
    "........",  // full_operation
    "..OXF.O.",  // failed
};

TEST(StartupMachine, EveryPhaseAndEveryEventLeadWhereTheTableSays) {
  constexpr std::string_view kLetters = "ARXOF";
  for (std::size_t p = 0; p < kStartupPhases; ++p) {
    for (std::size_t e = 0; e < kStartupEvents; ++e) {
      const auto to = next_phase(static_cast<StartupPhase>(p), static_cast<StartupEvent>(e));
      const char letter = to ? kLetters[static_cast<std::size_t>(*to)] : '.';
      EXPECT_EQ(letter, kExpected[p][e]) << "phase " << p << " event " << e;
    }
  }
}

}  // namespace
}  // namespace iwarpscope::mpa
