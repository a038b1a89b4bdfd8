// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The order of outcomes in lists: the worst first.
#pragma once

#include <optional>

#include "qp/verdict_record.h"

namespace iwarpscope::qp {

/// A higher number is worse. No verdict: 0.
[[nodiscard]] constexpr int severity_order(const std::optional<Outcome>& outcome) noexcept {
  if (!outcome) return 0;
  switch (*outcome) {
    case Outcome::completed: return 1;
    case Outcome::running: return 2;
    case Outcome::unknown: return 3;
    case Outcome::refused: return 4;
    case Outcome::stalled: return 5;
    case Outcome::failed: return 6;
  }
  return 0;
}

}  // namespace iwarpscope::qp
