// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Each verdict is raised by traffic, and not by traffic that nearly raises it.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios.h"
#include "support/analysis.h"
#include "support/limits.h"
#include "synth/script.h"

namespace iwarpscope::test {

void PrintTo(const VerdictScenario& scenario, std::ostream* out) {
  *out << verdict::row(scenario.id).name;
}

namespace {

using verdict::row;

std::vector<VerdictScenario> all_scenarios() {
  std::vector<VerdictScenario> all;
  for (const auto some : {startup_verdict_scenarios(), end_verdict_scenarios(), open_verdict_scenarios(),
                          terminate_verdict_scenarios()}) {
    all.insert(all.end(), some.begin(), some.end());
  }
  return all;
}

qp::VerdictRecord verdict_on(std::string_view script) {
  return first_verdict(synth::play(std::string(script)));
}

using qp::Blame;

struct Blamed {
  std::string_view code;
  Blame blame;
};
/// The end at fault in the script of a row that names no role but a part in the event, such as "the other end". V-83
/// blames no end where the opcode in the quoted header is one that each end knows. V-116 has a broken rule besides.
constexpr auto kBlamed = std::to_array<Blamed>(
    {{"V-02", Blame::a},  {"V-06", Blame::a},  {"V-21", Blame::b},  {"V-22", Blame::b},  {"V-23", Blame::b},
     {"V-24", Blame::b},  {"V-25", Blame::a},  {"V-28", Blame::b},  {"V-33", Blame::a},  {"V-35", Blame::b},
     {"V-36", Blame::b},  {"V-37", Blame::b},  {"V-43", Blame::b},  {"V-45", Blame::b},  {"V-48", Blame::b},
     {"V-50", Blame::a},  {"V-51", Blame::a},  {"V-52", Blame::a},  {"V-53", Blame::a},  {"V-55", Blame::a},
     {"V-57", Blame::b},  {"V-63", Blame::b},  {"V-64", Blame::b},  {"V-65", Blame::b},  {"V-66", Blame::a},
     {"V-68", Blame::b},  {"V-70", Blame::a},  {"V-72", Blame::a},  {"V-74", Blame::a},  {"V-75", Blame::a},
     {"V-76", Blame::a},  {"V-78", Blame::a},  {"V-79", Blame::a},  {"V-80", Blame::a},  {"V-83", Blame::unknown},
     {"V-85", Blame::b},  {"V-90", Blame::b},  {"V-92", Blame::a},  {"V-93", Blame::a},  {"V-98", Blame::a},
     {"V-105", Blame::b}, {"V-110", Blame::b}, {"V-113", Blame::b}, {"V-114", Blame::a}, {"V-115", Blame::a},
     {"V-116", Blame::a}, {"V-125", Blame::a}, {"V-127", Blame::a}});

/// Nothing: one of the two ends.
std::optional<Blame> expected_blame(const verdict::VerdictRow& its) {
  const auto at = std::find_if(kBlamed.begin(), kBlamed.end(), [&](const Blamed& b) { return b.code == its.code; });
  if (at != kBlamed.end()) return at->blame;
  switch (its.blame) {
    using enum verdict::BlameRule;
    case initiator: return Blame::a;
    case responder: return Blame::b;
    case path: return Blame::path;
    case capture: return Blame::capture;
    case none: return Blame::none;
    case unknown: return Blame::unknown;
    case who:
    case peer:
    case breaker:
    case asker: break;
  }
  return std::nullopt;
}

class EachVerdict : public testing::TestWithParam<VerdictScenario> {};

TEST_P(EachVerdict, IsRaisedByItsScript) {
  const verdict::VerdictRow& its = row(GetParam().id);
  const qp::VerdictRecord v = verdict_on(GetParam().script);
  EXPECT_EQ(v.id, its.name) << v.text;
  EXPECT_EQ(v.code, its.code);
  EXPECT_EQ(name(v.outcome), name(its.outcome));
  EXPECT_GE(v.confidence, its.confidence);
  if (const auto blame = expected_blame(its)) {
    EXPECT_EQ(name(v.blame), name(*blame)) << v.text;
  } else {
    EXPECT_TRUE(v.blame == Blame::a || v.blame == Blame::b) << name(v.blame) << ": " << v.text;
  }
  EXPECT_EQ((v.text + v.next).find_first_of("{}"), std::string::npos) << v.text << "\n" << v.next;
}

TEST_P(EachVerdict, IsNotRaisedByWhatNearlyDoes) {
  const qp::VerdictRecord v = verdict_on(GetParam().nearly);
  EXPECT_EQ(v.id, row(GetParam().is).name) << v.text;
  EXPECT_NE(v.id, row(GetParam().id).name) << v.text;
}

TEST_P(EachVerdict, SaysWhatLimitsIt) {
  for (const std::string_view script : {GetParam().script, GetParam().nearly}) {
    const qp::VerdictRecord v = verdict_on(script);
    EXPECT_FALSE(hides_what_limits_it(v)) << script << "\n" << v.code << " " << v.text;
  }
}

/// An end takes 3 ms to think, and what follows at once from a frame is there within a round trip of far less.
std::string with_pauses(std::string_view script) {
  std::string all;
  for (const char c : script) {
    all += c;
    if (c == ';') all += " wait 3ms;";
  }
  return all;
}

/// Frames of one side are up to a millisecond later in the capture than they passed, as with two ports of a mirror.
synth::Frames one_side_later(synth::Frames frames, bool first_side) {
  constexpr std::size_t kSourceOctet = 29;  // the last of the IPv4 source
  const std::byte first = frames.front().octets.at(kSourceOctet);
  for (synth::Frame& f : frames) f.time_ns += (f.octets.at(kSourceOctet) == first) == first_side ? 1'000'000 : 0;
  std::stable_sort(frames.begin(), frames.end(),
                   [](const synth::Frame& x, const synth::Frame& y) { return x.time_ns < y.time_ns; });
  return frames;
}

class EndedOrOpen : public testing::TestWithParam<VerdictScenario> {};

void expect_the_same_when_one_side_is_later(std::string_view without_pauses) {
  const std::string script = with_pauses(without_pauses);
  const synth::Frames frames = synth::play(script);
  const qp::VerdictRecord straight = first_verdict(frames);
  for (const bool first_side : {true, false}) {
    const qp::VerdictRecord moved = first_verdict(one_side_later(frames, first_side));
    if (moved.blame == qp::Blame::capture && straight.blame == qp::Blame::capture) continue;
    EXPECT_EQ(moved.code, straight.code) << script << "\n" << straight.text << "\n" << moved.text;
    EXPECT_EQ(name(moved.blame), name(straight.blame)) << script << "\n" << straight.text << "\n" << moved.text;
  }
}

TEST_P(EndedOrOpen, IsTheSameWhenOneSideIsCapturedLater) {
  expect_the_same_when_one_side_is_later(GetParam().script);
  expect_the_same_when_one_side_is_later(GetParam().nearly);
}

TEST(WhoClosedFirst, IsNotDecidedByTheOrderOfTheFrames) {
  for (const std::string_view script : {
           "connect; startup; send a 100; read-request a size=100; close b",
           "connect; startup; send a 100; read-request a size=100; close a",
           "connect; startup; send a 100; send b 10; fin a; reset b",
           "connect; startup; send a 100; send b 10; fin b; reset a",
           "connect; request; close a",
           "connect; request; close b",
           "connect; request; reset b",
           "connect; startup markers reply-crc=off; close a",
           "connect; startup reply-markers=on; close b",
           "connect; startup; send b 100; close a",
           "sctp; connect; startup; send a 100; read-request a size=100; session b terminate; session a terminate",
           "sctp; connect; startup; send a 100; read-request a size=100; session a terminate; session b terminate",
           "sctp; connect; startup; send a 100; read-request a size=100; shutdown b",
           "sctp; connect; session a initiate; ack b; wait 2s; session a terminate",
           "sctp; connect; session a initiate; ack b; session b terminate; session a terminate",
       }) {
    expect_the_same_when_one_side_is_later(script);
  }
}

constexpr auto kRowName = [](const auto& each) {
  std::string name(row(each.param.id).name);
  std::replace_if(
      name.begin(), name.end(), [](char c) { return c == '.' || c == '-'; }, '_');
  return name;
};

INSTANTIATE_TEST_SUITE_P(Catalogue, EachVerdict, testing::ValuesIn(all_scenarios()), kRowName);

std::vector<VerdictScenario> without_terminate() {
  std::vector<VerdictScenario> all;
  for (const auto some : {startup_verdict_scenarios(), end_verdict_scenarios(), open_verdict_scenarios()}) {
    all.insert(all.end(), some.begin(), some.end());
  }
  return all;
}
INSTANTIATE_TEST_SUITE_P(Catalogue, EndedOrOpen, testing::ValuesIn(without_terminate()), kRowName);

TEST(VerdictCatalogue, HasAScenarioForEachRow) {
  const auto all = all_scenarios();
  for (const verdict::VerdictRow& r : verdict::verdicts()) {
    const auto has = [&](const VerdictScenario& s) { return s.id == r.id; };
    EXPECT_EQ(std::count_if(all.begin(), all.end(), has), 1) << r.name;
  }
}

}  // namespace
}  // namespace iwarpscope::test
