// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// PM, TC-08, SX-02, SX-03, SX-10: what hosts and listeners do, beyond single connections.
#include <algorithm>
#include <utility>

#include "rules/message_traffic.h"
#include "synth/path.h"
#include "synth/wire/tunnel.h"

namespace iwarpscope::test {
namespace {

using enum findings::FindingId;
using synth::Buffer;
using synth::Clock;
using synth::Connection;
using synth::Effect;
using synth::Frame;
using synth::Frames;
using synth::kSecond;
using synth::wire::TerminateDialect;

constexpr std::uint16_t kMapper = 3935;
constexpr std::uint16_t kListener = 5000, kMapped = 45000;

enum class Ask : std::uint8_t { request = 0, accept = 1, ack = 2, reject = 3 };

// A port mapper message between 10.0.0.1, which asks, and 10.0.0.2.
Frame mapper(Ask type, std::int64_t time_ns, std::uint16_t port = kListener, std::uint64_t association = 7) {
  const bool asks = type == Ask::request || type == Ask::ack;
  synth::wire::Writer message;
  message.u8(static_cast<std::uint64_t>(type) << 4 | 4).u8(0).u16(type == Ask::request ? 41000 : 0);
  message.u16(port).u16(40000).u64(association);
  message.u32(0x0A000001).fill(12).u32(0x0A000002).fill(12);
  if (type == Ask::request) message.u32(0x0A000001).fill(12);
  const synth::Address asker = "10.0.0.1", asked = "10.0.0.2";
  synth::IpPacket packet;
  packet.source = asks ? asker : asked;
  packet.destination = asks ? asked : asker;
  packet.protocol = synth::wire::kProtocolUdp;
  const synth::wire::Udp udp{.source_port = asks ? std::uint16_t{50001} : kMapper,
                             .destination_port = asks ? kMapper : std::uint16_t{50001}};
  packet.payload = write(udp, message.view(), packet.source, packet.destination);
  Frame frame = synth::Framer({}).frames(packet).front();
  frame.time_ns = time_ns;
  return frame;
}
std::int64_t at(std::int64_t ns) {
  return Clock{}.now_ns + ns;
}
// A connection to this port that goes on from one second to five.
Frames connection(std::uint16_t port) {
  Connection c({.responder = {.address = "10.0.0.2", .port = port, .isn = 0x80000000}});
  c.wait(kSecond);
  c.connect();
  c.startup();
  c.send(kInit, 100);
  c.send(kResp, 100);
  c.wait(4 * kSecond);
  c.close();
  return c.frames();
}
MakeTraffic asked(Frames exchange, std::uint16_t connected_port) {
  return [=] { return Traffic{.frames = synth::merge({exchange, connection(connected_port)})}; };
}

std::vector<Scenario> mapper_scenarios() {
  const Frames question{mapper(Ask::request, at(0))};
  const Frames again{mapper(Ask::request, at(0)), mapper(Ask::request, at(kSecond / 2))};
  const Frames twice{mapper(Ask::request, at(0)), mapper(Ask::request, at(50'000))};
  const Frames accepted{mapper(Ask::request, at(0)), mapper(Ask::accept, at(1000), kMapped),
                        mapper(Ask::ack, at(2000), kMapped)};
  const Frames rejected{mapper(Ask::request, at(0)), mapper(Ask::reject, at(1000))};
  Frames at_last = again;
  at_last.push_back(mapper(Ask::accept, at(kSecond * 3 / 4), kMapped));
  return {
      {port_mapper_unanswered, "answered", {{}, 1, "2", ""}, asked(again, kListener), asked(accepted, kMapped)},
      {port_mapper_unanswered,
       "asked once: the capture may lack the answer",
       {},
       asked(again, kListener),
       asked(question, kListener)},
      {port_mapper_unanswered,
       "one request that the capture holds twice",
       {},
       asked(again, kListener),
       asked(twice, kListener)},
      {port_mapper_unanswered,
       "answered after the second request",
       {{}, 1, "2", ""},
       asked(again, kListener),
       asked(at_last, kMapped)},
      {port_mapper_unanswered,
       "the capture ends too soon",
       {},
       asked(again, kListener),
       [=] { return Traffic{.frames = question}; }},
      {port_mapper_unanswered,
       "one direction was captured only",
       {},
       asked(again, kListener),
       [=] {
         Traffic traffic = one_side(kInit, [](Connection& c) {
           c.wait(5 * kSecond);
           c.send(kInit, 100);
         })();
         traffic.frames = synth::merge({again, traffic.frames});
         return traffic;
       }},
      {port_mapper_rejected, "accepted", {{}, 1, "1", ""}, asked(rejected, kListener), asked(accepted, kMapped)},
      {port_mapper_unused,
       "a connection to the port named",
       {{}, 1, "1", ""},
       asked(accepted, kListener),
       asked(accepted, kMapped)},
      {port_mapper_unused,
       "the capture ends too soon",
       {},
       asked(accepted, kListener),
       [=] { return Traffic{.frames = accepted}; }},
  };
}

// A message of SMB 2 in its transport header, and its answer.
void smb(Connection& c) {
  Buffer octets = synth::hex("00000044 fe534d42 4000");
  octets.resize(72);
  c.stream(kInit, octets);
  c.stream(kResp, octets);
}
Frames plain_connection(std::uint16_t port, const Play& play) {
  Connection c({.initiator = {.port = 51000}, .responder = {.address = "10.0.0.2", .port = port, .isn = 0x80000000}});
  c.connect();
  play(c);
  c.close();
  return c.frames();
}

std::vector<Scenario> smb_scenarios() {
  const auto alone = [](std::uint16_t port, Play play) -> MakeTraffic {
    return [=] { return Traffic{.frames = plain_connection(port, play)}; };
  };
  return {
      {tcp_smb_without_rdma,
       "another program on the port",
       {{}, 4, "1", ""},
       alone(445, smb),
       alone(445, [](Connection& c) { c.stream(kInit, "GET / HTTP/1.1\r\nHost: example.com\r\n\r\n"); })},
      {tcp_smb_without_rdma,
       "it moved to SMB Direct",
       {},
       alone(445, smb),
       [] {
         return Traffic{.frames = synth::merge({plain_connection(445, smb), connection(5445)})};
       }},
      {tcp_smb_without_rdma,
       "SMB Direct was refused",
       {{}, 7, "1", ""},
       [] {
         Connection c({.responder = {.address = "10.0.0.2", .port = 5445, .isn = 0x80000000}});
         c.connect();
         c.startup({.reject = true});
         c.close();
         return Traffic{.frames = synth::merge({plain_connection(445, smb), c.frames()})};
       },
       [] {
         return Traffic{.frames = synth::merge({plain_connection(445, smb), connection(5445)})};
       }},
  };
}

// So many connections, one after another in time, each played from its start.
MakeTraffic connections(unsigned count, std::int64_t gap_ns, Play play) {
  return [count, gap_ns, play = std::move(play)] {
    Traffic traffic;
    Clock clock;
    for (unsigned i = 0; i < count; ++i) {
      Connection c({.initiator = {.port = static_cast<std::uint16_t>(40000 + i)}, .clock = &clock});
      play(c);
      for (Frame& frame : c.frames()) traffic.frames.push_back(std::move(frame));
      clock.now_ns += gap_ns;
    }
    return traffic;
  };
}
Play refused_startup(std::uint32_t snap_length = 0) {
  return [=](Connection& c) {
    if (snap_length != 0) c.path().snap_length = snap_length;
    c.connect();
    c.startup({.reject = true});
    c.close(kResp);
  };
}

std::vector<Scenario> startup_scenarios_of_many() {
  const auto with_listener = [](MakeTraffic make) -> MakeTraffic {
    return [=] {
      Traffic traffic = make();
      traffic.frames = synth::merge({traffic.frames, connection(kListener)});
      return traffic;
    };
  };
  // The SYN alone, answered by a reset.
  const Play refused_syn = [](Connection& c) {
    c.connect();
    auto& all = c.tcp_segments();
    all.resize(1);
    c.reset(kResp);
  };
  const auto silent = [](Connection& c) {
    c.connect();
    c.request({});
    c.acknowledge(kResp);
  };
  const auto waited = [=](bool dropped) -> MakeTraffic {
    return [=] {
      Traffic traffic = connections(6, 0, silent)();
      traffic.frames = synth::merge({traffic.frames, connection(5001)});
      traffic.frames.back().time_ns += 10 * kSecond;
      if (dropped) traffic.info.interfaces.emplace_back().dropped = 17;
      return traffic;
    };
  };
  return {
      {mpa_many_startups,
       "never answered, but the capture says that it dropped packets",
       {},
       waited(false),
       waited(true)},
      {mpa_many_startups,
       "used, but cut where their FPDUs begin",
       {},
       connections(6, 0, refused_startup(100)),
       connections(6, 0,
                   [](Connection& c) {
                     c.connect();
                     c.startup();
                     c.path().snap_length = 66;
                     c.write(kInit, STag{0x1000}, kTo, 100);
                     c.reset(kResp);
                   })},
      {mpa_many_startups,
       "four",
       {{}, 1, "6", ""},
       connections(6, 0, refused_startup()),
       connections(4, 0, refused_startup())},
      {mpa_many_startups,
       "spread over minutes",
       {},
       connections(6, 0, refused_startup()),
       connections(12, 15 * kSecond, refused_startup())},
      {mpa_many_startups,
       "none of them refused",
       {},
       connections(6, 0, refused_startup()),
       connections(12, 0,
                   [](Connection& c) {
                     c.connect();
                     c.startup();
                     c.send(kInit, 10);
                     c.send(kResp, 10);
                     c.close();
                   })},
      {mpa_many_startups,
       "a listener of which nothing says that it speaks iWARP",
       {{}, 1, "6", ""},
       with_listener(connections(6, 0, refused_syn)),
       connections(6, 0, refused_syn)},
  };
}

// A Write or a Read that the other side ends with this Terminate.
Play refused_write(std::uint8_t type, std::uint8_t code) {
  return [=](Connection& c) {
    c.connect();
    c.startup();
    c.write(kInit, STag{0x1000u + c.options().initiator.port}, kTo, 100);
    c.terminate_last(kResp, 1, type, code, TerminateDialect::rfc5040);
    c.reset(kResp);
  };
}
Play refused_sink(std::uint8_t code) {
  return [=](Connection& c) {
    c.connect();
    c.startup();
    c.read(kInit, {.size = 100});
    c.terminate_last(kInit, 1, 1, code, TerminateDialect::rfc5040);
    c.reset(kInit);
  };
}

std::vector<Scenario> access_scenarios() {
  return {
      {stag_guessing,
       "seven",
       {{}, 7, "8", ""},
       connections(8, 0, refused_write(1, 0)),
       connections(7, 0, refused_write(1, 0))},
      {stag_guessing,
       "the sinks of its own Reads, which the other side only answers",
       {},
       connections(8, 0, refused_write(1, 2)),
       connections(9, 0, refused_sink(0))},
      {stag_guessing,
       "beyond the bounds (SX-03)",
       {},
       connections(8, 0, refused_write(1, 0)),
       connections(9, 0, refused_write(1, 1))},
      {stag_bounds_probing,
       "seven",
       {{}, 7, "8", ""},
       connections(8, 0, refused_write(1, 1)),
       connections(7, 0, refused_write(1, 1))},
      {stag_bounds_probing,
       "an STag that is not valid (SX-02)",
       {},
       connections(8, 0, refused_write(1, 1)),
       connections(9, 0, refused_write(1, 0))},
  };
}

}  // namespace

std::vector<Scenario> capture_wide_scenarios() {
  return joined({mapper_scenarios(), smb_scenarios(), startup_scenarios_of_many(), access_scenarios()});
}

}  // namespace iwarpscope::test
