// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include <algorithm>
#include <iterator>

#include "rules/scenario.h"

namespace iwarpscope::test {

namespace {

std::optional<ExpectedFinding> expected_finding(const Scenario& s) {
  const std::string_view code = findings::rule(s.id).code;
  for (const std::span<const ExpectedFinding> table :
       {expected_of_mpa(), expected_of_rdma(), expected_of_tcp(), expected_of_capture_wide(),
        expected_of_acknowledged(), expected_of_models(), expected_of_sctp()}) {
    const auto it = std::find_if(table.begin(), table.end(),
                                 [&](const ExpectedFinding& t) { return t.code == code && t.note == s.note; });
    if (it != table.end()) return *it;
  }
  return {};
}

}  // namespace

std::vector<Scenario> scenarios() {
  std::vector<Scenario> all;
  for (auto part : {startup_scenarios, fpdu_scenarios, ddp_scenarios, rdmap_scenarios, extension_scenarios,
                    capture_scenarios, tcp_scenarios, event_scenarios, capture_wide_scenarios, acknowledged_scenarios,
                    memory_model_scenarios, sctp_scenarios}) {
    std::vector<Scenario> some = part();
    all.insert(all.end(), std::make_move_iterator(some.begin()), std::make_move_iterator(some.end()));
  }
  for (Scenario& s : all) {
    if (!s.finding) s.finding = expected_finding(s);
  }
  return all;
}

}  // namespace iwarpscope::test
