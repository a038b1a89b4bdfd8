// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Losses and interfaces that are down, while queue pairs live: whose verdicts they limit, and whose not.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <thread>

#include "daemon/live/frames_intake.h"
#include "live/watch.h"
#include "synth/connection.h"

namespace iwarpscope::live {
namespace {

using namespace std::chrono_literals;
using synth::kSecond;
using synth::Side;
using test::FramesIntake;
using testing::HasSubstr;
using testing::Not;

void wait_until(const std::function<bool()>& true_now) {
  const auto deadline = std::chrono::steady_clock::now() + 60s;
  while (!true_now()) {
    ASSERT_LT(std::chrono::steady_clock::now(), deadline);
    std::this_thread::sleep_for(1ms);
  }
}

class OutageWatch : public testing::Test {
 protected:
  ~OutageWatch() override {
    if (watch_ == nullptr) return;
    watch_->stop();
    thread_.join();
  }
  void connection(unsigned number, const std::function<void(synth::Connection&)>& act) {
    synth::ConnectionOptions options;
    options.initiator.port = static_cast<std::uint16_t>(40000 + number);
    synth::Connection c(options);
    c.wait(number * 60 * kSecond);
    c.connect();
    c.startup();
    c.send(Side::initiator, 100);
    c.acknowledge(Side::responder);
    act(c);
    const synth::Frames its = c.frames();
    frames_.insert(frames_.end(), its.begin(), its.end());
  }
  /// All frames wait until they are allowed.
  void start() {
    intake_ = std::make_unique<FramesIntake>(frames_, 64, true);
    intake_->be_interface();
    WatchOptions options;
    options.round_ns = 200'000'000;
    watch_ = std::make_unique<Watch>(options, *intake_);
    thread_ = std::thread([this] { watch_->run(true); });
  }
  void give(std::size_t frames) {
    intake_->allow(frames);
    wait_until([&] { return watch_->status().totals.frames == frames; });
  }
  void lose(std::uint64_t frames) {
    intake_->lose(frames);
    lost_ += frames;
    wait_until([this] { return watch_->status().totals.losses.kernel == lost_; });
  }
  void end() {
    intake_->stop();
    wait_until([this] { return !watch_->status().capturing; });
  }
  [[nodiscard]] QpView qp(std::uint64_t number) {
    const auto view = watch_->qp(number);
    EXPECT_TRUE(view && *view != nullptr);
    return view && *view != nullptr ? **view : QpView{};
  }
  [[nodiscard]] qp::VerdictRecord verdict(std::uint64_t number) {
    return qp(number).record.verdict.value_or(qp::VerdictRecord{});
  }

