// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// SC: DDP over SCTP. The traffic is that of the synthesiser's samples named after the rules.
#include <algorithm>

#include "rules/scenario.h"
#include "synth/association.h"
#include "synth/samples.h"

namespace iwarpscope::test {
namespace {

Traffic traffic_of(const synth::Sample& sample) {
  return {.frames = sample.make(sample.name)};
}

/// I-DATA, which has its TSN where DATA has it. Source: RFC 8260 §2.1.
Traffic interleaved(std::optional<std::uint32_t> adaptation) {
  synth::Association a(
      {}, {.initiator = {.adaptation = adaptation}, .responder = {.tag = 0xB2B2B2B2, .adaptation = adaptation}});
  a.connect();
  synth::Buffer value(20);
  const std::uint32_t tsn = a.options().initiator.isn;
  for (std::size_t n = 0; n < 4; ++n) value[n] = static_cast<std::byte>(tsn >> (24 - 8 * n));
  a.chunk(synth::Side::initiator,
          synth::wire::write(synth::wire::Chunk{static_cast<synth::wire::ChunkType>(64), 3, value}));
  a.shutdown();
  return {.frames = a.frames()};
}

}  // namespace

std::vector<Scenario> sctp_scenarios() {
  std::vector<Scenario> all;
  for (const findings::Rule& rule : findings::rules()) {
    if (!rule.code.starts_with("SC-")) continue;
    const std::string name(rule.name);
    const synth::Sample& nearly = synth::sample(name + "-nearly");
    all.push_back({rule.id, nearly.what, [name] { return traffic_of(synth::sample(name)); },
                   [&nearly] { return traffic_of(nearly); }});
  }
  all.push_back({findings::FindingId::capture_interleaved, "of an association that does not announce DDP",
                 [] { return interleaved(synth::wire::kDdpAdaptation); }, [] { return interleaved(std::nullopt); }});
  return all;
}

}  // namespace iwarpscope::test
