#include "outputs/recorder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <fstream>

#include "daemon/live/fake_directory.h"
#include "daemon/outputs/happenings.h"
#include "daemon/outputs/own_mounts.h"
#include "daemon/outputs/packets.h"

namespace iwarpscope::outputs {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr std::int64_t kSecond = 1'000'000'000;
constexpr std::int64_t kStart = 1'700'000'000 * kSecond;

/// Two queue pairs, 1 and 2, whose packets come in turn, one each a second.
struct RecorderOf : ::testing::Test {
  Folder folder;
  PacketRing ring{{.most_octets = std::uint64_t{4} << 20}};
  live::FakeDirectory directory;
  RecorderOptions options;
  std::unique_ptr<Recorder> recorder;
  std::uint64_t number = 0;

  RecorderOf() {
    options.folder.path = folder / "recordings";
    options.before = 5s;
    options.after = 3s;
    for (const std::uint64_t qp : {1u, 2u}) {
      auto view = std::make_shared<live::QpView>(*qp_view(qp));
      view->ended = false;
      directory.known_qps.push_back(std::move(view));
    }
    directory.now.interfaces.resize(1);
    directory.now.interfaces[0].name = "mirror0";
    ring.batch(nullptr);
  }
  void start() { recorder = std::make_unique<Recorder>(options, ring, directory); }
  /// The packets of so many seconds: odd numbers are queue pair 1's.
  void pass(unsigned seconds) {
    for (unsigned i = 0; i < seconds; ++i) {
      for (const std::uint64_t qp : {1u, 2u}) {
        ++number;
        const std::int64_t second = static_cast<std::int64_t>((number + 1) / 2);
        const OwnedFrame own = owned_frame(number, 100, kStart + second * kSecond);
        ring.frame(own.frame, flow_of_qp(qp));
      }
    }
  }
  /// A finding of the newest packet of a queue pair.
  live::FindingPtr find(std::uint64_t qp, std::string text = "It is so.",
                        findings::FindingId id = findings::FindingId::mpa_crc_mismatch) {
    auto view =
        std::make_shared<live::FindingView>(*finding_view(qp, qp == 1 ? number - 1 : number, std::move(text), id));
    view->finding.time = TimePoint{kStart + static_cast<std::int64_t>(number / 2) * kSecond};
    return view;
  }
  template <class Done>
  [[nodiscard]] static bool await(Done done) {
    const auto until = std::chrono::steady_clock::now() + 60s;
    while (!done()) {
      if (std::chrono::steady_clock::now() > until) return false;
      std::this_thread::sleep_for(1ms);
    }
    return true;
  }
  [[nodiscard]] bool begun(std::uint64_t count) {
    return await([&] { return recorder->counts().begun == count; });
  }
  [[nodiscard]] bool complete(std::uint64_t count) {
    return await([&] { return recorder->counts().complete == count; });
  }
  std::string file(std::size_t at = 0) {
    const auto all = recorder->recordings();
    if (at < all.size()) return options.folder.path + "/" + all[at].file;
    ADD_FAILURE() << "there are " << all.size() << " recordings";
    return {};
  }
  /// Numbers of a file's frames as the capture had them, by the octets that owned_frame() gives them.
  static std::vector<int> numbers(const std::string& path) {
    std::vector<int> all;
    for (const OwnedFrame& own : frames_of(path)) all.push_back(std::to_integer<int>(own.octets.front()));
    return all;
  }
  std::vector<std::string> names() {
    std::vector<std::string> all;
    for (const auto& entry : std::filesystem::directory_iterator(options.folder.path)) {
      all.push_back(entry.path().filename());
    }
    return all;
  }
};

TEST_F(RecorderOf, AFindingIsRecordedWithWhatWasBeforeAndAfter) {
  start();
  pass(10);
  recorder->told(*find(1, "The CRC is wrong."));
  ASSERT_TRUE(begun(1));
  const auto writing = recorder->recordings();
  ASSERT_EQ(writing.size(), 1u);
  EXPECT_FALSE(writing[0].complete);
  EXPECT_EQ(writing[0].qp, 1u);
  pass(10);
  ASSERT_TRUE(complete(1));
  const auto all = recorder->recordings();
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].file, "20231114T221330Z-qp1-MF-04.pcapng");
  EXPECT_TRUE(all[0].complete);
  EXPECT_EQ(all[0].reason, "MF-04");
  EXPECT_EQ(all[0].started, TimePoint{kStart + 10 * kSecond});
  EXPECT_EQ(all[0].frames, 9u);
  // Seconds 5 to 10 were there, 11 to 13 followed.
  EXPECT_THAT(numbers(file()), ElementsAre(9, 11, 13, 15, 17, 19, 21, 23, 25));
  EXPECT_THAT(read_file(file()), HasSubstr("MF-04 mpa.crc-mismatch (error): The CRC is wrong."));
  EXPECT_THAT(read_file(file()), HasSubstr("mirror0"));
  EXPECT_EQ(recorder->trouble(), "");
}

