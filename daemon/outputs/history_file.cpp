// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "outputs/history_file.h"

#include <sys/stat.h>

#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "outputs/history_schema.h"

namespace iwarpscope::outputs {
namespace {

using live::RecordKind;

/// SQLite waits no longer than this by itself: in between hurry() is looked at.
constexpr int kBusyMs = 100;
/// Rows of a table that one statement deletes: the lock is held for some milliseconds.
constexpr int kDeletedAtOnce = 5000;
constexpr int kMostRuns = 100'000;
/// What "-wal" holds until it is moved into the database, whatever the size of its pages.
constexpr std::int64_t kLogOctets = std::int64_t{4} << 20;
/// What finds no room goes in this order.
constexpr std::array<RecordKind, 4> kFirstToGo{RecordKind::states, RecordKind::heartbeats, RecordKind::summaries,
                                               RecordKind::operations};
constexpr std::array<RecordKind, 2> kLastToGo{RecordKind::findings, RecordKind::qps};

constexpr std::array<const char*, live::kRecordKinds> kInserts{
    "INSERT INTO findings(run,stored,time,severity,rule,qp,a,b,json,sequence,interface,tap_group,community_id) "
    "VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?)",
    "INSERT INTO qps(run,stored,time,first_time,outcome,qp,a,b,json,sequence,interface,tap_group,community_id) "
    "VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?)",
    "INSERT INTO operations(run,stored,time,direction,message,outcome,qp,a,b,json,sequence,interface,tap_group,"
    "community_id) VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
    "INSERT INTO states(run,stored,time,state,qp,a,b,json,interface,tap_group,community_id) "
    "VALUES(?,?,?,?,?,?,?,?,?,?,?)",
    "INSERT INTO heartbeats(run,stored,json) VALUES(?,?,?)",
    "INSERT INTO summaries(run,stored,time,a,b,json,tap_group) VALUES(?,?,?,?,?,?,?)",
};

/// Parameters from the given one on.
class Binder {
 public:
  explicit Binder(Statement& statement) : statement_(statement) {}
  template <class T>
  Binder& operator<<(const T& value) {
    statement_.bind(at_++, value);
    return *this;
  }
  Binder& where_from(const live::RecordName& name) {
    return *this << known(name.interface) << known(name.tap_group) << known(name.community_id);
  }
  Binder& name(const live::RecordName& name) {
    *this << (name.sequence == 0 ? std::nullopt : std::optional(name.sequence));
    return where_from(name);
  }

