// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Every state of a slot x every event: what ends, what begins, what is said.
#include <gtest/gtest.h>

#include <array>
#include <string>

#include "support.h"

namespace iwarpscope::ddp::test {
namespace {

enum class State { idle, open, jumped, in_doubt, suspended, after_terminate };
enum class Event { next, last, new_message, other_model, terminate, gap, damaged, unreadable, fin, reset };

constexpr std::array kStates{State::idle,     State::open,      State::jumped,
                             State::in_doubt, State::suspended, State::after_terminate};

struct Row {
  Event event;
  const char* name;
  std::array<const char*, kStates.size()> untagged;  ///< codes raised in each state
  std::array<const char*, kStates.size()> tagged;
};

// In the order of kStates. What is raised by reaching the state is not counted.
constexpr std::array kRows{
    // In the state `jumped` more may come before what is left out does: DD-11 and DD-17 wait. An untagged message may
    // even have its Last flag before that.
    Row{Event::next, "next", {"", "", "", "", "", ""}, {"", "", "", "", "", ""}},
    Row{Event::last, "last", {"", "", "", "", "", ""}, {"", "", "DD-17", "", "", ""}},
    Row{Event::new_message,
        "new message",
        {"", "DD-19", "DD-19 DD-11", "", "", ""},
        {"", "DD-19", "DD-19 DD-17", "", "", ""}},
    Row{Event::other_model, "other model", {"", "DD-20", "DD-20", "", "", ""}, {"", "DD-20", "DD-20", "", "", ""}},
    Row{Event::terminate,
        "terminate",
        {"", "DD-21", "DD-21", "", "", "DD-07"},
        {"", "DD-21", "DD-21", "", "", "DD-07"}},
    Row{Event::gap, "gap", {"", "", "", "", "", ""}, {"", "", "", "", "", ""}},
    Row{Event::damaged, "damaged", {"", "", "", "", "", ""}, {"", "", "", "", "", ""}},
    Row{Event::unreadable,
        "unreadable",
        {"DD-01", "DD-01", "DD-01", "DD-01", "DD-01", "DD-01"},
        {"DD-01", "DD-01", "DD-01", "DD-01", "DD-01", "DD-01"}},
    Row{Event::fin, "fin", {"", "DD-21", "DD-21 DD-11", "", "", ""}, {"", "DD-21", "DD-21 DD-17", "", "", ""}},
    Row{Event::reset,
        "reset",
        {"", "", "", "", "", ""},
        {"", "", "", "", "", ""}},  // the rest may have been on its way
};

/// Offset within the message where the next octet is expected in the state.
std::uint32_t reach(State state) {
  switch (state) {
    case State::idle:
    case State::after_terminate: return 0;
    case State::open: return 100;
    case State::jumped: return 400;
    case State::in_doubt: return 200;
    case State::suspended: return 300;
  }
  return 0;
}

struct Bench : Line {
  bool is_tagged;
  explicit Bench(bool t) : is_tagged(t) {}

  Line& part(std::uint32_t at, bool last, const How& how = {}) {
    return is_tagged ? send(T{.to = 0x1000 + std::uint64_t{at}, .last = last}, how)
                     : send(U{.mo = at, .last = last}, how);
  }
  void reach_state(State state) {
    switch (state) {
      case State::idle: break;
      case State::open: part(0, false); break;
      case State::jumped: part(0, false), part(300, false); break;
      case State::in_doubt: part(0, false), part(100, false, {.intact = false}); break;
      case State::suspended: part(0, false), in.gap(); break;
      case State::after_terminate: send(U{.qn = 2, .octets = 4, .opcode = 7}); break;
    }
  }
  void happen(Event event, State state) {
    switch (event) {
      case Event::next: part(reach(state), false); break;
      case Event::last: part(reach(state), true); break;
      case Event::new_message:
        if (is_tagged) {
          send(T{.stag = 0x77, .to = 0x900000});
        } else {
          send(U{.msn = reach(state) == 0 ? 1u : 2u});
        }
        break;
      case Event::other_model:
        if (is_tagged) {
          send(U{});
        } else {
          send(T{});
        }
        break;
      case Event::terminate: send(U{.qn = 2, .octets = 4, .opcode = 7}); break;
      case Event::gap: in.gap(); break;
      case Event::damaged: part(reach(state), false, {.intact = false}); break;
      case Event::unreadable: octets(synth::hex("41 43 00")); break;
      case Event::fin: finish(true); break;
      case Event::reset: finish(false); break;
    }
  }
  /// Each message begins once, ends at most once, in order; all have ended once the direction is finished.
  void expect_order() const {
    std::vector<int> life(in.messages(), 0);
    for (const Segment& s : out.segments) {
      ASSERT_LT(s.message, life.size());
      life[s.message] += s.first_of_message ? 1 : 0;
    }
    for (const int begun : life) EXPECT_EQ(begun, 1);
    std::vector<int> ended(in.messages(), 0);
    for (const MessageEnd& e : out.ends) ++ended.at(e.message);
    for (const int n : ended) EXPECT_EQ(n, 1);
  }
};

class DdpReassemblerStates : public testing::TestWithParam<bool> {};

TEST_P(DdpReassemblerStates, EveryStateTimesEveryEventSaysWhatItShould) {
  for (std::size_t i = 0; i < kStates.size(); ++i) {
    for (const Row& row : kRows) {
      Bench bench{GetParam()};
      bench.reach_state(kStates[i]);
      bench.out.findings.clear();
      bench.happen(row.event, kStates[i]);
      const std::string expected = (GetParam() ? row.tagged : row.untagged)[i];
      EXPECT_EQ(bench.codes(), expected) << "state " << i << ", event " << row.name;
      bench.finish(false);
      bench.expect_order();
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Models, DdpReassemblerStates, testing::Values(false, true),
                         [](const auto& p) { return p.param ? "tagged" : "untagged"; });

}  // namespace
}  // namespace iwarpscope::ddp::test
