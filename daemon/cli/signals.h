// Ctrl-C: once to stop and print what was found, twice to end at once.
#pragma once

#include <atomic>

namespace iwarpscope::cli {

/// Installs handlers for SIGINT and SIGTERM and ignores SIGPIPE, so that a closed pipe is an error of write(). The
/// first signal sets the flag it returns, the second ends the process with status 130. Call once, from main().
[[nodiscard]] std::atomic<bool>& install_signals();

}  // namespace iwarpscope::cli
