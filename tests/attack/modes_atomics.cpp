// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include <array>
#include <vector>

#include "attack/connection.h"
#include "attack/modes.h"

namespace iwarpscope::attack {
namespace {

namespace wire = synth::wire;
using wire::AtomicOperation;

constexpr STag kStag{0x700};
constexpr TaggedOffset kWord{0x4000};
constexpr std::uint64_t kAll = ~std::uint64_t{0};

std::vector<Connection> started(Load& load, std::uint32_t count) {
  std::vector<Connection> all;
  for (std::uint32_t n = 0; n < count; ++n) all.emplace_back(load, n).start();
  return all;
}

wire::AtomicRequest fetch_add(std::uint32_t id, std::uint64_t value, TaggedOffset to = kWord) {
  return {.request_id = id, .remote_stag = kStag, .remote_to = to, .data = value, .mask = kAll};
}
wire::AtomicRequest cmp_swap(std::uint32_t id, std::uint64_t value, std::uint64_t compare) {
  return {.operation = AtomicOperation::cmp_swap,
          .request_id = id,
          .remote_stag = kStag,
          .remote_to = kWord,
          .data = value,
          .mask = kAll,
          .compare = compare};
}

/// All queue pairs ask `window` times for one word, and are answered in the opposite order.
template <class Request, class Value>
void one_word(Load& load, std::uint32_t count, std::uint32_t window, Request request, Value value) {
  std::vector<Connection> all = started(load, count);
  for (std::uint32_t id = 0; !load.is_full(); id += count * window) {
    for (std::uint32_t n = 0; n < count; ++n) {
      for (std::uint32_t k = 0; k < window; ++k) {
        all[n].push(kThere, all[n].atomic_request(kThere, request(id + n * window + k)));
      }
      all[n].flush(kThere);
    }
    for (std::uint32_t n = count; n-- > 0;) {
      for (std::uint32_t k = 0; k < window; ++k) {
        all[n].push(kBack, all[n].atomic_response(kBack, {id + n * window + k, value()}));
      }
      all[n].flush(kBack);
    }
  }
}

void equal_values(Load& load) {
  one_word(
      load, 64, 64, [](std::uint32_t id) { return fetch_add(id, 0); }, [] { return std::uint64_t{0}; });
}

wire::AtomicRequest any_operation(Load& load, std::uint32_t id) {
  const std::uint64_t value = load.random.below(3);
  return load.random.below(2) == 0 ? fetch_add(id, value) : cmp_swap(id, value, load.random.below(3));
}

void mixed_values(Load& load) {
  one_word(
      load, 64, 64, [&](std::uint32_t id) { return any_operation(load, id); }, [&] { return load.random.below(3); });
}

void many_queue_pairs(Load& load) {
  one_word(
      load, 512, 4, [&](std::uint32_t id) { return any_operation(load, id); }, [&] { return load.random.below(3); });
}

void many_words(Load& load) {
  std::vector<Connection> all = started(load, 16);
  for (std::uint32_t id = 0; !load.is_full(); id += 32) {
    Connection& c = all[load.random.below(all.size())];
    for (std::uint32_t k = 0; k < 32; ++k) {
      c.push(kThere, c.atomic_request(kThere, fetch_add(id + k, 1, TaggedOffset{8 * load.random.below(1'000'000)})));
    }
    c.flush(kThere);
    for (std::uint32_t k = 0; k < 32; ++k) c.push(kBack, c.atomic_response(kBack, {id + k, load.random.next()}));
    c.flush(kBack);
  }
}

void unanswered(Load& load) {
  std::vector<Connection> all = started(load, 64);
  for (std::uint32_t id = 0; !load.is_full(); id += 12) {
    Connection& c = all[load.random.below(all.size())];
    for (std::uint32_t k = 0; k < 12; ++k) {
      c.push(kThere, c.atomic_request(kThere, cmp_swap(id + k, load.random.below(4), load.random.below(4))));
    }
    c.flush(kThere);
  }
}

void same_identifier(Load& load) {
  Connection c(load, 0);
  c.start();
  while (!load.is_full()) {
    for (int k = 0; k < 4000; ++k) c.push(kThere, c.atomic_request(kThere, fetch_add(1, 1)));
    c.flush(kThere);
    for (int k = 0; k < 4000; ++k) c.push(kBack, c.atomic_response(kBack, {1, load.random.below(3)}));
    c.flush(kBack);
  }
}

// Writes over the word between atomics: any order may explain what is returned.
void written_words(Load& load) {
  std::vector<Connection> all = started(load, 16);
  for (std::uint32_t id = 0; !load.is_full(); id += 1) {
    Connection& c = all[load.random.below(all.size())];
    c.push(kThere, c.atomic_request(kThere, fetch_add(id, 1)));
    c.push(kThere, c.write(kStag, kWord.value, filled(8, static_cast<std::uint8_t>(load.random.below(3)))));
    c.flush(kThere);
    c.push(kBack, c.atomic_response(kBack, {id, load.random.below(3)}));
    c.flush(kBack);
  }
}

constexpr std::array kAtomicModes = {
    Mode{"atomics-equal", "64 queue pairs, one word, all values equal", equal_values},
    Mode{"atomics-mixed", "the same with few values", mixed_values},
    Mode{"atomics-many-queue-pairs", "512 queue pairs, one word", many_queue_pairs},
    Mode{"atomics-many-words", "a word for each atomic", many_words},
    Mode{"atomics-unanswered", "atomics of 64 queue pairs without an answer", unanswered},
    Mode{"atomics-same-identifier", "4000 atomics with one identifier", same_identifier},
    Mode{"atomics-and-writes", "atomics, and Writes over their word", written_words},
};

}  // namespace

std::span<const Mode> atomic_modes() {
  return kAtomicModes;
}

}  // namespace iwarpscope::attack
