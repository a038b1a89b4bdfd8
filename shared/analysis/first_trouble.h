// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Where it began to go wrong with a queue pair.
#pragma once

#include <optional>

#include "base/ids.h"
#include "qp/records.h"

namespace iwarpscope::analysis {

/// The earliest frame of what an end or the path is blamed for: a rule broken or something suspicious, a refusal, a
/// Terminate (or the message that it names), a reset, a request that stayed without an answer, a window that stayed
/// closed. Nothing when the queue pair did not end badly, or has no verdict.
[[nodiscard]] std::optional<FrameNumber> first_trouble(const qp::QpRecord& record);

}  // namespace iwarpscope::analysis