  synth::Frames frames_;
  std::unique_ptr<FramesIntake> intake_;
  std::unique_ptr<Watch> watch_;
  std::thread thread_;
  std::uint64_t lost_ = 0;
};

void ask_to_read(synth::Connection& c) {
  c.read_request(Side::initiator, {.size = 3000});
  c.acknowledge(Side::responder);
}

TEST_F(OutageWatch, WhileAnInterfaceIsDown_NoQueuePairStalls) {
  connection(0, ask_to_read);
  start();
  intake_->be_up(false);
  give(frames_.size());
  std::this_thread::sleep_for(3500ms);  // longer only makes it more so
  const qp::VerdictRecord down = verdict(0);
  EXPECT_EQ(name(down.outcome), name(qp::Outcome::running)) << down.text;
  EXPECT_EQ(name(down.blame), name(qp::Blame::none)) << down.text;
  EXPECT_EQ(name(down.confidence), name(qp::Confidence::limited)) << down.text;
  EXPECT_THAT(down.text, HasSubstr("An interface of the capture was down for "));
  EXPECT_EQ(watch_->status().totals.qps_by_outcome["stalled"], 0u);
  // When the interface is up again, it is a stall; but the answer may have come meanwhile.
  intake_->be_up(true);
  wait_until([this] { return watch_->status().totals.qps_by_outcome["stalled"] == 1; });
  const qp::VerdictRecord up = verdict(0);
  EXPECT_EQ(name(up.blame), name(qp::Blame::unknown)) << up.text;
  EXPECT_EQ(name(up.confidence), name(qp::Confidence::limited)) << up.text;
  end();
  EXPECT_EQ(name(verdict(0).blame), name(qp::Blame::unknown)) << verdict(0).text;
}

TEST_F(OutageWatch, AnotherInterfaceIsDown_TheStallIsBlamedOnTheSilentEnd) {
  connection(0, ask_to_read);
  start();
  intake_->add_interface(false);
  give(frames_.size());
  wait_until([this] { return verdict(0).outcome == qp::Outcome::stalled; });
  EXPECT_EQ(name(verdict(0).blame), name(qp::Blame::b)) << verdict(0).text;
  EXPECT_EQ(name(verdict(0).confidence), name(qp::Confidence::likely)) << verdict(0).text;
}

/// What was never captured may come from any interface.
TEST_F(OutageWatch, AnotherInterfaceIsDownAndOneDirectionWasNotSeen_NoEndIsBlamed) {
  connection(0, ask_to_read);
  const auto from_initiator = frames_.front().octets;
  std::erase_if(frames_, [&](const synth::Frame& f) {  // by the source address of Ethernet
    return !std::equal(f.octets.begin() + 6, f.octets.begin() + 12, from_initiator.begin() + 6);
  });
  start();
  intake_->add_interface(false);
  give(frames_.size());
  wait_until([this] { return watch_->status().totals.qps_opened == 1; });
  std::this_thread::sleep_for(1500ms);  // longer only makes it more so
  EXPECT_EQ(name(verdict(0).blame), name(qp::Blame::none)) << verdict(0).text;
  EXPECT_EQ(name(verdict(0).confidence), name(qp::Confidence::limited)) << verdict(0).text;
}

TEST_F(OutageWatch, DownBeforeTheConnection_TheStallIsBlamedOnTheSilentEnd) {
  connection(0, [](synth::Connection&) {});
  const std::size_t first = frames_.size();
  connection(1, ask_to_read);
  start();
  intake_->be_up(false);
  give(first);
  wait_until([this] { return verdict(0).confidence == qp::Confidence::limited; });
  intake_->be_up(true);
  wait_until([this] { return watch_->status().capturing; });
  give(frames_.size());
  wait_until([this] { return verdict(1).outcome == qp::Outcome::stalled; });
  EXPECT_EQ(name(verdict(1).blame), name(qp::Blame::b)) << verdict(1).text;
  EXPECT_EQ(name(verdict(1).confidence), name(qp::Confidence::likely)) << verdict(1).text;
}

TEST_F(OutageWatch, LossesBeforeAConnectionBegan_DoNotLimitItsVerdict) {
  connection(0, [](synth::Connection&) {});
  const std::size_t first = frames_.size();
  connection(1, [](synth::Connection&) {});
  start();
  give(first);
  lose(7);
  give(frames_.size());
  end();
  EXPECT_EQ(qp(0).losses.kernel, 7u);
  EXPECT_EQ(name(verdict(0).confidence), name(qp::Confidence::limited)) << verdict(0).text;
  EXPECT_THAT(verdict(0).text, HasSubstr("The capture itself lost frames"));
  EXPECT_EQ(qp(1).losses.kernel, 0u);
  EXPECT_EQ(name(verdict(1).confidence), name(qp::Confidence::certain)) << verdict(1).text;
  EXPECT_THAT(verdict(1).text, Not(HasSubstr("lost frames")));
}

TEST_F(OutageWatch, LossesAfterTheEndOfAConnection_AreNotItsOwn) {
  connection(0, [](synth::Connection& c) { c.reset(Side::responder); });
  connection(1, [](synth::Connection&) {});
  start();
  give(frames_.size());
  wait_until([this] { return watch_->status().totals.qps_opened == 2; });
  std::uint64_t own = 0;  // what is counted before it is seen that it is over
  for (int looks = 0; own != qp(0).losses.kernel || looks == 0; ++looks) {
    ASSERT_LT(looks, 10);
    own = qp(0).losses.kernel;
    lose(1);
  }
  lose(9);
  EXPECT_EQ(qp(0).losses.kernel, own);
  end();
  EXPECT_EQ(qp(0).losses.kernel, own);
  EXPECT_EQ(name(verdict(0).confidence), name(qp::Confidence::likely)) << verdict(0).text;
  EXPECT_THAT(verdict(0).text, Not(HasSubstr("lost frames")));
  EXPECT_EQ(qp(1).losses.kernel, lost_);
  EXPECT_THAT(verdict(1).text, HasSubstr("lost frames"));
}

}  // namespace
}  // namespace iwarpscope::live
