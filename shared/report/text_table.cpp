// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The table of queue pairs in the report for people.
#include <fmt/format.h>

#include <algorithm>

#include "report/human.h"
#include "report/qp_words.h"
#include "report/text_parts.h"

namespace iwarpscope::report {
namespace {

/// How A and B were distinguished: nothing after the ends when MPA showed it.
std::string_view roles_mark(qp::Roles roles) noexcept {
  switch (roles) {
    case qp::Roles::mpa: return "";
    case qp::Roles::tcp: return " *";
    case qp::Roles::address: return " ?";
  }
  return "";
}

std::string lost_cell(const qp::QpRecord& record) {
  const Gaps gaps = gaps_of(record);
  return gaps.any() ? gap_text(gaps.octets, gaps.messages) : "-";
}

/// One column. The last one is not padded.
struct Column {
  std::string_view title;
  std::string (*cell)(const QpRow& row);
  bool may_be_left_out = false;  ///< when all cells are "-"
};
constexpr auto kColumns = std::to_array<Column>({
    {"QP", [](const QpRow& row) { return fmt::format("{}", row.record.qp); }},
    {"A -> B",
     [](const QpRow& row) {
       const qp::QpRecord& r = row.record;
       return fmt::format("{} -> {}{}{}", r.a.text(), r.b.text(), roles_mark(r.roles), stream_mark(r));
     }},
    {"ULP", [](const QpRow& row) { return std::string{row.record.ulp.value_or("-")}; }, true},
    {"Began", [](const QpRow& row) { return std::string{row.record.joined_midstream ? "mid-stream" : "startup"}; }},
    {"State", [](const QpRow& row) { return state_text(row.record); }},
    {"CRC", [](const QpRow& row) { return crc_cell(row.record); }},
    {"Mkr", [](const QpRow& row) { return markers_cell(row.record); }},
    {"Depth", [](const QpRow& row) { return depth_cell(row.record); }},
    {"A->B messages", [](const QpRow& row) { return messages_cell(row.record.directions[0]); }},
    {"B->A messages", [](const QpRow& row) { return messages_cell(row.record.directions[1]); }},
    {"Lost", [](const QpRow& row) { return lost_cell(row.record); }, true},
    {"Worst finding",
     [](const QpRow& row) { return row.worst ? std::string{findings::rule(*row.worst).name} : "none"; }},
});
using Cells = std::array<std::string, kColumns.size()>;

Cells cells(const QpRow& row) {
  Cells all;
  for (std::size_t i = 0; i < kColumns.size(); ++i) all[i] = kColumns[i].cell(row);
  return all;
}
Cells head() {
  Cells all;
  for (std::size_t i = 0; i < kColumns.size(); ++i) all[i] = kColumns[i].title;
  return all;
}

/// A column of width 0 is left out.
std::array<std::size_t, kColumns.size()> widths_of(const std::vector<Cells>& table) {
  std::array<std::size_t, kColumns.size()> widths{};
  for (std::size_t i = 0; i < kColumns.size(); ++i) {
    const auto is_blank = [i](const Cells& line) { return line[i] == "-"; };
    if (kColumns[i].may_be_left_out && std::all_of(table.begin(), table.end(), is_blank)) continue;
    widths[i] = kColumns[i].title.size();
    for (const Cells& line : table) widths[i] = std::max(widths[i], line[i].size());
  }
  return widths;
}

void append_line(std::string& out, const Cells& line, const std::array<std::size_t, kColumns.size()>& widths,
                 const std::string& last) {
  for (std::size_t i = 0; i + 1 < kColumns.size(); ++i) {
    if (widths[i] == 0) continue;
    out += fmt::format("{:<{}}  ", line[i], widths[i]);
  }
  out += last;
  out += '\n';
}

/// What the marks in the table mean, where they are used.
void append_legend(std::string& out, const Paint& paint, const std::vector<QpRow>& rows) {
  const auto any = [&](auto&& has) { return std::any_of(rows.begin(), rows.end(), has); };
  if (any([](const QpRow& r) { return r.record.roles == qp::Roles::tcp; })) {
    out += paint.dim("*  A sent the TCP SYN; which end is the MPA Initiator was not seen") + "\n";
  }
  if (any([](const QpRow& r) { return r.record.roles == qp::Roles::address; })) {
    out += paint.dim("?  the capture does not show which end opened the connection: A has the lower address and port") +
           "\n";
  }
  if (any([](const QpRow& r) { return is_inferred(r.record); })) {
    out += paint.dim(kInferredLegend) + "\n";
  }
  if (any([](const QpRow& r) { return is_at_least(r.record.directions[0]) || is_at_least(r.record.directions[1]); })) {
    out += paint.dim(kAtLeastLegend) + "\n";
  }
  out +=
      paint.dim("Mkr: markers, A to B/B to A if they differ; Depth: RDMA Reads that A/B may have outstanding") + "\n";
}

}  // namespace

void append_table(std::string& out, const Paint& paint, const std::vector<QpRow>& rows, std::uint64_t total) {
  if (rows.empty()) return;
  std::vector<Cells> table;
  std::transform(rows.begin(), rows.end(), std::back_inserter(table), cells);
  const auto widths = widths_of(table);
  out +=
      paint.bold(total > rows.size()
                     ? fmt::format("{}, the worst and busiest {} of them:", counted(total, "queue pair"), rows.size())
                     : counted(total, "queue pair")) +
      "\n";
  append_line(out, head(), widths, std::string{kColumns.back().title});
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::optional<findings::FindingId> worst = rows[i].worst;
    append_line(out, table[i], widths,
                worst ? paint.severity(findings::rule(*worst).severity, table[i].back()) : paint.good("none"));
  }
  if (total > rows.size()) {
    out += fmt::format("{} not shown; --qp N shows one in detail, --format json all of them\n",
                       counted(total - rows.size(), "queue pair"));
  }
  append_legend(out, paint, rows);
}

}  // namespace iwarpscope::report
