#include "verdict/diagnose.h"

#include "verdict/startup.h"

namespace iwarpscope::verdict {

bool is_startup(const Facts& facts) noexcept {
  return !facts.record.joined_midstream && facts.record.startup.has_value() && !facts.has_fpdus();
}

std::optional<Diagnosis> diagnose(const Facts& facts) {
  for (const std::span<const Step> list : {rejected_steps(), terminate_steps()}) {
    for (const Step& step : list) {
      auto diagnosis = step.decide(facts);
      if (!diagnosis) continue;
      add_remarks(facts, *diagnosis);
      return diagnosis;
    }
  }
  return std::nullopt;
}

}  // namespace iwarpscope::verdict
