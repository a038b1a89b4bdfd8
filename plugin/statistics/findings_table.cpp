// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// -z iwarp,findings: one line per violated rule.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <exception>
#include <map>

#include "statistics/command_line.h"
#include "statistics/payload.h"
#include "statistics/registrations.h"
#include "statistics/window_table.h"

namespace iwarpscope::plugin {
namespace {

constexpr std::array<Column, 7> kFindingColumns{
    {{"Code"}, {"Finding"}, {"Severity"}, {"About"}, {"Count", true}, {"QPs", true}, {"First frame", true}}};

struct RuleGroup {
  std::uint64_t count = 0;
  std::set<std::uint64_t> qps;
  std::uint64_t first_frame = 0;

  void add(const findings::Finding& finding) {
    ++count;
    if (finding.qp) qps.insert(*finding.qp);
    const std::uint64_t frame = finding.frame.value;
    if (frame != 0 && (first_frame == 0 || frame < first_frame)) first_frame = frame;
  }
};
using RuleGroups = std::map<findings::FindingId, RuleGroup>;

std::vector<std::string> cells(findings::FindingId id, const RuleGroup& group) {
  const findings::Rule& rule = findings::rule(id);
  return {std::string{rule.code},
          std::string{rule.name},
          std::string{name(rule.severity)},
          std::string{name(rule.about)},
          fmt::format("{}", group.count),
          fmt::format("{}", group.qps.size()),
          group.first_frame != 0 ? fmt::format("{}", group.first_frame) : "-"};
}

/// The most severe first, then the most frequent.
std::vector<RuleGroups::const_iterator> in_order(const RuleGroups& groups) {
  std::vector<RuleGroups::const_iterator> order;
  for (auto it = groups.begin(); it != groups.end(); ++it) order.push_back(it);
  std::sort(order.begin(), order.end(), [](auto l, auto r) {
    const auto& left = findings::rule(l->first);
    const auto& right = findings::rule(r->first);
    if (left.severity != right.severity) return left.severity > right.severity;
    return l->second.count != r->second.count ? l->second.count > r->second.count : l->first < r->first;
  });
  return order;
}

/// Findings of the selected queue pairs that were found after their packets had passed, and so were not filtered.
std::string unfiltered_text(const Session& session, const Selection& selection) {
  if (selection.everything || selection.after_end) return {};
  std::uint64_t more = 0;
  for (std::uint32_t i = 0; i < session.findings(); ++i) {
    const findings::Finding& finding = session.finding(i);
    if (!finding.qp || !selection.has_qp(*finding.qp)) continue;
    more += is_late(session, static_cast<Frame>(finding.frame.value), i) ? 1 : 0;
  }
  return more == 0
             ? std::string{}
             : fmt::format("\n{} more, known only at the end of the capture: use -2 to filter them, too.\n", more);
}

std::string findings_text(const Session& session, const Selection& selection) {
  RuleGroups groups;
  for (std::uint32_t i = 0; i < session.findings(); ++i) {
    if (selection.has_finding(i)) groups[session.finding(i).id].add(session.finding(i));
  }
  std::string out = "\niWARP findings\n\n";
  const std::string unfiltered = unfiltered_text(session, selection);
  if (groups.empty()) return out + "None.\n" + unfiltered;
  std::vector<std::vector<std::string>> rows;
  for (const auto& it : in_order(groups)) rows.push_back(cells(it->first, it->second));
  return out + text_table(kFindingColumns, rows) +
         "\nFilter for one rule: iwarp.finding.code == \"<code>\". A rule is reported at most 100 times per direction "
         "of a QP.\n" +
         unfiltered;
}

/// The row and the counts of each rule, for one table in Wireshark's window.
struct FindingsWindow {
  RuleGroups groups;
  std::map<findings::FindingId, unsigned> rows;
};

tap_packet_status fill_findings(void* data, packet_info*, epan_dissect_t*, const void* tap, tap_flags_t) noexcept {
  static std::map<const stat_tap_table*, FindingsWindow> windows;
  const Tapped& tapped = *static_cast<const Tapped*>(tap);
  if (tapped.item.kind != Item::Kind::finding) return TAP_PACKET_DONT_REDRAW;
  try {
    stat_tap_table* const table = table_of(data);
    FindingsWindow& window = windows[table];
    if (table->num_elements == 0) window = {};  // it was reset
    const findings::Finding& finding = tapped.session->finding(tapped.item.index);
    const unsigned row = window.rows.try_emplace(finding.id, static_cast<unsigned>(window.rows.size())).first->second;
    RuleGroup& group = window.groups[finding.id];
    group.add(finding);
    set_row(table, row, cells(finding.id, group));
  } catch (const std::exception&) {
    return TAP_PACKET_FAILED;
  }
  return TAP_PACKET_REDRAW;
}

}  // namespace

void register_findings_table() {
  static const WrittenStatistic written{"iwarp,findings", false, &findings_text};
  if (is_tshark()) {
    register_written(written);
  } else {
    register_window_table({"iWARP Findings", "iwarp,findings", kFindingColumns, nullptr, &each<&fill_findings>});
  }
}

}  // namespace iwarpscope::plugin
