// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// One case: a scene in a setting, by its seed.
#pragma once

#include <cstdint>
#include <string>

#include "synth/frame.h"
#include "truth/scene.h"

namespace iwarpscope::truth {

struct Case {
  std::uint64_t seed = 0;
  std::string scene;
  std::string reaction;  ///< how the fault was met
  Setting setting;
  Truth truth;
  std::string script;  ///< as `iwarpscope-synth script` plays it; skew comes on top
};

/// The same seed gives the same case. `scene`: of this one; empty: of any.
[[nodiscard]] Case make_case(std::uint64_t seed, const std::string& scene = {});
/// The frames as the tap saw them, by time. Throws synth::ScriptError.
[[nodiscard]] synth::Frames frames_of(const Case& one);
/// What a person needs to look at it: seed, setting, truth, script.
[[nodiscard]] std::string describe(const Case& one);

}  // namespace iwarpscope::truth
