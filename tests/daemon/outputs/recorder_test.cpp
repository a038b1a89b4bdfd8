// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "outputs/recorder.h"

#include <gmock/gmock.h>

#include "daemon/outputs/recorder_kit.h"

namespace iwarpscope::outputs {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST_F(RecorderOf, AFindingIsRecordedWithWhatWasBeforeAndAfter) {
  start();
  pass(10);
  recorder->reported(*find(1, "The CRC is wrong."));
  ASSERT_TRUE(begun(1));
  const auto writing = recorder->recordings();
  ASSERT_EQ(writing.size(), 1u);
  EXPECT_FALSE(writing[0].complete);
  EXPECT_EQ(writing[0].qp, 1u);
  pass(10);
  ASSERT_TRUE(complete(1));
  const auto all = recorder->recordings();
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].file, "20231114T222320Z-qp1-MF-04.pcapng");
  EXPECT_TRUE(all[0].complete);
  EXPECT_EQ(all[0].reason, "MF-04");
  EXPECT_EQ(all[0].started, TimePoint{kStart + 10 * kMinute});
  EXPECT_EQ(all[0].frames, 9u);
  // Minutes 5 to 10 were there, 11 to 13 followed.
  EXPECT_THAT(numbers(file()), ElementsAre(9, 11, 13, 15, 17, 19, 21, 23, 25));
  EXPECT_THAT(read_file(file()), HasSubstr("MF-04 mpa.crc-mismatch (error): The CRC is wrong."));
  EXPECT_THAT(read_file(file()), HasSubstr(std::string("\x02\x00\x07\x00mirror0", 11)));  // if_name
  EXPECT_THAT(read_file(file()), HasSubstr("sensor rack 7, tap group mirror0,mirror1"));
  EXPECT_EQ(recorder->trouble(), "");
}

TEST_F(RecorderOf, PacketsThatComeWhileOneIsCompletedAreInIt) {
  options.pause = 0s;
  options.quotas = {.per_rule = 0, .per_pair = 0};
  options.folder.most_files = 2;  // the first one stays
  start();
  for (std::uint64_t round = 1; round <= 100; ++round) {
    const std::uint64_t before = number;
    pass(1);
    recorder->reported(*find(1));
    // At another moment of the recorder's each time.
    const auto then = std::chrono::steady_clock::now() + std::chrono::microseconds{round * 13 % 400};
    while (std::chrono::steady_clock::now() < then) continue;
    pass(9);
    ASSERT_TRUE(complete(round));
    const auto all = numbers(options.folder.path + "/" + recorder->recordings().back().file);
    ASSERT_FALSE(all.empty());
    ASSERT_EQ(all.back(), static_cast<int>((before + 7) % 256)) << "the one of three minutes later, in round " << round;
  }
}

TEST_F(RecorderOf, OnlyWhatIsWantedIsRecorded) {
  options.rules = {"ca-05"};
  options.not_rules = {"mpa.crc-mismatch"};
  start();
  pass(2);
  recorder->reported(*find(1));                                         // not wanted
  recorder->reported(*find(1, "x", findings::FindingId::mpa_crc_off));  // not severe enough
  auto without_qp = *find(1, "x", findings::FindingId::rdmap_stag_used_after_invalidate);
  without_qp.finding.qp.reset();
  recorder->reported(without_qp);
  recorder->reported(*find(2, "x", findings::FindingId::capture_joined_midstream));
  recorder->stop();
  EXPECT_EQ(recorder->counts().begun, 1u);
  ASSERT_EQ(recorder->recordings().size(), 1u);
  EXPECT_EQ(recorder->recordings()[0].qp, 2u);
  EXPECT_EQ(recorder->recordings()[0].reason, "CA-05");
}