TEST_F(RecorderOf, OnlyWhatIsWantedIsRecorded) {
  options.rules = {"ca-05"};
  options.not_rules = {"mpa.crc-mismatch"};
  start();
  pass(2);
  recorder->told(*find(1));                                         // not wanted
  recorder->told(*find(1, "x", findings::FindingId::mpa_crc_off));  // not severe enough
  auto nobodys = *find(1, "x", findings::FindingId::rdmap_stag_used_after_invalidate);
  nobodys.finding.qp.reset();
  recorder->told(nobodys);
  recorder->told(*find(2, "x", findings::FindingId::capture_joined_midstream));
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
  recorder->told(*find(1));
  auto other = options;
  other.at_least = findings::Severity::error;
  other.not_rules = {"MF-04"};
  other.rules = {"CA-05"};
  other.before = 2s;
  other.folder = {.path = folder / "elsewhere", .most_files = 2};
  recorder->change(other);
  recorder->told(*find(1));  // one of not_rules
  recorder->told(*find(1, "x", findings::FindingId::capture_joined_midstream));
  ASSERT_TRUE(begun(1));
  ASSERT_TRUE(recorder->record(2, "asked for", 1));
  pass(5);
  ASSERT_TRUE(complete(2));
  ASSERT_EQ(names().size(), 2u) << "in the folder it began with, as many as there may be now";
  EXPECT_THAT(numbers(file()), ElementsAre(15, 17, 19, 21, 23, 25));
  other.folder.most_files = 1;
  recorder->change(other);
  ASSERT_TRUE(recorder->record(2, "asked for", 1));
  pass(5);
  ASSERT_TRUE(complete(3));
  ASSERT_TRUE(await([&] { return names().size() == 1; }));
}

TEST_F(RecorderOf, StoppingCompletesWhatThereIs) {
  start();
  pass(3);
  recorder->told(*find(2));
  recorder->stop();
  EXPECT_EQ(recorder->counts().complete, 1u);
  EXPECT_THAT(numbers(file()), ElementsAre(2, 4, 6));
  EXPECT_EQ(names().size(), 1u);
  recorder->told(*find(2));
  EXPECT_EQ(recorder->counts().lost, 1u);
  EXPECT_FALSE(recorder->record(1, "x", 1));
}

TEST_F(RecorderOf, AnotherFindingProlongsARecordingAndCommentsItsFrame) {
  start();
  pass(2);
  recorder->told(*find(1, "The first."));
  ASSERT_TRUE(begun(1));
  pass(2);
  ASSERT_TRUE(await([&] { return recorder->recordings()[0].frames == 4; }));
  recorder->told(*find(1, "The second, of a frame that is written already."));
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
  recorder->told(*find(1));
  ASSERT_TRUE(begun(1));
  pass(10);
  ASSERT_TRUE(complete(1));
  recorder->told(*find(1));
  ASSERT_TRUE(await([&] { return recorder->counts().paused == 1; }));
  recorder->told(*find(2));
  ASSERT_TRUE(begun(2));
  ASSERT_TRUE(recorder->record(1, "asked for", 1)) << "what is asked for is recorded all the same";
  ASSERT_TRUE(begun(3));
}

TEST_F(RecorderOf, ARequestIsRecorded) {
  start();
  pass(2);
  const auto name = recorder->record(2, "look at/../me", 2);
  ASSERT_TRUE(name) << name.error();
  EXPECT_EQ(*name, "20231114T221322Z-qp2-lookat..me.pcapng");
  EXPECT_EQ(*recorder->record(2, "again", 4), *name) << "it is being recorded";
  ASSERT_TRUE(begun(1));
  pass(7);
  ASSERT_TRUE(complete(1));
  EXPECT_THAT(numbers(options.folder.path + "/" + *name), ElementsAre(2, 4, 6, 8, 10, 12));
  EXPECT_EQ(recorder->record(9, "x", 1).error(), "There is no queue pair 9.");
}

