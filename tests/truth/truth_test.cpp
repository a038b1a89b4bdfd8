// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The measure itself: what a verdict is worth beside the truth, and that each scene can be played.
#include <gtest/gtest.h>

#include <set>

#include "synth/fault.h"
#include "truth/outcome.h"

namespace iwarpscope::truth {
namespace {

using qp::Confidence;

TEST(TruthGrade, TheRightEndIsRightTheOtherIsWrong) {
  const Truth truth{.culprit = Culprit::responder};
  EXPECT_EQ(grade_of(truth, Said::responder, Confidence::certain), Grade::right);
  EXPECT_EQ(grade_of(truth, Said::initiator, Confidence::likely), Grade::wrong);
  EXPECT_EQ(grade_of(truth, Said::path, Confidence::limited), Grade::wrong);
}

TEST(TruthGrade, NotKnowingIsNeverWrong) {
  for (const Culprit culprit : {Culprit::initiator, Culprit::path, Culprit::none}) {
    EXPECT_EQ(grade_of({.culprit = culprit}, Said::unknown, Confidence::likely), Grade::unknown);
    EXPECT_EQ(grade_of({.culprit = culprit}, Said::capture, Confidence::limited), Grade::unknown);
  }
}

TEST(TruthGrade, NoBlameIsRightOnlyForAHarmlessFault) {
  EXPECT_EQ(grade_of({.culprit = Culprit::initiator}, Said::none, Confidence::certain), Grade::unsaid);
  EXPECT_EQ(grade_of({.culprit = Culprit::initiator, .harmless = true}, Said::none, Confidence::certain), Grade::right);
  EXPECT_EQ(grade_of({.culprit = Culprit::none}, Said::none, Confidence::certain), Grade::right);
  EXPECT_EQ(grade_of({.culprit = Culprit::none}, Said::initiator, Confidence::likely), Grade::wrong);
}

TEST(TruthGrade, OfWhatNoTapCanTellNothingIsCertain) {
  const Truth truth{.culprit = Culprit::initiator, .also = bit(Culprit::path), .undecidable = true};
  EXPECT_EQ(grade_of(truth, Said::path, Confidence::likely), Grade::right);
  EXPECT_EQ(grade_of(truth, Said::initiator, Confidence::certain), Grade::overclaimed);
  EXPECT_EQ(grade_of(truth, Said::responder, Confidence::likely), Grade::wrong);
}

TEST(TruthScenes, EveryFaultOfTheSynthesiserHasOne) {
  std::set<std::string> names;
  for (const Scene& scene : scenes()) EXPECT_TRUE(names.insert(scene.name).second) << scene.name;
  for (const synth::NamedFault& fault : synth::faults())
    EXPECT_TRUE(names.contains(std::string(fault.name))) << fault.name;
}

TEST(TruthScenes, EachIsPlayedInEverySettingAndTheSameSeedGivesTheSame) {
  for (const Scene& scene : scenes()) {
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
      const Case one = make_case(seed, scene.name);
      SCOPED_TRACE(describe(one) + "\n" + one.script);
      ASSERT_NO_THROW(static_cast<void>(frames_of(one)));
      ASSERT_EQ(one.script, make_case(seed, scene.name).script);
      if (scene.needs.sctp) {
        ASSERT_EQ(one.setting.sctp, *scene.needs.sctp);
      }
    }
  }
}

TEST(TruthTally, OneWrongCertainVerdictMissesTheAim) {
  Outcome wrong;
  wrong.grade = Grade::wrong;
  wrong.verdict.confidence = Confidence::certain;
  Tally tally;
  tally.add(make_case(1, "nothing-wrong"), wrong);
  EXPECT_EQ(tally.broken_gates(kAim).size(), 1U);
  EXPECT_EQ(tally.wrong_scenes(), std::vector<std::string>{"nothing-wrong"});
}

TEST(TruthTally, TheBoundsAreNoLowerThanTheAim) {
  EXPECT_GE(Bounds{}.wrong_certain, kAim.wrong_certain);
  EXPECT_GE(Bounds{}.overclaimed, kAim.overclaimed);
  EXPECT_GE(Bounds{}.wrong_likely, kAim.wrong_likely);
}

TEST(TruthTally, OneInAHundredLikelyVerdictsMayNotBeWrong) {
  const Case one = make_case(1, "nothing-wrong");
  Outcome outcome;
  outcome.verdict.confidence = Confidence::likely;
  Tally tally;
  outcome.grade = Grade::right;
  for (int i = 0; i < 99; ++i) tally.add(one, outcome);
  outcome.grade = Grade::wrong;
  tally.add(one, outcome);
  EXPECT_TRUE(tally.broken_gates(kAim).empty());
  tally.add(one, outcome);
  EXPECT_EQ(tally.broken_gates(kAim).size(), 1U);
}

}  // namespace
}  // namespace iwarpscope::truth
