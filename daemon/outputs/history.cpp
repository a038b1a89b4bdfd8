// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "outputs/history.h"

#include <fcntl.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "outputs/heartbeat.h"
#include "outputs/history_file.h"
#include "outputs/history_rows.h"
#include "outputs/snapshots.h"

namespace iwarpscope::outputs {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

constexpr auto kNoticeFor = 60s;
constexpr const char* kReserve = ".reserve";
constexpr off_t kReserveOctets = off_t{8} << 20;
constexpr std::uint64_t kNoRoom = std::uint64_t{256} << 10;  ///< SQLite needs some to open a file
/// How old the places of the centre may be.
constexpr auto kReported = 5s;
/// States are written for so long at a time: findings wait for it.
constexpr auto kStatesAtOnce = 200ms;
/// How often the size is looked at.
constexpr auto kSizeEvery = 1s;
/// Snapshots in one transaction: the lock is held for some milliseconds, and findings do not wait long.
constexpr std::size_t kSnapshotsAtOnce = 500;

}  // namespace

/// The files of an open history.
struct History::Files {
  std::array<FileIdentity, kSuffixes.size()> all{};
};

History::History(HistoryOptions options, Run run, HistorySurroundings around)
    : options_(std::move(options)), run_(std::move(run)), around_(std::move(around)), retired_(Clock::now()) {
  if (options_.forward && around_.directory != nullptr)
    snapshots_ = std::make_unique<Snapshots>(SnapshotOptions{options_.states, options_.heartbeats}, *around_.directory);
}

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
  file_.reset();
  for (const char* suffix : kSuffixes) {
    const std::string aside = options_.path + ".damaged" + suffix;
    (void)unlink(aside.c_str());
    (void)std::rename((options_.path + suffix).c_str(), aside.c_str());
  }
  return access(options_.path.c_str(), F_OK) != 0;
}

/// Checks whether the file was removed or replaced: rows written to the old file would be lost.
void History::look_for_file() {
  if (!file_ || identity_of(options_.path) == files_->all[0]) return;
  file_.reset();
  // SQLite leaves these files when the database is removed, and would use them for the new one.
  for (std::size_t i = 1; i < kSuffixes.size(); ++i) {
    const std::string path = options_.path + kSuffixes[i];
    if (files_->all[i] != FileIdentity{} && identity_of(path) == files_->all[i]) (void)unlink(path.c_str());
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
  if (file_) return {};
  // SQLite would make it readable for everybody; "-wal" and "-shm" get the mode of this one. A file that is there is
  // not opened: closing it would end the locks that questions of this process hold on it.
  const int made = ::open(options_.path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0640);
  if (made >= 0) ::close(made);
  auto file = HistoryFile::open(options_.path, run_, highest_);
  if (!file) return tl::unexpected(file.error());
  const auto highest = file->highest();
  if (!highest) return tl::unexpected(highest.error());
  auto places = file->forwarded();
  if (!places) return tl::unexpected(places.error());
  file_ = std::make_unique<HistoryFile>(std::move(*file));
  files_ = std::make_unique<Files>();
  for (std::size_t i = 0; i < kSuffixes.size(); ++i) files_->all[i] = identity_of(options_.path + kSuffixes[i]);
  std::transform(highest_.begin(), highest_.end(), highest->begin(), highest_.begin(),
                 [](std::uint64_t ours, std::uint64_t its) { return std::max(ours, its); });
  kept_places_ = std::move(*places);
  keep_reserve();
  if (around_.forwarding != nullptr) around_.forwarding->restore(kept_places_);
  return {};
}

/// Lets `work` delete rows, and notes them: the centre may lack some.
template <class Work>
auto History::count_expired(Work&& work) -> decltype(work()) {
  if (!options_.forward || around_.forwarding == nullptr) return work();
  const auto before = file_->gone();
  if (!before) return tl::unexpected(before.error());
  auto done = work();
  const auto after = file_->gone();
  if (after && *after != *before) deleted_.push_back({Clock::now(), *before, *after});
  return done;
}

/// Counts what was deleted some seconds ago and the centre had not got: its reports come once a second.
void History::settle_expired(bool all) {
  if (around_.forwarding == nullptr) return;
  while (!deleted_.empty() && (all || Clock::now() - deleted_.front().when >= kReported)) {
    const Deleted& rows = deleted_.front();
    const live::Backlog backlog{highest_, rows.from};
    const std::vector<live::ArchivePlace> stored = around_.forwarding->stored();
    live::Forwarding::Lost lost;
    for (std::size_t i = 0; i < rows.to.size(); ++i) {
      const std::uint64_t done = backlog.done(static_cast<live::RecordKind>(i), stored);
      lost.expired.at(i) = rows.to.at(i) - std::min(rows.to.at(i), done);
    }
    around_.forwarding->lose(lost);
    deleted_.pop_front();
  }
}

/// To delete rows takes room, too: some is kept for a full disk, if there is enough of it now.
void History::keep_reserve() {
  if (!options_.forward) return;
  const std::string path = options_.path + kReserve;
  struct stat its {};
  if (stat(path.c_str(), &its) == 0 && its.st_size == kReserveOctets) return;
  struct statvfs disk {};
  if (statvfs(options_.path.c_str(), &disk) != 0) return;
  if (disk.f_bavail * disk.f_frsize < 2 * static_cast<std::uint64_t>(kReserveOctets)) return;
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0640);
  if (file < 0) return;
  if (posix_fallocate(file, 0, kReserveOctets) != 0) (void)unlink(path.c_str());
  ::close(file);
}

