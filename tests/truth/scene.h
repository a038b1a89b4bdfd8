// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Scenes: one thing that goes wrong, or nothing, and what both ends make of it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "truth/stage.h"

namespace iwarpscope::truth {

/// What a scene needs of the setting.
struct Needs {
  std::optional<bool> sctp{};
  std::optional<bool> markers{};  ///< in what the culprit sends
  std::optional<bool> crc{};
  std::optional<Side> culprit{};
  bool startup_seen = false;  ///< the scene is the startup: not joined mid-stream
};

struct Scene {
  std::string name;
  Needs needs{};
  void (*play)(Stage& stage, const Scene& scene) = nullptr;
  std::vector<Code> codes{};  ///< of Terminates that a real receiver may answer with
  std::string fault{};        ///< the synthesiser's name of the fault
};

[[nodiscard]] std::vector<Scene> fault_scenes();      ///< each fault of synth::faults()
[[nodiscard]] std::vector<Scene> startup_scenes();    ///< startup frames and what follows them
[[nodiscard]] std::vector<Scene> end_scenes();        ///< ends that die, stop or close early; the path; nothing wrong
[[nodiscard]] std::vector<Scene> terminate_scenes();  ///< Terminates: of accesses, and of nothing
[[nodiscard]] std::vector<Scene> session_scenes();    ///< sessions over SCTP
/// All of them.
[[nodiscard]] const std::vector<Scene>& scenes();

}  // namespace iwarpscope::truth
