// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Many subscribers, slow subscribers, subscribers that go away.
#include <gmock/gmock.h>
#include <grpcpp/grpcpp.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <filesystem>
#include <mutex>
#include <thread>

#include "daemon/api/kit.h"
#include "iwarpscope/v1/observer.grpc.pb.h"

namespace iwarpscope::api::testing {
namespace {

using grpc::StatusCode;

std::unique_ptr<v1::Observer::Stub> connect_alone(const Daemon& daemon) {
  grpc::ChannelArguments arguments;
  arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);  // a connection of its own
  return v1::Observer::NewStub(
      grpc::CreateCustomChannel("unix:" + daemon.options.socket, grpc::InsecureChannelCredentials(), arguments));
}

v1::SubscribeRequest everything() {
  v1::SubscribeRequest request;
  request.set_qps(true);
  request.set_messages(true);
  request.set_findings(true);
  return request;
}

TEST(Subscriber, ReceivesEverythingInOrder) {
  Daemon daemon;
  ASSERT_EQ(daemon.start(), "");
  const auto observer = connect_alone(daemon);
  v1::SubscribeRequest request = everything();
  request.set_detail(v1::QP_DETAIL_FULL);
  request.set_qp(3);
  request.set_at_least(v1::SEVERITY_WARNING);
  request.set_queue(77);
  grpc::ClientContext context;
  const auto stream = observer->Subscribe(&context, request);
  v1::SubscribeReply reply;
  ASSERT_TRUE(stream->Read(&reply));  // the first comes at once: it is subscribed
  EXPECT_EQ(reply.events_size(), 0);
  const auto channel = daemon.directory.channels().at(0);
  EXPECT_EQ(channel->wanted.qp, 3u);
  EXPECT_EQ(channel->wanted.at_least, findings::Severity::warning);
  EXPECT_EQ(channel->wanted.queue, 77u);
  daemon.directory.tell(live::QpOpened{qp_view(3)});
  daemon.directory.tell(live::QpChanged{qp_view(3)});
  daemon.directory.tell(
      live::MessageReported{std::make_shared<qp::MessageRecord>(report::sample::message(rdmap::Opcode::send))});
  daemon.directory.tell(live::FindingReported{finding_view(8, report::sample::crc_finding(3))});
  daemon.directory.tell(live::QpEnded{qp_view(3)});
  std::vector<v1::Event> all;
  while (all.size() < 5 && stream->Read(&reply)) {
    all.insert(all.end(), reply.events().begin(), reply.events().end());
  }
  ASSERT_EQ(all.size(), 5u);
  EXPECT_TRUE(all[0].has_qp_opened());
  EXPECT_TRUE(all[0].qp_opened().has_startup());
  EXPECT_TRUE(all[1].has_qp_changed());
  EXPECT_EQ(all[2].message().index(), 12u);
  EXPECT_EQ(all[3].finding().sequence(), 8u);
  EXPECT_TRUE(all[4].has_qp_ended());
  EXPECT_EQ(reply.lost(), 0u);
  daemon.directory.close();
  EXPECT_FALSE(stream->Read(&reply));
  EXPECT_EQ(stream->Finish().error_code(), StatusCode::OK) << "nothing more comes, and all came";
}

TEST(Subscriber, ToRecordsThatHaveOtherNumbersNow_MustListAgain) {
  Daemon daemon;
  ASSERT_EQ(daemon.start(), "");
  const auto observer = connect_alone(daemon);
  grpc::ClientContext context;
  const auto stream = observer->Subscribe(&context, everything());
  v1::SubscribeReply reply;
  ASSERT_TRUE(stream->Read(&reply));
  daemon.directory.channels().at(0)->supersede();
  EXPECT_FALSE(stream->Read(&reply));
  EXPECT_EQ(stream->Finish().error_code(), StatusCode::UNAVAILABLE);
}

live::FindingPtr record(std::uint64_t sequence) {
  auto view = std::make_shared<live::FindingView>(*finding_view(sequence, report::sample::crc_finding(3)));
  view->name.sequence = sequence;
  return view;
}

struct SubscriberAfterARecord : ::testing::Test {
  Daemon daemon;
  std::unique_ptr<v1::Observer::Stub> observer;
  grpc::ClientContext context;
  std::unique_ptr<grpc::ClientReader<v1::SubscribeReply>> stream;
  v1::SubscribeReply reply;
  std::vector<std::uint64_t> sequences;

