// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// A `summary` record of docs/json-report.md. Private to daemon/outputs.
#pragma once

#include <string>

#include "live/summaries.h"

namespace iwarpscope::outputs {

/// An object without a line feed.
[[nodiscard]] std::string summary_json(const live::Summary& summary);

}  // namespace iwarpscope::outputs
