#include "cli/explain.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/exit_status.h"
#include "daemon/cli/console.h"
#include "findings/catalogue.h"

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

TEST(Explain, UnknownRuleSuggestsNearOnes) {
  const Result result = run_with({"explain", "mpa.crc-missmatch"});
  EXPECT_EQ(result.status, kExitTrouble);
  EXPECT_EQ(result.out, "");
  EXPECT_THAT(result.err, HasSubstr("there is no rule 'mpa.crc-missmatch'; near it: mpa.crc-mismatch (MF-04)"));
  EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1);
}

TEST(Explain, NothingNearIsSaid) {
  const Result result = run_with({"explain", "qqqqqqqqqq"});
  EXPECT_EQ(result.status, kExitTrouble);
  EXPECT_THAT(result.err, HasSubstr("iwarpscope rules lists them all"));
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
