// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include <iterator>

#include "rules/scenario.h"

namespace iwarpscope::test {

std::vector<Scenario> scenarios() {
  std::vector<Scenario> all;
  for (auto part : {startup_scenarios, fpdu_scenarios, ddp_scenarios, rdmap_scenarios, extension_scenarios,
                    capture_scenarios, tcp_scenarios, event_scenarios, capture_wide_scenarios, acknowledged_scenarios,
                    memory_model_scenarios, sctp_scenarios}) {
    std::vector<Scenario> some = part();
    all.insert(all.end(), std::make_move_iterator(some.begin()), std::make_move_iterator(some.end()));
  }
  return all;
}

}  // namespace iwarpscope::test
