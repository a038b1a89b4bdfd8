// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "outputs/history_rows.h"

#include <fmt/format.h>

#include "live/qp_json.h"
#include "outputs/lines.h"
#include "outputs/run.h"
#include "outputs/summary_json.h"
#include "report/json.h"

namespace iwarpscope::outputs {
namespace {

using Ends = std::optional<std::pair<net::Endpoint, net::Endpoint>>;

std::string without_feed(std::string line) {
  line.pop_back();
  return line;
}

void set_ends(HistoryRow& row, const Ends& ends) {
  if (!ends) return;
  row.a = ends->first.address.text();
  row.b = ends->second.address.text();
}

/// Operations of a queue pair that failed, and its ends, if they are known. `reported`: the row that reports them.
void add_operations(const std::vector<live::FailedOperation>& failed, const HistoryRow& reported, const Ends& ends,
                    std::vector<HistoryRow>& rows) {
  for (const live::FailedOperation& one : failed) {
    HistoryRow& row = rows.emplace_back();
    row.kind = live::RecordKind::operations;
    row.reported = false;
    row.time = one.message->first_time;
    row.key = live::name(one.how);
    row.qp = one.message->qp;
    set_ends(row, ends);
    row.name = reported.name;
    row.direction = one.message->direction;
    row.message = one.message->index;
    report::append_json(row.json, *one.message);
    row.json.resize(row.json.size() - 2);  // "}\n"
    row.json += fmt::format(R"(,"outcome":"{}",{},)", row.key, ends_json(ends));
    append_named(row.json, row.name);
    row.json += '}';
  }
}

HistoryRow finding_row(const live::FindingView& view) {
  const findings::Finding& finding = view.finding;
  HistoryRow row;
  row.kind = live::RecordKind::findings;
  row.time = finding.frame.value != 0 ? finding.time : now();
  row.severity = findings::rule(finding.id).severity;
  row.key = findings::rule(finding.id).name;
  row.qp = finding.qp;
  set_ends(row, view.ends);
  append_finding(row.json, view);
  row.json = without_feed(std::move(row.json));
  row.name = live::named(view);
  return row;
}

HistoryRow qp_row(live::RecordKind kind, const live::QpView& view) {
  const qp::QpRecord& record = view.record;
  HistoryRow row;
  row.kind = kind;
  row.first_time = record.first_time;
  row.time = record.last_time;
  row.qp = record.qp;
  set_ends(row, std::pair{record.a, record.b});
  live::append_json(row.json, view);
  row.json = without_feed(std::move(row.json));
  row.name = live::named(view);
  return row;
}

}  // namespace

std::vector<HistoryRow> rows_of(const std::vector<live::Event>& events) {
  std::vector<HistoryRow> rows;
  for (const live::Event& event : events) {
    if (const auto* reported = std::get_if<live::FindingReported>(&event)) {
      HistoryRow row = finding_row(*reported->finding);
      add_operations(reported->failed, row, reported->finding->ends, rows);
      rows.push_back(std::move(row));
    } else if (const auto* ended = std::get_if<live::QpEnded>(&event)) {
      const qp::QpRecord& record = ended->qp->record;
      HistoryRow row = qp_row(live::RecordKind::qps, *ended->qp);
      if (record.verdict) row.key = qp::name(record.verdict->outcome);
      add_operations(ended->failed, row, std::pair{record.a, record.b}, rows);
      rows.push_back(std::move(row));
    }
  }
  return rows;
}

HistoryRow state_row(const live::QpView& view) {
  HistoryRow row = qp_row(live::RecordKind::states, view);
  row.key = qp::name(view.record.state);
  return row;
}

HistoryRow heartbeat_row(std::string json) {
  HistoryRow row;
  row.kind = live::RecordKind::heartbeats;
  row.json = std::move(json);
  return row;
}

HistoryRow summary_row(const live::Summary& summary) {
  HistoryRow row;
  row.kind = live::RecordKind::summaries;
  row.reported = false;
  row.time = summary.from;
  if (summary.ends) {
    row.a = summary.ends->first.text();
    row.b = summary.ends->second.text();
  }
  row.name = summary.name;
  row.json = summary_json(summary);
  return row;
}

}  // namespace iwarpscope::outputs
