// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// A history with a damaged file, a full disk or a lock.
#include <sys/mount.h>

#include <thread>

#include "daemon/outputs/history_kit.h"
#include "daemon/outputs/own_mounts.h"

namespace iwarpscope::outputs {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST_F(HistoryOf, ADamagedFileIsMovedAsideAndAnotherIsBegun) {
  const std::string garbage(20'000, 'x');
  write_file(options.path, garbage);
  start();
  store({finding(1, 1)});
  EXPECT_THAT(history->trouble(), HasSubstr("was damaged; the old file is now " + options.path + ".damaged."));
  EXPECT_EQ(read_file(options.path + ".damaged"), garbage);
  EXPECT_EQ(rows({.kind = Kind::findings}).size(), 1u);
  store({finding(1, 2)});
  EXPECT_NE(history->trouble(), "");  // an operator must look at it
  history->reopen();
  store({finding(1, 3)});
  EXPECT_EQ(history->trouble(), "");
}

TEST_F(HistoryOf, ThatIsRemovedIsBegunAgainAndReported) {
  start();
  store({finding(1, 1)});
  for (const char* suffix : {"", "-wal", "-shm"}) std::filesystem::remove(options.path + suffix);
  history->tend();
  EXPECT_THAT(history->trouble(), HasSubstr("was removed or replaced"));
  store({finding(1, 2)});
  EXPECT_THAT(values({.kind = Kind::findings}, "frame"), ElementsAre(2));
  EXPECT_THAT(history->trouble(), HasSubstr("was removed or replaced"));
  history->reopen();
  store({finding(1, 3)});
  EXPECT_EQ(history->trouble(), "");
}

TEST_F(HistoryOf, RowsAfterARemovalAreStoredBeforeAnybodyTends) {
  start();
  store({finding(1, 1)});
  for (const char* suffix : {"", "-wal", "-shm"}) std::filesystem::remove(options.path + suffix);
  store({finding(1, 2)});
  EXPECT_THAT(values({.kind = Kind::findings}, "frame"), ElementsAre(2));
}

TEST_F(HistoryOf, ThatIsReplacedIsWrittenOnWithoutTheOldOnesLog) {
  options.path = folder / "saved.db";
  start();
  store({finding(1, 7)});
  history.reset();
  const std::string saved = std::exchange(options.path, folder / "history.db");
  start();
  store({finding(1, 1), finding(1, 2)});
  std::filesystem::rename(saved, options.path);  // its "-wal" stays where it is
  store({finding(1, 8)});
  EXPECT_THAT(values({.kind = Kind::findings}, "frame"), ElementsAre(8, 7));
  EXPECT_THAT(history->trouble(), HasSubstr("was removed or replaced"));
}

TEST_F(HistoryOf, DamageInsideIsFoundWhenItIsMetAndMovedAside) {
  start();
  std::vector<live::Event> many;
  for (std::uint64_t frame = 1; frame <= 500; ++frame) many.push_back(finding(1, frame));
  store(many);
  history.reset();
  ASSERT_FALSE(std::filesystem::exists(options.path + "-wal"));  // the last one to close writes it back
  std::string file = read_file(options.path);
  for (std::size_t at = 2 * 4096; at < file.size(); ++at) file[at] = '\x55';
  write_file(options.path, file);
  start();
  std::size_t lost = 0;
  for (std::uint64_t frame = 1; frame <= 50; ++frame) lost += history->take({finding(2, frame), ended(frame)});
  EXPECT_EQ(lost, 0u);
  EXPECT_THAT(history->trouble(), HasSubstr(".damaged"));
  EXPECT_EQ(rows({.kind = Kind::qps}).size(), 50u);
}

TEST_F(HistoryOf, AnothersLockIsWaitedForAndThenCostsTheBatch) {
  start();
  store({finding(1, 1)});
  OthersLock other(options.path);
  EXPECT_EQ(history->take({finding(1, 2), finding(1, 3)}), 2u);
  EXPECT_THAT(history->trouble(), HasSubstr("cannot be written: database is locked."));
  EXPECT_EQ(rows({.kind = Kind::findings}).size(), 1u);  // it can be read all the same
  other.release();
  store({finding(1, 4)});
  EXPECT_EQ(history->trouble(), "");
}

TEST_F(HistoryOf, ALockThatGoesInTimeCostsNothing) {
  options.patience = 60s;
  start();
  store({finding(1, 1)});
  OthersLock other(options.path);
  std::thread later([&] {
    while (history->trouble().empty()) std::this_thread::yield();  // it has met the lock
    other.release();
  });
  store({finding(1, 2)});
  later.join();
}

TEST_F(HistoryOf, WhenTheDaemonStopsNoLockIsWaitedFor) {
  options.patience = 1h;
  start();
  store({finding(1, 1)});
  const OthersLock other(options.path);
  history->hurry();
  EXPECT_EQ(history->take({finding(1, 2)}), 1u);
}

TEST_F(HistoryOf, AnotherWritesIsLeftAloneUntilThatOneEnds) {
  start();
  store({finding(1, 1)});
  EXPECT_TRUE(HistoryLock::is_taken(options.path));
  {
    History second(options, outputs::Run{"other", "0.1.0", TimePoint{1}});
    EXPECT_EQ(second.take({finding(2, 2)}), 1u);
    EXPECT_EQ(second.trouble(), "The history " + options.path + " cannot be written: another daemon writes it.");
    second.tend();
    EXPECT_EQ(second.trouble(), "The history " + options.path + " cannot be opened: another daemon writes it.");
  }
  store({finding(1, 3)});
  EXPECT_THAT(values({.kind = Kind::findings}, "frame"), ElementsAre(3, 1));
  std::filesystem::remove(options.path + ".lock");
  store({finding(1, 4)});  // takes it again
  EXPECT_TRUE(HistoryLock::is_taken(options.path));
  history.reset();
  EXPECT_FALSE(HistoryLock::is_taken(options.path));
  start();
  store({finding(1, 5)});
}

TEST_F(HistoryOf, OnAFullDiskLosesBatchesAndGoesOnWhenThereIsRoom) {
  const bool done = with_own_disk(folder.path(), "1600k", [&] {
    start();
    std::size_t lost = 0;
    std::uint64_t frame = 0;
    write_file(folder / "ballast", std::string(600'000, 'x'));
    while (lost == 0 && frame < 5000) {
      ++frame;
      lost = history->take({finding(1, frame), finding(2, frame)});
    }
    EXPECT_EQ(lost, 2u);
    EXPECT_THAT(history->trouble(), HasSubstr("cannot be written: database or disk is full."));
    EXPECT_EQ(rows({.kind = Kind::findings, .most = 10'000}).size(), 2 * (frame - 1));
    std::filesystem::remove(folder / "ballast");
    EXPECT_EQ(history->take({finding(1, frame)}), 0u) << history->trouble();
    EXPECT_EQ(history->trouble(), "");
    EXPECT_EQ(rows({.kind = Kind::findings, .most = 10'000}).size(), 2 * frame - 1);
  });
  if (!done) GTEST_SKIP() << "This process may not mount file systems.";
}

TEST_F(HistoryOf, ManyRowsLieInLargePagesAndTheLogStaysSmall) {
  start();
  std::uint64_t frame = 0;
  std::uintmax_t longest = 0;
  for (int batch = 0; batch < 120; ++batch) {
    std::vector<live::Event> events;
    for (int i = 0; i < 200; ++i) events.push_back(finding(1, ++frame));
    ASSERT_EQ(history->take(events), 0u);
    longest = std::max(longest, std::filesystem::file_size(options.path + "-wal"));
  }
  EXPECT_LT(longest, std::uintmax_t{6} << 20);
  const std::string file = read_file(options.path);
  EXPECT_EQ(file.substr(16, 2), std::string("\x40\0", 2));  // octets of a page, in the header of the file
}

TEST_F(HistoryOf, OnADiskThatCannotBeWrittenSaysSoAndGoesOnWhenItCan) {
  const bool done = with_own_disk(folder.path(), "3m", [&] {
    start();
    store({finding(1, 1)});
    history.reset();
    ASSERT_EQ(mount(nullptr, folder.path().c_str(), nullptr, MS_REMOUNT | MS_RDONLY, nullptr), 0);
    start();
    EXPECT_EQ(history->take({finding(1, 2)}), 1u);
    EXPECT_THAT(history->trouble(), HasSubstr("cannot be written: "));
    ASSERT_EQ(mount(nullptr, folder.path().c_str(), nullptr, MS_REMOUNT, nullptr), 0);
    store({finding(1, 3)});
    EXPECT_EQ(history->trouble(), "");
    EXPECT_THAT(values({.kind = Kind::findings}, "frame"), ElementsAre(3, 1));
  });
  if (!done) GTEST_SKIP() << "This process may not mount file systems.";
}

}  // namespace
}  // namespace iwarpscope::outputs
