// The analysis that does not end, against the one that does; questions while it runs; memory that follows what is
// there.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <set>
#include <thread>
#include <tuple>

#include "daemon/live/frames_intake.h"
#include "live/frame_times.h"
#include "live/watch.h"
#include "synth/connection.h"
#include "synth/load.h"

namespace iwarpscope::live {
namespace {

using namespace std::chrono_literals;
using synth::Side;
using test::FramesIntake;
using testing::SizeIs;

/// Connections of all kinds, some of which end badly, one after another on addresses of their own.
synth::Frames traffic(unsigned connections, std::int64_t apart_ns = 1'000'000'000) {
  synth::Frames all;
  for (unsigned i = 0; i < connections; ++i) {
    synth::ConnectionOptions options;
    options.initiator.port = static_cast<std::uint16_t>(30000 + i % 30000);
    synth::Connection c(options);
    c.wait(static_cast<std::int64_t>(i) * apart_ns);
    c.connect();
    c.startup();
    c.send(Side::initiator, 100 + i % 7);
    c.read(Side::initiator, {.size = 3000});
    if (i % 5 == 1) c.fault("crc-mismatch");
    c.send(Side::responder, 50);
    if (i % 5 == 2) {
      c.terminate_last(Side::responder, 0, 1, 2);
      c.reset(Side::responder);
    } else if (i % 5 != 3) {
      c.close();
    }
    const synth::Frames frames = c.frames();
    all.insert(all.end(), frames.begin(), frames.end());
  }
  return all;
}

/// A Watch over an intake, on a thread of its own.
class Running {
 public:
  explicit Running(FramesIntake& intake, WatchOptions options = {}) : watch(complete(std::move(options)), intake) {
    thread_ = std::thread([this] { watch.run(true); });
  }
  ~Running() {
    watch.stop();
    thread_.join();
  }
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;

  /// Everything was analysed, and the capture ended.
  void wait_for_end() {
    while (watch.status().capturing || !watch.status().capture_time) std::this_thread::sleep_for(1ms);
  }
  Watch watch;

