// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/explain.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/exit_status.h"
#include "daemon/cli/console.h"
#include "findings/catalogue.h"
#include "verdict/catalogue.h"

namespace iwarpscope::cli::testing {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST(Explain, NameAndCodeInAnyCaseGiveTheSamePage) {
  const Result by_name = run_with({"explain", "mpa.crc-mismatch"});
  EXPECT_EQ(by_name.status, kExitDone);
  EXPECT_THAT(by_name.out, ::testing::StartsWith("mpa.crc-mismatch (MF-04)\n"));
  EXPECT_THAT(by_name.out, HasSubstr("Severity   error\n"));
  EXPECT_THAT(by_name.out, HasSubstr("Reference  RFC 5044 §4.4\n"));
  EXPECT_THAT(by_name.out, HasSubstr("\nNext       "));
  for (const char* word : {"MF-04", "mf-04", "MPA.CRC-Mismatch"})
    EXPECT_EQ(run_with({"explain", word}).out, by_name.out);
}

TEST(Explain, EveryRuleHasAPage) {
  for (const findings::Rule& rule : findings::rules()) {
    const Result result = run_with({"explain", std::string{rule.code}});
    EXPECT_EQ(result.status, kExitDone);
    EXPECT_THAT(result.out, ::testing::StartsWith(std::string{rule.name} + " (" + std::string{rule.code} + ")\n"));
  }
}

TEST(Explain, AVerdictHasItsSentenceBlameAndNextStep) {
  const Result by_code = run_with({"explain", "V-36"});
  EXPECT_EQ(by_code.status, kExitDone);
  EXPECT_THAT(by_code.out, ::testing::StartsWith("end.closed-early (V-36)\nOutcome    failed\n"));
  EXPECT_THAT(by_code.out, HasSubstr("\nBlames     {who}\n"));
  EXPECT_THAT(by_code.out, HasSubstr("\nConfidence at most likely\n"));
  EXPECT_THAT(by_code.out, HasSubstr("\nSentence   The {connection} was closed, {closed_first}"));
  EXPECT_THAT(by_code.out, HasSubstr("\nNext       "));
  for (const char* word : {"v-36", "end.closed-early"}) EXPECT_EQ(run_with({"explain", word}).out, by_code.out);
}

TEST(Explain, ARemarkSaysHowSureTheVerdictIsWithIt) {
  const Result result = run_with({"explain", "vr-44"});
  EXPECT_EQ(result.status, kExitDone);
  EXPECT_THAT(result.out, ::testing::StartsWith("limit.gap (VR-44)\n"));
  EXPECT_THAT(result.out, HasSubstr("\nConfidence the verdict is at most limited\n"));
}

TEST(Explain, EveryVerdictAndRemarkHasAPage) {
  const auto has_page = [](const auto& row) {
    const Result result = run_with({"explain", std::string{row.code}});
    EXPECT_EQ(result.status, kExitDone) << row.code;
    EXPECT_THAT(result.out, ::testing::StartsWith(std::string{row.name} + " (" + std::string{row.code} + ")\n"));
  };
  for (const verdict::VerdictRow& row : verdict::verdicts()) has_page(row);
  for (const verdict::RemarkRow& row : verdict::remarks()) has_page(row);
}

TEST(Explain, ACodeThatNoVerdictHasIsUnknown) {
  const Result result = run_with({"explain", "V-299"});
  EXPECT_EQ(result.status, kExitTrouble);
  EXPECT_THAT(result.err, HasSubstr("unknown rule or verdict 'V-299'; similar: "));
}

TEST(Explain, UnknownRuleSuggestsNearOnes) {
  const Result result = run_with({"explain", "mpa.crc-missmatch"});
  EXPECT_EQ(result.status, kExitTrouble);
  EXPECT_EQ(result.out, "");
  EXPECT_THAT(result.err, HasSubstr("unknown rule or verdict 'mpa.crc-missmatch'; similar: mpa.crc-mismatch (MF-04)"));
  EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1);
}

TEST(Explain, NothingNearIsSaid) {
  const Result result = run_with({"explain", "qqqqqqqqqq"});
  EXPECT_EQ(result.status, kExitTrouble);
  EXPECT_THAT(result.err, HasSubstr("iwarpscope rules lists all rules"));
}

TEST(NearRules, PartOfANameComesFirstAndAtMostFive) {
  EXPECT_EQ(near_rules("CRC-mis").front(), "mpa.crc-mismatch (MF-04)");
  EXPECT_EQ(near_rules("mpa").size(), 5u);
  EXPECT_THAT(near_rules("MF-4"), Contains("mpa.crc-mismatch (MF-04)"));
}

TEST(NearRules, EmptyAndVeryLongTextIsNearNothing) {
  EXPECT_THAT(near_rules(""), IsEmpty());
  EXPECT_THAT(near_rules(std::string(1 << 20, 'm')), IsEmpty());
}

}  // namespace
}  // namespace iwarpscope::cli::testing
