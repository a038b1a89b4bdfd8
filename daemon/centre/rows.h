// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Rows of the centre's tables as the core's records, with the numbers that they have at the centre.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "centre/postgres.h"
#include "live/event.h"
#include "live/record_name.h"
#include "live/views.h"

namespace iwarpscope::centre {

/// The role under which the centre's own findings are stored.
inline constexpr std::string_view kCentre = "iwarpscope_centre";
inline constexpr std::int64_t kCentreRun = 0;  ///< the number of its run

/// The number at the centre of a queue pair of one run of a sensor.
[[nodiscard]] constexpr std::uint64_t number_of(std::int64_t run, std::int64_t qp) noexcept {
  return static_cast<std::uint64_t>(run) * live::kQpNumbersOfRun + static_cast<std::uint64_t>(qp);
}
struct QpPlace {
  std::int64_t run = 0, qp = 0;
};
/// The first place whose number is not below this one.
[[nodiscard]] constexpr QpPlace place_of(std::uint64_t number) noexcept {
  constexpr std::uint64_t kLast = 2'147'483'647ULL * live::kQpNumbersOfRun;
  if (number > kLast) return {2'147'483'647, 0};
  return {static_cast<std::int64_t>(number / live::kQpNumbersOfRun),
          static_cast<std::int64_t>(number % live::kQpNumbersOfRun)};
}

/// What a statement selects for record_event(), and from where.
inline constexpr const char* kRecordColumns =
    "r.kind, r.arrival, r.run, r.qp, s.role, r.body::text, n.uuid, coalesce(r.sequence, 0)";
inline constexpr const char* kRecordTables =
    "iwarpscope.record r JOIN iwarpscope.sensor s ON s.number = r.sensor JOIN iwarpscope.run n ON n.number = r.run";
inline constexpr int kArrivalColumn = 1;  ///< of these
/// $1: a number of arrival. That of the next record that record_event() can have; NULL: no record follows.
inline constexpr const char* kNextRecord =
    "SELECT least((SELECT min(r.arrival) FROM iwarpscope.record r WHERE r.kind = 1 AND r.arrival > $1), "
    "(SELECT min(r.arrival) FROM iwarpscope.record r WHERE r.kind = 2 AND r.arrival > $1))";
/// Numbers of arrival that are read for each record of a page: a wide range may be sorted as a whole, as the server
/// knows little of a table that is filling. Numbers have holes: if none is there, kNextRecord says where to go on.
inline constexpr std::uint64_t kNumbersOfRecord = 4;
/// The end of such a range, at most `through`.
[[nodiscard]] constexpr std::uint64_t end_of_range(std::uint64_t after, std::uint64_t through,
                                                   std::uint64_t most) noexcept {
  const std::uint64_t wide = kNumbersOfRecord * most;
  return after < through && through - after > wide ? after + wide : through;
}
/// FindingReported or QpEnded. Nothing if this program cannot read it: the sensor is of a newer version, or hostile.
[[nodiscard]] std::optional<live::Event> record_event(const Result& rows, int row);

/// What a statement selects of `qp q`, `sensor s`, `run n`, kFoundOfQp and the body of its record for qp_of(), in this
/// order:
inline constexpr const char* kQpColumns =
    "q.run, q.qp, q.kind, s.role, q.severity, q.errors, q.warnings, q.notes, host(q.a), host(q.b), q.a_port, q.b_port, "
    "q.ulp, q.community_id, q.tap_group, n.uuid, f.errors, f.warnings, f.notes, f.worst";
inline constexpr int kQpBody = 20;  ///< the column behind them: the body as text, or NULL
/// The join that finds what the centre itself found about `qp q`.
inline constexpr const char* kFoundOfQp = " LEFT JOIN iwarpscope.centre_finding f ON f.run = q.run AND f.qp = q.qp";
/// The joins that find the record of `qp q`, as `r` if it ended; its body is then kBodyOfQp.
inline constexpr const char* kRecordOfQp = R"(
      LEFT JOIN LATERAL (
        SELECT r.body, r.stored, r.arrived, r.key, r.a, r.b FROM iwarpscope.record r
          WHERE q.kind = 2 AND (r.day, r.sensor, r.run, r.kind, r.id) = (q.day, q.sensor, q.run, 2, q.id)) r ON true
      LEFT JOIN LATERAL (
        SELECT t.body FROM iwarpscope.state t
          WHERE q.kind = 4 AND (t.day, t.sensor, t.run, t.kind, t.id) = (q.day, q.sensor, q.run, 4, q.id)) t ON true)";
inline constexpr const char* kBodyOfQp = "coalesce(q.body, r.body, t.body)::text";
/// Without a body, what the row says. The counts of findings are those of the sensor and of the centre together.
[[nodiscard]] live::QpViewPtr qp_of(const Result& rows, int row);

/// Unspecified if the column has no address.
[[nodiscard]] net::IpAddress address_of(const Result& rows, int row, int column);
/// 0 for what is negative.
[[nodiscard]] std::uint64_t count_of(const Result& rows, int row, int column);
/// A timestamptz in microseconds since 1970.
[[nodiscard]] std::optional<TimePoint> time_of(const Result& rows, int row, int column);

}  // namespace iwarpscope::centre
