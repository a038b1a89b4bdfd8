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

constexpr std::size_t kColumns = 12;
using Cells = std::array<std::string, kColumns>;

const Cells kHead = {"QP",  "A -> B", "ULP",           "Began",         "State", "CRC",
                     "Mkr", "Depth",  "A->B messages", "B->A messages", "Lost",  "Worst finding"};

/// How A and B were distinguished: nothing after the ends when MPA showed it.
std::string_view roles_mark(qp::Roles roles) noexcept {
  switch (roles) {
    case qp::Roles::mpa: return "";
    case qp::Roles::tcp: return " *";
    case qp::Roles::address: return " ?";
  }
  return "";
}

std::string messages_cell(const qp::DirectionRecord& direction) {
  if (!direction.captured) return "not captured";
  const std::uint64_t messages = message_count(direction);
  const std::string_view more = is_at_least(direction) ? "+" : "";
  if (messages == 0 && more.empty()) return "-";
  return fmt::format("{}{}, {}", messages, more, human_octets(payload_octets(direction)));
}

std::string lost_cell(const qp::QpRecord& record) {
  const Gaps gaps = gaps_of(record);
  return gaps.any() ? gap_text(gaps.octets, gaps.messages) : "-";
}

Cells cells(const QpRow& row) {
  const qp::QpRecord& r = row.record;
  return {fmt::format("{}", r.qp),
          fmt::format("{} -> {}{}{}", r.a.text(), r.b.text(), roles_mark(r.roles), stream_mark(r)),
          std::string{r.ulp.value_or("-")},
          r.joined_midstream ? "mid-stream" : "startup",
          state_text(r),
          crc_cell(r),
          markers_cell(r),
          depth_cell(r),
          messages_cell(r.directions[0]),
          messages_cell(r.directions[1]),
          lost_cell(r),
          row.worst ? std::string{findings::rule(*row.worst).name} : "none"};
}

void append_line(std::string& out, const Cells& line, const std::array<std::size_t, kColumns>& widths,
                 const std::string& last) {
  for (std::size_t i = 0; i + 1 < kColumns; ++i) {
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
  std::array<std::size_t, kColumns> widths{};
  for (std::size_t i = 0; i < kColumns; ++i) {
    for (const Cells& line : table) widths[i] = std::max(widths[i], line[i].size());
    widths[i] = std::max(widths[i], kHead[i].size());
  }
  const auto blank = [&](std::size_t column) {
    return std::all_of(table.begin(), table.end(), [&](const Cells& line) { return line[column] == "-"; });
  };
  if (blank(2)) widths[2] = 0;    // no ULP known
  if (blank(10)) widths[10] = 0;  // nothing lost
  out +=
      paint.bold(total > rows.size()
                     ? fmt::format("{}, the worst and busiest {} of them:", counted(total, "queue pair"), rows.size())
                     : counted(total, "queue pair")) +
      "\n";
  append_line(out, kHead, widths, kHead.back());
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
