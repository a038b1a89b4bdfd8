// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// iwarpscope join: compares captures of the same connections at several taps.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/analyze.h"
#include "cli/output.h"

namespace iwarpscope::cli {

struct JoinArguments {
  std::vector<std::string> taps;  ///< "NAME=FILE" or "FILE": its name is then the file's
  std::string output;             ///< file to write to; empty: standard output
  std::string filter;
  bool json = false;
  bool notes = false;
  std::optional<std::int64_t> clock_bound_ns;  ///< of each tap; empty: unknown
};

/// Analyses each file, joins the queue pairs and writes the result. A file that cannot be read ends it: without one tap
/// the rest would mislead. Returns the exit status.
[[nodiscard]] int run_join(const JoinArguments& arguments, const Console& console, const Engine& engine,
                           std::atomic<bool>& stop);

}  // namespace iwarpscope::cli
