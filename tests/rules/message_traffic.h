// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Connections that differ in their messages, for the scenarios of the DD, RM, AT, CA and QP rules.
#pragma once

#include <functional>
#include <utility>
#include <vector>

#include "rules/scenario.h"
#include "synth/connection.h"

namespace iwarpscope::test {

using Play = std::function<void(synth::Connection&)>;
using MakeTraffic = std::function<Traffic()>;

inline constexpr synth::Side kInit = synth::Side::initiator;
inline constexpr synth::Side kResp = synth::Side::responder;
inline constexpr STag kStag{0x00012301};
inline constexpr TaggedOffset kTo{0x7F1200001000};
inline constexpr STag kForeignStag{0x0BAD0BAD};  ///< not the one that is due
inline constexpr QueueNumber kRequests{1}, kTerminates{2}, kAtomicResponses{3};
inline const synth::Startup kRdmac{.revision = 0, .markers = true};

inline void send_100(synth::Connection& c) {
  c.send(kInit, 100);
}
inline void write_100(synth::Connection& c) {
  c.write(kInit, kStag, kTo, 100);
}

/// A fault by its name; see synth/fault.h.
[[nodiscard]] inline Play faulty(std::string_view name, Play message) {
  return [name, message = std::move(message)](synth::Connection& c) {
    c.fault(kInit, name);
    message(c);
  };
}
/// The same by its fields.
[[nodiscard]] inline Play altered(synth::Alter alter, Play message) {
  return [alter = std::move(alter), message = std::move(message)](synth::Connection& c) {
    c.alter(kInit, alter);
    message(c);
  };
}

/// A whole connection: startup, a Send each way, the script, an orderly end.
[[nodiscard]] inline MakeTraffic whole(Play play, synth::Startup startup = {}, synth::ConnectionOptions options = {}) {
  return [=] {
    synth::Connection c(options);
    c.connect();
    c.startup(startup);
    c.send(kInit, 100);
    c.send(kResp, 100);
    play(c);
    c.close();
    return Traffic{.frames = c.frames()};
  };
}
/// The same without the two Sends and without an end: the script does all after the startup.
[[nodiscard]] inline MakeTraffic bare(Play play, synth::Startup startup = {}, synth::ConnectionOptions options = {}) {
  return [=] {
    synth::Connection c(options);
    c.connect();
    c.startup(startup);
    play(c);
    return Traffic{.frames = c.frames()};
  };
}
/// The capture begins in the middle of the connection: neither handshake nor startup.
[[nodiscard]] inline MakeTraffic midstream(Play play, synth::ConnectionOptions options = {}) {
  return [=] {
    synth::Connection c(options);
    c.set_msn(kInit, QueueNumber{0}, MessageSequence{500});
    c.set_msn(kResp, QueueNumber{0}, MessageSequence{700});
    c.begin_full_operation(kInit);
    c.begin_full_operation(kResp);
    play(c);
    c.close();
    return Traffic{.frames = c.frames()};
  };
}
/// Like whole(), of which only one side is captured.
[[nodiscard]] inline MakeTraffic one_side(synth::Side side, Play play, synth::Startup startup = {}) {
  return [=] {
    synth::Connection c;
    c.capture_only(side);
    c.connect();
    c.startup(startup);
    c.send(kInit, 100);
    c.send(kResp, 100);
    play(c);
    c.close();
    return Traffic{.frames = c.frames()};
  };
}

/// One DDP segment of a Send, by its place; counters do not move.
inline void send_part(synth::Connection& c, std::uint32_t msn, std::uint32_t mo, bool last, std::size_t octets = 100,
                      synth::Side side = kInit) {
  c.untagged(side,
             {.control = synth::wire::ddp_control(false, last), .msn = MessageSequence{msn}, .mo = MessageOffset{mo}},
             octets);
}
/// One DDP segment of an RDMA Write.
inline void write_part(synth::Connection& c, STag stag, std::uint64_t to, bool last, std::size_t octets = 100,
                       synth::Side side = kInit, synth::wire::Opcode opcode = synth::wire::Opcode::rdma_write) {
  c.tagged(side,
           {.control = synth::wire::ddp_control(true, last),
            .rdmap_control = synth::wire::rdmap_control(opcode),
            .stag = stag,
            .to = TaggedOffset{to}},
           octets);
}
/// An RDMA Write of 100 octets at each of these offsets from kTo.
[[nodiscard]] inline Play parts_at(std::vector<std::int64_t> offsets) {
  return [=](synth::Connection& c) {
    for (std::size_t i = 0; i < offsets.size(); ++i) {
      write_part(c, kStag, kTo.value + static_cast<std::uint64_t>(offsets[i]), i + 1 == offsets.size());
    }
  };
}

[[nodiscard]] inline std::vector<Scenario> joined(std::vector<std::vector<Scenario>> parts) {
  std::vector<Scenario> all;
  for (std::vector<Scenario>& part : parts) {
    for (Scenario& s : part) all.push_back(std::move(s));
  }
  return all;
}

[[nodiscard]] std::vector<Scenario> ddp_message_scenarios();      ///< DD-11 to DD-23
[[nodiscard]] std::vector<Scenario> rdmap_read_scenarios();       ///< RM-07 to RM-16
[[nodiscard]] std::vector<Scenario> rdmap_terminate_scenarios();  ///< RM-18 to RM-33

}  // namespace iwarpscope::test
