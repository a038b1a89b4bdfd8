// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// A picture of a daemon that stays true while changes are lost and the daemon goes away.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <set>
#include <thread>

#include "api/feed.h"
#include "daemon/api/kit.h"
#include "iwarpscope/v1/status.pb.h"

namespace iwarpscope::api::testing {
namespace {

using namespace std::chrono_literals;

/// Events that came, and the thread that waits for them.
class Taker final : public FeedTaker {
 public:
  void status(std::shared_ptr<const v1::Status> status) override {
    change([&] { version = status->version(); });
  }
  void replace(std::vector<live::QpView> all) override {
    change([&] {
      ++lists;
      qps.clear();
      for (const live::QpView& qp : all) qps.insert(qp.record.qp);
      listed_at = std::chrono::steady_clock::now();
    });
  }
  void apply(live::QpView qp) override {
    change([&] { qps.insert(qp.record.qp); });
  }
  void forget_findings() override {
    change([&] { findings.clear(); });
  }
  void finding(live::FindingView&& view) override {
    change([&] { findings.push_back(view.sequence); });
  }
  void trouble(const Failure* failure) override {
    change([&] {
      // Well again means that the list is new, too.
      if (failure == nullptr && !sentence.empty()) lists_when_well = lists;
      sentence = failure == nullptr ? std::string{} : failure->sentence;
    });
  }
  void retrying(std::chrono::milliseconds pause) override {
    change([&] { pauses.push_back(pause); });
  }
  /// False: it did not become so within a time that is ample.
  template <class Condition>
  bool becomes(Condition condition) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, 30s, condition);
  }

  std::size_t count_pauses() {
    const std::lock_guard lock(mutex_);
    return pauses.size();
  }

  std::string version, sentence;
  int lists = 0, lists_when_well = 0;
  std::vector<std::chrono::milliseconds> pauses;  ///< before attempts
  std::set<std::uint64_t> qps;
  std::vector<std::uint64_t> findings;
  std::chrono::steady_clock::time_point listed_at;

 private:
  template <class Change>
  void change(Change how) {
    const std::lock_guard lock(mutex_);
    how();
    changed_.notify_all();
  }
  std::mutex mutex_;
  std::condition_variable changed_;
};

/// Short pauses, so that no test waits for one.
FeedOptions quick() {
  FeedOptions options;
  options.findings = true;
  options.status_every = 20ms;
  options.retry_first = 10ms;
  options.retry_last = 50ms;
  options.list_again = 0ms;
  return options;
}

class FeedOfADaemon : public ::testing::Test {
 protected:
  void SetUp() override {
    daemon.directory.known_qps = {qp_view(1), qp_view(2)};
    daemon.directory.known_findings = {finding_view(1, report::sample::crc_finding(1)),
                                       finding_view(2, report::sample::crc_finding(2))};
    ASSERT_EQ(daemon.start(), "");
    client = open();
  }
  std::unique_ptr<Client> open() const {
    Place place;
    place.socket = daemon.options.socket;
    return std::move(*Client::open(place));
  }
  /// Reported to the newest subscription as lost.
  void lose(std::uint64_t count) {
    const auto channel = daemon.directory.channels().back();
    const std::lock_guard lock(channel->mutex);
    channel->lost += count;
  }
  Daemon daemon;
  Taker taker;
  std::unique_ptr<Client> client;
};

/// A queue pair in a run of a sensor, as a centre numbers it.
std::shared_ptr<live::QpView> of_run(std::uint64_t run, std::uint64_t qp) {
  auto view = qp_view(run * live::kQpNumbersOfRun + qp);
  view->ended = false;
  view->name.origin =
      std::make_shared<const live::Origin>(live::Origin{"rack7", "uuid-7", "run-" + std::to_string(run), 0, true});
  return view;
}