TEST_F(RecorderOf, AQueuePairThatEndedIsRecordedWithAllThatIsThere) {
  start();
  pass(20);
  const auto ended = [&](std::int64_t from, std::int64_t to) {
    auto view = std::make_shared<live::QpView>(*directory.known_qps[0]);
    view->ended = true;
    view->record.first_time = TimePoint{kStart + from * kSecond};
    view->record.last_time = TimePoint{kStart + to * kSecond};
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
  ended(100, 109);
  const auto none = recorder->record(1, "late", 0);
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error(), "Queue pair 1 has ended, and none of its packets is kept any more.");
  EXPECT_EQ(names().size(), 1u);
}

TEST_F(RecorderOf, ThatIsKilledLeavesItsPacketsBehind) {
  start();
  pass(3);
  recorder->told(*find(1));
  ASSERT_TRUE(begun(1));
  const std::string part = options.folder.path + "/20231114T221323Z-qp1-MF-04.pcapng.part";
  ASSERT_TRUE(await([&] { return std::filesystem::file_size(part) > 300; })) << "it is written while it goes on";
  const std::string written = read_file(part);
  recorder->stop();
  recorder.reset();
  std::filesystem::remove_all(options.folder.path);
  std::filesystem::create_directory(options.folder.path);
  write_file(part, written + written.substr(0, 20));  // killed in the middle of a block
  start();
  EXPECT_THAT(names(), ElementsAre("20231114T221323Z-qp1-MF-04.pcapng"));
  ASSERT_EQ(recorder->recordings().size(), 1u);
  EXPECT_EQ(recorder->recordings()[0].frames, 3u);
  EXPECT_THAT(numbers(file()), ElementsAre(1, 3, 5));
}

TEST_F(RecorderOf, RequestsAndFindingsHaveALimitTogether) {
  options.most_at_once = 1;
  start();
  pass(2);
  ASSERT_TRUE(recorder->record(1, "x", 600));
  EXPECT_THAT(recorder->record(2, "x", 1).error(), HasSubstr("may not be more"));
  recorder->told(*find(2));
  EXPECT_TRUE(await([&] { return recorder->counts().not_begun == 1; }));
  const RecorderSink sink(*recorder);
  EXPECT_EQ(sink.not_begun(), 1u);
  EXPECT_EQ(sink.lost_later(), 1u);
}

TEST_F(RecorderOf, WhatCannotBeWrittenIsNotTakenForTooManyAtOnce) {
  write_file(folder / "recordings", "a file in its place");
  start();
  pass(2);
  recorder->told(*find(1));
  EXPECT_TRUE(await([&] { return recorder->counts().failed == 1; }));
  const RecorderSink sink(*recorder);
  EXPECT_EQ(sink.not_begun(), 0u);
  EXPECT_EQ(sink.lost_later(), 1u);
  recorder->stop();
  recorder->told(*find(2));
  EXPECT_EQ(sink.not_begun(), 0u) << "it stops";
  EXPECT_EQ(sink.lost_later(), 2u);
}

TEST_F(RecorderOf, AFileHasALimit) {
  options.most_file_octets = 3000;
  start();
  pass(40);
  options.before = 40s;
  recorder->told(*find(1));
  ASSERT_TRUE(complete(1));
  EXPECT_LE(std::filesystem::file_size(file()), 3000u);
  EXPECT_GT(frames_of(file()).size(), 3u);
}

TEST_F(RecorderOf, AQuietNetworkEndsARecordingByTheClock) {
  options.after = 1s;
  start();
  pass(2);
  recorder->told(*find(1));
  EXPECT_TRUE(complete(1));
}

TEST_F(RecorderOf, ACaptureWhoseClockWentBackEndsARecording) {
  options.after = 1s;
  start();
  pass(2);
  auto future = *find(1);
  future.finding.time.ns += 3600 * kSecond;
  recorder->told(future);
  ASSERT_TRUE(begun(1));
  EXPECT_TRUE(await([&] {
    pass(1);
    return recorder->counts().complete == 1;
  }));
}

TEST_F(RecorderOf, AQueuePairIsFoundByItsFlowWhateverItsEnds) {
  start();
  for (std::uint64_t i = 1; i <= 4; ++i) {
    const OwnedFrame own = owned_frame(i, 100, kStart + static_cast<std::int64_t>(i) * kSecond);
    ring.frame(own.frame, i % 2 == 0 ? 777 : flow_of_qp(1));  // the same ends, in a tunnel and outside
  }
  auto told = *find(1);
  told.flow = 777;
  told.finding.time = TimePoint{kStart + 4 * kSecond};
  recorder->told(told);
  recorder->stop();
  EXPECT_THAT(numbers(file()), ElementsAre(2, 4));
}

