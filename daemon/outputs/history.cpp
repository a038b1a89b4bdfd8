// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "outputs/history.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <optional>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "live/qp_json.h"
#include "outputs/database.h"
#include "outputs/history_schema.h"
#include "outputs/lines.h"
#include "report/json.h"

namespace iwarpscope::outputs {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

/// SQLite waits no longer than this by itself: in between hurry() is looked at.
constexpr int kBusyMs = 100;
/// Rows of a table that one statement deletes: the lock is held for some milliseconds.
constexpr int kDeletedAtOnce = 5000;
constexpr std::array<const char*, 3> kTables{"findings", "qps", "operations"};
/// The database and what SQLite keeps beside it.
constexpr std::array<const char*, 3> kSuffixes{"", "-wal", "-shm"};
constexpr auto kNoticeFor = 60s;
/// What "-wal" holds until it is moved into the database, whatever the size of its pages.
constexpr std::int64_t kLogOctets = std::int64_t{4} << 20;

/// A file, whatever its name.
struct FileIdentity {
  dev_t device = 0;
  ino_t number = 0;
  friend bool operator==(const FileIdentity&, const FileIdentity&) = default;
};

/// All zero: no such file.
FileIdentity identity_of(const std::string& path) {
  struct stat its {};
  if (stat(path.c_str(), &its) != 0) return {};
  return {its.st_dev, its.st_ino};
}

/// Binds four parameters from `at` on.
Statement& bind_name(Statement& statement, int at, const live::RecordName& name) {
  const auto known = [](const std::string& text) { return text.empty() ? std::nullopt : std::optional(text); };
  const auto sequence = name.sequence == 0 ? std::nullopt : std::optional(name.sequence);
  statement.bind(at, sequence).bind(at + 1, known(name.interface)).bind(at + 2, known(name.tap_group));
  return statement.bind(at + 3, known(name.community_id));
}

/// A row of a queue pair has some 4 KiB: in pages of 16 KiB, which a file gets when it is made, it takes a third of the
/// write calls. FULL: a row of which take() has said that it is stored survives a power cut, too.
Stored<void> set_up(Database& database) {
  auto done = database.run(
      "PRAGMA page_size=16384; PRAGMA auto_vacuum=INCREMENTAL; PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;"
      "PRAGMA journal_size_limit=16777216");
  if (!done) return done;
  const auto page = database.number("PRAGMA page_size");
  if (!page) return tl::unexpected(page.error());
  return database.run(fmt::format("PRAGMA wal_autocheckpoint={}", kLogOctets / *page));
}

std::string without_feed(std::string line) {
  line.pop_back();
  return line;
}

}  // namespace

/// What is to be written: one row of one table.
struct History::Row {
  enum class Table : std::uint8_t { findings, qps, operations };
  Table table{};
  bool reported = true;  ///< it belongs to an event
  TimePoint time, first_time;
  findings::Severity severity{};
  std::string_view key;  ///< findings: the rule's name; else the outcome
  std::optional<std::uint64_t> qp;
  std::optional<std::string> a, b;
  Direction direction{};
  std::uint64_t message = 0;
  live::RecordName name;  ///< operations: of the record that reported them
  std::string json;
};

struct History::Open {
  Database database;
  std::int64_t run = 0;
  Statement finding, qp, operation;
  std::array<FileIdentity, kSuffixes.size()> files{};

  Stored<void> insert(const Row& row, std::int64_t stored);
};

Stored<void> History::Open::insert(const Row& row, std::int64_t stored) {
  const std::string_view json = row.json;
  switch (row.table) {
    case Row::Table::findings:
      finding.bind(0, run).bind(1, stored).bind(2, row.time.ns).bind(3, static_cast<std::int64_t>(row.severity));
      finding.bind(4, row.key).bind(5, row.qp).bind(6, row.a).bind(7, row.b).bind(8, json);
      return bind_name(finding, 9, row.name).run();
    case Row::Table::qps:
      qp.bind(0, run).bind(1, stored).bind(2, row.time.ns).bind(3, row.first_time.ns).bind(4, row.key);
      qp.bind(5, row.qp).bind(6, row.a).bind(7, row.b).bind(8, json);
      return bind_name(qp, 9, row.name).run();
    case Row::Table::operations: break;
  }
  operation.bind(0, run).bind(1, stored).bind(2, row.time.ns).bind(3, static_cast<std::int64_t>(row.direction));
  operation.bind(4, static_cast<std::int64_t>(row.message)).bind(5, row.key).bind(6, row.qp);
  operation.bind(7, row.a).bind(8, row.b).bind(9, json);
  return bind_name(operation, 10, row.name).run();
}

