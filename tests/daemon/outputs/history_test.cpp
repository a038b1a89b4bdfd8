#include "outputs/history.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sqlite3.h>
#include <sys/stat.h>

#include <nlohmann/json.hpp>
#include <random>
#include <thread>

#include "daemon/live/fake_directory.h"
#include "daemon/outputs/happenings.h"
#include "daemon/outputs/own_mounts.h"

namespace iwarpscope::outputs {
namespace {

using namespace std::chrono_literals;
using nlohmann::json;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Kind = live::ArchiveQuery::Kind;

const Run kRun{"20260101T000000Z-1", "0.1.0", TimePoint{1'700'000'000'000'000'001}};

/// A query of which a test names the members it is about.
struct Ask {
  Kind kind{};
  std::optional<TimePoint> from{}, to{};
  std::optional<std::string> host{}, rule{};
  std::optional<findings::Severity> at_least{};
  std::optional<std::string> outcome{};
  std::uint64_t before = 0;
  std::size_t most = 100;
  [[nodiscard]] live::ArchiveQuery query() const {
    return {kind, from, to, host, rule, at_least, outcome, before, most};
  }
};

/// Runs statements by a connection of the test's own.
void sql(const std::string& path, const std::string& text) {
  sqlite3* database = nullptr;
  ASSERT_EQ(sqlite3_open(path.c_str(), &database), SQLITE_OK);
  char* error = nullptr;
  EXPECT_EQ(sqlite3_exec(database, text.c_str(), nullptr, nullptr, &error), SQLITE_OK) << error;
  sqlite3_close(database);
}

struct HistoryOf : ::testing::Test {
  Folder folder;
  HistoryOptions options{.path = folder / "history.db", .patience = 50ms, .retire_every = 0s};
  live::FakeDirectory directory;

  std::vector<live::ArchivedRow> rows(const Ask& ask) {
    HistoryArchive archive(options.path);
    auto answer = archive.query(ask.query());
    EXPECT_TRUE(answer) << answer.error();
    return answer ? *answer : std::vector<live::ArchivedRow>{};
  }
  /// `member` of each row's record.
  std::vector<json> values(const Ask& ask, const char* member) {
    std::vector<json> all;
    for (const live::ArchivedRow& row : rows(ask)) all.push_back(json::parse(row.json).at(member));
    return all;
  }
};

TEST_F(HistoryOf, FindingsAndQueuePairsComeBackNewestFirst) {
  History history(options, kRun, nullptr);
  EXPECT_EQ(history.take({finding(7, 3), live::QpOpened{qp_view(8)}, finding(8, 4), ended(7)}), 0u);
  EXPECT_EQ(history.trouble(), "");
  EXPECT_THAT(values({.kind = Kind::findings}, "frame"), ElementsAre(4, 3));
  const auto qps = rows({.kind = Kind::qps});
  ASSERT_EQ(qps.size(), 1u);
  EXPECT_EQ(qps[0].run, kRun.id);
  EXPECT_EQ(qps[0].time, TimePoint{1'700'000'001'000'000'007});
  EXPECT_EQ(json::parse(qps[0].json).at("qp"), 7);
  EXPECT_EQ(qps[0].json.find('\n'), std::string::npos);
}

TEST_F(HistoryOf, EachConditionSearches) {
  History history(options, kRun, nullptr);
  const auto note = findings::FindingId::capture_joined_midstream;
  EXPECT_EQ(history.take({finding(1, 1), finding(2, 2, "x", note), finding(3, 3)}), 0u);
  EXPECT_EQ(history.take({ended(1), ended(2, qp::Outcome::failed)}), 0u);
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

TEST_F(HistoryOf, AQuestionThatMakesNoSenseIsAnsweredWithASentence) {
  const History history(options, kRun, nullptr);
  HistoryArchive archive(options.path);
  EXPECT_EQ(archive.query(Ask{.kind = Kind::findings}.query()).error(), "There is no history " + options.path + ".");
  EXPECT_EQ(archive.query(Ask{.kind = Kind::findings, .rule = "XX-1"}.query()).error(), "There is no rule \"XX-1\".");
  EXPECT_THAT(archive.query(Ask{.kind = Kind::qps, .rule = "MF-04"}.query()).error(), HasSubstr("Only findings"));
  EXPECT_THAT(archive.query(Ask{.kind = Kind::findings, .outcome = "failed"}.query()).error(), HasSubstr("no outcome"));
  write_file(options.path, std::string(5000, 'x'));
  EXPECT_THAT(archive.query(Ask{.kind = Kind::findings}.query()).error(), HasSubstr("file is not a database"));
}

TEST_F(HistoryOf, HostileTextIsDataOnly) {
  History history(options, kRun, nullptr);
  EXPECT_EQ(history.take({finding(1, 1, "'); DROP TABLE findings; -- \xff \"")}), 0u);
  EXPECT_EQ(values({.kind = Kind::findings}, "text").at(0), "'); DROP TABLE findings; -- \xEF\xBF\xBD \"");
  EXPECT_THAT(values({.kind = Kind::findings, .host = "' OR 1=1 --"}, "frame"), ElementsAre());
}

TEST_F(HistoryOf, RunsAreToldApart) {
  { EXPECT_EQ(History(options, kRun, nullptr).take({finding(1, 1)}), 0u); }
  auto other = kRun;
  other.id = "20260102T000000Z-2";
  { EXPECT_EQ(History(options, other, nullptr).take({finding(1, 1)}), 0u); }
  const auto all = rows({.kind = Kind::findings});
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].run, other.id);
  EXPECT_EQ(all[1].run, kRun.id);
}

/// A read request without response, one that a Terminate names, and the Terminate.
struct HistoryOfOperations : HistoryOf {
  std::shared_ptr<live::QpView> view = qp_view(5, qp::Outcome::failed);

