// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "statistics/qp_cells.h"

#include <fmt/format.h>

#include <array>

#include "report/human.h"
#include "report/qp_words.h"

namespace iwarpscope::plugin {
namespace {

/// Its outcome and the cause: "failed (a)".
std::string outcome_cell(const qp::QpRecord& record) {
  if (!record.verdict) return "-";
  const std::string_view outcome = name(record.verdict->outcome);
  switch (record.verdict->blame) {
    case qp::Blame::a:
    case qp::Blame::b:
    case qp::Blame::path:
    case qp::Blame::capture: return fmt::format("{} ({})", outcome, name(record.verdict->blame));
    case qp::Blame::none:
    case qp::Blame::unknown: break;
  }
  return std::string{outcome};
}

/// A count for one direction.
std::string count_cell(const qp::DirectionRecord& direction,
                       std::uint64_t (*count)(const qp::DirectionRecord&) noexcept) {
  if (!direction.captured) return "not captured";
  return fmt::format("{}{}", count(direction), report::is_at_least(direction) ? "+" : "");
}

using Worst = std::optional<findings::FindingId>;

struct QpColumn {
  Column column;
  std::string (*cell)(const qp::QpRecord& record, Worst worst);
  std::string (*early)(const Connection& connection) = nullptr;  ///< while only the ends are known; null: "..."
};
constexpr auto kQpColumns = std::to_array<QpColumn>({
    {{"QP", true},
     [](const qp::QpRecord& r, Worst) { return fmt::format("{}", r.qp); },
     [](const Connection& c) { return fmt::format("{}", c.qp.value_or(0)); }},
    {{"A"}, [](const qp::QpRecord& r, Worst) { return r.a.text(); }, [](const Connection& c) { return c.a.text(); }},
    {{"B"},
     [](const qp::QpRecord& r, Worst) { return r.b.text() + report::stream_mark(r); },
     [](const Connection& c) { return c.b.text() + stream_mark(c); }},
    {{"State"}, [](const qp::QpRecord& r, Worst) { return report::state_text(r); }},
    {{"CRC"}, [](const qp::QpRecord& r, Worst) { return report::crc_cell(r); }},
    {{"Markers"}, [](const qp::QpRecord& r, Worst) { return report::markers_cell(r); }},
    {{"Depth"}, [](const qp::QpRecord& r, Worst) { return report::depth_cell(r); }},
    {{"A>B msgs", true},
     [](const qp::QpRecord& r, Worst) { return count_cell(r.directions[0], report::message_count); }},
    {{"A>B octets", true},
     [](const qp::QpRecord& r, Worst) { return count_cell(r.directions[0], report::payload_octets); }},
    {{"B>A msgs", true},
     [](const qp::QpRecord& r, Worst) { return count_cell(r.directions[1], report::message_count); }},
    {{"B>A octets", true},
     [](const qp::QpRecord& r, Worst) { return count_cell(r.directions[1], report::payload_octets); }},
    {{"Retrans", true},
     [](const qp::QpRecord& r, Worst) {
       return fmt::format("{}", r.directions[0].retransmitted_octets + r.directions[1].retransmitted_octets);
     }},
    {{"Outcome"}, [](const qp::QpRecord& r, Worst) { return outcome_cell(r); }},
    {{"Worst finding"},
     [](const qp::QpRecord&, Worst worst) {
       return worst ? fmt::format("{} {}", findings::rule(*worst).code, findings::rule(*worst).name) : "none";
     }},
});

constexpr auto kHead = [] {
  std::array<Column, kQpColumns.size()> head;
  for (std::size_t i = 0; i < head.size(); ++i) head[i] = kQpColumns[i].column;
  return head;
}();

}  // namespace

std::string stream_mark(const Connection& connection) {
  return connection.over_sctp ? fmt::format(" stream {}", connection.over_sctp->stream) : std::string{};
}

std::span<const Column> qp_columns() noexcept {
  return kHead;
}

std::vector<std::string> qp_cells(const qp::QpRecord& record, std::optional<findings::FindingId> worst) {
  std::vector<std::string> cells;
  cells.reserve(kQpColumns.size());
  for (const QpColumn& column : kQpColumns) cells.push_back(column.cell(record, worst));
  return cells;
}

std::vector<std::string> qp_cells(const Connection& connection) {
  std::vector<std::string> cells;
  cells.reserve(kQpColumns.size());
  for (const QpColumn& column : kQpColumns) {
    cells.push_back(column.early == nullptr ? "..." : column.early(connection));
  }
  return cells;
}

std::vector<std::optional<findings::FindingId>> worst_findings(const Session& session) {
  std::vector<std::optional<findings::FindingId>> worst(session.queue_pairs());
  for (std::uint32_t i = 0; i < session.findings(); ++i) {
    const findings::Finding& finding = session.finding(i);
    if (!finding.qp || *finding.qp >= worst.size()) continue;
    auto& known = worst[*finding.qp];
    if (!known || findings::rule(*known).severity < findings::rule(finding.id).severity) known = finding.id;
  }
  return worst;
}

}  // namespace iwarpscope::plugin