TEST_F(RecorderOf, ChangedOptionsHoldFromThenOnAndTheRingKeepsItsPackets) {
  options.at_least.reset();
  options.folder.most_files = 1;
  start();
  pass(10);
  recorder->reported(*find(1));
  auto other = options;
  other.at_least = findings::Severity::error;
  other.not_rules = {"MF-04"};
  other.rules = {"CA-05"};
  other.before = 2min;
  other.folder = {.path = folder / "elsewhere", .most_files = 2};
  recorder->change(other);
  recorder->reported(*find(1));  // one of not_rules
  recorder->reported(*find(1, "x", findings::FindingId::capture_joined_midstream));
  ASSERT_TRUE(begun(1));
  ASSERT_TRUE(recorder->record(2, "asked for", 60));
  pass(5);
  ASSERT_TRUE(complete(2));
  ASSERT_EQ(names().size(), 2u) << "in the folder it began with, as many as there may be now";
  EXPECT_THAT(numbers(file()), ElementsAre(15, 17, 19, 21, 23, 25));
  other.folder.most_files = 1;
  recorder->change(other);
  ASSERT_TRUE(await([&] { return names().size() == 1; })) << "at once, not when there is another";
  ASSERT_TRUE(recorder->record(2, "asked for", 60));
  pass(5);
  ASSERT_TRUE(complete(3));
  ASSERT_TRUE(await([&] { return names().size() == 1; }));
}

TEST_F(RecorderOf, StoppingCompletesWhatThereIs) {
  start();
  pass(3);
  recorder->reported(*find(2));
  recorder->stop();
  EXPECT_EQ(recorder->counts().complete, 1u);
  EXPECT_THAT(numbers(file()), ElementsAre(2, 4, 6));
  EXPECT_EQ(names().size(), 1u);
  recorder->reported(*find(2));
  EXPECT_EQ(recorder->counts().lost, 1u);
  EXPECT_FALSE(recorder->record(1, "x", 1));
}

TEST_F(RecorderOf, AnotherFindingProlongsARecordingAndCommentsItsFrame) {
  start();
  pass(2);
  recorder->reported(*find(1, "The first."));
  ASSERT_TRUE(begun(1));
  pass(2);
  ASSERT_TRUE(await([&] { return recorder->recordings()[0].frames == 4; }));
  recorder->reported(*find(1, "The second, of a frame that is written already."));
  pass(2);
  recorder->stop();
  EXPECT_THAT(numbers(file()), ElementsAre(1, 3, 5, 7, 9, 11));
  EXPECT_THAT(read_file(file()), HasSubstr("The first."));
  EXPECT_THAT(read_file(file()), HasSubstr("The second, of a frame that is written already."));
  EXPECT_EQ(recorder->recordings().size(), 1u);
  EXPECT_EQ(recorder->recordings()[0].frames, 6u);
  EXPECT_EQ(names().size(), 1u);
}

TEST_F(RecorderOf, AQueuePairIsNotRecordedAgainAtOnce) {
  start();
  pass(2);
  recorder->reported(*find(1));
  ASSERT_TRUE(begun(1));
  pass(10);
  ASSERT_TRUE(complete(1));
  recorder->reported(*find(1));
  ASSERT_TRUE(await([&] { return recorder->counts().paused == 1; }));
  recorder->reported(*find(2));
  ASSERT_TRUE(begun(2));
  ASSERT_TRUE(recorder->record(1, "asked for", 60)) << "what is asked for is recorded all the same";
  ASSERT_TRUE(begun(3));
}

TEST_F(RecorderOf, ARequestKeepsNoFindingFromBeingRecorded) {
  start();
  pass(2);
  ASSERT_TRUE(recorder->record(1, "asked for", 60));
  ASSERT_TRUE(begun(1));
  pass(10);
  ASSERT_TRUE(complete(1));
  recorder->reported(*find(1));
  ASSERT_TRUE(begun(2));
  EXPECT_EQ(recorder->counts().paused, 0u);
}

TEST_F(RecorderOf, ARequestForLongerThanAllowedIsRefused) {
  options.longest = 60s;
  start();
  pass(2);
  EXPECT_EQ(recorder->record(1, "asked for", 61).error(), "A recording lasts at most 60 s (recorder.longest).");
  EXPECT_TRUE(recorder->record(1, "asked for", 60));
}

