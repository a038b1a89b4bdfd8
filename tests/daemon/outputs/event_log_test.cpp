// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "outputs/event_log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>

#include <nlohmann/json.hpp>

#include "daemon/outputs/events.h"
#include "daemon/outputs/own_mounts.h"
#include "net/community_id.h"

namespace iwarpscope::outputs {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

struct EventLogFile : ::testing::Test {
  Folder folder;
  EventLogOptions options{.path = folder / "events.jsonl"};

  /// The `record` of each line; fails on half a line.
  std::vector<std::string> records(const std::string& name = "events.jsonl") {
    std::vector<std::string> all;
    for (const std::string& line : lines(read_file(folder / name))) {
      all.push_back(json::parse(line, nullptr, false).value("record", "broken: " + line));
    }
    return all;
  }
};

TEST_F(EventLogFile, HoldsTheRecordsOfTheReport) {
  EventLog log(options, kRun);
  EXPECT_EQ(log.take({finding(7, 3, "The \"CRC\" is wrong."), live::QpChanged{qp_view(7)}, ended(7)}), 0u);
  log.finish();
  const std::vector<std::string> all = lines(read_file(options.path));
  ASSERT_EQ(all.size(), 3u);
  const json run = json::parse(all[0]);
  EXPECT_EQ(run["record"], "run");
  EXPECT_EQ(run["format"], 1);
  EXPECT_EQ(run["run"], kRun.id);
  EXPECT_EQ(run["started"], "1700000000.000000001");
  const json reported = json::parse(all[1]);
  EXPECT_EQ(reported["record"], "finding");
  EXPECT_EQ(reported["code"], "MF-04");
  EXPECT_EQ(reported["qp"], 7);
  EXPECT_EQ(reported["text"], "The \"CRC\" is wrong.");
  EXPECT_EQ(reported["a"], (json{{"address", "10.0.0.1"}, {"port", 4007}}));
  EXPECT_EQ(reported["b"], (json{{"address", "10.0.0.2"}, {"port", 5445}}));
  const json qp = json::parse(all[2]);
  EXPECT_EQ(qp["record"], "qp");
  EXPECT_EQ(qp["verdict"]["outcome"], "completed");
  EXPECT_EQ(
      qp["losses"],
      (json{{"nic_frames", 0}, {"kernel_frames", 0}, {"queue_frames", 0}, {"gap_octets", 0}, {"gap_messages", 0}}));
}

TEST_F(EventLogFile, EveryLineHasTheNameOfItsRecord) {
  EventLog log(options, kRun);
  EXPECT_EQ(log.take({named_finding(7, 1), named_end(7, 2)}), 0u);
  log.reopen();
  const std::string id = net::community_id(end_a(4007), end_b(), net::Transport::tcp, kOrigin.community_id_seed);
  const std::vector<std::string> all = lines(read_file(options.path));
  ASSERT_EQ(all.size(), 4u);
  for (const std::string& line : all) {
    const json record = json::parse(line);
    EXPECT_EQ(record["sensor"], kOrigin.sensor);
    EXPECT_EQ(record["sensor_uuid"], kOrigin.sensor_uuid);
    EXPECT_EQ(record["run_uuid"], kOrigin.run_uuid);
    if (record["record"] == "run") continue;
    EXPECT_EQ(record["interface"], "mirror0");
    EXPECT_EQ(record["tap_group"], "mirror0,mirror1");
    EXPECT_EQ(record["community_id"], id);
  }
  EXPECT_TRUE(json::parse(all[0])["sequence"].is_null());
  EXPECT_EQ(json::parse(all[1])["sequence"], 1);
  EXPECT_EQ(json::parse(all[2])["sequence"], 2);
  EXPECT_EQ(json::parse(all[3])["sequence"], 2);  // the last record before this line
}

TEST_F(EventLogFile, SaysWhereRecordsAreMissingAndHowMany) {
  EventLog log(options, kRun);
  EXPECT_EQ(log.take({named_finding(0, 1)}), 0u);
  log.missed(3);  // the queue before it was full
  EXPECT_EQ(log.take({named_finding(0, 5)}), 0u);
  log.missed(2);
  log.tend();
  const std::vector<std::string> all = lines(read_file(options.path));
  ASSERT_EQ(all.size(), 5u);
  const json first = json::parse(all[2]), last = json::parse(all[4]);
  for (const json& lost : {first, last}) {
    EXPECT_EQ(lost["record"], "lost");
    EXPECT_EQ(lost["run_uuid"], kOrigin.run_uuid);
  }
  EXPECT_EQ(first["count"], 3);
  EXPECT_EQ(first["sequence"], 1);
  EXPECT_EQ(last["count"], 2);
  EXPECT_EQ(last["sequence"], 5);
}

TEST_F(EventLogFile, OfAnotherPathSaysWhatIsInTheOneBefore) {
  EventLog first(options, kRun);
  EXPECT_EQ(first.take({named_finding(0, 1), named_finding(0, 2)}), 0u);
  options.path = folder / "other.jsonl";
  EventLog second(options, kRun);
  first.missed(4);  // and the disk was full to its end
  second.follow(first);
  EXPECT_EQ(second.take({named_finding(0, 7)}), 0u);
  EXPECT_THAT(records("other.jsonl"), ::testing::ElementsAre("run", "run", "lost", "finding"));
  const std::vector<std::string> all = lines(read_file(options.path));
  EXPECT_EQ(json::parse(all[1])["sequence"], 2);
  EXPECT_EQ(json::parse(all[2])["count"], 4);
}

TEST_F(EventLogFile, SaysWhatWasLostBesideAVerdict) {
  EventLog log(options, kRun);
  const auto view = qp_view(7);
  view->losses = {1, 2, 3, std::uint64_t{1} << 60, 5};
  log.take({live::QpEnded{view, {}}});
  log.finish();
  const json qp = json::parse(lines(read_file(options.path)).at(1));
  EXPECT_EQ(qp["losses"], (json{{"nic_frames", 1},
                                {"kernel_frames", 2},
                                {"queue_frames", 3},
                                {"gap_octets", std::uint64_t{1} << 60},
                                {"gap_messages", 5}}));
}

TEST_F(EventLogFile, AFindingOfNoQueuePairHasNoEnds) {
  auto view = std::make_shared<live::FindingView>();
  view->finding.id = findings::FindingId::capture_interface_drops;
  EventLog log(options, kRun);
  EXPECT_EQ(log.take({live::FindingReported{view}}), 0u);
  const json reported = json::parse(lines(read_file(options.path)).at(1));
  EXPECT_TRUE(reported["a"].is_null());
  EXPECT_TRUE(reported["qp"].is_null());
}

TEST_F(EventLogFile, AnotherRunAppends) {
  { EXPECT_EQ(EventLog(options, kRun).take({finding(0, 1)}), 0u); }
  { EXPECT_EQ(EventLog(options, kRun).take({finding(0, 2)}), 0u); }
  EXPECT_THAT(records(), ::testing::ElementsAre("run", "finding", "run", "finding"));
}

TEST_F(EventLogFile, HalfALineOfACrashIsCutOff) {
  for (const std::size_t half : {1u, 17u, 5000u, 70000u}) {
    const std::string whole = "{\"record\":\"finding\"}\n";
    write_file(options.path, whole + std::string(half, 'x'));
    { EXPECT_EQ(EventLog(options, kRun).take({finding(0, 2)}), 0u); }
    EXPECT_THAT(records(), ::testing::ElementsAre("finding", "run", "finding")) << half;
  }
  write_file(options.path, "{\"record\": nothing but half a line");
  { EXPECT_EQ(EventLog(options, kRun).take({finding(0, 2)}), 0u); }
  EXPECT_THAT(records(), ::testing::ElementsAre("run", "finding"));
}

TEST_F(EventLogFile, IsSetAsideBeforeItGrowsBeyondItsLimit) {
  options.rotate_octets = 2000;
  options.keep = 2;
  EventLog log(options, kRun);
  for (std::uint64_t frame = 1; frame <= 40; ++frame) EXPECT_EQ(log.take({finding(0, frame), finding(1, frame)}), 0u);
  const auto names = [&] {
    std::vector<std::string> all;
    for (const auto& entry : std::filesystem::directory_iterator(folder.path())) {
      all.push_back(entry.path().filename());
      EXPECT_LE(entry.file_size(), 2000u) << entry.path();
      EXPECT_EQ(records(entry.path().filename()).front(), "run");
    }
    std::sort(all.begin(), all.end());
    return all;
  };
  EXPECT_THAT(names(), ::testing::ElementsAre("events.jsonl", "events.jsonl.1", "events.jsonl.2"));
  EXPECT_THAT(read_file(options.path), HasSubstr("\"frame\":40,"));
  // The file set aside last ends where the new one goes on.
  const json last = json::parse(lines(read_file(options.path + ".1")).back());
  const json next = json::parse(lines(read_file(options.path)).at(1));
  EXPECT_EQ(2 * next["frame"].get<int>() + next["qp"].get<int>(),
            2 * last["frame"].get<int>() + last["qp"].get<int>() + 1);
}

TEST_F(EventLogFile, WithoutOldFilesToKeepBeginsAgain) {
  options.rotate_octets = 2000;
  options.keep = 0;
  EventLog log(options, kRun);
  for (std::uint64_t frame = 1; frame <= 40; ++frame) EXPECT_EQ(log.take({finding(0, frame)}), 0u);
  EXPECT_FALSE(std::filesystem::exists(options.path + ".1"));
  EXPECT_LE(std::filesystem::file_size(options.path), 2000u);
}

TEST_F(EventLogFile, ThatWasMovedAwayIsOpenedAgainOnRequest) {
  EventLog log(options, kRun);
  EXPECT_EQ(log.take({finding(0, 1)}), 0u);
  std::filesystem::rename(options.path, options.path + ".old");
  EXPECT_EQ(log.take({finding(0, 2)}), 0u);
  log.reopen();
  EXPECT_EQ(log.take({finding(0, 3)}), 0u);
  EXPECT_THAT(records("events.jsonl.old"), ::testing::ElementsAre("run", "finding", "finding"));
  EXPECT_THAT(records(), ::testing::ElementsAre("run", "finding"));
}

TEST_F(EventLogFile, ThatWasRemovedIsMadeAgain) {
  EventLog log(options, kRun);
  EXPECT_EQ(log.take({finding(0, 1)}), 0u);
  std::filesystem::remove(options.path);
  log.tend();
  EXPECT_EQ(log.take({finding(0, 2)}), 0u);
  EXPECT_THAT(records(), ::testing::ElementsAre("run", "finding"));
}

TEST_F(EventLogFile, InNoFolderLosesLinesUntilThereIsOne) {
  options.path = folder / "later/events.jsonl";
  EventLog log(options, kRun);
  EXPECT_EQ(log.take({finding(0, 1), live::QpChanged{qp_view(0)}, finding(0, 2)}), 2u);
  EXPECT_THAT(log.trouble(), HasSubstr("later/events.jsonl cannot be opened: No such file or directory."));
  std::filesystem::create_directory(folder / "later");
  EXPECT_EQ(log.take({finding(0, 3)}), 0u);
  EXPECT_EQ(log.trouble(), "");
  EXPECT_THAT(records("later/events.jsonl"), ::testing::ElementsAre("run", "lost", "finding"));
}

TEST_F(EventLogFile, IsNoFolder) {
  options.path = folder.path();
  EventLog log(options, kRun);
  EXPECT_EQ(log.take({finding(0, 1)}), 1u);
  EXPECT_THAT(log.trouble(), HasSubstr("cannot be opened: Is a directory."));
}

TEST_F(EventLogFile, LeavesAFileOfSomethingElseAsItIs) {
  const std::string other = "SQLite format 3 and no line feed";
  write_file(options.path, other);
  EventLog log(options, kRun);
  EXPECT_EQ(log.take({ended(1)}), 1u);
  EXPECT_THAT(log.trouble(), HasSubstr("belongs to another program; it is not changed."));
  log.finish();
  EXPECT_EQ(read_file(options.path), other);
}

TEST_F(EventLogFile, IsForItsOwnerAlone) {
  const EventLog log(options, kRun);
  struct stat status {};
  ASSERT_EQ(stat(options.path.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0007, 0u);
}

TEST_F(EventLogFile, OnAFullDiskKeepsWholeLinesAndGoesOnWhenThereIsRoom) {
  const bool done = with_own_disk(folder.path(), "64k", [&] {
    EventLog log(options, kRun);
    std::size_t lost = 0, given = 0;
    for (std::uint64_t frame = 1; lost == 0 && frame < 1000; ++frame, ++given) lost += log.take({finding(0, frame)});
    EXPECT_EQ(lost, 1u);
    EXPECT_THAT(log.trouble(), HasSubstr("cannot be written: No space left on device."));
    // A batch of which some lines fit and some do not: nothing is there twice, and no half line.
    EXPECT_EQ(log.take({finding(1, 1)}), 1u);
    std::vector<std::string> full = records();
    EXPECT_THAT(full, ::testing::Each(::testing::AnyOf("run", "finding", "lost")));
    std::erase(full, "lost");       // there may be room for such a short line
    EXPECT_EQ(full.size(), given);  // the run's line, and all but the last
    std::filesystem::rename(options.path, folder / "old");
    std::filesystem::remove(folder / "old");
    log.tend();
    EXPECT_EQ(log.take({finding(0, 1)}), 0u);
    EXPECT_EQ(log.trouble(), "");
    EXPECT_THAT(records(), ::testing::ElementsAre("run", "lost", "finding"));
  });
  if (!done) GTEST_SKIP() << "This process may not mount file systems.";
}

TEST_F(EventLogFile, OnADiskThatHasRoomAgainIsWellWithoutAnotherLine) {
  options.try_again_every = std::chrono::milliseconds{0};
  const bool done = with_own_disk(folder.path(), "64k", [&] {
    EventLog log(options, kRun);
    EXPECT_EQ(log.take({finding(0, 1)}), 0u);
    { std::ofstream(folder / "filler") << std::string(std::size_t{1} << 20, 'x') << std::flush; }
    std::size_t lost = 0;
    for (std::uint64_t frame = 2; lost == 0 && frame < 1000; ++frame) lost += log.take({finding(0, frame)});
    EXPECT_EQ(lost, 1u);
    log.tend();
    EXPECT_THAT(log.trouble(), HasSubstr("No space left on device."));
    std::filesystem::remove(folder / "filler");
    log.tend();
    EXPECT_EQ(log.trouble(), "");
    EXPECT_EQ(log.take({finding(0, 1)}), 0u);
    EXPECT_EQ(records().back(), "finding");
  });
  if (!done) GTEST_SKIP() << "This process may not mount file systems.";
}

TEST_F(EventLogFile, ThatCanBeRotatedAgainIsWellWithoutAnotherLine) {
  options.try_again_every = std::chrono::milliseconds{0};
  options.rotate_octets = 1500;
  options.keep = 1;
  EventLog log(options, kRun);
  std::filesystem::create_directories(folder / "events.jsonl.1/full");
  std::size_t lost = 0;
  for (std::uint64_t frame = 1; lost == 0; ++frame) lost += log.take({finding(0, frame)});
  log.tend();
  EXPECT_THAT(log.trouble(), HasSubstr("is full and cannot be rotated"));
  std::filesystem::remove_all(folder / "events.jsonl.1");
  log.tend();
  EXPECT_EQ(log.trouble(), "");
  EXPECT_THAT(records(), ::testing::ElementsAre("run", "lost"));
}

TEST_F(EventLogFile, ThatCannotBeRotatedStaysWithinItsLimit) {
  options.rotate_octets = 1500;
  options.keep = 1;
  EventLog log(options, kRun);
  EXPECT_EQ(log.take({finding(0, 1)}), 0u);
  // A folder in the way of the file to be set aside: it cannot be renamed.
  std::filesystem::create_directories(folder / "events.jsonl.1/full");
  std::size_t lost = 0;
  for (std::uint64_t frame = 2; frame <= 20; ++frame) lost += log.take({finding(0, frame)});
  EXPECT_GT(lost, 10u);
  EXPECT_THAT(log.trouble(), HasSubstr("is full and cannot be rotated"));
  EXPECT_LE(std::filesystem::file_size(options.path), 1500u);
  EXPECT_EQ(records().size() + lost, 21u);
}

}  // namespace
}  // namespace iwarpscope::outputs