 private:
  static std::optional<std::string> known(const std::string& text) {
    return text.empty() ? std::nullopt : std::optional(text);
  }
  Statement& statement_;
  int at_ = 0;
};

/// A row of a queue pair has some 4 KiB: in pages of 16 KiB, which a file gets when it is made, it takes a third of the
/// write calls. FULL: a row of which take() has said that it is stored survives a power cut, too. The sandbox of the
/// daemon leaves SQLite no folder for temporary files.
Stored<void> set_up(Database& database) {
  auto done = database.run(
      "PRAGMA temp_store=MEMORY; PRAGMA page_size=16384; PRAGMA auto_vacuum=INCREMENTAL; PRAGMA journal_mode=WAL; "
      "PRAGMA synchronous=FULL;"
      "PRAGMA journal_size_limit=16777216");
  if (!done) return done;
  const auto page = database.number("PRAGMA page_size");
  if (!page) return tl::unexpected(page.error());
  return database.run(fmt::format("PRAGMA wal_autocheckpoint={}", kLogOctets / *page));
}

/// Its number in this file.
Stored<std::int64_t> add_run(Database& database, const Run& run) {
  auto added = database.prepare(
      "INSERT INTO runs(name, version, started, sensor, sensor_uuid, uuid) VALUES(?,?,?,?,?,?) ON CONFLICT DO NOTHING");
  if (!added) return tl::unexpected(added.error());
  Binder(*added) << std::string_view{run.id} << std::string_view{run.version} << run.started.ns
                 << std::string_view{run.origin.sensor} << std::string_view{run.origin.sensor_uuid}
                 << std::string_view{run.origin.run_uuid};
  if (const auto done = added->run(); !done) return tl::unexpected(done.error());
  auto number = database.prepare("SELECT run FROM runs WHERE name=?");
  if (!number) return tl::unexpected(number.error());
  if (const auto row = number->bind(0, std::string_view{run.id}).step(); !row) return tl::unexpected(row.error());
  return number->number(0);
}

/// In a new file ids do not begin again: of one run, they name a record.
Stored<void> begin_ids_above(Database& database, const live::CountByKind& above) {
  for (std::size_t i = 0; i < above.size(); ++i) {
    auto done = database.run(fmt::format(
        "INSERT INTO sqlite_sequence(name, seq) SELECT '{0}', 0 WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE "
        "name = '{0}'); UPDATE sqlite_sequence SET seq = {1} WHERE name = '{0}' AND seq < {1}",
        kHistoryTables.at(i), above.at(i)));
    if (!done) return done;
  }
  return {};
}

Stored<std::int64_t> changes(Database& database) {
  return database.number("SELECT changes()");
}

/// The last row of each kind that a run without a UUID has.
Stored<live::CountByKind> last_nameless(Database& database) {
  live::CountByKind all{};
  const auto runs = database.number("SELECT count(*) FROM runs WHERE uuid IS NULL");
  if (!runs) return tl::unexpected(runs.error());
  for (std::size_t i = 0; *runs != 0 && i < all.size(); ++i) {
    const auto last = database.number(fmt::format(
        "SELECT max(id) FROM {} WHERE run IN (SELECT run FROM runs WHERE uuid IS NULL)", kHistoryTables.at(i)));
    if (!last) return tl::unexpected(last.error());
    all.at(i) = static_cast<std::uint64_t>(*last);
  }
  return all;
}

}  // namespace

FileIdentity identity_of(const std::string& path) {
  struct stat its {};
  if (stat(path.c_str(), &its) != 0) return {};
  return {its.st_dev, its.st_ino};
}

Stored<HistoryFile> HistoryFile::open(const std::string& path, const Run& run, const live::CountByKind& above) {
  auto database = Database::open(path, false, kBusyMs);
  if (!database) return tl::unexpected(database.error());
  auto done = set_up(*database);
  if (done) done = prepare_schema(*database);
  if (done) done = begin_ids_above(*database, above);
  if (!done) return tl::unexpected(done.error());
  const auto number = add_run(*database, run);
  if (!number) return tl::unexpected(number.error());
  Inserts inserts;
  for (const char* sql : kInserts) {
    auto insert = database->prepare(sql);
    if (!insert) return tl::unexpected(insert.error());
    inserts.push_back(std::move(*insert));
  }
  const auto nameless = last_nameless(*database);
  if (!nameless) return tl::unexpected(nameless.error());
  HistoryFile file(std::move(*database), *number, std::move(inserts));
  file.nameless_ = *nameless;
  return file;
}

Stored<void> HistoryFile::insert(const HistoryRow& row, std::int64_t stored) {
  Statement& statement = inserts_.at(static_cast<std::size_t>(row.kind));
  Binder to(statement);
  const std::string_view json = row.json;
  to << run_ << stored;
  switch (row.kind) {
    case RecordKind::findings:
      to << row.time.ns << static_cast<std::int64_t>(row.severity) << row.key << row.qp << row.a << row.b << json;
      to.name(row.name);
      break;
    case RecordKind::qps:
      to << row.time.ns << row.first_time.ns << row.key << row.qp << row.a << row.b << json;
      to.name(row.name);
      break;
    case RecordKind::operations:
      to << row.time.ns << static_cast<std::int64_t>(row.direction) << static_cast<std::int64_t>(row.message) << row.key
         << row.qp << row.a << row.b << json;
      to.name(row.name);
      break;
    case RecordKind::states:
      to << row.time.ns << row.key << row.qp << row.a << row.b << json;
      to.where_from(row.name);
      break;
    case RecordKind::heartbeats: to << json; break;
    case RecordKind::summaries:
      to << row.time.ns << row.a << row.b << json
         << (row.name.tap_group.empty() ? std::nullopt : std::optional(row.name.tap_group));
      break;
  }
  return statement.run();
}

Stored<void> HistoryFile::write(const std::vector<HistoryRow>& rows) {
  auto done = database_.run("BEGIN IMMEDIATE");
  if (!done) return done;
  const std::int64_t stored = now().ns;
  for (auto row = rows.begin(); done && row != rows.end(); ++row) done = insert(*row, stored);
  if (done) done = database_.run("COMMIT");
  if (!done) (void)database_.run("ROLLBACK");
  return done;
}

/// Only from the oldest on, so that no id is missing between rows that are there. A row of the future, of a clock that
/// was wrong, keeps no older one.
Stored<void> HistoryFile::retire_old(RecordKind kind, std::chrono::hours keep) {
  if (keep.count() == 0) return {};
  const std::int64_t today = now().ns, oldest = today - std::chrono::nanoseconds(keep).count();
  for (;;) {
    auto done = database_.run(fmt::format(
        "WITH first AS (SELECT id, stored FROM {0} ORDER BY id LIMIT {1}) DELETE FROM {0} WHERE id <= (SELECT max(id) "
        "FROM "
        "first WHERE stored < {2} AND id < coalesce((SELECT min(id) FROM first WHERE stored BETWEEN {2} AND {3}), "
        "9223372036854775807))",
        table_of(kind), kDeletedAtOnce, oldest, today));
    if (!done) return done;
    const auto deleted = changes(database_);
    if (!deleted) return tl::unexpected(deleted.error());
    if (*deleted < kDeletedAtOnce) return {};
  }
}

/// Deletes the oldest `1 / part` of a table, or one row. False: it is empty.
Stored<bool> HistoryFile::retire_part(RecordKind kind, int part) {
  const auto done = database_.run(fmt::format(
      "DELETE FROM {0} WHERE id <= (SELECT min(id) + (max(id) - min(id)) / {1} FROM {0})", table_of(kind), part));
  if (!done) return tl::unexpected(done.error());
  return changes(database_).map([](std::int64_t rows) { return rows != 0; });
}

Stored<std::uint64_t> HistoryFile::used() {
  const auto octets = database_.number(
      "SELECT (page_count - freelist_count) * page_size FROM pragma_page_count, pragma_freelist_count, "
      "pragma_page_size");
  return octets.map([](std::int64_t number) { return static_cast<std::uint64_t>(number); });
}

Stored<void> HistoryFile::retire_for_size(std::uint64_t most_octets) {
  constexpr int kPart = 16;
  while (most_octets != 0) {
    const auto its = used();
    if (!its) return tl::unexpected(its.error());
    if (*its <= most_octets) return {};
    Stored<bool> some = false;
    for (auto kind = kFirstToGo.begin(); some && !*some && kind != kFirstToGo.end(); ++kind)
      some = retire_part(*kind, kPart);
    if (some && !*some) {
      for (const RecordKind kind : kLastToGo) {
        const auto more = retire_part(kind, kPart);
        if (!more) return tl::unexpected(more.error());
        some = *some || *more;
      }
    }
    if (!some) return tl::unexpected(some.error());
    if (!*some) return {};
  }
  return {};
}

Stored<void> HistoryFile::retire(const HistoryBounds& bounds) {
  for (std::size_t i = 0; i < live::kRecordKinds; ++i) {
    const auto kind = static_cast<RecordKind>(i);
    const bool is_state = kind == RecordKind::states || kind == RecordKind::heartbeats;
    auto done = retire_old(kind, is_state ? bounds.keep_states : bounds.keep);
    if (!done) return done;
  }
  auto done = retire_for_size(bounds.most_octets);
  if (!done) return done;
  // Runs stay: a reader's place is in one of them, and says so whether this is the file that it means.
  done = database_.run(
      fmt::format("DELETE FROM runs WHERE run <= (SELECT max(run) - {} FROM runs) AND run <> {}", kMostRuns, run_));
  if (!done) return done;
  return database_.run("PRAGMA incremental_vacuum");
}

Stored<bool> HistoryFile::make_room() {
  constexpr int kPart = 4;
  const auto states = retire_part(RecordKind::states, kPart);
  return !states || *states ? states : retire_part(RecordKind::heartbeats, kPart);
}

template <class Look>
Stored<live::CountByKind> HistoryFile::count(Look&& sql) {
  live::CountByKind all{};
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto number = database_.number(sql(kHistoryTables.at(i)));
    if (!number) return tl::unexpected(number.error());
    all.at(i) = static_cast<std::uint64_t>(*number);
  }
  return all;
}

