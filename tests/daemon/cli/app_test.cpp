// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/app.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <sstream>

#include "cli/exit_status.h"
#include "daemon/cli/console.h"
#include "findings/catalogue.h"

namespace iwarpscope::cli::testing {
namespace {

using ::testing::HasSubstr;

TEST(App, BadUsageIsOneLineAndTrouble) {
  const std::vector<std::vector<std::string>> wrong = {
      {},
      {"nonsense"},
      {"analyze"},
      {"analyze", "--format", "xml", "x"},
      {"analyze", "--threads", "0", "x"},
      {"analyze", "--threads", "many", "x"},
      {"analyze", "--qp", "-1", "x"},
      {"analyze", "--fail-on", "note", "x"},
      {"analyze", "--color", "blue", "x"},
      {"analyze", "--digest", "x"},
      {"analyze", "--no-such-option", "x"},
      {"explain"},
      {"explain", "mpa.crc-mismatch", "MF-04"},
      {"rules", "extra"},
      {"completion"},
      {"completion", "tcsh"},
  };
  for (const auto& arguments : wrong) {
    const Result result = run_with(arguments);
    const std::string shown = ::testing::PrintToString(arguments);
    EXPECT_EQ(result.status, kExitTrouble) << shown;
    EXPECT_EQ(result.out, "") << shown;
    EXPECT_THAT(result.err, ::testing::StartsWith("iwarpscope: ")) << shown;
    EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << shown << result.err;
  }
}

TEST(App, CommandThatIsNoneIsNamed) {
  EXPECT_EQ(run_with({"analyse"}).err, "iwarpscope: unknown command 'analyse'; see iwarpscope --help\n");
}

TEST(App, HelpNamesEverySubcommandAndItsOwnOptions) {
  const Result result = run_with({"--help"});
  EXPECT_EQ(result.status, kExitDone);
  for (const char* word : {"analyze", "explain", "rules", "completion", "--version"})
    EXPECT_THAT(result.out, HasSubstr(word));
  const Result analyze = run_with({"analyze", "--help"});
  EXPECT_EQ(analyze.status, kExitDone);
  EXPECT_THAT(analyze.out, HasSubstr("iwarpscope analyze [OPTIONS] FILE..."));
  EXPECT_THAT(analyze.out, HasSubstr("--fail-on"));
}

TEST(App, VersionIsNameAndNumber) {
  const Result result = run_with({"--version"});
  EXPECT_EQ(result.status, kExitDone);
  EXPECT_TRUE(std::regex_match(result.out, std::regex("iwarpscope [0-9]+\\.[0-9]+\\.[0-9]+\n"))) << result.out;
}

TEST(App, RulesTableHasARowForEachRule) {
  const Result result = run_with({"rules"});
  EXPECT_EQ(result.status, kExitDone);
  for (const findings::Rule& rule : findings::rules()) {
    EXPECT_THAT(result.out, HasSubstr("  " + std::string{rule.code} + " ")) << rule.name;
    EXPECT_THAT(result.out, HasSubstr(" " + std::string{rule.name} + " "));
  }
}

TEST(App, RulesAsJsonAreOneRecordEach) {
  const Result result = run_with({"rules", "--format", "json"});
  std::istringstream lines(result.out);
  std::size_t n = 0;
  for (std::string line; std::getline(lines, line); ++n) {
    ASSERT_LT(n, findings::rules().size());
    EXPECT_EQ(nlohmann::json::parse(line)["id"], std::string{findings::rules()[n].name});
  }
  EXPECT_EQ(n, findings::rules().size());
}

TEST(ManPage, NamesEveryOptionOfAnalyze) {
  std::ifstream file(IWARPSCOPE_MAN_PAGES "/iwarpscope.1");
  ASSERT_TRUE(file) << IWARPSCOPE_MAN_PAGES "/iwarpscope.1";
  const std::string page{std::istreambuf_iterator<char>(file), {}};
  const std::string help = run_with({"analyze", "--help"}).out + run_with({"bundle", "--help"}).out;
  const std::regex option("--([a-z-]+)");
  std::set<std::string> names;
  for (std::sregex_iterator at(help.begin(), help.end(), option), end; at != end; ++at) names.insert((*at)[1]);
  EXPECT_GE(names.size(), 10u);
  for (const std::string& name : names) {
    EXPECT_THAT(page, HasSubstr("\\-\\-" + std::regex_replace(name, std::regex("-"), "\\-"))) << name;
  }
  std::string version = run_with({"--version"}).out;
  version.pop_back();
  EXPECT_THAT(page, HasSubstr('"' + version + '"'));
}

}  // namespace
}  // namespace iwarpscope::cli::testing
