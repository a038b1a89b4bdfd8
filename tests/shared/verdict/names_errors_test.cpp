// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Where an error of an end precedes the end of its connection, the verdict names that error, or another one of an end.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios.h"
#include "support/analysis.h"
#include "synth/script.h"

namespace iwarpscope::test {
namespace {

using findings::Finding;
using findings::FindingId;
using findings::Rule;

/// The Terminate is the end: what is wrong with it, or follows it, explains nothing.
FrameNumber end_of(const Report& report, const qp::QpRecord& qp) {
  const auto& all = report.findings;
  const auto at = std::find_if(all.begin(), all.end(), [&](const Finding& f) {
    return f.qp == qp.qp && f.id == FindingId::rdmap_terminate_sent;
  });
  return at != all.end() ? at->frame : FrameNumber{qp.last_frame.value + 1};
}

/// Where it was decided, or where it happened: what waits for more may be decided by the Terminate.
FrameNumber decided(const Finding& f) {
  return f.frame;
}
FrameNumber happened(const Finding& f) {
  return f.frames.empty() ? f.frame : f.frames.front();
}

std::vector<std::string> errors_of(const Report& report, const qp::QpRecord& qp,
                                   FrameNumber (*when)(const Finding&) = decided) {
  const FrameNumber end = end_of(report, qp);
  std::vector<std::string> codes;
  for (const Finding& f : report.findings) {
    const Rule& rule = findings::rule(f.id);
    const bool counts = rule.severity == findings::Severity::error && rule.about == findings::About::peer &&
                        f.direction && rule.explains != findings::Explains::nothing;
    if (counts && f.qp == qp.qp && when(f) < end) codes.emplace_back(rule.code);
  }
  return codes;
}

std::string joined(const std::vector<std::string>& all) {
  std::string text;
  for (const std::string& each : all) text += each + ' ';
  return text;
}

/// One line for each queue pair whose verdict names none of the errors.
std::string passed_over(const std::string& script) {
  const Report report = analyze(synth::play(script));
  std::string text;
  for (const qp::QpRecord& qp : report.qps) {
    const auto errors = errors_of(report, qp);
    if (errors.empty() || !qp.verdict) continue;
    const auto explaining = errors_of(report, qp, happened);
    const auto is_named = [&](const std::string& code) {
      return qp.verdict->text.find('(' + code + ')') != std::string::npos;
    };
    if (std::any_of(explaining.begin(), explaining.end(), is_named)) continue;
    text += joined(errors) + "is not named by " + qp.verdict->code + ": " + qp.verdict->text + '\n';
  }
  return text;
}

TEST(VerdictOnErrors, NamesOneInEveryScenarioOfTheCatalogue) {
  for (const auto some : {startup_verdict_scenarios(), end_verdict_scenarios(), open_verdict_scenarios(),
                          terminate_verdict_scenarios()}) {
    for (const VerdictScenario& s : some) {
      EXPECT_EQ(passed_over(std::string(s.script)), "") << s.script;
      EXPECT_EQ(passed_over(std::string(s.nearly)), "") << s.nearly;
    }
  }
}

/// Every fault that one message can have, and every way to end after it.
constexpr auto kFaults = std::to_array<std::string_view>({"crc-mismatch",
                                                          "crc-zero",
                                                          "crc-byte-order",
                                                          "octet-changed",
                                                          "pad-nonzero",
                                                          "length-zero",
                                                          "length-over-maximum",
                                                          "length-too-short",
                                                          "length-too-long",
                                                          "header-short",
                                                          "ddp-reserved",
                                                          "ddp-version-0",
                                                          "ddp-version-2",
                                                          "qn-unassigned",
                                                          "qn-other",
                                                          "msn-skipped",
                                                          "msn-repeated",
                                                          "msn-zero",
                                                          "mo-gap",
                                                          "mo-overlap",
                                                          "mo-wrap",
                                                          "stag-other",
                                                          "to-gap",
                                                          "to-wrap",
                                                          "last-missing",
                                                          "last-early",
                                                          "ddp-segment-omitted",
                                                          "ddp-segment-repeated",
                                                          "zero-length-not-last",
                                                          "tagged-flag",
                                                          "untagged-flag",
                                                          "rdmap-version-2",
                                                          "opcode-unassigned",
                                                          "opcode-other",
                                                          "opcode-write",
                                                          "invalidate-stag-set",
                                                          "header-long",
                                                          "header-cut"});
constexpr auto kMessages =
    std::to_array<std::string_view>({"send a 3000", "write a stag=0x10 to=0x1000 3000", "read-request a size=100",
                                     "atomic-request a fetch-add stag=0x10 to=0x1000 data=5"});
constexpr auto kTerminates = std::to_array<std::string_view>(
    {"terminate b layer=1 type=2 code=2 alone; close b", "terminate b layer=0 type=2 code=7 alone; close b",
     "terminate b layer=2 type=0 code=2 alone; reset b", "terminate b layer=1 type=2 code=5; close b",
     "terminate b layer=1 type=1 code=0; close b", "terminate b layer=0 type=2 code=6; close b",
     "terminate b layer=1 type=2 code=2 dialect=siw; close b", "terminate a layer=0 type=0 code=0 alone; close a"});
constexpr auto kOtherEnds =
    std::to_array<std::string_view>({"close a", "close b", "wait 2s; reset b", "reset a", "wait 3s; ack a"});
// One end closed its side: just now, long ago, while the other still sends.
constexpr auto kHalfEnds = std::to_array<std::string_view>({"fin b", "fin a", "fin a; wait 10s; connection; connect",
                                                            "fin b; wait 10s; connection; connect",
                                                            "fin b; wait 5s; send a 10; wait 5s; connection; connect",
                                                            "fin a; wait 5s; send b 10; wait 5s; connection; "
                                                            "connect",
                                                            "fin a; reset b"});
// One end waited for an answer, or for the rest of a message, and reset.
constexpr auto kWaitedEnds = std::to_array<std::string_view>(
    {"ack b; wait 2s; reset a", "send b 10; ack a; wait 2s; reset a", "send b 10; ack a; wait 2s; reset b",
     "read-request a size=50; ack b; wait 30s; reset a", "read-request b size=100; ack a; wait 30s; reset b",
     "read-request a size=50; miss b; read-response b; ack a; wait 2s; reset a",
     "tagged a stag=5 last=off 400; ack b; wait 30s; reset b", "tagged b stag=5 last=off 400; ack a; wait 30s; reset a",
     "send b 10; ack a; retransmit a delay=0; send a 300; wait 500ms; reset a",
     "send b 10; ack a; retransmit a delay=0; send a 300; wait 30s; reset a"});
constexpr auto kAborts = std::to_array<std::string_view>(
    {"abort a", "abort b", "wait 2s; abort b", "ack b; wait 30s; abort a",
     "read-request a size=50; ack b; wait 30s; abort a", "read-request b size=50; ack a; wait 30s; abort b",
     "tagged b stag=5 last=off 400; ack a; wait 30s; abort a"});
constexpr auto kOverTcp = std::to_array<std::string_view>({"connect; startup", "connect; startup markers"});
constexpr auto kOverSctp = std::to_array<std::string_view>({"sctp; connect; startup"});

constexpr auto kStartups =
    std::to_array<std::string_view>({"connect; startup", "connect; startup rev=2 p2p rtr=write ird=4 ord=4",
                                     "connect; startup markers", "sctp; connect; startup"});

/// The fault cannot be made of every message.
std::optional<std::string> playable(std::string_view startup, std::string_view fault, std::string_view message,
                                    std::string_view end) {
  std::string script = std::string(startup) + "; send a 10; send b 10; fault a " + std::string(fault) + "; " +
                       std::string(message) + "; " + std::string(end);
  try {
    (void)synth::play(script);
  } catch (const synth::ScriptError&) {
    return std::nullopt;
  }
  return script;
}

template <class Judge>
void each_message(std::string_view startup, std::span<const std::string_view> ends, Judge judge) {
  std::size_t played = 0;
  for (const std::string_view fault : kFaults) {
    for (const std::string_view message : kMessages) {
      for (const std::string_view end : ends) {
        const auto script = playable(startup, fault, message, end);
        if (!script) continue;
        ++played;
        judge(*script);
      }
    }
  }
  EXPECT_GT(played, kFaults.size() * ends.size()) << startup;
}

template <class Judge>
void each_fault(std::span<const std::string_view> ends, Judge judge) {
  for (const std::string_view startup : kStartups) each_message(startup, ends, judge);
}

TEST(VerdictOnErrors, NamesOneBeforeEachTerminate) {
  each_fault(kTerminates, [](const std::string& script) { EXPECT_EQ(passed_over(script), "") << script; });
}

TEST(VerdictOnErrors, NamesOneBeforeEachOtherEnd) {
  each_fault(kOtherEnds, [](const std::string& script) { EXPECT_EQ(passed_over(script), "") << script; });
}

void expect_one_named(std::span<const std::string_view> startups, std::span<const std::string_view> ends) {
  for (const std::string_view startup : startups) {
    each_message(startup, ends, [](const std::string& script) { EXPECT_EQ(passed_over(script), "") << script; });
  }
}

TEST(VerdictOnErrors, NamesOneWhereOneSideWasClosed) {
  expect_one_named(kOverTcp, kHalfEnds);
}

TEST(VerdictOnErrors, NamesOneWhereAnEndWaitedAndReset) {
  expect_one_named(kOverTcp, kWaitedEnds);
}

TEST(VerdictOnErrors, NamesOneBeforeAnAbort) {
  expect_one_named(kOverSctp, kAborts);
}

/// What the end that erred did not do, the other end is not blamed for.
TEST(VerdictOnErrors, DoesNotBlameTheOtherEndWhereTheOneThatErredReset) {
  for (const std::string_view end :
       {"ack b; wait 30s; reset a", "send b 10; ack a; wait 30s; reset a",
        "read-request a size=50; ack b; wait 30s; reset a", "tagged b stag=5 last=off 400; ack a; wait 30s; reset a",
        "send b 10; fin a; wait 30s; connection; connect", "fin a; wait 5s; send b 10; wait 5s; connection; connect"}) {
    each_message("connect; startup", std::span(&end, 1), [](const std::string& script) {
      const Report report = analyze(synth::play(script));
      ASSERT_FALSE(report.qps.empty()) << script;
      const qp::QpRecord& qp = report.qps.front();
      if (errors_of(report, qp).empty() || !qp.verdict) return;
      EXPECT_NE(name(qp.verdict->blame), name(qp::Blame::b)) << script << '\n' << qp.verdict->text;
    });
  }
}

TEST(VerdictOnErrors, DoesNotBlameTheEndThatOnlyReportedOne) {
  const auto ends = std::span(kTerminates).first(kTerminates.size() - 1);  // the last is sent by the end that erred
  each_fault(ends, [](const std::string& script) {
    const Report report = analyze(synth::play(script));
    ASSERT_EQ(report.qps.size(), 1U) << script;
    const qp::QpRecord& qp = report.qps.front();
    if (errors_of(report, qp).empty() || !qp.verdict) return;
    EXPECT_NE(name(qp.verdict->blame), name(qp::Blame::b)) << script << '\n' << qp.verdict->text;
  });
}

TEST(VerdictOnErrors, DoesNotBlameTheEndThatRefusedWhatCameTooEarly) {
  for (const std::string_view end :
       {"layer=1 type=2 code=2", "layer=2 type=0 code=2 alone", "layer=2 type=0 code=3 alone", "layer=0 type=2 code=7",
        "layer=2 type=0 code=4 alone"}) {
    const std::string script = "connect; startup; send b 100; terminate a " + std::string(end) + "; reset a";
    EXPECT_EQ(passed_over(script), "") << script;
    EXPECT_NE(name(analyze(synth::play(script)).qps.front().verdict->blame), name(qp::Blame::a)) << script;
  }
}

}  // namespace
}  // namespace iwarpscope::test
