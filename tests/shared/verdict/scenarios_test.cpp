// Each verdict is raised by traffic, and not by traffic that nearly raises it.
#include <gtest/gtest.h>

#include <algorithm>
#include <ostream>
#include <string>
#include <vector>

#include "scenarios.h"
#include "support/analysis.h"
#include "synth/script.h"

namespace iwarpscope::test {

void PrintTo(const VerdictScenario& scenario, std::ostream* out) {
  *out << verdict::row(scenario.id).name;
}

namespace {

using verdict::row;

std::vector<VerdictScenario> all_scenarios() {
  std::vector<VerdictScenario> all;
  for (const auto some : {startup_scenarios(), end_scenarios(), open_scenarios(), terminate_scenarios()}) {
    all.insert(all.end(), some.begin(), some.end());
  }
  return all;
}

/// Of its first queue pair.
qp::VerdictRecord verdict_on(std::string_view script) {
  const Report report = analyze(synth::play(std::string(script)));
  if (report.qps.empty() || !report.qps.front().verdict) return {};
  return *report.qps.front().verdict;
}

class EachVerdict : public testing::TestWithParam<VerdictScenario> {};

TEST_P(EachVerdict, IsRaisedByItsScript) {
  const verdict::VerdictRow& its = row(GetParam().id);
  const qp::VerdictRecord v = verdict_on(GetParam().script);
  EXPECT_EQ(v.id, its.name) << v.text;
  EXPECT_EQ(v.code, its.code);
  EXPECT_EQ(name(v.outcome), name(its.outcome));
  EXPECT_GE(v.confidence, its.confidence);
  EXPECT_EQ((v.text + v.next).find_first_of("{}"), std::string::npos) << v.text << "\n" << v.next;
}

TEST_P(EachVerdict, IsNotRaisedByWhatNearlyDoes) {
  const qp::VerdictRecord v = verdict_on(GetParam().nearly);
  EXPECT_EQ(v.id, row(GetParam().is).name) << v.text;
  EXPECT_NE(v.id, row(GetParam().id).name) << v.text;
}

constexpr auto kRowName = [](const auto& each) {
  std::string name(row(each.param.id).name);
  std::replace_if(
      name.begin(), name.end(), [](char c) { return c == '.' || c == '-'; }, '_');
  return name;
};

INSTANTIATE_TEST_SUITE_P(Catalogue, EachVerdict, testing::ValuesIn(all_scenarios()), kRowName);

TEST(VerdictCatalogue, HasAScenarioForEachRow) {
  const auto all = all_scenarios();
  for (const verdict::VerdictRow& r : verdict::verdicts()) {
    const auto has = [&](const VerdictScenario& s) { return s.id == r.id; };
    EXPECT_EQ(std::count_if(all.begin(), all.end(), has), 1) << r.name;
  }
}

}  // namespace
}  // namespace iwarpscope::test
