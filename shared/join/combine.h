// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// What the views of one connection come to together.
#pragma once

#include <span>

#include "join/course.h"
#include "join/joined.h"

namespace iwarpscope::join {

/// Views of one connection, and the same connection as the frames of all taps show it in one analysis.
struct Together {
  std::span<const Seat> seats;   ///< by tap; may be empty
  const Seat* frames = nullptr;  ///< null: there is no such analysis
};

/// Adds the views, their findings without those that a gap at one tap explains, and the verdict.
/// Precondition: order and places are known.
void combine(const Together& those, JoinedConnection& into);

}  // namespace iwarpscope::join
