#include <algorithm>
#include <iterator>

#include "rules/scenario.h"

namespace iwarpscope::test {

namespace {

std::optional<Told> told_of(const Scenario& s) {
  const std::string_view code = findings::rule(s.id).code;
  for (const std::span<const Told> table : {told_of_mpa(), told_of_rdma(), told_of_tcp(), told_of_capture_wide(),
                                            told_of_acknowledged(), told_of_models(), told_of_sctp()}) {
    const auto it =
        std::find_if(table.begin(), table.end(), [&](const Told& t) { return t.code == code && t.note == s.note; });
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
    if (!s.told) s.told = told_of(s);
  }
  return all;
}

}  // namespace iwarpscope::test
