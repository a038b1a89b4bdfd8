// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "daemon/outputs/history_kit.h"
#include "net/community_id.h"

#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <random>
#include <thread>

namespace iwarpscope::outputs {
namespace {

using nlohmann::json;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST_F(HistoryOf, FindingsAndQueuePairsComeBackNewestFirst) {
  start();
  const auto lossy = qp_view(7);
  lossy->losses.kernel = 17;
  store({finding(7, 3), live::QpOpened{qp_view(8)}, finding(8, 4), live::QpEnded{lossy, {}}});
  EXPECT_EQ(history->trouble(), "");
  EXPECT_THAT(values({.kind = Kind::findings}, "frame"), ElementsAre(4, 3));
  const auto qps = rows({.kind = Kind::qps});
  ASSERT_EQ(qps.size(), 1u);
  EXPECT_EQ(qps[0].run, kRun.id);
  EXPECT_EQ(qps[0].time, TimePoint{1'700'000'001'000'000'007});
  EXPECT_EQ(json::parse(qps[0].json).at("qp"), 7);
  EXPECT_EQ(json::parse(qps[0].json).at("losses").at("kernel_frames"), 17);
  EXPECT_EQ(qps[0].json.find('\n'), std::string::npos);
}

TEST_F(HistoryOf, EachConditionSearches) {
  start();
  const auto note = findings::FindingId::capture_joined_midstream;
  store({finding(1, 1), finding(2, 2, "x", note), finding(3, 3)});
  store({ended(1), ended(2, qp::Outcome::failed)});
  EXPECT_THAT(values({.kind = Kind::findings, .rule = "mf-04"}, "frame"), ElementsAre(3, 1));
  EXPECT_THAT(values({.kind = Kind::findings, .rule = "capture.joined-midstream"}, "frame"), ElementsAre(2));
  EXPECT_THAT(values({.kind = Kind::findings, .at_least = findings::Severity::error}, "frame"), ElementsAre(3, 1));
  EXPECT_THAT(values({.kind = Kind::findings, .host = "10.0.0.2", .most = 2}, "frame"), ElementsAre(3, 2));
  EXPECT_THAT(values({.kind = Kind::findings, .host = "10.0.0.9"}, "frame"), ElementsAre());
  const TimePoint second{1'700'000'000'000'000'002};
  EXPECT_THAT(values({.kind = Kind::findings, .from = second}, "frame"), ElementsAre(3, 2));
  EXPECT_THAT(values({.kind = Kind::findings, .to = second}, "frame"), ElementsAre(2, 1));
  EXPECT_THAT(values({.kind = Kind::qps, .outcome = "failed"}, "qp"), ElementsAre(2));
  EXPECT_THAT(values({.kind = Kind::qps, .to = TimePoint{1}}, "qp"), ElementsAre());
  const auto newest = rows({.kind = Kind::findings, .most = 1});
  EXPECT_THAT(values({.kind = Kind::findings, .before = newest.at(0).id}, "frame"), ElementsAre(2, 1));
}

TEST_F(HistoryOf, AFileThatIsBeingMadeHoldsNothingYet) {
  write_file(options.path, "");
  EXPECT_THAT(rows({.kind = Kind::findings}), ElementsAre());
}

TEST_F(HistoryOf, AQuestionThatMakesNoSenseIsAnsweredWithASentence) {
  start();
  HistoryArchive archive(options.path);
  EXPECT_EQ(archive.query(Ask{.kind = Kind::findings}.query()).error(),
            "The history " + options.path + " does not exist.");
  EXPECT_EQ(archive.query(Ask{.kind = Kind::findings, .rule = "XX-1"}.query()).error(), "Unknown rule \"XX-1\".");
  EXPECT_THAT(archive.query(Ask{.kind = Kind::qps, .rule = "MF-04"}.query()).error(),
              HasSubstr("apply only to findings"));
  EXPECT_THAT(archive.query(Ask{.kind = Kind::findings, .outcome = "failed"}.query()).error(), HasSubstr("no outcome"));
  write_file(options.path, std::string(5000, 'x'));
  EXPECT_THAT(archive.query(Ask{.kind = Kind::findings}.query()).error(), HasSubstr("file is not a database"));
}

TEST_F(HistoryOf, ASearchStopsWhenItsClientIsGone) {
  start();
  std::vector<live::Event> all;
  for (std::uint64_t frame = 1; frame <= 2000; ++frame) all.push_back(finding(0, frame));
  store(all);
  const live::ArchiveQuery query = Ask{.kind = Kind::findings, .most = 1000}.query();
  HistoryArchive archive(options.path);
  EXPECT_TRUE(archive.query(query, {.is_gone = [] { return false; }}));
  int asked = 0;
  const auto rows = archive.query(query, {.is_gone = [&] { return ++asked > 3; }});
  ASSERT_FALSE(rows);
  EXPECT_EQ(rows.error(), "The client is gone.");
  EXPECT_LE(asked, 6);  // it did not go on
}

TEST_F(HistoryOf, HostileTextIsDataOnly) {
  start();
  store({finding(1, 1, "'); DROP TABLE findings; -- \xff \"")});
  EXPECT_EQ(values({.kind = Kind::findings}, "text").at(0), "'); DROP TABLE findings; -- \xEF\xBF\xBD \"");
  EXPECT_THAT(values({.kind = Kind::findings, .host = "' OR 1=1 --"}, "frame"), ElementsAre());
}

TEST_F(HistoryOf, RunsAreDistinguished) {
  start();
  store({finding(1, 1)});
  auto other = kRun;
  other.id = "20260102T000000Z-2";
  start(other);
  store({finding(1, 1)});
  const auto all = rows({.kind = Kind::findings});
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].run, other.id);
  EXPECT_EQ(all[1].run, kRun.id);
}

