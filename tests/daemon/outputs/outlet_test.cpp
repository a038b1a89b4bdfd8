// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "outputs/outlet.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <stdexcept>

#include "daemon/live/fake_directory.h"
#include "daemon/outputs/events.h"

namespace iwarpscope::outputs {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;

/// What a sink was asked to do, outliving it; it can be made to hang.
struct Reported {
  std::mutex mutex;
  std::condition_variable changed;
  std::vector<std::uint64_t> frames;
  unsigned tended = 0, finished = 0, reopened = 0, hurried = 0, entered = 0;
  bool hang = false, gone = false, throws = false;
  std::size_t refuse = 0;  ///< of each batch
  std::string trouble;
  std::size_t queue = 8;
  std::uint64_t lost_later = 0;

  template <class Done>
  [[nodiscard]] bool await(Done done) {
    std::unique_lock lock(mutex);
    return changed.wait_for(lock, 60s, done);
  }
};

class RecordingSink final : public Sink {
 public:
  explicit RecordingSink(std::shared_ptr<Reported> reported) : reported_(std::move(reported)) {}
  ~RecordingSink() override {
    note([&] { reported_->gone = true; });
  }
  std::string_view name() const noexcept override { return "recording"; }
  live::Wanted wanted() const override {
    live::Wanted wanted;
    wanted.findings = true;
    wanted.queue = reported_->queue;
    return wanted;
  }
  std::size_t take(const std::vector<live::Event>& events) override {
    std::unique_lock lock(reported_->mutex);
    ++reported_->entered;
    reported_->changed.notify_all();
    reported_->changed.wait(lock, [&] { return !reported_->hang; });
    if (reported_->throws) throw std::runtime_error("no memory left");
    for (const live::Event& event : events) {
      reported_->frames.push_back(std::get<live::FindingReported>(event).finding->finding.frame.value);
    }
    reported_->changed.notify_all();
    return reported_->refuse;
  }
  void tend() override {
    note([&] { ++reported_->tended; });
  }
  void finish() override {
    note([&] { ++reported_->finished; });
  }
  void reopen() override {
    note([&] { ++reported_->reopened; });
  }
  void hurry() noexcept override {
    note([&] { ++reported_->hurried; });
  }
  std::uint64_t lost_later() const noexcept override {
    const std::lock_guard lock(reported_->mutex);
    return reported_->lost_later;
  }
  std::string trouble() const override {
    const std::lock_guard lock(reported_->mutex);
    return reported_->trouble;
  }

 private:
  template <class Change>
  void note(Change change) {
    const std::lock_guard lock(reported_->mutex);
    change();
    reported_->changed.notify_all();
  }
  std::shared_ptr<Reported> reported_;
};

struct OutletOf : ::testing::Test {
  live::FakeDirectory directory;
  std::shared_ptr<Reported> reported = std::make_shared<Reported>();
  std::unique_ptr<Outlet> outlet;

