// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Verdicts on connections that never came to their first FPDU.
#pragma once

#include <span>

#include "verdict/diagnose.h"

namespace iwarpscope::verdict {

/// The capture has its startup and no FPDU.
[[nodiscard]] bool is_startup(const Facts& facts) noexcept;

}  // namespace iwarpscope::verdict
