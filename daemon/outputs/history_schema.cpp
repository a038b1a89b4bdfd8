// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "outputs/history_schema.h"

#include <sqlite3.h>

#include <array>

#include <fmt/format.h>

namespace iwarpscope::outputs {
namespace {

// Times are nanoseconds since 1970. `time` is the capture's, `stored` this machine's when the row was written. `json`
// is a record of docs/json-report.md; the other columns repeat what is searched for. `a` and `b` are addresses. A step
// is never changed once it was released: files of its version exist.
constexpr std::array<const char*, kSchemaVersion> kSteps{
    R"(
CREATE TABLE runs(run INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE, version TEXT NOT NULL,
                  started INTEGER NOT NULL);
CREATE TABLE findings(id INTEGER PRIMARY KEY AUTOINCREMENT, run INTEGER NOT NULL, stored INTEGER NOT NULL,
                      time INTEGER NOT NULL, severity INTEGER NOT NULL, rule TEXT NOT NULL, qp INTEGER, a TEXT, b TEXT,
                      json TEXT NOT NULL);
CREATE INDEX findings_time ON findings(time);
CREATE INDEX findings_rule ON findings(rule);
CREATE INDEX findings_a ON findings(a);
CREATE INDEX findings_b ON findings(b);
CREATE TABLE qps(id INTEGER PRIMARY KEY AUTOINCREMENT, run INTEGER NOT NULL, stored INTEGER NOT NULL,
                 first_time INTEGER NOT NULL, time INTEGER NOT NULL, qp INTEGER NOT NULL, a TEXT NOT NULL,
                 b TEXT NOT NULL, outcome TEXT, json TEXT NOT NULL);
CREATE INDEX qps_time ON qps(time);
CREATE INDEX qps_a ON qps(a);
CREATE INDEX qps_b ON qps(b);
CREATE INDEX qps_outcome ON qps(outcome);
)",
    R"(
CREATE TABLE operations(id INTEGER PRIMARY KEY AUTOINCREMENT, run INTEGER NOT NULL, stored INTEGER NOT NULL,
                        time INTEGER NOT NULL, qp INTEGER NOT NULL, direction INTEGER NOT NULL,
                        message INTEGER NOT NULL, outcome TEXT NOT NULL, a TEXT, b TEXT, json TEXT NOT NULL,
                        UNIQUE(run, qp, direction, message));
CREATE INDEX operations_time ON operations(time);
CREATE INDEX operations_a ON operations(a);
CREATE INDEX operations_b ON operations(b);
)",
    // What names a record. Rows of earlier versions have none of it.
    R"(
ALTER TABLE runs ADD COLUMN sensor TEXT;
ALTER TABLE runs ADD COLUMN sensor_uuid TEXT;
ALTER TABLE runs ADD COLUMN uuid TEXT;
ALTER TABLE findings ADD COLUMN sequence INTEGER;
ALTER TABLE findings ADD COLUMN interface TEXT;
ALTER TABLE findings ADD COLUMN tap_group TEXT;
ALTER TABLE findings ADD COLUMN community_id TEXT;
ALTER TABLE qps ADD COLUMN sequence INTEGER;
ALTER TABLE qps ADD COLUMN interface TEXT;
ALTER TABLE qps ADD COLUMN tap_group TEXT;
ALTER TABLE qps ADD COLUMN community_id TEXT;
ALTER TABLE operations ADD COLUMN sequence INTEGER;
ALTER TABLE operations ADD COLUMN interface TEXT;
ALTER TABLE operations ADD COLUMN tap_group TEXT;
ALTER TABLE operations ADD COLUMN community_id TEXT;
CREATE INDEX findings_community_id ON findings(community_id);
CREATE INDEX qps_community_id ON qps(community_id);
CREATE INDEX operations_community_id ON operations(community_id);
)",
    // Two kinds more, and rows are never changed: a reader that goes forward would not see it. Of an operation that is
    // reported again the newest row counts. `forwarded`: what a centre has.
    R"(
