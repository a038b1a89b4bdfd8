// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Which recordings are begun and which stay in a storm of findings.
#include "outputs/recording_quota.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "daemon/outputs/recorder_kit.h"

namespace iwarpscope::outputs {
namespace {

using namespace std::chrono_literals;
using findings::Severity;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(RecordingQuota, IsByRuleAndPairWithinTheTime) {
  RecordingQuota quota;
  const RecordingQuotas quotas{.per_rule = 3, .per_pair = 2, .time = 60s};
  const RecordingQuota::Clock::time_point start{};
  quota.begun({"MF-04", "a, b"}, start);
  quota.begun({"MF-04", "a, b"}, start + 1s);
  EXPECT_FALSE(quota.admits({"MF-04", "a, b"}, quotas, start + 2s));
  EXPECT_FALSE(quota.admits({"MF-01", "a, b"}, quotas, start + 2s)) << "the pair has enough";
  EXPECT_TRUE(quota.admits({"MF-04", "a, c"}, quotas, start + 2s));
  quota.begun({"MF-04", "a, c"}, start + 2s);
  EXPECT_FALSE(quota.admits({"MF-04", "a, d"}, quotas, start + 3s)) << "the rule has enough";
  EXPECT_TRUE(quota.admits({"MF-01", "a, d"}, quotas, start + 3s));
  EXPECT_TRUE(quota.admits({"MF-04", "a, b"}, quotas, start + 61s)) << "two of them are too old to count";
  EXPECT_TRUE(quota.admits({"MF-04", "a, b"}, {.per_rule = 0, .per_pair = 0}, start + 3s));
}

TEST(RecordingQuota, LessSevereOnesHoldBackNoOthers) {
  RecordingQuota quota;
  const RecordingQuotas quotas{.per_rule = 3, .per_pair = 1, .time = 60s};
  const RecordingQuota::Clock::time_point start{};
  quota.begun({"CA-05", "a, b", Severity::note}, start);
  EXPECT_FALSE(quota.admits({"CA-01", "a, b", Severity::note}, quotas, start));
  EXPECT_TRUE(quota.admits({"MF-04", "a, b", Severity::error}, quotas, start));
}

std::vector<std::size_t> removed(std::vector<RecordingCause> all, std::size_t left) {
  std::vector<std::size_t> numbers(all.size()), gone;
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = i;
  while (all.size() > left) {
    const auto at = static_cast<std::ptrdiff_t>(next_to_remove(all));
    gone.push_back(numbers[static_cast<std::size_t>(at)]);
    all.erase(all.begin() + at);
    numbers.erase(numbers.begin() + at);
  }
  return gone;
}

TEST(NextToRemove, InAStorm_TheFirstOfTheRuleAndOtherRulesStay) {
  EXPECT_THAT(
      removed({{"RM-01", "a, b"}, {"MF-04", "a, b"}, {"MF-04", "a, b"}, {"MF-04", "a, b"}, {"MF-04", "c, d"}}, 3),
      ElementsAre(2, 3));
  // The pair with the most first; then, of pairs with one each, the oldest but the first.
  EXPECT_THAT(removed({{"MF-04", "a, b"}, {"MF-04", "c, d"}, {"MF-04", "c, d"}, {"MF-04", "e, f"}}, 2),
              ElementsAre(2, 1));
}

TEST(NextToRemove, WhereEachRuleHasOne_TheLeastSevereGoesFirst) {
  EXPECT_THAT(removed({{"MF-04", "a, b", Severity::error},
                       {"CA-05", "a, b", Severity::note},
                       {"MF-01", "a, b", Severity::error},
                       {"TC-01", "a, b", Severity::warning}},
                      1),
              ElementsAre(1, 3, 0));
}

TEST(RecordingsFolder, Retire_ReadsThePairOfHostsFromTheFiles) {
  Folder folder;
  const RecordingsFolder recordings({.path = folder.path(), .most_files = 3});
  const auto now = std::filesystem::file_time_type::clock::now();
  const auto put = [&](int minute, const RecordingCause& cause) {
    PcapngWriter writer("test", {}, {comment_for(1, cause)});
    std::string octets;
    writer.append(octets, owned_frame(1, 100, kStart).frame);
    writer.finish(octets);
    const std::string name = recordings.name_for({kStart + minute * kMinute}, 1, cause.rule);
    write_file(recordings.path(name), octets);
    std::filesystem::last_write_time(recordings.path(name), now - std::chrono::minutes(60 - minute));
  };
  put(1, {"MF-04", "10.0.0.1, 10.0.0.2"});
  put(2, {"MF-04", "10.0.0.3, 10.0.0.4"});
  put(3, {"MF-04", "10.0.0.5, 10.0.0.6"});
  put(4, {"MF-04", "10.0.0.5, 10.0.0.6"});
  put(5, {"MF-04", "10.0.0.5, 10.0.0.6"});
  EXPECT_EQ(recordings.retire(), 2u);
  std::vector<std::string> hosts;
  for (const auto& [cause, age] : recordings.recent()) hosts.push_back(cause.hosts);
  EXPECT_THAT(hosts, ElementsAre("10.0.0.1, 10.0.0.2", "10.0.0.3, 10.0.0.4", "10.0.0.5, 10.0.0.6"));
}

TEST_F(RecorderOf, OverTheQuota_AFindingIsNotRecordedAndCounted) {
  options.quotas.per_rule = 1;
  start();
  pass(2);
  recorder->reported(*find(1));
  ASSERT_TRUE(begun(1));
  recorder->reported(*find(2));
  ASSERT_TRUE(await([&] { return recorder->counts().over_quota == 1; }));
  EXPECT_EQ(RecorderSink(*recorder).withheld(), 1u);
  EXPECT_EQ(recorder->counts().lost, 0u);
  ASSERT_TRUE(recorder->record(2, "asked for", 60)) << "what is asked for is recorded all the same";
  ASSERT_TRUE(begun(2));
  recorder->stop();
  EXPECT_THAT(read_file(file()), HasSubstr("\nHosts: 10.0.0.1, 10.0.0.2"));
  // A restart does not begin the quota again.
  start();
  recorder->reported(*find(2));
  ASSERT_TRUE(await([&] { return recorder->counts().over_quota == 1; }));
}

}  // namespace
}  // namespace iwarpscope::outputs
