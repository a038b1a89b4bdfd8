// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// What ACK numbers and the rest of a capture show of octets that it lacks, or has in another order: no end is blamed
// for those. Each case is what a tap makes of an exchange, beside the exchange itself.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "support/analysis.h"
#include "synth/script.h"

namespace iwarpscope::test {
namespace {

using qp::Blame;
using qp::Confidence;
using Frames = synth::Frames;

Frames played(std::string_view script) {
  return synth::play(std::string(script));
}

/// Without the frames of these numbers, which begin with 1.
Frames without(Frames frames, std::vector<std::size_t> numbers) {
  std::sort(numbers.rbegin(), numbers.rend());
  for (const std::size_t n : numbers) frames.erase(frames.begin() + static_cast<std::ptrdiff_t>(n - 1));
  return frames;
}

/// Frame `from` comes after frame `to` in the file.
Frames moved(Frames frames, std::size_t from, std::size_t to) {
  const auto begin = frames.begin();
  std::rotate(begin + static_cast<std::ptrdiff_t>(from - 1), begin + static_cast<std::ptrdiff_t>(from),
              begin + static_cast<std::ptrdiff_t>(to));
  return frames;
}

bool blames_end(const qp::VerdictRecord& v) {
  return v.blame == Blame::a || v.blame == Blame::b;
}

// ---- keep-alives, and what was really sent again ----

TEST(Evidence, AKeepAliveIsNoRetransmission) {
  const Frames frames =
      played("connect; startup; send a 100; send b 100; send a 300; ack b; wait 30s; keep-alive a octet");
  ASSERT_EQ(frames.size(), 11U);
  const qp::VerdictRecord v = first_verdict(without(frames, {9, 11}));  // the ACK, and the answer to the keep-alive
  EXPECT_NE(v.blame, Blame::path) << v.text;
  EXPECT_FALSE(blames_end(v)) << v.text;
}

TEST(Evidence, OctetsSentAgainWithoutAnAckAreLost) {
  const Frames frames = played(
      "connect; startup; send a 100; send b 100; ack a; capture a; retransmit a delay=0\n"
      "send a 300; wait 30s; connection; connect");
  const qp::VerdictRecord v = first_verdict(frames);
  EXPECT_EQ(v.id, "open.unacknowledged-resent") << v.text;
  EXPECT_EQ(v.blame, Blame::path);
}

TEST(Evidence, ARepeatThatWasAcknowledgedSaysNothingOfLaterOctets) {
  const qp::VerdictRecord v =
      first_verdict(played("connect; startup; send a 100; retransmit a delay=0; send a 300; ack b\n"
                           "send b 10; ack a; alter a last=off; send a 700; reset a"));
  EXPECT_EQ(v.id, "end.reset-early") << v.text;
  EXPECT_EQ(v.blame, Blame::a);
}

// ---- octets that are no FPDUs ----

TEST(Evidence, AnEndThatSentNoFpdusDidNotCompleteItsWork) {
  for (const std::string end : {"close a", "close b", "reset a", "reset b"}) {
    const Frames frames = played("connect; startup nocrc; repeat 5 stream a 1000; send b 10; ack a; " + end);
    const qp::VerdictRecord v = first_verdict(frames);
    EXPECT_EQ(v.blame, Blame::a) << v.text;
    EXPECT_EQ(v.outcome, qp::Outcome::failed) << v.text;
    // With octets missing, it is unknown what was read.
    const qp::VerdictRecord unsure = first_verdict(without(frames, {6}));
    EXPECT_FALSE(blames_end(unsure)) << unsure.text;
  }
}

// ---- which FIN was first ----

constexpr std::string_view kUnanswered = "connect; startup; send a 100; send b 100; read-request a size=100; close a";

TEST(Evidence, TheFinThatTheOtherAcknowledgesWasFirst) {
  const Frames frames = played(kUnanswered);
  ASSERT_EQ(first_verdict(frames).blame, Blame::a);
  // The last frames: both FINs, and the ACK of the second.
  const std::size_t fin = frames.size() - 2;
  const qp::VerdictRecord v = first_verdict(moved(frames, fin, fin + 1));
  EXPECT_EQ(v.id, "end.closed-early") << v.text;
  EXPECT_EQ(v.blame, Blame::a);
}

TEST(Evidence, AFinThatWasAcknowledgedAndNotSeenLeavesOpenWhoClosed) {
  const Frames frames = played("connect; startup reply-markers=on; close a");
  ASSERT_TRUE(blames_end(first_verdict(frames))) << first_verdict(frames).text;
  const qp::VerdictRecord v = first_verdict(without(frames, {frames.size() - 2, frames.size()}));
  EXPECT_FALSE(blames_end(v)) << v.text;
  EXPECT_EQ(v.confidence, Confidence::limited);
}

// ---- octets before the first frame of a direction ----

TEST(Evidence, AnAnswerBeforeTheFirstFrameOfItsDirectionMayHaveBeenSent) {
  const Frames frames = played(
      "capture off; connect; startup; send a 100; send b 100; ack a; capture on\n"
      "send a 100; read-request a size=100; miss b; read-response b; ack a; close a");
  const qp::VerdictRecord v = first_verdict(frames);
  EXPECT_FALSE(blames_end(v)) << v.text;
}

TEST(Evidence, ADirectionThatAcksShowWholeHasNoAnswer) {
  const Frames frames = played(
      "capture off; connect; startup; send a 100; send b 100; ack a; capture on\n"
      "send a 100; send b 10; ack a; read-request a size=100; ack b; close b");
  const qp::VerdictRecord v = first_verdict(frames);
  EXPECT_EQ(v.id, "end.closed-early") << v.text;
  EXPECT_EQ(v.blame, Blame::b);
}

TEST(Evidence, OverSctpAnAnswerMayHavePassedShortlyBeforeTheFirstFrameOfASession) {
  for (const bool shortly : {true, false}) {
    const std::string wait = shortly ? "" : "wait 150ms; ";
    const Frames frames =
        played("sctp; capture off; connect; startup; send a 100; send b 10; capture on; send a 10; send b 10\n" + wait +
               "read-request a size=100; close b; close a");
    const qp::VerdictRecord v = first_verdict(frames);
    EXPECT_EQ(blames_end(v), !shortly) << v.text;
  }
}

// ---- startup in another order ----

TEST(Evidence, WhatIsWrongWithTheRequestGoesBeforeTheReplyToIt) {
  const Frames frames = played("connect; request key=MPA_ID_Rex_Frame; reply; close a");
  const qp::VerdictRecord before = first_verdict(frames);
  ASSERT_TRUE(blames_end(before)) << before.text;
  const qp::VerdictRecord v = first_verdict(moved(frames, 4, 5));
  EXPECT_EQ(v.blame, before.blame) << v.text;
}

TEST(Evidence, WhatFollowsARejectIsNoReasonForIt) {
  const Frames frames = played("connect; request; reply reject; send a 100; close a");
  const qp::VerdictRecord before = first_verdict(frames);
  const qp::VerdictRecord v = first_verdict(moved(frames, 5, 6));
  EXPECT_EQ(v.id, before.id) << v.text;
  EXPECT_EQ(v.blame, before.blame);
}

// ---- octets that could not be read are no unused connection ----

TEST(Evidence, AnFpduThatNeverEndsIsNoUnusedConnection) {
  for (const std::string_view end : {"close a", "close b", "reset a", "reset b"}) {
    for (const std::string_view fault : {"length-too-long", "length-over-maximum", "marker-missing", "header-short"}) {
      const qp::VerdictRecord v =
          first_verdict(played("connect; startup reply-markers=on; fault a " + std::string(fault) +
                               "; send a 600; send a 10; " + std::string(end)));
      EXPECT_NE(v.code, "V-26") << fault << ", " << end << ": " << v.text;
      EXPECT_FALSE(v.outcome == qp::Outcome::completed && v.blame == Blame::none) << fault << ", " << end << v.text;
    }
  }
  EXPECT_EQ(first_verdict(played("connect; startup; close a")).code, "V-26");
}

// ---- Terminates ----

TEST(Evidence, ABadCrcAfterTheTerminateInTheFileCountsAsBadAtTheTap) {
  const Frames frames = played(
      "connect; startup crc; send a 100; send b 100; fault a crc-mismatch; send a 100\n"
      "terminate b layer=2 type=0 code=2; close b");
  const auto terminate = static_cast<std::size_t>(
      std::find_if(frames.begin(), frames.end(), [](const auto& f) { return f.octets.size() == 94; }) - frames.begin());
  ASSERT_LT(terminate, frames.size());
  ASSERT_EQ(first_verdict(frames).id, "terminate.crc-wrong-at-tap") << first_verdict(frames).text;
  const qp::VerdictRecord v = first_verdict(moved(frames, terminate, terminate + 1));
  EXPECT_EQ(v.id, "terminate.crc-wrong-at-tap") << v.text;
}

TEST(Evidence, AnotherPayloadProtocolIsABreachOfTheSessionOnItsStream) {
  const qp::VerdictRecord v =
      first_verdict(played("sctp; connect; startup; send a 100; send b 100; alter a ppid=40; send a 100; abort b"));
  EXPECT_EQ(v.blame, Blame::a) << v.text;
  EXPECT_NE(v.text.find("SC-02"), std::string::npos) << v.text;
  const qp::VerdictRecord good =
      first_verdict(played("sctp; connect; startup; send a 100; send b 100; send a 100; abort b"));
  EXPECT_EQ(good.blame, Blame::none) << good.text;
}

// ---- what follows a rejection is no reason for it ----

TEST(Evidence, AnFpduAfterARejectionIsNoReasonForItWhereverTheRequestIs) {
  const Frames frames = played("connect; request; reply reject; ack a; send b 100; close b");
  ASSERT_GE(frames.size(), 7U);
  for (std::size_t to = 4; to <= frames.size(); ++to) {
    const qp::VerdictRecord v = first_verdict(moved(frames, 4, to));
    EXPECT_NE(v.code, "V-02") << to << ": " << v.text;
  }
  EXPECT_EQ(first_verdict(frames).code, "V-01");
}

TEST(Evidence, AnErrorInTheRequestIsAReasonForTheRejection) {
  const qp::VerdictRecord v = first_verdict(played("connect; request rev=3; reply rev=1 reject; close b"));
  EXPECT_EQ(v.code, "V-02") << v.text;
  EXPECT_EQ(v.blame, Blame::a) << v.text;
}

}  // namespace
}  // namespace iwarpscope::test
