// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The registry, and the samples of messages and faults.
#include "synth/samples.h"

#include <algorithm>
#include <stdexcept>

#include "synth/connection.h"
#include "synth/ordinary.h"
#include "synth/samples_kit.h"

namespace iwarpscope::synth {

namespace {

// One message of each type.
void all_opcodes(Connection& c) {
  c.send(kI, 200);
  c.send_se(kR, 200);
  c.write(kI, kStag, kTo, 200);
  c.write(kI, kStag, kTo, 5000);
  c.read(kI, {.size = 200});
  c.read(kR, {.size = 6000});
  c.send(kI, 4000);
  c.send(kI);
  c.write(kR, STag{0}, TaggedOffset{0});
  c.read(kI, {.size = 0});
  c.immediate(kI, 0x1122334455667788);
  c.immediate(kR, 0x99, true);
  c.atomic(kI, {.data = 5});
  c.send_invalidate(kI, kStag, 64);
  c.send_se_invalidate(kR, STag{0x5100}, 64);
}

Frames with_startup(const Startup& startup) {
  Connection c;
  c.connect();
  c.startup(startup);
  all_opcodes(c);
  return finished(c);
}

Frames atomics(std::string_view) {
  Connection c;
  c.connect();
  c.startup();
  c.atomic(kI, {.data = 1});
  c.atomic(kI, {.data = 0xFFFFFFFF});
  c.atomic(kI, {.data = 0x0101010101010101, .mask = 0x8080808080808080});
  const std::uint64_t now = c.atomic(kI, {});
  c.atomic(kI, {.operation = wire::AtomicOperation::cmp_swap, .data = 0xDEAD, .mask = ~0ULL, .compare = now});
  c.atomic(kI, {.operation = wire::AtomicOperation::cmp_swap, .data = 7, .mask = 0xFF, .compare = 1});
  c.atomic(kI, {.operation = wire::AtomicOperation::swap, .data = 42, .mask = ~0ULL});
  for (int i = 0; i < 3; ++i) c.atomic_request(kI, {.remote_to = TaggedOffset{0x2000}, .data = 10});
  for (int i = 0; i < 3; ++i) c.atomic_response(kR);
  c.atomic_request(kI, {.data = 1});
  c.atomic_response(kR, 0x0BAD);
  return finished(c);
}

Frames write_with_immediate(std::string_view) {
  Connection c;
  c.connect();
  c.startup();
  for (std::uint64_t i = 0; i < 3; ++i) {
    c.write(kI, kStag, TaggedOffset{kTo.value + i * 4096}, 4096);
    c.immediate(kI, i << 32, i == 2);
  }
  return finished(c);
}

Frames reads_outstanding(std::string_view) {
  Connection c;
  c.connect();
  c.startup({.request_enhanced = wire::EnhancedData{.ird = 4, .ord = 4},
             .reply_enhanced = wire::EnhancedData{.ird = 4, .ord = 4}});
  for (std::uint32_t i = 0; i < 4; ++i) c.read_request(kI, {.sink_to = TaggedOffset{i * 8192ULL}, .size = 3000 + i});
  c.send(kR, 40);
  for (int i = 0; i < 4; ++i) c.read_response(kR);
  return finished(c);
}

Frames ended_by_terminate(std::string_view name) {
  const auto dialect = name == "terminate-siw"    ? wire::TerminateDialect::siw_little_endian
                       : name == "terminate-bare" ? wire::TerminateDialect::bare
                                                  : wire::TerminateDialect::rfc5040;
  Frames all;
  std::vector<Frames> parts;
  Clock clock;
  for (unsigned i = 0; i < 3; ++i) {
    Connection c({.initiator = {.port = static_cast<std::uint16_t>(40000 + i)}, .clock = &clock});
    c.connect();
    c.startup();
    c.send(kI, 100);
    if (i == 0) {
      c.write(kI, STag{0x00ABCD00}, kTo, 100);
      c.terminate_last(kR, 1, 1, 0, dialect);
    } else if (i == 1) {
      c.read_request(kI, {.size = 100});
      c.terminate_last(kR, 0, 1, 2, dialect);
    } else {
      c.fault("crc-mismatch");
      c.send(kI, 24);
      c.terminate_last(kR, 2, 0, 2, dialect);
    }
    c.close(kR);
    parts.push_back(c.frames());
  }
  return merge(parts);
}

Frames packed(std::string_view name) {
  Connection c;
  c.connect();
  c.startup({.markers = name == "packed-markers"});
  c.packing(Packing::packed);
  for (int i = 0; i < 60; ++i) c.send(i % 3 == 0 ? kR : kI, 64 + 7 * i);
  c.write(kI, kStag, kTo, 20000);
  return finished(c);
}

Frames in_pieces(std::string_view name) {
  Connection c;
  c.connect();
  c.startup();
  if (name == "cut-odd") {
    c.packing(Packing::cut, {1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144});
  } else {
    c.packing(Packing::crc_alone);
  }
  all_opcodes(c);
  return finished(c);
}

// A startup, some messages, the fault, some more.
Frames faulty(std::string_view name) {
  const NamedFault& f = named_fault(name.substr(std::string_view("fault-").size()));
  Connection c;
  c.connect();
  c.startup({.markers = f.carrier == Carrier::markers});
  c.send(kI, 50);
  c.send(kR, 50);
  const bool later = f.carrier == Carrier::send_parts || f.carrier == Carrier::write_parts;
  c.fault(kI, f.name, later ? 1 : 0);
  switch (f.carrier) {
    case Carrier::send: c.send(kI, 101); break;
    case Carrier::send_parts:
    case Carrier::send_first: c.send(kI, 4000); break;
    case Carrier::write_parts: c.write(kI, kStag, kTo, 4000); break;
    case Carrier::write: c.write(kI, kStag, kTo, 100); break;
    case Carrier::invalidate: c.send_invalidate(kI, kStag, 100); break;
    case Carrier::read_request: c.read(kI, {.size = 100}); break;
    case Carrier::markers: c.send(kI, 1400); break;
  }
  c.send(kI, 60);
  c.send(kR, 60);
  return finished(c);
}

Frames ordinary_sample(std::string_view name) {
  struct Known {
    std::string_view name;
    Ordinary kind;
    std::uint16_t port;
  };
  static constexpr Known kKinds[] = {{"ordinary-http", Ordinary::http, 80},
                                     {"ordinary-tls", Ordinary::tls, 443},
                                     {"ordinary-nvme-tcp", Ordinary::nvme_tcp, 4420},
                                     {"ordinary-mpa-quote", Ordinary::mpa_quote, 5000},
                                     {"ordinary-random", Ordinary::random, 5000}};
  const Known& known =
      *std::find_if(std::begin(kKinds), std::end(kKinds), [&](const Known& k) { return k.name == name; });
  Connection c({.responder = {.address = "10.0.0.2", .port = known.port, .isn = 0x77000000}});
  c.connect();
  ordinary(c, known.kind, 6);
  return finished(c);
}

}  // namespace

std::vector<Sample> message_samples() {
  return {
      {"all-opcodes", "one of each message, CRC on, no Markers", [](std::string_view) { return with_startup({}); }},
      {"all-opcodes-nocrc", "the same, CRC off", [](std::string_view) { return with_startup({.crc = false}); }},
      {"all-opcodes-markers", "the same with Markers in both directions",
       [](std::string_view) { return with_startup({.markers = true}); }},
      {"all-opcodes-markers-to-responder", "Markers in what the Initiator sends only",
       [](std::string_view) { return with_startup({.reply_markers = true}); }},
      {"all-opcodes-markers-to-initiator", "Markers in what the Responder sends only",
       [](std::string_view) { return with_startup({.request_markers = true}); }},
      {"all-opcodes-markers-nocrc", "Markers in both directions, CRC off",
       [](std::string_view) { return with_startup({.crc = false, .markers = true}); }},
      {"atomics", "FetchAdd with and without mask, CmpSwap, Swap; the last Response returns a wrong original", atomics},
      {"write-immediate", "RDMA Writes, each followed by Immediate Data", write_with_immediate},
      {"reads-outstanding", "four Read Requests before the first Response", reads_outstanding},
      {"terminate-rfc5040", "three connections that end with a Terminate: DDP, RDMAP and LLP error",
       ended_by_terminate},
      {"terminate-siw", "the same in the layout of siw on little-endian hosts", ended_by_terminate},
      {"terminate-bare", "the same without headers, as cxgb4 sends them", ended_by_terminate},
      {"packed", "FPDUs packed by TCP, across TCP segments", packed},
      {"packed-markers", "the same with Markers", packed},
      {"cut-odd", "FPDUs cut into TCP segments of 1 to 144 octets", in_pieces},
      {"cut-crc-alone", "the CRC of each FPDU in a TCP segment of its own", in_pieces},
      {"ordinary-http", "no iWARP: HTTP", ordinary_sample},
      {"ordinary-tls", "no iWARP: TLS records", ordinary_sample},
      {"ordinary-nvme-tcp", "no iWARP: NVMe/TCP", ordinary_sample},
      {"ordinary-mpa-quote", "no iWARP: text whose TCP segments begin with the MPA keys", ordinary_sample},
      {"ordinary-random", "no iWARP: random octets", ordinary_sample},
  };
}

const std::vector<Sample>& samples() {
  static const std::vector<Sample> all = [] {
    std::vector<Sample> out;
    const auto add = [&](const char* folder, std::vector<Sample> some) {
      for (Sample& s : some) {
        s.folder = s.name.find('.') == std::string::npos ? folder : "rules";
        out.push_back(std::move(s));
      }
    };
    add("messages", message_samples());
    add("startup", startup_samples());
    add("network", network_samples());
    add("network", path_samples());
    add("sctp", sctp_samples());
    add("sctp", sctp_negotiation_samples());
    for (const NamedFault& f : faults()) {
      add("faults", {{"fault-" + std::string(f.name), "fault: " + std::string(f.what), faulty}});
    }
    return out;
  }();
  return all;
}

const Sample& sample(std::string_view name) {
  const auto found = std::find_if(samples().begin(), samples().end(), [&](const Sample& s) { return s.name == name; });
  if (found == samples().end()) throw std::invalid_argument("no such sample: " + std::string(name));
  return *found;
}

}  // namespace iwarpscope::synth
