// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// How well the kernel says the clock of this machine is kept.
#pragma once

#include "live/views.h"

namespace iwarpscope::live {

/// Asks the kernel, and changes nothing. Source: adjtimex(2).
[[nodiscard]] ClockView clock_view() noexcept;

}  // namespace iwarpscope::live
