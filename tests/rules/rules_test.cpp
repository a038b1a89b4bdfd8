// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Every rule of the catalogue: raised by traffic that breaks it, silent on traffic that nearly does.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <ostream>
#include <regex>
#include <set>

#include "rules/scenario.h"
#include "support/analysis.h"

namespace iwarpscope::test {

/// How a failed test names its scenario.
void PrintTo(const Scenario& s, std::ostream* out) {
  *out << findings::rule(s.id).code << " (" << s.note << ")";
}

namespace {

using findings::FindingId;

Report run(const Traffic& traffic) {
  return analyze(traffic.frames, traffic.options, traffic.info);
}

/// Errors in the report that neither are the rule itself nor were said to come with it.
std::string unexpected_errors(const Report& report, FindingId own, const std::vector<FindingId>& with) {
  std::string all;
  for (const findings::Finding& f : report.findings) {
    if (f.id == own || findings::rule(f.id).severity != findings::Severity::error) continue;
    if (std::find(with.begin(), with.end(), f.id) != with.end()) continue;
    all += std::string(findings::rule(f.id).code) + ": " + f.text + "\n";
  }
  return all;
}

/// What only programs say, in a text for people: names with underscores, queues without their role, "1 octets".
std::string program_words(const std::string& text) {
  static const std::regex kWords(
      R"([a-z]+_[a-z_]+|\bqueue [0-9]|\bQN [0-9]+(?![0-9]| \()|\b1 ([A-Z]+ )?(octets|segments|FPDUs|markers|frames|messages)\b)");
  std::smatch found;
  return std::regex_search(text, found, kWords) ? found.str() : std::string{};
}

class Rule : public testing::TestWithParam<Scenario> {};

TEST_P(Rule, IsRaisedWhenBroken) {
  const Scenario& s = GetParam();
  const Report report = run(s.raise());
  EXPECT_GE(report.count(s.id), 1u) << "raised instead: " << report.codes();
  EXPECT_EQ(unexpected_errors(report, s.id, s.with), "");
  for (const findings::Finding& f : report.findings) {
    EXPECT_FALSE(f.text.empty()) << findings::rule(f.id).code;
    EXPECT_EQ(program_words(f.text), "") << findings::rule(f.id).code << ": " << f.text;
    EXPECT_GT(f.frame.value, 0u) << findings::rule(f.id).code;
  }
}

TEST_P(Rule, IsSilentOnANearMiss) {
  const Scenario& s = GetParam();
  const Report report = run(s.near_miss());
  EXPECT_EQ(report.count(s.id), 0u) << s.note << ": " << report.codes();
  EXPECT_EQ(unexpected_errors(report, s.id, s.near_with), "") << s.note;
}

/// A value without what is only its dress: case, '_' for blanks, and the role of a queue in parentheses.
std::string plain(std::string_view value) {
  std::string out;
  bool dress = false;
  for (const char c : value) {
    dress = c == '(' || (dress && c != ')' && c != ' ');
    if (dress || c == ')') continue;
    const char undressed = c == '_' ? ' ' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    if (undressed != ' ' || (!out.empty() && out.back() != ' ')) out += undressed;
  }
  return out;
}

class FindingOfAScenario : public testing::TestWithParam<Scenario> {};

TEST_P(FindingOfAScenario, IsAsTheScriptExpects) {
  const Scenario& s = GetParam();
  const Report report = run(s.raise());
  const findings::Finding* f = report.find(s.id);
  ASSERT_NE(f, nullptr);
  const ExpectedFinding& want = s.finding;
  if (want.direction) {
    EXPECT_EQ(f->direction, want.direction) << f->text;
  }
  if (want.frame != 0) {
    EXPECT_EQ((f->frames.empty() ? f->frame : f->frames.front()).value, want.frame) << f->text;
  }
  if (!want.seen.empty()) {
    EXPECT_EQ(plain(f->seen), plain(want.seen)) << f->text;
  }
  if (!want.expected.empty()) {
    EXPECT_EQ(plain(f->expected), plain(want.expected)) << f->text;
  }
}

std::string test_name(const testing::TestParamInfo<Scenario>& info) {
  std::string code(findings::rule(info.param.id).code);
  std::replace(code.begin(), code.end(), '-', '_');
  return code + "_" + std::to_string(info.index);
}

std::vector<Scenario> scenarios_with_finding() {
  std::vector<Scenario> all = scenarios();
  std::erase_if(all, [](const Scenario& s) { return !s.finding.is_given(); });
  return all;
}

INSTANTIATE_TEST_SUITE_P(Catalogue, Rule, testing::ValuesIn(scenarios()), test_name);
INSTANTIATE_TEST_SUITE_P(Catalogue, FindingOfAScenario, testing::ValuesIn(scenarios_with_finding()), test_name);

TEST(ProgramWords, AreFoundInTextsThatLeakThem) {
  EXPECT_EQ(program_words("(rdma_write in frame 8)"), "rdma_write");
  EXPECT_EQ(program_words("The first message on queue 0 has MSN 3."), "queue 0");
  EXPECT_EQ(program_words("QN 1 MSN 2"), "QN 1");
  EXPECT_EQ(program_words("It starts 1 octets inside."), "1 octets");
  EXPECT_EQ(program_words("QN 1 (requests) MSN 2 has 1 octet, not 11 octets."), "");
}

TEST(RuleScenarios, CoverEveryRowOfTheCatalogue) {
  std::set<FindingId> covered;
  for (const Scenario& s : scenarios()) covered.insert(s.id);
  for (const findings::Rule& row : findings::rules()) {
    if (row.code.starts_with("SI-")) continue;  // only a centre raises them: tests/centre
    EXPECT_TRUE(covered.count(row.id)) << row.code << " " << row.name << " has no scenario";
  }
}

TEST(RuleScenarios, EveryRuleOfTheProtocolHasOneWhoseFindingIsSettled) {
  std::set<FindingId> settled;
  for (const Scenario& s : scenarios()) {
    if (s.finding.direction && (s.finding.frame != 0 || !s.finding.seen.empty())) settled.insert(s.id);
  }
  const std::set<std::string_view> families{"MS", "MF", "DD", "RM", "AT", "SX", "SC"};
  // Both are decided by the end of the stream: which frame shows them first is not for the script to say.
  // AT-19 and some of SX speak of a word, a host or the capture, SC-11 and SC-19 of both sides: they have no direction.
  const std::set<std::string_view> unsettled{"MF-15", "RM-34", "AT-19", "SX-02", "SX-03",
                                             "SX-10", "SX-13", "SC-11", "SC-19"};
  for (const findings::Rule& row : findings::rules()) {
    if (families.count(row.code.substr(0, 2)) == 0 || unsettled.count(row.code) != 0) continue;
    EXPECT_TRUE(settled.count(row.id)) << row.code << " " << row.name;
  }
}

}  // namespace
}  // namespace iwarpscope::test
