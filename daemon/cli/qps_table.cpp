// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/qps_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/wording.h"
#include "cli/client_text.h"
#include "findings/catalogue.h"
#include "report/human.h"
#include "report/qp_words.h"
#include "report/restart_words.h"
#include "report/utf8.h"

namespace iwarpscope::cli {
namespace {

constexpr std::int64_t kSecond = 1'000'000'000;

/// "-", "17 frames, 1.21 KiB": short for a table.
std::string lost_cell(const live::Losses& losses) {
  std::string text;
  if (losses.frames() != 0) text = counted(losses.frames(), "frame");
  if (losses.has_gaps()) text += (text.empty() ? "" : ", ") + report::gap_text(losses.gap_octets, losses.gap_messages);
  return text.empty() ? "-" : text;
}

/// One column of `qps`.
struct QpsColumn {
  std::string_view title;
  std::string (*cell)(const live::QpView& view, std::int64_t capture_time_ns);
  bool (*says)(const live::QpView& view) = nullptr;  ///< the column is shown if it says something of one; null: always
};
bool is_of_many(const live::QpView& view) {
  return view.name.origin && !view.name.origin->sensor.empty();
}
bool is_continued(const live::QpView& view) {
  return view.continued;
}
using View = const live::QpView&;
constexpr auto kQpsColumns = std::to_array<QpsColumn>({
    {"QP", [](View view, std::int64_t) { return fmt::format("{}", view.record.qp); }},
    {"Sensor", [](View view, std::int64_t) { return sensor_cell(view); }, is_of_many},
    {"A -> B",
     [](View view, std::int64_t) {
       const qp::QpRecord& r = view.record;
       return fmt::format("{} -> {}{}", r.a.text(), r.b.text(), report::stream_mark(r));
     }},
    {"ULP", [](View view, std::int64_t) { return ulp_cell(view); }},
    {"State", [](View view, std::int64_t) { return state_cell(view); }},
    {"CRC", [](View view, std::int64_t) { return report::crc_cell(view.record); }},
    {"Mkr", [](View view, std::int64_t) { return report::markers_cell(view.record); }},
    {"Depth", [](View view, std::int64_t) { return report::depth_cell(view.record); }},
    {"A->B messages", [](View view, std::int64_t) { return report::messages_cell(view.record.directions[0]); }},
    {"B->A messages", [](View view, std::int64_t) { return report::messages_cell(view.record.directions[1]); }},
    {"Rate", rate_cell},
    {"Waiting", [](View view, std::int64_t) { return outstanding_cell(view); }},
    {"Verdict", [](View view, std::int64_t) { return verdict_cell(view, true); }},
    {"Lost", [](View view, std::int64_t) { return lost_cell(view.losses); }},
    {"R", [](View view, std::int64_t) { return std::string(view.continued ? "c" : "-"); }, is_continued},
    {"Worst finding", [](View view, std::int64_t) { return worst_cell(view); }},
});

/// Those that a table of these queue pairs has.
std::vector<QpsColumn> columns_for(const std::vector<live::QpView>& views) {
  std::vector<QpsColumn> columns;
  for (const QpsColumn& column : kQpsColumns) {
    if (column.says == nullptr || std::any_of(views.begin(), views.end(), column.says)) columns.push_back(column);
  }
  return columns;
}

std::string legend(const std::vector<live::QpView>& views) {
  bool inferred = false, at_least = false, lost = false, continued = false;
  for (const live::QpView& view : views) {
    inferred |= report::is_inferred(view.record);
    lost |= has_losses(view);
    continued |= view.continued;
    for (const auto& direction : view.record.directions) at_least |= report::is_at_least(direction);
  }
  std::string out;
  if (inferred) out += std::string{report::kInferredLegend} + "\n";
  if (at_least) out += std::string{report::kAtLeastLegend} + "\n";
  if (lost)
    out +=
        "Lost: frames the capture dropped during this queue pair's lifetime (any connection), and its missing data\n";
  if (continued) out += fmt::format("R: c  {}\n", report::kContinued);
  return out;
}

}  // namespace

double current_rate(const live::QpView& view, std::int64_t capture_time_ns) noexcept {
  const bool is_old = view.ended || view.activity.last_second < capture_time_ns / kSecond - 2;
  const double rate = is_old ? 0 : view.activity.octets_per_second();
  return rate > 0 ? std::min(rate, 1e18) : 0;  // whatever the daemon sent
}

std::uint64_t outstanding(const live::QpView& view) noexcept {
  std::uint64_t count = 0;
  for (const qp::DirectionSummary& summary : view.record.summary.directions)
    count += summary.waiting ? summary.waiting->count : 0;
  return count;
}

std::string sensor_cell(const live::QpView& view) {
  return view.name.origin ? report::to_printable(view.name.origin->sensor) : "-";
}

std::string ulp_cell(const live::QpView& view) {
  return report::to_printable(view.record.ulp.value_or("-"));
}

std::string state_cell(const live::QpView& view) {
  return report::to_printable(report::state_text(view.record));
}

std::string rate_cell(const live::QpView& view, std::int64_t capture_time_ns) {
  const double rate = current_rate(view, capture_time_ns);
  return rate <= 0 ? "-" : report::human_rate(rate);
}

std::string outstanding_cell(const live::QpView& view) {
  const std::uint64_t waiting = outstanding(view);
  return waiting == 0 ? "-" : fmt::format("{}", waiting);
}

std::string verdict_cell(const live::QpView& view, bool with_code) {
  const auto& verdict = view.record.verdict;
  if (!verdict) return "-";
  std::string text{qp::name(verdict->outcome)};
  if (with_code && !verdict->code.empty()) text += ' ' + report::to_printable(verdict->code);
  return text;
}

std::string worst_cell(const live::QpView& view) {
  if (!view.findings.worst) return "none";
  const findings::Rule& rule = findings::rule(*view.findings.worst);
  return fmt::format("{}: {}", findings::name(rule.severity), rule.name);
}

std::string qps_table(const std::vector<live::QpView>& views, std::int64_t capture_time_ns) {
  using Row = std::vector<std::string>;
  const std::vector<QpsColumn> columns = columns_for(views);
  std::vector<Row> rows(1 + views.size(), Row(columns.size()));
  std::vector<std::size_t> widths(columns.size());
  for (std::size_t c = 0; c < columns.size(); ++c) {
    rows[0][c] = columns[c].title;
    for (std::size_t i = 0; i < views.size(); ++i) rows[i + 1][c] = columns[c].cell(views[i], capture_time_ns);
    for (const Row& row : rows) widths[c] = std::max(widths[c], row[c].size());
  }
  std::string out;
  for (const Row& row : rows) {
    for (std::size_t c = 0; c + 1 < row.size(); ++c) out += fmt::format("{:<{}}  ", row[c], widths[c]);
    out += row.back() + "\n";
  }
  return out + legend(views);
}

}  // namespace iwarpscope::cli
