// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// RSTs: who ended startup by them, what startup frames they cut off, and which octets they show to be missing.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

#include "base/capture_outages.h"
#include "late_responder.h"
#include "support/analysis.h"
#include "synth/script.h"

namespace iwarpscope::test {
namespace {

using enum findings::FindingId;

qp::VerdictRecord first_verdict_of(const Report& report) {
  return report.qps.empty() ? qp::VerdictRecord{} : report.qps.front().verdict.value_or(qp::VerdictRecord{});
}

std::string all_of(const Report& report) {
  return report.codes() + "\n" + first_verdict_of(report).text;
}

bool says(const Report& report, std::string_view part) {
  return first_verdict_of(report).text.find(part) != std::string::npos;
}

constexpr std::string_view kResetShowsMore = "reset shows octets that are not in the capture";

// Frames of Ethernet, IPv4 without options, TCP.
constexpr std::size_t kSequence = 34 + 4, kChecksum = 34 + 16;

std::uint32_t load(const synth::Frame& f, std::size_t at, std::size_t octets) {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < octets; ++i) value = value << 8 | std::to_integer<std::uint32_t>(f.octets.at(at + i));
  return value;
}

void store(synth::Frame& f, std::size_t at, std::size_t octets, std::uint32_t value) {
  for (std::size_t i = octets; i-- > 0; value >>= 8) f.octets.at(at + i) = static_cast<std::byte>(value & 0xFF);
}

/// With a right checksum again. Source: RFC 1624 §3.
void set_sequence(synth::Frame& f, std::uint32_t sequence) {
  const std::uint32_t old = load(f, kSequence, 4);
  std::uint64_t sum = std::uint64_t{~load(f, kChecksum, 2) & 0xFFFF} + (~old >> 16) + (~old & 0xFFFF) +
                      (sequence >> 16) + (sequence & 0xFFFF);
  while (sum >> 16 != 0) sum = (sum & 0xFFFF) + (sum >> 16);
  store(f, kSequence, 4, sequence);
  store(f, kChecksum, 2, static_cast<std::uint32_t>(~sum & 0xFFFF));
}

/// The RST that ends `text; reset a`, `ahead` octets too far.
synth::Frame blind_reset(const std::string& text, std::uint32_t ahead) {
  synth::Frame f = synth::play(text + "; reset a").back();
  set_sequence(f, load(f, kSequence, 4) + ahead);
  return f;
}

struct Script {
  std::string name, text;
};
void PrintTo(const Script& s, std::ostream* out) {
  *out << s.name;
}
constexpr auto kNameOf = [](const auto& info) { return info.param.name; };

class LostReply : public testing::TestWithParam<Script> {};

TEST_P(LostReply, ThenAResetOfTheInitiatorIsAGapAndNoCloseOfTheResponder) {
  const Report report = analyze(synth::play(GetParam().text));
  ASSERT_EQ(report.qps.size(), 1u);
  EXPECT_EQ(report.count(mpa_closed_without_reply), 0u) << all_of(report);
  EXPECT_EQ(report.count(mpa_closed_after_reject), 0u) << all_of(report);
  EXPECT_EQ(report.count(capture_one_sided), 0u) << all_of(report);
  EXPECT_EQ(report.count(capture_gap), 1u) << all_of(report);
  EXPECT_EQ(report.errors(), 0u) << all_of(report);
  EXPECT_TRUE(says(report, "the capture may lack the answer")) << all_of(report);
}

INSTANTIATE_TEST_SUITE_P(
    Startup, LostReply,
    testing::Values(Script{"Revision1", "connect; request; miss b; reply; ack a; wait 3s; reset a"},
                    Script{"AtOnce", "connect; request; miss b; reply; ack a; reset a"},
                    Script{"IPv6",
                           "end a address=fd00::1; end b address=fd00::2; connect; request; miss b; reply\n"
                           "ack a; wait 3s; reset a"},
                    Script{"Rejecting", "connect; request; miss b; reply reject; ack a; wait 3s; reset a"},
                    Script{"Markers", "connect; request markers; miss b; reply markers; ack a; wait 3s; reset a"},
                    Script{"AckedByTheResponder", "connect; request; ack b; miss b; reply; ack a; wait 3s; reset a"},
                    Script{"Revision2",
                           "connect; request rev=2 ird=4 ord=4; miss b; reply rev=2 ird=4 ord=4; ack a\n"
                           "wait 3s; reset a"},
                    Script{"CaptureEndsAtOnce", "connect; request; miss b; reply; ack a"},
                    Script{"ClosedByTheResponder", "connect; request; miss b; reply reject; ack a; close b"}),
    kNameOf);

TEST(LostReplyNearMiss, TheResponderResetsWithoutAReply) {
  const Report report = analyze(synth::play("connect; request; ack b; wait 3s; reset b"));
  EXPECT_EQ(report.count(mpa_closed_without_reply), 1u) << all_of(report);
}

TEST(LostReplyNearMiss, MoreThanAFrameIsMissingAndNothingButTheHandshakeWasSeen) {
  const Report report = analyze(synth::play("connect; capture a; startup; repeat 4 send b 1000; ack a; close"));
  EXPECT_EQ(report.count(capture_one_sided), 1u) << all_of(report);
  EXPECT_EQ(report.count(capture_gap), 0u) << all_of(report);
}

TEST(LostReplyNearMiss, NothingOfTheResponderWasSeen) {
  const Report report = analyze(synth::play("capture a; connect; startup; repeat 4 send a 100; close"));
  EXPECT_EQ(report.count(capture_one_sided), 1u) << all_of(report);
  EXPECT_EQ(report.count(capture_gap), 0u) << all_of(report);
}

struct Cut {
  std::string name, text;
  findings::FindingId raised;
  std::string verdict = {};  ///< part of its text
};
void PrintTo(const Cut& c, std::ostream* out) {
  *out << c.name;
}

class StartupFrameCutByAReset : public testing::TestWithParam<Cut> {};

TEST_P(StartupFrameCutByAReset, IsReportedAndNoMissingAnswer) {
  const Report report = analyze(synth::play(GetParam().text));
  ASSERT_EQ(report.qps.size(), 1u) << all_of(report);
  EXPECT_EQ(report.count(GetParam().raised), 1u) << all_of(report);
  EXPECT_EQ(report.errors(), 1u) << all_of(report);
  EXPECT_EQ(report.count(mpa_closed_without_reply), 0u) << all_of(report);
  EXPECT_FALSE(says(report, "without an answer to")) << all_of(report);
  EXPECT_TRUE(says(report, GetParam().verdict)) << all_of(report);
}

INSTANTIATE_TEST_SUITE_P(
    Startup, StartupFrameCutByAReset,
    testing::Values(Cut{"ReplyTooLongResetByItsSender", "connect; request; reply length=3000; wait 3s; reset b",
                        mpa_private_data_too_long, "had broken rule mpa.private-data-too-long"},
                    Cut{"ReplyTooLongRevision2",
                        "connect; request rev=2 ird=1 ord=1\nreply rev=2 ird=1 ord=1 length=3000; reset b",
                        mpa_private_data_too_long, "had broken rule mpa.private-data-too-long"},
                    Cut{"ReplyTooLongResetByTheOther", "connect; request; reply length=513; wait 3s; reset a",
                        mpa_private_data_too_long, "The Initiator 10.0.0.1:40000 ended the connection in frame 6"},
                    Cut{"ReplyTooLongResetAtOnce", "connect; request; reply length=3000; reset a",
                        mpa_private_data_too_long, "had broken rule mpa.private-data-too-long"},
                    Cut{"ReplyTooLongMarkers", "connect; request markers; reply markers length=3000; reset a",
                        mpa_private_data_too_long, "had broken rule mpa.private-data-too-long"},
                    Cut{"ReplyNeverWhole", "connect; request; reply length=40; wait 3s; reset a", mpa_startup_cut_short,
                        "had broken rule mpa.startup-cut-short"},
                    Cut{"ReplyResetInside", "connect; request; reply length=40; reset b", mpa_startup_cut_short,
                        "had broken rule mpa.startup-cut-short"},
                    Cut{"RequestNeverWhole", "connect; request length=20; ack b; wait 3s; reset b",
                        mpa_startup_cut_short, "had broken rule mpa.startup-cut-short"},
                    Cut{"RequestResetInside", "connect; request length=20; ack b; reset a", mpa_startup_cut_short}),
    kNameOf);

class StartupFrameThatMayBeWhole : public testing::TestWithParam<Script> {};

TEST_P(StartupFrameThatMayBeWhole, IsNotReported) {
  const Report report = analyze(synth::play(GetParam().text));
  ASSERT_EQ(report.qps.size(), 1u) << all_of(report);
  EXPECT_EQ(report.errors(), 0u) << all_of(report);
}

INSTANTIATE_TEST_SUITE_P(
    Startup, StartupFrameThatMayBeWhole,
    testing::Values(Script{"RestOnItsWay", "connect; request; reply length=40; wait 500ms; reset a"},
                    Script{"RestOfTheRequestOnItsWay", "connect; request length=20; ack b; reset b"},
                    Script{"RestNotCaptured",
                           "connect; request; reply length=40; miss b; stream b 20; ack a; wait 3s; reset a"},
                    Script{"OctetsBehindALongOneNotCaptured",
                           "connect; request; reply length=3000; miss b; stream b 600; ack a; wait 3s; reset a"},
                    Script{"OctetsBehindALongOneNotCapturedResetBySender",
                           "connect; request; reply length=3000; miss b; stream b 600; ack a; wait 3s; reset b"},
                    Script{"CutOff", "snap 90; connect; request; reply length=3000; stream b 600; ack a; reset a"},
                    Script{"WholeAtLast", "connect; request; reply length=40; wait 3s; stream b 40; ack a; reset a"}),
    kNameOf);

TEST(StartupFrameThatMayBeWhole, IsNotReportedWhereTheCaptureDroppedFrames) {
  const synth::Frames frames = synth::play("connect; request; reply length=40; wait 3s; reset a");
  CaptureOutages outages;
  const TimePoint end{frames.back().time_ns};
  outages.add(
      {.from = TimePoint{end.ns - 2'000'000'000}, .to = TimePoint{end.ns - 1'000'000'000}, .lost_frames = true});
  const Report report = analyze(frames, {.messages = true, .outages = &outages});
  EXPECT_EQ(report.errors(), 0u) << all_of(report);
}

TEST(RequestCutByAReset, HasAQueuePairAndBlamesNoEndForTheAnswer) {
  const Report report = analyze(synth::play("connect; request length=20; ack b; reset b"));
  ASSERT_EQ(report.qps.size(), 1u);
  EXPECT_TRUE(says(report, "reset the connection in frame 6")) << all_of(report);
  EXPECT_EQ(first_verdict_of(report).blame, qp::Blame::unknown) << all_of(report);
}

TEST(ResetBeforeLateOctets, ShowsNothingThatIsMissing) {
  const std::string text = "connect; startup; send a 100; repeat 8 send b 100; ack a; reset a";
  for (const std::int64_t ns : {10'000, 100'000, 1'000'000, 5'000'000}) {
    const Report report = analyze(late_responder(text, ns));
    EXPECT_FALSE(says(report, kResetShowsMore)) << ns << all_of(report);
    EXPECT_TRUE(says(report, "no operation was outstanding")) << ns << all_of(report);
  }
}

TEST(ResetBeforeLateOctets, OfWhichSomeNeverComeShowsThem) {
  const std::string text = "connect; startup; send a 100; repeat 3 send b 100; ack a; miss b; send b 100; reset a";
  for (const std::int64_t ns : {0, 1'000'000}) {
    const Report report = analyze(late_responder(text, ns));
    EXPECT_TRUE(says(report, kResetShowsMore)) << ns << all_of(report);
  }
}

TEST(ResetOfACaptureWithoutSyns, ThatFitsShowsNothingMissing) {
  for (const std::string by : {"a", "b"}) {
    const Report report = analyze(synth::play("startup; send a 100; send b 100; reset " + by));
    EXPECT_FALSE(says(report, kResetShowsMore)) << all_of(report);
    EXPECT_TRUE(says(report, "no operation was outstanding")) << all_of(report);
  }
}

TEST(ResetOfACaptureWithoutSyns, ThatAcknowledgesMoreShowsIt) {
  const Report report = analyze(synth::play("startup; send a 100; send b 100; miss b; send b 100; reset a"));
  EXPECT_TRUE(says(report, "its last octets are not known")) << all_of(report);
}

TEST(BlindReset, BeforeACloseAtALowerNumberIsIgnored) {
  const std::string before = "connect; startup; send a 100; send b 100; ack a";
  const std::size_t place = synth::play(before).size();
  for (const std::uint32_t ahead : {2u, 1000u, 30'000u}) {
    for (const std::int64_t wait_ns : {0, 5'000'000, 20'000'000, 90'000'000}) {
      synth::Frames frames = synth::play(before + "; wait " + std::to_string(wait_ns) + "ns; close");
      synth::Frame reset = blind_reset(before, ahead);
      reset.time_ns = frames.at(place - 1).time_ns + 1000;
      frames.insert(frames.begin() + static_cast<std::ptrdiff_t>(place), reset);
      const Report report = analyze(frames);
      EXPECT_FALSE(says(report, kResetShowsMore)) << ahead << " " << wait_ns << all_of(report);
      EXPECT_TRUE(says(report, "was closed normally")) << ahead << " " << wait_ns << all_of(report);
      EXPECT_EQ(report.count(tcp_ignored_control), 1u) << ahead << " " << wait_ns << all_of(report);
    }
  }
}

TEST(BlindReset, FarOutOfTheWindowAtTheEndShowsNothing) {
  const std::string before = "connect; startup; send a 100; send b 100; ack a";
  synth::Frames frames = synth::play(before);
  frames.push_back(blind_reset(before, 900'000'000));
  const Report report = analyze(frames);
  EXPECT_FALSE(says(report, kResetShowsMore)) << all_of(report);
  EXPECT_EQ(first_verdict_of(report).confidence, qp::Confidence::certain) << all_of(report);
}

TEST(BlindReset, InTheWindowAtTheEndShowsOctetsThatAreMissing) {
  const std::string before = "connect; startup; send a 100; send b 100; ack a";
  synth::Frames frames = synth::play(before);
  frames.push_back(blind_reset(before, 1000));
  EXPECT_TRUE(says(analyze(frames), kResetShowsMore)) << all_of(analyze(frames));
}

}  // namespace
}  // namespace iwarpscope::test
