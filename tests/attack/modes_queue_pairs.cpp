// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include <array>
#include <vector>

#include "attack/connection.h"
#include "attack/modes.h"

namespace iwarpscope::attack {
namespace {

namespace wire = synth::wire;

/// `run` for one queue pair after another.
template <class Run>
void queue_pairs(Load& load, Run run) {
  for (std::uint32_t n = 0; !load.is_full(); ++n) {
    Connection c(load, n);
    run(c, n);
  }
}

void only_started(Load& load) {
  queue_pairs(load, [](Connection& c, std::uint32_t) { c.start(); });
}
void private_data(Load& load) {
  queue_pairs(load, [&](Connection& c, std::uint32_t) { c.start(load.random.octets(512)); });
}
void one_send(Load& load) {
  queue_pairs(load, [](Connection& c, std::uint32_t) {
    c.start();
    c.segment(kThere, c.send(kThere, filled(8)));
  });
}
void midstream(Load& load) {
  queue_pairs(load, [](Connection& c, std::uint32_t) {
    Buffer both = c.send(kThere, filled(4));
    const Buffer second = c.send(kThere, filled(4));
    both.insert(both.end(), second.begin(), second.end());
    c.segment(kThere, both);
  });
}
void closed(Load& load) {
  queue_pairs(load, [](Connection& c, std::uint32_t) {
    c.start();
    c.segment(kThere, c.send(kThere, filled(8)));
    c.segment(kThere, {}, wire::kFin | wire::kAck);
    c.segment(kBack, {}, wire::kFin | wire::kAck);
    c.segment(kThere, {}, wire::kAck);
  });
}
void ports_reused(Load& load) {
  while (!load.is_full()) {
    Connection c(load, 1);
    c.start();
    c.segment(kThere, c.send(kThere, filled(8)));
    c.segment(kThere, {}, wire::kRst | wire::kAck);
  }
}
void terminated(Load& load) {
  queue_pairs(load, [](Connection& c, std::uint32_t n) {
    c.start();
    c.segment(kThere, c.write(STag{n}, n, filled(8)));
    c.segment(kBack, c.terminate(kBack, STag{n}, TaggedOffset{n}));
    c.segment(kBack, {}, wire::kRst | wire::kAck);
  });
}
void models(Load& load) {
  queue_pairs(load, [&](Connection& c, std::uint32_t) {
    c.start();
    for (int k = 0; k < 64; ++k) {
      for (const Direction d : {kThere, kBack}) {
        c.push(d, c.write(STag{static_cast<std::uint32_t>(load.random.next())}, 0, filled(1)));
      }
    }
    c.flush(kThere);
    c.flush(kBack);
  });
}
void requests(Load& load) {
  queue_pairs(load, [&](Connection& c, std::uint32_t) {
    c.start();
    for (std::uint32_t k = 0; k < 200; ++k) {
      c.push(kThere, c.read_request(kThere, {.sink_stag = STag{k}, .sink_to = TaggedOffset{k}, .size = 64}));
    }
    c.flush(kThere);
  });
}
void atomics(Load& load) {
  queue_pairs(load, [&](Connection& c, std::uint32_t) {
    c.start();
    for (std::uint32_t k = 0; k < 100; ++k) {
      c.push(kThere, c.atomic_request(
                         kThere, {.request_id = k, .remote_to = TaggedOffset{8 * load.random.below(100'000'000)}}));
    }
    c.flush(kThere);
  });
}
void held_octets(Load& load) {
  queue_pairs(load, [](Connection& c, std::uint32_t) {
    c.start();
    for (std::int64_t k = 0; k < 30; ++k) c.segment_ahead(kThere, 10 + 2 * k, filled(1));
  });
}
void open_everything(Load& load) {
  queue_pairs(load, [](Connection& c, std::uint32_t) {
    constexpr std::array kOpcodes = {wire::Opcode::send, wire::Opcode::rdma_read_request, wire::Opcode::terminate,
                                     wire::Opcode::atomic_response};
    c.start();
    for (std::uint32_t q = 0; q < kOpcodes.size(); ++q) c.push(kThere, c.untagged(kOpcodes[q], q, 1, filled(4), false));
    c.push(kThere, c.write(STag{7}, 7, filled(4), false));
    c.flush(kThere);
    c.segment(kThere, synth::hex("fff0c140 00000000 00000000 00000000"));
  });
}
void many_findings(Load& load) {
  queue_pairs(load, [](Connection& c, std::uint32_t) {
    c.start();
    for (std::uint32_t k = 0; k < 100; ++k) {
      c.push(kThere, c.untagged(wire::Opcode::send, 0, 8 + 7 * k, filled(4)));
      c.push(kThere, c.read_response(STag{k}, k, filled(3)));
    }
    c.flush(kThere);
  });
}
void few_findings(Load& load) {
  queue_pairs(load, [](Connection& c, std::uint32_t) {
    c.start();
    c.push(kThere, c.untagged(wire::Opcode::send, 0, 5, filled(4)));
    Buffer damaged = c.untagged(wire::Opcode::send, 0, 9, filled(4));
    damaged.back() ^= std::byte{1};
    c.push(kThere, damaged);
    c.push(kThere, c.read_response(STag{1}, 1, filled(4)));
    c.flush(kThere);
    c.segment(kThere, {}, wire::kRst | wire::kAck);
  });
}
// One finding for each frame of one queue pair.
void finding_each_frame(Load& load) {
  Connection c(load, 0);
  c.start();
  for (std::uint32_t k = 0; !load.is_full(); ++k) {
    c.segment(kThere, c.untagged(wire::Opcode::send, k % 3, 8 + 7 * k, filled(1)));
  }
}
void clock_jumps(Load& load) {
  constexpr std::int64_t kDay = 86'400'000'000'000;
  std::vector<Connection> all;
  for (std::uint32_t n = 0; n < 1000; ++n) all.emplace_back(load, n).start();
  while (!load.is_full()) {
    Connection& c = all[load.random.below(all.size())];
    c.segment(kThere, c.write(STag{7}, load.random.next() >> 8U, filled(1)));
    load.advance(load.random.below(2) == 0 ? kDay : -kDay);
  }
}

constexpr std::array kQueuePairModes = {
    Mode{"queue-pairs", "queue pairs without a message", only_started},
    Mode{"queue-pairs-private-data", "the same with 512 octets of Private Data", private_data},
    Mode{"queue-pairs-one-send", "queue pairs with one Send", one_send},
    Mode{"queue-pairs-midstream", "a queue pair in each TCP segment", midstream},
    Mode{"queue-pairs-closed", "queue pairs that are closed", closed},
    Mode{"queue-pairs-ports-reused", "queue pairs between the same ports", ports_reused},
    Mode{"queue-pairs-terminated", "queue pairs that are terminated", terminated},
    Mode{"queue-pairs-models", "queue pairs with many STags", models},
    Mode{"queue-pairs-reads", "queue pairs with 200 Reads without an answer", requests},
    Mode{"queue-pairs-atomics", "queue pairs with 100 atomics without an answer", atomics},
    Mode{"queue-pairs-held", "queue pairs with octets out of order", held_octets},
    Mode{"queue-pairs-open", "queue pairs with open messages", open_everything},
    Mode{"findings-many", "200 findings of each queue pair", many_findings},
    Mode{"findings-few", "four findings of each queue pair", few_findings},
    Mode{"finding-each-frame", "one finding for each frame of a queue pair", finding_each_frame},
    Mode{"clock-jumps", "the clock jumps by a day", clock_jumps},
};

}  // namespace

std::span<const Mode> queue_pair_modes() {
  return kQueuePairModes;
}

}  // namespace iwarpscope::attack
