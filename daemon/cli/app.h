// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The command line: parses the arguments and runs the subcommand.
#pragma once

#include <atomic>

#include "cli/analyze.h"
#include "cli/output.h"

namespace iwarpscope::cli {

/// Parses the arguments and runs the subcommand. Returns the exit status. Throws only what the standard library
/// throws when memory is exhausted.
[[nodiscard]] int run(int argc, const char* const* argv, const Console& console, const Engine& engine,
                      std::atomic<bool>& stop);

}  // namespace iwarpscope::cli
