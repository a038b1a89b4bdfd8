// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Checks combinations of valid values in a configuration.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "service/configuration.h"

namespace iwarpscope::service {

struct Contradiction {
  std::string key;                    ///< that is to blame: "metrics.address"
  std::string sentence;               ///< without the key
  std::vector<std::string> others{};  ///< keys it follows from as well
};

/// What contradicts itself, however it came to be.
[[nodiscard]] std::vector<Contradiction> contradictions(const Configuration& configuration);
/// What may be so, and is seldom meant.
[[nodiscard]] std::vector<Contradiction> doubts(const Configuration& configuration);

/// What the filter of an interface with options of its own is called.
[[nodiscard]] std::string filter_key(const std::string& interface);
/// Adds filters that libpcap takes for no kind of link that is decoded: which one an interface has shows later.
void add_filters(const Configuration& configuration, std::vector<Contradiction>& wrong);

/// Adds users, groups and certificates that this machine does not have, that do not fit, or, if root asks, that the
/// daemon's user may not read. Doubtful: what a caller other than root may not see, and names that the file leaves out
/// (`is_named` knows which), because the user may be made later.
void add_machine(const Configuration& configuration, const std::function<bool(const std::string&)>& is_named,
                 std::vector<Contradiction>& wrong, std::vector<Contradiction>& doubtful);

}  // namespace iwarpscope::service
