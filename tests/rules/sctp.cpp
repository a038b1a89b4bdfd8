// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// SC: DDP over SCTP. The traffic is that of the synthesiser's samples named after the rules.
#include <algorithm>
#include <iterator>
#include <string_view>

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

/// What the finding of each rule must say of its sample, which has a script of its own in the synthesiser.
struct OfRule {
  std::string_view code;
  ExpectedFinding finding;
};
constexpr OfRule kFindings[] = {
    {"SC-01", {kToB, 5, "none", "0x00000001"}},
    {"SC-02", {kToB, 8, "46", "16 or 17"}},
    {"SC-03", {kToB, 8, "U=0", "U=1"}},
    {"SC-04", {kToB, 8, "3", "2"}},
    {"SC-05", {kToB, 8, "9", "1..7"}},
    {"SC-06", {kToB, 5, "513", "at most 512"}},
    {"SC-07", {kToB, 8, "3", "0"}},
    {"SC-08", {kToA, 8, "", ""}},
    {"SC-09", {kToA, 6, "", ""}},
    {"SC-10", {kToB, 5, "", ""}},
    {"SC-12", {kToA, 6, "2", "6, 7 or 4"}},
    {"SC-13", {kToB, 5, "3", "at least 4"}},
    {"SC-14", {kToB, 0, "4 chunks", "1 chunk"}},
    {"SC-15", {kToA, 2, "8", "4"}},
    {"SC-16", {kToB, 12, "", ""}},
    {"SC-17", {kToB, 126, "32768", "at most 32767"}},
    {"SC-18", {kToA, 20, "3", ""}},
    {"SC-19", {{}, 6, "an Initiate of the passive side", ""}},
    {"SC-20", {kToB, 7, "2", "0"}},
    {"SC-21", {kToB, 17, "2", ""}},
    {"SC-22", {kToB, 14, "1", ""}},
    {"SC-23", {kToA, 9, "2", ""}},
    {"SC-24", {kToA, 2, "6", "0"}},
    {"SC-25", {kToA, 9, "12", ""}},
    {"SC-26", {kToB, 7, "2", ""}},
};

ExpectedFinding finding_of(std::string_view code) {
  const auto it =
      std::find_if(std::begin(kFindings), std::end(kFindings), [&](const OfRule& r) { return r.code == code; });
  return it != std::end(kFindings) ? it->finding : ExpectedFinding{};
}

}  // namespace

std::vector<Scenario> sctp_scenarios() {
  std::vector<Scenario> all;
  for (const findings::Rule& rule : findings::rules()) {
    if (!rule.code.starts_with("SC-")) continue;
    const std::string name(rule.name);
    const synth::Sample& nearly = synth::sample(name + "-nearly");
    all.push_back({rule.id, nearly.what, finding_of(rule.code), [name] { return traffic_of(synth::sample(name)); },
                   [&nearly] { return traffic_of(nearly); }});
  }
  all.push_back({findings::FindingId::capture_interleaved,
                 "of an association that does not announce DDP",
                 {{}, 8, "1", ""},
                 [] { return interleaved(synth::wire::kDdpAdaptation); },
                 [] { return interleaved(std::nullopt); }});
  return all;
}

}  // namespace iwarpscope::test
