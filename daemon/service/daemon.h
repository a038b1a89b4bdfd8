// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The daemon from start to end: everything opened, the sandbox entered, everything run, everything flushed.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include <tl/expected.hpp>

#include "service/configuration.h"
#include "service/log.h"

namespace iwarpscope::service {

struct DaemonOptions {
  std::string file;  ///< the configuration file, for reloads; empty: none
  Configuration configuration;
  /// What the command line says instead of the file; applied to what is read again, too.
  std::function<void(Configuration&)> overrides;
  bool exit_at_end = false;  ///< when what is replayed has ended
  std::string version;
};

/// Blocks the signals that run() waits for: SIGTERM, SIGINT and SIGHUP. Before there are other threads.
void block_signals();

/// Runs until SIGTERM or SIGINT, or until the end of a replay if so asked. SIGHUP reads the configuration again. Fails
/// with a sentence when something cannot be opened; otherwise everything is flushed when it returns, within ten
/// seconds of the signal. The process is changed for good: call it once.
[[nodiscard]] tl::expected<void, std::string> run_daemon(DaemonOptions options, Log& log);

}  // namespace iwarpscope::service
