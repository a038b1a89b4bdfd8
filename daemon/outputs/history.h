// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Findings, ended queue pairs and operations that failed, in a database that outlives the daemon.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "live/archive.h"
#include "outputs/database.h"
#include "outputs/history_lock.h"
#include "outputs/run.h"
#include "outputs/sink.h"

namespace iwarpscope::outputs {

struct HistoryOptions {
  std::string path;                                        ///< SQLite file; SQLite keeps "-wal" and "-shm" beside it
  std::chrono::hours keep{30 * 24};                        ///< how long a row is kept after it was written; 0: for ever
  std::uint64_t most_octets = std::uint64_t{1} << 30;      ///< of the file, without "-wal"; 0: no limit
  findings::Severity at_least = findings::Severity::note;  ///< of findings
  std::chrono::milliseconds patience{10'000};  ///< how long take() waits for another's lock before rows are lost
  std::chrono::seconds retire_every{60};
};

/// Each take() is one transaction, and on the disk (WAL, synchronous=FULL) when it returns. A file that is damaged is
/// renamed to "PATH.damaged" and a new one begun, which trouble() says until reopen(); one of a newer version or of
/// another program is left alone. When another program removes or replaces the file, the file at PATH is written from
/// then on, which trouble() says for a minute. While another History writes it, in this process or another, nothing is
/// stored.
class History final : public Sink {
 public:
  History(HistoryOptions options, Run run);
  ~History() override;

  [[nodiscard]] std::string_view name() const noexcept override { return "history"; }
  [[nodiscard]] live::Wanted wanted() const override;
  std::size_t take(const std::vector<live::Event>& events) override;
  void tend() override;
  void finish() override;
  [[nodiscard]] std::string trouble() const override;
  void reopen() override;
  void hurry() noexcept override { hurry_ = true; }

 private:
  struct Open;  ///< the connection
  struct Row;

  static void add_operations(const std::vector<live::FailedOperation>& failed, const Row& reported,
                             const std::optional<std::pair<net::Endpoint, net::Endpoint>>& ends,
                             std::vector<Row>& rows);
  [[nodiscard]] std::vector<Row> rows_of(const std::vector<live::Event>& events);
  [[nodiscard]] Stored<void> open();
  [[nodiscard]] bool move_aside();
  void look_for_file();
  [[nodiscard]] std::string notice() const;
  [[nodiscard]] Stored<void> write(const std::vector<Row>& rows);
  [[nodiscard]] bool store(const std::vector<Row>& rows);
  [[nodiscard]] Stored<void> retire();
  void tell(std::string text);

  const HistoryOptions options_;
  const Run run_;
  HistoryLock lock_;
  std::unique_ptr<Open> open_;
  std::chrono::steady_clock::time_point retired_;
  std::atomic<bool> hurry_ = false;
  bool moved_aside_ = false;
  std::optional<std::chrono::steady_clock::time_point> taken_away_;  ///< when it was seen that the file is another
  bool tend_failed_ = false;                                         ///< trouble() says so
  mutable std::mutex mutex_;
  std::string trouble_;  ///< under mutex_
};

/// Reads what a History writes, in this process or another, through a connection of its own for each question. An
/// answer takes two seconds at most, else it fails.
class HistoryArchive final : public live::Archive {
 public:
  explicit HistoryArchive(std::string path) : path_(std::move(path)) {}
  [[nodiscard]] tl::expected<std::vector<live::ArchivedRow>, std::string> query(
      const live::ArchiveQuery& query, const live::Caller& caller = {}) override;

 private:
  const std::string path_;
};

}  // namespace iwarpscope::outputs
