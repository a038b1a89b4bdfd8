// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Silence that a capture outage may explain: it is reported, and neither end is blamed.
#include "base/capture_outages.h"
#include "verdict_scripts.h"

namespace iwarpscope::test {
namespace {

/// A stretch before the end of the capture. Units: seconds.
struct Outage {
  double from, to;
  bool lost_frames = false;
};

Report analyze_with_outages(const synth::Frames& frames, const std::vector<Outage>& stretches) {
  CaptureOutages outages;
  const auto before_end = [&](double seconds) {
    return TimePoint{frames.back().time_ns - static_cast<std::int64_t>(seconds * 1e9)};
  };
  for (const Outage& d : stretches) {
    outages.add(
        {.from = before_end(d.from), .to = before_end(d.to), .lost_frames = d.lost_frames, .was_down = !d.lost_frames});
  }
  return analyze(frames, {.messages = true, .outages = &outages});
}

qp::VerdictRecord last_verdict_of(const Report& report) {
  return report.qps.empty() ? qp::VerdictRecord{} : report.qps.back().verdict.value_or(qp::VerdictRecord{});
}

bool says(const qp::VerdictRecord& v, std::string_view part) {
  return v.text.find(part) != std::string::npos;
}

/// A script that ends in 30 s of silence, for which one end is blamed.
struct Silence {
  std::string name;
  std::function<synth::Frames()> traffic;
};
void PrintTo(const Silence& s, std::ostream* out) {
  *out << s.name;
}

class OutageVerdict : public testing::TestWithParam<Silence> {
 protected:
  const synth::Frames frames_ = GetParam().traffic();
};

TEST_P(OutageVerdict, WithoutOutage_TheStallIsReported) {
  const qp::VerdictRecord v = last_verdict_of(analyze_with_outages(frames_, {}));
  EXPECT_EQ(name(v.outcome), name(Outcome::stalled)) << v.text;
  EXPECT_NE(name(v.blame), name(Blame::unknown)) << v.text;
  EXPECT_NE(name(v.blame), name(Blame::none)) << v.text;
}

TEST_P(OutageVerdict, OutageBeforeTheConnection_NothingChanges) {
  const qp::VerdictRecord whole = last_verdict_of(analyze_with_outages(frames_, {}));
  const qp::VerdictRecord v = last_verdict_of(analyze_with_outages(frames_, {{300, 40}, {36, 35, true}}));
  EXPECT_EQ(v.text, whole.text);
  EXPECT_EQ(name(v.blame), name(whole.blame));
  EXPECT_EQ(name(v.confidence), name(whole.confidence));
}

TEST_P(OutageVerdict, DownForMostOfTheSilence_IsNoStall) {
  const qp::VerdictRecord v = last_verdict_of(analyze_with_outages(frames_, {{29.9, 0.5}}));
  EXPECT_EQ(name(v.outcome), name(Outcome::running)) << v.text;
  EXPECT_EQ(name(v.blame), name(Blame::none)) << v.text;
  EXPECT_EQ(name(v.confidence), name(Confidence::limited)) << v.text;
  EXPECT_TRUE(says(v, "An interface of the capture was down for 29 s meanwhile: ")) << v.text;
}

TEST_P(OutageVerdict, FramesLostAllTheTime_IsNoStall) {
  const qp::VerdictRecord v = last_verdict_of(analyze_with_outages(frames_, {{29.9, 20, true}, {19.9, 0, true}}));
  EXPECT_EQ(name(v.outcome), name(Outcome::running)) << v.text;
  EXPECT_EQ(name(v.blame), name(Blame::none)) << v.text;
  EXPECT_EQ(name(v.confidence), name(Confidence::limited)) << v.text;
  EXPECT_TRUE(says(v, "The capture itself lost frames: ")) << v.text;
}

TEST_P(OutageVerdict, OutageDuringAPartOfTheSilence_IsAStallWithoutBlame) {
  const qp::VerdictRecord v = last_verdict_of(analyze_with_outages(frames_, {{20, 10}}));
  EXPECT_EQ(name(v.outcome), name(Outcome::stalled)) << v.text;
  EXPECT_EQ(name(v.blame), name(Blame::unknown)) << v.text;
  EXPECT_EQ(name(v.confidence), name(Confidence::limited)) << v.text;
  EXPECT_TRUE(says(v, "down for 10 s")) << v.text;
  EXPECT_NE(v.next.find("See why an interface of the capture was down."), std::string::npos) << v.next;
}

INSTANTIATE_TEST_SUITE_P(Script, OutageVerdict,
                         testing::Values(Silence{"ReadUnanswered", script(ask_to_read, 30 * kSecond)},
                                         Silence{"StoppedInsideAMessage", script(stop_inside_a_message, 30 * kSecond)},
                                         Silence{"WindowClosed", script(close_the_window, 30 * kSecond)},
                                         Silence{"RequestUnanswered", script(send_a_request, 30 * kSecond)},
                                         Silence{"NoRtrMessage", script(send_no_rtr, 30 * kSecond)},
                                         Silence{"DataNeverAcknowledged", [] { return never_acknowledged(true); }}),
                         kCaseName);

TEST(OutageVerdictOverTime, OutageWhileNoEndWaited_TheLaterStallIsBlamedOnTheSilentEnd) {
  const auto traffic = script(
      [](Connection& c) {
        send_one(c);
        c.wait(20 * kSecond);
        c.read_request(kI, {.size = 100});
        c.acknowledge(kR);
      },
      30 * kSecond);
  const qp::VerdictRecord v = last_verdict_of(analyze_with_outages(traffic(), {{48, 35}, {34, 33, true}}));
  EXPECT_EQ(name(v.outcome), name(Outcome::stalled)) << v.text;
  EXPECT_EQ(name(v.blame), name(Blame::b)) << v.text;
  EXPECT_EQ(name(v.confidence), name(Confidence::likely)) << v.text;
  EXPECT_FALSE(says(v, "capture")) << v.text;
}

TEST(OutageVerdictOverTime, ClosedInOrder_LossesAfterItsEndDoNotMatter) {
  const qp::VerdictRecord v =
      last_verdict_of(analyze_with_outages(script(close_both_sides, 30 * kSecond)(), {{29, 0, true}}));
  EXPECT_EQ(name(v.outcome), name(Outcome::completed)) << v.text;
  EXPECT_EQ(name(v.confidence), name(Confidence::certain)) << v.text;
}

TEST(OutageVerdictOverTime, ResetAfterWaiting_IsNotBlamedIfTheAnswerMayHavePassed) {
  const synth::Frames frames = script(reset_after_waiting_for_a_read, 10 * kSecond)();
  const qp::VerdictRecord during = last_verdict_of(analyze_with_outages(frames, {{30, 20}}));
  EXPECT_EQ(name(during.blame), name(Blame::unknown)) << during.text;
  EXPECT_TRUE(says(during, "what came before the reset may have passed then")) << during.text;
  for (const Outage& elsewhere : {Outage{9, 1}, Outage{60, 50}}) {
    const qp::VerdictRecord v = last_verdict_of(analyze_with_outages(frames, {elsewhere}));
    EXPECT_EQ(name(v.blame), name(Blame::b)) << v.text;
    EXPECT_EQ(name(v.confidence), name(Confidence::likely)) << v.text;
  }
}

TEST(OutageVerdictOverTime, GivenUpWithAReset_IsNotBlamedIfTheReplyMayHavePassed) {
  const auto traffic = script([](Connection& c) {
    c.request(synth::request_frame({}));
    c.acknowledge(kR);
    c.wait(8 * kSecond);
    c.reset(kI);
  });
  EXPECT_EQ(name(last_verdict_of(analyze_with_outages(traffic(), {})).blame), name(Blame::b));
  const qp::VerdictRecord v = last_verdict_of(analyze_with_outages(traffic(), {{6, 4}}));
  EXPECT_EQ(name(v.blame), name(Blame::unknown)) << v.text;
  EXPECT_EQ(name(v.confidence), name(Confidence::limited)) << v.text;
}

TEST(OutageFindings, ASlowStartupIsNotReported) {
  const auto traffic = script([](Connection& c) {
    c.request(synth::request_frame({}));
    c.acknowledge(kR);
    c.wait(12 * kSecond);
    c.reply(synth::reply_frame({}));
    c.close(kI);
  });
  EXPECT_EQ(analyze_with_outages(traffic(), {}).count(findings::FindingId::mpa_startup_slow), 1u);
  EXPECT_EQ(analyze_with_outages(traffic(), {{30, 20}}).count(findings::FindingId::mpa_startup_slow), 1u);
  EXPECT_EQ(analyze_with_outages(traffic(), {{6, 4}}).count(findings::FindingId::mpa_startup_slow), 0u);
}

TEST(OutageFindings, AResetInTheMiddleOfWorkIsNotReported) {
  const auto traffic = script([](Connection& c) {
    ask_to_read(c);
    c.wait(8 * kSecond);
    c.reset(kI);
  });
  EXPECT_EQ(analyze_with_outages(traffic(), {}).count(findings::FindingId::rdmap_reset_inside_message), 1u);
  EXPECT_EQ(analyze_with_outages(traffic(), {{30, 20}}).count(findings::FindingId::rdmap_reset_inside_message), 1u);
  EXPECT_EQ(analyze_with_outages(traffic(), {{6, 4}}).count(findings::FindingId::rdmap_reset_inside_message), 0u);
}

TEST(OutageFindings, ManyStartupsWithoutAnAnswerAreNotReported) {
  synth::Frames frames;
  for (std::uint16_t i = 0; i < 6; ++i) {
    synth::ConnectionOptions options;
    options.initiator.port = static_cast<std::uint16_t>(40000 + i);
    Connection c(options);
    c.wait(i * kSecond);
    c.connect();
    send_a_request(c);
    frames = synth::merge({frames, c.frames()});
  }
  synth::ConnectionOptions options;
  options.initiator.port = 41000;
  Connection last(options);
  last.wait(40 * kSecond);
  last.connect();
  frames = synth::merge({frames, last.frames()});
  EXPECT_EQ(analyze_with_outages(frames, {}).count(findings::FindingId::mpa_many_startups), 1u);
  EXPECT_EQ(analyze_with_outages(frames, {{100, 60}}).count(findings::FindingId::mpa_many_startups), 1u);
  EXPECT_EQ(analyze_with_outages(frames, {{30, 29}}).count(findings::FindingId::mpa_many_startups), 0u);
}

}  // namespace
}  // namespace iwarpscope::test
