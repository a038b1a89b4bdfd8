#include "rules/scenario.h"

namespace iwarpscope::test {

std::vector<Scenario> fpdu_scenarios() {
  return {};
}

}  // namespace iwarpscope::test
