// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// A diagnosis in plain English: the only place where verdicts become sentences.
#pragma once

#include "qp/verdict_record.h"
#include "verdict/diagnosis.h"
#include "verdict/facts.h"

namespace iwarpscope::verdict {

/// Each sentence has the values of its own arguments and of `facts.record`; a name without a value stays in braces,
/// so that a test finds it.
[[nodiscard]] qp::VerdictRecord render(const Facts& facts, const Diagnosis& diagnosis);

/// "10.00 s", "34 s".
[[nodiscard]] std::string seconds(std::int64_t ns);

}  // namespace iwarpscope::verdict
