// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// What a linearizer does when there is more to judge than it can hold or search.
#include <gtest/gtest.h>

#include <string>

#include "shared/emulation/linearizer_of_word.h"

namespace iwarpscope::emulation::test {
namespace {

TEST_F(LinearizerOfWord, SixtyFourPendingAtOnceAreJudgedExactly) {
  for (const std::uint64_t lie : {0U, 1U}) {
    decided_.clear();
    Linearizer word;
    std::vector<std::uint64_t> ids;
    for (std::uint64_t i = 0; i < 64; ++i) ids.push_back(word.request(i % 32, i, add(1), at(1 + i)));
    for (std::uint64_t i = 0; i < 64; ++i) {
      // QP by QP in the order of requests, but the QPs the other way round.
      const std::uint64_t original = (i / 32) * 32 + 31 - i % 32;
      EXPECT_TRUE(word.response(ids[i], original + (i == 63 ? lie : 0), at(100 + i)));
    }
    word.finish(search_, decided_);
    EXPECT_EQ(decided_.size(), 64U);
    EXPECT_EQ(count(WordVerdict::undecidable), 0U);
    EXPECT_EQ(count(WordVerdict::inconsistent), lie);
  }
}

TEST_F(LinearizerOfWord, MorePendingThanSlotsIsUndecidableAndCounted) {
  std::vector<std::uint64_t> ids;
  for (std::uint64_t i = 0; i < 200; ++i) ids.push_back(word_.request(i, i, add(1), at(1 + i)));
  for (std::uint64_t i = 0; i < 200; ++i) EXPECT_TRUE(word_.response(ids[i], 199 - i, at(300 + i)));
  finish();
  EXPECT_EQ(decided_.size(), 200U);
  EXPECT_EQ(count(WordVerdict::inconsistent), 0U);
  EXPECT_EQ(word_.counters().crowded, 200U - SlotSet::kSlots);
  atomic(1, 600, 601, add(1), 200);
  atomic(1, 602, 603, add(1), 201);
  finish();
  EXPECT_EQ(verdict(), WordVerdict::verified);
}

TEST_F(LinearizerOfWord, SixtyFourTwinsAreJudgedExactly) {
  atomic(1, 1, 2, add(0), 0);
  std::uint64_t frame = 2;
  for (int round = 0; round < 100; ++round) {
    std::vector<std::uint64_t> ids;
    for (std::uint64_t i = 0; i < 64; ++i) ids.push_back(word_.request(i, i, add(1, 1), at(++frame)));
    for (std::uint64_t i = 0; i < 64; ++i) EXPECT_TRUE(word_.response(ids[i], i % 2, at(++frame)));
  }
  atomic(1, frame + 1, frame + 2, add(0), 1);
  finish();
  EXPECT_EQ(count(WordVerdict::undecidable), 0U);
  EXPECT_EQ(count(WordVerdict::inconsistent), 1U);
  EXPECT_EQ(verdict(), WordVerdict::inconsistent);
}

TEST_F(LinearizerOfWord, SearchWithoutEndIsGivenUpAndCounted) {
  // Each toggles the lowest bit; any of one half may follow any of the other. Two of each QP: they are no twins.
  std::uint64_t frame = 0;
  for (int round = 0; round < 100; ++round) {
    std::vector<std::uint64_t> ids;
    for (std::uint64_t i = 0; i < 64; ++i) ids.push_back(word_.request(i % 32, i, add(1, 1), at(++frame)));
    for (std::uint64_t i = 0; i < 64; ++i) EXPECT_TRUE(word_.response(ids[i], i % 2, at(++frame)));
  }
  finish();
  EXPECT_EQ(decided_.size(), 6400U);
  EXPECT_EQ(count(WordVerdict::inconsistent), 0U);
  EXPECT_GT(word_.counters().exhausted, 0U);
}

TEST_F(LinearizerOfWord, OperationThatAllWaitForIsGivenUpInTime) {
  const std::uint64_t lost = word_.request(99, 0, add(1), at(1));
  std::uint64_t value = 0;
  for (std::uint64_t i = 0; i < 3 * Linearizer::kMostHeld; ++i) {
    atomic(1, 2 + 2 * i, 3 + 2 * i, add(1), value++);
    EXPECT_LE(word_.held(), Linearizer::kMostHeld + SlotSet::kSlots + 1);
  }
  EXPECT_EQ(word_.counters().given_up, 1U);
  EXPECT_GT(decided_.size(), 2 * Linearizer::kMostHeld);
  EXPECT_FALSE(word_.response(lost, 0, at(1'000'000)));
  finish();
  EXPECT_EQ(count(WordVerdict::verified), 3 * Linearizer::kMostHeld - 1);
}

TEST_F(LinearizerOfWord, RequestsWithoutResponsesStayBounded) {
  for (std::uint64_t i = 0; i < 3 * Linearizer::kMostHeld; ++i) {
    static_cast<void>(word_.request(i, i, add(1), at(1 + i)));
    word_.advance(search_, decided_);
    EXPECT_LE(word_.held(), Linearizer::kMostHeld + SlotSet::kSlots + 1);
  }
  EXPECT_GT(word_.counters().given_up, Linearizer::kMostHeld);
  finish();
  EXPECT_TRUE(decided_.empty());
}

TEST_F(LinearizerOfWord, WritesWithoutEndStayBoundedAndAccuseNoEnd) {
  atomic(1, 1, 2, add(1), 0);
  std::uint64_t frame = 2;
  for (std::uint64_t i = 0; i < 100'000; ++i) {
    word_.write(i % 500, i, at(++frame));
    word_.advance(search_, decided_);
  }
  EXPECT_LE(word_.held(), Linearizer::kMostHeld + SlotSet::kSlots + 1);
  for (std::uint64_t i = 0; i < 100; ++i) {
    atomic(1, frame + 1, frame + 2, add(1), i * 1000);
    frame += 2;
  }
  finish();
  EXPECT_EQ(count(WordVerdict::inconsistent), 0U);
  EXPECT_EQ(decided_.size(), 101U);
}

TEST_F(LinearizerOfWord, LateOperationIsCountedAndAccusesNoEnd) {
  atomic(1, 10, 11, add(1), 0);
  atomic(1, 12, 13, add(1), 2);  // the late one came between
  atomic(2, 5, 20, add(1), 1);
  atomic(1, 21, 22, add(1), 3);
  finish();
  EXPECT_EQ(word_.counters().late, 1U);
  EXPECT_NE(verdict(), WordVerdict::inconsistent);
}

TEST_F(LinearizerOfWord, ClockSetBackCostsAFewDecisionsOnly) {
  const auto point = [](std::uint64_t frame, std::int64_t s) {
    return TapPoint{FrameNumber{frame}, TimePoint{s * 1'000'000'000 + static_cast<std::int64_t>(frame) * 10'000'000}};
  };
  std::uint64_t frame = 0;
  std::uint64_t value = 0;
  for (int i = 0; i < 300; ++i) {
    const std::int64_t seconds = i < 100 ? 1'000'000 : 1'000;
    const std::uint64_t id = word_.request(static_cast<std::uint64_t>(i % 3), 0, add(1), point(++frame, seconds));
    EXPECT_TRUE(word_.response(id, value++, point(++frame, seconds)));
    word_.advance(search_, decided_);
  }
  finish();
  EXPECT_EQ(count(WordVerdict::inconsistent), 0U);
  EXPECT_GT(count(WordVerdict::verified), 290U);
}

TEST(LinearizerHistories, SameHistoryGivesSameDecisions) {
  std::mt19937 random(11);
  for (int i = 0; i < 200; ++i) {
    const WordHistory history = Play(random, {.writes_percent = 20, .unanswered_percent = 20}).run();
    const std::vector<WordDecision> once = linearize(history);
    const std::vector<WordDecision> again = linearize(history);
    ASSERT_EQ(once.size(), again.size());
    for (std::size_t k = 0; k < once.size(); ++k) {
      EXPECT_EQ(once[k].cookie, again[k].cookie);
      EXPECT_EQ(once[k].verdict, again[k].verdict);
      EXPECT_EQ(once[k].cause, again[k].cause);
    }
  }
}

}  // namespace
}  // namespace iwarpscope::emulation::test