TEST_F(HistoryOf, WhatWasTakenIsThereAfterTheProcessWasKilled) {
  std::mt19937 random(7);
  std::uint64_t before = 0;
  for (int round = 0; round < 12; ++round) {
    std::array<int, 2> pipe_ends{};
    ASSERT_EQ(pipe(pipe_ends.data()), 0);
    const pid_t child = fork();
    if (child == 0) {
      auto run = kRun;
      run.id += std::to_string(round);
      start(run);
      for (std::uint64_t frame = 1;; ++frame) {
        const std::size_t lost = history->take({finding(0, frame), finding(1, frame), ended(frame)});
        if (lost != 0 || write(pipe_ends[1], "x", 1) != 1) _exit(1);
        history->tend();
      }
    }
    close(pipe_ends[1]);
    // After so many answers, and a moment that has nothing to do with them.
    std::uint64_t answered = 0;
    const std::uint64_t until = 1 + random() % 40;
    char x = 0;
    while (answered < until && read(pipe_ends[0], &x, 1) == 1) ++answered;
    ASSERT_EQ(answered, until);
    std::this_thread::sleep_for(std::chrono::microseconds(random() % 3000));
    kill(child, SIGKILL);
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFSIGNALED(status));
    while (read(pipe_ends[0], &x, 1) == 1) ++answered;
    close(pipe_ends[0]);

    const std::uint64_t findings = rows({.kind = Kind::findings, .most = 10'000}).size() - 2 * before;
    const std::uint64_t qps = rows({.kind = Kind::qps, .most = 10'000}).size() - before;
    EXPECT_GE(qps, answered);
    EXPECT_LE(qps, answered + 1);  // the last one may have been stored and not yet answered for
    EXPECT_EQ(findings, 2 * qps) << "a batch is there as a whole or not at all";
    before += qps;
  }
}

// A file as version 1 wrote it: without operations.
constexpr const char* kVersion1 = R"(
PRAGMA auto_vacuum=INCREMENTAL; PRAGMA journal_mode=WAL; PRAGMA application_id=0x69575363; PRAGMA user_version=1;
CREATE TABLE runs(run INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE, version TEXT NOT NULL,
                  started INTEGER NOT NULL);
CREATE TABLE findings(id INTEGER PRIMARY KEY AUTOINCREMENT, run INTEGER NOT NULL, stored INTEGER NOT NULL,
                      time INTEGER NOT NULL, severity INTEGER NOT NULL, rule TEXT NOT NULL, qp INTEGER, a TEXT, b TEXT,
                      json TEXT NOT NULL);
CREATE TABLE qps(id INTEGER PRIMARY KEY AUTOINCREMENT, run INTEGER NOT NULL, stored INTEGER NOT NULL,
                 first_time INTEGER NOT NULL, time INTEGER NOT NULL, qp INTEGER NOT NULL, a TEXT NOT NULL,
                 b TEXT NOT NULL, outcome TEXT, json TEXT NOT NULL);
INSERT INTO runs VALUES(1, 'old', '0.0.9', 5);
INSERT INTO findings VALUES(41, 1, 9e18, 5, 2, 'mpa.crc-mismatch', 3, '10.0.0.1', '10.0.0.2', '{"frame":99}');
)";

TEST_F(HistoryOf, AFileOfVersion1IsBroughtUpToDateAndKeepsItsRows) {
  sql(options.path, kVersion1);
  start();
  store({finding(5, 1), live::QpEnded{qp_view(5), {{std::make_shared<qp::MessageRecord>()}}}});
  EXPECT_EQ(history->trouble(), "");
  EXPECT_THAT(values({.kind = Kind::findings}, "frame"), ElementsAre(1, 99));
  EXPECT_EQ(rows({.kind = Kind::findings})[1].run, "old");
  EXPECT_EQ(rows({.kind = Kind::findings})[0].id, 42u);
  EXPECT_EQ(rows({.kind = Kind::operations}).size(), 1u);
}

TEST_F(HistoryOf, AFileOfVersion2IsReadAsItIsAndThenHasNames) {
  sql(options.path, kVersion1);
  sql(options.path,
      "CREATE TABLE operations(id INTEGER PRIMARY KEY AUTOINCREMENT, run INTEGER NOT NULL, stored INTEGER NOT NULL, "
      "time INTEGER NOT NULL, qp INTEGER NOT NULL, direction INTEGER NOT NULL, message INTEGER NOT NULL, "
      "outcome TEXT NOT NULL, a TEXT, b TEXT, json TEXT NOT NULL, UNIQUE(run, qp, direction, message));"
      "PRAGMA user_version=2");
  EXPECT_THAT(values({.kind = Kind::findings}, "frame"), ElementsAre(99));  // before a daemon brings it up to date
  start();
  store({named_finding(5, 7), named_end(5, 8)});
  const auto found = rows({.kind = Kind::findings});
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].run_uuid, kOrigin.run_uuid);
  EXPECT_EQ(found[0].sequence, 7u);
  EXPECT_EQ(found[1].run_uuid, "");
  EXPECT_EQ(found[1].sequence, 0u);
  const auto ended = rows({.kind = Kind::qps});
  ASSERT_EQ(ended.size(), 1u);
  EXPECT_EQ(ended[0].sequence, 8u);
}

