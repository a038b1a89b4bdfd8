#include "rules/scenario.h"

namespace iwarpscope::test {

std::vector<Scenario> capture_scenarios() {
  return {};
}

}  // namespace iwarpscope::test
