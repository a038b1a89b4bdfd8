// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// iwarpscope explain: one rule, verdict or remark in full.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/output.h"

namespace iwarpscope::cli {

/// Prints the rule, verdict (V-30) or remark (VR-01) with this name or code, in upper or lower case. For an
/// unknown one it prints an error with the nearest names.
[[nodiscard]] int run_explain(std::string_view name_or_code, const Console& console);

/// At most five names similar to `text`, as "mpa.crc-mismatch (MF-04)", the nearest first; empty when none is near.
[[nodiscard]] std::vector<std::string> near_rules(std::string_view text);

}  // namespace iwarpscope::cli
