#include "rules/scenario.h"

namespace iwarpscope::test {

std::vector<Scenario> extension_scenarios() {
  return {};
}

}  // namespace iwarpscope::test
