// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The end that ended a connection had broken a rule itself: the verdict names that, and not the other end, as the
// cause.
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "support/analysis.h"
#include "synth/script.h"

namespace iwarpscope::test {
namespace {

using qp::Blame;
using qp::Confidence;

constexpr std::string_view kWrongRequest =
    "connect; startup; send a 10; send b 10; ack a; fault a rdmap-version-2; read-request a size=100; ack b; ";
constexpr std::string_view kWrongOverSctp =
    "sctp; connect; startup; send a 10; send b 10; ack a; fault a rdmap-version-2; read-request a size=100; ack b; ";
constexpr std::string_view kRightRequest =
    "connect; startup; send a 10; send b 10; ack a; read-request a size=100; ack b; ";

qp::VerdictRecord verdict_on(std::string_view start, std::string_view end) {
  return first_verdict(synth::play(std::string(start) + std::string(end)));
}

bool says(const qp::VerdictRecord& v, std::string_view text) {
  return v.text.find(text) != std::string::npos;
}

TEST(OwnError, OfTheResettingEndIsTheCause) {
  for (const std::string_view end : {"reset a", "wait 500ms; reset a", "wait 30s; reset a"}) {
    const qp::VerdictRecord v = verdict_on(kWrongRequest, end);
    EXPECT_EQ(v.code, "V-37") << v.text;
    EXPECT_EQ(v.blame, Blame::a) << v.text;
    EXPECT_EQ(v.confidence, Confidence::likely) << v.text;
    EXPECT_TRUE(says(v, "had broken rule rdmap.version-wrong (RM-01) in frame 9.")) << v.text;
    EXPECT_TRUE(says(v, "The Read Request with MSN 1 (frame 9) from the Initiator was not answered.")) << v.text;
  }
}

TEST(OwnError, OfTheAbortingEndIsTheCause) {
  const qp::VerdictRecord v = verdict_on(kWrongOverSctp, "wait 30s; abort a");
  EXPECT_EQ(v.code, "V-37") << v.text;
  EXPECT_EQ(v.blame, Blame::a) << v.text;
  EXPECT_TRUE(says(v, "(RM-01)")) << v.text;
}

TEST(OwnError, WithoutOneTheOtherEndIsBlamedForTheMissingAnswer) {
  const qp::VerdictRecord v = verdict_on(kRightRequest, "wait 30s; reset a");
  EXPECT_EQ(v.code, "V-43") << v.text;
  EXPECT_EQ(v.blame, Blame::b) << v.text;
}

TEST(OwnError, AfterWhichTheOtherEndSentMoreLeavesTheCauseOpen) {
  const qp::VerdictRecord v = verdict_on(kWrongRequest, "send b 10; ack a; wait 30s; reset a");
  EXPECT_EQ(v.code, "V-43") << v.text;
  EXPECT_EQ(v.blame, Blame::unknown) << v.text;
  EXPECT_TRUE(says(v, "(RM-01)")) << v.text;
  EXPECT_TRUE(says(v, "The cause may be at either end: the Responder sent more messages after this error.")) << v.text;
}

TEST(OwnError, AfterWhichTheOtherEndStoppedInsideAMessageLeavesTheCauseOpen) {
  const std::string start = "connect; startup; send a 10; send b 10; ack a; fault a msn-skipped; send a 10; ack b; ";
  const qp::VerdictRecord v = verdict_on(start, "tagged b stag=5 last=off 400; ack a; wait 30s; reset a");
  EXPECT_EQ(v.code, "V-125") << v.text;
  EXPECT_EQ(v.blame, Blame::unknown) << v.text;
  EXPECT_TRUE(says(v, "The cause may be at either end")) << v.text;
}

TEST(OwnError, IsNoAccusationWhereTheAnswerMayNotBeCaptured) {
  const qp::VerdictRecord v = verdict_on(kWrongRequest, "miss b; send b 100; ack a; wait 2s; reset a");
  EXPECT_EQ(v.code, "V-42") << v.text;
  EXPECT_EQ(v.blame, Blame::capture) << v.text;
  EXPECT_TRUE(says(v, "(RM-01)")) << v.text;
}

TEST(OwnError, IsNoAccusationWhereOctetsWereLost) {
  const qp::VerdictRecord v =
      verdict_on(kWrongRequest, "capture a; retransmit a delay=0; send a 300; wait 500ms; reset a");
  EXPECT_NE(v.blame, Blame::a) << v.text;
  EXPECT_NE(v.blame, Blame::b) << v.text;
  EXPECT_TRUE(says(v, "(RM-01)")) << v.text;
}

TEST(OwnError, OfTheEndThatClosedItsSideLeavesTheCauseOpen) {
  const qp::VerdictRecord v = verdict_on(kWrongRequest, "fin a; wait 5s; send b 10; wait 5s; connection; connect");
  EXPECT_EQ(v.code, "V-48") << v.text;
  EXPECT_EQ(v.blame, Blame::unknown) << v.text;
  EXPECT_TRUE(says(v, "(RM-01)")) << v.text;
  const qp::VerdictRecord right = verdict_on(kRightRequest, "fin a; wait 5s; send b 10; wait 5s; connection; connect");
  EXPECT_EQ(right.code, "V-48") << right.text;
  EXPECT_EQ(right.blame, Blame::b) << right.text;
}

TEST(OwnError, OfTheEndThatDoesNotCloseIsNamed) {
  const qp::VerdictRecord v = verdict_on(kWrongRequest, "fin b; wait 10s; connection; connect");
  EXPECT_EQ(v.code, "V-124") << v.text;
  EXPECT_EQ(v.blame, Blame::a) << v.text;
  EXPECT_EQ(v.confidence, Confidence::limited) << v.text;
  EXPECT_TRUE(says(v, "(RM-01)")) << v.text;
}

TEST(OwnOddity, AfterWhichTheOtherEndSentNothingLeavesTheCauseOpen) {
  const std::string start = "connect; startup; send a 10; send b 10; ack a; send-invalidate a stag=0 10; ";
  for (const std::string_view end : {"wait 30s; reset a", "wait 30s; close a"}) {
    const std::string waits = std::string("read-request a size=100; ack b; ") + std::string(end);
    const qp::VerdictRecord v = verdict_on(start, waits);
    EXPECT_EQ(v.blame, Blame::unknown) << v.text;
    EXPECT_TRUE(says(v, "Something was suspicious on the way: rdmap.invalidate-stag-zero (RM-40)")) << v.text;
    const qp::VerdictRecord accepted = verdict_on(start, "send b 10; ack a; " + waits);
    EXPECT_EQ(accepted.blame, Blame::b) << accepted.text;
  }
}

/// RFC 5044 §7.1.1: its sender must use a known revision, and a receiver that does not know it closes.
TEST(UnknownRevision, IsTheCauseWhetherTheResponderClosesOrWaits) {
  for (const std::string_view end : {"close b", "reset b", "ack b; wait 10s; close a", "ack b; wait 10s; reset a",
                                     "ack b; wait 10s; connection; connect"}) {
    const qp::VerdictRecord v = verdict_on("connect; request rev=7; ", end);
    EXPECT_EQ(v.blame, Blame::a) << v.text;
    EXPECT_EQ(v.confidence, Confidence::likely) << v.text;
    EXPECT_TRUE(says(v, "mpa.revision-unknown (MS-07)")) << v.text;
    EXPECT_EQ(verdict_on("connect; request rev=1; ", end).blame, Blame::b) << end;
  }
}

/// The rest of the Reply may have been on its way: neither end is known to have stopped.
TEST(UnfinishedReply, IsNoMissingAnswer) {
  const std::string whole_key = "connect; request; reply private=0102 length=40; ";
  const std::string part_of_key = "connect; request; stream b text=\"MPA ID Rep\"; ";
  for (const std::string& begin : {whole_key, part_of_key}) {
    for (const std::string_view end : {"reset a", "wait 300ms; reset a"}) {
      const qp::VerdictRecord v = verdict_on(begin, end);
      EXPECT_EQ(v.blame, Blame::unknown) << v.text;
      EXPECT_FALSE(says(v, "before an answer")) << v.text;
    }
  }
  EXPECT_EQ(verdict_on(whole_key, "wait 300ms; reset a").code, "V-128");
  EXPECT_EQ(verdict_on("connect; request; ", "wait 300ms; reset a").code, "V-14");
}

TEST(WrongCrc, IsNotBlamedOnThePathWhereNoFpduFollowsIt) {
  const std::string begin = "connect; startup; send a 100; send b 10; fault a ";
  for (const std::string_view end : {"send a 300; send a 300; reset b", "send a 300; send a 300; close a"}) {
    const qp::VerdictRecord framing = verdict_on(begin + "length-too-short; ", end);
    EXPECT_EQ(framing.blame, Blame::unknown) << framing.text;
    EXPECT_TRUE(says(framing, "mpa.crc-mismatch (MF-04)")) << framing.text;
    EXPECT_EQ(verdict_on(begin + "crc-mismatch; ", end).blame, Blame::path) << end;
  }
}

}  // namespace
}  // namespace iwarpscope::test
