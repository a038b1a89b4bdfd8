// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include <array>

#include "attack/connection.h"
#include "attack/modes.h"

namespace iwarpscope::attack {
namespace {

namespace wire = synth::wire;

/// Connections that are met in their middle: each repeats `segment` for 600 000 octets.
void met_in_the_middle(Load& load, const Buffer& segment) {
  for (std::uint32_t n = 0; !load.is_full(); ++n) {
    Connection c(load, n, 7000);
    for (std::size_t sent = 0; sent < 600'000 && !load.is_full(); sent += segment.size()) c.segment(kThere, segment);
  }
}

/// `unit` as often as it fits into a TCP segment.
Buffer repeated(const Buffer& unit) {
  Buffer segment;
  while (segment.size() + unit.size() <= kSegmentOctets) segment.insert(segment.end(), unit.begin(), unit.end());
  return segment;
}

void long_lengths(Load& load) {
  met_in_the_middle(load, repeated(synth::hex("41434143")));
}
void longest_lengths(Load& load) {
  met_in_the_middle(load, repeated(synth::hex("4143e043")));
}
void tagged_headers(Load& load) {
  met_in_the_middle(load, repeated(synth::hex("00c0c140")));
}
void dense_tagged_headers(Load& load) {
  met_in_the_middle(load, repeated(synth::hex("0080c140 0040c140")));
}
void zeros(Load& load) {
  met_in_the_middle(load, filled(kSegmentOctets, 0));
}
void markers(Load& load) {
  met_in_the_middle(load, repeated(synth::hex("00000200 00004143")));
}
void pointers(Load& load) {
  wire::Writer segment;
  for (std::uint32_t k = 0; k < kSegmentOctets / 4; ++k) segment.u32(4 * (k + 1));
  met_in_the_middle(load, segment.view());
}

void long_headers(Load& load) {
  wire::Writer segment;
  for (std::uint32_t msn = 1; segment.size() < 1440; ++msn) {
    segment.u16(0xF000).u8(0x41).u8(0x43).u32(0).u32(0).u32(msn).u32(0);
  }
  met_in_the_middle(load, segment.view());
}

void short_fpdus(Load& load) {
  wire::Writer unit;
  unit.u16(18).u8(0x41).u8(0x43).u32(0).u32(0).u32(1).u32(0).u32(0x12345678);
  met_in_the_middle(load, repeated(unit.view()));
}

// Headers that hang together, with wrong CRCs and a wrong PAD octet in the third: chains that almost suffice.
void broken_chains(Load& load) {
  wire::Writer unit;
  for (std::uint32_t k = 0; k < 3; ++k) {
    unit.u16(19).u8(0x41).u8(0x43).u32(0).u32(0).u32(1 + 2 * k).u32(0).u8(0).u8(k == 2 ? 1 : 0).fill(2).u32(0x12345678);
  }
  met_in_the_middle(load, repeated(unit.view()));
}

void noise(Load& load) {
  for (std::uint32_t n = 0; !load.is_full(); ++n) {
    Connection c(load, n, 7000);
    for (int k = 0; k < 420 && !load.is_full(); ++k) c.segment(kThere, load.random.octets(kSegmentOctets));
  }
}

void short_searches(Load& load) {
  wire::Writer unit;
  unit.u16(0xF000).u8(0x41).u8(0x43).u32(0).u32(0).u32(1).u32(0);
  const Buffer segment = repeated(unit.view());
  for (std::uint32_t n = 0; !load.is_full(); ++n) {
    Connection c(load, n, 7000);
    for (int k = 0; k < 3; ++k) c.segment(kThere, segment);
  }
}

void lost_framing(Load& load) {
  Connection c(load, 0);
  c.start();
  const Buffer garbage = repeated(synth::hex("41434143"));
  while (!load.is_full()) {
    c.push(kThere, c.send(kThere, filled(64)));
    c.push(kThere, garbage);
    c.push(kThere, garbage);
  }
}

// Small TCP segments while nothing is found: each may make all that is held be searched again.
void searched_again(Load& load) {
  for (std::uint32_t n = 0; !load.is_full(); ++n) {
    Connection c(load, n, 7000);
    for (int k = 0; k < 400 && !load.is_full(); ++k) c.segment(kThere, synth::hex("00c0c140 00c0c140"));
  }
}

void almost_requests(Load& load) {
  const Buffer segment = repeated(synth::text("MPA ID Req Fram"));
  for (std::uint32_t n = 0; !load.is_full(); ++n) {
    Connection c(load, n, 7000);
    c.handshake();
    for (int k = 0; k < 400 && !load.is_full(); ++k) c.segment(kThere, segment);
  }
}

void requests_in_octets(Load& load) {
  for (std::uint32_t n = 0; !load.is_full(); ++n) {
    Connection c(load, n);
    c.handshake();
    c.push(kThere, wire::write(wire::StartupFrame{.private_data = filled(64)}), 1);
    c.push(kBack, wire::write(wire::StartupFrame{.kind = wire::StartupFrame::Kind::reply}), 1);
  }
}

void requests_unanswered(Load& load) {
  for (std::uint32_t n = 0; !load.is_full(); ++n) {
    Connection c(load, n, 7000);
    c.handshake();
    c.segment(kThere, wire::write(wire::StartupFrame{.private_data = load.random.octets(512)}));
  }
}

void wrong_crcs(Load& load) {
  Connection c(load, 0);
  c.start();
  while (!load.is_full()) {
    Buffer fpdu = c.send(kThere, filled(8));
    fpdu.back() ^= std::byte{1};
    c.push(kThere, fpdu);
  }
}

constexpr std::array kFramingModes = {
    Mode{"long-lengths", "every fourth octet may begin an FPDU", long_lengths},
    Mode{"longest-lengths", "the same with other lengths", longest_lengths},
    Mode{"tagged-headers", "every fourth octet begins a plausible tagged header", tagged_headers},
    Mode{"dense-tagged-headers", "the same, with chains of two lengths", dense_tagged_headers},
    Mode{"zeros", "zeros, each of which may be a marker", zeros},
    Mode{"markers", "markers that point to headers", markers},
    Mode{"pointers", "markers that point everywhere", pointers},
    Mode{"long-headers", "plausible untagged headers of long FPDUs", long_headers},
    Mode{"short-fpdus", "FPDUs with a wrong CRC, all the same", short_fpdus},
    Mode{"broken-chains", "chains of headers that almost suffice", broken_chains},
    Mode{"noise", "random octets", noise},
    Mode{"short-searches", "many connections that are searched", short_searches},
    Mode{"lost-framing", "the boundary is lost again and again", lost_framing},
    Mode{"searched-again", "small TCP segments while a search lasts", searched_again},
    Mode{"almost-requests", "octets that almost are an MPA Request", almost_requests},
    Mode{"requests-in-octets", "MPA Requests in TCP segments of one octet", requests_in_octets},
    Mode{"requests-unanswered", "MPA Requests without a Reply", requests_unanswered},
    Mode{"wrong-crcs", "FPDUs with a wrong CRC", wrong_crcs},
};

}  // namespace

std::span<const Mode> framing_modes() {
  return kFramingModes;
}

}  // namespace iwarpscope::attack
