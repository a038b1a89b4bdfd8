// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Frames that are in a capture twice, at another position or with padding.
#include <algorithm>
#include <array>

#include "damage/mutations.h"

namespace iwarpscope::test {
namespace {

constexpr std::int64_t kMicrosecond = 1000;
constexpr std::int64_t kMillisecond = 1'000'000;

void sort_by_time(Pieces& pieces) {
  std::stable_sort(pieces.begin(), pieces.end(), [](const Piece& x, const Piece& y) { return x.time_ns < y.time_ns; });
}

/// The frames have moved, but the times stay: the tap stamps what it writes.
void stamp_in_order(Pieces& pieces) {
  std::vector<std::int64_t> times;
  for (const Piece& piece : pieces) times.push_back(piece.time_ns);
  std::sort(times.begin(), times.end());
  for (std::size_t i = 0; i < pieces.size(); ++i) pieces[i].time_ns = times[i];
}

Pieces repeat_at_once(const Seed&, Pieces pieces, synth::Random& random) {
  const auto permille = one_of(random, std::array<unsigned, 3>{50, 300, 1000});
  Pieces out;
  for (const Piece& piece : pieces) {
    out.push_back(piece);
    if (!random.chance(permille)) continue;
    out.push_back(piece);
    out.back().time_ns += one_of(random, std::array<std::int64_t, 5>{0, 0, 100, kMicrosecond, 20 * kMicrosecond});
  }
  return out;
}

/// A mirror's copy comes some frames later, but not so late that it can be a retransmission.
Pieces repeat_later(const Seed&, Pieces pieces, synth::Random& random) {
  const auto permille = one_of(random, std::array<unsigned, 3>{50, 300, 1000});
  const auto lag = one_of(random, std::array<std::size_t, 4>{1, 2, 3, 8});
  std::vector<bool> chosen(pieces.size());
  for (std::size_t i = 0; i < pieces.size(); ++i) chosen[i] = random.chance(permille);
  Pieces out;
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    out.push_back(pieces[i]);
    if (i < lag || !chosen[i - lag] || pieces[i].time_ns - pieces[i - lag].time_ns > 50 * kMillisecond) continue;
    out.push_back(pieces[i - lag]);
    out.back().time_ns = pieces[i].time_ns;
  }
  return out;
}

/// Two ports of one router are mirrored.
Pieces repeat_routed(const Seed&, Pieces pieces, synth::Random& random) {
  const auto permille = one_of(random, std::array<unsigned, 2>{100, 1000});
  const auto lag = one_of(random, std::array<std::int64_t, 3>{kMicrosecond, 10 * kMicrosecond, 50 * kMicrosecond});
  Pieces out;
  for (const Piece& piece : pieces) {
    out.push_back(piece);
    if (!random.chance(permille)) continue;
    out.push_back(piece);
    out.back().routed = true;
    out.back().time_ns += lag;
  }
  sort_by_time(out);
  return out;
}

/// One frame comes one to three positions late.
Pieces move_one(const Seed&, Pieces pieces, synth::Random& random) {
  if (pieces.size() < 2) return pieces;
  const std::size_t from = random.below(pieces.size() - 1);
  const std::size_t to = std::min<std::size_t>(pieces.size() - 1, from + random.between(1, 3));
  const auto at = pieces.begin() + static_cast<std::ptrdiff_t>(from);
  std::rotate(at, at + 1, pieces.begin() + static_cast<std::ptrdiff_t>(to) + 1);
  stamp_in_order(pieces);
  return pieces;
}

/// Frames of several receive queues, written in a slightly wrong order; some taps keep the times of arrival.
Pieces exchange_near(const Seed&, Pieces pieces, synth::Random& random) {
  const auto permille = one_of(random, std::array<unsigned, 3>{20, 100, 400});
  const auto reach = one_of(random, std::array<std::size_t, 4>{1, 2, 4, 8});
  std::vector<std::pair<std::size_t, std::size_t>> order;  // twice the new position, and the index
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    order.emplace_back(2 * i + (random.chance(permille) ? 2 * random.between(1, reach) + 1 : 0), i);
  }
  std::sort(order.begin(), order.end());
  Pieces out;
  for (const auto& [place, index] : order) out.push_back(pieces[index]);
  if (random.chance(700)) stamp_in_order(out);
  return out;
}

/// Time stamps with errors of up to some microseconds, and a merge by them.
Pieces jitter(const Seed&, Pieces pieces, synth::Random& random) {
  const auto reach = one_of(random, std::array<std::int64_t, 3>{kMicrosecond, 20 * kMicrosecond, 200 * kMicrosecond});
  for (Piece& piece : pieces)
    piece.time_ns += static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(reach)));
  sort_by_time(pieces);
  return pieces;
}

/// Two merged taps, one with a slow clock or queue: all frames of one host come later.
Pieces skew(const Seed& seed, Pieces pieces, synth::Random& random) {
  constexpr std::array<std::int64_t, 5> kLags{10 * kMicrosecond, 100 * kMicrosecond, kMillisecond, 5 * kMillisecond,
                                              50 * kMillisecond};
  if (pieces.empty()) return pieces;
  const FrameFacts& chosen = seed.facts[pieces[random.below(pieces.size())].origin];
  if (!chosen.source) return pieces;
  const std::int64_t lag = one_of(random, kLags);
  for (Piece& piece : pieces) {
    const FrameFacts& facts = seed.facts[piece.origin];
    if (facts.source && facts.source->address == chosen.source->address) piece.time_ns += lag;
  }
  sort_by_time(pieces);
  return pieces;
}

/// Short Ethernet frames are padded on the wire, and some taps keep the frame check sequence. Frames captured before an
/// adapter completed them have neither.
Pieces pad(const Seed& seed, Pieces pieces, synth::Random& random) {
  constexpr std::size_t kShortest = 60;
  const bool check_sequence = random.chance(500);
  for (Piece& piece : pieces) {
    const net::Frame& frame = seed.frames[piece.origin];
    if (frame.link != net::LinkType::ethernet || frame.octets.size() != frame.original_length) continue;
    if (seed.facts[piece.origin].is_offloaded) continue;
    const std::size_t size = frame.octets.size();
    if (size < kShortest) piece.zeros = static_cast<std::uint16_t>(kShortest - size);
    piece.check_sequence = check_sequence;
  }
  return pieces;
}

constexpr auto kMoves = std::to_array<Mutation>({
    {"repeat-at-once", repeat_at_once},
    {"repeat-later", repeat_later},
    {"repeat-routed", repeat_routed},
    {"move-one", move_one},
    {"exchange-near", exchange_near},
    {"jitter", jitter},
    {"skew", skew},
    {"pad", pad},
});

}  // namespace

std::span<const Mutation> moves() noexcept {
  return kMoves;
}

}  // namespace iwarpscope::test
