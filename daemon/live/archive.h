// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Interface of the stored history, which is kept across restarts.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <tl/expected.hpp>

#include "base/time_point.h"
#include "findings/finding.h"
#include "live/caller.h"

namespace iwarpscope::live {

/// Kinds of stored records. `qps` ended; `states` are queue pairs that are open, `heartbeats` the daemon's own state,
/// `summaries` counts of what passed between two hosts in a time.
enum class RecordKind : std::uint8_t { findings, qps, operations, states, heartbeats, summaries };
inline constexpr std::size_t kRecordKinds = 6;

/// Their names.
inline constexpr std::array<const char*, kRecordKinds> kRecordKindNames{"findings", "qps",        "operations",
                                                                        "states",   "heartbeats", "summaries"};

/// A number for each kind.
using CountByKind = std::array<std::uint64_t, kRecordKinds>;

struct ArchiveQuery {
  using Kind = RecordKind;
  Kind kind{};
  std::optional<TimePoint> from, to;           ///< capture time
  std::optional<std::string> host;             ///< address of either end
  std::optional<std::string> rule;             ///< id or code; findings
  std::optional<findings::Severity> at_least;  ///< findings
  std::optional<std::string> outcome;          ///< of the verdict; queue pairs
  std::optional<std::string> community_id{};   ///< of the connection
  std::uint64_t before = 0;                    ///< rows with a lower id only; 0: from the newest on
  std::size_t most = 100;
  std::optional<std::string> sensor{};  ///< its name
};

/// Why it asks for what records of its kind do not have: a sentence. Empty: it may have an answer. An empty answer
/// would look as if there were none.
[[nodiscard]] std::string mistake_in(const ArchiveQuery& query);

/// Newest first.
struct ArchivedRow {
  std::uint64_t id = 0;
  TimePoint time;
  std::string run;             ///< run of the daemon: queue pair numbers start again with each run
  std::string json;            ///< one record as docs/json-report.md describes it
  std::string run_uuid{};      ///< empty: a daemon of an earlier version stored it
  std::uint64_t sequence = 0;  ///< of the record; 0: likewise
  std::string sensor{};        ///< at a centre: its name; else empty
};

/// A place in the stored records of one kind: after this one.
struct ArchivePlace {
  RecordKind kind{};
  std::uint64_t id = 0;
  std::string run_uuid{};  ///< of that record: ids begin again when the file is replaced
  friend bool operator==(const ArchivePlace&, const ArchivePlace&) = default;
};

/// A stored record with what is searched for. (run_uuid, kind, id) names it for ever; ids of a kind have no holes.
struct StoredRecord {
  RecordKind kind{};
  std::uint64_t id = 0;
  std::string run_uuid;
  TimePoint stored;           ///< by the clock of the daemon's machine
  TimePoint time;             ///< as ArchivedRow; of heartbeats: `stored`
  std::string key{};          ///< a rule's name, an outcome, a state; empty: none
  std::uint8_t severity = 0;  ///< of findings: 1 note, 2 warning, 3 error; else 0
  std::optional<std::uint64_t> qp{};
  std::string a{}, b{};  ///< addresses; empty: none
  std::string interface {
  }, tap_group{};  ///< as RecordName
  std::string community_id{};
  std::uint64_t sequence = 0;  ///< as RecordName
  std::string json{};
};

/// The next records of a tail.
struct TailPage {
  std::vector<StoredRecord> records{};  ///< of each kind by id
  CountByKind expired{};                ///< records before these that were deleted before they could be read
  bool is_last = true;                  ///< there are no more yet
};

/// Reads stored records forward, of all kinds: heartbeats, findings, queue pairs, operations, summaries, states; a kind
/// begins in a page only when the one before has no more. Records of versions that gave no run a UUID are left out. For
/// one thread.
class ArchiveTail {
 public:
  virtual ~ArchiveTail() = default;
  /// At most `most` records, and some megaoctets.
  [[nodiscard]] virtual tl::expected<TailPage, std::string> next(std::size_t most, const Caller& caller = {}) = 0;
};

/// For any thread.
class Archive {
 public:
  virtual ~Archive() = default;
  /// Stops when the caller is gone.
  [[nodiscard]] virtual tl::expected<std::vector<ArchivedRow>, std::string> query(const ArchiveQuery& query,
                                                                                  const Caller& caller = {}) = 0;
  /// Begins after these places; kinds without one, and kinds whose file was replaced since, at the oldest record.
  [[nodiscard]] virtual std::unique_ptr<ArchiveTail> tail(std::vector<ArchivePlace> after) = 0;
};

}  // namespace iwarpscope::live
