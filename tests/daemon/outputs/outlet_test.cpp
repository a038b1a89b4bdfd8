#include "outputs/outlet.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <stdexcept>

#include "daemon/live/fake_directory.h"
#include "daemon/outputs/happenings.h"

namespace iwarpscope::outputs {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;

/// What a sink was asked to do, outliving it; it can be made to hang.
struct Told {
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

class TellingSink final : public Sink {
 public:
  explicit TellingSink(std::shared_ptr<Told> told) : told_(std::move(told)) {}
  ~TellingSink() override {
    note([&] { told_->gone = true; });
  }
  std::string_view name() const noexcept override { return "telling"; }
  live::Wanted wanted() const override {
    live::Wanted wanted;
    wanted.findings = true;
    wanted.queue = told_->queue;
    return wanted;
  }
  std::size_t take(const std::vector<live::Happening>& happenings) override {
    std::unique_lock lock(told_->mutex);
    ++told_->entered;
    told_->changed.notify_all();
    told_->changed.wait(lock, [&] { return !told_->hang; });
    if (told_->throws) throw std::runtime_error("no memory left");
    for (const live::Happening& happening : happenings) {
      told_->frames.push_back(std::get<live::FindingTold>(happening).finding->finding.frame.value);
    }
    told_->changed.notify_all();
    return told_->refuse;
  }
  void tend() override {
    note([&] { ++told_->tended; });
  }
  void finish() override {
    note([&] { ++told_->finished; });
  }
  void reopen() override {
    note([&] { ++told_->reopened; });
  }
  void hurry() noexcept override {
    note([&] { ++told_->hurried; });
  }
  std::uint64_t lost_later() const noexcept override {
    const std::lock_guard lock(told_->mutex);
    return told_->lost_later;
  }
  std::string trouble() const override {
    const std::lock_guard lock(told_->mutex);
    return told_->trouble;
  }

 private:
  template <class Change>
  void note(Change change) {
    const std::lock_guard lock(told_->mutex);
    change();
    told_->changed.notify_all();
  }
  std::shared_ptr<Told> told_;
};

struct OutletOf : ::testing::Test {
  live::FakeDirectory directory;
  std::shared_ptr<Told> told = std::make_shared<Told>();
  std::unique_ptr<Outlet> outlet;

  void start(const OutletOptions& options = {}) {
    outlet = std::make_unique<Outlet>(std::make_unique<TellingSink>(told), directory, options);
  }
  /// The sink hangs with the first of nine happenings in hand; eight more come.
  void tell_nine_while_it_hangs(const OutletOptions& options = {}) {
    told->hang = true;
    start(options);
    directory.tell(finding(0, 1));
    ASSERT_TRUE(told->await([&] { return told->entered == 1; }));
    for (std::uint64_t frame = 2; frame <= 9; ++frame) directory.tell(finding(0, frame));
  }
  void let_go() {
    const std::lock_guard lock(told->mutex);
    told->hang = false;
    told->changed.notify_all();
  }
  [[nodiscard]] bool taken(std::size_t count) {
    return told->await([&] { return told->frames.size() >= count; });
  }
};

TEST_F(OutletOf, ASinkGetsWhatHappensInOrder) {
  start();
  for (std::uint64_t frame = 1; frame <= 5; ++frame) directory.tell(finding(0, frame));
  ASSERT_TRUE(taken(5));
  outlet->stop();
  EXPECT_THAT(told->frames, ::testing::ElementsAre(1, 2, 3, 4, 5));
  EXPECT_EQ(told->finished, 1u);
  const live::OutputView view = outlet->view();
  EXPECT_EQ(view.name, "telling");
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
  told->lost_later = 2;
  EXPECT_EQ(outlet->view().taken, 3u);
  EXPECT_EQ(outlet->view().lost, 2u);
}

TEST_F(OutletOf, WhatWaitsWhenItStopsIsStored) {
  told->hang = true;
  start();
  directory.tell(finding(0, 1));
  ASSERT_TRUE(told->await([&] { return told->entered == 1; }));
  for (std::uint64_t frame = 2; frame <= 9; ++frame) directory.tell(finding(0, frame));
  EXPECT_EQ(outlet->view().queued, 9u);
  EXPECT_GT(outlet->view().lag_seconds, 0);
  std::thread later([&] {
    EXPECT_TRUE(told->await([&] { return told->hurried == 1; }));
    const std::lock_guard lock(told->mutex);
    told->hang = false;
    told->changed.notify_all();
  });
  outlet->stop();
  later.join();
  EXPECT_EQ(told->frames.size(), 9u);
  EXPECT_EQ(told->finished, 1u);
  EXPECT_EQ(outlet->view().taken, 9u);
}

TEST_F(OutletOf, ASlowSinkLosesWhatFindsTheQueueFullAndCountsIt) {
  told->queue = 3;
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
  told->refuse = 1;
  told->trouble = "The disk is full.";
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
  told->throws = true;
  start();
  directory.tell(finding(0, 1));
  ASSERT_TRUE(told->await([&] { return told->tended > 0; }));
  EXPECT_THAT(outlet->view().trouble, HasSubstr("no memory left"));
  EXPECT_EQ(outlet->view().lost, 1u);
  {
    const std::lock_guard lock(told->mutex);
    told->throws = false;
  }
  directory.tell(finding(0, 2));
  ASSERT_TRUE(taken(1));
  outlet->stop();
  EXPECT_TRUE(outlet->view().healthy);
  EXPECT_EQ(outlet->view().taken, 1u);
  EXPECT_EQ(outlet->view().lost, 1u);
}

TEST_F(OutletOf, ASinkThatHangsIsGivenUpAndItsHappeningsAreLost) {
  told->hang = true;
  start({.stop_within = 50ms});
  directory.tell(finding(0, 1));
  ASSERT_TRUE(told->await([&] { return told->entered == 1; }));
  directory.tell(finding(0, 2));
  directory.tell(finding(0, 3));
  outlet->stop();
  EXPECT_EQ(outlet->view().lost, 3u);
  EXPECT_EQ(outlet->view().taken, 0u);
  EXPECT_THAT(outlet->view().trouble, HasSubstr("did not finish"));
  outlet.reset();
  {
    const std::lock_guard lock(told->mutex);
    told->hang = false;
    told->changed.notify_all();
  }
  EXPECT_TRUE(told->await([&] { return told->gone; }));  // the thread lets go of it by itself
  EXPECT_EQ(told->finished, 0u);
}

TEST_F(OutletOf, ItTendsItsSinkWhenNothingHappens) {
  start({.tend_every = 5ms});
  EXPECT_TRUE(told->await([&] { return told->tended >= 3; }));
}

TEST_F(OutletOf, ReopeningReachesTheSink) {
  start({.tend_every = 5ms});
  outlet->reopen();
  EXPECT_TRUE(told->await([&] { return told->reopened == 1; }));
}

TEST_F(OutletOf, WhenNothingMoreWillComeItFinishesByItself) {
  start();
  directory.tell(finding(0, 1));
  directory.close();
  EXPECT_TRUE(told->await([&] { return told->finished == 1; }));
  EXPECT_EQ(told->frames.size(), 1u);
}

}  // namespace
}  // namespace iwarpscope::outputs
