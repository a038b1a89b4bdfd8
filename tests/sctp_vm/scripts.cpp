// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "sctp_vm/scripts.h"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string>

namespace iwarpscope::sctp_vm {

namespace {

using synth::Rtr;
using synth::text;
using synth::wire::AtomicOperation;
using synth::wire::EnhancedData;
using synth::wire::SessionFunction;

constexpr Side kA = Side::initiator, kB = Side::responder;

constexpr STag kSink{0x1111}, kAnnounced{0x2222};
constexpr TaggedOffset at(std::uint64_t offset) {
  return TaggedOffset{0x10000 + offset};
}

void each_message(Player& p) {
  SocketStream& s = p.stream();
  s.startup({.request_private_data = text("hello"), .reply_private_data = text("welcome")});
  s.send(kA, 200);
  s.send_se(kB, 200);
  s.write(kA, kAnnounced, at(0), 200);
  s.write(kB, kSink, at(0), 5000);
  s.read(kA, {.size = 6000});
  s.send(kA, 4000);
  s.send(kA, 0);
  s.read(kB, {.size = 0});
  s.immediate(kA, 0x1122334455667788);
  s.immediate(kB, 0x99, true);
  (void)s.atomic(kA, {.operation = AtomicOperation::fetch_add, .data = 5});
  s.send_invalidate(kA, STag{0x3333}, 64);
  s.send_se_invalidate(kB, STag{0x5100}, 64);
  s.close();
  p.shutdown();
}

void send(Player& p) {
  SocketStream& s = p.stream();
  s.startup();
  for (const unsigned octets : {0U, 1U, 64U, 1000U, 1380U, 1381U, 5000U, 12000U}) {
    s.send(kA, octets);
    s.send(kB, octets / 2);
  }
  s.close();
  p.shutdown();
}

void write_send(Player& p) {
  SocketStream& s = p.stream();
  s.startup();
  s.send(kA, 32);
  p.stream().receive_all();
  for (std::uint64_t i = 0; i < 6; ++i) {
    s.write(kA, kAnnounced, at(i * 6000), 6000);
    s.send(kA, 48);
    s.receive_all();
    s.send(kB, 16);
  }
  s.close(kB);
  p.shutdown(kB);
}

void read(Player& p) {
  SocketStream& s = p.stream();
  s.startup({.request_enhanced = EnhancedData{.ird = 4, .ord = 4}, .reply_enhanced = EnhancedData{.ird = 4, .ord = 4}});
  s.read(kA, {.size = 0});
  s.read(kA, {.size = 100});
  for (std::uint32_t i = 0; i < 4; ++i) {
    s.read_request(kA, {.sink_to = at(i * 5000ULL), .size = 5000, .source_to = at(i * 5000ULL)});
  }
  for (int i = 0; i < 4; ++i) s.read_response(kB);
  s.receive_all();
  s.read(kB, {.size = 3000});
  s.close();
  p.shutdown();
}

void streams(Player& p) {
  for (std::uint16_t id = 0; id < 12; ++id) p.stream(id).startup();
  for (unsigned round = 0; round < 3; ++round) {
    for (std::uint16_t id = 0; id < 12; ++id) {
      SocketStream& s = p.stream(id);
      if (id % 4 == 0) s.send(kA, 300 + round);
      if (id % 4 == 1) s.write(kA, kAnnounced, at(round * 2500ULL), 2500);
      if (id % 4 == 2) s.send(kB, 700 + id);
      if (id % 4 == 3)
        s.read_request(kA, {.sink_to = at(round * 900ULL), .size = 900, .source_to = at(round * 900ULL)});
    }
    for (std::uint16_t id = 3; id < 12; id = static_cast<std::uint16_t>(id + 4)) p.stream(id).read_response(kB);
  }
  for (std::uint16_t id = 0; id < 12; ++id) p.stream(id).close(id % 2 == 0 ? kA : kB);
  p.shutdown();
}

void sessions_in_turn(Player& p) {
  SocketStream& s = p.stream();
  for (unsigned round = 0; round < 4; ++round) {
    s.startup({.request_private_data = text("session " + std::to_string(round))});
    s.send(kA, 1000 + round);
    s.send(kB, 10 + round);
    s.close(round % 2 == 0 ? kA : kB);
  }
  p.shutdown();
}

void enhanced(Player& p) {
  constexpr auto offer = [](Rtr rtr) {
    return EnhancedData{.peer_to_peer = true,
                        .rtr_send = rtr == Rtr::send,
                        .rtr_write = rtr == Rtr::write,
                        .rtr_read = rtr == Rtr::read,
                        .ird = 8,
                        .ord = 4};
  };
  std::uint16_t id = 0;
  for (const Rtr rtr : {Rtr::send, Rtr::write, Rtr::read}) {
    EnhancedData reply = offer(rtr);
    std::swap(reply.ird, reply.ord);
    SocketStream& s = p.stream(id++);
    s.startup({.request_enhanced = offer(rtr),
               .reply_enhanced = reply,
               .request_private_data = text("peer to peer"),
               .rtr = rtr});
    s.receive_all();
    for (std::uint32_t i = 0; i < 4; ++i) {
      s.read_request(kA, {.sink_to = at(i * 800ULL), .size = 800, .source_to = at(i * 800ULL)});
    }
    for (int i = 0; i < 4; ++i) s.read_response(kB);
    s.receive_all();
    (void)s.atomic(kA, {.operation = AtomicOperation::fetch_add, .data = 7});
    s.send(kB, 100);
  }
  for (id = 0; id < 3; ++id) p.stream(id).close();
  p.shutdown();
}

// Refused by the ULP, plain and enhanced, and by the adaptation layer; then accepted.
void reject(Player& p) {
  SocketStream& s = p.stream();
  s.startup({.reject = true, .request_private_data = text("may I?"), .reply_private_data = text("no")});
  s.startup({.reject = true,
             .request_enhanced = EnhancedData{.ird = 1, .ord = 1},
             .reply_enhanced = EnhancedData{.ird = 1, .ord = 1}});
  s.new_session();
  s.control(kA, {SessionFunction::initiate, {}, text("and now?")});
  s.receive_all();
  s.control(kB, {SessionFunction::terminate});
  s.receive_all();
  s.startup();
  s.send(kA, 100);
  s.send(kB, 100);
  s.close();
  p.shutdown();
}

// `wrong` writes to memory that it must not access; its peer sends a Terminate of RDMAP. Another stream continues.
void terminated(Player& p, Side wrong) {
  SocketStream& s = p.stream();
  SocketStream& other = p.stream(1);
  s.startup();
  other.startup();
  s.send(kA, 100);
  s.receive_all();
  s.send(kB, 100);
  s.receive_all();
  s.write(wrong, STag{0xABCD00}, at(0), 500);
  s.terminate_last(peer(wrong), 1, 1, 0);
  s.close(peer(wrong));
  other.send(kA, 2000);
  other.send(kB, 2000);
  other.close();
  p.shutdown();
}
void terminate_by_active(Player& p) {
  terminated(p, kB);
}
void terminate_by_passive(Player& p) {
  terminated(p, kA);
}

// DDP segments larger than a packet, which SCTP must fragment.
void fragmented(Player& p) {
  SocketStream& s = p.stream();
  s.startup();
  s.limit_mulpdu(kA, 6000);
  s.send(kA, 100);
  s.send(kA, 5900);
  s.write(kA, kAnnounced, at(0), 15000);
  s.read(kA, {.size = 3000});
  s.close();
  p.shutdown();
}

// The passive side's SCTP fragments messages that would fit into packets.
void fragmented_needlessly(Player& p) {
  SocketStream& s = p.stream();
  s.startup();
  s.send(kB, 4000);
  s.send(kA, 100);
  s.receive_all();
  p.fragment_at(kB, 500);
  s.send(kB, 1000);
  p.fragment_at(kB, 0);
  s.send(kA, 100);
  s.receive_all();
  s.send(kB, 50);
  s.close();
  p.shutdown();
}

// Traffic for tests with netem, other paths and encapsulations: both models, both directions, two streams.
void bulk_part(Player& p, unsigned part) {
  SocketStream& s = p.stream();
  SocketStream& other = p.stream(7);
  for (std::uint64_t i = 0; i < 2; ++i) {
    const std::uint64_t place = (part * 2 + i) * 6000;
    s.write(kA, kAnnounced, at(place), 6000);
    other.send(kA, 700);
    s.send(kA, 60);
    other.write(kB, kSink, at(place), 3000);
    other.send(kA, 900);
    s.read(kA, {.sink_to = at(place), .size = 2000, .source_to = at(place)});
  }
  s.receive_all();
  other.receive_all();
}
void bulk_begin(Player& p) {
  p.stream().startup({.request_private_data = text("bulk")});
  p.stream(7).startup();
  bulk_part(p, 0);
}
void bulk_end(Player& p) {
  bulk_part(p, 1);
  p.stream().close();
  p.stream(7).close(kB);
  p.shutdown();
}
void bulk(Player& p) {
  bulk_begin(p);
  bulk_end(p);
}
void bulk_with_pause(Player& p) {
  bulk_begin(p);
  p.pause();
  bulk_end(p);
}

void abort_open(Player& p) {
  p.stream().startup();
  p.stream(1).startup();
  p.stream().send(kA, 3000);
  p.stream(1).send(kB, 100);
  p.abort(kB);
}

void shutdown_open(Player& p) {
  SocketStream& s = p.stream();
  s.startup();
  s.send(kA, 100);
  s.send(kB, 100);
  p.shutdown();
}

void ping_pong(Player& p) {
  SocketStream& s = p.stream();
  s.startup();
  for (unsigned i = 0; i < 40; ++i) {
    s.send(kA, 64);
    s.receive_all();
    s.send(kB, 64);
    s.receive_all();
  }
  s.close();
  p.shutdown();
}

// With Nagle's delay: many small messages share packets.
void bundled(Player& p) {
  for (std::uint16_t id = 0; id < 3; ++id) p.stream(id).startup();
  for (std::uint64_t i = 0; i < 40; ++i) {
    p.stream(0).send(kA, 40 + i);
    p.stream(1).send(kA, 90);
    p.stream(2).write(kA, kAnnounced, at(i * 120), 120);
    if (i % 4 == 0) p.stream(1).send(kB, 30);
  }
  for (std::uint16_t id = 0; id < 3; ++id) p.stream(id).close();
  p.shutdown();
}

constexpr auto kScripts = std::to_array<Script>({
    {"each-message", each_message},
    {"send", send},
    {"write-send", write_send},
    {"read", read},
    {"streams", streams},
    {"sessions-in-turn", sessions_in_turn},
    {"enhanced", enhanced},
    {"reject", reject},
    {"terminate-by-active", terminate_by_active},
    {"terminate-by-passive", terminate_by_passive},
    {"fragmented", fragmented},
    {"fragmented-needlessly", fragmented_needlessly},
    {"bulk", bulk},
    {"bulk-with-pause", bulk_with_pause},
    {"abort", abort_open},
    {"shutdown", shutdown_open},
    {"ping-pong", ping_pong},
    {"bundled", bundled, true},
});

}  // namespace

const Script& script(std::string_view name) {
  const auto it = std::find_if(kScripts.begin(), kScripts.end(), [name](const Script& s) { return s.name == name; });
  if (it == kScripts.end()) throw std::invalid_argument("no script " + std::string(name));
  return *it;
}

}  // namespace iwarpscope::sctp_vm