CREATE TABLE new_operations(id INTEGER PRIMARY KEY AUTOINCREMENT, run INTEGER NOT NULL, stored INTEGER NOT NULL,
                            time INTEGER NOT NULL, qp INTEGER NOT NULL, direction INTEGER NOT NULL,
                            message INTEGER NOT NULL, outcome TEXT NOT NULL, a TEXT, b TEXT, json TEXT NOT NULL,
                            sequence INTEGER, interface TEXT, tap_group TEXT, community_id TEXT);
INSERT INTO new_operations(id, run, stored, time, qp, direction, message, outcome, a, b, json, sequence, interface,
                           tap_group, community_id)
  SELECT id, run, stored, time, qp, direction, message, outcome, a, b, json, sequence, interface, tap_group,
         community_id FROM operations ORDER BY id;
DELETE FROM sqlite_sequence WHERE name = 'new_operations';
INSERT INTO sqlite_sequence(name, seq) SELECT 'new_operations', seq FROM sqlite_sequence WHERE name = 'operations';
DROP TABLE operations;
ALTER TABLE new_operations RENAME TO operations;
CREATE INDEX operations_time ON operations(time);
CREATE INDEX operations_a ON operations(a);
CREATE INDEX operations_b ON operations(b);
CREATE INDEX operations_community_id ON operations(community_id);
CREATE INDEX operations_message ON operations(run, qp, direction, message);
CREATE TABLE states(id INTEGER PRIMARY KEY AUTOINCREMENT, run INTEGER NOT NULL, stored INTEGER NOT NULL,
                    time INTEGER NOT NULL, qp INTEGER NOT NULL, a TEXT NOT NULL, b TEXT NOT NULL, state TEXT NOT NULL,
                    json TEXT NOT NULL, interface TEXT, tap_group TEXT, community_id TEXT);
CREATE TABLE heartbeats(id INTEGER PRIMARY KEY AUTOINCREMENT, run INTEGER NOT NULL, stored INTEGER NOT NULL,
                        json TEXT NOT NULL);
CREATE TABLE forwarded(kind INTEGER PRIMARY KEY, id INTEGER NOT NULL, run_uuid TEXT NOT NULL);
)",
    // Counts by pair of hosts; without hosts: of all. `time` is when their interval began.
    R"(
CREATE TABLE summaries(id INTEGER PRIMARY KEY AUTOINCREMENT, run INTEGER NOT NULL, stored INTEGER NOT NULL,
                       time INTEGER NOT NULL, a TEXT, b TEXT, json TEXT NOT NULL, tap_group TEXT);
)",
};

Stored<void> upgrade(Database& database) {
  const auto version = database.number("PRAGMA user_version");
  if (!version) return tl::unexpected(version.error());
  const auto application = database.number("PRAGMA application_id");
  if (!application) return tl::unexpected(application.error());
  const auto tables = database.number("SELECT count(*) FROM sqlite_schema");
  if (!tables) return tl::unexpected(tables.error());
  if (*tables != 0 && *application != kApplicationId) {
    return tl::unexpected(DatabaseError{SQLITE_MISMATCH, "the file is a database of another program"});
  }
  if (*version > kSchemaVersion) {
    return tl::unexpected(DatabaseError{
        SQLITE_MISMATCH, fmt::format("a newer version of this program wrote it (format {}; this version supports {})",
                                     *version, kSchemaVersion)});
  }
  for (auto step = static_cast<std::size_t>(*version < 0 ? 0 : *version); step < kSteps.size(); ++step) {
    if (auto done = database.run(kSteps.at(step)); !done) return done;
  }
  if (*version == kSchemaVersion) return {};
  return database.run(fmt::format("PRAGMA application_id={}; PRAGMA user_version={}", kApplicationId, kSchemaVersion));
}

}  // namespace

Stored<void> prepare_schema(Database& database) {
  if (auto begun = database.run("BEGIN IMMEDIATE"); !begun) return begun;
  auto done = upgrade(database);
  if (done) done = database.run("COMMIT");
  if (!done) (void)database.run("ROLLBACK");
  return done;
}

}  // namespace iwarpscope::outputs