  void SetUp() override {
    daemon.directory.last = {"run 1", 9};
    ASSERT_EQ(daemon.start(), "");
    observer = connect_alone(daemon);
  }
  void subscribe(const std::string& run, std::uint64_t sequence) {
    v1::SubscribeRequest request = everything();
    request.mutable_after()->set_run_uuid(run);
    request.mutable_after()->set_sequence(sequence);
    stream = observer->Subscribe(&context, request);
  }
  /// Until the place is there.
  void read_to(std::uint64_t sequence) {
    while (reply.place().sequence() < sequence && stream->Read(&reply)) {
      for (const v1::Event& event : reply.events()) sequences.push_back(event.finding().name().sequence());
    }
    EXPECT_EQ(reply.place().sequence(), sequence);
  }
};

TEST_F(SubscriberAfterARecord, ReceivesWhatIsRememberedAndThenWhatIsNewOnce) {
  for (const std::uint64_t sequence : {2, 3, 6, 9}) daemon.directory.known_findings.push_back(record(sequence));
  subscribe("run 1", 3);
  read_to(9);
  EXPECT_THAT(sequences, ::testing::ElementsAre(6, 9));
  EXPECT_EQ(reply.missing(), 4u);  // 4, 5, 7, 8
  EXPECT_FALSE(reply.run_ended());
  EXPECT_EQ(reply.last_sequence(), 9u);
  for (const std::uint64_t sequence : {9, 10}) daemon.directory.tell(live::FindingReported{record(sequence)});
  read_to(10);
  EXPECT_THAT(sequences, ::testing::ElementsAre(6, 9, 10));
}

TEST_F(SubscriberAfterARecord, OfAnotherRunReceivesThisOneFromItsBeginning) {
  for (const std::uint64_t sequence : {1, 2}) daemon.directory.known_findings.push_back(record(sequence));
  subscribe("run 0", 77);
  read_to(2);
  EXPECT_TRUE(reply.run_ended());
  EXPECT_EQ(reply.place().run_uuid(), "run 1");
  EXPECT_EQ(reply.missing(), 0u);
  EXPECT_THAT(sequences, ::testing::ElementsAre(1, 2));
}

TEST_F(SubscriberAfterARecord, ThatIsNotThereYetIsRefused) {
  subscribe("run 1", 10);
  const grpc::Status status = stream->Finish();
  EXPECT_EQ(status.error_code(), StatusCode::INVALID_ARGUMENT);
  EXPECT_EQ(status.error_message(), "after: this run has 9 records, and none with the sequence 10");
}

TEST_F(SubscriberAfterARecord, EndsWhenRecordsCannotBeRead) {
  daemon.directory.trouble = "The analysis has ended.";
  subscribe("run 1", 3);
  while (stream->Read(&reply)) EXPECT_EQ(reply.events_size(), 0);
  EXPECT_EQ(stream->Finish().error_code(), StatusCode::UNAVAILABLE);
}

TEST(Subscriber, ReceivesEventsSoon) {
  Daemon daemon;
  ASSERT_EQ(daemon.start(), "");
  const auto observer = connect_alone(daemon);
  grpc::ClientContext context;
  const auto stream = observer->Subscribe(&context, everything());
  v1::SubscribeReply reply;
  ASSERT_TRUE(stream->Read(&reply));
  std::chrono::nanoseconds longest{};
  for (std::uint64_t i = 0; i < 20; ++i) {
    const auto begin = std::chrono::steady_clock::now();
    daemon.directory.tell(live::QpChanged{qp_view(i)});
    ASSERT_TRUE(stream->Read(&reply));
    longest = std::max<std::chrono::nanoseconds>(longest, std::chrono::steady_clock::now() - begin);
  }
  std::printf("received within %.1f ms\n", static_cast<double>(longest.count()) * 1e-6);
  EXPECT_LT(longest, std::chrono::milliseconds{200 * kSlower});
}

TEST(SubscriberWithoutAWish, IsRefused) {
  Daemon daemon;
  ASSERT_EQ(daemon.start(), "");
  const auto observer = connect_alone(daemon);
  grpc::ClientContext context;
  const grpc::Status status = observer->Subscribe(&context, {})->Finish();
  EXPECT_EQ(status.error_code(), StatusCode::INVALID_ARGUMENT);
  EXPECT_EQ(status.error_message(), "a subscription must request queue pairs, messages or findings");
}

TEST(SubscribersAboveTheLimit, AreRefusedAndCounted) {
  Daemon daemon;
  daemon.options.most_subscribers = 2;
  ASSERT_EQ(daemon.start(), "");
  const auto observer = connect_alone(daemon);
  grpc::ClientContext one, two, three, four;
  v1::SubscribeReply reply;
  const auto first = observer->Subscribe(&one, everything());
  const auto second = observer->Subscribe(&two, everything());
  ASSERT_TRUE(first->Read(&reply));
  ASSERT_TRUE(second->Read(&reply));
  EXPECT_EQ(observer->Subscribe(&three, everything())->Finish().error_code(), StatusCode::RESOURCE_EXHAUSTED);
  EXPECT_EQ(daemon.server->use().refused, 1u);
  one.TryCancel();  // one that leaves makes room
  first->Finish();
  ASSERT_TRUE(becomes([&] { return daemon.server->use().subscribers == 1; }));
  const auto next = observer->Subscribe(&four, everything());
  EXPECT_TRUE(next->Read(&reply));
}

/// Reads on request.
class LazyReader final : public grpc::ClientReadReactor<v1::SubscribeReply> {
 public:
  LazyReader(v1::Observer::Stub& stub, const v1::SubscribeRequest& request) : request_(request) {
    stub.async()->Subscribe(&context_, &request_, this);
    AddHold();
    StartCall();
  }
  ~LazyReader() override {
    context_.TryCancel();
    RemoveHold();
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return done_; });
  }
  LazyReader(const LazyReader&) = delete;
  LazyReader& operator=(const LazyReader&) = delete;
  /// From now on it reads all that comes.
  void read() { StartRead(&reply_); }
  [[nodiscard]] std::uint64_t replies() const { return replies_; }
  [[nodiscard]] std::uint64_t events() const { return events_; }
  [[nodiscard]] std::uint64_t lost() const { return lost_; }

 private:
  void OnReadDone(bool ok) override {
    if (!ok) return;
    ++replies_;
    events_ += static_cast<std::uint64_t>(reply_.events_size());
    lost_ = reply_.lost();
    StartRead(&reply_);
  }
  void OnDone(const grpc::Status&) override {
    const std::lock_guard lock(mutex_);
    done_ = true;
    changed_.notify_all();
  }

  v1::SubscribeRequest request_;
  grpc::ClientContext context_;
  v1::SubscribeReply reply_;
  std::atomic<std::uint64_t> replies_{0}, events_{0}, lost_{0};
  std::mutex mutex_;
  std::condition_variable changed_;
  bool done_ = false;
};

