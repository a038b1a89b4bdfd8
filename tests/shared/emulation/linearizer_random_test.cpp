// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The Linearizer against a checker that tries every order, on random histories.
#include <gtest/gtest.h>

#include <random>

#include "shared/emulation/word_history.h"
#include "support/rounds.h"

namespace iwarpscope::emulation::test {
namespace {

struct Tally {
  std::size_t histories = 0;
  std::size_t decisions = 0;
  std::size_t verified = 0;
  std::size_t inconsistent = 0;
  std::size_t late = 0;  ///< histories with operations that came late
};

std::size_t responses(const WordHistory& history) {
  std::size_t answered = 0;
  for (const Step& step : history) answered += step.turn ? 1U : 0U;
  return answered;
}

/// Compares each decision up to the first inconsistent one; what follows it is a history of its own.
void compare(const WordHistory& history, bool exact, Tally& tally) {
  Linearizer linearizer;
  const std::vector<WordDecision> decided = linearize(history, linearizer);
  const bool late = linearizer.counters().late > 0;
  tally.late += late ? 1U : 0U;
  ASSERT_EQ(decided.size(), responses(history));
  EveryOrder orders(history);
  ++tally.histories;
  for (std::size_t turn = 0; turn < decided.size(); ++turn) {
    ASSERT_EQ(decided[turn].cookie, turn);
    ++tally.decisions;
    const bool possible = orders.exists(turn);
    const bool inconsistent = decided[turn].verdict == WordVerdict::inconsistent;
    ASSERT_EQ(decided[turn].conflict != nullptr, inconsistent);
    ASSERT_TRUE(!inconsistent || !possible) << "turn " << turn;
    ASSERT_TRUE(inconsistent || possible || late) << "turn " << turn;
    if (!possible && !inconsistent) return;  // neither end is blamed for what came late
    if (inconsistent) {
      ++tally.inconsistent;
      ASSERT_GT(decided[turn].conflict->due_shown, 0U);
      return;
    }
    const bool verified = decided[turn].verdict == WordVerdict::verified;
    tally.verified += verified ? 1U : 0U;
    const bool known = orders.exists_with_known_value(turn);
    ASSERT_TRUE(known || !verified) << "turn " << turn;
    ASSERT_TRUE(verified || !known || !exact) << "turn " << turn << ", cause " << static_cast<int>(decided[turn].cause);
  }
}

void spoil(WordHistory& history, std::mt19937& random) {
  const std::size_t first = random() % history.size();
  for (std::size_t k = 0; k < history.size(); ++k) {
    Step& step = history[(first + k) % history.size()];
    if (!step.turn) continue;
    step.original = (step.original + 1 + random() % 2) % 4;
    return;
  }
}

Tally compare_many(std::uint32_t seed, const Mixture& mixture, bool exact, std::size_t histories) {
  std::mt19937 random(seed);
  Tally tally;
  for (std::size_t i = 0; i < iwarpscope::test::rounds(histories) && !testing::Test::HasFatalFailure(); ++i) {
    WordHistory history = Play(random, mixture).run();
    const bool sound = i % 2 == 0;
    if (!sound) spoil(history, random);
    const std::size_t before = tally.inconsistent;
    SCOPED_TRACE(testing::Message() << "seed " << seed << " history " << i << '\n' << text(history));
    compare(history, exact, tally);
    EXPECT_TRUE(!sound || tally.inconsistent == before);
  }
  return tally;
}

TEST(LinearizerRandom, AtomicsAloneAreJudgedAsByTryingEveryOrder) {
  const Tally tally = compare_many(1, {}, true, 10'000);
  EXPECT_GT(tally.inconsistent, iwarpscope::test::rounds(1'000U));
  EXPECT_GT(tally.verified, iwarpscope::test::rounds(10'000U));
}

TEST(LinearizerRandom, WithWritesInEitherOctetOrderAsByTryingEveryOrder) {
  const Tally tally = compare_many(2, {.writes_percent = 30}, true, 10'000);
  EXPECT_GT(tally.inconsistent, iwarpscope::test::rounds(500U));
  EXPECT_GT(tally.verified, iwarpscope::test::rounds(5'000U));
}

TEST(LinearizerRandom, WithUnansweredOperationsAsByTryingEveryOrder) {
  const Tally tally = compare_many(3, {.writes_percent = 15, .unanswered_percent = 25}, false, 10'000);
  EXPECT_GT(tally.inconsistent, iwarpscope::test::rounds(300U));
  EXPECT_GT(tally.verified, iwarpscope::test::rounds(3'000U));
}

TEST(LinearizerRandom, WithUnknownWritesAsByTryingEveryOrder) {
  const Tally tally =
      compare_many(4, {.writes_percent = 30, .overwrites_percent = 50, .unanswered_percent = 10}, false, 10'000);
  EXPECT_GT(tally.inconsistent, iwarpscope::test::rounds(100U));
  EXPECT_GT(tally.verified, iwarpscope::test::rounds(2'000U));
}

TEST(LinearizerRandom, WithFramesOfOneTimeAsByTryingEveryOrder) {
  const Tally tally =
      compare_many(5, {.writes_percent = 20, .unanswered_percent = 10, .same_time_percent = 40}, false, 10'000);
  EXPECT_GT(tally.inconsistent, iwarpscope::test::rounds(300U));
  EXPECT_GT(tally.verified, iwarpscope::test::rounds(3'000U));
}

TEST(LinearizerRandom, WithFramesOutOfOrderInTimeAsByTryingEveryOrder) {
  const Tally tally =
      compare_many(6, {.writes_percent = 20, .unanswered_percent = 10, .clocks_differ = true}, false, 10'000);
  EXPECT_GT(tally.inconsistent, iwarpscope::test::rounds(300U));
  EXPECT_GT(tally.verified, iwarpscope::test::rounds(3'000U));
  EXPECT_LT(tally.late, tally.histories / 10);
}

}  // namespace
}  // namespace iwarpscope::emulation::test
