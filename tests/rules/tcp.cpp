#include "rules/scenario.h"

namespace iwarpscope::test {

std::vector<Scenario> tcp_scenarios() {
  return {};
}

}  // namespace iwarpscope::test
