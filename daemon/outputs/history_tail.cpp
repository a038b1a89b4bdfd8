// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Reads a history forward.
#include <algorithm>
#include <array>
#include <chrono>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "outputs/database.h"
#include "outputs/history.h"
#include "outputs/history_file.h"
#include "outputs/history_schema.h"

namespace iwarpscope::outputs {
namespace {

using live::ArchivePlace;
using live::RecordKind;
using live::StoredRecord;

/// The daemon looks once a second whether its file was replaced.
constexpr std::chrono::seconds kLeaveAlone{3};
/// A page that would grow beyond this ends early.
constexpr std::size_t kPageOctets = std::size_t{2} << 20;
/// The order of kinds in a page: what a site must know of a sensor, then what is worth most.
constexpr std::array<RecordKind, live::kRecordKinds> kOrder{RecordKind::heartbeats, RecordKind::findings,
                                                            RecordKind::qps,        RecordKind::operations,
                                                            RecordKind::summaries,  RecordKind::states};

/// What each table has of: time, key, severity, qp, a, b, interface, tap group, Community ID, sequence.
constexpr std::array<const char*, live::kRecordKinds> kColumns{
    "t.time, t.rule, t.severity + 1, t.qp, t.a, t.b, t.interface, t.tap_group, t.community_id, t.sequence",
    "t.time, t.outcome, 0, t.qp, t.a, t.b, t.interface, t.tap_group, t.community_id, t.sequence",
    "t.time, t.outcome, 0, t.qp, t.a, t.b, t.interface, t.tap_group, t.community_id, t.sequence",
    "t.time, t.state, 0, t.qp, t.a, t.b, t.interface, t.tap_group, t.community_id, 0",
    "t.stored, '', 0, NULL, NULL, NULL, NULL, NULL, NULL, 0",
    "t.time, '', 0, NULL, t.a, t.b, NULL, t.tap_group, NULL, 0",
};

StoredRecord record_of(const Statement& row, RecordKind kind) {
  StoredRecord record;
  record.kind = kind;
  record.id = static_cast<std::uint64_t>(row.number(0));
  record.run_uuid = row.text(1);
  record.stored = TimePoint{row.number(2)};
  record.json = row.text(3);
  record.time = TimePoint{row.number(4)};
  record.key = row.text(5);
  record.severity = static_cast<std::uint8_t>(row.number(6));
  if (!row.is_null(7)) record.qp = static_cast<std::uint64_t>(row.number(7));
  record.a = row.text(8);
  record.b = row.text(9);
  record.interface = row.text(10);
  record.tap_group = row.text(11);
  record.community_id = row.text(12);
  record.sequence = static_cast<std::uint64_t>(row.number(13));
  return record;
}

class HistoryTail final : public live::ArchiveTail {
 public:
  HistoryTail(std::string path, std::vector<ArchivePlace> after) : path_(std::move(path)), after_(std::move(after)) {}

  tl::expected<live::TailPage, std::string> next(std::size_t most, const live::Caller& caller) override {
    if (auto open = look_for_file(); !open) return tl::unexpected(text_of(open.error()));
    if (!database_) return live::TailPage{};
    database_->limit_time(kLongestMs, caller.is_gone);
    const auto changes = database_->number("PRAGMA data_version");
    if (!changes) return failed(changes.error());
    if (seen_ == *changes) return live::TailPage{};
    auto page = read(most);
    if (!page) return failed(page.error());
    if (page->is_last) seen_ = *changes;
    return std::move(*page);
  }

 private:
  /// Where the tail of one kind is.
  struct Place {
    std::uint64_t id = 0;
    bool is_checked = false;  ///< the record there is of the run that the caller says, or it is gone
  };

