#include "statistics/qp_cells.h"

#include <fmt/format.h>
#include <glib.h>

#include <algorithm>
#include <numeric>

#include "report/human.h"

namespace iwarpscope::plugin {
namespace {

constexpr std::array<Column, 14> kColumns{{{"QP", true},
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

std::string on_off(std::optional<bool> setting) {
  return !setting ? "?" : *setting ? "on" : "off";
}

std::string crc_cell(const qp::QpRecord& record) {
  return on_off(record.crc_in_use) + (record.crc_in_use && record.crc_inferred ? "~" : "");
}

std::string markers_cell(const qp::QpRecord& record) {
  const auto& [a, b] = record.markers;
  const std::string text = a == b ? on_off(a) : on_off(a) + "/" + on_off(b);
  return (a || b) && record.markers_inferred ? text + "~" : text;
}

std::string depth_cell(std::optional<std::uint16_t> depth) {
  return !depth || *depth == mpa::kDepthNotNegotiated ? "?" : fmt::format("{}", *depth);
}

std::string state_cell(const qp::QpRecord& record) {
  std::string text{qp::name(record.state)};
  std::replace(text.begin(), text.end(), '_', ' ');
  if (record.closed_by) {
    text += " (";
    for (const char c : *record.closed_by) text += g_ascii_toupper(c);
    text += ')';
  }
  return text;
}

/// What became of it, and who caused it: "failed (a)".
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

template <class Counts>
std::string sum_cell(const qp::DirectionRecord& direction, const Counts& counts) {
  if (!direction.captured) return "not captured";
  const auto sum = std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
  return fmt::format("{}{}", sum, direction.unframed_octets != 0 ? "+" : "");
}

}  // namespace

std::span<const Column> qp_columns() noexcept {
  return kColumns;
}

std::vector<std::string> qp_cells(const qp::QpRecord& r, std::optional<findings::FindingId> worst) {
  const auto& [a, b] = r.directions;
  return {fmt::format("{}", r.qp),
          report::endpoint_text(r.a),
          report::endpoint_text(r.b),
          state_cell(r),
          crc_cell(r),
          markers_cell(r),
          depth_cell(r.read_depth[0]) + "/" + depth_cell(r.read_depth[1]),
          sum_cell(a, a.messages),
          sum_cell(a, a.payload_octets),
          sum_cell(b, b.messages),
          sum_cell(b, b.payload_octets),
          fmt::format("{}", a.retransmitted_octets + b.retransmitted_octets),
          outcome_cell(r),
          worst ? fmt::format("{} {}", findings::rule(*worst).code, findings::rule(*worst).name) : "none"};
}

std::vector<std::string> qp_cells(const Connection& connection) {
  std::vector<std::string> cells(kColumns.size(), "...");
  cells[0] = fmt::format("{}", connection.qp.value_or(0));
  cells[1] = report::endpoint_text(connection.a);
  cells[2] = report::endpoint_text(connection.b);
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
