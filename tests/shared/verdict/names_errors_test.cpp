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

/// They say how it ended, or once more that something was outstanding.
bool is_consequence(const Rule& rule) {
  constexpr auto kCodes = std::to_array<std::string_view>({"RM-16", "AT-12", "DD-21", "MF-14"});
  return rule.code.starts_with("QP-") || std::find(kCodes.begin(), kCodes.end(), rule.code) != kCodes.end();
}

/// The Terminate is the end: what is wrong with it, or follows it, explains nothing.
FrameNumber end_of(const Report& report, const qp::QpRecord& qp) {
  const auto& all = report.findings;
  const auto at = std::find_if(all.begin(), all.end(), [&](const Finding& f) {
    return f.qp == qp.qp && f.id == FindingId::rdmap_terminate_sent;
  });
  return at != all.end() ? at->frame : FrameNumber{qp.last_frame.value + 1};
}

std::vector<std::string> errors_of(const Report& report, const qp::QpRecord& qp) {
  const FrameNumber end = end_of(report, qp);
  std::vector<std::string> codes;
  for (const Finding& f : report.findings) {
    const Rule& rule = findings::rule(f.id);
    const bool counts = rule.severity == findings::Severity::error && rule.about == findings::About::peer &&
                        f.direction && !is_consequence(rule);
    if (counts && f.qp == qp.qp && f.frame < end) codes.emplace_back(rule.code);
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
    const auto is_named = [&](const std::string& code) {
      return qp.verdict->text.find('(' + code + ')') != std::string::npos;
    };
    if (std::any_of(errors.begin(), errors.end(), is_named)) continue;
    text += joined(errors) + "is not named by " + qp.verdict->code + ": " + qp.verdict->text + '\n';
  }
  return text;
}

TEST(VerdictOnErrors, NamesOneInEveryScenarioOfTheCatalogue) {
  for (const auto some : {startup_scenarios(), end_scenarios(), open_scenarios(), terminate_scenarios()}) {
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