TEST_F(RecorderOf, OldRecordingsGoWhenThereAreTooMany) {
  options.folder.most_files = 2;
  std::filesystem::create_directory(options.folder.path);
  const auto old = std::filesystem::file_time_type::clock::now() - 1h;
  for (const char* name : {"20200101T000000Z-qp1-MF-04.pcapng", "20200102T000000Z-qp1-MF-04.pcapng",
                           "20200103T000000Z-qp1-MF-04.pcapng", "20200104T000000Z-qp1-MF-04.pcapng.part",
                           "20200104T000000Z-qp1-MF-04.pcapng.comments.part", "notes.txt", "other.pcapng", "x.part"}) {
    write_file(options.folder.path + "/" + name, "x");
    std::filesystem::last_write_time(options.folder.path + "/" + name,
                                     old + std::chrono::seconds(std::string_view(name).size() > 7 ? name[7] - '0' : 0));
  }
  start();
  EXPECT_THAT(names(),
              ::testing::UnorderedElementsAre("20200102T000000Z-qp1-MF-04.pcapng", "20200103T000000Z-qp1-MF-04.pcapng",
                                              "notes.txt", "other.pcapng", "x.part"));
  pass(2);
  recorder->told(*find(1));
  recorder->stop();
  const auto left = recorder->recordings();
  ASSERT_EQ(left.size(), 2u);
  EXPECT_EQ(left[0].file, "20200103T000000Z-qp1-MF-04.pcapng");
  EXPECT_EQ(left[0].frames, 0u);
}

TEST_F(RecorderOf, WhatAnotherDaemonWritesStaysAsItIs) {
  start();
  pass(2);
  recorder->told(*find(1));
  const auto is_begun = [this] {
    const auto all = names();
    return std::any_of(all.begin(), all.end(), [](const std::string& name) { return name.ends_with(".part"); });
  };
  while (!is_begun()) std::this_thread::sleep_for(1ms);
  const RecordingsFolder of_another(options.folder);
  EXPECT_EQ(of_another.prepare(), "");
  EXPECT_TRUE(is_begun());
  recorder->stop();
  EXPECT_THAT(names(), ::testing::SizeIs(1));
}

TEST(RecordingsFolder, KeepsItsLimitsOfSizeAndAge) {
  Folder folder;
  const RecordingsFolder by_size({.path = folder.path(), .most_octets = 2500});
  const auto now = std::filesystem::file_time_type::clock::now();
  for (int i = 0; i < 5; ++i) {
    const std::string path = folder / ("2020010" + std::to_string(i + 1) + "T000000Z-qp1-MF-04.pcapng");
    write_file(path, std::string(1000, 'x'));
    std::filesystem::last_write_time(path, now - std::chrono::hours(10 * (5 - i)));
  }
  EXPECT_EQ(by_size.retire(), 3u);
  const RecordingsFolder by_age({.path = folder.path(), .keep = 15h});
  EXPECT_EQ(by_age.retire(), 1u);
  ASSERT_EQ(by_age.list().size(), 1u);
  EXPECT_EQ(by_age.list()[0].file, "20200105T000000Z-qp1-MF-04.pcapng");
}

TEST(RecordingsFolder, NamesAreReadBackAndDoNotClash) {
  Folder folder;
  const RecordingsFolder recordings({.path = folder.path()});
  const TimePoint time{kStart};
  const std::string name = recordings.name_for(time, 12, "MF-04");
  EXPECT_EQ(name, "20231114T221320Z-qp12-MF-04.pcapng");
  write_file(recordings.path(name) + ".part", "x");
  const std::string other = recordings.name_for(time, 12, "MF-04");
  EXPECT_EQ(other, "20231114T221320Z-qp12-MF-04+2.pcapng");
  live::Recording recording;
  ASSERT_TRUE(parse_recording_name(other, recording));
  EXPECT_EQ(recording.qp, 12u);
  EXPECT_EQ(recording.reason, "MF-04");
  EXPECT_EQ(recording.started, time);
  EXPECT_EQ(recordings.name_for(time, 1, " /\n"), "20231114T221320Z-qp1-request.pcapng");
  for (const char* wrong : {"", ".pcapng", "20231114T221320Z-qp12-MF-04.pcap", "20231114T221320Z-qp-MF-04.pcapng",
                            "20231114T221320Z-qp12.pcapng", "2023111xT221320Z-qp12-MF-04.pcapng", "notes.pcapng"}) {
    EXPECT_FALSE(parse_recording_name(wrong, recording)) << wrong;
  }
}

