// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "qp/recent_breaches.h"

#include <gtest/gtest.h>

namespace iwarpscope::qp {
namespace {

using findings::FindingId;

TerminateSummary::Named named(std::uint64_t message, std::uint64_t frame) {
  TerminateSummary::Named n;
  n.message = message;
  n.frame = FrameNumber{frame};
  return n;
}

BreachPlace in_message(std::uint64_t message) {
  return {FrameNumber{message + 100}, FrameNumber{message + 100}, message};
}

TEST(RecentBreaches, OnesOfAMessageAreThoseOfItsDirectionAndIndex) {
  RecentBreaches all;
  all.add(Direction::a_to_b, {FindingId::ddp_mo_wrong, in_message(1)});
  all.add(Direction::a_to_b, {FindingId::ddp_mo_wrong, in_message(2)});
  all.add(Direction::a_to_b, {FindingId::rdmap_opcode_unassigned, in_message(2)});
  all.add(Direction::b_to_a, {FindingId::rdmap_version_wrong, in_message(2)});
  const auto found = all.of_message(Direction::a_to_b, named(2, 102));
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].id, FindingId::ddp_mo_wrong);
  EXPECT_EQ(found[1].id, FindingId::rdmap_opcode_unassigned);
  EXPECT_TRUE(all.of_message(Direction::a_to_b, named(3, 102)).empty());
}

TEST(RecentBreaches, OneOfNoMessageIsKnownByItsFrame) {
  RecentBreaches all;
  all.add(Direction::a_to_b, {FindingId::ddp_header_short, {FrameNumber{7}, FrameNumber{7}, std::nullopt}});
  EXPECT_EQ(all.of_message(Direction::a_to_b, named(1, 7)).size(), 1U);
  EXPECT_TRUE(all.of_message(Direction::a_to_b, named(1, 8)).empty());
}

TEST(RecentBreaches, OldestMakesRoomWhenItIsFull) {
  RecentBreaches all;
  for (std::uint64_t m = 0; m <= RecentBreaches::kMost; ++m) {
    all.add(Direction::a_to_b, {FindingId::ddp_mo_wrong, in_message(m)});
  }
  EXPECT_TRUE(all.of_message(Direction::a_to_b, named(0, 100)).empty());
  EXPECT_EQ(all.of_message(Direction::a_to_b, named(1, 101)).size(), 1U);
  EXPECT_EQ(all.of_message(Direction::a_to_b, named(RecentBreaches::kMost, 0)).size(), 1U);
}

TEST(RecentBreaches, TrimKeepsTheNewest) {
  RecentBreaches all;
  constexpr std::uint64_t kLast = RecentBreaches::kMost + 10;
  for (std::uint64_t m = 0; m <= kLast; ++m) all.add(Direction::a_to_b, {FindingId::ddp_mo_wrong, in_message(m)});
  all.trim();
  EXPECT_TRUE(all.of_message(Direction::a_to_b, named(kLast - RecentBreaches::kIdle, 0)).empty());
  EXPECT_EQ(all.of_message(Direction::a_to_b, named(kLast + 1 - RecentBreaches::kIdle, 0)).size(), 1U);
  all.add(Direction::a_to_b, {FindingId::ddp_mo_wrong, in_message(kLast + 1)});
  EXPECT_EQ(all.of_message(Direction::a_to_b, named(kLast + 1, 0)).size(), 1U);
  EXPECT_EQ(all.of_message(Direction::a_to_b, named(kLast, 0)).size(), 1U);
}

TEST(RecentBreaches, OneMessageWithVeryManyIsBounded) {
  RecentBreaches all;
  for (int k = 0; k < 100; ++k) all.add(Direction::a_to_b, {FindingId::ddp_mo_wrong, in_message(5)});
  EXPECT_EQ(all.of_message(Direction::a_to_b, named(5, 0)).size(), TerminateSummary::Named::kMostBreaches);
}

}  // namespace
}  // namespace iwarpscope::qp