History::History(HistoryOptions options, Run run)
    : options_(std::move(options)), run_(std::move(run)), retired_(Clock::now()) {}

History::~History() = default;

live::Wanted History::wanted() const {
  live::Wanted wanted;
  wanted.findings = true;
  wanted.at_least = options_.at_least;
  wanted.qps = true;
  wanted.ended_only = true;
  wanted.failed_operations = true;
  return wanted;
}

std::string History::trouble() const {
  const std::lock_guard lock(mutex_);
  return trouble_;
}

void History::tell(std::string text) {
  const std::lock_guard lock(mutex_);
  trouble_ = std::move(text);
}

/// Keeps a damaged file for repair, but only the last one. False: the file was not moved.
bool History::move_aside() {
  open_.reset();
  for (const char* suffix : kSuffixes) {
    const std::string aside = options_.path + ".damaged" + suffix;
    (void)unlink(aside.c_str());
    (void)std::rename((options_.path + suffix).c_str(), aside.c_str());
  }
  return access(options_.path.c_str(), F_OK) != 0;
}

/// Checks whether the file was removed or replaced: rows written to the old file would be lost.
void History::look_for_file() {
  if (!open_ || identity_of(options_.path) == open_->files[0]) return;
  const auto files = open_->files;
  open_.reset();
  // SQLite leaves these files when the database is removed, and would use them for the new one.
  for (std::size_t i = 1; i < kSuffixes.size(); ++i) {
    const std::string path = options_.path + kSuffixes[i];
    if (files[i] != FileIdentity{} && identity_of(path) == files[i]) (void)unlink(path.c_str());
  }
  taken_away_ = Clock::now();
  tell(notice());
}

/// A problem to report although rows are stored.
std::string History::notice() const {
  if (taken_away_ && Clock::now() - *taken_away_ < kNoticeFor) {
    return fmt::format(
        "The history {} was removed or replaced while the daemon was running; new records go to the new file.",
        options_.path);
  }
  return moved_aside_ ? fmt::format("The history was damaged; the old file is now {}.damaged.", options_.path)
                      : std::string{};
}

Stored<void> History::open() {
  look_for_file();
  if (auto locked = lock_.take(options_.path); !locked) return locked;
  if (open_) return {};
  // SQLite would make it readable for everybody; "-wal" and "-shm" get the mode of this one. A file that is there is
  // not opened: closing it would end the locks that questions of this process hold on it.
  const int made = ::open(options_.path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0640);
  if (made >= 0) ::close(made);
  auto database = Database::open(options_.path, false, kBusyMs);
  if (!database) return tl::unexpected(database.error());
  auto done = set_up(*database);
  if (done) done = prepare_schema(*database);
  if (!done) return done;
  auto run = database->prepare(
      "INSERT INTO runs(name, version, started, sensor, sensor_uuid, uuid) VALUES(?,?,?,?,?,?) ON CONFLICT DO NOTHING");
  if (!run) return tl::unexpected(run.error());
  run->bind(0, run_.id).bind(1, run_.version).bind(2, run_.started.ns).bind(3, run_.origin.sensor);
  done = run->bind(4, run_.origin.sensor_uuid).bind(5, run_.origin.run_uuid).run();
  if (!done) return done;
  auto number = database->prepare("SELECT run FROM runs WHERE name=?");
  if (!number) return tl::unexpected(number.error());
  if (const auto row = number->bind(0, run_.id).step(); !row) return tl::unexpected(row.error());
  const std::int64_t its_number = number->number(0);
  auto finding = database->prepare(
      "INSERT INTO findings(run,stored,time,severity,rule,qp,a,b,json,sequence,interface,tap_group,community_id) "
      "VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?)");
  if (!finding) return tl::unexpected(finding.error());
  auto qp = database->prepare(
      "INSERT INTO qps(run,stored,time,first_time,outcome,qp,a,b,json,sequence,interface,tap_group,community_id) "
      "VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?)");
  if (!qp) return tl::unexpected(qp.error());
  auto operation = database->prepare(
      "INSERT INTO operations(run,stored,time,direction,message,outcome,qp,a,b,json,sequence,interface,tap_group,"
      "community_id) VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?) "
      "ON CONFLICT DO UPDATE SET outcome=excluded.outcome, json=excluded.json, sequence=excluded.sequence");
  if (!operation) return tl::unexpected(operation.error());
  open_ = std::make_unique<Open>(
      Open{std::move(*database), its_number, std::move(*finding), std::move(*qp), std::move(*operation)});
  for (std::size_t i = 0; i < kSuffixes.size(); ++i) open_->files[i] = identity_of(options_.path + kSuffixes[i]);
  return {};
}

