#include "rules/scenario.h"

namespace iwarpscope::test {

std::vector<Scenario> rdmap_scenarios() {
  return {};
}

}  // namespace iwarpscope::test
