#include "rules/scenario.h"

namespace iwarpscope::test {

std::vector<Scenario> startup_scenarios() {
  return {};
}

}  // namespace iwarpscope::test
