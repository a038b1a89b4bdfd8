// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// For each verdict a script that raises it, and the verdict of a script that nearly does.
#pragma once

#include <iosfwd>
#include <span>
#include <string_view>

#include "verdict/catalogue.h"

namespace iwarpscope::test {

struct VerdictScenario {
  verdict::VerdictId id;
  std::string_view script;  ///< what iwarpscope-synth plays; the verdict is that of its first queue pair
  std::string_view nearly;  ///< differs in the one thing that matters
  verdict::VerdictId is;    ///< what `nearly` is instead
};

void PrintTo(const VerdictScenario& scenario, std::ostream* out);

[[nodiscard]] std::span<const VerdictScenario> startup_verdict_scenarios();
[[nodiscard]] std::span<const VerdictScenario> end_verdict_scenarios();
[[nodiscard]] std::span<const VerdictScenario> open_verdict_scenarios();
[[nodiscard]] std::span<const VerdictScenario> terminate_verdict_scenarios();

}  // namespace iwarpscope::test
