// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// -z iwarp,qp: one line per queue pair, then the verdicts on those that were refused, failed or stalled.
#include <fmt/format.h>

#include <algorithm>
#include <exception>

#include "epan/capture.h"
#include "epan/taps.h"
#include "report/human.h"
#include "report/qp_words.h"
#include "statistics/command_line.h"
#include "statistics/qp_cells.h"
#include "statistics/registrations.h"
#include "statistics/window_table.h"

namespace iwarpscope::plugin {
namespace {

constexpr std::size_t kMostVerdicts = 20;

bool any(const std::vector<const qp::QpRecord*>& records, bool (*has)(const qp::QpRecord&)) {
  return std::any_of(records.begin(), records.end(), [has](const qp::QpRecord* r) { return has(*r); });
}

std::string legend(const std::vector<const qp::QpRecord*>& records) {
  std::string out =
      "\nMarkers: in the octets sent by A/B. Depth: RDMA Reads that A/B may have outstanding.\nOctets: of the upper "
      "layer. Retrans: octets of TCP payload or SCTP user data. Outcome: with its cause, if known.\n";
  if (any(records, report::is_inferred)) out += fmt::format("{}\n", report::kInferredLegend);
  if (any(records, [](const qp::QpRecord& r) {
        return report::is_at_least(r.directions[0]) || report::is_at_least(r.directions[1]);
      })) {
    out += fmt::format("{}\n", report::kAtLeastLegend);
  }
  return out;
}

std::string verdicts(const std::vector<const qp::QpRecord*>& records) {
  std::string out;
  std::size_t reported = 0, more = 0;
  for (const qp::QpRecord* r : records) {
    if (!r->verdict || !qp::ended_badly(r->verdict->outcome)) continue;
    if (reported == kMostVerdicts) {
      ++more;
      continue;
    }
    ++reported;
    out += '\n';
    out += report::wrapped(fmt::format("QP {}: ", r->qp), "      ", r->verdict->text);
    if (!r->verdict->next.empty()) out += report::wrapped("      ", "      ", "Next: " + r->verdict->next);
  }
  if (more != 0) out += fmt::format("\n{} more: refused, failed or stalled.\n", more);
  return out;
}

std::string qp_text(const Session& session, const Selection& selection) {
  const auto worst = worst_findings(session);
  std::vector<const qp::QpRecord*> records;
  std::vector<std::vector<std::string>> rows;
  for (std::uint64_t qp = 0; qp < session.queue_pairs(); ++qp) {
    const qp::QpRecord* const record = session.record(qp);
    if (record == nullptr || !selection.has_qp(qp)) continue;
    records.push_back(record);
    rows.push_back(qp_cells(*record, worst[qp]));
  }
  std::string out = "\niWARP queue pairs\n\n";
  if (rows.empty()) return out + "None.\n";
  return out + text_table(qp_columns(), rows) + legend(records) + verdicts(records);
}

/// The worst findings, computed when the table is first filled, and again when there are more findings.
std::optional<findings::FindingId> worst_of(const Session& session, std::uint64_t qp, const stat_tap_table* table) {
  static std::vector<std::optional<findings::FindingId>> worst;
  static std::size_t findings = 0;
  if (table->num_elements == 0 || findings != session.findings() || qp >= worst.size()) {
    worst = worst_findings(session);
    findings = session.findings();
  }
  return qp < worst.size() ? worst[qp] : std::nullopt;
}

tap_packet_status fill_qp(void* data, packet_info*, epan_dissect_t*, const void* tap, tap_flags_t) noexcept {
  const Tapped& tapped = *static_cast<const Tapped*>(tap);
  const Session& session = *tapped.session;
  try {
    const auto qp = tapped.connection != nullptr ? tapped.connection->qp : session.finding(tapped.item.index).qp;
    stat_tap_table* const table = table_of(data);
    if (!qp || *qp >= session.queue_pairs() || has_row(table, static_cast<unsigned>(*qp))) {
      return TAP_PACKET_DONT_REDRAW;
    }
    const qp::QpRecord* const record = session.record(*qp);
    set_row(table, static_cast<unsigned>(*qp),
            record != nullptr ? qp_cells(*record, worst_of(session, *qp, table)) : qp_cells(*session.queue_pair(*qp)));
  } catch (const std::exception&) {
    return TAP_PACKET_FAILED;
  }
  return TAP_PACKET_REDRAW;
}

}  // namespace

void register_qp_table() {
  static const WrittenStatistic written{"iwarp,qp", false, &qp_text};
  if (is_tshark()) {
    register_written(written);
  } else {
    register_window_table({"iWARP Queue Pairs", "iwarp,qp", qp_columns(), "iwarp.qp", &each<&fill_qp>});
  }
}

}  // namespace iwarpscope::plugin