/// Operations of a queue pair that failed, and its ends, if they are known. `reported`: the row that reports them.
void History::add_operations(const std::vector<live::FailedOperation>& failed, const Row& reported,
                             const std::optional<std::pair<net::Endpoint, net::Endpoint>>& ends,
                             std::vector<Row>& rows) {
  for (const live::FailedOperation& one : failed) {
    Row& row = rows.emplace_back();
    row.table = Row::Table::operations;
    row.reported = false;
    row.time = one.message->first_time;
    row.key = live::name(one.how);
    row.qp = one.message->qp;
    if (ends) {
      row.a = ends->first.address.text();
      row.b = ends->second.address.text();
    }
    row.name = reported.name;
    row.direction = one.message->direction;
    row.message = one.message->index;
    report::append_json(row.json, *one.message);
    row.json.resize(row.json.size() - 2);  // "}\n"
    row.json += fmt::format(R"(,"outcome":"{}",{},)", row.key, ends_json(ends));
    append_named(row.json, row.name);
    row.json += '}';
  }
}

std::vector<History::Row> History::rows_of(const std::vector<live::Event>& events) {
  std::vector<Row> rows;
  for (const live::Event& event : events) {
    Row row;
    if (const auto* reported = std::get_if<live::FindingReported>(&event)) {
      const findings::Finding& finding = reported->finding->finding;
      row.table = Row::Table::findings;
      row.time = finding.frame.value != 0 ? finding.time : now();
      row.severity = findings::rule(finding.id).severity;
      row.key = findings::rule(finding.id).name;
      row.qp = finding.qp;
      if (const auto& ends = reported->finding->ends) {
        row.a = ends->first.address.text();
        row.b = ends->second.address.text();
      }
      append_finding(row.json, *reported->finding);
      row.json = without_feed(std::move(row.json));
      row.name = live::named(*reported->finding);
      add_operations(reported->failed, row, reported->finding->ends, rows);
      rows.push_back(std::move(row));
    } else if (const auto* ended = std::get_if<live::QpEnded>(&event)) {
      const qp::QpRecord& record = ended->qp->record;
      row.table = Row::Table::qps;
      row.first_time = record.first_time;
      row.time = record.last_time;
      if (record.verdict) row.key = qp::name(record.verdict->outcome);
      row.qp = record.qp;
      row.a = record.a.address.text();
      row.b = record.b.address.text();
      live::append_json(row.json, *ended->qp);
      row.json = without_feed(std::move(row.json));
      row.name = live::named(*ended->qp);
      add_operations(ended->failed, row, std::pair{record.a, record.b}, rows);
      rows.push_back(std::move(row));
    }
  }
  return rows;
}

/// One transaction.
Stored<void> History::write(const std::vector<Row>& rows) {
  auto done = open();
  if (!done) return done;
  done = open_->database.run("BEGIN IMMEDIATE");
  if (!done) return done;
  const std::int64_t stored = now().ns;
  for (auto row = rows.begin(); done && row != rows.end(); ++row) done = open_->insert(*row, stored);
  if (done) done = open_->database.run("COMMIT");
  if (!done) (void)open_->database.run("ROLLBACK");
  return done;
}