TEST_F(HistoryOf, IsSearchedByCommunityId) {
  start();
  store({named_finding(5, 1), named_finding(6, 2), named_end(6, 3), named_end(5, 4)});
  live::ArchiveQuery query;
  query.community_id = net::community_id(end_a(4006), end_b(), net::Transport::tcp, kOrigin.community_id_seed);
  for (const auto& [kind, sequence] : {std::pair{Kind::findings, 2u}, {Kind::qps, 3u}}) {
    query.kind = kind;
    const auto found = HistoryArchive(options.path).query(query);
    ASSERT_TRUE(found);
    ASSERT_EQ(found->size(), 1u);
    EXPECT_EQ(found->front().sequence, sequence);
  }
}

TEST_F(HistoryOf, AFileOfANewerVersionIsLeftAlone) {
  sql(options.path, "PRAGMA application_id=0x69575363; PRAGMA user_version=6; CREATE TABLE findings(x);");
  start();
  EXPECT_EQ(history->take({finding(1, 1)}), 1u);
  EXPECT_THAT(history->trouble(),
              HasSubstr("a newer version of this program wrote it (format 6; this version supports 5)"));
  EXPECT_FALSE(std::filesystem::exists(options.path + ".damaged"));
}

TEST_F(HistoryOf, ADatabaseOfAnotherProgramIsLeftAlone) {
  sql(options.path, "CREATE TABLE songs(name); INSERT INTO songs VALUES('x');");
  start();
  EXPECT_EQ(history->take({finding(1, 1)}), 1u);
  EXPECT_THAT(history->trouble(), HasSubstr("the file is a database of another program"));
  sql(options.path, "DROP TABLE songs");  // it was there
}

