// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Ctrl-C: once to stop and print the results, twice to exit at once.
#pragma once

#include <atomic>

namespace iwarpscope::cli {

/// Installs handlers for SIGINT and SIGTERM and ignores SIGPIPE, so that write() reports a closed pipe. The
/// first signal sets the flag it returns, the second ends the process with status 130. Call once, from main().
[[nodiscard]] std::atomic<bool>& install_signals();

}  // namespace iwarpscope::cli
