// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The synthesiser's own pseudo-random generator: the same seed gives the same octets on every machine and library.
#pragma once

#include <cstdint>

#include "synth/wire/octets.h"

namespace iwarpscope::synth {

/// SplitMix64. Not for secrets. Source: Steele, Lea, Flood, "Fast splittable pseudorandom number generators", 2014.
class Random {
 public:
  explicit Random(std::uint64_t seed = 1) : state_(seed) {}

  std::uint64_t next() {
    std::uint64_t z = (state_ += 0x9E3779B97F4A7C15ULL);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    return z ^ (z >> 31);
  }
  /// 0 .. bound-1. Precondition: bound > 0.
  std::uint64_t below(std::uint64_t bound) { return next() % bound; }
  /// low .. high, both included.
  std::uint64_t between(std::uint64_t low, std::uint64_t high) { return low + below(high - low + 1); }
  /// True in `permille` of a thousand draws.
  bool chance(unsigned permille) { return below(1000) < permille; }
  [[nodiscard]] Buffer octets(std::size_t count);

 private:
  std::uint64_t state_;
};

}  // namespace iwarpscope::synth