/// When the disk is full, the reserve goes, and states or heartbeats. True: there is more room than before.
bool History::make_room(const DatabaseError& error) {
  struct statvfs disk {};
  const bool is_full = error.code == SQLITE_FULL ||
                       ((error.code == SQLITE_IOERR || error.code == SQLITE_CANTOPEN) &&
                        statvfs(options_.path.c_str(), &disk) == 0 && disk.f_bavail * disk.f_frsize < kNoRoom);
  if (!is_full || !options_.forward) return false;
  const bool had_reserve = unlink((options_.path + kReserve).c_str()) == 0;
  if (!file_) return had_reserve;
  const auto made = count_expired([this] { return file_->make_room(); });
  return had_reserve || (made && *made);
}

/// False: nothing of it is stored; trouble says why.
bool History::store(const std::vector<HistoryRow>& rows) {
  const auto patient_until = Clock::now() + options_.patience;
  const bool are_snapshots = rows.front().kind == live::RecordKind::states;
  bool has_moved = false;
  for (;;) {
    auto done = open();
    if (done) done = file_->write(rows);
    if (done) {
      for (const HistoryRow& row : rows) ++highest_.at(static_cast<std::size_t>(row.kind));
      tell(notice());
      tend_failed_ = false;
      return true;
    }
    if (!are_snapshots && make_room(done.error())) continue;
    tell(fmt::format("The history {} cannot be written: {}.", options_.path, done.error().text));
    if (done.error().is_damaged() && !std::exchange(has_moved, true) && move_aside()) {
      moved_aside_ = true;
      continue;
    }
    if (!done.error().is_busy()) {
      file_.reset();  // a new connection clears the error, whatever it is
      break;
    }
    if (hurry_ || are_snapshots || Clock::now() >= patient_until) break;
    std::this_thread::sleep_for(20ms);
  }
  count_not_stored(rows);
  return false;
}

void History::count_not_stored(const std::vector<HistoryRow>& rows) {
  if (around_.forwarding == nullptr) return;
  live::Forwarding::Lost lost;
  for (const HistoryRow& row : rows) ++lost.not_stored.at(static_cast<std::size_t>(row.kind));
  around_.forwarding->lose(lost);
}

void History::missed(std::uint64_t events) {
  if (around_.forwarding != nullptr) around_.forwarding->lose({{}, {}, events});
}

std::size_t History::take(const std::vector<live::Event>& events) {
  const std::vector<HistoryRow> rows = rows_of(events);
  if (rows.empty() || store(rows)) return 0;
  return static_cast<std::size_t>(
      std::count_if(rows.begin(), rows.end(), [](const HistoryRow& row) { return row.reported; }));
}

HistoryRow History::heartbeat(const live::Status& status) const {
  HeartbeatFacts facts;
  if (around_.forwarding != nullptr) facts.lost = around_.forwarding->lost();
  facts.states_ns = options_.states.count();
  facts.heartbeats_ns = options_.heartbeats.count();
  return heartbeat_row(heartbeat_json(status, facts));
}

