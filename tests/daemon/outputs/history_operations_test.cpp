// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Operations that failed: as a history keeps them, and all the way from frames.
#include <atomic>
#include <thread>

#include "daemon/live/frames_intake.h"
#include "daemon/outputs/history_kit.h"
#include "live/watch.h"
#include "outputs/outlet.h"
#include "synth/connection.h"

namespace iwarpscope::outputs {
namespace {

using namespace std::chrono_literals;
using live::FailedOperation;
using synth::Side;
using ::testing::ElementsAre;

FailedOperation operation(std::uint64_t index, rdmap::Opcode opcode, Direction direction, FailedOperation::How how) {
  auto record = std::make_shared<qp::MessageRecord>();
  record->qp = 5;
  record->index = index;
  record->opcode = opcode;
  record->direction = direction;
  record->first_time = TimePoint{1'700'000'000'000'000'000};
  return {record, how};
}

struct HistoryOfOperations : HistoryOf {
  std::vector<FailedOperation> failed{
      operation(1, rdmap::Opcode::send, Direction::a_to_b, FailedOperation::How::terminated),
      operation(1, rdmap::Opcode::terminate, Direction::b_to_a, FailedOperation::How::terminate),
      operation(2, rdmap::Opcode::rdma_read_request, Direction::a_to_b, FailedOperation::How::no_response_seen)};
  Ask all{.kind = Kind::operations, .most = 10'000};
};

TEST_F(HistoryOfOperations, ComeBackWithTheirOutcome) {
  start();
  store({live::QpEnded{qp_view(5), failed}, ended(6)});
  EXPECT_THAT(values(all, "outcome"), ElementsAre("no_response_seen", "terminate", "terminated"));
  EXPECT_THAT(values(all, "opcode"), ElementsAre("rdma_read_request", "terminate", "send"));
  EXPECT_THAT(values({.kind = Kind::operations, .outcome = "terminated"}, "index"), ElementsAre(1));
  EXPECT_EQ(nlohmann::json::parse(rows(all).at(0).json).at("a"),
            (nlohmann::json{{"address", "10.0.0.1"}, {"port", 4005}}));
  EXPECT_EQ(rows({.kind = Kind::operations, .host = "10.0.0.1"}).size(), 3u);
  EXPECT_EQ(rows({.kind = Kind::operations, .host = "10.0.0.9"}).size(), 0u);
}

TEST_F(HistoryOfOperations, OfAFindingAreKeptAndNotTwiceWhenTheQueuePairEnds) {
  start();
  const auto reported = finding_view(5, 9, "x", findings::FindingId::rdmap_terminate_sent);
  store({live::FindingReported{reported, {failed[0], failed[1]}}});
  EXPECT_THAT(values(all, "outcome"), ElementsAre("terminate", "terminated"));
  store({live::QpEnded{qp_view(5), failed}});
  EXPECT_THAT(values(all, "outcome"), ElementsAre("no_response_seen", "terminate", "terminated"));
}

/// Queue pairs one after another, a thousand in a second: the responder terminates what the initiator sent and never
/// answers its read. The last ones are open at the end.
synth::Frames failing(unsigned count) {
  synth::Frames frames;
  for (unsigned i = 0; i < count; ++i) {
    synth::ConnectionOptions options;
    options.initiator.port = static_cast<std::uint16_t>(20000 + i);
    synth::Connection c(options);
    c.wait(static_cast<std::int64_t>(i) * 1'000'000);
    c.connect();
    c.startup();
    c.read_request(Side::initiator, {.size = 100});
    c.send(Side::initiator, 100);
    c.terminate_last(Side::responder, 0, 1, 2);
    if (i + 10 < count) c.reset(Side::responder);
    const synth::Frames one = c.frames();
    frames.insert(frames.end(), one.begin(), one.end());
  }
  return frames;
}

live::WatchOptions with_messages() {
  live::WatchOptions options;
  options.analysis.messages = true;
  options.retire.closed_ns = 100'000'000;
  return options;
}

TEST_F(HistoryOfOperations, OfQueuePairsThatAreOpenWhenTheWatchEndsForGoodAreKept) {
  const synth::Frames frames = failing(3);
  test::FramesIntake intake(frames);
  intake.be_interface();
  live::Watch watch(with_messages(), intake);
  Outlet outlet(std::make_unique<History>(options, kRun), watch);
  std::thread thread([&] { watch.run(false); });
  while (watch.status().totals.frames < frames.size()) std::this_thread::sleep_for(1ms);
  watch.stop();
  thread.join();
  outlet.stop();
  EXPECT_EQ(outlet.view().lost, 0u);
  EXPECT_EQ(rows({.kind = Kind::qps}).size(), 3u);
  EXPECT_EQ(rows(all).size(), 9u);
}

TEST_F(HistoryOfOperations, OfAThousandQueuePairsASecondAreAllKept) {
  constexpr unsigned kQps = 2000, kSteps = 100;
  const synth::Frames frames = failing(kQps);
  test::FramesIntake intake(frames, 64, true);
  intake.be_interface();
  live::Watch watch(with_messages(), intake);
  start();
  live::Wanted wanted = history->wanted();
  wanted.queue = 4000;  // the events of a second: a slower sink loses some
  const auto subscription = watch.subscribe(wanted);
  std::atomic<std::size_t> taken = 0;
  std::thread keeper([&] {
    while (!subscription->is_closed() || subscription->waiting() != 0) {
      const auto events = subscription->wait(100ms);
      EXPECT_EQ(history->take(events), 0u);
      taken += events.size();
    }
  });
  std::thread thread([&] { watch.run(); });
  const auto began = std::chrono::steady_clock::now();
  for (std::size_t step = 1; step <= kSteps; ++step) {
    intake.allow(frames.size() * step / kSteps);
    std::this_thread::sleep_until(began + step * std::chrono::milliseconds{kQps} / kSteps);
  }
  while (watch.status().totals.frames < frames.size()) std::this_thread::sleep_for(1ms);
  watch.stop();
  thread.join();
  keeper.join();
  EXPECT_EQ(subscription->lost(), 0u);
  EXPECT_GE(taken, 2u * kQps);
  EXPECT_EQ(rows({.kind = Kind::qps, .most = 10'000}).size(), kQps);
  EXPECT_EQ(rows(all).size(), 3u * kQps);
}

}  // namespace
}  // namespace iwarpscope::outputs