TEST(SubscriberThatNeverReads, LosesAloneAndLearnsHowMuch) {
  Daemon daemon;
  ASSERT_EQ(daemon.start(), "");
  const auto lazy_stub = connect_alone(daemon), busy_stub = connect_alone(daemon);
  v1::SubscribeRequest request = everything();
  request.set_detail(v1::QP_DETAIL_FULL);
  request.set_queue(100);
  LazyReader lazy(*lazy_stub, request);
  request.set_queue(65536);
  LazyReader busy(*busy_stub, request);
  busy.read();
  ASSERT_TRUE(becomes([&] { return busy.replies() > 0 && daemon.server->use().subscribers == 2; }));
  std::uint64_t sent = 0;
  const auto lost = [&] {
    std::uint64_t all = 0;
    for (const auto& channel : daemon.directory.channels()) {
      const std::lock_guard lock(channel->mutex);
      all += channel->lost;
    }
    return all;
  };
  auto view = qp_view(1);
  view->record.verdict->text = std::string(4000, 'x');
  std::chrono::nanoseconds longest{};
  for (; sent < 200'000 && lost() < many(1000); ++sent) {
    const auto begin = std::chrono::steady_clock::now();
    daemon.directory.tell(live::QpChanged{view});
    longest = std::max<std::chrono::nanoseconds>(longest, std::chrono::steady_clock::now() - begin);
    if (sent % 100 == 99) {
      ASSERT_TRUE(becomes([&] { return busy.events() == sent + 1; }));
    }
  }
  const std::uint64_t lost_of_lazy = lost();
  EXPECT_GE(lost_of_lazy, many(1000));
  EXPECT_LT(longest, std::chrono::milliseconds{500 * kSlower});  // it delayed no other subscriber
  EXPECT_TRUE(becomes([&] { return busy.events() == sent; }));
  EXPECT_EQ(busy.lost(), 0u);
  EXPECT_TRUE(
      becomes([&] { return daemon.server->use().lost == lost_of_lazy; }));  // though it could not be reported yet
  lazy.read();
  EXPECT_TRUE(becomes([&] { return lazy.lost() == lost_of_lazy && lazy.events() + lazy.lost() == sent; }))
      << lazy.events() << " + " << lazy.lost() << " of " << sent;
  EXPECT_EQ(daemon.server->use().lost, lost_of_lazy);
}

