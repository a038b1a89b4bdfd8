// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// What a Watch does when queue pairs, its capture or its subscribers end; memory that follows what is there.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>

#include "daemon/live/watch_kit.h"
#include "synth/connection.h"
#include "synth/script.h"

namespace iwarpscope::live {
namespace {

using namespace std::chrono_literals;
using test::FramesIntake;
using testing::SizeIs;

TEST(Watch, OnAWireThatFellSilent_QueuePairsEndAllTheSame) {
  const synth::Frames frames = traffic(1);
  FramesIntake intake(frames, 64, true);
  intake.be_interface();
  WatchOptions options;
  options.retire.closed_ns = 100'000'000;
  Running running(intake, options);
  const auto subscription = running.watch.subscribe({.qps = true, .ended_only = true});
  intake.allow(frames.size());
  EXPECT_TRUE(take_until(*subscription, [](const Event& h) { return std::holds_alternative<QpEnded>(h); }));
  while (running.watch.status().totals.qps_closed["completed"] != 1) std::this_thread::sleep_for(1ms);
}

TEST(Watch, OnAWireThatFellSilent_TimePassesAndNothingIsBehind) {
  const synth::Frames frames = traffic(1);
  FramesIntake intake(frames, 64, true);
  intake.be_interface();
  Running running(intake, {});
  intake.allow(frames.size());
  while (running.watch.status().totals.frames != frames.size()) std::this_thread::sleep_for(1ms);
  const TimePoint last = running.watch.status().capture_time.value_or(TimePoint{});
  // What `iwarpscope qps` compares the last octets of a queue pair with.
  while (running.watch.status().capture_time.value_or(TimePoint{}) <= last) std::this_thread::sleep_for(1ms);
  EXPECT_EQ(running.watch.status().analysis_lag_seconds, 0.0);
}

/// The outcomes of queue pairs that end, until the subscription does. It is of ended queue pairs alone.
std::vector<qp::Outcome> ended_on(Subscription& subscription) {
  std::vector<qp::Outcome> ended;
  while (!subscription.is_closed() || subscription.waiting() != 0) {
    for (const Event& event : subscription.wait(10ms))
      ended.push_back(std::get<QpEnded>(event).qp->record.verdict->outcome);
  }
  return ended;
}

TEST(Watch, AtTheEndOfALiveCapture_QueuePairsThatAreOpenAndWellGoOn) {
  synth::ConnectionOptions other;
  other.initiator.port = 40001;
  synth::Connection closed, open(other);
  for (synth::Connection* c : {&closed, &open}) {
    c->connect();
    c->startup();
    c->send(synth::Side::initiator, 100);
  }
  closed.close();
  const synth::Frames frames = synth::merge({closed.frames(), open.frames()});
  for (const bool report_open : {false, true}) {
    FramesIntake intake(frames, 64, true);
    intake.be_interface();
    WatchOptions options;
    options.report_open = report_open;
    Running running(intake, options);
    const auto subscription = running.watch.subscribe({.qps = true, .ended_only = true});
    intake.allow(frames.size());
    while (running.watch.status().totals.frames != frames.size()) std::this_thread::sleep_for(1ms);
    intake.stop();
    running.wait_for_end();
    std::vector<qp::Outcome> expected{qp::Outcome::completed};
    if (report_open) expected.push_back(qp::Outcome::running);
    EXPECT_EQ(ended_on(*subscription), expected);
    EXPECT_EQ(running.watch.status().going_on, report_open ? 0u : 1u);
  }
}

TEST(Watch, AtTheEndOfALiveCapture_OnlySoManyOpenQueuePairsThatAreNotWellAreReported) {
  synth::Clock clock;
  std::vector<synth::Frames> all;
  for (std::uint16_t port = 40000; port < 40004; ++port) {
    if (port == 40003) clock.now_ns += 60 * synth::kSecond;  // the last one is well, and the others wait
    synth::ConnectionOptions options;
    options.initiator.port = port;
    options.clock = &clock;
    synth::Connection open(options);
    open.connect();
    open.startup();
    if (port < 40003) open.read_request(synth::Side::initiator, {.size = 100});
    all.push_back(open.frames());
  }
  const synth::Frames frames = synth::merge(all);
  FramesIntake intake(frames, 64, true);
  intake.be_interface();
  WatchOptions options;
  options.last_records = 1;
  Running running(intake, options);
  const auto subscription = running.watch.subscribe({.qps = true, .ended_only = true});
  intake.allow(frames.size());
  while (running.watch.status().totals.frames != frames.size()) std::this_thread::sleep_for(1ms);
  intake.stop();
  running.wait_for_end();
  EXPECT_EQ(ended_on(*subscription), std::vector{qp::Outcome::stalled});
  EXPECT_EQ(running.watch.status().unreported, 2u);
  EXPECT_EQ(running.watch.status().going_on, 1u);
}

TEST(Watch, AtTheEndOfALiveCapture_EndedQueuePairsWithoutARecordAreReportedByTheNextRun) {
  synth::Clock clock;
  std::vector<synth::Frames> all;
  for (std::uint16_t port = 40000; port < 40005; ++port) {
    synth::ConnectionOptions options;
    options.initiator.port = port;
    options.clock = &clock;
    synth::Connection ended(options);
    ended.connect();
    ended.startup();
    ended.send(synth::Side::initiator, 100);
    ended.close();
    all.push_back(ended.frames());
  }
  const synth::Frames frames = synth::merge(all);
  WatchOptions options;
  options.last_records = 2;
  options.retire.closed_ns = 3600'000'000'000;  // none has its record before the stop
  HandedOver left;
  options.hand_over = [&left](HandedOver its) { left = std::move(its); };
  std::vector<qp::Outcome> reported;
  const auto run = [&reported](const WatchOptions& its, const synth::Frames& some) {
    FramesIntake intake(some, 64, true);
    intake.be_interface();
    Running running(intake, its);
    const auto subscription = running.watch.subscribe({.qps = true, .ended_only = true});
    intake.allow(some.size());
    while (running.watch.status().totals.frames != some.size()) std::this_thread::sleep_for(1ms);
    intake.stop();
    running.wait_for_end();
    for (const qp::Outcome outcome : ended_on(*subscription)) reported.push_back(outcome);
    return running.watch.status();
  };
  const Status first = run(options, frames);
  EXPECT_EQ(reported.size(), 2u);
  EXPECT_EQ(first.ended_unreported, 3u);
  EXPECT_EQ(first.unreported, 0u);
  EXPECT_EQ(first.going_on, 0u);
  EXPECT_EQ(left.qps, 3u);
  options.resumed = std::make_shared<const std::vector<std::byte>>(std::move(left.state));
  options.last_records = 20;
  const Status second = run(options, {});
  EXPECT_FALSE(second.resume_failed);
  EXPECT_EQ(second.continued, 3u);
  EXPECT_EQ(second.ended_unreported, 0u);
  EXPECT_EQ(reported, std::vector(5, qp::Outcome::completed));
}

TEST(Watch, AtTheEndOfALiveCapture_WhatIsNotMadeInTimeIsNotHandedOver) {
  synth::Connection open;
  open.connect();
  open.startup();
  open.send(synth::Side::initiator, 100);
  const synth::Frames frames = open.frames();
  for (const bool is_in_time : {false, true}) {
    FramesIntake intake(frames, 64, true);
    intake.be_interface();
    WatchOptions options;
    options.hand_over_time = is_in_time ? std::chrono::nanoseconds{1min} : 0ns;
    HandedOver left;
    options.hand_over = [&left](HandedOver its) { left = std::move(its); };
    Running running(intake, options);
    intake.allow(frames.size());
    while (running.watch.status().totals.frames != frames.size()) std::this_thread::sleep_for(1ms);
    intake.stop();
    running.wait_for_end();
    EXPECT_EQ(left.is_late, !is_in_time);
    EXPECT_EQ(left.state.empty(), !is_in_time);
    EXPECT_EQ(left.qps, is_in_time ? 1u : 0u);
    EXPECT_EQ(left.left_out, is_in_time ? 0u : 1u);
  }
}

TEST(Watch, AtTheEnd_WaitsForPatientSubscribers) {
  const synth::Frames frames = traffic(200);
  FramesIntake intake(frames, 64, true);
  intake.be_interface();
  WatchOptions options;
  options.retire.closed_ns = 3600'000'000'000;  // while frames come, no round waits
  options.report_open = true;
  Running running(intake, options);
  const auto patient = running.watch.subscribe({.qps = true, .ended_only = true, .queue = 4, .patient = true});
  const auto hasty = running.watch.subscribe({.qps = true, .ended_only = true, .queue = 4});
  intake.allow(frames.size());
  while (running.watch.status().totals.frames != frames.size()) std::this_thread::sleep_for(1ms);
  intake.stop();
  std::size_t taken = 0;
  while (!patient->is_closed() || patient->waiting() != 0) {
    taken += patient->wait(10ms).size();
    std::this_thread::sleep_for(1ms);
  }
  EXPECT_EQ(patient->lost(), 0u);
  EXPECT_EQ(taken, 200u);
  EXPECT_NE(hasty->lost(), 0u);
}

TEST(Watch, AtTheEnd_DoesNotWaitForASubscriberThatHangs) {
  const synth::Frames frames = traffic(200);
  FramesIntake intake(frames);
  Running running(intake);
  const auto hangs = running.watch.subscribe({.qps = true, .ended_only = true, .queue = 4, .patient = true});
  running.wait_for_end();
  EXPECT_EQ(hangs->lost() + 4, 200u);
}

TEST(Watch, EndedQueuePairs_AreRetiredWithTheSameVerdictsAndFindings) {
  // Minutes lie between them: each is over, in the capture's time, long before the last.
  const synth::Frames frames = traffic(30, 60'000'000'000);
  const test::Report report = test::analyze(frames);
  FramesIntake intake(frames, 8, true);
  WatchOptions options;
  options.retire.idle_ns = 120'000'000'000;
  Running running(intake, options);
  intake.allow(frames.size() / 2);
  while (running.watch.status().totals.frames < frames.size() / 2) std::this_thread::sleep_for(1ms);
  const auto half = running.watch.qps({}, 0, 100);
  ASSERT_TRUE(half);
  EXPECT_GE(std::count_if(half->qps.begin(), half->qps.end(), [](const auto& v) { return v->ended; }), 10);
  EXPECT_TRUE(running.watch.status().capturing);
  intake.allow(frames.size());
  running.wait_for_end();
  const auto page = running.watch.qps({}, 0, 100);
  ASSERT_TRUE(page);
  ASSERT_THAT(page->qps, SizeIs(30));
  for (std::size_t i = 0; i < 30; ++i) {
    EXPECT_EQ(page->qps[i]->record.qp, i);
    EXPECT_EQ(page->qps[i]->record.verdict->outcome, report.qps[i].verdict->outcome) << i;
    EXPECT_EQ(page->qps[i]->record.directions[1].fpdus, report.qps[i].directions[1].fpdus);
  }
  EXPECT_EQ(reported(running.watch), reported(report.findings));
}

TEST(Watch, ResetsInStartup_AreJudgedAsInAFile) {
  // Each is retired while the capture goes on.
  const synth::Frames frames = synth::play(
      "connect; request; miss b; reply; ack a; wait 3s; reset a; wait 60s\n"
      "connection; connect; request; reply length=3000; wait 3s; reset b; wait 60s\n"
      "connection; connect; request; reply length=40; wait 3s; reset a; wait 60s\n"
      "connection; connect; request length=20; ack b; wait 3s; reset b; wait 60s\n"
      "connection; connect; startup; send a 100; send b 100; close");
  const test::Report report = test::analyze(frames);
  FramesIntake intake(frames, 8, true);
  WatchOptions options;
  options.retire.closed_ns = 10'000'000'000;
  Running running(intake, options);
  intake.allow(frames.size());
  running.wait_for_end();
  const Reported all = reported(running.watch);
  EXPECT_EQ(all, reported(report.findings));
  const auto count = [&all](std::string_view code) {
    return std::count_if(all.begin(), all.end(), [code](const auto& one) { return std::get<0>(one) == code; });
  };
  EXPECT_EQ(count("MS-20"), 0);
  EXPECT_EQ(count("CA-01"), 1);
  EXPECT_EQ(count("MS-11"), 1);
  EXPECT_EQ(count("MS-12"), 2);
}

TEST(Watch, ClockSetBackAndForth_LosesNoQueuePairAndKeepsNone) {
  // On an interface, whose clock is an hour and more off for a while.
  for (const std::int64_t step : {-7'200'000'000'000, 172'800'000'000'000}) {
    synth::Frames frames = traffic(6, 2'000'000'000);
    const std::size_t half = frames.size() / 2;
    for (std::size_t i = half; i < frames.size(); ++i) frames[i].time_ns += step;
    FramesIntake intake(frames, 8, true);
    intake.be_interface();
    Running running(intake);
    intake.allow(half);
    while (running.watch.status().totals.frames < half) std::this_thread::sleep_for(1ms);
    intake.allow(frames.size());
    while (running.watch.status().totals.frames < frames.size()) std::this_thread::sleep_for(1ms);
    const Status status = running.watch.status();
    EXPECT_EQ(status.totals.qps_opened, 6u) << step;
    // Those that were closed before are gone; the one that is open and silent is not.
    const auto page = running.watch.qps({}, 0, 10);
    ASSERT_TRUE(page);
    EXPECT_TRUE(page->qps[0]->ended);
    EXPECT_FALSE(page->qps[3]->ended) << step;
  }
}

TEST(Watch, ManyQueuePairs_AreListedInPagesAndDiscardedInTheEnd) {
  synth::Frames frames;
  synth::idle_qps(20'000, [&frames](synth::Frame&& f) { frames.push_back(std::move(f)); });
  FramesIntake intake(frames, 1024);
  intake.keep_open();
  WatchOptions options;
  options.memory = {.messages = 1000, .findings = 100, .ended_qps = 500};
  Running running(intake, options);
  while (running.watch.status().totals.frames < frames.size()) std::this_thread::sleep_for(1ms);
  std::size_t listed = 0;
  for (std::optional<std::uint64_t> from = 0; from;) {
    const auto page = running.watch.qps({}, *from, 1000);
    ASSERT_TRUE(page) << page.error();
    listed += page->qps.size();
    from = page->next;
  }
  EXPECT_EQ(listed, 20'000u);
  for (const LimitView& limit : running.watch.status().limits) {
    if (limit.table.starts_with("remembered-")) {
      EXPECT_LE(limit.entries, limit.limit) << limit.table;
    }
    if (limit.table == "remembered-messages") {
      EXPECT_EQ(limit.evicted, 40'000u - 1000u);
    }
  }
  intake.stop();
  while (running.watch.status().capturing) std::this_thread::sleep_for(1ms);
  const auto page = running.watch.qps({}, 0, 20'000);
  ASSERT_TRUE(page);
  EXPECT_EQ(page->qps.size(), 500u);  // the last that ended are remembered
}

TEST(Watch, AtTheEnd_SaysOnceThatEverythingWasReported) {
  const synth::Frames frames = traffic(3);
  FramesIntake intake(frames, 64, true);
  std::atomic<int> ended = 0;
  WatchOptions options;
  options.on_end = [&ended] { ++ended; };
  {
    Running running(intake, options);
    const auto subscription = running.watch.subscribe({.qps = true, .ended_only = true});
    intake.allow(frames.size() - 1);
    while (running.watch.status().totals.frames != frames.size() - 1) std::this_thread::sleep_for(1ms);
    EXPECT_EQ(ended, 0);
    intake.allow(frames.size());
    while (ended == 0) std::this_thread::sleep_for(1ms);
    EXPECT_FALSE(running.watch.status().capturing);
    EXPECT_TRUE(subscription->is_closed());
  }
  EXPECT_EQ(ended, 1);
}

TEST(Watch, AfterItsEnd_QuestionsFailWithASentence) {
  const synth::Frames frames = traffic(1);
  FramesIntake intake(frames);
  Watch watch({}, intake);
  watch.run();
  const auto answer = watch.qp(0);
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error(), "The analysis has ended.");
  EXPECT_TRUE(watch.subscribe({.qps = true})->is_closed());
}

}  // namespace
}  // namespace iwarpscope::live
