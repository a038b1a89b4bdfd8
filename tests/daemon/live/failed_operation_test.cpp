// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Operations that failed, from messages, and which subscribers receive them.
#include "live/failed_operation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "daemon/live/frames_intake.h"
#include "live/watch.h"
#include "synth/connection.h"

namespace iwarpscope::live {
namespace {

using namespace std::chrono_literals;
using synth::Side;
using test::FramesIntake;
using testing::ElementsAre;
using testing::IsEmpty;

constexpr Direction kTo = Direction::a_to_b, kFrom = Direction::b_to_a;

/// Messages of one queue pair, each with the next index of its direction.
struct Messages {
  std::deque<MessagePtr> all;
  std::array<std::uint64_t, 2> next{};

  template <class Detail>
  void add(Direction direction, Detail detail) {
    auto record = std::make_shared<qp::MessageRecord>();
    record->direction = direction;
    record->index = next[iwarpscope::index(direction)]++;
    record->detail = std::move(detail);
    all.push_back(std::move(record));
  }
  void terminate(Direction direction, std::optional<std::uint64_t> named) {
    qp::TerminateDetail detail;
    if (named) detail.names = qp::NamedMessage{opposite(direction), *named};
    add(direction, detail);
  }
};

/// "terminated 1" with the index.
std::vector<std::string> texts_of(const std::vector<FailedOperation>& failed) {
  std::vector<std::string> all;
  for (const FailedOperation& one : failed) {
    all.push_back(std::string{name(one.how)} + " " + std::to_string(one.message->index));
  }
  return all;
}

/// An answered read, a Send that a Terminate names, a read and an atomic without response.
Messages some() {
  Messages messages;
  qp::ReadRequestDetail answered;
  answered.response = qp::ResponseLink{};
  messages.add(kTo, answered);
  messages.add(kTo, std::monostate{});
  messages.add(kTo, qp::ReadRequestDetail{});
  messages.add(kTo, qp::AtomicRequestDetail{});
  messages.add(kFrom, qp::ReadResponseDetail{});
  messages.terminate(kFrom, 1);
  return messages;
}

TEST(FailedOperations, AreWhatATerminateNamesAndWhatHadNoResponseInTheEnd) {
  const Messages messages = some();
  EXPECT_THAT(texts_of(failed_operations(messages.all, false)), ElementsAre("terminated 1", "terminate 1"));
  EXPECT_THAT(texts_of(failed_operations(messages.all, true)),
              ElementsAre("terminated 1", "terminate 1", "no_response_seen 3", "no_response_seen 2"));
}

TEST(FailedOperations, AreReportedOnceWhateverNamesThem) {
  Messages messages;
  messages.add(kTo, qp::ReadRequestDetail{});
  messages.terminate(kFrom, 0);
  messages.terminate(kFrom, 0);
  messages.terminate(kFrom, 7);  // never seen, or discarded
  messages.terminate(kFrom, {});
  EXPECT_THAT(texts_of(failed_operations(messages.all, true)),
              ElementsAre("terminated 0", "terminate 0", "terminate 1", "terminate 2", "terminate 3"));
}

TEST(FailedOperations, AreLookedForInTheLastMessagesAndBounded) {
  const Messages messages = some();
  EXPECT_THAT(texts_of(failed_operations(messages.all, true, {.messages = 3})),
              ElementsAre("terminate 1", "no_response_seen 3"));
  EXPECT_THAT(texts_of(failed_operations(messages.all, true, {.operations = 3})),
              ElementsAre("terminated 1", "terminate 1", "no_response_seen 3"));
  EXPECT_THAT(failed_operations({}, true), IsEmpty());
}

TEST(FailedOperations, AreLookedForWhenCountsSayThatThereMayBeSome) {
  using rdmap::Opcode;
  qp::QpRecord record;
  const auto count = [&](Direction d, Opcode opcode) -> std::uint64_t& {
    return record.directions[iwarpscope::index(d)].messages[static_cast<std::size_t>(opcode)];
  };
  count(kTo, Opcode::send) = 5;
  EXPECT_FALSE(may_have_failed(record));
  count(kTo, Opcode::rdma_read_request) = 2;
  count(kFrom, Opcode::rdma_read_response) = 1;
  EXPECT_TRUE(may_have_failed(record));
  count(kFrom, Opcode::rdma_read_response) = 2;
  EXPECT_FALSE(may_have_failed(record));
  count(kFrom, Opcode::atomic_request) = 1;
  EXPECT_TRUE(may_have_failed(record));
  count(kTo, Opcode::atomic_response) = 1;
  EXPECT_FALSE(may_have_failed(record));
  count(kFrom, Opcode::terminate) = 1;
  EXPECT_TRUE(may_have_failed(record));
}

/// A Send that is terminated and a read without an answer; still open at the end.
synth::Frames failing() {
  synth::Connection c;
  c.connect();
  c.startup();
  c.read_request(Side::initiator, {.size = 100});
  c.send(Side::initiator, 100);
  c.terminate_last(Side::responder, 0, 1, 2);
  return c.frames();
}

/// The failed operations that a subscriber with these wishes gets: with findings, and with queue pairs that ended.
std::pair<std::vector<std::string>, std::vector<std::string>> failed_with(const Wanted& wanted) {
  const synth::Frames frames = failing();
  FramesIntake intake(frames);
  WatchOptions options;
  options.analysis.messages = true;
  Watch watch(options, intake);
  const auto subscription = watch.subscribe(wanted);
  watch.run();
  std::pair<std::vector<std::string>, std::vector<std::string>> all;
  for (const Event& event : subscription->wait(0ms)) {
    if (const auto* finding = std::get_if<FindingReported>(&event)) {
      for (const std::string& one : texts_of(finding->failed)) all.first.push_back(one);
    } else if (const auto* ended = std::get_if<QpEnded>(&event)) {
      all.second = texts_of(ended->failed);
    }
  }
  return all;
}

TEST(Watch, OperationsThatFailed_AreReportedWithTheTerminateAndAtTheEnd) {
  const auto [with_findings, at_the_end] = failed_with({.qps = true, .findings = true, .failed_operations = true});
  EXPECT_THAT(with_findings, ElementsAre("terminated 1", "terminate 0"));
  EXPECT_THAT(at_the_end, ElementsAre("terminated 1", "terminate 0", "no_response_seen 0"));
}

TEST(Watch, OperationsThatFailed_AreNotLookedForWithoutASubscriber) {
  const auto [with_findings, at_the_end] = failed_with({.qps = true, .findings = true});
  EXPECT_THAT(with_findings, IsEmpty());
  EXPECT_THAT(at_the_end, IsEmpty());
}

}  // namespace
}  // namespace iwarpscope::live