TEST_F(RecorderOf, AFolderThatCannotBeMadeIsSaid) {
  write_file(folder / "recordings", "a file in its place");
  start();
  EXPECT_THAT(recorder->trouble(), HasSubstr("/recordings"));
  pass(2);
  recorder->told(*find(1));
  EXPECT_TRUE(await([&] { return recorder->counts().failed == 1; }));
  EXPECT_THAT(recorder->trouble(),
              HasSubstr("No recording can be made in " + options.folder.path + ": Not a directory."));
  EXPECT_THAT(recorder->record(1, "x", 1).error(), HasSubstr("can be made in"));
}

TEST_F(RecorderOf, AFolderThatCanBeMadeAgainIsFoundWithoutAnotherFinding) {
  write_file(folder / "recordings", "a file in its place");
  options.trouble_for = 0s;
  options.try_again_every = 10ms;
  start();
  pass(2);
  recorder->told(*find(1));
  EXPECT_TRUE(await([&] { return recorder->counts().failed == 1; }));
  EXPECT_NE(recorder->trouble(), "");
  std::filesystem::remove(folder / "recordings");
  EXPECT_TRUE(await([&] { return recorder->trouble().empty(); }));
  recorder->stop();
  EXPECT_TRUE(names().empty());
}

TEST_F(RecorderOf, AFullDiskIsNotOverUntilThereIsRoom) {
  options.trouble_for = 0s;
  options.try_again_every = 10ms;
  const bool done = with_own_disk(folder.path(), "256k", [&] {
    { std::ofstream(folder / "filler") << std::string(std::size_t{1} << 20, 'x') << std::flush; }
    start();
    pass(2);
    recorder->told(*find(1));
    pass(5);
    EXPECT_TRUE(await([&] { return recorder->counts().failed == 1; }));
    std::this_thread::sleep_for(100ms);
    EXPECT_NE(recorder->trouble(), "");
    std::filesystem::remove(folder / "filler");
    EXPECT_TRUE(await([&] { return recorder->trouble().empty(); }));
    recorder->stop();
  });
  if (!done) GTEST_SKIP() << "This process may not mount file systems.";
}

TEST_F(RecorderOf, AFullDiskCostsTheRecordingAndLeavesNothingBehind) {
  const bool done = with_own_disk(folder.path(), "64k", [&] {
    start();
    for (unsigned i = 0; i < 200; ++i) {
      const OwnedFrame own = owned_frame(++number, 1400, kStart);
      ring.frame(own.frame, flow_of_qp(1));
    }
    number = 2;
    recorder->told(*find(1));
    EXPECT_TRUE(await([&] { return recorder->counts().failed == 1; }));
    EXPECT_THAT(recorder->trouble(),
                HasSubstr("No recording can be written in " + options.folder.path + ": No space left on device."));
    EXPECT_TRUE(names().empty());
    EXPECT_EQ(RecorderSink(*recorder).lost_later(), 1u);
    pass(3);
    recorder->told(*find(2));
    pass(5);
    ASSERT_TRUE(complete(1)) << "there is room for a small one";
    EXPECT_NE(recorder->trouble(), "") << "it is not over because of that";
    options.trouble_for = 0s;
    recorder->change(options);
    EXPECT_EQ(recorder->trouble(), "");
    EXPECT_EQ(recorder->counts().lost, 1u);
    recorder->stop();
  });
  if (!done) GTEST_SKIP() << "This process may not mount file systems.";
}

