// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Reading a history forward: every record once and in order, or counted as expired.
#include <filesystem>
#include <fstream>
#include <thread>

#include "daemon/live/fake_directory.h"
#include "daemon/outputs/history_kit.h"
#include "daemon/outputs/own_mounts.h"

namespace iwarpscope::outputs {
namespace {

using live::ArchivePlace;
using live::RecordKind;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// A run like kRun with another UUID.
Run other_run(const std::string& uuid) {
  Run run = kRun;
  run.id += uuid;
  run.origin.run_uuid = uuid;
  return run;
}

struct HistoryTailOf : HistoryOf {
  std::unique_ptr<live::ArchiveTail> tail(std::vector<ArchivePlace> after = {}) {
    return HistoryArchive(options.path).tail(std::move(after));
  }
  live::TailPage next(live::ArchiveTail& from, std::size_t most = 500) {
    auto page = from.next(most);
    EXPECT_TRUE(page) << page.error();
    return page ? std::move(*page) : live::TailPage{};
  }
  /// The next page that has some: a file that took the place of another is left alone for some seconds.
  live::TailPage next_records(live::ArchiveTail& from) {
    for (int i = 0; i < 2000; ++i) {
      live::TailPage page = next(from);
      if (!page.records.empty()) return page;
      std::this_thread::sleep_for(std::chrono::milliseconds{10});
    }
    ADD_FAILURE() << "no records came";
    return {};
  }
  /// All pages as one.
  live::TailPage everything() {
    const auto forward = tail();
    live::TailPage all = next(*forward);
    while (!all.is_last) {
      live::TailPage more = next(*forward);
      std::move(more.records.begin(), more.records.end(), std::back_inserter(all.records));
      for (std::size_t i = 0; i < all.expired.size(); ++i) all.expired.at(i) += more.expired.at(i);
      all.is_last = more.is_last;
    }
    return all;
  }
  static std::vector<std::uint64_t> ids(const live::TailPage& page, RecordKind kind) {
    std::vector<std::uint64_t> all;
    for (const live::StoredRecord& record : page.records) {
      if (record.kind == kind) all.push_back(record.id);
    }
    return all;
  }
  static std::uint64_t expired(const live::TailPage& page, RecordKind kind) {
    return page.expired.at(static_cast<std::size_t>(kind));
  }
  void remove_file() {
    for (const char* suffix : {"", "-wal", "-shm"}) std::filesystem::remove(options.path + suffix);
  }
};

TEST_F(HistoryTailOf, GivesEachRecordOnceWithWhatItIsSearchedFor) {
  start();
  store({finding(7, 3), ended(7, qp::Outcome::failed), finding(8, 4)});
  const auto forward = tail();
  const live::TailPage page = next(*forward);
  ASSERT_EQ(page.records.size(), 3u);
  EXPECT_TRUE(page.is_last);
  const live::StoredRecord& first = page.records[0];
  EXPECT_EQ(first.kind, RecordKind::findings);
  EXPECT_EQ(first.id, 1u);
  EXPECT_EQ(first.run_uuid, kOrigin.run_uuid);
  EXPECT_EQ(first.key, "mpa.crc-mismatch");
  EXPECT_EQ(first.severity, 3);
  EXPECT_EQ(first.qp, 7u);
  EXPECT_EQ(first.a, "10.0.0.1");
  EXPECT_EQ(first.b, "10.0.0.2");
  EXPECT_EQ(first.time, TimePoint{1'700'000'000'000'000'003});
  EXPECT_NEAR(static_cast<double>(first.stored.ns), static_cast<double>(now().ns), 60e9);
  EXPECT_EQ(nlohmann::json::parse(first.json).at("frame"), 3);
  EXPECT_EQ(page.records[2].kind, RecordKind::qps);
  EXPECT_EQ(page.records[2].key, "failed");
  EXPECT_THAT(next(*forward).records, IsEmpty());
  store({finding(9, 5)});
  EXPECT_THAT(ids(next(*forward), RecordKind::findings), ElementsAre(3));
}

TEST_F(HistoryTailOf, GoesOnAfterItsPlace) {
  start();
  for (std::uint64_t frame = 1; frame <= 10; ++frame) store({finding(1, frame), ended(frame)});
  const auto forward = tail({{RecordKind::findings, 7, kOrigin.run_uuid}, {RecordKind::qps, 10, kOrigin.run_uuid}});
  const live::TailPage page = next(*forward);
  EXPECT_THAT(ids(page, RecordKind::findings), ElementsAre(8, 9, 10));
  EXPECT_THAT(ids(page, RecordKind::qps), IsEmpty());
  EXPECT_EQ(page.expired, live::CountByKind{});
}

TEST_F(HistoryTailOf, APageEndsAtItsSizeAndAKindComesWhenTheOneBeforeHasNoMore) {
  start();
  for (std::uint64_t frame = 1; frame <= 5; ++frame) store({finding(1, frame), ended(frame)});
  const auto forward = tail();
  live::TailPage page = next(*forward, 3);
  EXPECT_THAT(ids(page, RecordKind::findings), ElementsAre(1, 2, 3));
  EXPECT_EQ(page.records.size(), 3u);
  EXPECT_FALSE(page.is_last);
  page = next(*forward, 3);
  EXPECT_THAT(ids(page, RecordKind::findings), ElementsAre(4, 5));
  EXPECT_THAT(ids(page, RecordKind::qps), ElementsAre(1));
  page = next(*forward, 100);
  EXPECT_THAT(ids(page, RecordKind::qps), ElementsAre(2, 3, 4, 5));
  EXPECT_TRUE(page.is_last);
}

TEST_F(HistoryTailOf, APageOfLargeRecordsIsBounded) {
  start();
  for (std::uint64_t frame = 1; frame <= 40; ++frame) store({finding(1, frame, std::string(200'000, 'x'))});
  const auto forward = tail();
  std::size_t records = 0, pages = 0;
  for (bool more = true; more; ++pages) {
    const live::TailPage page = next(*forward);
    std::size_t octets = 0;
    for (const live::StoredRecord& record : page.records) octets += record.json.size();
    EXPECT_LT(octets, 3u << 20);
    records += page.records.size();
    more = !page.is_last;
  }
  EXPECT_EQ(records, 40u);
  EXPECT_GT(pages, 3u);
}

TEST_F(HistoryTailOf, WhatExpiredBeforeItWasReadIsCounted) {
  options.most_octets = 400'000;
  start();
  const auto forward = tail();
  store({finding(1, 1)});
  EXPECT_THAT(ids(next(*forward), RecordKind::findings), ElementsAre(1));
  std::uint64_t made = 1;
  for (int round = 0; round < 10; ++round) {
    std::vector<live::Event> some;
    for (int i = 0; i < 50; ++i) some.push_back(finding(1, ++made, std::string(4000, 'x')));
    store(some);
    history->tend();
  }
  std::uint64_t read = 1, gone = 0;
  for (bool more = true; more;) {
    const live::TailPage page = next(*forward);
    read += page.records.size();
    gone += expired(page, RecordKind::findings);
    more = !page.is_last;
  }
  EXPECT_GT(gone, 100u);
  EXPECT_EQ(read + gone, made);
}

TEST_F(HistoryTailOf, AfterTheClockWentBackOnlyTheOldestRowsGo) {
  options.keep = std::chrono::hours{1};
  start();
  for (std::uint64_t frame = 1; frame <= 9; ++frame) store({finding(1, frame)});
  sql(options.path, "UPDATE findings SET stored = 1 WHERE id IN (1, 2, 5)");
  history->tend();
  const auto forward = tail();
  const live::TailPage page = next(*forward);
  EXPECT_EQ(expired(page, RecordKind::findings), 2u);
  EXPECT_THAT(ids(page, RecordKind::findings), ElementsAre(3, 4, 5, 6, 7, 8, 9));
}

TEST_F(HistoryTailOf, AFileThatReplacedAnotherIsReadFromItsBeginning) {
  start();
  for (std::uint64_t frame = 1; frame <= 5; ++frame) store({finding(1, frame)});
  history.reset();
  remove_file();
  start(other_run("22222222-0000-4000-8000-000000000000"));
  for (std::uint64_t frame = 1; frame <= 3; ++frame) store({finding(1, frame)});
  // The id was never given in this file; then it was, by another run.
  const ArchivePlace beyond{RecordKind::findings, 5, kOrigin.run_uuid},
      within{RecordKind::findings, 2, kOrigin.run_uuid};
  EXPECT_THAT(ids(next(*tail({beyond})), RecordKind::findings), ElementsAre(1, 2, 3));
  EXPECT_THAT(ids(next(*tail({within})), RecordKind::findings), ElementsAre(1, 2, 3));
  const ArchivePlace right{RecordKind::findings, 2, "22222222-0000-4000-8000-000000000000"};
  EXPECT_THAT(ids(next(*tail({right})), RecordKind::findings), ElementsAre(3));
}

TEST_F(HistoryTailOf, IdsOfARunDoNotComeBackWhenItsFileIsTakenAway) {
  start();
  const auto forward = tail();
  for (std::uint64_t frame = 1; frame <= 5; ++frame) store({finding(1, frame), ended(frame)});
  EXPECT_EQ(next(*forward).records.size(), 10u);
  store({finding(1, 6)});  // never read
  remove_file();
  store({finding(1, 7)});
  const live::TailPage page = next_records(*forward);
  EXPECT_THAT(ids(page, RecordKind::findings), ElementsAre(7));
  EXPECT_EQ(expired(page, RecordKind::findings), 1u);
  EXPECT_EQ(expired(page, RecordKind::qps), 0u);
}

TEST_F(HistoryTailOf, ABackupThatIsPutInPlaceStopsNoWriterAndRepeatsNoId) {
  start();
  for (std::uint64_t frame = 1; frame <= 3; ++frame) store({finding(1, frame)});
  const std::string backup = folder / "backup.db";
  sql(options.path, "VACUUM INTO '" + backup + "'");
  const auto forward = tail();
  for (std::uint64_t frame = 4; frame <= 9; ++frame) store({finding(1, frame)});
  EXPECT_EQ(next(*forward).records.size(), 9u);
  std::filesystem::rename(backup, options.path);
  std::vector<std::uint64_t> read;
  std::uint64_t made = 9;
  for (int i = 0; i < 200 && read.size() < 20; ++i) {
    if (made < 29) store({finding(1, ++made)});
    for (const std::uint64_t id : ids(next(*forward), RecordKind::findings)) read.push_back(id);
    std::this_thread::sleep_for(std::chrono::milliseconds{50});
  }
  // What came after the backup was taken away with the old file; no later record has an id of those.
  ASSERT_EQ(read.size(), 20u) << history->trouble();
  EXPECT_EQ(read.front(), 10u);
  EXPECT_EQ(read.back(), 29u);
}

TEST_F(HistoryTailOf, APlaceOfARunThatTheFileNeverHadMeansAnotherFile) {
  options.most_octets = 500'000;
  start(other_run("22222222-0000-4000-8000-000000000000"));
  for (int round = 0; round < 10; ++round) {
    std::vector<live::Event> some;
    for (std::uint64_t i = 1; i <= 50; ++i) some.push_back(finding(1, i, std::string(4000, 'x')));
    store(some);
    history->tend();
  }
  const ArchivePlace elsewhere{RecordKind::findings, 100, kOrigin.run_uuid};
  const live::TailPage page = next(*tail({elsewhere}), 1);
  EXPECT_EQ(expired(page, RecordKind::findings) + 1, page.records.at(0).id);
  const ArchivePlace here{RecordKind::findings, 100, "22222222-0000-4000-8000-000000000000"};
  EXPECT_EQ(expired(next(*tail({here}), 1), RecordKind::findings) + 100, expired(page, RecordKind::findings));
}

TEST_F(HistoryTailOf, WhatWasDeliveredBeforeIsNotCountedAgainByAReaderWithoutAPlace) {
  options.keep = std::chrono::hours{1};
  start();
  for (std::uint64_t frame = 1; frame <= 9; ++frame) store({finding(1, frame)});
  sql(options.path,
      "UPDATE findings SET stored = 1 WHERE id <= 6; INSERT INTO forwarded VALUES(0, 4, '" + kOrigin.run_uuid + "')");
  history->tend();
  EXPECT_EQ(expired(next(*tail()), RecordKind::findings), 2u);
}

TEST_F(HistoryTailOf, ARowOfTheFutureKeepsNoOlderOne) {
  options.keep = std::chrono::hours{1};
  start();
  for (std::uint64_t frame = 1; frame <= 9; ++frame) store({finding(1, frame)});
  sql(options.path, "UPDATE findings SET stored = 1 WHERE id <= 5; UPDATE findings SET stored = 9e18 WHERE id = 2");
  history->tend();
  EXPECT_THAT(ids(next(*tail()), RecordKind::findings), ElementsAre(6, 7, 8, 9));
  sql(options.path, "UPDATE findings SET stored = 9e18 WHERE id = 6");
  history->tend();
  EXPECT_THAT(ids(next(*tail()), RecordKind::findings), ElementsAre(6, 7, 8, 9));
}

TEST_F(HistoryTailOf, RecordsOfRunsWithoutAUuidAreLeftOut) {
  start();
  for (std::uint64_t frame = 1; frame <= 5; ++frame) store({finding(1, frame)});
  sql(options.path, "UPDATE runs SET uuid = NULL");
  start(other_run("22222222-0000-4000-8000-000000000000"));
  store({finding(1, 6)});
  const live::TailPage page = next(*tail());
  EXPECT_THAT(ids(page, RecordKind::findings), ElementsAre(6));
  EXPECT_EQ(page.expired, live::CountByKind{});
}

TEST_F(HistoryTailOf, AFileThatIsNotThereOrNotReadyHasNothingYet) {
  const auto forward = tail();
  EXPECT_THAT(next(*forward).records, IsEmpty());
  write_file(options.path, "");
  EXPECT_THAT(next(*forward).records, IsEmpty());
  std::filesystem::remove(options.path);
  start();
  store({finding(1, 1)});
  EXPECT_THAT(ids(next(*forward), RecordKind::findings), ElementsAre(1));
  history.reset();
  remove_file();
  write_file(options.path, std::string(5000, 'x'));
  EXPECT_FALSE(tail()->next(1));
}

TEST_F(HistoryTailOf, StatesGoFirstAndFindingsLastWhenTheFileIsTooLarge) {
  options.forward = true;
  options.most_octets = 1'200'000;
  live::FakeDirectory directory;
  const std::string big(3000, 'x');
  history = std::make_unique<History>(options, kRun);
  history->tend();
  std::vector<live::Event> some;
  for (std::uint64_t frame = 1; frame <= 60; ++frame) some.push_back(finding(1, frame, big));
  store(some);
  sql(options.path,
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300) INSERT INTO states(run, stored, "
      "time, qp, a, b, state, json) SELECT 1, " +
          std::to_string(now().ns) + ", i, i, '', '', 'open', printf('%.3000c', 'x') FROM n");
  history->tend();
  live::TailPage page = everything();
  EXPECT_EQ(expired(page, RecordKind::findings), 0u);
  EXPECT_EQ(ids(page, RecordKind::findings).size(), 60u);
  EXPECT_GT(expired(page, RecordKind::states), 100u);
  EXPECT_GT(ids(page, RecordKind::states).size(), 10u);
  some.clear();
  for (std::uint64_t frame = 61; frame <= 300; ++frame) some.push_back(finding(1, frame, big));
  store(some);
  history->tend();
  page = everything();
  EXPECT_EQ(ids(page, RecordKind::states).size(), 0u);
  EXPECT_GT(expired(page, RecordKind::findings), 10u);
  EXPECT_EQ(expired(page, RecordKind::findings) + ids(page, RecordKind::findings).size(), 300u);
}

/// A history for a centre, over a directory that a test fills.
struct ForwardedHistory : HistoryTailOf {
  live::FakeDirectory directory;
  std::shared_ptr<live::Forwarding> forwarding = std::make_shared<live::Forwarding>();

  void begin() {
    options.forward = true;
    options.states = std::chrono::milliseconds{20};
    options.heartbeats = std::chrono::milliseconds{20};
    history = std::make_unique<History>(options, kRun, HistorySurroundings{&directory, forwarding});
  }
  /// The first record of a kind, once it is there.
  live::StoredRecord first_of(RecordKind kind) {
    for (int i = 0; i < 2000; ++i) {
      history->tend();
      for (const live::StoredRecord& record : next(*tail()).records) {
        if (record.kind == kind) return record;
      }
      std::this_thread::sleep_for(std::chrono::milliseconds{5});
    }
    ADD_FAILURE() << "no record of this kind came";
    return {};
  }
};

TEST_F(ForwardedHistory, HasHeartbeatsWithStatusLossesAndClock) {
  directory.now.version = "0.9.1";
  directory.now.configuration = live::ConfigurationView{0xabc, false, 17, 2, "FILE:3:1: no such key"};
  directory.now.clock = {true, true, 1500, -20};
  directory.now.totals.losses.kernel = 12;
  directory.now.outputs.push_back({"history", false, "The disk is \"full\".", 3, 4});
  directory.now.origin = std::make_shared<const live::Origin>(kOrigin);
  begin();
  forwarding->lose({{0, 0, 0, 9, 0}, {1, 0, 0, 2, 0}, 5});
  const live::StoredRecord record = first_of(RecordKind::heartbeats);
  const auto beat = nlohmann::json::parse(record.json);
  EXPECT_EQ(beat.at("record"), "heartbeat");
  EXPECT_EQ(beat.at("version"), "0.9.1");
  EXPECT_EQ(beat.at("configuration").at("hash"), "000000000abc");
  EXPECT_EQ(beat.at("configuration").at("reload_failed"), true);
  EXPECT_EQ(beat.at("configuration").at("mistakes"), "FILE:3:1: no such key");
  EXPECT_EQ(beat.at("clock").at("error_ns"), 1500);
  EXPECT_EQ(beat.at("losses").at("kernel_frames"), 12);
  EXPECT_EQ(beat.at("outputs").at(0).at("trouble"), "The disk is \"full\".");
  EXPECT_EQ(beat.at("not_stored").at("states"), 2);
  EXPECT_EQ(beat.at("expired").at("states"), 9);
  EXPECT_EQ(beat.at("missed"), 5);
  EXPECT_EQ(beat.at("run_uuid"), kOrigin.run_uuid);
  EXPECT_EQ(beat.at("stopping"), false);
  EXPECT_EQ(record.time, record.stored);
}

TEST_F(ForwardedHistory, HasAnOpenQueuePairAgainOnlyWhenItChanged) {
  const auto view = qp_view(3);
  view->ended = false;
  directory.known_qps.push_back(view);
  begin();
  const live::StoredRecord first = first_of(RecordKind::states);
  EXPECT_EQ(first.qp, 3u);
  EXPECT_EQ(first.a, "10.0.0.1");
  EXPECT_EQ(nlohmann::json::parse(first.json).at("qp"), 3);
  const auto states = [&] {
    history->tend();
    return ids(next(*tail()), RecordKind::states).size();
  };
  // A whole round later, as another queue pair shows, it is not there again.
  const auto other = qp_view(4);
  other->ended = false;
  directory.change([&](live::Status&) { directory.known_qps.push_back(other); });
  for (int i = 0; i < 2000 && states() < 2; ++i) std::this_thread::sleep_for(std::chrono::milliseconds{5});
  EXPECT_EQ(states(), 2u);
  const auto changed = std::make_shared<live::QpView>(*view);
  changed->record.last_time.ns += 1;
  directory.change([&](live::Status&) { directory.known_qps = {changed, other}; });
  for (int i = 0; i < 2000 && states() < 3; ++i) std::this_thread::sleep_for(std::chrono::milliseconds{5});
  EXPECT_EQ(states(), 3u);
}

TEST_F(ForwardedHistory, WithoutACentreHasNeitherStatesNorHeartbeats) {
  directory.known_qps.push_back(qp_view(3));
  options.states = options.heartbeats = std::chrono::milliseconds{1};
  history = std::make_unique<History>(options, kRun, HistorySurroundings{&directory, forwarding});
  std::this_thread::sleep_for(std::chrono::milliseconds{100});
  history->tend();
  EXPECT_THAT(next(*tail()).records, IsEmpty());
}

TEST_F(ForwardedHistory, KnowsHowMuchTheCentreLacksAlsoAfterARestart) {
  begin();
  for (std::uint64_t frame = 1; frame <= 9; ++frame) store({finding(1, frame)});
  options.states = options.heartbeats = std::chrono::nanoseconds{0};
  history.reset();
  history = std::make_unique<History>(options, kRun, HistorySurroundings{&directory, forwarding});
  history->tend();  // opens the file
  const auto waiting = [&] {
    history->tend();
    std::uint64_t beats = ids(next(*tail()), RecordKind::heartbeats).size();
    return forwarding->view().queued - beats;
  };
  EXPECT_EQ(waiting(), 9u);
  forwarding->report({{RecordKind::findings, 4, kOrigin.run_uuid}}, {});
  EXPECT_EQ(waiting(), 5u);
  history.reset();
  const auto later = std::make_shared<live::Forwarding>();
  history = std::make_unique<History>(options, other_run("22222222-0000-4000-8000-000000000000"),
                                      HistorySurroundings{&directory, later});
  history->tend();
  history->tend();
  EXPECT_EQ(later->stored().at(0).id, 4u);
  EXPECT_EQ(later->view().queued, forwarding->view().queued);
  EXPECT_GT(later->view().lag_seconds, 0);
}

TEST_F(ForwardedHistory, WhatTheCentreNeverGotIsCountedWhenItExpires) {
  begin();
  for (std::uint64_t frame = 1; frame <= 9; ++frame) store({finding(1, frame)});
  forwarding->report({{RecordKind::findings, 4, kOrigin.run_uuid}}, {});
  sql(options.path, "UPDATE findings SET stored = 1 WHERE id <= 6");
  history->tend();
  history->finish();  // or some seconds later, when the centre has reported
  EXPECT_EQ(forwarding->lost().expired.at(static_cast<std::size_t>(RecordKind::findings)), 2u);
}

TEST_F(HistoryTailOf, OnAFullDiskStatesMakeRoomForFindings) {
  const bool done = with_own_disk(folder.path(), "24m", [&] {
    options.forward = true;
    start();
    const std::string big(4000, 'x');
    store({finding(1, 1)});
    ASSERT_TRUE(std::filesystem::exists(options.path + ".reserve"));
    sql(options.path,
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000) INSERT INTO states(run, "
        "stored, "
        "time, qp, a, b, state, json) SELECT 1, 1, i, i, '', '', 'open', printf('%.4000c', 'x') FROM n");
    std::uint64_t stored = 1;
    std::vector<live::Event> some;
    for (std::uint64_t frame = 1; frame <= 50; ++frame) some.push_back(finding(1, frame, big));
    while (stored <= 4000 && history->take(some) == 0) stored += some.size();
    const live::TailPage page = everything();
    EXPECT_GT(expired(page, RecordKind::states), 0u) << history->trouble();
    EXPECT_EQ(ids(page, RecordKind::findings).size(), stored);
    EXPECT_LT(stored, 4000u);
  });
  if (!done) GTEST_SKIP() << "This process may not mount file systems.";
}

TEST_F(HistoryTailOf, OnADiskThatFilledUpBeforeTheStartTheReserveIsUsed) {
  const bool done = with_own_disk(folder.path(), "24m", [&] {
    options.forward = true;
    start();
    store({finding(1, 1)});
    history.reset();
    std::ofstream ballast(folder / "ballast");
    const std::string some(64 << 10, 'x');
    while (ballast.write(some.data(), static_cast<std::streamsize>(some.size())).flush()) {
    }
    start();
    store({finding(1, 2)});
    EXPECT_FALSE(std::filesystem::exists(options.path + ".reserve"));
    EXPECT_THAT(ids(everything(), RecordKind::findings), ElementsAre(1, 2));
  });
  if (!done) GTEST_SKIP() << "This process may not mount file systems.";
}

}  // namespace
}  // namespace iwarpscope::outputs