/// False: nothing of it is stored; trouble says why.
bool History::store(const std::vector<Row>& rows) {
  const auto patient_until = Clock::now() + options_.patience;
  bool has_moved = false;
  for (;;) {
    const auto done = write(rows);
    if (done) {
      tell(notice());
      tend_failed_ = false;
      return true;
    }
    tell(fmt::format("The history {} cannot be written: {}.", options_.path, done.error().text));
    if (done.error().is_damaged() && !std::exchange(has_moved, true) && move_aside()) {
      moved_aside_ = true;
      continue;
    }
    if (!done.error().is_busy()) {
      open_.reset();  // a new connection clears the error, whatever it is
      return false;
    }
    if (hurry_ || Clock::now() >= patient_until) return false;
    std::this_thread::sleep_for(20ms);
  }
}

std::size_t History::take(const std::vector<live::Event>& events) {
  const std::vector<Row> rows = rows_of(events);
  if (rows.empty() || store(rows)) return 0;
  return static_cast<std::size_t>(std::count_if(rows.begin(), rows.end(), [](const Row& row) { return row.reported; }));
}

void History::tend() {
  look_for_file();
  if (taken_away_ && Clock::now() - *taken_away_ >= kNoticeFor) {
    taken_away_.reset();
    if (!tend_failed_ && open_) tell(notice());
  }
  if (Clock::now() - retired_ < options_.retire_every && open_) return;
  retired_ = Clock::now();
  const auto opened = open();
  const auto done = opened ? retire() : opened;
  if (done && std::exchange(tend_failed_, false)) tell(notice());
  if (done || done.error().is_busy()) return;
  tend_failed_ = true;
  tell(fmt::format("{} {} cannot be {}: {}.", opened ? "Old rows of the history" : "The history", options_.path,
                   opened ? "removed" : "opened", done.error().text));
}

/// Deletes the oldest rows: those that are too old, then as many as it takes.
Stored<void> History::retire() {
  Database& database = open_->database;
  const std::int64_t oldest = now().ns - std::chrono::nanoseconds(options_.keep).count();
  for (const char* table : kTables) {
    while (options_.keep.count() != 0) {
      auto done = database.run(
          fmt::format("DELETE FROM {0} WHERE id IN (SELECT id FROM (SELECT id, stored FROM {0} ORDER BY id LIMIT {1}) "
                      "WHERE stored < {2})",
                      table, kDeletedAtOnce, oldest));
      if (!done) return done;
      const auto deleted = database.number("SELECT changes()");
      if (!deleted) return tl::unexpected(deleted.error());
      if (*deleted < kDeletedAtOnce) break;
    }
  }
  const auto octets = [&]() -> Stored<std::int64_t> {
    return database.number(
        "SELECT (page_count - freelist_count) * page_size FROM pragma_page_count, pragma_freelist_count, "
        "pragma_page_size");
  };
  for (auto used = octets(); options_.most_octets != 0; used = octets()) {
    if (!used) return tl::unexpected(used.error());
    if (static_cast<std::uint64_t>(*used) <= options_.most_octets) break;
    std::int64_t rows = 0;
    for (const char* table : kTables) {
      auto done = database.run(
          fmt::format("DELETE FROM {0} WHERE id <= (SELECT min(id) + (max(id) - min(id)) / 16 FROM {0})", table));
      if (!done) return done;
      const auto deleted = database.number("SELECT changes()");
      if (!deleted) return tl::unexpected(deleted.error());
      rows += *deleted;
    }
    if (rows == 0) break;
  }
  auto done = database.run(fmt::format(
      "DELETE FROM runs WHERE run <> {} AND run < (SELECT min(run) FROM (SELECT run FROM (SELECT run FROM findings "
      "ORDER BY id LIMIT 1) UNION ALL SELECT run FROM (SELECT run FROM qps ORDER BY id LIMIT 1) "
      "UNION ALL SELECT run FROM (SELECT run FROM operations ORDER BY id LIMIT 1)))",
      open_->run));
  if (!done) return done;
  return database.run("PRAGMA incremental_vacuum");
}

void History::finish() {
  // Everything is on the disk already; this spares the next start from reading "-wal".
  if (open_) (void)open_->database.run("PRAGMA wal_checkpoint(PASSIVE)");
}

void History::reopen() {
  open_.reset();
  moved_aside_ = false;
  taken_away_.reset();
}

}  // namespace iwarpscope::outputs
