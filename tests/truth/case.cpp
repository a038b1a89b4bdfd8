// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "truth/case.h"

#include <algorithm>
#include <stdexcept>

#include "synth/script.h"

namespace iwarpscope::truth {
namespace {

const Scene& pick(synth::Random& random, const std::string& name) {
  const std::vector<Scene>& all = scenes();
  if (name.empty()) return all[random.below(all.size())];
  const auto found = std::find_if(all.begin(), all.end(), [&](const Scene& s) { return s.name == name; });
  if (found == all.end()) throw std::invalid_argument("no such scene: " + name);
  return *found;
}

Setting setting_for(const Needs& needs, synth::Random& random) {
  Setting setting;
  setting.sctp = random.chance(300);
  setting.start = static_cast<Start>(random.below(6));
  setting.markers_of_culprit = random.chance(300);
  setting.markers_of_peer = random.chance(300);
  setting.crc = random.chance(700);
  setting.network = random.chance(350) ? Network::clean : static_cast<Network>(random.between(1, kNetworks - 1));
  setting.culprit = random.chance(500) ? Side::initiator : Side::responder;
  if (setting.network == Network::skew) {
    const auto least = static_cast<std::int64_t>(random.between(10, 10'000)) * 1000;
    setting.skew_ns = random.chance(500) ? least : -least;
  }
  if (setting.network == Network::early_end || setting.network == Network::late_start) {
    setting.cut_permille = static_cast<unsigned>(random.between(20, 900));
  }
  setting.fill = random.chance(400) ? "random" : random.chance(700) ? "zeros" : "counting";
  if (needs.sctp) setting.sctp = *needs.sctp;
  if (needs.markers) setting.markers_of_culprit = *needs.markers;
  if (needs.crc) setting.crc = *needs.crc;
  if (needs.culprit) setting.culprit = *needs.culprit;
  if (needs.startup_seen && setting.start == Start::midstream) setting.start = Start::rev1;
  return setting;
}

}  // namespace

const std::vector<Scene>& scenes() {
  static const std::vector<Scene> all = [] {
    std::vector<Scene> together;
    for (const auto& some : {fault_scenes(), startup_scenes(), end_scenes(), terminate_scenes(), session_scenes()}) {
      together.insert(together.end(), some.begin(), some.end());
    }
    return together;
  }();
  return all;
}

Case make_case(std::uint64_t seed, const std::string& scene) {
  synth::Random random(seed);
  const Scene& chosen = pick(random, scene);
  Stage stage(setting_for(chosen.needs, random), random.next());
  if (stage.setting().sctp) stage.before("sctp");
  stage.before("seed {}; end a turnaround={}us", random.below(1000), random.between(5, 400));
  chosen.play(stage, chosen);
  // The fault may be among what the capture lacks; then no blame is right as well.
  if (!holds_all(stage.setting().network)) stage.harmless();
  return {seed, chosen.name, stage.reaction(), stage.setting(), stage.truth(), stage.script()};
}

namespace {

/// The Responder's packets come from 10.0.0.2 whatever carries them.
bool is_of_responder(const synth::Frame& frame) {
  constexpr std::size_t kLastOfSource = 14 + 12 + 3;
  return frame.octets.size() > kLastOfSource && frame.octets[kLastOfSource] == std::byte{2};
}

}  // namespace

synth::Frames frames_of(const Case& one) {
  synth::Frames frames = synth::play(one.script, fmt::format("seed {}", one.seed));
  const Setting& setting = one.setting;
  const auto cut = static_cast<std::ptrdiff_t>(frames.size() * setting.cut_permille / 1000);
  if (setting.network == Network::early_end) frames.erase(frames.end() - cut, frames.end());
  if (setting.network == Network::late_start) frames.erase(frames.begin(), frames.begin() + cut);
  for (synth::Frame& frame : frames) {
    if (is_of_responder(frame)) frame.time_ns += setting.skew_ns;
  }
  std::stable_sort(frames.begin(), frames.end(), [](const auto& a, const auto& b) { return a.time_ns < b.time_ns; });
  return frames;
}

std::string describe(const Case& one) {
  const Setting& s = one.setting;
  std::string text = fmt::format("seed {}: {}, met by: {}; {} {}{}{}{}, network {}", one.seed, one.scene, one.reaction,
                                 s.sctp ? "sctp" : "tcp", name(s.start), s.sctp || s.crc ? "" : ", no CRC",
                                 s.markers_of_culprit ? ", markers" : "",
                                 s.markers_of_peer ? ", markers of the peer" : "", name(s.network));
  if (s.fill != "random") text += fmt::format(", payload of {}", s.fill == "zeros" ? "zeros" : "counting octets");
  if (s.cut_permille != 0) text += fmt::format(" {}/1000", s.cut_permille);
  if (s.skew_ns != 0) text += fmt::format(" {} us", s.skew_ns / 1000);
  text += fmt::format("\n  truth: {}", name(one.truth.culprit));
  for (std::size_t i = 0; i < kCulprits; ++i) {
    if ((one.truth.also & (1U << i)) != 0) text += fmt::format(" or {}", name(static_cast<Culprit>(i)));
  }
  if (one.truth.undecidable) text += " (no tap can tell)";
  if (one.truth.harmless) text += " (harmless)";
  return text;
}

}  // namespace iwarpscope::truth
