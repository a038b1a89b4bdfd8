// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "statistics/qp_cells.h"

#include <fmt/format.h>

#include <array>

#include "report/human.h"
#include "report/qp_words.h"

namespace iwarpscope::plugin {
namespace {

constexpr std::array<Column, 14> kQpColumns{{{"QP", true},
                                             {"A"},
                                             {"B"},
                                             {"State"},
                                             {"CRC"},
                                             {"Markers"},
                                             {"Depth"},
                                             {"A>B msgs", true},
                                             {"A>B octets", true},
                                             {"B>A msgs", true},
                                             {"B>A octets", true},
                                             {"Retrans", true},
                                             {"Outcome"},
                                             {"Worst finding"}}};

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
std::string count_cell(const qp::DirectionRecord& direction, std::uint64_t count) {
  if (!direction.captured) return "not captured";
  return fmt::format("{}{}", count, report::is_at_least(direction) ? "+" : "");
}

}  // namespace

std::string stream_mark(const Connection& connection) {
  return connection.over_sctp ? fmt::format(" stream {}", connection.over_sctp->stream) : std::string{};
}

std::span<const Column> qp_columns() noexcept {
  return kQpColumns;
}

std::vector<std::string> qp_cells(const qp::QpRecord& r, std::optional<findings::FindingId> worst) {
  const auto& [a, b] = r.directions;
  return {fmt::format("{}", r.qp),
          r.a.text(),
          r.b.text() + report::stream_mark(r),
          report::state_text(r),
          report::crc_cell(r),
          report::markers_cell(r),
          report::depth_cell(r),
          count_cell(a, report::message_count(a)),
          count_cell(a, report::payload_octets(a)),
          count_cell(b, report::message_count(b)),
          count_cell(b, report::payload_octets(b)),
          fmt::format("{}", a.retransmitted_octets + b.retransmitted_octets),
          outcome_cell(r),
          worst ? fmt::format("{} {}", findings::rule(*worst).code, findings::rule(*worst).name) : "none"};
}

std::vector<std::string> qp_cells(const Connection& connection) {
  std::vector<std::string> cells(kQpColumns.size(), "...");
  cells[0] = fmt::format("{}", connection.qp.value_or(0));
  cells[1] = connection.a.text();
  cells[2] = connection.b.text() + stream_mark(connection);
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
