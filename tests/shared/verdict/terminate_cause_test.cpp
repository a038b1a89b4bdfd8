// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// What the verdict on a Terminate says of the broken rules and the message that explain it.
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "support/analysis.h"
#include "synth/script.h"

namespace iwarpscope::test {
namespace {

using findings::FindingId;

std::string text_on(const std::string& script) {
  return analyze(synth::play(script)).qps.front().verdict->text;
}

constexpr std::string_view kDoubt = "whether that led to the Terminate is not known";

TEST(TerminateVerdict, DoesNotDoubtTheRuleThatItsErrorIsAbout) {
  const std::string both =
      "connect; request rev=2 p2p offer=write ird=16 ord=16; reply rev=2 p2p offer=read ird=16 ord=16; full-operation "
      "a; "
      "full-operation b; ";
  const std::string agrees = text_on(both + "write a stag=0 to=0 0; terminate b layer=2 type=0 code=7 alone; close b");
  EXPECT_NE(agrees.find("(MS-28)"), std::string::npos) << agrees;
  EXPECT_EQ(agrees.find(kDoubt), std::string::npos) << agrees;
  // It is the Terminate itself that breaks the rule, which the sentence says once.
  const std::string itself = text_on(both + "terminate a layer=2 type=0 code=5 alone; close a");
  EXPECT_NE(itself.find("(MS-28)"), std::string::npos) << itself;
  EXPECT_EQ(itself.find(kDoubt), std::string::npos) << itself;
  const std::string other = text_on("connect; startup; send b 100; terminate a layer=2 type=0 code=2 alone; reset a");
  EXPECT_NE(other.find(kDoubt), std::string::npos) << other;
}

TEST(TerminateVerdict, NamesTheRequestThatWasTooManyWhicheverOfThemItRefuses) {
  const std::string begin = "connect; startup rev=2 ird=1 ord=1; send a 100; send b 10; ";
  for (const std::string_view reads : {"repeat 2 read-request a size=100", "repeat 3 read-request a size=100"}) {
    for (const std::string_view code :
         {"layer=1 type=2 code=2", "layer=0 type=2 code=6", "layer=1 type=2 code=2 dialect=siw"}) {
      const Report report =
          analyze(synth::play(begin + std::string(reads) + "; terminate b " + std::string(code) + "; close b"));
      EXPECT_EQ(report.qps.front().verdict->code, "V-50") << reads << code;
      EXPECT_EQ(name(report.qps.front().verdict->blame), name(qp::Blame::a)) << reads << code;
      EXPECT_EQ(report.count(FindingId::rdmap_too_many_reads), 1U) << "it is reported once";
    }
  }
  const Report one =
      analyze(synth::play(begin + "read-request a size=100; terminate b layer=1 type=2 code=2; close b"));
  EXPECT_EQ(one.qps.front().verdict->code, "V-107");
}

TEST(TerminateVerdict, SpeaksOfPostedReceivesOnlyWhereAMessageTakesOne) {
  const std::string begin = "connect; startup; send a 100; send b 10; ";
  for (const std::string_view message : {"read-request a size=64", "write a stag=0x10 to=0x1000 64",
                                         "atomic-request a fetch-add stag=0x10 to=0x1000 data=5"}) {
    for (const std::string_view code : {"2", "2 dialect=siw", "3", "3 dialect=bare", "5"}) {
      const std::string script =
          begin + std::string(message) + "; terminate b layer=1 type=2 code=" + std::string(code) + "; close b";
      const Report report = analyze(synth::play(script));
      const bool names = code.find("bare") == std::string_view::npos;  // that one quotes no header
      const std::string& verdict = report.qps.front().verdict->code;
      EXPECT_EQ(verdict == "V-107" || verdict == "V-108" || verdict == "V-63", names) << script << verdict;
    }
  }
}

/// The same rule broken by several messages, one of which the Terminate names: `named` counts from 0.
std::string several_broken(std::string_view message, int messages, int named, std::string_view code) {
  std::string script = "connect; startup; send a 100; send b 10";
  for (int k = 0; k < messages; ++k) {
    script += "; " + std::string(message);
    if (k == named) script += "; keep-named a";
  }
  return script + "; terminate b " + std::string(code) + "; close b";
}

TEST(TerminateVerdict, FindsTheRuleThatTheNamedMessageBrokeWhicheverOfSeveralItIs) {
  constexpr std::string_view kOpcode = "fault a opcode-unassigned; send a 100";
  constexpr std::string_view kOffset = "mulpdu a 100; fault a mo-gap; send a 300";
  for (const int messages : {3, 40}) {
    for (const int named : {0, 1, messages - 2, messages - 1}) {
      const auto verdict = [&](std::string_view message, std::string_view code) {
        return *analyze(synth::play(several_broken(message, messages, named, code))).qps.front().verdict;
      };
      const std::string where = std::to_string(named) + " of " + std::to_string(messages);
      EXPECT_EQ(verdict(kOpcode, "layer=0 type=2 code=6").code, "V-50") << where;
      EXPECT_EQ(verdict(kOffset, "layer=1 type=2 code=4").code, "V-50") << where;
      const qp::VerdictRecord other = verdict(kOffset, "layer=0 type=2 code=5");
      EXPECT_EQ(other.code, "V-51") << where << other.text;
      EXPECT_EQ(name(other.confidence), name(qp::Confidence::likely)) << where;
      EXPECT_EQ(other.text.find("may lack"), std::string::npos) << other.text;
    }
  }
}

TEST(TerminateVerdict, DoesNotTakeTheRuleOfAnotherMessageForThatOfTheNamedOne) {
  const std::string fault = "; fault a opcode-unassigned; send a 100";
  const std::string script = "connect; startup; send a 100; send b 10" + fault + "; send a 100; keep-named a" + fault +
                             "; terminate b layer=0 type=2 code=6; close b";
  const qp::VerdictRecord v = *analyze(synth::play(script)).qps.front().verdict;
  EXPECT_NE(v.code, "V-50") << v.text;
  EXPECT_NE(v.code, "V-51") << v.text;
}

/// A port mirror may have the messages after the Terminate that names one of them.
TEST(TerminateVerdict, FindsTheRuleOfANamedMessageThatTheCaptureShowsAfterOthers) {
  const std::string fault = "fault a opcode-unassigned; send a 100; ";
  const std::string script = "connect; startup; send a 100; send b 10; " + fault + fault + fault +
                             "keep-named a; send a 100; terminate b layer=0 type=2 code=6; " + fault + "close b";
  EXPECT_EQ(analyze(synth::play(script)).qps.front().verdict->code, "V-50");
}

TEST(TerminateVerdict, PutsTheErrorOfAMessageBeforeItsWarning) {
  for (const std::string_view message :
       {"read-request a size=100", "atomic-request a fetch-add stag=0x10 to=0x1000 data=5"}) {
    const std::string text = text_on("connect; startup; send a 10; send b 10; fault a zero-length-not-last; " +
                                     std::string(message) + "; terminate b layer=1 type=1 code=0; close b");
    EXPECT_EQ(text.find("(DD-15)"), std::string::npos) << text;
  }
}

TEST(TerminateVerdict, BlamesNoEndForWhatCameBeforeTheCaptureBegan) {
  const std::string begin = "capture off; connect; startup; send a 100; send b 10; ";
  for (const std::string_view code : {"layer=0 type=1 code=0", "layer=1 type=2 code=2", "layer=1 type=2 code=5"}) {
    const std::string end = "terminate b " + std::string(code) + " alone; close b";
    const Report without = analyze(synth::play(begin + "send a 100; capture on; send b 10; " + end));
    EXPECT_EQ(name(without.qps.front().verdict->blame), name(qp::Blame::unknown)) << without.qps.front().verdict->text;
    const Report with = analyze(synth::play(begin + "capture on; send a 100; send a 100; send b 10; " + end));
    EXPECT_NE(name(with.qps.front().verdict->blame), name(qp::Blame::unknown)) << with.qps.front().verdict->text;
  }
}

TEST(TerminateVerdict, NamesEachEndWithItsAddressOnce) {
  const std::string text = text_on(
      "connect; startup; send a 100; send b 10; msn a 0 9; send a 100; terminate b layer=1 type=2 code=3; close b");
  const std::size_t first = text.find("Initiator 10.0.0.1:40000");
  ASSERT_NE(first, std::string::npos) << text;
  EXPECT_EQ(text.find("10.0.0.1:40000", first + 20), std::string::npos) << text;
  EXPECT_NE(text.find("the Send of the Initiator in frame"), std::string::npos) << text;
}

}  // namespace
}  // namespace iwarpscope::test
