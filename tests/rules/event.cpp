#include "rules/scenario.h"

namespace iwarpscope::test {

std::vector<Scenario> event_scenarios() {
  return {};
}

}  // namespace iwarpscope::test