TEST(SubscribersThatNeverRead, HoldReplies_WithinTheBudget) {
  constexpr std::size_t kClients = many(200), kOfAnEvent = 40'000;
  Daemon daemon;
  daemon.options.most_subscribers = kClients;
  daemon.options.subscriber_octets = std::size_t{8} << 20;
  ASSERT_EQ(daemon.start(), "");
  std::vector<std::unique_ptr<v1::Observer::Stub>> stubs;
  std::vector<std::unique_ptr<LazyReader>> lazy;
  v1::SubscribeRequest request = everything();
  request.set_detail(v1::QP_DETAIL_FULL);
  for (std::size_t i = 0; i < kClients; ++i) {
    stubs.push_back(connect_alone(daemon));
    lazy.push_back(std::make_unique<LazyReader>(*stubs.back(), request));
  }
  const Use& use = daemon.server->use();
  ASSERT_TRUE(becomes([&] { return daemon.directory.channels().size() == kClients; }));
  auto view = qp_view(1);
  view->record.verdict->text = std::string(4000, 'x');
  std::uint64_t most = 0;
  for (int i = 0; i < 3000; ++i) {
    daemon.directory.tell(live::QpChanged{view});
    most = std::max(most, use.held.load());
  }
  EXPECT_TRUE(becomes([&] { return use.held > 0; }));  // gRPC takes what it likes, then each waits with a reply
  most = std::max(most, use.held.load());
  EXPECT_LT(most, daemon.options.subscriber_octets / 2 + kClients * kOfAnEvent);
  lazy.clear();
  EXPECT_TRUE(becomes([&] { return use.subscribers == 0; }));
  EXPECT_EQ(use.held, 0u);
}

std::size_t threads() {
  const std::filesystem::directory_iterator tasks("/proc/self/task");
  return static_cast<std::size_t>(std::distance(begin(tasks), end(tasks)));
}

TEST(AThousandSubscribers, AreServedByFewThreads) {
  constexpr std::size_t kClients = many(1000);
  rlimit files{};
  getrlimit(RLIMIT_NOFILE, &files);
  files.rlim_cur = files.rlim_max;
  setrlimit(RLIMIT_NOFILE, &files);
  if (files.rlim_cur < 4 * kClients) GTEST_SKIP() << "this process may open " << files.rlim_cur << " files only";
  Daemon daemon;
  ASSERT_EQ(daemon.start(), "");
  {
    std::vector<std::unique_ptr<v1::Observer::Stub>> stubs;
    std::vector<std::unique_ptr<LazyReader>> readers;
    v1::SubscribeRequest request = everything();
    request.set_queue(64);
    for (std::size_t i = 0; i < kClients; ++i) {
      stubs.push_back(connect_alone(daemon));
      readers.push_back(std::make_unique<LazyReader>(*stubs.back(), request));
      readers.back()->read();
    }
    const auto all = [&](auto&& has) { return std::all_of(readers.begin(), readers.end(), has); };
    ASSERT_TRUE(becomes([&] { return all([](const auto& r) { return r->replies() > 0; }); }));
    EXPECT_EQ(daemon.server->use().subscribers, kClients);
    const auto begin = std::chrono::steady_clock::now();
    for (std::uint64_t i = 0; i < 10; ++i) daemon.directory.tell(live::QpChanged{qp_view(i)});
    ASSERT_TRUE(becomes([&] { return all([](const auto& r) { return r->events() == 10; }); }));
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
    std::printf("%zu clients served in %.3f s; %zu threads, of both ends\n", kClients, took.count(), threads());
    EXPECT_LT(threads(), 100u);
    // They all go away in the middle of something.
    for (std::uint64_t i = 0; i < 100; ++i) daemon.directory.tell(live::QpChanged{qp_view(i)});
  }
  EXPECT_TRUE(becomes([&] { return daemon.server->use().subscribers == 0; }));
}

}  // namespace
}  // namespace iwarpscope::api::testing
