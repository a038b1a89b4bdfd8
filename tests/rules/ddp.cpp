#include "rules/scenario.h"

namespace iwarpscope::test {

std::vector<Scenario> ddp_scenarios() {
  return {};
}

}  // namespace iwarpscope::test