Stored<live::CountByKind> HistoryFile::highest() {
  return count([](const char* table) { return fmt::format("SELECT seq FROM sqlite_sequence WHERE name='{}'", table); });
}

Stored<live::CountByKind> HistoryFile::gone() {
  auto all = count([](const char* table) {
    return fmt::format(
        "SELECT coalesce((SELECT min(id) - 1 FROM {0}), (SELECT seq FROM sqlite_sequence WHERE name='{0}'), 0)", table);
  });
  for (std::size_t i = 0; all && i < all->size(); ++i) all->at(i) = std::max(all->at(i), nameless_.at(i));
  return all;
}

/// The part of the file that they take: rows of a kind count as the last ones of it.
Stored<std::uint64_t> HistoryFile::waiting_octets(const live::Backlog& backlog,
                                                  const std::vector<live::ArchivePlace>& places) {
  constexpr int kLast = 8, kRowOctets = 200;  // beside its text
  if (backlog.records(places) == 0) return 0;
  double waiting = 0, all = 0;
  for (std::size_t i = 0; i < live::kRecordKinds; ++i) {
    const std::uint64_t last = backlog.highest.at(i);
    if (backlog.gone.at(i) >= last) continue;
    const auto octets = database_.number(
        fmt::format("SELECT coalesce(avg(length(json)), 0) + {} FROM (SELECT json FROM {} ORDER BY id DESC LIMIT {})",
                    kRowOctets, kHistoryTables.at(i), kLast));
    if (!octets) return tl::unexpected(octets.error());
    const auto each = static_cast<double>(*octets);
    waiting += each * static_cast<double>(last - backlog.done(static_cast<RecordKind>(i), places));
    all += each * static_cast<double>(last - backlog.gone.at(i));
  }
  return used().map(
      [&](std::uint64_t octets) { return static_cast<std::uint64_t>(static_cast<double>(octets) * waiting / all); });
}

