// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// iwarpscope completion: scripts that complete the command line in a shell.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace iwarpscope::cli {

/// An option as a shell completes it.
struct CompletedOption {
  std::vector<std::string> spellings;  ///< "--format", "-v"
  std::string help;
  bool takes_value = false;
  std::vector<std::string> values;  ///< the words it may take; empty: anything
};

struct CompletedCommand {
  std::string name;
  std::string help;
  std::vector<CompletedOption> options;
  std::vector<std::string> arguments;  ///< words that the positional argument accepts
  bool takes_files = false;            ///< its positional arguments are files
};

/// The script for "bash", "zsh" or "fish"; empty for any other shell.
[[nodiscard]] std::string completion_script(std::string_view shell, const std::vector<CompletedCommand>& commands);

}  // namespace iwarpscope::cli
