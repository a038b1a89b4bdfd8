// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// iwarpscope rules: the rule catalogue.
#pragma once

#include "cli/analyze.h"
#include "cli/output.h"

namespace iwarpscope::cli {

/// Prints every rule: a table by family, or a JSON record a line.
[[nodiscard]] int run_rules(Format format, const Console& console);

}  // namespace iwarpscope::cli
