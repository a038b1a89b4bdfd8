// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "qp/direction/faults.h"

#include <gtest/gtest.h>

namespace iwarpscope::qp {
namespace {

using findings::FindingId;

findings::Finding broken(FindingId id, std::optional<Direction> d, std::uint64_t message, std::uint64_t frame) {
  findings::Finding f;
  f.id = id;
  f.direction = d;
  f.message = message;
  f.frames = {FrameNumber{frame}};
  return f;
}
Request sent_request(std::uint64_t message, std::uint64_t frame) {
  Request r;
  r.message = message;
  r.frame = FrameNumber{frame};
  return r;
}

// Every receiver has to refuse it.
constexpr FindingId kRefused = FindingId::rdmap_opcode_unassigned;

TEST(Faults, TheFirstErrorThatMustBeRefusedIsKeptByDirection) {
  Faults faults;
  faults.note(broken(kRefused, Direction::a_to_b, 4, 20));
  faults.note(broken(kRefused, Direction::a_to_b, 6, 30));
  ASSERT_NE(faults.first(Direction::a_to_b), nullptr);
  EXPECT_EQ(faults.first(Direction::a_to_b)->message, 4u);
  EXPECT_EQ(faults.first(Direction::a_to_b)->frame.value, 20u);
  EXPECT_TRUE(faults.has_errors(Direction::a_to_b));
  EXPECT_EQ(faults.first(Direction::b_to_a), nullptr);
  EXPECT_FALSE(faults.has_errors(Direction::b_to_a));
}

TEST(Faults, ANoteIsNoErrorAndOneWithoutADirectionBlamesNoEnd) {
  Faults faults;
  faults.note(broken(FindingId::rdmap_atomic_identifier_repeated, Direction::a_to_b, 4, 20));
  faults.note(broken(kRefused, std::nullopt, 4, 20));
  for (const Direction d : {Direction::a_to_b, Direction::b_to_a}) {
    EXPECT_FALSE(faults.has_errors(d));
    EXPECT_EQ(faults.first(d), nullptr);
  }
}

TEST(Faults, OnlyARequestAfterTheFaultShowsThatItWasIgnored) {
  Faults faults;
  faults.note_answer(Direction::a_to_b, sent_request(5, 25), FrameNumber{26});  // no fault yet
  faults.note(broken(kRefused, Direction::a_to_b, 4, 20));
  faults.note_answer(Direction::a_to_b, sent_request(3, 25), FrameNumber{26});  // sent before it
  faults.note_answer(Direction::a_to_b, sent_request(5, 20), FrameNumber{26});  // in the same frame
  faults.note_answer(Direction::b_to_a, sent_request(5, 25), FrameNumber{26});  // of the other direction
  EXPECT_EQ(faults.first(Direction::a_to_b)->answer.value, 0u);
  faults.note_answer(Direction::a_to_b, sent_request(5, 25), FrameNumber{26});
  faults.note_answer(Direction::a_to_b, sent_request(6, 27), FrameNumber{28});
  EXPECT_EQ(faults.first(Direction::a_to_b)->request.value, 25u);
  EXPECT_EQ(faults.first(Direction::a_to_b)->answer.value, 26u);
}

}  // namespace
}  // namespace iwarpscope::qp
