// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "qp/state.h"

#include <gtest/gtest.h>

#include <set>
#include <string_view>

namespace iwarpscope::qp {
namespace {

TEST(State, EveryPairIsAnEdgeOrLeavesTheStateAsItIs) {
  for (std::size_t s = 0; s < kStates; ++s) {
    for (std::size_t e = 0; e < kEvents; ++e) {
      const auto state = static_cast<State>(s);
      const auto event = static_cast<Event>(e);
      State expected = state;
      for (const Edge& edge : edges()) {
        if (edge.from == state && edge.event == event) expected = edge.to;
      }
      EXPECT_EQ(next(state, event), expected) << name(state) << " event " << e;
    }
  }
}

TEST(State, ClosedAndErrorAreNeverLeft) {
  for (std::size_t e = 0; e < kEvents; ++e) {
    EXPECT_EQ(next(State::closed, static_cast<Event>(e)), State::closed);
    EXPECT_EQ(next(State::error, static_cast<Event>(e)), State::error);
  }
}

TEST(State, AnOrdinaryLifeGoesFromRequestToClosed) {
  State s = State::unconfirmed;
  for (Event e : {Event::request, Event::reply, Event::fpdu, Event::fpdu, Event::fin_one, Event::fin_both})
    s = next(s, e);
  EXPECT_EQ(s, State::closed);
}

TEST(State, AResetWhileMessagesFlowIsAnError) {
  EXPECT_EQ(next(State::rts, Event::reset), State::error);
}

TEST(State, AResetAfterATerminateCloses) {
  EXPECT_EQ(next(State::terminate, Event::reset), State::closed);
}

TEST(State, ARejectedConnectionMayStartAgain) {
  EXPECT_EQ(next(next(State::mpa_requested, Event::reject), Event::request), State::mpa_requested);
}

TEST(State, EveryStateHasItsReportName) {
  std::set<std::string_view> names;
  for (std::size_t s = 0; s < kStates; ++s) names.insert(name(static_cast<State>(s)));
  EXPECT_EQ(names, (std::set<std::string_view>{"mpa_requested", "mpa_rejected", "awaiting_first_fpdu", "rts",
                                               "terminate", "closing", "closed", "error", "unconfirmed"}));
}

}  // namespace
}  // namespace iwarpscope::qp
