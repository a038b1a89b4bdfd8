// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include <array>

#include "attack/connection.h"
#include "attack/modes.h"

namespace iwarpscope::attack {
namespace {

constexpr std::size_t kHeaders = 54;  // Ethernet, IPv4 and TCP: a frame cut here has no payload

void small_segments(Load& load) {
  Connection c(load, 0);
  c.start();
  while (!load.is_full()) c.segment(kThere, c.send(kThere, filled(1)));
}

void small_messages(Load& load) {
  Connection c(load, 0);
  c.start();
  while (!load.is_full()) c.push(kThere, c.send(kThere, filled(64)));
}

void one_octet(Load& load) {
  Connection c(load, 0);
  c.start();
  while (!load.is_full()) c.push(kThere, c.send(kThere, filled(64)), 1);
}

void reversed(Load& load) {
  Connection c(load, 0);
  c.start();
  while (!load.is_full()) {
    Buffer all;
    while (all.size() < 4000) {
      const Buffer fpdu = c.send(kThere, filled(64));
      all.insert(all.end(), fpdu.begin(), fpdu.end());
    }
    for (std::size_t k = all.size(); k-- > 0;) {
      c.segment_ahead(kThere, static_cast<std::int64_t>(k), Octets{all}.subspan(k, 1));
    }
    c.skip(kThere, static_cast<std::int64_t>(all.size()));
  }
}

void holes(Load& load) {
  Connection c(load, 0);
  c.start();
  for (std::int64_t at = 1000; !load.is_full(); at += 2) c.segment_ahead(kThere, at, filled(1));
}

/// Pieces of one octet with a hole before each.
void hold_pieces(Connection& c, std::int64_t step, std::optional<std::size_t> captured = {}) {
  for (std::int64_t k = 0; k < 2000; ++k) c.segment_ahead(kThere, 100 + k * step, filled(1), captured);
}

void cut_over_pieces(Load& load) {
  Connection c(load, 0);
  c.start();
  hold_pieces(c, 2);
  const Buffer wide = filled(4000);
  while (!load.is_full()) {
    c.segment_ahead(kThere, 99 + static_cast<std::int64_t>(load.random.below(3)), wide, kHeaders);
  }
}

void cut_over_cut_pieces(Load& load) {
  Connection c(load, 0);
  c.start();
  hold_pieces(c, 16, kHeaders);
  const Buffer wide = filled(65'000);
  while (!load.is_full()) {
    c.segment_ahead(kThere, 99 + static_cast<std::int64_t>(load.random.below(3)), wide, kHeaders);
  }
}

// The last octet that is captured opens what the cut frame before covered.
void cut_and_opened(Load& load) {
  Connection c(load, 0);
  c.start();
  hold_pieces(c, 2);
  const Buffer wide = filled(4000);
  for (std::int64_t k = 0; !load.is_full(); k = (k + 2) % 4000) {
    c.segment_ahead(kThere, 99, wide, kHeaders);
    c.segment_ahead(kThere, 101 + k, filled(1));
  }
}

void whole_over_pieces(Load& load) {
  Connection c(load, 0);
  c.start();
  hold_pieces(c, 2);
  const Buffer wide = filled(4000);
  while (!load.is_full()) c.segment_ahead(kThere, 99 + static_cast<std::int64_t>(load.random.below(3)), wide);
}

void pieces_then_whole(Load& load) {
  Connection c(load, 0);
  c.start();
  while (!load.is_full()) {
    for (std::int64_t k = 0; k < 1400; k += 2) c.segment_ahead(kThere, 100 + k, filled(1));
    c.segment_ahead(kThere, 100, filled(1400));
    c.skip(kThere, 1400);
  }
}

// DDP segments of one message come last first, each in a TCP segment of its own.
void segments_last_first(Load& load) {
  Connection c(load, 0);
  c.start();
  while (!load.is_full()) {
    constexpr std::int64_t kSegments = 1000;
    const Buffer one = Connection::write(STag{7}, 0, filled(1), false);
    const auto size = static_cast<std::int64_t>(one.size());
    for (std::int64_t k = kSegments; k-- > 0;) {
      c.segment_ahead(kThere, k * size, Connection::write(STag{7}, static_cast<std::uint64_t>(k), filled(1), false));
    }
    c.skip(kThere, kSegments * size);
  }
}

// Another sequence number each time, so that the connection is followed and nothing fits.
void scattered_sequences(Load& load) {
  Connection c(load, 0);
  c.start();
  while (!load.is_full()) {
    c.segment_ahead(kThere, static_cast<std::int64_t>(load.random.below(1U << 20U)), filled(1));
  }
}

void acknowledgments(Load& load) {
  Connection c(load, 0);
  c.start();
  for (std::int64_t k = 0; !load.is_full(); ++k) {
    c.segment_ahead(kThere, 2 + 2 * (k % 500), filled(1));
    c.segment(kBack, {}, synth::wire::kAck);
  }
}

constexpr std::array kSegmentModes = {
    Mode{"small-segments", "one Send of one octet in each TCP segment: what is compared with", small_segments},
    Mode{"small-messages", "Sends of 64 octets, packed", small_messages},
    Mode{"one-octet", "TCP segments of one octet", one_octet},
    Mode{"reversed", "TCP segments of one octet, the last first", reversed},
    Mode{"holes", "every other octet", holes},
    Mode{"cut-over-pieces", "cut frames over 2000 held pieces", cut_over_pieces},
    Mode{"cut-over-cut-pieces", "cut frames over 2000 pieces that are cut, too", cut_over_cut_pieces},
    Mode{"cut-and-opened", "cut frames whose octets come one by one", cut_and_opened},
    Mode{"whole-over-pieces", "whole frames over 2000 held pieces", whole_over_pieces},
    Mode{"pieces-then-whole", "every other octet, then all", pieces_then_whole},
    Mode{"segments-last-first", "DDP segments of one message, the last first", segments_last_first},
    Mode{"scattered-sequences", "one octet at a place of the window that does not come next", scattered_sequences},
    Mode{"acknowledgments", "pieces after a hole, each acknowledged", acknowledgments},
};

}  // namespace

std::span<const Mode> segment_modes() {
  return kSegmentModes;
}

}  // namespace iwarpscope::attack