TEST_F(HistoryOf, MoreThanItsSizeIsNotKeptUntilTheNextLookAtTheAgeOfRows) {
  options.most_octets = 1 << 20;
  options.retire_every = std::chrono::hours{1};
  start();
  std::vector<live::Event> many;
  for (std::uint64_t frame = 1; frame <= 6000; ++frame) many.push_back(finding(1, frame));
  ASSERT_EQ(history->take(many), 0u);
  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds{30};
  while (values({.kind = Kind::findings, .most = 10'000}, "frame").size() == 6000) {
    ASSERT_LT(std::chrono::steady_clock::now(), until);
    history->tend();
    std::this_thread::sleep_for(std::chrono::milliseconds{20});
  }
  history->finish();
  EXPECT_LE(std::filesystem::file_size(options.path), options.most_octets + 100'000);
}

TEST_F(HistoryOf, ItKeepsWithinItsSizeByLettingGoOfTheOldest) {
  options.most_octets = 1 << 20;
  start();
  std::uint64_t frame = 0;
  for (int batch = 0; batch < 60; ++batch) {
    std::vector<live::Event> many;
    for (int i = 0; i < 100; ++i) many.push_back(finding(1, ++frame));
    ASSERT_EQ(history->take(many), 0u);
    history->tend();
  }
  history->finish();
  EXPECT_LE(std::filesystem::file_size(options.path), options.most_octets + 100'000);
  const auto kept = values({.kind = Kind::findings, .most = 10'000}, "frame");
  ASSERT_GT(kept.size(), 500u);
  EXPECT_LT(kept.size(), 6000u);
  EXPECT_EQ(kept.front(), 6000);
  EXPECT_EQ(kept.back(), 6001 - kept.size());  // without holes
}

TEST_F(HistoryOf, ItLetsGoOfRowsThatAreTooOldByTheTimeTheyWereWritten) {
  sql(options.path, kVersion1);
  sql(options.path, "UPDATE findings SET stored = 5; INSERT INTO runs VALUES(2, 'older', '0.0.9', 5)");
  start();
  store({finding(1, 1), ended(1)});  // its capture time is years ago
  EXPECT_EQ(rows({.kind = Kind::findings}).size(), 2u);
  history->tend();
  EXPECT_EQ(history->trouble(), "");
  EXPECT_THAT(values({.kind = Kind::findings}, "frame"), ElementsAre(1));
  sql(options.path, "CREATE TEMP TABLE t(x CHECK(x = 3)); INSERT INTO t SELECT count(*) FROM runs");  // runs stay
}

TEST_F(HistoryOf, IsForItsOwnerAlone) {
  start();
  store({finding(1, 1)});
  for (const char* suffix : {"", "-wal"}) {
    struct stat status {};
    ASSERT_EQ(stat((options.path + suffix).c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 0007, 0u) << suffix;
  }
}

}  // namespace
}  // namespace iwarpscope::outputs
