// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The effect of a configuration file that is read again while the daemon runs.
#pragma once

#include <string>
#include <vector>

#include "service/configuration.h"

namespace iwarpscope::service {

struct Reloaded {
  Configuration next;                 ///< to be in force now
  std::vector<std::string> applied;   ///< keys whose values change with it
  std::vector<std::string> restarts;  ///< keys whose values wait for a restart
};

/// `begun`: what the daemon was started with; `now`: what is in force; `read`: what the file says; `writable`: the
/// folders in which files can be made, all of them if it is empty. A file elsewhere takes a restart.
[[nodiscard]] Reloaded reloaded(const Configuration& begun, const Configuration& now, const Configuration& read,
                                const std::vector<std::string>& writable);

}  // namespace iwarpscope::service
