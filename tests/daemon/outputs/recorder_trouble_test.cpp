// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// A recorder at its limits: of files, folders, disks and requests.
#include <gmock/gmock.h>

#include <algorithm>
#include <atomic>
#include <fstream>
#include <thread>

#include "daemon/outputs/own_mounts.h"
#include "daemon/outputs/recorder_kit.h"
#include "outputs/recording_file.h"

namespace iwarpscope::outputs {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST_F(RecorderOf, ThatIsKilledLeavesItsPacketsBehind) {
  start();
  pass(3);
  recorder->reported(*find(1));
  ASSERT_TRUE(begun(1));
  const std::string part = options.folder.path + "/20231114T221620Z-qp1-MF-04.pcapng.part";
  ASSERT_TRUE(await([&] { return std::filesystem::file_size(part) > 300; })) << "it is written while it goes on";
  const std::string written = read_file(part);
  recorder->stop();
  recorder.reset();
  std::filesystem::remove_all(options.folder.path);
  std::filesystem::create_directory(options.folder.path);
  write_file(part, written + written.substr(0, 20));  // killed in the middle of a block
  start();
  EXPECT_THAT(names(), ElementsAre("20231114T221620Z-qp1-MF-04.pcapng"));
  ASSERT_EQ(recorder->recordings().size(), 1u);
  EXPECT_EQ(recorder->recordings()[0].frames, 3u);
  EXPECT_THAT(numbers(file()), ElementsAre(1, 3, 5));
}

TEST_F(RecorderOf, RequestsAndFindingsHaveALimitTogether) {
  options.most_at_once = 1;
  start();
  pass(2);
  ASSERT_TRUE(recorder->record(1, "x", 600));
  EXPECT_THAT(recorder->record(2, "x", 1).error(), HasSubstr("which is the limit"));
  recorder->reported(*find(2));
  EXPECT_TRUE(await([&] { return recorder->counts().not_begun == 1; }));
  const RecorderSink sink(*recorder);
  EXPECT_EQ(sink.not_begun(), 1u);
  EXPECT_EQ(sink.lost_later(), 1u);
}

TEST_F(RecorderOf, WhatCannotBeWrittenIsNotTakenForTooManyAtOnce) {
  write_file(folder / "recordings", "a file in its place");
  start();
  pass(2);
  recorder->reported(*find(1));
  EXPECT_TRUE(await([&] { return recorder->counts().failed == 1; }));
  const RecorderSink sink(*recorder);
  EXPECT_EQ(sink.not_begun(), 0u);
  EXPECT_EQ(sink.lost_later(), 1u);
  recorder->stop();
  recorder->reported(*find(2));
  EXPECT_EQ(sink.not_begun(), 0u) << "it stops";
  EXPECT_EQ(sink.lost_later(), 2u);
}

TEST_F(RecorderOf, AFileHasALimit) {
  options.most_file_octets = 3000;
  options.before = 40min;
  start();
  pass(40);
  recorder->reported(*find(1));
  ASSERT_TRUE(begun(1));
  pass(40);
  ASSERT_TRUE(complete(1));
  EXPECT_LE(std::filesystem::file_size(file()), 3000u);
  EXPECT_GT(frames_of(file()).size(), 3u);
  EXPECT_LT(frames_of(file()).size(), 40u);
  EXPECT_THAT(numbers(file()), ::testing::Contains(79)) << "the frame of the finding";
  EXPECT_THAT(numbers(file()), ::testing::Not(::testing::Contains(1))) << "the oldest gave it room";
  EXPECT_THAT(read_file(file()), HasSubstr("It is so."));
}

// The file is full before the frame of another finding comes.
TEST_F(RecorderOf, AFindingThatAFullFileHasNoRoomForIsCounted) {
  options.most_file_octets = 3000;
  start();
  pass(2);
  recorder->reported(*find(1));
  ASSERT_TRUE(begun(1));
  number += 80;
  recorder->reported(*find(1));
  number -= 80;
  pass(41);
  ASSERT_TRUE(complete(1));
  EXPECT_TRUE(await([&] { return recorder->counts().lost == 1; }));
}

TEST_F(RecorderOf, RecordingsGoWhenThereAreTooManyButTheFirstOfTheRule) {
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
              ::testing::UnorderedElementsAre("20200101T000000Z-qp1-MF-04.pcapng", "20200103T000000Z-qp1-MF-04.pcapng",
                                              "notes.txt", "other.pcapng", "x.part"));
  pass(2);
  recorder->reported(*find(1));
  recorder->stop();
  const auto left = recorder->recordings();
  ASSERT_EQ(left.size(), 2u);
  EXPECT_EQ(left[0].file, "20200101T000000Z-qp1-MF-04.pcapng");
  EXPECT_EQ(left[0].frames, 0u);
}

TEST_F(RecorderOf, WhatAnotherDaemonWritesStaysAsItIs) {
  start();
  pass(2);
  recorder->reported(*find(1));
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

TEST_F(RecorderOf, WhatBeginsWhileAnotherDaemonStartsIsThere) {
  std::filesystem::create_directories(options.folder.path);
  std::atomic<bool> over = false;
  std::thread another([&] {
    while (!over) EXPECT_EQ(RecordingsFolder(options.folder).prepare(), "");
  });
  const std::string path = options.folder.path + "/20200101T000000Z-qp1-MF-04.pcapng";
  int gone = 0;
  for (int i = 0; i < 5000; ++i) {
    RecordingFile file(path, 1 << 20, PcapngWriter("test"));
    EXPECT_EQ(file.open(), "");
    gone += std::filesystem::exists(path + ".part") ? 0 : 1;
  }
  EXPECT_EQ(gone, 0);
  over = true;
  another.join();
}

TEST_F(RecorderOf, AFolderThatCannotBeMadeIsSaid) {
  write_file(folder / "recordings", "a file in its place");
  start();
  EXPECT_THAT(recorder->trouble(), HasSubstr("/recordings"));
  pass(2);
  recorder->reported(*find(1));
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
  recorder->reported(*find(1));
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
    recorder->reported(*find(1));
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
    recorder->reported(*find(1));
    EXPECT_TRUE(await([&] { return recorder->counts().failed == 1; }));
    EXPECT_THAT(recorder->trouble(),
                HasSubstr("No recording can be written in " + options.folder.path + ": No space left on device."));
    EXPECT_TRUE(names().empty());
    EXPECT_EQ(RecorderSink(*recorder).lost_later(), 1u);
    pass(3);
    recorder->reported(*find(2));
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

}  // namespace
}  // namespace iwarpscope::outputs