TEST_F(RecorderOf, ARequestIsRecorded) {
  start();
  pass(2);
  const auto name = recorder->record(2, "look at/../me", 120);
  ASSERT_TRUE(name) << name.error();
  EXPECT_EQ(*name, "20231114T221520Z-qp2-lookat..me.pcapng");
  EXPECT_EQ(*recorder->record(2, "again", 240), *name) << "it is being recorded";
  ASSERT_TRUE(begun(1));
  pass(7);
  ASSERT_TRUE(complete(1));
  EXPECT_THAT(numbers(options.folder.path + "/" + *name), ElementsAre(2, 4, 6, 8, 10, 12));
  EXPECT_EQ(recorder->record(9, "x", 1).error(), "Queue pair 9 does not exist.");
}

TEST_F(RecorderOf, AQueuePairThatEndedIsRecordedWithAllThatIsThere) {
  start();
  pass(20);
  const auto ended = [&](std::int64_t from, std::int64_t to) {
    auto view = std::make_shared<live::QpView>(*directory.known_qps[0]);
    view->ended = true;
    view->record.first_time = TimePoint{kStart + from * kMinute};
    view->record.last_time = TimePoint{kStart + to * kMinute};
    directory.known_qps[0] = view;
  };
  ended(2, 9);  // what has the same ports before and after is another connection
  const auto name = recorder->record(1, "late", 0);
  ASSERT_TRUE(name) << name.error();
  ASSERT_TRUE(complete(1));
  EXPECT_THAT(numbers(file()), ElementsAre(3, 5, 7, 9, 11, 13, 15, 17));
  const auto all = recorder->recordings();
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].file, *name);
  EXPECT_EQ(all[0].frames, 8u);
  ended(9, 2);  // the clock went back
  ASSERT_TRUE(recorder->record(1, "again", 0));
  ASSERT_TRUE(complete(2));
  EXPECT_THAT(numbers(file(1)), ElementsAre(3, 5, 7, 9, 11, 13, 15, 17));
  ended(100, 109);
  const auto none = recorder->record(1, "late", 0);
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error(), "Queue pair 1 has ended, and its packets are no longer in memory.");
  EXPECT_EQ(names().size(), 2u);
}

TEST_F(RecorderOf, AQuietNetworkEndsARecordingByTheClock) {
  options.after = 1s;
  start();
  pass(2);
  recorder->reported(*find(1));
  EXPECT_TRUE(complete(1));
}

TEST_F(RecorderOf, ACaptureWhoseClockWentBackEndsARecording) {
  options.after = 1s;
  start();
  pass(2);
  auto future = *find(1);
  future.finding.time.ns += 1'000'000 * kMinute;
  recorder->reported(future);
  ASSERT_TRUE(begun(1));
  EXPECT_TRUE(await([&] {
    pass(1);
    return recorder->counts().complete == 1;
  }));
}

TEST_F(RecorderOf, AQueuePairIsFoundByItsFlowWhateverItsEnds) {
  start();
  for (std::uint64_t i = 1; i <= 4; ++i) {
    const OwnedFrame own = owned_frame(i, 100, kStart + static_cast<std::int64_t>(i) * kMinute);
    ring.frame(own.frame, i % 2 == 0 ? 777 : flow_of_qp(1));  // the same ends, in a tunnel and outside
  }
  auto view = *find(1);
  view.flow = 777;
  view.finding.time = TimePoint{kStart + 4 * kMinute};
  recorder->reported(view);
  recorder->stop();
  EXPECT_THAT(numbers(file()), ElementsAre(2, 4));
}

TEST_F(RecorderOf, ASinkHandsItsFindingsOver) {
  start();
  pass(2);
  RecorderSink sink(*recorder);
  EXPECT_FALSE(sink.wanted().at_least) << "which findings are recorded may change";
  EXPECT_EQ(sink.take({live::FindingReported{find(1)}, ended(1)}), 0u);
  EXPECT_TRUE(begun(1));
}

}  // namespace
}  // namespace iwarpscope::outputs
