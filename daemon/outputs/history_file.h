// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// An open history: its connection, its statements, and what is removed from it. Private to daemon/outputs.
#pragma once

#include <sys/types.h>

#include <array>
#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "live/archive.h"
#include "live/forwarding.h"
#include "outputs/database.h"
#include "outputs/history_rows.h"
#include "outputs/run.h"

namespace iwarpscope::outputs {

/// By live::RecordKind.
inline constexpr std::array<const char*, live::kRecordKinds> kHistoryTables{"findings", "qps",        "operations",
                                                                            "states",   "heartbeats", "summaries"};
[[nodiscard]] constexpr const char* table_of(live::RecordKind kind) {
  return kHistoryTables[static_cast<std::size_t>(kind)];
}

/// For those who read: how long another's lock is waited for, and how long an answer may take.
inline constexpr int kReaderWaitsMs = 1000;
inline constexpr std::int64_t kLongestMs = 2000;

/// A file, whatever its name. All zero: no such file.
struct FileIdentity {
  dev_t device = 0;
  ino_t number = 0;
  friend bool operator==(const FileIdentity&, const FileIdentity&) = default;
};
[[nodiscard]] FileIdentity identity_of(const std::string& path);

/// The bounds of a history.
struct HistoryBounds {
  std::chrono::hours keep{};         ///< a row, after it was written; 0: for ever
  std::chrono::hours keep_states{};  ///< states and heartbeats, likewise
  std::uint64_t most_octets = 0;     ///< 0: no limit
};

/// For one thread. Every failure leaves the file as it was.
class HistoryFile {
 public:
  /// Makes or updates the tables. Ids of a new file begin above `above`, by kind.
  [[nodiscard]] static Stored<HistoryFile> open(const std::string& path, const Run& run,
                                                const live::CountByKind& above);

  /// One transaction.
  [[nodiscard]] Stored<void> write(const std::vector<HistoryRow>& rows);
  /// Deletes rows that are too old; then, while the file is too large, the oldest: states first, then heartbeats,
  /// summaries and operations, findings and queue pairs last.
  [[nodiscard]] Stored<void> retire(const HistoryBounds& bounds);
  /// Octets of the file without its free pages.
  [[nodiscard]] Stored<std::uint64_t> used();
  /// Deletes a quarter of the states, else of the heartbeats: the disk is full. False: nothing was deleted.
  [[nodiscard]] Stored<bool> make_room();
  /// The highest id that was ever given to a row of each kind.
  [[nodiscard]] Stored<live::CountByKind> highest();
  /// The rows before the oldest one of each kind that has a name for ever: those deleted, those that never were, and
  /// those of versions that gave no run a UUID.
  [[nodiscard]] Stored<live::CountByKind> gone();
  /// What is not yet at these places; without `room`.
  [[nodiscard]] Stored<live::Backlog> behind(const std::vector<live::ArchivePlace>& places);
  /// The places that were kept last.
  [[nodiscard]] Stored<std::vector<live::ArchivePlace>> forwarded();
  [[nodiscard]] Stored<void> keep_forwarded(const std::vector<live::ArchivePlace>& places);
  /// Moves "-wal" into the database, as far as nobody is in the way.
  void tidy() { (void)database_.run("PRAGMA wal_checkpoint(PASSIVE)"); }

 private:
  /// A statement that inserts a row of each kind.
  using Inserts = std::vector<Statement>;

  HistoryFile(Database database, std::int64_t run, Inserts inserts)
      : database_(std::move(database)), run_(run), inserts_(std::move(inserts)) {}
  [[nodiscard]] Stored<void> insert(const HistoryRow& row, std::int64_t stored);
  [[nodiscard]] Stored<void> retire_old(live::RecordKind kind, std::chrono::hours keep);
  [[nodiscard]] Stored<bool> retire_part(live::RecordKind kind, int part);
  [[nodiscard]] Stored<void> retire_for_size(std::uint64_t most_octets);
  [[nodiscard]] Stored<std::uint64_t> waiting_octets(const live::Backlog& backlog,
                                                     const std::vector<live::ArchivePlace>& places);
  template <class Look>
  Stored<live::CountByKind> count(Look&& sql);

  Database database_;
  std::int64_t run_;
  Inserts inserts_;
  live::CountByKind nameless_{};  ///< the last rows of runs without a UUID
};

}  // namespace iwarpscope::outputs