Stored<live::Backlog> HistoryFile::behind(const std::vector<live::ArchivePlace>& places) {
  const auto last = highest();
  if (!last) return tl::unexpected(last.error());
  const auto before = gone();
  if (!before) return tl::unexpected(before.error());
  live::Backlog backlog{*last, *before};
  std::int64_t oldest = now().ns;
  for (std::size_t i = 0; i < live::kRecordKinds; ++i) {
    const std::uint64_t done = backlog.done(static_cast<RecordKind>(i), places);
    if (done >= last->at(i)) continue;
    const auto stored = database_.number(
        fmt::format("SELECT stored FROM {} WHERE id > {} ORDER BY id LIMIT 1", kHistoryTables.at(i), done));
    if (!stored) return tl::unexpected(stored.error());
    oldest = std::min(oldest, *stored);
  }
  constexpr double kSecond = 1e-9;
  backlog.seconds = static_cast<double>(std::max<std::int64_t>(now().ns - oldest, 0)) * kSecond;
  const auto octets = waiting_octets(backlog, places);
  if (!octets) return tl::unexpected(octets.error());
  backlog.octets = *octets;
  return backlog;
}

Stored<std::vector<live::ArchivePlace>> HistoryFile::forwarded() {
  auto statement = database_.prepare(
      fmt::format("SELECT kind, id, run_uuid FROM forwarded WHERE kind BETWEEN 0 AND {}", live::kRecordKinds - 1));
  if (!statement) return tl::unexpected(statement.error());
  std::vector<live::ArchivePlace> places;
  auto more = statement->step();
  for (; more && *more; more = statement->step()) {
    places.push_back({static_cast<RecordKind>(statement->number(0)), static_cast<std::uint64_t>(statement->number(1)),
                      statement->text(2)});
  }
  if (!more) return tl::unexpected(more.error());
  return places;
}

Stored<void> HistoryFile::keep_forwarded(const std::vector<live::ArchivePlace>& places) {
  auto statement = database_.prepare("INSERT OR REPLACE INTO forwarded(kind, id, run_uuid) VALUES(?,?,?)");
  if (!statement) return tl::unexpected(statement.error());
  auto done = database_.run("BEGIN IMMEDIATE");
  if (!done) return done;
  for (auto place = places.begin(); done && place != places.end(); ++place) {
    Binder(*statement) << static_cast<std::int64_t>(place->kind) << static_cast<std::int64_t>(place->id)
                       << std::string_view{place->run_uuid};
    done = statement->run();
  }
  if (done) done = database_.run("COMMIT");
  if (!done) (void)database_.run("ROLLBACK");
  return done;
}

}  // namespace iwarpscope::outputs