/// What cannot be stored of it is lost, and counted. The last time nothing is left over.
void History::store_snapshots(bool is_last) {
  if (!snapshots_) return;
  const auto until = Clock::now() + kStatesAtOnce;
  std::vector<HistoryRow> rows;
  const auto flush = [&] {
    if (!rows.empty()) (void)store(rows);
    rows.clear();
  };
  if (states_.empty() || is_last) {
    Snapshots::Taken taken = snapshots_->take();
    if (is_last) taken.heartbeats.push_back(around_.directory->status());
    for (const live::Status& status : taken.heartbeats) rows.push_back(heartbeat(status));
    states_.insert(states_.end(), taken.states.begin(), taken.states.end());
  }
  flush();
  while (!states_.empty() && (is_last || Clock::now() < until)) {
    for (; !states_.empty() && rows.size() < kSnapshotsAtOnce; states_.pop_front())
      rows.push_back(state_row(*states_.front()));
    flush();
  }
  if (is_last) snapshots_.reset();
}

/// As store_snapshots().
void History::store_summaries(bool is_last) {
  if (!options_.forward || around_.summaries == nullptr) return;
  if (summaries_.empty() || is_last) {
    live::SummaryBox::Taken taken = around_.summaries->take();
    std::move(taken.summaries.begin(), taken.summaries.end(), std::back_inserter(summaries_));
    if (around_.forwarding != nullptr && taken.lost != 0) {
      live::Forwarding::Lost lost;
      lost.not_stored.at(static_cast<std::size_t>(live::RecordKind::summaries)) = taken.lost;
      around_.forwarding->lose(lost);
    }
  }
  const auto until = Clock::now() + kStatesAtOnce;
  while (!summaries_.empty() && (is_last || Clock::now() < until)) {
    std::vector<HistoryRow> rows;
    for (; !summaries_.empty() && rows.size() < kSnapshotsAtOnce; summaries_.pop_front())
      rows.push_back(summary_row(summaries_.front()));
    (void)store(rows);
  }
}

/// Octets that the file may have: as configured, or what its disk has.
std::uint64_t History::room(std::uint64_t used) const {
  const std::uint64_t most = options_.most_octets != 0 ? options_.most_octets : UINT64_MAX;
  struct statvfs disk {};
  if (statvfs(options_.path.c_str(), &disk) != 0) return most;
  return std::min<std::uint64_t>(most, used + disk.f_bavail * disk.f_frsize);
}

/// Reports how much waits for the centre, and stores what the centre has.
Stored<void> History::look_at_forwarding() {
  if (!options_.forward || around_.forwarding == nullptr || !file_) return {};
  std::vector<live::ArchivePlace> places = around_.forwarding->stored();
  auto backlog = file_->behind(places);
  if (!backlog) return tl::unexpected(backlog.error());
  const auto used = file_->used();
  if (!used) return tl::unexpected(used.error());
  backlog->room = room(*used);
  around_.forwarding->waits(*backlog);
  if (places == kept_places_) return {};
  auto done = file_->keep_forwarded(places);
  if (done) kept_places_ = std::move(places);
  return done;
}

/// With thousands of rows a second, more than the limit comes between two looks at the age of rows.
bool History::is_too_large() {
  if (options_.most_octets == 0 || Clock::now() < size_due_) return false;
  size_due_ = Clock::now() + kSizeEvery;
  const auto used = file_->used();
  return used && *used > options_.most_octets;
}

void History::tend() {
  look_for_file();
  if (taken_away_ && Clock::now() - *taken_away_ >= kNoticeFor) {
    taken_away_.reset();
    if (!tend_failed_ && file_) tell(notice());
  }
  store_snapshots(false);
  store_summaries(false);
  (void)look_at_forwarding();
  settle_expired(false);
  if (Clock::now() - retired_ < options_.retire_every && file_ && !is_too_large()) return;
  retired_ = Clock::now();
  keep_reserve();
  const auto opened = open();
  const auto done = opened ? count_expired([this] {
    return file_->retire({options_.keep, options_.keep_states.count() != 0 ? options_.keep_states : options_.keep,
                          options_.most_octets});
  })
                           : opened;
  if (done && std::exchange(tend_failed_, false)) tell(notice());
  if (done || done.error().is_busy()) return;
  tend_failed_ = true;
  tell(fmt::format("{} {} cannot be {}: {}.", opened ? "Old rows of the history" : "The history", options_.path,
                   opened ? "removed" : "opened", done.error().text));
}

void History::finish() {
  store_snapshots(true);
  store_summaries(true);
  (void)look_at_forwarding();
  settle_expired(true);
  // Everything is on the disk already; this spares the next start from reading "-wal".
  if (file_) file_->tidy();
}

void History::reopen() {
  file_.reset();
  moved_aside_ = false;
  taken_away_.reset();
}

}  // namespace iwarpscope::outputs
