// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Findings, ended queue pairs and operations that failed, in a database that outlives the daemon. For a centre also
// states of open queue pairs and of the daemon itself.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "live/archive.h"
#include "live/directory.h"
#include "live/forwarding.h"
#include "live/summaries.h"
#include "outputs/database.h"
#include "outputs/history_lock.h"
#include "outputs/run.h"
#include "outputs/sink.h"

namespace iwarpscope::outputs {

class HistoryFile;
struct HistoryRow;
class Snapshots;

struct HistoryOptions {
  std::string path;                                        ///< SQLite file; SQLite keeps "-wal" and "-shm" beside it
  std::chrono::hours keep{30 * 24};                        ///< how long a row is kept after it was written; 0: for ever
  std::uint64_t most_octets = std::uint64_t{1} << 30;      ///< of the file, without "-wal"; 0: no limit
  findings::Severity at_least = findings::Severity::note;  ///< of findings
  std::chrono::milliseconds patience{10'000};  ///< how long take() waits for another's lock before rows are lost
  std::chrono::seconds retire_every{60};
  /// Another program delivers the rows to a centre. Only then there are states and heartbeats.
  bool forward = false;
  std::chrono::nanoseconds states = std::chrono::minutes{1};       ///< of each open queue pair that changed; 0: none
  std::chrono::nanoseconds heartbeats = std::chrono::seconds{10};  ///< 0: none
  std::chrono::hours keep_states{24};                              ///< of states and heartbeats, as `keep`
  std::chrono::nanoseconds summaries = std::chrono::hours{1};      ///< interval of summaries; 0: none
};

/// What a history takes from and reports to. `directory` is borrowed; both may be null.
struct HistorySurroundings {
  live::Directory* directory = nullptr;            ///< null: there are no states and no heartbeats
  std::shared_ptr<live::Forwarding> forwarding{};  ///< null: nothing is known of a centre
  std::shared_ptr<live::SummaryBox> summaries{};   ///< null: none are stored
};

/// Each take() is one transaction, and on the disk (WAL, synchronous=FULL) when it returns. A file that is damaged is
/// renamed to "PATH.damaged" and a new one begun, which trouble() says until reopen(); one of a newer version or of
/// another program is left alone. When another program removes or replaces the file, the file at PATH is written from
/// then on, which trouble() says for a minute. While another History writes it, in this process or another, nothing is
/// stored. With `forward`, states make room for other rows when the disk is full; "PATH.reserve" holds what that takes.
class History final : public Sink {
 public:
  History(HistoryOptions options, Run run, HistorySurroundings around = {});
  ~History() override;

  [[nodiscard]] std::string_view name() const noexcept override { return "history"; }
  [[nodiscard]] live::Wanted wanted() const override;
  std::size_t take(const std::vector<live::Event>& events) override;
  void missed(std::uint64_t events) override;
  void tend() override;
  void finish() override;
  [[nodiscard]] std::string trouble() const override;
  void reopen() override;
  void hurry() noexcept override { hurry_ = true; }

 private:
  /// The database and what SQLite keeps beside it.
  static constexpr std::array<const char*, 3> kSuffixes{"", "-wal", "-shm"};

  [[nodiscard]] Stored<void> open();
  [[nodiscard]] bool move_aside();
  void look_for_file();
  [[nodiscard]] std::string notice() const;
  [[nodiscard]] bool store(const std::vector<HistoryRow>& rows);
  void keep_reserve();
  [[nodiscard]] bool make_room(const DatabaseError& error);
  [[nodiscard]] bool is_too_large();
  void store_snapshots(bool is_last);
  void store_summaries(bool is_last);
  void settle_expired(bool all);
  void count_not_stored(const std::vector<HistoryRow>& rows);
  [[nodiscard]] HistoryRow heartbeat(const live::Status& status) const;
  template <class Work>
  auto count_expired(Work&& work) -> decltype(work());
  [[nodiscard]] std::uint64_t room(std::uint64_t used) const;
  [[nodiscard]] Stored<void> look_at_forwarding();
  void tell(std::string text);

  const HistoryOptions options_;
  const Run run_;
  const HistorySurroundings around_;
  HistoryLock lock_;
  std::unique_ptr<HistoryFile> file_;
  struct Files;
  std::unique_ptr<Files> files_;                 ///< while file_ is there
  live::CountByKind highest_{};                  ///< ids of this run's rows, and below
  std::vector<live::ArchivePlace> kept_places_;  ///< what the file has as forwarded
  std::unique_ptr<Snapshots> snapshots_;
  std::deque<live::QpViewPtr> states_;   ///< taken and not yet written
  std::deque<live::Summary> summaries_;  ///< likewise
  /// Rows that were deleted, by kind: ids above `from`, up to `to`. What the centre has of them is known after its next
  /// report.
  struct Deleted {
    std::chrono::steady_clock::time_point when;
    live::CountByKind from{}, to{};
  };
  std::deque<Deleted> deleted_;
  std::chrono::steady_clock::time_point retired_, size_due_;
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
  [[nodiscard]] std::unique_ptr<live::ArchiveTail> tail(std::vector<live::ArchivePlace> after) override;

 private:
  const std::string path_;
};

}  // namespace iwarpscope::outputs
