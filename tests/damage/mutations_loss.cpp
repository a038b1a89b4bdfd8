// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Frames that are missing in a capture, or are incomplete.
#include <algorithm>
#include <array>

#include "damage/mutations.h"

namespace iwarpscope::test {
namespace {

/// Removes the pieces whose index `gone` accepts.
template <class Gone>
Pieces without(const Pieces& pieces, Gone gone) {
  Pieces left;
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    if (!gone(i)) left.push_back(pieces[i]);
  }
  return left;
}

Pieces drop_one(const Seed&, Pieces pieces, synth::Random& random) {
  if (!pieces.empty()) pieces.erase(pieces.begin() + static_cast<std::ptrdiff_t>(random.below(pieces.size())));
  return pieces;
}

Pieces drop_burst(const Seed&, Pieces pieces, synth::Random& random) {
  const std::size_t count = std::min(pieces.size(), one_of(random, std::array<std::size_t, 5>{2, 3, 5, 10, 30}));
  const std::size_t first = random.below(pieces.size() - count + 1);
  return without(pieces, [&](std::size_t i) { return i >= first && i < first + count; });
}

Pieces drop_percent(const Seed&, Pieces pieces, synth::Random& random) {
  const auto permille = one_of(random, std::array<unsigned, 6>{10, 30, 100, 300, 500, 800});
  return without(pieces, [&](std::size_t) { return random.chance(permille); });
}

Pieces drop_head(const Seed&, Pieces pieces, synth::Random& random) {
  const std::size_t count = random.between(1, std::max<std::size_t>(1, pieces.size()));
  return without(pieces, [&](std::size_t i) { return i < count; });
}

Pieces drop_tail(const Seed&, Pieces pieces, synth::Random& random) {
  pieces.resize(std::min<std::size_t>(pieces.size(), random.between(1, std::max<std::size_t>(1, pieces.size()))));
  return pieces;
}

/// One direction of one connection is not captured: never, from some frame on, or up to some frame.
Pieces drop_direction(const Seed& seed, Pieces pieces, synth::Random& random) {
  if (pieces.empty()) return pieces;
  const FrameFacts& chosen = seed.facts[pieces[random.below(pieces.size())].origin];
  if (!chosen.source) return pieces;
  const std::size_t from = random.chance(500) ? 0 : random.below(pieces.size());
  const std::size_t to = random.chance(500) ? pieces.size() : random.below(pieces.size());
  return without(pieces, [&](std::size_t i) {
    const FrameFacts& facts = seed.facts[pieces[i].origin];
    return facts.source == chosen.source && facts.destination == chosen.destination && i >= from && i < to;
  });
}

/// A capture filter on payload: frames without payload are missing, or, less often, frames with payload.
Pieces drop_acknowledgments(const Seed& seed, Pieces pieces, synth::Random& random) {
  const bool payload_kept = random.chance(800);
  return without(pieces, [&](std::size_t i) {
    const FrameFacts& facts = seed.facts[pieces[i].origin];
    if (!facts.is_tcp || facts.has_payload == payload_kept) return false;
    return !facts.opens_or_ends || random.chance(300);
  });
}

Pieces snap_all(const Seed&, Pieces pieces, synth::Random& random) {
  constexpr std::array<std::uint32_t, 12> kUsual{54, 60, 64, 66, 68, 80, 96, 100, 128, 200, 256, 1024};
  const auto length = random.chance(75) ? static_cast<std::uint32_t>(random.between(40, 1600)) : one_of(random, kUsual);
  for (Piece& piece : pieces) piece.kept = std::min(piece.kept, length);
  return pieces;
}

void cut(const Seed& seed, Piece& piece, synth::Random& random) {
  const auto size = static_cast<std::uint32_t>(seed.frames[piece.origin].octets.size());
  piece.kept = std::min(piece.kept, static_cast<std::uint32_t>(random.between(std::min(14U, size), size)));
}

Pieces cut_one(const Seed& seed, Pieces pieces, synth::Random& random) {
  if (!pieces.empty()) cut(seed, pieces[random.below(pieces.size())], random);
  return pieces;
}

Pieces cut_some(const Seed& seed, Pieces pieces, synth::Random& random) {
  const auto permille = one_of(random, std::array<unsigned, 3>{20, 200, 1000});
  for (Piece& piece : pieces) {
    if (random.chance(permille)) cut(seed, piece, random);
  }
  return pieces;
}

constexpr auto kLosses = std::to_array<Mutation>({
    {"drop-one", drop_one},
    {"drop-burst", drop_burst},
    {"drop-percent", drop_percent},
    {"drop-head", drop_head},
    {"drop-tail", drop_tail},
    {"drop-direction", drop_direction},
    {"drop-acknowledgments", drop_acknowledgments},
    {"snap-all", snap_all},
    {"cut-one", cut_one},
    {"cut-some", cut_some},
});

}  // namespace

std::span<const Mutation> losses() noexcept {
  return kLosses;
}

std::string Damage::name() const {
  std::string text(first->name);
  if (second != nullptr) text += "+" + std::string(second->name);
  return text;
}

Pieces Damage::apply(const Seed& seed, synth::Random& random) const {
  Pieces pieces = first->apply(seed, whole(seed), random);
  return second == nullptr || pieces.empty() ? pieces : second->apply(seed, std::move(pieces), random);
}

Damage choose_damage(synth::Random& random, std::string_view only) {
  std::vector<const Mutation*> all, wanted;
  for (const auto group : {losses(), moves()}) {
    for (const Mutation& m : group) {
      all.push_back(&m);
      if (m.name.find(only) != std::string_view::npos) wanted.push_back(&m);
    }
  }
  if (wanted.empty()) return {};
  Damage damage{wanted[random.below(wanted.size())], nullptr};
  if (random.chance(500)) damage.second = all[random.below(all.size())];
  return damage;
}

}  // namespace iwarpscope::test
