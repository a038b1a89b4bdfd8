// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include <array>
#include <vector>

#include "attack/connection.h"
#include "attack/modes.h"

namespace iwarpscope::attack {
namespace {

namespace wire = synth::wire;

constexpr std::uint32_t kReads = 4096;  // as many as are remembered

STag any_stag(Load& load) {
  return STag{static_cast<std::uint32_t>(load.random.next())};
}

void request_reads(Connection& c, std::uint32_t size) {
  for (std::uint32_t k = 0; k < kReads; ++k) {
    c.push(kThere, c.read_request(kThere, {.sink_stag = STag{0x1000 + k}, .sink_to = TaggedOffset{k}, .size = size}));
  }
  c.flush(kThere);
}

void reads_last_first(Load& load) {
  Connection c(load, 0);
  c.start();
  while (!load.is_full()) {
    request_reads(c, 8);
    for (std::uint32_t k = kReads; k-- > 0;) c.push(kBack, c.read_response(STag{0x1000 + k}, k, filled(8)));
    c.flush(kBack);
  }
}

void reads_at_random(Load& load) {
  Connection c(load, 0);
  c.start();
  request_reads(c, 8);
  while (!load.is_full()) {
    const auto k = static_cast<std::uint32_t>(load.random.below(kReads));
    c.push(kBack, c.read_response(STag{0x1000 + k}, k, filled(8)));
    c.flush(kBack);
    c.push(kThere, c.read_request(kThere, {.sink_stag = STag{0x1000 + k}, .sink_to = TaggedOffset{k}, .size = 8}));
    c.flush(kThere);
  }
}

void reads_answered_elsewhere(Load& load) {
  Connection c(load, 0);
  c.start();
  request_reads(c, 64);
  for (std::uint32_t n = 0; !load.is_full(); ++n) c.push(kBack, c.read_response(STag{0x99999}, n, filled(1)));
}

// All sinks are in one buffer, and no response lies in any.
void reads_of_one_buffer(Load& load) {
  Connection c(load, 0);
  c.start();
  for (std::uint32_t k = 0; k < kReads; ++k) {
    c.push(kThere, c.read_request(kThere, {.sink_stag = STag{7}, .sink_to = TaggedOffset{k * 16}, .size = 4}));
  }
  c.flush(kThere);
  while (!load.is_full()) c.push(kBack, c.read_response(STag{7}, 1'000'000, filled(1)));
}

void reads_of_nothing(Load& load) {
  Connection c(load, 0);
  c.start();
  while (!load.is_full()) {
    for (std::uint32_t k = 0; k < kReads; ++k) c.push(kThere, c.read_request(kThere, {.size = 0}));
    c.flush(kThere);
    for (std::uint32_t k = 0; k < kReads; ++k) c.push(kBack, c.read_response(STag{1}, 0, {}));
    c.flush(kBack);
  }
}

// Every other response is lost: what is before a gap must be marked each time.
void reads_and_gaps(Load& load) {
  Connection c(load, 0);
  c.start();
  request_reads(c, 8);
  for (std::uint32_t k = 0; !load.is_full(); ++k) {
    c.skip(kBack, 32);
    c.segment(kBack, c.read_response(STag{0x900'0000}, k, filled(1)));
    c.segment(kThere, c.read_request(kThere, {.sink_stag = STag{0x2000 + k}, .size = 8}));
  }
}

void reads_only(Load& load) {
  Connection c(load, 0);
  c.start();
  while (!load.is_full()) {
    c.push(kThere, c.read_request(kThere, {any_stag(load), TaggedOffset{load.random.next()}, 64, any_stag(load),
                                           TaggedOffset{load.random.next()}}));
  }
}

void writes_scattered(Load& load) {
  Connection c(load, 0);
  c.start();
  while (!load.is_full()) c.push(kThere, c.write(STag{7}, load.random.below(1ULL << 40U) & ~7ULL, filled(1)));
}

void writes_to_many_stags(Load& load) {
  Connection c(load, 0);
  c.start();
  while (!load.is_full()) c.push(kThere, c.write(any_stag(load), load.random.next() >> 8U, filled(1)));
}

void writes_and_wide_reads(Load& load) {
  Connection c(load, 0);
  c.start();
  while (!load.is_full()) {
    for (const Direction d : {kThere, kBack}) {
      for (int k = 0; k < 4; ++k) {
        c.push(d, c.write(STag{d == kThere ? 7U : 9U}, load.random.below(1ULL << 31U), filled(1)));
      }
    }
    c.push(kThere, c.read_request(kThere, {STag{9}, TaggedOffset{0}, 0xFFFFFFFF, STag{7}, TaggedOffset{0}}));
    c.flush(kThere);
    c.push(kBack, c.read_response(STag{9}, 0, filled(16)));
    c.flush(kBack);
  }
}

void stags_invalidated(Load& load) {
  Connection c(load, 0);
  c.start();
  while (!load.is_full()) c.push(kThere, c.send_invalidate(kThere, any_stag(load)));
}

void stags_used_and_invalidated(Load& load) {
  Connection c(load, 0);
  c.start();
  for (std::uint32_t k = 0; !load.is_full(); ++k) {
    c.push(kThere, c.write(STag{k}, 0, filled(1)));
    c.push(kThere, c.send_invalidate(kThere, STag{k - k % 200}));
  }
}

void stags_of_many(Load& load) {
  std::vector<Connection> all;
  for (std::uint32_t n = 0; n < 500; ++n) all.emplace_back(load, n).start();
  while (!load.is_full()) {
    Connection& c = all[load.random.below(all.size())];
    for (int k = 0; k < 20; ++k) {
      c.push(kThere, c.write(STag{static_cast<std::uint32_t>(load.random.below(100'000))}, 0, filled(1)));
    }
    c.flush(kThere);
  }
}

void terminates(Load& load) {
  Connection c(load, 0);
  c.start();
  while (!load.is_full()) c.push(kBack, c.terminate(kBack, any_stag(load), TaggedOffset{load.random.next()}));
}

void open_messages(Load& load) {
  Connection c(load, 0);
  c.start();
  for (std::uint32_t k = 0; !load.is_full(); ++k) {
    c.push(kThere, c.untagged(wire::Opcode::send, k % 4, k / 4 + 1, filled(4), false));
  }
}

constexpr std::array kOperationModes = {
    Mode{"reads-last-first", "4096 Reads, answered last first", reads_last_first},
    Mode{"reads-at-random", "4096 Reads, answered in any order and sent again", reads_at_random},
    Mode{"reads-answered-elsewhere", "4096 Reads and responses that fit none", reads_answered_elsewhere},
    Mode{"reads-of-one-buffer", "the same with all sinks in one buffer", reads_of_one_buffer},
    Mode{"reads-of-nothing", "4096 Reads of no octet", reads_of_nothing},
    Mode{"reads-and-gaps", "4096 Reads, and gaps among the responses", reads_and_gaps},
    Mode{"reads-only", "Reads without an answer", reads_only},
    Mode{"writes-scattered", "Writes of one octet all over a buffer", writes_scattered},
    Mode{"writes-to-many-stags", "Writes of one octet to an STag each", writes_to_many_stags},
    Mode{"writes-and-wide-reads", "Writes of one octet, and Reads of all", writes_and_wide_reads},
    Mode{"stags-invalidated", "Sends that invalidate unknown STags", stags_invalidated},
    Mode{"stags-used-and-invalidated", "STags used once, and invalidated", stags_used_and_invalidated},
    Mode{"stags-of-many", "500 queue pairs with common STags", stags_of_many},
    Mode{"terminates", "Terminate after Terminate", terminates},
    Mode{"open-messages", "messages that never end", open_messages},
};

}  // namespace

std::span<const Mode> operation_modes() {
  return kOperationModes;
}

}  // namespace iwarpscope::attack