  void start(const OutletOptions& options = {}) {
    outlet = std::make_unique<Outlet>(std::make_unique<RecordingSink>(reported), directory, options);
  }
  /// The sink hangs with the first of nine events in hand; eight more come.
  void tell_nine_while_it_hangs(const OutletOptions& options = {}) {
    reported->hang = true;
    start(options);
    directory.tell(finding(0, 1));
    ASSERT_TRUE(reported->await([&] { return reported->entered == 1; }));
    for (std::uint64_t frame = 2; frame <= 9; ++frame) directory.tell(finding(0, frame));
  }
  void let_go() {
    const std::lock_guard lock(reported->mutex);
    reported->hang = false;
    reported->changed.notify_all();
  }
  [[nodiscard]] bool taken(std::size_t count) {
    return reported->await([&] { return reported->frames.size() >= count; });
  }
};

TEST_F(OutletOf, ASinkGetsWhatHappensInOrder) {
  start();
  for (std::uint64_t frame = 1; frame <= 5; ++frame) directory.tell(finding(0, frame));
  ASSERT_TRUE(taken(5));
  outlet->stop();
  EXPECT_THAT(reported->frames, ::testing::ElementsAre(1, 2, 3, 4, 5));
  EXPECT_EQ(reported->finished, 1u);
  const live::OutputView view = outlet->view();
  EXPECT_EQ(view.name, "recording");
  EXPECT_TRUE(view.healthy);
  EXPECT_EQ(view.taken, 5u);
  EXPECT_EQ(view.lost, 0u);
  EXPECT_EQ(view.queued, 0u);
  EXPECT_EQ(view.queue_limit, 8u);
  EXPECT_EQ(view.lag_seconds, 0);
}

TEST_F(OutletOf, WhatASinkLosesAfterwardsIsLostAndNotTaken) {
  start();
  for (std::uint64_t frame = 1; frame <= 5; ++frame) directory.tell(finding(0, frame));
  ASSERT_TRUE(taken(5));
  outlet->stop();
  reported->lost_later = 2;
  EXPECT_EQ(outlet->view().taken, 3u);
  EXPECT_EQ(outlet->view().lost, 2u);
}

TEST_F(OutletOf, WhatWaitsWhenItStopsIsStored) {
  reported->hang = true;
  start();
  directory.tell(finding(0, 1));
  ASSERT_TRUE(reported->await([&] { return reported->entered == 1; }));
  for (std::uint64_t frame = 2; frame <= 9; ++frame) directory.tell(finding(0, frame));
  EXPECT_EQ(outlet->view().queued, 9u);
  EXPECT_GT(outlet->view().lag_seconds, 0);
  std::thread later([&] {
    EXPECT_TRUE(reported->await([&] { return reported->hurried == 1; }));
    const std::lock_guard lock(reported->mutex);
    reported->hang = false;
    reported->changed.notify_all();
  });
  outlet->stop();
  later.join();
  EXPECT_EQ(reported->frames.size(), 9u);
  EXPECT_EQ(reported->finished, 1u);
  EXPECT_EQ(outlet->view().taken, 9u);
}

TEST_F(OutletOf, ASlowSinkLosesWhatFindsTheQueueFullAndCountsIt) {
  reported->queue = 3;
  ASSERT_NO_FATAL_FAILURE(tell_nine_while_it_hangs());
  EXPECT_EQ(outlet->view().lost, 5u);
  let_go();
  ASSERT_TRUE(taken(4));
  outlet->stop();
  EXPECT_EQ(outlet->view().taken, 4u);
  EXPECT_EQ(outlet->view().lost, 5u);
}

TEST_F(OutletOf, TheConfiguredQueueHoldsInsteadOfTheSinksOwn) {
  OutletOptions options;
  options.queue = 3;
  ASSERT_NO_FATAL_FAILURE(tell_nine_while_it_hangs(options));
  EXPECT_EQ(outlet->view().lost, 5u);
  let_go();
}

TEST_F(OutletOf, WhatTheSinkCannotStoreIsLost) {
  reported->refuse = 1;
  reported->trouble = "The disk is full.";
  start();
  directory.tell(finding(0, 1));
  ASSERT_TRUE(taken(1));
  outlet->stop();
  const live::OutputView view = outlet->view();
  EXPECT_EQ(view.taken, 0u);
  EXPECT_EQ(view.lost, 1u);
  EXPECT_FALSE(view.healthy);
  EXPECT_EQ(view.trouble, "The disk is full.");
}

TEST_F(OutletOf, ASinkThatThrowsLosesItsBatchAndGoesOn) {
  reported->throws = true;
  start();
  directory.tell(finding(0, 1));
  ASSERT_TRUE(reported->await([&] { return reported->tended > 0; }));
  EXPECT_THAT(outlet->view().trouble, HasSubstr("no memory left"));
  EXPECT_EQ(outlet->view().lost, 1u);
  {
    const std::lock_guard lock(reported->mutex);
    reported->throws = false;
  }
  directory.tell(finding(0, 2));
  ASSERT_TRUE(taken(1));
  outlet->stop();
  EXPECT_TRUE(outlet->view().healthy);
  EXPECT_EQ(outlet->view().taken, 1u);
  EXPECT_EQ(outlet->view().lost, 1u);
}

TEST_F(OutletOf, ASinkThatHangsIsGivenUpAndItsEventsAreLost) {
  reported->hang = true;
  start({.stop_within = 50ms});
  directory.tell(finding(0, 1));
  ASSERT_TRUE(reported->await([&] { return reported->entered == 1; }));
  directory.tell(finding(0, 2));
  directory.tell(finding(0, 3));
  outlet->stop();
  EXPECT_EQ(outlet->view().lost, 3u);
  EXPECT_EQ(outlet->view().taken, 0u);
  EXPECT_THAT(outlet->view().trouble, HasSubstr("did not finish"));
  outlet.reset();
  {
    const std::lock_guard lock(reported->mutex);
    reported->hang = false;
    reported->changed.notify_all();
  }
  EXPECT_TRUE(reported->await([&] { return reported->gone; }));  // the thread lets go of it by itself
  EXPECT_EQ(reported->finished, 0u);
}

TEST_F(OutletOf, ItTendsItsSinkWhenNothingHappens) {
  start({.tend_every = 5ms});
  EXPECT_TRUE(reported->await([&] { return reported->tended >= 3; }));
}

TEST_F(OutletOf, ReopeningReachesTheSink) {
  start({.tend_every = 5ms});
  outlet->reopen();
  EXPECT_TRUE(reported->await([&] { return reported->reopened == 1; }));
}

TEST_F(OutletOf, WhenNothingMoreWillComeItFinishesByItself) {
  start();
  directory.tell(finding(0, 1));
  directory.close();
  EXPECT_TRUE(reported->await([&] { return reported->finished == 1; }));
  EXPECT_EQ(reported->frames.size(), 1u);
}

}  // namespace
}  // namespace iwarpscope::outputs
