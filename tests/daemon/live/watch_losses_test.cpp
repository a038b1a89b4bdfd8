// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// What a Watch counts, and what it says of what the capture lost.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "daemon/live/watch_kit.h"

namespace iwarpscope::live {
namespace {

using namespace std::chrono_literals;
using synth::Side;
using test::FramesIntake;

TEST(Watch, FramesThatASnapLengthCut_AreCountedWhileItRuns) {
  synth::Connection c;
  c.connect();
  c.startup();
  for (int i = 0; i < 4; ++i) c.send(Side::initiator, 400);
  synth::Frames frames = c.frames();
  std::uint64_t cut = 0;
  for (synth::Frame& frame : frames) {
    if (frame.octets.size() <= 96) continue;
    frame.original_length = static_cast<std::uint32_t>(frame.octets.size());
    frame.octets.resize(96);
    ++cut;
  }
  ASSERT_GE(cut, 4u);
  FramesIntake intake(frames, 4);
  intake.keep_open();
  Running running(intake);
  while (running.watch.status().totals.cut_frames < cut) std::this_thread::sleep_for(1ms);
  EXPECT_EQ(running.watch.status().totals.cut_frames, cut);
  EXPECT_EQ(running.watch.status().totals.undecoded_frames, 0u);
}

TEST(Watch, CaptureGaps_AreCountedInTheTotals) {
  synth::Connection c;
  c.connect();
  c.startup();
  c.send(Side::initiator, 100);
  c.capture(false);
  c.send(Side::initiator, 500);
  c.capture(true);
  // A hole is waited for before it is given up: by the time of the capture.
  constexpr std::int64_t kPauseNs = 10'000'000;
  for (int i = 0; i < 20; ++i) {
    c.wait(kPauseNs);
    c.send(Side::initiator, 100);
    c.acknowledge(Side::responder);
  }
  const synth::Frames frames = c.frames();
  const test::Report report = test::analyze(frames);
  ASSERT_GT(report.qps.at(0).directions[0].capture_gap_octets, 0u);
  FramesIntake intake(frames, 4, true);
  Running running(intake);
  intake.allow(10);
  // It is known before the gap, and looked at again after it.
  while (running.watch.status().totals.fpdus == 0) std::this_thread::sleep_for(1ms);
  intake.allow(frames.size() - 1);
  while (running.watch.status().totals.losses.gap_octets == 0) std::this_thread::sleep_for(1ms);
  intake.allow(frames.size());
  running.wait_for_end();
  EXPECT_EQ(running.watch.status().totals.losses.gap_octets, report.qps[0].directions[0].capture_gap_octets);
}

TEST(Watch, Totals_HaveEveryOctetOfFpdusAndWhatWasSentAgain) {
  synth::Connection c;
  c.connect();
  c.startup();
  c.channel(Side::initiator, synth::Effect::retransmit);
  for (std::size_t i = 0; i < 20; ++i) c.send(Side::initiator, 97 + i), c.send(Side::responder, 3 * i);
  c.channel(Side::responder, synth::Effect::lose_after_tap);
  for (std::size_t i = 0; i < 20; ++i) c.write(Side::responder, STag{7}, TaggedOffset{0}, 3000);
  c.close();
  const synth::Frames frames = c.frames();
  FramesIntake intake(frames);
  Running running(intake);
  running.wait_for_end();
  const Totals totals = running.watch.status().totals;
  EXPECT_EQ(totals.fpdu_octets, c.position(Side::initiator) + c.position(Side::responder));
  EXPECT_EQ(totals.retransmitted_segments, 2u);
}

TEST(Watch, LostFrames_AreCountedForQueuePairsThatWereThere) {
  const synth::Frames frames = traffic(2);
  FramesIntake intake(frames, 4, true);
  intake.keep_open();
  Running running(intake);
  intake.allow(10);  // the first is open
  while (running.watch.status().totals.qps_opened != 1) std::this_thread::sleep_for(1ms);
  intake.lose(7);
  intake.allow(frames.size());
  while (running.watch.status().totals.losses.kernel != 7) std::this_thread::sleep_for(1ms);
  intake.stop();
  while (running.watch.status().capturing) std::this_thread::sleep_for(1ms);
  const auto first = running.watch.qp(0);
  ASSERT_TRUE(first && *first != nullptr);
  EXPECT_EQ((*first)->losses.kernel, 7u);
  const auto findings = reported(running.watch);
  EXPECT_TRUE(
      std::any_of(findings.begin(), findings.end(), [](const auto& f) { return std::get<0>(f).starts_with("CA-"); }));
}

TEST(Watch, TheLostEndOfAConnection_IsInTheVerdictWhileItLivesAndLast) {
  synth::Connection c;
  c.connect();
  c.startup();
  c.send(Side::initiator, 100);
  c.acknowledge(Side::responder);
  const std::size_t seen = c.frames().size();
  c.close();
  const synth::Frames frames = c.frames();
  FramesIntake intake(frames, 4, true);
  intake.be_interface();
  Running running(intake);
  intake.allow(seen);
  while (running.watch.status().totals.qps_opened != 1) std::this_thread::sleep_for(1ms);
  const auto verdict = [&running] {
    const auto view = running.watch.qp(0);
    return view && *view != nullptr ? (*view)->record.verdict.value_or(qp::VerdictRecord{}) : qp::VerdictRecord{};
  };
  EXPECT_EQ(name(verdict().confidence), name(qp::Confidence::certain)) << verdict().text;
  intake.lose(frames.size() - seen);
  while (running.watch.status().totals.losses.kernel == 0) std::this_thread::sleep_for(1ms);
  const auto is_limited = [&verdict] {
    const qp::VerdictRecord v = verdict();
    EXPECT_EQ(name(v.outcome), name(qp::Outcome::running)) << v.text;
    EXPECT_EQ(name(v.confidence), name(qp::Confidence::limited)) << v.text;
    EXPECT_THAT(v.text, testing::HasSubstr("The capture itself lost frames: the end of the connection may be among"));
  };
  is_limited();
  intake.stop();
  running.wait_for_end();
  is_limited();
}

}  // namespace
}  // namespace iwarpscope::live
