// SC: DDP over SCTP. The traffic is that of the synthesiser's samples named after the rules.
#include <algorithm>

#include "rules/scenario.h"
#include "synth/samples.h"

namespace iwarpscope::test {
namespace {

Traffic of(const synth::Sample& sample) {
  return {.frames = sample.make(sample.name)};
}

}  // namespace

std::vector<Scenario> sctp_scenarios() {
  std::vector<Scenario> all;
  for (const findings::Rule& rule : findings::rules()) {
    if (!rule.code.starts_with("SC-")) continue;
    const std::string name(rule.name);
    const synth::Sample& nearly = synth::sample(name + "-nearly");
    all.push_back({rule.id, nearly.what, [name] { return of(synth::sample(name)); }, [&nearly] { return of(nearly); }});
  }
  return all;
}

}  // namespace iwarpscope::test
