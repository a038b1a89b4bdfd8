// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// What becomes rows of the history. Private to daemon/outputs.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "live/archive.h"
#include "live/event.h"
#include "live/summaries.h"

namespace iwarpscope::outputs {

/// One row of one table.
struct HistoryRow {
  live::RecordKind kind{};
  bool reported = true;  ///< it belongs to an event
  TimePoint time, first_time;
  findings::Severity severity{};
  std::string_view key{};  ///< findings: the rule's name; states: the state; else the outcome
  std::optional<std::uint64_t> qp{};
  std::optional<std::string> a{}, b{};
  Direction direction{};
  std::uint64_t message = 0;
  live::RecordName name{};  ///< operations: of the record that reported them
  std::string json{};
};

/// A row for each finding, ended queue pair and operation that failed with it; none for other events.
[[nodiscard]] std::vector<HistoryRow> rows_of(const std::vector<live::Event>& events);
[[nodiscard]] HistoryRow state_row(const live::QpView& view);
[[nodiscard]] HistoryRow heartbeat_row(std::string json);
[[nodiscard]] HistoryRow summary_row(const live::Summary& summary);

}  // namespace iwarpscope::outputs
