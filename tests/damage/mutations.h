// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Damage that a tap causes without any fault of the ends: it loses, repeats, moves, cuts and pads frames.
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>

#include "damage/damaged.h"
#include "synth/random.h"

namespace iwarpscope::test {

/// One of them, all equally likely.
template <class T, std::size_t N>
[[nodiscard]] T one_of(synth::Random& random, const std::array<T, N>& choices) {
  return choices[random.below(N)];
}

/// One kind of damage. `apply` changes the pieces of a capture of this seed; it may leave none.
struct Mutation {
  std::string_view name;
  Pieces (*apply)(const Seed& seed, Pieces pieces, synth::Random& random);
};

/// Damage that loses or cuts frames, then damage that repeats, moves or pads them.
[[nodiscard]] std::span<const Mutation> losses() noexcept;
[[nodiscard]] std::span<const Mutation> moves() noexcept;

/// A kind of damage chosen at random, or two of them, one after the other.
struct Damage {
  const Mutation* first = nullptr;
  const Mutation* second = nullptr;  ///< null: only one

  [[nodiscard]] std::string name() const;
  [[nodiscard]] Pieces apply(const Seed& seed, synth::Random& random) const;
};
/// `only`: part of the name of the first; empty: any.
[[nodiscard]] Damage choose_damage(synth::Random& random, std::string_view only = {});

}  // namespace iwarpscope::test
