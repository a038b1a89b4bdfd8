// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Over SCTP few packets carry a SACK, so a response does not show which requests its sender had received. What is wrong
// with it is reported at the end, when no request came that it could answer.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "support/analysis.h"
#include "synth/script.h"

namespace iwarpscope::test {
namespace {

using findings::FindingId;

// The second one of each two packets with DATA is acknowledged at once, by a packet of its own: that of the response
// has no SACK.
constexpr std::string_view kSessionBegins =
    "sctp; connect; startup p2p ird=16 ord=16 offer=read; flush; rtr read; flush; send a 64; flush; send a 10; flush; "
    "wait 2ms; ";
constexpr std::string_view kOneRead =
    "send a 10; flush; read-request a size=100 sink-stag=0x3000 sink-to=0x1000; flush; wait 2ms; ";
constexpr std::string_view kSessionEnds = "ack a; ack b; wait 3s; session b terminate; session a terminate; shutdown";

struct Wrong {
  std::string_view messages;  ///< with kOneRead in the place of R
  FindingId id;
};
constexpr Wrong kWrongResponses[] = {
    {"tagged b stag=0x3000 to=0x1000 opcode=2 100", FindingId::rdmap_read_response_unrequested},
    {"R fault b stag-other; read-response b", FindingId::rdmap_read_response_stag_wrong},
    {"R tagged b stag=0x3000 to=0x2000 opcode=2 100", FindingId::rdmap_read_response_to_wrong},
    {"R read-response b 40", FindingId::rdmap_read_response_length_wrong},
    {"R read-response b 200", FindingId::rdmap_read_response_length_wrong},
};

std::string script_of(std::string_view messages, std::string_view end) {
  std::string text(messages);
  if (text.starts_with("R ")) text.replace(0, 2, kOneRead);
  return std::string(kSessionBegins) + text + "; flush; " + std::string(end);
}

constexpr FindingId kAboutResponses[] = {
    FindingId::rdmap_read_response_unrequested,       FindingId::rdmap_read_response_stag_wrong,
    FindingId::rdmap_read_response_to_wrong,          FindingId::rdmap_read_response_length_wrong,
    FindingId::rdmap_zero_length_read_response_wrong, FindingId::rdmap_response_before_request};

std::size_t all_of(const Report& report) {
  std::size_t count = 0;
  for (const FindingId id : kAboutResponses) count += report.count(id);
  return count;
}

TEST(DoubtedResponse, IsReportedAtTheEndOfTheSession) {
  for (const Wrong& w : kWrongResponses) {
    const std::string script = script_of(w.messages, kSessionEnds);
    const Report report = analyze(synth::play(script));
    EXPECT_EQ(report.count(w.id), 1U) << script;
    EXPECT_EQ(all_of(report), 1U) << script;
  }
}

TEST(DoubtedResponse, IsReportedAtTheTerminateThatRefusesIt) {
  for (const Wrong& w : kWrongResponses) {
    const std::string script = script_of(w.messages, "terminate a layer=1 type=1 code=0; abort a");
    const Report report = analyze(synth::play(script));
    EXPECT_EQ(report.count(w.id), 1U) << script;
    EXPECT_EQ(name(report.qps.front().verdict->blame), name(qp::Blame::b)) << report.qps.front().verdict->text;
  }
}

TEST(DoubtedResponse, IsNotReportedOfARightOne) {
  for (const std::string_view right : {"R read-response b 100", "R read-response b 100; send a 10; send b 10"}) {
    const Report report = analyze(synth::play(script_of(right, kSessionEnds)));
    EXPECT_EQ(all_of(report), 0U) << right;
  }
}

/// The request comes after its response in the capture, whose ports were merged in another order.
TEST(DoubtedResponse, IsNotReportedWhereARequestComesThatItMayAnswer) {
  for (const Wrong& w : kWrongResponses) {
    const std::string script = script_of(w.messages, std::string(kOneRead) + std::string(kSessionEnds));
    EXPECT_EQ(all_of(analyze(synth::play(script))), 0U) << script;
  }
}

/// An ABORT shows nothing of what came before it, and a capture that lacks something nothing of all that was asked for.
TEST(DoubtedResponse, IsNotReportedWhereSomethingMayBeMissing) {
  for (const Wrong& w : kWrongResponses) {
    for (const std::string_view end :
         {"abort a", "miss a; send a 10; send a 10; flush; session b terminate; session a terminate; shutdown"}) {
      const std::string script = script_of(w.messages, end);
      EXPECT_EQ(all_of(analyze(synth::play(script))), 0U) << script;
    }
  }
}

/// The end that waited in vain may have been given up for its own answer.
TEST(DoubtedResponse, MakesItsSenderNoVictim) {
  const std::string_view waits = "read-request b size=50; ack a; wait 30s; abort b";
  const qp::VerdictRecord wrong = first_verdict(synth::play(script_of("R fault b stag-other; read-response b", waits)));
  EXPECT_EQ(name(wrong.blame), name(qp::Blame::unknown)) << wrong.text;
  const qp::VerdictRecord right = first_verdict(synth::play(script_of("R read-response b 100", waits)));
  EXPECT_EQ(name(right.blame), name(qp::Blame::a)) << right.text;
  // It was not minded.
  const qp::VerdictRecord minded = first_verdict(
      synth::play(script_of("R fault b stag-other; read-response b; flush; send a 10; flush; send a 10", waits)));
  EXPECT_EQ(name(minded.blame), name(qp::Blame::a)) << minded.text;
}

}  // namespace
}  // namespace iwarpscope::test
