// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "centre/rows.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "api/interned.h"
#include "centre/bodies.h"
#include "findings/catalogue.h"

namespace iwarpscope::centre {
namespace {

constexpr std::int64_t kMicrosecond = 1000;
enum Kind : std::int64_t { kFinding = 1, kEndedQp = 2 };

/// The sensor is the one that logged in, whatever the record says.
void put_name(live::RecordName& name, std::string_view role, std::string_view run_uuid, std::uint64_t arrival) {
  live::Origin origin = name.origin ? *name.origin : live::Origin{};
  origin.sensor = role;
  origin.run_uuid = run_uuid;
  origin.one_of_many = true;
  name.origin = std::make_shared<const live::Origin>(std::move(origin));
  name.arrival = arrival;
}

/// The number of a queue pair that a record names.
std::optional<std::uint64_t> qp_number(const Result& rows, int row, int run, int qp, std::string_view role) {
  if (rows.is_null(row, qp)) return std::nullopt;
  const std::int64_t number = rows.number(row, qp);
  if (role == kCentre) return static_cast<std::uint64_t>(number);
  if (number < 0 || static_cast<std::uint64_t>(number) >= live::kQpNumbersOfRun) return std::nullopt;
  return number_of(rows.number(row, run), number);
}

/// What the centre itself found, in four columns.
void add_found(live::FindingCounts& counts, const Result& rows, int row, int column) {
  counts.errors += count_of(rows, row, column);
  counts.warnings += count_of(rows, row, column + 1);
  counts.notes += count_of(rows, row, column + 2);
  const findings::Rule* const worst = findings::find_rule(rows.text(row, column + 3));
  if (worst == nullptr) return;  // a service of a newer version found it
  if (!counts.worst || worst->severity > findings::rule(*counts.worst).severity) counts.worst = worst->id;
}

}  // namespace

std::optional<live::Event> record_event(const Result& rows, int row) {
  enum Column : int { kKind, kArrival, kRun, kQp, kRole, kBody, kRunUuid, kSequence };
  const auto arrival = static_cast<std::uint64_t>(rows.number(row, kArrival));
  const std::string_view role = rows.text(row, kRole);
  const auto qp = qp_number(rows, row, kRun, kQp, role);
  if (rows.number(row, kKind) == kFinding) {
    auto view = read_finding(rows.text(row, kBody));
    if (!view) return std::nullopt;
    view->sequence = arrival;
    view->finding.qp = qp;
    put_name(view->name, role, rows.text(row, kRunUuid), arrival);
    view->name.sequence = static_cast<std::uint64_t>(rows.number(row, kSequence));
    return live::FindingReported{std::make_shared<const live::FindingView>(std::move(*view))};
  }
  auto view = rows.number(row, kKind) == kEndedQp ? read_qp(rows.text(row, kBody)) : std::nullopt;
  if (!view || !qp) return std::nullopt;
  view->record.qp = *qp;
  view->ended = true;
  put_name(view->name, role, rows.text(row, kRunUuid), arrival);
  view->name.sequence = static_cast<std::uint64_t>(rows.number(row, kSequence));
  return live::QpEnded{std::make_shared<const live::QpView>(std::move(*view))};
}

live::QpViewPtr qp_of(const Result& rows, int row) {
  enum Column : int {
    kRun,
    kQp,
    kKind,
    kRole,
    kSeverity,
    kErrors,
    kWarnings,
    kNotes,
    kA,
    kB,
    kAPort,
    kBPort,
    kUlp,
    kCommunityId,
    kTapGroup,
    kRunUuid,
    kFound  ///< errors, warnings and notes of the centre, and the worst rule
  };
  auto read = rows.is_null(row, kQpBody) ? std::nullopt : read_qp(rows.text(row, kQpBody));
  live::QpView view;
  if (read) {
    view = std::move(*read);
  } else {
    const auto end = [&](int address, int port) {
      return net::Endpoint{address_of(rows, row, address), static_cast<std::uint16_t>(rows.number(row, port))};
    };
    view.record.a = end(kA, kAPort);
    view.record.b = end(kB, kBPort);
    view.record.state = qp::State::unconfirmed;
    if (!rows.is_null(row, kUlp)) view.record.ulp = api::interned(std::string(rows.text(row, kUlp)));
    view.name.tap_group = rows.text(row, kTapGroup);
    view.name.community_id = rows.text(row, kCommunityId);
    view.findings.errors = static_cast<std::uint64_t>(rows.number(row, kErrors));
    view.findings.warnings = static_cast<std::uint64_t>(rows.number(row, kWarnings));
    view.findings.notes = static_cast<std::uint64_t>(rows.number(row, kNotes));
  }
  if (!rows.is_null(row, kFound)) add_found(view.findings, rows, row, kFound);
  view.record.qp = number_of(rows.number(row, kRun), rows.number(row, kQp));
  view.ended = rows.number(row, kKind) == kEndedQp;
  put_name(view.name, rows.text(row, kRole), rows.text(row, kRunUuid), 0);
  return std::make_shared<const live::QpView>(std::move(view));
}

net::IpAddress address_of(const Result& rows, int row, int column) {
  return net::IpAddress::parse(std::string(rows.text(row, column))).value_or(net::IpAddress{});
}

std::uint64_t count_of(const Result& rows, int row, int column) {
  return static_cast<std::uint64_t>(std::max<std::int64_t>(rows.number(row, column), 0));
}

std::optional<TimePoint> time_of(const Result& rows, int row, int column) {
  if (rows.is_null(row, column)) return std::nullopt;
  return TimePoint{rows.number(row, column) * kMicrosecond};
}

}  // namespace iwarpscope::centre
