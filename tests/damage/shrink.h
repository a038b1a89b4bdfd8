// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The smallest damage that still makes the analyser accuse an end wrongly.
#pragma once

#include "damage/accused.h"
#include "damage/damaged.h"

namespace iwarpscope::test {

/// A false accusation with only the damage that it needs.
struct Smallest {
  Pieces pieces;
  Charge charge;
  std::size_t analyses = 0;  ///< number of analyses
};

/// Restores frames, times, order and octets as long as the charge stays; then removes later frames and other
/// connections. Precondition: the pieces cause the charge and the whole capture does not. Runs at most `most` analyses.
[[nodiscard]] Smallest shrink(const Seed& seed, const Pieces& pieces, const Charge& charge, std::size_t most = 3000);

}  // namespace iwarpscope::test