  HistoryOfOperations() {
    const auto message = [&](std::uint64_t index, rdmap::Opcode opcode, Direction direction) {
      auto record = std::make_shared<qp::MessageRecord>();
      record->qp = 5;
      record->index = index;
      record->opcode = opcode;
      record->direction = direction;
      record->first_time = TimePoint{1'700'000'000'000'000'000};
      ++view->record.directions[iwarpscope::index(direction)].messages[static_cast<std::size_t>(opcode)];
      return record;
    };
    const auto add = [&](std::shared_ptr<qp::MessageRecord> record, auto detail) {
      record->detail = std::move(detail);
      directory.known_messages.push_back(std::move(record));
    };
    const auto to = Direction::a_to_b, from = Direction::b_to_a;
    qp::ReadRequestDetail answered;
    answered.response = qp::ResponseLink{};
    qp::TerminateDetail terminate;
    terminate.names = qp::NamedMessage{to, 1};
    add(message(0, rdmap::Opcode::rdma_read_request, to), answered);
    add(message(1, rdmap::Opcode::send, to), std::monostate{});
    add(message(2, rdmap::Opcode::rdma_read_request, to), qp::ReadRequestDetail{});
    add(message(0, rdmap::Opcode::rdma_read_response, from), qp::ReadResponseDetail{});
    add(message(1, rdmap::Opcode::terminate, from), terminate);
    directory.known_qps.push_back(view);
  }
};

TEST_F(HistoryOfOperations, WhatATerminateNamesAndWhatHadNoResponseIsKept) {
  History history(options, kRun, &directory);
  EXPECT_EQ(history.take({live::QpEnded{view}}), 0u);
  EXPECT_THAT(values({.kind = Kind::operations}, "outcome"),
              ElementsAre("no_response_seen", "terminate", "terminated"));
  EXPECT_THAT(values({.kind = Kind::operations}, "opcode"), ElementsAre("rdma_read_request", "terminate", "send"));
  EXPECT_THAT(values({.kind = Kind::operations, .outcome = "terminated"}, "index"), ElementsAre(1));
  EXPECT_EQ(rows({.kind = Kind::operations, .host = "10.0.0.1"}).size(), 3u);
}

TEST_F(HistoryOfOperations, ATerminateIsKeptWhileTheQueuePairIsStillThere) {
  History history(options, kRun, &directory);
  EXPECT_EQ(history.take({finding(5, 9, "x", findings::FindingId::rdmap_terminate_sent)}), 0u);
  EXPECT_THAT(values({.kind = Kind::operations}, "outcome"), ElementsAre("terminate", "terminated"));
  EXPECT_EQ(history.take({live::QpEnded{view}}), 0u);  // nothing twice
  EXPECT_THAT(values({.kind = Kind::operations}, "outcome"),
              ElementsAre("no_response_seen", "terminate", "terminated"));
}

TEST_F(HistoryOfOperations, OnlyTheLastMessagesAreLookedAtAndOnlySoManyKept) {
  options.messages_looked_at = 2;
  { EXPECT_EQ(History(options, kRun, &directory).take({live::QpEnded{view}}), 0u); }
  EXPECT_THAT(values({.kind = Kind::operations}, "outcome"), ElementsAre("terminate"));
  options.path = folder / "other.db";
  options.messages_looked_at = 1024;
  options.operations_kept = 2;
  { EXPECT_EQ(History(options, kRun, &directory).take({live::QpEnded{view}}), 0u); }
  EXPECT_THAT(values({.kind = Kind::operations}, "outcome"), ElementsAre("terminate", "terminated"));
}

TEST_F(HistoryOfOperations, ADirectoryThatDoesNotAnswerCostsTheOperationsOnly) {
  directory.trouble = "The analysis has ended.";
  History history(options, kRun, &directory);
  EXPECT_EQ(history.take({live::QpEnded{view}}), 0u);
  EXPECT_EQ(rows({.kind = Kind::qps}).size(), 1u);
  EXPECT_EQ(rows({.kind = Kind::operations}).size(), 0u);
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
      History history(options, run, nullptr);
      for (std::uint64_t frame = 1;; ++frame) {
        const std::size_t lost = history.take({finding(0, frame), finding(1, frame), ended(frame)});
        if (lost != 0 || write(pipe_ends[1], "x", 1) != 1) _exit(1);
        history.tend();
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

TEST_F(HistoryOfOperations, AFileOfVersion1IsBroughtUpToDateAndKeepsItsRows) {
  sql(options.path, kVersion1);
  History history(options, kRun, &directory);
  EXPECT_EQ(history.take({finding(5, 1), live::QpEnded{view}}), 0u);
  EXPECT_EQ(history.trouble(), "");
  EXPECT_THAT(values({.kind = Kind::findings}, "frame"), ElementsAre(1, 99));
  EXPECT_EQ(rows({.kind = Kind::findings})[1].run, "old");
  EXPECT_EQ(rows({.kind = Kind::findings})[0].id, 42u);
  EXPECT_EQ(rows({.kind = Kind::operations}).size(), 3u);
}

TEST_F(HistoryOf, AFileOfANewerVersionIsLeftAlone) {
  sql(options.path, "PRAGMA application_id=0x69575363; PRAGMA user_version=3; CREATE TABLE findings(x);");
  History history(options, kRun, nullptr);
  EXPECT_EQ(history.take({finding(1, 1)}), 1u);
  EXPECT_THAT(history.trouble(), HasSubstr("a newer version of this program wrote it (format 3, this one knows 2)"));
  EXPECT_FALSE(std::filesystem::exists(options.path + ".damaged"));
}

TEST_F(HistoryOf, ADatabaseOfAnotherProgramIsLeftAlone) {
  sql(options.path, "CREATE TABLE songs(name); INSERT INTO songs VALUES('x');");
  History history(options, kRun, nullptr);
  EXPECT_EQ(history.take({finding(1, 1)}), 1u);
  EXPECT_THAT(history.trouble(), HasSubstr("it is a database of another program"));
  sql(options.path, "DROP TABLE songs");  // it was there
}

TEST_F(HistoryOf, ADamagedFileIsMovedAsideAndANewOneBegun) {
  const std::string garbage(20'000, 'x');
  write_file(options.path, garbage);
  History history(options, kRun, nullptr);
  EXPECT_EQ(history.take({finding(1, 1)}), 0u);
  EXPECT_THAT(history.trouble(), HasSubstr("was damaged; what was there is in " + options.path + ".damaged."));
  EXPECT_EQ(read_file(options.path + ".damaged"), garbage);
  EXPECT_EQ(rows({.kind = Kind::findings}).size(), 1u);
  EXPECT_EQ(history.take({finding(1, 2)}), 0u);
  EXPECT_NE(history.trouble(), "");  // somebody has to look at it
  history.reopen();
  EXPECT_EQ(history.take({finding(1, 3)}), 0u);
  EXPECT_EQ(history.trouble(), "");
}

TEST_F(HistoryOf, DamageInsideIsFoundWhenItIsMetAndMovedAside) {
  {
    History history(options, kRun, nullptr);
    std::vector<live::Happening> many;
    for (std::uint64_t frame = 1; frame <= 500; ++frame) many.push_back(finding(1, frame));
    EXPECT_EQ(history.take(many), 0u);
  }
  ASSERT_FALSE(std::filesystem::exists(options.path + "-wal"));  // the last one to close writes it back
  std::string file = read_file(options.path);
  for (std::size_t at = 2 * 4096; at < file.size(); ++at) file[at] = '\x55';
  write_file(options.path, file);
  History history(options, kRun, nullptr);
  std::size_t lost = 0;
  for (std::uint64_t frame = 1; frame <= 50; ++frame) lost += history.take({finding(2, frame), ended(frame)});
  EXPECT_EQ(lost, 0u);
  EXPECT_THAT(history.trouble(), HasSubstr(".damaged"));
  EXPECT_EQ(rows({.kind = Kind::qps}).size(), 50u);
}

TEST_F(HistoryOf, AnothersLockIsWaitedForAndThenCostsTheBatch) {
  History history(options, kRun, nullptr);
  EXPECT_EQ(history.take({finding(1, 1)}), 0u);
  sqlite3* other = nullptr;
  ASSERT_EQ(sqlite3_open(options.path.c_str(), &other), SQLITE_OK);
  ASSERT_EQ(sqlite3_exec(other, "BEGIN IMMEDIATE", nullptr, nullptr, nullptr), SQLITE_OK);
  EXPECT_EQ(history.take({finding(1, 2), finding(1, 3)}), 2u);
  EXPECT_THAT(history.trouble(), HasSubstr("cannot be written: database is locked."));
  EXPECT_EQ(rows({.kind = Kind::findings}).size(), 1u);  // it can be read all the same
  ASSERT_EQ(sqlite3_exec(other, "COMMIT", nullptr, nullptr, nullptr), SQLITE_OK);
  EXPECT_EQ(history.take({finding(1, 4)}), 0u);
  EXPECT_EQ(history.trouble(), "");
  sqlite3_close(other);
}

TEST_F(HistoryOf, ALockThatGoesInTimeCostsNothing) {
  options.patience = 60s;
  History history(options, kRun, nullptr);
  EXPECT_EQ(history.take({finding(1, 1)}), 0u);
  sqlite3* other = nullptr;
  ASSERT_EQ(sqlite3_open(options.path.c_str(), &other), SQLITE_OK);
  ASSERT_EQ(sqlite3_exec(other, "BEGIN IMMEDIATE", nullptr, nullptr, nullptr), SQLITE_OK);
  std::thread later([&] {
    while (history.trouble().empty()) std::this_thread::yield();  // it has met the lock
    sqlite3_exec(other, "COMMIT", nullptr, nullptr, nullptr);
  });
  EXPECT_EQ(history.take({finding(1, 2)}), 0u);
  later.join();
  sqlite3_close(other);
}

TEST_F(HistoryOf, WhenTheDaemonStopsNoLockIsWaitedFor) {
  options.patience = 1h;
  History history(options, kRun, nullptr);
  EXPECT_EQ(history.take({finding(1, 1)}), 0u);
  sqlite3* other = nullptr;
  ASSERT_EQ(sqlite3_open(options.path.c_str(), &other), SQLITE_OK);
  ASSERT_EQ(sqlite3_exec(other, "BEGIN IMMEDIATE", nullptr, nullptr, nullptr), SQLITE_OK);
  history.hurry();
  EXPECT_EQ(history.take({finding(1, 2)}), 1u);
  sqlite3_close(other);
}

TEST_F(HistoryOf, ItKeepsWithinItsSizeByLettingGoOfTheOldest) {
  options.most_octets = 1 << 20;
  History history(options, kRun, nullptr);
  std::uint64_t frame = 0;
  for (int batch = 0; batch < 60; ++batch) {
    std::vector<live::Happening> many;
    for (int i = 0; i < 100; ++i) many.push_back(finding(1, ++frame));
    ASSERT_EQ(history.take(many), 0u);
    history.tend();
  }
  history.finish();
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
  History history(options, kRun, nullptr);
  EXPECT_EQ(history.take({finding(1, 1), ended(1)}), 0u);  // its capture time is years ago
  EXPECT_EQ(rows({.kind = Kind::findings}).size(), 2u);
  history.tend();
  EXPECT_EQ(history.trouble(), "");
  EXPECT_THAT(values({.kind = Kind::findings}, "frame"), ElementsAre(1));
  sql(options.path, "CREATE TEMP TABLE t(x CHECK(x = 1)); INSERT INTO t SELECT count(*) FROM runs");
}

TEST_F(HistoryOf, IsForNobodyElse) {
  History history(options, kRun, nullptr);
  EXPECT_EQ(history.take({finding(1, 1)}), 0u);
  for (const char* suffix : {"", "-wal"}) {
    struct stat status {};
    ASSERT_EQ(stat((options.path + suffix).c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 0007, 0u) << suffix;
  }
}

TEST_F(HistoryOf, OnAFullDiskLosesBatchesAndGoesOnWhenThereIsRoom) {
  const bool done = with_own_disk(folder.path(), "400k", [&] {
    History history(options, kRun, nullptr);
    std::size_t lost = 0;
    std::uint64_t frame = 0;
    write_file(folder / "ballast", std::string(150'000, 'x'));
    while (lost == 0 && frame < 5000) {
      ++frame;
      lost = history.take({finding(1, frame), finding(2, frame)});
    }
    EXPECT_EQ(lost, 2u);
    EXPECT_THAT(history.trouble(), HasSubstr("cannot be written: database or disk is full."));
    EXPECT_EQ(rows({.kind = Kind::findings, .most = 10'000}).size(), 2 * (frame - 1));
    std::filesystem::remove(folder / "ballast");
    EXPECT_EQ(history.take({finding(1, frame)}), 0u) << history.trouble();
    EXPECT_EQ(history.trouble(), "");
    EXPECT_EQ(rows({.kind = Kind::findings, .most = 10'000}).size(), 2 * frame - 1);
  });
  if (!done) GTEST_SKIP() << "This process may not mount file systems.";
}

TEST_F(HistoryOf, OnADiskThatCannotBeWrittenSaysSoAndGoesOnWhenItCan) {
  const bool done = with_own_disk(folder.path(), "1m", [&] {
    { EXPECT_EQ(History(options, kRun, nullptr).take({finding(1, 1)}), 0u); }
    ASSERT_EQ(mount(nullptr, folder.path().c_str(), nullptr, MS_REMOUNT | MS_RDONLY, nullptr), 0);
    History history(options, kRun, nullptr);
    EXPECT_EQ(history.take({finding(1, 2)}), 1u);
    EXPECT_THAT(history.trouble(), HasSubstr("cannot be written: "));
    ASSERT_EQ(mount(nullptr, folder.path().c_str(), nullptr, MS_REMOUNT, nullptr), 0);
    EXPECT_EQ(history.take({finding(1, 3)}), 0u);
    EXPECT_EQ(history.trouble(), "");
    EXPECT_THAT(values({.kind = Kind::findings}, "frame"), ElementsAre(3, 1));
  });
  if (!done) GTEST_SKIP() << "This process may not mount file systems.";
}

}  // namespace
}  // namespace iwarpscope::outputs
