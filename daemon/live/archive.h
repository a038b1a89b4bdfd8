// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Interface of the stored history, which is kept across restarts.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <tl/expected.hpp>

#include "base/time_point.h"
#include "findings/finding.h"
#include "live/caller.h"

namespace iwarpscope::live {

struct ArchiveQuery {
  enum class Kind : std::uint8_t { findings, qps, operations };
  Kind kind{};
  std::optional<TimePoint> from, to;           ///< capture time
  std::optional<std::string> host;             ///< address of either end
  std::optional<std::string> rule;             ///< id or code; findings
  std::optional<findings::Severity> at_least;  ///< findings
  std::optional<std::string> outcome;          ///< of the verdict; queue pairs
  std::optional<std::string> community_id{};   ///< of the connection
  std::uint64_t before = 0;                    ///< rows with a lower id only; 0: from the newest on
  std::size_t most = 100;
};

/// Newest first.
struct ArchivedRow {
  std::uint64_t id = 0;
  TimePoint time;
  std::string run;             ///< run of the daemon: queue pair numbers start again with each run
  std::string json;            ///< one record as docs/json-report.md describes it
  std::string run_uuid{};      ///< empty: a daemon of an earlier version stored it
  std::uint64_t sequence = 0;  ///< of the record; 0: likewise
};

/// For any thread.
class Archive {
 public:
  virtual ~Archive() = default;
  /// Stops when the caller is gone.
  [[nodiscard]] virtual tl::expected<std::vector<ArchivedRow>, std::string> query(const ArchiveQuery& query,
                                                                                  const Caller& caller = {}) = 0;
};

}  // namespace iwarpscope::live
