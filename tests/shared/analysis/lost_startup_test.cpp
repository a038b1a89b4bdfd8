// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Connections whose MPA startup the capture lacks, and ends that are captured before what explains them: what is in the
// file is read all the same.
#include <gtest/gtest.h>

#include <string>

#include "late_responder.h"
#include "support/analysis.h"
#include "synth/script.h"

namespace iwarpscope::test {
namespace {

/// Messages of a direction, and how many octets the capture lacks of both.
struct Read {
  std::size_t from_a = 0, from_b = 0;
  std::uint64_t lacking = 0;
};
Read read_of(const synth::Frames& frames) {
  const Report report = analyze(frames);
  Read read;
  for (const qp::MessageRecord& m : report.messages) ++(m.direction == Direction::a_to_b ? read.from_a : read.from_b);
  for (const qp::QpRecord& q : report.qps) {
    for (const qp::DirectionRecord& d : q.directions) read.lacking += d.capture_gap_octets;
  }
  return read;
}

TEST(LostStartup, OfAShortConnectionIsReadFromItsMessages) {
  const std::string messages = "repeat 3 send a 100; repeat 3 send b 100; ";
  for (const std::string end : {"close", "reset a", "reset b"}) {
    const Read read = read_of(synth::play("connect; miss a; request; miss b; reply; " + messages + end));
    EXPECT_EQ(read.from_a, 3u) << end;
    EXPECT_EQ(read.from_b, 3u) << end;
    EXPECT_EQ(read.lacking, 40u) << end << ": the Request and the Reply";
  }
}

TEST(LostStartup, WithMoreSegmentsThanAreHeldLosesNone) {
  for (const int count : {31, 32, 33, 70}) {
    const std::string repeat = "repeat " + std::to_string(count) + " ";
    const Read read =
        read_of(synth::play("connect; miss a; request; miss b; reply; send a 100; " + repeat + "send b 100; close"));
    EXPECT_EQ(read.from_a, 1u) << count;
    EXPECT_EQ(read.from_b, static_cast<std::size_t>(count));
    EXPECT_EQ(read.lacking, 40u) << count;
  }
}

TEST(HoleOfASkewedCapture, CostsItsOwnOctets) {
  for (const std::int64_t ns : {0, 20'000, 50'000, 300'000}) {
    const Read read = read_of(late_responder(
        "connect; startup; send a 100; miss a; send a 100; send a 100; send b 100; send a 100; send b 100; close", ns));
    EXPECT_EQ(read.from_a, 3u) << ns;
    EXPECT_EQ(read.from_b, 2u) << ns;
    EXPECT_EQ(read.lacking, 124u) << ns;
  }
}

TEST(HoleOfASkewedCapture, OfOneOctetIsNotTakenForAFin) {
  const Read read =
      read_of(late_responder("connect; startup; send a 100; cut a 1,700; miss a; send a 100; send a 100; "
                             "send b 100; send a 100; send b 100; close",
                             50'000));
  EXPECT_EQ(read.from_b, 2u);
  EXPECT_EQ(read.lacking, 1u);
}

TEST(ResponderThatSendsFirst, IsBlamedWhateverItsFramesLookLike) {
  for (const std::string script : {"connect; startup; send b 100; reset a", "connect; startup; send b 100; close a",
                                   "connect; startup; alter b crc-value=0; send b 100; reset a"}) {
    for (const std::int64_t ns : {0, 50'000, 5'000'000}) {
      const Report report = analyze(late_responder(script, ns));
      EXPECT_EQ(report.count(findings::FindingId::mpa_responder_sends_first), 1u) << script << ns;
      ASSERT_TRUE(report.qps.at(0).verdict) << script;
      EXPECT_EQ(report.qps.at(0).verdict->outcome, qp::Outcome::failed) << script << ns;
      EXPECT_EQ(report.qps.at(0).verdict->blame, qp::Blame::b) << script << ns;
    }
  }
  // It answers the Initiator's first FPDU: an RST is no more than that.
  const Report answered = analyze(late_responder("connect; startup; send a 10; send b 100; reset a", 50'000));
  EXPECT_EQ(answered.count(findings::FindingId::mpa_responder_sends_first), 0u);
}

}  // namespace
}  // namespace iwarpscope::test