 private:
  static WatchOptions complete(WatchOptions options) {
    options.analysis.messages = true;
    return options;
  }
  std::thread thread_;
};

using Told = std::multiset<std::tuple<std::string_view, std::uint64_t, std::string>>;

Told told(const std::vector<findings::Finding>& findings) {
  Told all;
  for (const auto& f : findings) all.emplace(findings::rule(f.id).code, f.qp.value_or(~0ull), f.text);
  return all;
}
Told told(Watch& watch) {
  Told all;
  for (std::uint64_t from = 0;;) {
    const auto page = watch.findings({}, from, 1000);
    EXPECT_TRUE(page) << page.error();
    for (const auto& f : page->findings) {
      all.emplace(findings::rule(f->finding.id).code, f->finding.qp.value_or(~0ull), f->finding.text);
    }
    if (!page->next) return all;
    from = *page->next;
  }
}

TEST(Watch, AllFramesOfACapture_TellWhatTheAnalyserTells) {
  const synth::Frames frames = traffic(40);
  const test::Report report = test::analyze(frames);
  ASSERT_GT(report.findings.size(), 15u);
  FramesIntake intake(frames);
  Running running(intake);
  running.wait_for_end();
  EXPECT_EQ(told(running.watch), told(report.findings));
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
  EXPECT_EQ(totals.fpdus, fpdus);
  EXPECT_EQ(totals.crc_errors, crc_errors);
  EXPECT_EQ(running.watch.status().read_latency.total, 40u);
}

/// Takes what is told to a subscriber until `enough` says so. False: it never did.
template <class Enough>
bool take_until(Subscription& told, Enough enough) {
  const auto deadline = std::chrono::steady_clock::now() + 20s;
  while (std::chrono::steady_clock::now() < deadline) {
    for (const Happening& happening : told.wait(50ms)) {
      if (enough(happening)) return true;
    }
  }
  return false;
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

TEST(FrameTimes, OfTheLastFramesOnly) {
  FrameTimes times(4);
  EXPECT_FALSE(times.at(FrameNumber{0}));
  for (const std::uint64_t frame : {1, 2, 4, 5, 6}) {
    times.see(FrameNumber{frame}, TimePoint{static_cast<std::int64_t>(frame) * 10});
  }
  EXPECT_FALSE(times.at(FrameNumber{2}));  // too old
  EXPECT_FALSE(times.at(FrameNumber{3}));  // hidden by a filter
  EXPECT_EQ(times.at(FrameNumber{4}), TimePoint{40});
  EXPECT_EQ(times.at(FrameNumber{6}), TimePoint{60});
  EXPECT_FALSE(times.at(FrameNumber{7}));
  times.see(FrameNumber{1'000'000'000'000}, TimePoint{7});  // no memory for what lies between
  EXPECT_FALSE(times.at(FrameNumber{6}));
  EXPECT_EQ(times.at(FrameNumber{1'000'000'000'000}), TimePoint{7});
}

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

TEST(Watch, OnAWireThatFellSilent_QueuePairsEndAllTheSame) {
  const synth::Frames frames = traffic(1);
  FramesIntake intake(frames, 64, true);
  intake.be_interface();
  WatchOptions options;
  options.retire.closed_ns = 100'000'000;
  Running running(intake, options);
  const auto told = running.watch.subscribe({.qps = true, .ended_only = true});
  intake.allow(frames.size());
  EXPECT_TRUE(take_until(*told, [](const Happening& h) { return std::holds_alternative<QpEnded>(h); }));
  while (running.watch.status().totals.qps_closed["completed"] != 1) std::this_thread::sleep_for(1ms);
}

TEST(Watch, AQueuePairThatStalls_IsToldWhileItLives) {
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
  const auto told = running.watch.subscribe({.qps = true});
  intake.allow(frames.size());
  const auto is_stalled = [](const Happening& h) {
    const auto* changed = std::get_if<QpChanged>(&h);
    if (changed == nullptr || changed->qp->record.verdict->outcome != qp::Outcome::stalled) return false;
    EXPECT_THAT(changed->qp->record.verdict->text, testing::Not(testing::HasSubstr("capture end")));
    return true;
  };
  ASSERT_TRUE(take_until(*told, is_stalled));
  const auto now = [&] { return running.watch.status().totals.qps_by_outcome; };
  while (now()["stalled"] != 1) std::this_thread::sleep_for(1ms);
  EXPECT_EQ(now()["running"], 0u);
  // What is told last is what stays in logs and the history.
  intake.stop();
  const auto has_ended = [](const Happening& h) {
    const auto* ended = std::get_if<QpEnded>(&h);
    if (ended == nullptr) return false;
    EXPECT_EQ(name(ended->qp->record.verdict->outcome), name(qp::Outcome::stalled)) << ended->qp->record.verdict->text;
    EXPECT_EQ(name(ended->qp->record.verdict->confidence), name(qp::Confidence::likely));
    return true;
  };
  ASSERT_TRUE(take_until(*told, has_ended));
  running.wait_for_end();
  EXPECT_EQ(running.watch.status().totals.qps_closed["stalled"], 1u);
  const auto findings = live::told(running.watch);
  EXPECT_TRUE(std::any_of(findings.begin(), findings.end(), [](const auto& f) { return std::get<0>(f) == "QP-04"; }));
}

TEST(Watch, AtTheEnd_WaitsForPatientSubscribers) {
  const synth::Frames frames = traffic(200);
  FramesIntake intake(frames, 64, true);
  intake.be_interface();
  WatchOptions options;
  options.retire.closed_ns = 3600'000'000'000;  // while frames come nobody waits
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
  EXPECT_EQ(told(running.watch), told(report.findings));
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
  const auto is_told = [&running] {
    const auto findings = told(running.watch);
    return std::any_of(findings.begin(), findings.end(), [](const auto& f) {
      return std::get<0>(f) == findings::rule(findings::FindingId::mpa_many_startups).code;
    });
  };
  while (!is_told()) std::this_thread::sleep_for(5ms);
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
  const auto hosts = running.watch.hosts();
  ASSERT_THAT(*hosts, SizeIs(2));
  EXPECT_EQ((*hosts)[0].qps, 10u);
  EXPECT_THAT(*running.watch.host_pairs(), SizeIs(1));
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
    for (const Happening& h : mine->wait(100ms)) {
      if (const auto* o = std::get_if<QpOpened>(&h)) {
        ++opened;
        EXPECT_EQ(o->qp->record.qp, 1u);
      } else if (const auto* e = std::get_if<QpEnded>(&h)) {
        ++ended;
        EXPECT_TRUE(e->qp->record.verdict);
      } else if (const auto* m = std::get_if<MessageTold>(&h)) {
        ++messages;
        EXPECT_EQ(m->message->qp, 1u);
      } else if (const auto* f = std::get_if<FindingTold>(&h)) {
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

TEST(Watch, AfterItsLastSegment_SubscribersAreToldWhatWasFound_WhoeverAsksMeanwhile) {
  synth::Connection c;
  c.connect();
  c.startup();
  c.fault("crc-mismatch");
  c.send(Side::responder, 50);
  c.close();
  const synth::Frames frames = c.frames();
  FramesIntake intake(frames, 64, true);
  intake.be_interface();
  Running running(intake);
  const auto all = running.watch.subscribe({.qps = true});
  std::atomic<bool> told = false;
  std::thread asking([&] {
    while (!told) static_cast<void>(running.watch.qps({}, 0, 10));
  });
  intake.allow(frames.size());
  told = take_until(*all, [](const Happening& h) {
    const auto* changed = std::get_if<QpChanged>(&h);
    return changed != nullptr && changed->qp->findings.errors == 1;
  });
  EXPECT_TRUE(told);
  told = true;
  asking.join();
}

TEST(Watch, CaptureGaps_AreCountedInTheTotals) {
  synth::Connection c;
  c.connect();
  c.startup();
  c.send(Side::initiator, 100);
  c.capture(false);
  c.send(Side::initiator, 500);
  c.capture(true);
  for (int i = 0; i < 20; ++i) c.send(Side::initiator, 100), c.acknowledge(Side::responder);
  const synth::Frames frames = c.frames();
  const test::Report report = test::analyze(frames);
  ASSERT_GT(report.qps.at(0).directions[0].capture_gap_octets, 0u);
  FramesIntake intake(frames, 4, true);
  Running running(intake);
  intake.allow(10);
  // It is known before the gap, and looked at again behind it.
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
  const auto findings = told(running.watch);
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

TEST(Watch, ManyQueuePairs_AreListedInPagesAndForgottenInTheEnd) {
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

TEST(Watch, AtTheEnd_SaysOnceThatEverythingWasTold) {
  const synth::Frames frames = traffic(3);
  FramesIntake intake(frames, 64, true);
  std::atomic<int> ended = 0;
  WatchOptions options;
  options.on_end = [&ended] { ++ended; };
  {
    Running running(intake, options);
    const auto told = running.watch.subscribe({.qps = true, .ended_only = true});
    intake.allow(frames.size() - 1);
    while (running.watch.status().totals.frames != frames.size() - 1) std::this_thread::sleep_for(1ms);
    EXPECT_EQ(ended, 0);
    intake.allow(frames.size());
    while (ended == 0) std::this_thread::sleep_for(1ms);
    EXPECT_FALSE(running.watch.status().capturing);
    EXPECT_TRUE(told->is_closed());
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
