// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// A history in a folder of its own, and what a test asks of it.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sqlite3.h>

#include <chrono>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "daemon/outputs/events.h"
#include "outputs/history.h"

namespace iwarpscope::outputs {

/// A query of which a test names the members it is about.
struct Ask {
  live::ArchiveQuery::Kind kind{};
  std::optional<TimePoint> from{}, to{};
  std::optional<std::string> host{}, rule{};
  std::optional<findings::Severity> at_least{};
  std::optional<std::string> outcome{};
  std::uint64_t before = 0;
  std::size_t most = 100;
  [[nodiscard]] live::ArchiveQuery query() const {
    return {.kind = kind,
            .from = from,
            .to = to,
            .host = host,
            .rule = rule,
            .at_least = at_least,
            .outcome = outcome,
            .before = before,
            .most = most};
  }
};

/// Runs statements by a connection of the test's own.
inline void sql(const std::string& path, const std::string& text) {
  sqlite3* database = nullptr;
  ASSERT_EQ(sqlite3_open(path.c_str(), &database), SQLITE_OK);
  char* error = nullptr;
  EXPECT_EQ(sqlite3_exec(database, text.c_str(), nullptr, nullptr, &error), SQLITE_OK) << error;
  sqlite3_close(database);
}

/// A lock of another connection on a history.
class OthersLock {
 public:
  explicit OthersLock(const std::string& path) {
    EXPECT_EQ(sqlite3_open(path.c_str(), &database_), SQLITE_OK);
    EXPECT_EQ(sqlite3_exec(database_, "BEGIN IMMEDIATE", nullptr, nullptr, nullptr), SQLITE_OK);
  }
  ~OthersLock() { sqlite3_close(database_); }
  OthersLock(const OthersLock&) = delete;
  OthersLock& operator=(const OthersLock&) = delete;
  void release() { EXPECT_EQ(sqlite3_exec(database_, "COMMIT", nullptr, nullptr, nullptr), SQLITE_OK); }

 private:
  sqlite3* database_ = nullptr;
};

struct HistoryOf : ::testing::Test {
  using Kind = live::ArchiveQuery::Kind;

  Folder folder;
  HistoryOptions options{.path = folder / "history.db",
                         .patience = std::chrono::milliseconds{50},
                         .retire_every = std::chrono::seconds{0}};
  std::unique_ptr<History> history;

  /// A new one with the options as they are; what there was is closed.
  void start(const outputs::Run& run = kRun) {
    history.reset();
    history = std::make_unique<History>(options, run);
  }
  void store(const std::vector<live::Event>& events) { EXPECT_EQ(history->take(events), 0u); }

  std::vector<live::ArchivedRow> rows(const Ask& ask) {
    HistoryArchive archive(options.path);
    auto answer = archive.query(ask.query());
    EXPECT_TRUE(answer) << answer.error();
    return answer ? *answer : std::vector<live::ArchivedRow>{};
  }
  /// `member` of each row's record.
  std::vector<nlohmann::json> values(const Ask& ask, const char* member) {
    std::vector<nlohmann::json> all;
    for (const live::ArchivedRow& row : rows(ask)) all.push_back(nlohmann::json::parse(row.json).at(member));
    return all;
  }
};

}  // namespace iwarpscope::outputs