/// The centre no longer lists them, and sends no event about them.
TEST_F(FeedOfADaemon, WhatWasOpenInARunThatAnotherFollowedVanishes) {
  const auto before = of_run(1, 5), later = of_run(2, 0), more = of_run(2, 1);
  daemon.directory.change([&](live::Status&) { daemon.directory.known_qps = {before}; });
  const Feed feed(*client, taker, quick());
  ASSERT_TRUE(taker.becomes([&] { return taker.qps == std::set{before->record.qp}; }));
  daemon.directory.change([&](live::Status&) { daemon.directory.known_qps = {later}; });
  daemon.directory.tell(live::QpOpened{later});
  ASSERT_TRUE(taker.becomes([&] { return taker.qps == std::set{later->record.qp}; }));
  const int lists = taker.lists;
  daemon.directory.tell(live::QpOpened{more});  // of the same run: nothing is over
  ASSERT_TRUE(taker.becomes([&] { return taker.qps.size() == 2; }));
  EXPECT_EQ(taker.lists, lists);
}

TEST_F(FeedOfADaemon, ListsWhatThereIsAndFollows) {
  const Feed feed(*client, taker, quick());
  ASSERT_TRUE(taker.becomes([&] { return taker.findings.size() == 2 && taker.version == "1.2.3"; }));
  EXPECT_EQ(taker.qps, (std::set<std::uint64_t>{1, 2}));
  daemon.directory.tell(live::QpOpened{qp_view(3)});
  daemon.directory.tell(live::FindingReported{finding_view(2, report::sample::crc_finding(2))});  // the list had it
  daemon.directory.tell(live::FindingReported{finding_view(3, report::sample::crc_finding(3))});
  daemon.directory.tell(live::QpEnded{qp_view(4)});
  EXPECT_TRUE(taker.becomes([&] { return taker.qps.contains(4) && taker.findings.size() >= 3; }));
  EXPECT_EQ(taker.findings, (std::vector<std::uint64_t>{1, 2, 3}));
  EXPECT_TRUE(taker.qps.contains(3));
  EXPECT_EQ(taker.lists, 1);
}

TEST_F(FeedOfADaemon, SendsNoFindingsWhenTheyAreNotWanted) {
  FeedOptions options = quick();
  options.findings = false;
  const Feed feed(*client, taker, options);
  ASSERT_TRUE(taker.becomes([&] { return taker.lists == 1; }));
  EXPECT_FALSE(daemon.directory.channels().back()->wanted.findings);
  EXPECT_TRUE(taker.findings.empty());
}

TEST_F(FeedOfADaemon, ListsAgainWhatWasLost) {
  const Feed feed(*client, taker, quick());
  ASSERT_TRUE(taker.becomes([&] { return taker.findings.size() == 2; }));
  daemon.directory.known_qps.push_back(qp_view(77));
  daemon.directory.known_findings.push_back(finding_view(3, report::sample::crc_finding(77)));
  lose(5);
  daemon.directory.tell(live::QpChanged{qp_view(1)});
  EXPECT_TRUE(taker.becomes([&] { return taker.lists == 2 && taker.findings.size() == 3; }));
  EXPECT_TRUE(taker.qps.contains(77));
  EXPECT_EQ(taker.findings, (std::vector<std::uint64_t>{1, 2, 3}));
}

TEST_F(FeedOfADaemon, ListsAgainThoughNothingComesAfterTheLoss) {
  FeedOptions options = quick();
  options.list_again = 300ms;
  const Feed feed(*client, taker, options);
  ASSERT_TRUE(taker.becomes([&] { return taker.findings.size() == 2; }));
  const auto first = taker.listed_at;
  lose(1);
  daemon.directory.tell(live::QpChanged{qp_view(1)});  // the last there is to tell
  EXPECT_TRUE(taker.becomes([&] { return taker.lists == 2; }));
  EXPECT_GE(taker.listed_at - first, 250ms);
}