TEST_F(RecorderOf, FetchGivesWhatIsAskedFor) {
  start();
  const auto fetch = [&](const live::PacketQuery& query) {
    std::string got;
    const auto answer = recorder->fetch(query, [&](Octets octets) {
      got.append(reinterpret_cast<const char*>(octets.data()), octets.size());
      return true;
    });
    EXPECT_TRUE(answer);
    write_file(folder / "fetched.pcapng", got);
    const auto all = numbers(folder / "fetched.pcapng");
    EXPECT_EQ(all.size(), answer.value_or(0));
    return all;
  };
  EXPECT_EQ(recorder->fetch({}, [](Octets) { return true; }).error(), "No packet has been captured yet.");
  pass(4);
  live::PacketQuery query;
  EXPECT_THAT(fetch(query), ElementsAre(1, 2, 3, 4, 5, 6, 7, 8));
  query.qp = 2;
  directory.known_findings = {find(2, "Of its last frame.")};
  EXPECT_THAT(fetch(query), ElementsAre(2, 4, 6, 8));
  EXPECT_THAT(read_file(folder / "fetched.pcapng"), HasSubstr("Of its last frame."));
  query.from = TimePoint{kStart + 2 * kSecond};
  query.to = TimePoint{kStart + 3 * kSecond};
  EXPECT_THAT(fetch(query), ElementsAre(4, 6));
  query = {};
  query.most_octets = 1600;
  const auto few = fetch(query);
  EXPECT_FALSE(few.empty());
  EXPECT_LT(few.size(), 8u);
  EXPECT_LE(std::filesystem::file_size(folder / "fetched.pcapng"), 1600u);
  query.qp = 9;
  EXPECT_EQ(recorder->fetch(query, [](Octets) { return true; }).error(), "There is no queue pair 9.");
}

TEST_F(RecorderOf, FetchStopsWhenNobodyReadsOn) {
  start();
  for (unsigned i = 0; i < 1000; ++i) ring.frame(owned_frame(++number, 1000).frame, 1);
  unsigned pieces = 0;
  const auto answer = recorder->fetch({}, [&](Octets) { return ++pieces < 2; });
  ASSERT_TRUE(answer);
  EXPECT_EQ(pieces, 2u);
  EXPECT_LT(*answer, 1000u);
}

TEST_F(RecorderOf, ASinkHandsItsFindingsOver) {
  start();
  pass(2);
  RecorderSink sink(*recorder);
  EXPECT_FALSE(sink.wanted().at_least) << "which findings are recorded may change";
  EXPECT_EQ(sink.take({live::FindingTold{find(1)}, ended(1)}), 0u);
  EXPECT_TRUE(begun(1));
}

/// A real queue pair: tshark opens its recording and shows the comment at the frame it belongs to.
TEST(RecordingOfASample, OpensInTsharkWithItsComment) {
  if (std::system("command -v tshark >/dev/null 2>&1") != 0) GTEST_SKIP() << "There is no tshark.";
  Folder folder;
  live::FakeDirectory directory;
  PacketRing ring({});
  auto reader = capture::FileReader::open(std::string{IWARPSCOPE_SAMPLES} + "/made/all-opcodes.pcapng");
  ASSERT_TRUE(reader) << reader.error().text();
  net::Decoder decoder;
  live::FindingView view;
  std::uint64_t frames = 0;
  for (;;) {
    const auto batch = reader->next_batch();
    ASSERT_TRUE(batch);
    if (batch->empty()) break;
    ring.batch(reader->storage());
    for (const net::Frame& frame : *batch) {
      const FlowOf flow = flow_of(decoder, frame);
      ring.frame(frame, flow.flow);
      if (flow.flow == 0) continue;
      if (++frames == 5) {
        view = *finding_view(3, frame.number.value, "The fifth.");
        view.finding.time = frame.time;
        view.ends = std::pair{flow.source, flow.destination};
        view.flow = flow.flow;
      }
    }
  }
  ASSERT_GT(frames, 5u);
  RecorderOptions options;
  options.folder.path = folder.path();
  Recorder recorder(options, ring, directory);
  recorder.told(view);
  recorder.stop();
  ASSERT_EQ(recorder.recordings().size(), 1u);
  const std::string file = folder / recorder.recordings()[0].file;
  const std::string command = "tshark -r '" + file + "' -T fields -e frame.number -e frame.comment 2>/dev/null";
  FILE* tshark = popen(command.c_str(), "r");
  ASSERT_NE(tshark, nullptr);
  std::string said;
  std::array<char, 4096> chunk{};
  while (const std::size_t got = fread(chunk.data(), 1, chunk.size(), tshark)) said.append(chunk.data(), got);
  EXPECT_EQ(pclose(tshark), 0);
  const std::vector<std::string> all = lines(said);
  ASSERT_EQ(all.size(), frames);
  EXPECT_EQ(all[4], "5\tMF-04 mpa.crc-mismatch (error): The fifth.");
  EXPECT_EQ(all[3], "4\t");
}

}  // namespace
}  // namespace iwarpscope::outputs
