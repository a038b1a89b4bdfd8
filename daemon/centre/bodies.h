// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Stored records, JSON as docs/json-report.md describes it, as the core's records.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "live/views.h"

namespace iwarpscope::centre {

/// A `qp` record with its name and losses. What reports do not show has its default; of the summary there is only what
/// the verdict's `since` needs. Nothing if the text is no such record. Members that are missing, of another type or out
/// of range have their default: a sensor may be of another version, or hostile.
[[nodiscard]] std::optional<live::QpView> read_qp(std::string_view json);

/// A `finding` record with its ends and its name. Nothing if it is none, or of a rule that this program does not know.
[[nodiscard]] std::optional<live::FindingView> read_finding(std::string_view json);

/// A sensor's own state.
struct Heartbeat {
  live::SensorView sensor;    ///< what it says of itself; its name, site and position are for the centre to say
  bool is_last = false;       ///< the capture has ended: its daemon stops, or
  bool is_replay = false;     ///< it replayed files, and may go on to answer
  std::int64_t every_ns = 0;  ///< time between two of them
  std::uint64_t frames = 0, octets = 0, qps_opened = 0;  ///< since the start of its daemon
  std::map<std::string, std::uint64_t> qps_by_state, qps_closed, findings;
};
/// Adds a sentence to what is wrong with a sensor.
void add_trouble(live::SensorView& of, const std::string& sentence);
/// By how much the clock of a heartbeat is off at most: the member "clock". Nothing if it is not known.
[[nodiscard]] std::optional<std::int64_t> clock_bound_ns(std::string_view json);
/// Nothing if it is none.
[[nodiscard]] std::optional<Heartbeat> read_heartbeat(std::string_view json);

}  // namespace iwarpscope::centre