TEST_F(FeedOfADaemon, SaysThatTheDaemonIsGoneAndListsWhenItIsBack) {
  const Feed feed(*client, taker, quick());
  ASSERT_TRUE(taker.becomes([&] { return taker.findings.size() == 2; }));
  daemon.directory.close();
  daemon.server.reset();
  ASSERT_TRUE(taker.becomes([&] { return !taker.sentence.empty(); }));
  // Another run: its numbers begin again.
  daemon.directory.known_qps = {qp_view(0)};
  daemon.directory.known_findings = {finding_view(1, report::sample::crc_finding(0))};
  ASSERT_EQ(daemon.start(), "");
  EXPECT_TRUE(taker.becomes([&] { return taker.lists >= 2 && taker.findings.size() == 1 && taker.sentence.empty(); }));
  EXPECT_EQ(taker.qps, (std::set<std::uint64_t>{0}));
  EXPECT_EQ(taker.findings, (std::vector<std::uint64_t>{1}));
}

TEST_F(FeedOfADaemon, IsWellAgainWhenItHasListedNotBefore) {
  FeedOptions options = quick();
  options.retry_first = 200ms;  // many questions for the status would fit in
  const Feed feed(*client, taker, options);
  ASSERT_TRUE(taker.becomes([&] { return taker.findings.size() == 2; }));
  const int before = taker.lists;
  daemon.directory.close();
  daemon.server.reset();
  ASSERT_TRUE(taker.becomes([&] {
    EXPECT_TRUE(taker.pauses.empty() || !taker.sentence.empty());
    return !taker.pauses.empty();
  }));
  ASSERT_EQ(daemon.start(), "");
  EXPECT_TRUE(taker.becomes([&] { return taker.sentence.empty(); }));
  EXPECT_GT(taker.lists_when_well, before);
}

TEST_F(FeedOfADaemon, PausesLongerAndLongerAndTriesAtOnceOnRequest) {
  FeedOptions options = quick();
  options.retry_first = 20s;
  options.retry_last = 70s;
  Feed feed(*client, taker, options);
  ASSERT_TRUE(taker.becomes([&] { return taker.findings.size() == 2; }));
  const int before = taker.lists;
  daemon.directory.close();
  daemon.server.reset();
  // A request that comes before the feed waits is lost, on a busy machine: it is made until it has its effect.
  const auto end = std::chrono::steady_clock::now() + 60s;
  while (taker.count_pauses() < 3 && std::chrono::steady_clock::now() < end) {
    std::this_thread::sleep_for(50ms);
    if (taker.count_pauses() != 0) feed.try_now();
  }
  ASSERT_GE(taker.count_pauses(), 3u);
  EXPECT_THAT(std::vector(taker.pauses.begin(), taker.pauses.begin() + 3), ::testing::ElementsAre(20s, 40s, 70s));
  ASSERT_EQ(daemon.start(), "");
  feed.try_now();
  EXPECT_TRUE(taker.becomes([&] { return taker.lists > before && taker.sentence.empty(); }));
}

TEST_F(FeedOfADaemon, EndsPromptly) {
  FeedOptions options = quick();
  options.status_every = options.retry_first = options.retry_last = options.list_again = 60s;
  const auto ends_within = [&](Client& its, auto wait) {
    std::optional<Feed> feed(std::in_place, its, taker, options);
    wait();
    const auto begin = std::chrono::steady_clock::now();
    feed.reset();
    return std::chrono::steady_clock::now() - begin;
  };
  EXPECT_LT(ends_within(*client, [&] { ASSERT_TRUE(taker.becomes([&] { return taker.findings.size() == 2; })); }), 5s);
  // In the pause before it lists again.
  const auto second = open();
  taker.lists = 0;
  EXPECT_LT(ends_within(*second,
                        [&] {
                          ASSERT_TRUE(taker.becomes([&] { return taker.lists == 1; }));
                          lose(1);
                          daemon.directory.tell(live::QpChanged{qp_view(5)});
                        }),
            5s);
  // No daemon there.
  daemon.directory.close();
  daemon.server.reset();
  const auto third = open();
  EXPECT_LT(ends_within(*third, [&] { ASSERT_TRUE(taker.becomes([&] { return !taker.sentence.empty(); })); }), 5s);
}

}  // namespace
}  // namespace iwarpscope::api::testing
