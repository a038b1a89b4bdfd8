// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The analysis that does not end, against the one that does; questions and rounds while it runs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "daemon/live/watch_kit.h"

namespace iwarpscope::live {
namespace {

using namespace std::chrono_literals;
using synth::Side;
using test::FramesIntake;
using testing::SizeIs;

TEST(Watch, AllFramesOfACapture_GiveTheFindingsOfTheAnalyser) {
  const synth::Frames frames = traffic(40);
  const test::Report report = test::analyze(frames);
  ASSERT_GT(report.findings.size(), 15u);
  FramesIntake intake(frames);
  Running running(intake);
  running.wait_for_end();
  EXPECT_EQ(reported(running.watch), reported(report.findings));
  const auto page = running.watch.qps({}, 0, 100);
  ASSERT_TRUE(page);
  ASSERT_THAT(page->qps, SizeIs(40));
  for (std::size_t i = 0; i < 40; ++i) {
    const qp::QpRecord& live = page->qps[i]->record;
    EXPECT_EQ(live.qp, i);
    EXPECT_TRUE(page->qps[i]->ended);
    EXPECT_EQ(live.verdict->text, report.qps[i].verdict->text);
    EXPECT_EQ(live.directions[0].fpdus, report.qps[i].directions[0].fpdus);
  }
  const Totals totals = running.watch.status().totals;
  EXPECT_EQ(totals.frames, frames.size());
  EXPECT_EQ(totals.qps_opened, 40u);
  std::uint64_t fpdus = 0, crc_errors = 0;
  for (const auto& r : report.qps) {
    for (const auto& d : r.directions) fpdus += d.fpdus, crc_errors += d.crc_bad;
  }
  EXPECT_EQ(totals.traffic[&qp::DirectionRecord::fpdus], fpdus);
  EXPECT_EQ(totals.traffic[&qp::DirectionRecord::crc_bad], crc_errors);
  EXPECT_EQ(running.watch.status().read_latency.total, 40u);
}

TEST(Watch, AWrongClockOfTheFirstFrame_DoesNotWidenTheThroughput) {
  synth::Frames frames = traffic(20);
  for (const std::int64_t hours : {-100'000, 1}) {
    synth::Frames wrong = frames;
    wrong.front().time_ns += hours * 3'600'000'000'000;
    FramesIntake intake(wrong);
    Running running(intake);
    running.wait_for_end();
    const Status status = running.watch.status();
    ASSERT_TRUE(status.replay);
    EXPECT_EQ(status.throughput.first.ns, frames[1].time_ns);
    EXPECT_LT(status.throughput.width_ns, 100'000'000) << "20 seconds in 600 buckets";
  }
}

TEST(Watch, AFinding_HasTheTimeOfItsFirstEvidence) {
  // That it was joined in the middle is found out some frames later.
  synth::Connection c;
  c.capture(false);
  c.connect();
  c.startup();
  c.capture(true);
  for (int i = 0; i < 10; ++i) {
    c.send(Side::initiator, 100);
    c.send(Side::responder, 100);
    c.wait(1'000'000'000);
  }
  const synth::Frames frames = c.frames();
  FramesIntake intake(frames);
  Running running(intake);
  running.wait_for_end();
  const auto page = running.watch.findings({}, 0, 100);
  ASSERT_TRUE(page);
  std::size_t earlier = 0;
  for (const FindingPtr& view : page->findings) {
    const findings::Finding& f = view->finding;
    if (f.frames.empty()) continue;
    EXPECT_EQ(view->began, TimePoint{frames[f.frames.front().value - 1].time_ns}) << f.text;
    if (view->began && *view->began < f.time) ++earlier;
  }
  EXPECT_GE(earlier, 1u);
}

TEST(Watch, AQueuePairThatStalls_IsReportedWhileItLives) {
  synth::Connection c;
  c.connect();
  c.startup();
  c.send(Side::initiator, 100);
  c.read_request(Side::initiator, {.size = 3000});
  c.acknowledge(Side::responder);
  const synth::Frames frames = c.frames();
  FramesIntake intake(frames, 64, true);
  intake.be_interface();
  WatchOptions options;
  options.round_ns = 200'000'000;
  Running running(intake, options);
  const auto subscription = running.watch.subscribe({.qps = true});
  intake.allow(frames.size());
  const auto is_stalled = [](const Event& h) {
    const auto* changed = std::get_if<QpChanged>(&h);
    if (changed == nullptr || changed->qp->record.verdict->outcome != qp::Outcome::stalled) return false;
    EXPECT_THAT(changed->qp->record.verdict->text, testing::Not(testing::HasSubstr("capture end")));
    return true;
  };
  ASSERT_TRUE(take_until(*subscription, is_stalled));
  const auto now = [&] { return running.watch.status().totals.qps_by_outcome; };
  while (now()["stalled"] != 1) std::this_thread::sleep_for(1ms);
  EXPECT_EQ(now()["running"], 0u);
  // What is is_found last is what stays in logs and the history.
  intake.stop();
  const auto has_ended = [](const Event& h) {
    const auto* ended = std::get_if<QpEnded>(&h);
    if (ended == nullptr) return false;
    EXPECT_EQ(name(ended->qp->record.verdict->outcome), name(qp::Outcome::stalled)) << ended->qp->record.verdict->text;
    EXPECT_EQ(name(ended->qp->record.verdict->confidence), name(qp::Confidence::likely));
    return true;
  };
  ASSERT_TRUE(take_until(*subscription, has_ended));
  running.wait_for_end();
  EXPECT_EQ(running.watch.status().totals.qps_closed["stalled"], 1u);
  const auto findings = live::reported(running.watch);
  EXPECT_TRUE(std::any_of(findings.begin(), findings.end(), [](const auto& f) { return std::get<0>(f) == "QP-04"; }));
}

TEST(Watch, Rounds_TellOfHostsBeforeTheEnd) {
  // Five refused openings of one listener: a finding about the listener, of no queue pair.
  synth::Frames frames;
  for (unsigned i = 0; i < 8; ++i) {
    synth::ConnectionOptions options;
    options.initiator.port = static_cast<std::uint16_t>(30000 + i);
    synth::Connection c(options);
    c.wait(static_cast<std::int64_t>(i) * 100'000'000);
    c.connect();
    c.request(synth::request_frame({}));
    c.reset(Side::responder);
    const synth::Frames one = c.frames();
    frames.insert(frames.end(), one.begin(), one.end());
  }
  const synth::Frames later = traffic(60, 60'000'000'000);
  for (std::size_t i = later.size() / 2; i < later.size(); ++i) frames.push_back(later[i]);
  const test::Report report = test::analyze(frames);
  ASSERT_NE(report.find(findings::FindingId::mpa_many_startups), nullptr) << report.codes();
  FramesIntake intake(frames, 64);
  intake.keep_open();
  WatchOptions options;
  options.round_ns = 600'000'000'000;
  Running running(intake, options);
  const auto is_reported = [&running] {
    const auto findings = reported(running.watch);
    return std::any_of(findings.begin(), findings.end(), [](const auto& f) {
      return std::get<0>(f) == findings::rule(findings::FindingId::mpa_many_startups).code;
    });
  };
  while (!is_reported()) std::this_thread::sleep_for(5ms);
  EXPECT_TRUE(running.watch.status().capturing);
}

TEST(Watch, QuestionsWhileFramesCome_AreAnswered) {
  const synth::Frames frames = traffic(10);
  FramesIntake intake(frames, 4, true);
  Running running(intake);
  intake.allow(30);
  QpViewPtr first;
  while (first == nullptr || first->record.directions[0].fpdus == 0) {
    const auto answer = running.watch.qp(0);
    ASSERT_TRUE(answer) << answer.error();
    first = *answer;
  }
  EXPECT_FALSE(running.watch.qp(9)->get());
  intake.allow(frames.size());
  running.wait_for_end();
  const auto messages = running.watch.messages(0, 0, 3);
  ASSERT_TRUE(messages);
  EXPECT_THAT(messages->messages, SizeIs(3));
  ASSERT_TRUE(messages->next);
  const auto rest = running.watch.messages(0, *messages->next, 100);
  EXPECT_THAT(rest->messages, SizeIs(1));
  EXPECT_FALSE(rest->next);
  const auto bad = running.watch.qps({.at_least = findings::Severity::error}, 0, 100);
  ASSERT_TRUE(bad);
  EXPECT_GE(bad->qps.size(), 2u);
  for (const auto& view : bad->qps) EXPECT_GT(view->findings.errors, 0u);
  const auto hosts = running.watch.hosts(false, {}, 100);
  ASSERT_THAT(hosts->rows, SizeIs(2));
  EXPECT_EQ(hosts->rows[0].qps, 10u);
  EXPECT_FALSE(hosts->next);
  EXPECT_THAT(running.watch.hosts(true, {}, 100)->rows, SizeIs(1));
}

TEST(Watch, QueuePairsOfOtherPorts_AreNotLookedAtForAnAnswer) {
  const synth::Frames frames = traffic(20);
  FramesIntake intake(frames, 64);
  intake.keep_open();
  Running running(intake);
  const auto version = [&running] { return running.watch.qp(13).value()->version; };  // it grows with each look
  // Nothing else looks at it once its last frame was reported.
  while (running.watch.status().totals.frames != frames.size() || version() + 1 != version()) {
    std::this_thread::sleep_for(5ms);
  }
  const std::uint64_t before = version();
  for (int i = 0; i < 10; ++i) {
    const auto page = running.watch.qps({.port = 30008}, 0, 100);
    ASSERT_TRUE(page);
    ASSERT_THAT(page->qps, SizeIs(1));
    EXPECT_EQ(page->qps[0]->record.qp, 8u);
  }
  EXPECT_EQ(version(), before + 1);
  EXPECT_THAT(running.watch.qps({}, 0, 100)->qps, SizeIs(20));
  EXPECT_EQ(version(), before + 3);
}

TEST(Watch, PagesOfQueuePairs_HaveEachOnce) {
  const synth::Frames frames = traffic(20);
  FramesIntake intake(frames, 64);
  intake.keep_open();
  Running running(intake);
  while (running.watch.status().totals.frames != frames.size()) std::this_thread::sleep_for(5ms);
  std::vector<std::uint64_t> seen;
  std::optional<std::uint64_t> from = 0;
  while (from) {
    const auto page = running.watch.qps({}, *from, 7);
    ASSERT_TRUE(page);
    ASSERT_LE(page->qps.size(), 7u);
    for (const QpViewPtr& view : page->qps) seen.push_back(view->record.qp);
    from = page->next;
  }
  ASSERT_THAT(seen, SizeIs(20));
  for (std::size_t i = 0; i < seen.size(); ++i) EXPECT_EQ(seen[i], i);
}

TEST(Watch, ManyQueuePairsThatChange_AreVisitedInParts) {
  constexpr unsigned kMany = 1000;
  const synth::Frames frames = traffic(kMany, 1'000'000);
  FramesIntake intake(frames, 64);
  intake.keep_open();
  WatchOptions options;
  options.round_ns = 100'000'000;
  Running running(intake, options);
  while (running.watch.status().totals.frames != frames.size()) std::this_thread::sleep_for(5ms);
  for (std::uint64_t from = 0;;) {
    const auto page = running.watch.qps({}, from, kMany);
    ASSERT_TRUE(page);
    if (!page->next) break;
    from = *page->next;
  }
  while (running.watch.status().effort.units < kMany * Slice::kView) std::this_thread::sleep_for(5ms);
  const EffortCounts effort = running.watch.status().effort;
  EXPECT_GE(effort.parts, kMany * Slice::kView / EffortCounts::kPart);
  EXPECT_LE(effort.longest_part, EffortCounts::kPart + Slice::kView);
  EXPECT_LE(effort.longest_round, EffortCounts::kRound + 3 * (EffortCounts::kPart + Slice::kView));
  EXPECT_GE(effort.rounds, effort.units / effort.longest_round);
}

TEST(Watch, QueuePairsWithoutAChange_TakeNoEffort) {
  constexpr unsigned kMany = 1000, kTicks = 8;
  const synth::Frames frames = traffic(kMany, 1'000'000);
  FramesIntake intake(frames, 64, true);
  intake.keep_open();
  WatchOptions options;
  options.round_ns = 0;
  Running running(intake, options);
  const auto allow = [&](std::size_t count) {
    intake.allow(count);
    while (running.watch.status().totals.frames != count) std::this_thread::sleep_for(5ms);  // a tick publishes it
  };
  allow(frames.size() - kTicks);
  // In the first ticks all of them are new.
  std::uint64_t least = std::numeric_limits<std::uint64_t>::max();
  for (std::size_t left = kTicks; left > 0; --left) {
    const std::uint64_t before = running.watch.status().effort.units;
    allow(frames.size() - left + 1);
    least = std::min(least, running.watch.status().effort.units - before);
  }
  EXPECT_LT(least, kMany);
}

TEST(Watch, APageThatTakesLong_EndsEarlyAndGoesOn) {
  const synth::Frames frames = traffic(200, 1'000'000);
  FramesIntake intake(frames, 64);
  intake.keep_open();
  Running running(intake);
  while (running.watch.status().totals.frames != frames.size()) std::this_thread::sleep_for(5ms);
  std::vector<std::uint64_t> seen;
  std::size_t pages = 0;
  for (std::optional<std::uint64_t> from = 0; from; ++pages) {
    const auto page = running.watch.qps({}, *from, 1000, {.share = 0ms});
    ASSERT_TRUE(page);
    ASSERT_LE(page->qps.size(), EffortCounts::kPart / Slice::kView + 1);
    for (const QpViewPtr& view : page->qps) seen.push_back(view->record.qp);
    from = page->next;
  }
  EXPECT_GE(pages, 200 / (EffortCounts::kPart / Slice::kView + 1));
  ASSERT_THAT(seen, SizeIs(200));
  for (std::size_t i = 0; i < seen.size(); ++i) EXPECT_EQ(seen[i], i);
  EXPECT_FALSE(running.watch.qps({}, 0, 1000)->next);
}

TEST(Watch, HostsHaveOnlyWhatIsRemembered) {
  const synth::Frames frames = traffic(20);
  FramesIntake intake(frames, 64);
  WatchOptions options;
  options.memory.ended_qps = 4;
  Running running(intake, options);
  running.wait_for_end();
  const auto hosts = running.watch.hosts(false, {}, 1);
  ASSERT_TRUE(hosts);
  ASSERT_THAT(hosts->rows, SizeIs(1));
  EXPECT_EQ(hosts->rows[0].qps, 4u);
  EXPECT_EQ(hosts->rows[0].active, 0u);
  ASSERT_TRUE(hosts->next);
  EXPECT_THAT(running.watch.hosts(false, *hosts->next, 1)->rows, SizeIs(1));
}

TEST(Watch, Subscriber_SeesEverythingOfItsQueuePairOnce) {
  const synth::Frames frames = traffic(6);
  FramesIntake intake(frames, 4, true);
  Running running(intake);
  const auto mine = running.watch.subscribe({.qps = true, .messages = true, .findings = true, .qp = 1});
  const auto small = running.watch.subscribe({.messages = true, .queue = 2});
  intake.allow(frames.size());
  unsigned opened = 0, ended = 0, messages = 0, findings = 0;
  while (!mine->is_closed() || mine->waiting() != 0) {
    for (const Event& h : mine->wait(100ms)) {
      if (const auto* o = std::get_if<QpOpened>(&h)) {
        ++opened;
        EXPECT_EQ(o->qp->record.qp, 1u);
      } else if (const auto* e = std::get_if<QpEnded>(&h)) {
        ++ended;
        EXPECT_TRUE(e->qp->record.verdict);
      } else if (const auto* m = std::get_if<MessageReported>(&h)) {
        ++messages;
        EXPECT_EQ(m->message->qp, 1u);
      } else if (const auto* f = std::get_if<FindingReported>(&h)) {
        ++findings;
        EXPECT_TRUE(f->finding->ends);
      }
    }
  }
  EXPECT_EQ(opened, 1u);
  EXPECT_EQ(ended, 1u);
  EXPECT_GE(messages, 3u);
  EXPECT_GE(findings, 1u);
  EXPECT_EQ(mine->lost(), 0u);
  EXPECT_GT(small->lost(), 5u);  // never read: what found no room was counted
  EXPECT_EQ(small->waiting(), 2u);
}

TEST(Watch, AfterItsLastSegment_SubscribersGetTheFindings_DespiteOtherRequests) {
  synth::Connection c;
  c.connect();
  c.startup();
  c.fault("crc-mismatch");
  c.send(Side::initiator, 50);
  c.close();
  const synth::Frames frames = c.frames();
  FramesIntake intake(frames, 64, true);
  intake.be_interface();
  Running running(intake);
  const auto all = running.watch.subscribe({.qps = true});
  std::atomic<bool> is_found = false;
  std::thread asking([&] {
    while (!is_found) static_cast<void>(running.watch.qps({}, 0, 10));
  });
  intake.allow(frames.size());
  is_found = take_until(*all, [](const Event& h) {
    const auto* changed = std::get_if<QpChanged>(&h);
    return changed != nullptr && changed->qp->findings.errors == 1;
  });
  EXPECT_TRUE(is_found);
  is_found = true;
  asking.join();
}

}  // namespace
}  // namespace iwarpscope::live
