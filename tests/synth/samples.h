// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Named scripts: one small capture for each thing that can occur on the wire.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "synth/frame.h"
#include "synth/wire/capture_file.h"

namespace iwarpscope::synth {

struct Sample {
  std::string name;
  std::string what;
  Frames (*make)(std::string_view name);  ///< given its own name; the same frames each time
  FileOptions file{};                     ///< how it is stored by default
  std::string folder{};                   ///< below samples/made: "startup" ...; given by samples()
};

/// All samples: protocol, startup, network and tap, ordinary traffic, SCTP, and one "fault-NAME" for each named fault.
/// Those named after a rule, with a dot, are in the folder "rules".
[[nodiscard]] const std::vector<Sample>& samples();
/// The sample of this name. Throws std::invalid_argument for an unknown name.
[[nodiscard]] const Sample& sample(std::string_view name);

/// The parts of the registry.
[[nodiscard]] std::vector<Sample> message_samples();
[[nodiscard]] std::vector<Sample> startup_samples();
[[nodiscard]] std::vector<Sample> network_samples();
[[nodiscard]] std::vector<Sample> path_samples();
/// Samples of SCTP: correct traffic, then for each rule, by its name, a violation and, with "-nearly", a near miss.
[[nodiscard]] std::vector<Sample> sctp_samples();
/// Sessions over SCTP that violate the rules of RFC 6581, which also apply to MPA.
[[nodiscard]] std::vector<Sample> sctp_negotiation_samples();

}  // namespace iwarpscope::synth
