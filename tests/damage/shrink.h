// The smallest damage that still makes the analyser accuse an end wrongly.
#pragma once

#include "damage/accused.h"
#include "damage/damaged.h"

namespace iwarpscope::test {

/// A false accusation with all damage taken back that it does not need.
struct Smallest {
  Pieces pieces;
  Charge charge;
  std::size_t analyses = 0;  ///< how many it took
};

/// Restores frames, times, order and octets as long as the charge stays; then leaves out what follows, and other
/// connections. Precondition: the pieces make the charge and the whole capture does not. At most `most` analyses.
[[nodiscard]] Smallest shrink(const Seed& seed, const Pieces& pieces, const Charge& charge, std::size_t most = 3000);

}  // namespace iwarpscope::test
