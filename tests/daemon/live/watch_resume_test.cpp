// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The records of a run are numbered, named, and can be read on after any of them.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "daemon/live/watch_kit.h"

namespace iwarpscope::live {
namespace {

Wanted records() {
  Wanted wanted;
  wanted.findings = true;
  wanted.qps = true;
  wanted.ended_only = true;
  return wanted;
}

WatchOptions named_options() {
  WatchOptions options;
  options.origin = std::make_shared<const Origin>(Origin{"rack 7", "sensor", "run"});
  return options;
}

/// Reads records after a place as a subscriber does, until there is `last`.
class Reader {
 public:
  Reader(Watch& watch, std::uint64_t after, std::size_t page) : through_(after) {
    while (!subscription_) {
      auto resumed = watch.resume(records(), through_, page);
      EXPECT_TRUE(resumed) << resumed.error();
      if (!resumed) return;
      missing_ += resumed->page.missing;
      EXPECT_LE(resumed->page.events.size(), page);
      for (const Event& event : resumed->page.events) sequences_.push_back(name_of(event).sequence);
      through_ = resumed->page.through;
      subscription_ = std::move(resumed->subscription);
    }
  }
  /// What came since, without what the pages had.
  void read_to(std::uint64_t last) {
    if (!sequences_.empty() && sequences_.back() >= last) return;
    EXPECT_TRUE(take_until(*subscription_, [&](const Event& event) {
      const std::uint64_t sequence = name_of(event).sequence;
      if (sequence > through_) sequences_.push_back(sequence);
      return sequence >= last;
    }));
  }
  [[nodiscard]] const std::vector<std::uint64_t>& sequences() const { return sequences_; }
  [[nodiscard]] std::uint64_t missing() const { return missing_; }

 private:
  std::uint64_t through_;
  std::vector<std::uint64_t> sequences_;
  std::uint64_t missing_ = 0;
  std::unique_ptr<Subscription> subscription_;
};

TEST(WatchAfterARecord, GivesEachLaterRecordOnceWhileFramesCome) {
  const synth::Frames frames = traffic(60);
  test::FramesIntake intake(frames, 16, true);
  Running running(intake, named_options());
  std::vector<std::unique_ptr<Reader>> readers;
  std::vector<std::uint64_t> begun;
  for (std::size_t allowed = 0; allowed < frames.size(); allowed += frames.size() / 20 + 1) {
    intake.allow(allowed);
    const RecordPlace place = running.watch.last_record();
    EXPECT_EQ(place.run_uuid, "run");
    begun.push_back(place.sequence / 2);
    readers.push_back(std::make_unique<Reader>(running.watch, begun.back(), 3));
  }
  intake.allow(frames.size());
  running.wait_for_end();
  const std::uint64_t last = running.watch.last_record().sequence;
  EXPECT_GT(last, 60u);
  EXPECT_EQ(running.watch.status().records, last);
  for (std::size_t i = 0; i < readers.size(); ++i) {
    readers[i]->read_to(last);
    const std::vector<std::uint64_t>& all = readers[i]->sequences();
    ASSERT_EQ(all.size(), last - begun[i]);
    for (std::size_t n = 0; n < all.size(); ++n) ASSERT_EQ(all[n], begun[i] + n + 1);
    EXPECT_EQ(readers[i]->missing(), 0u);
  }
}

TEST(WatchAfterARecord, CountsWhatIsNoLongerRemembered) {
  const synth::Frames frames = traffic(30);
  test::FramesIntake intake(frames);
  WatchOptions options = named_options();
  options.memory.findings = 5;
  options.memory.ended_qps = 4;
  Running running(intake, options);
  running.wait_for_end();
  const std::uint64_t last = running.watch.last_record().sequence;
  const Reader all(running.watch, 0, 100);
  EXPECT_EQ(all.sequences().size(), 9u);
  EXPECT_EQ(all.missing(), last - 9);
  for (const std::uint64_t after : all.sequences()) {
    const Reader rest(running.watch, after, 100);
    EXPECT_EQ(rest.missing() + rest.sequences().size(), last - after);
  }
}

TEST(WatchAfterARecord, GivesWhatIsWanted) {
  const synth::Frames frames = traffic(10);
  test::FramesIntake intake(frames);
  Running running(intake, named_options());
  running.wait_for_end();
  Wanted errors;
  errors.findings = true;
  errors.at_least = findings::Severity::error;
  const auto resumed = running.watch.resume(errors, 0, 1000);
  ASSERT_TRUE(resumed);
  EXPECT_FALSE(resumed->page.events.empty());
  for (const Event& event : resumed->page.events) {
    const auto* reported = std::get_if<FindingReported>(&event);
    ASSERT_NE(reported, nullptr);
    EXPECT_EQ(findings::rule(reported->finding->finding.id).severity, findings::Severity::error);
    EXPECT_EQ(reported->finding->name.origin->sensor, "rack 7");
    EXPECT_EQ(named(*reported->finding).community_id.substr(0, 2), "1:");
  }
  EXPECT_EQ(resumed->page.missing, 0u);
  EXPECT_EQ(resumed->page.through, running.watch.last_record().sequence);
}

}  // namespace
}  // namespace iwarpscope::live
