// The command line: what may be typed, and what runs then.
#pragma once

#include <atomic>

#include "cli/analyze.h"
#include "cli/output.h"

namespace iwarpscope::cli {

/// Parses the arguments and runs the subcommand. Returns the exit status. Throws nothing but what the standard library
/// throws when memory is short.
[[nodiscard]] int run(int argc, const char* const* argv, const Console& console, const Engine& engine,
                      std::atomic<bool>& stop);

}  // namespace iwarpscope::cli