  [[nodiscard]] std::string text_of(const DatabaseError& error) const {
    return fmt::format("The history {} cannot be read: {}.", path_, error.text);
  }
  tl::unexpected<std::string> failed(const DatabaseError& error) {
    database_.reset();
    return tl::unexpected(text_of(error));
  }
  /// Opens the file at the path, if it is there and has its tables. One that took the place of another is left alone
  /// for a moment: until the daemon has removed what SQLite kept beside the old one, an open file would hold on to
  /// that.
  Stored<void> look_for_file() {
    const auto now = std::chrono::steady_clock::now();
    const std::array<FileIdentity, 2> there{identity_of(path_), identity_of(path_ + "-shm")};
    if (database_ && there == files_) return {};
    if (database_) closed_ = now;
    database_.reset();
    if (there[0] == FileIdentity{} || (closed_ && now - *closed_ < kLeaveAlone)) return {};
    auto database = Database::open(path_, true, kReaderWaitsMs);
    if (!database) return tl::unexpected(database.error());
    const auto version = database->number("PRAGMA user_version");
    if (!version) return tl::unexpected(version.error());
    if (*version != kSchemaVersion) return {};         // the daemon is about to update it
    files_ = {there[0], identity_of(path_ + "-shm")};  // reading has made it, if it was not there
    database_ = std::move(*database);
    seen_.reset();
    for (Place& place : places_) place.is_checked = false;
    return {};
  }
  Stored<live::TailPage> read(std::size_t most) {
    if (auto begun = database_->run("BEGIN"); !begun) return tl::unexpected(begun.error());
    auto page = read_all(most);
    (void)database_->run("ROLLBACK");
    return page;
  }
  Stored<live::TailPage> read_all(std::size_t most) {
    live::TailPage page;
    std::size_t octets = 0;
    std::array<Place, live::kRecordKinds> places = places_;
    for (const RecordKind kind : kOrder) {
      Place& place = places.at(static_cast<std::size_t>(kind));
      if (auto done = check(kind, place, page); !done) return tl::unexpected(done.error());
      const auto all = add(kind, place, most, page, octets);
      if (!all) return tl::unexpected(all.error());
      page.is_last = *all;
      if (!*all) break;
    }
    places_ = places;
    for (const StoredRecord& record : page.records) runs_.at(static_cast<std::size_t>(record.kind)) = record.run_uuid;
    return page;
  }
  /// Where the caller's place means another file than this one, its kind begins at the oldest record. What was deleted
  /// behind the place is counted.
  Stored<void> check(RecordKind kind, Place& place, live::TailPage& page) {
    const char* const table = table_of(kind);
    const auto number = [&](std::string_view sql) {
      return database_->number(fmt::format(fmt::runtime(sql), table, place.id));
    };
    const auto highest = number("SELECT seq FROM sqlite_sequence WHERE name = '{0}'");
    if (!highest) return tl::unexpected(highest.error());
    if (!place.is_checked) {
      begin(kind, place);
      const auto run = run_at(table, place.id);
      if (!run) return tl::unexpected(run.error());
      const std::string& its_run = runs_.at(static_cast<std::size_t>(kind));
      const auto known = knows_run(its_run);
      if (!known) return tl::unexpected(known.error());
      const bool is_replaced =
          place.id > static_cast<std::uint64_t>(*highest) || (*run && **run != its_run) || (place.id != 0 && !*known);
      if (is_replaced) place.id = 0;
      place.is_checked = true;
    }
    // Records of runs without a UUID have no name that lasts: they are the oldest ones.
    const auto nameless = number(
        "SELECT coalesce(max(id), 0) FROM (SELECT id, run FROM {0} WHERE id > {1} ORDER BY id LIMIT 1) WHERE run IN "
        "(SELECT run FROM runs WHERE uuid IS NULL)");
    if (!nameless) return tl::unexpected(nameless.error());
    if (*nameless != 0) {
      const auto last = number("SELECT max(id) FROM {0} WHERE run IN (SELECT run FROM runs WHERE uuid IS NULL)");
      if (!last) return tl::unexpected(last.error());
      place.id = static_cast<std::uint64_t>(*last);
    }
    const auto gone = number(
        "SELECT coalesce((SELECT min(id) - 1 FROM {0}), (SELECT seq FROM sqlite_sequence WHERE "
        "name = '{0}'), 0)");
    if (!gone) return tl::unexpected(gone.error());
    const auto before = static_cast<std::uint64_t>(*gone);
    if (before <= place.id) return {};
    // Without a place, what the daemon knows to be delivered does not count.
    const auto delivered =
        place.id == 0 ? delivered_before(kind, static_cast<std::uint64_t>(*highest)) : Stored<std::uint64_t>{place.id};
    if (!delivered) return tl::unexpected(delivered.error());
    page.expired.at(static_cast<std::size_t>(kind)) += before - std::min(before, *delivered);
    place.id = before;
    return {};
  }
  /// Runs stay known when their records are deleted.
  Stored<bool> knows_run(const std::string& uuid) {
    auto statement = database_->prepare("SELECT 1 FROM runs WHERE uuid = ?");
    if (!statement) return tl::unexpected(statement.error());
    return statement->bind(0, std::string_view{uuid}).step();
  }
  /// The last record of a kind that an earlier reader reported as stored elsewhere; 0: none, or it is of another file.
  Stored<std::uint64_t> delivered_before(RecordKind kind, std::uint64_t highest) {
    const auto id = database_->number(fmt::format(
        "SELECT id FROM forwarded WHERE kind = {} AND run_uuid IN (SELECT uuid FROM runs)", static_cast<int>(kind)));
    if (!id) return tl::unexpected(id.error());
    const auto last = static_cast<std::uint64_t>(*id);
    return last <= highest ? last : 0;
  }
  /// At the caller's place, when it is asked for the first time.
  void begin(RecordKind kind, Place& place) {
    for (const ArchivePlace& after : after_) {
      if (after.kind != kind || place.id != 0) continue;
      place.id = after.id;
      runs_.at(static_cast<std::size_t>(kind)) = after.run_uuid;
    }
  }
  /// The UUID of the run of a record; nothing: the record is gone.
  Stored<std::optional<std::string>> run_at(const char* table, std::uint64_t id) {
    auto statement =
        database_->prepare(fmt::format("SELECT r.uuid FROM {} t JOIN runs r ON r.run = t.run WHERE t.id = ?", table));
    if (!statement) return tl::unexpected(statement.error());
    const auto row = statement->bind(0, static_cast<std::int64_t>(id)).step();
    if (!row) return tl::unexpected(row.error());
    return *row ? std::optional(statement->text(0)) : std::nullopt;
  }
  /// False: there are more, for another page.
  Stored<bool> add(RecordKind kind, Place& place, std::size_t most, live::TailPage& page, std::size_t& octets) {
    auto statement = database_->prepare(
        fmt::format("SELECT t.id, r.uuid, t.stored, t.json, {} FROM {} t JOIN runs r ON r.run = t.run WHERE t.id > ? "
                    "ORDER BY t.id",
                    kColumns.at(static_cast<std::size_t>(kind)), table_of(kind)));
    if (!statement) return tl::unexpected(statement.error());
    statement->bind(0, static_cast<std::int64_t>(place.id));
    auto more = statement->step();
    for (; more && *more; more = statement->step()) {
      if (page.records.size() >= most || octets >= kPageOctets) return false;
      page.records.push_back(record_of(*statement, kind));
      octets += page.records.back().json.size();
      place.id = page.records.back().id;
    }
    if (!more) return tl::unexpected(more.error());
    return true;
  }

  const std::string path_;
  const std::vector<ArchivePlace> after_;
  std::array<Place, live::kRecordKinds> places_{};
  std::array<std::string, live::kRecordKinds> runs_{};  ///< UUIDs, of the records at the places
  std::optional<Database> database_;
  std::array<FileIdentity, 2> files_{};  ///< of the database, and of what readers share; while it is open
  std::optional<std::chrono::steady_clock::time_point> closed_;  ///< when the file was another one
  std::optional<std::int64_t> seen_;                             ///< data_version when there was no more
};

}  // namespace

std::unique_ptr<live::ArchiveTail> HistoryArchive::tail(std::vector<live::ArchivePlace> after) {
  return std::make_unique<HistoryTail>(path_, std::move(after));
}

}  // namespace iwarpscope::outputs
