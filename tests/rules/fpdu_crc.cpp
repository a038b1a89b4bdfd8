// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// MF-25, MF-26, MF-27: a sender that computes no CRC although CRC is in use, one that sends what no receiver can frame,
// and one whose FPDUs end elsewhere than their header says.
#include "rules/message_traffic.h"
#include "rules/stream_traffic.h"
#include "synth/wire/checksum.h"

namespace iwarpscope::test {
namespace {

using enum findings::FindingId;
using synth::Connection;
using synth::Effect;
using synth::Startup;

constexpr synth::Side kBoth[] = {kOne, kOther};

/// Sends of one side whose CRC field has this value.
Script with_crc(std::uint32_t value, unsigned count, synth::Side side = kOne) {
  return [=](Connection& c) {
    for (unsigned i = 0; i < count; ++i) {
      c.alter(side, {.fpdu = {.crc_value = value}});
      c.send(side, 100);
    }
  };
}

void one_right_crc_before(Connection& c) {
  sends(c, 1);
  with_crc(0, 3)(c);
}

void one_right_crc_after_the_first(Connection& c) {
  with_crc(0, 1)(c);
  sends(c, 3);
}

void only_one_of_each_side(Connection& c) {
  for (const synth::Side side : kBoth) with_crc(0, 1, side)(c);
}

void a_gap_between(Connection& c) {
  with_crc(0, 1)(c);
  c.channel(kOne, Effect::miss);
  with_crc(0, 1)(c);
  c.acknowledge(kOther);
  with_crc(0, 4)(c);
}

/// Without a startup: so many Sends of each side, whose CRC field is right, or 0 on one side. `zero_first`: that side
/// sends first.
MakeTraffic midstream_crcs(unsigned right, unsigned zero, bool zero_first) {
  return [=] {
    Connection c;
    for (const synth::Side side : kBoth) c.begin_full_operation(side);
    if (!zero_first) sends(c, right, 400, kOther);
    for (unsigned i = 0; i < zero; ++i) {
      c.alter(kOne, {.fpdu = {.crc_value = 0}});
      c.send(kOne, 400);
    }
    if (zero_first) sends(c, right, 400, kOther);
    c.close();
    return Traffic{.frames = c.frames()};
  };
}

/// An RDMA Write without the PAD that its length needs: the next one begins where no FPDU is due.
void unpadded_writes(Connection& c, unsigned count, std::size_t octets) {
  for (unsigned i = 0; i < count; ++i) {
    synth::Buffer fpdu =
        synth::wire::write(synth::wire::FpduForm{.crc = false},
                           synth::wire::write(synth::wire::DdpTagged{.stag = STag{0x5300}, .to = TaggedOffset{0x1000}},
                                              synth::Buffer(octets, std::byte{0x5A})));
    const std::size_t pad = (4 - (2 + 14 + octets) % 4) % 4;
    fpdu.erase(fpdu.end() - 4 - static_cast<std::ptrdiff_t>(pad), fpdu.end() - 4);
    c.raw_octets(kOne, fpdu);
  }
}

/// The same with CRC, which comes right after the ULPDU.
void unpadded_with_crc(Connection& c, unsigned count, std::size_t octets) {
  for (unsigned i = 0; i < count; ++i) {
    const synth::wire::DdpTagged header{.stag = STag{0x5300}, .to = TaggedOffset{0x1000 + 4096 * i}};
    synth::Buffer fpdu = synth::wire::write(synth::wire::FpduForm{.crc = false},
                                            synth::wire::write(header, synth::Buffer(octets, std::byte{0x5A})));
    fpdu.resize(2 + 14 + octets);
    const std::uint32_t crc = synth::wire::crc32c(fpdu);
    for (unsigned k = 0; k < 4; ++k) fpdu.push_back(static_cast<std::byte>(crc >> (8 * k)));
    c.raw_octets(kOne, fpdu);
  }
}

/// Sends of 100 octets, whose ULPDU_Length is so much too large.
Script counted_too_much(unsigned more) {
  return [=](Connection& c) {
    for (unsigned i = 0; i < 5; ++i) {
      c.alter(kOne, {.fpdu = {.length = static_cast<std::uint16_t>(118 + more)}});
      c.send(kOne, 100);
    }
  };
}

/// Octets of which no four are the header of an FPDU.
void no_fpdus(Connection& c) {
  c.raw_octets(kOne, synth::Buffer(3000, std::byte{0xFF}));
}

void sends_then_no_fpdus(Connection& c) {
  sends(c, 3);
  no_fpdus(c);
}

/// The boundary may be lost through what is missing.
void gap_then_no_fpdus(Connection& c) {
  sends(c, 3);
  c.channel(kOne, Effect::miss);
  c.send(kOne, 1000);
  c.acknowledge(kOther);
  no_fpdus(c);
}

void no_fpdus_then_sends(Connection& c) {
  sends_then_no_fpdus(c);
  sends(c, 6);
}

}  // namespace

std::vector<Scenario> unframed_scenarios() {
  return {
      {.id = mpa_boundary_not_found,
       .note = "RDMA Writes without PAD",
       .finding = {kToB, 0, "", ""},
       .raise = [] { return connected(Startup{.crc = false}, [](Connection& c) { unpadded_writes(c, 30, 901); }); },
       .near_miss = [] { return connected(Startup{.crc = false}, [](Connection& c) { unpadded_writes(c, 30, 904); }); },
       .with = {mpa_ulpdu_length_invalid}},
      {.id = mpa_boundary_not_found,
       .note = "the boundary is found again (MF-24)",
       .finding = {kToB, 0, "", ""},
       .raise = [] { return connected(sends_then_no_fpdus); },
       .near_miss = [] { return connected(no_fpdus_then_sends); },
       .with = {mpa_ulpdu_length_invalid},
       .near_with = {mpa_ulpdu_length_invalid}},
      {.id = mpa_boundary_not_found,
       .note = "octets are missing before what cannot be framed (CA-12)",
       .finding = {kToB, 0, "3000", ""},
       .raise = [] { return connected(Startup{.crc = false}, sends_then_no_fpdus); },
       .near_miss = [] { return connected(Startup{.crc = false}, gap_then_no_fpdus); },
       .with = {mpa_ulpdu_length_invalid}},
  };
}

std::vector<Scenario> ending_scenarios() {
  return {
      {.id = mpa_fpdu_ends_elsewhere,
       .note = "no PAD is due",
       .finding = {kToB, 6, "no PAD", ""},
       .raise = [] { return connected([](Connection& c) { unpadded_with_crc(c, 30, 901); }); },
       .near_miss = [] { return connected([](Connection& c) { unpadded_with_crc(c, 30, 904); }); }},
      {.id = mpa_fpdu_ends_elsewhere,
       .note = "ULPDU_Length counts itself and the CRC, or one octet more than that",
       .finding = {kToB, 6, "+6", ""},
       .raise = [] { return connected(counted_too_much(6)); },
       .near_miss = [] { return connected(counted_too_much(7)); },
       .near_with = {mpa_crc_mismatch}},
      {.id = mpa_fpdu_ends_elsewhere,
       .note = "ULPDU_Length counts the CRC, or is right",
       .finding = {kToB, 6, "+4", ""},
       .raise = [] { return connected(Startup{.markers = true}, counted_too_much(4)); },
       .near_miss = [] { return connected(Startup{.markers = true}, counted_too_much(0)); }},
  };
}

std::vector<Scenario> crc_scenarios() {
  return {
      {.id = mpa_crc_not_computed,
       .note = "CRCs that are wrong, but not zero",
       .finding = {kToB, 6, "0x00000000", ""},
       .raise = [] { return connected(with_crc(0, 3)); },
       .near_miss = [] { return connected(with_crc(0x01020304, 3)); },
       .near_with = {mpa_crc_mismatch}},
      {.id = mpa_crc_not_computed,
       .note = "only one CRC is zero, after a right one",
       .finding = {kToB, 6, "0x00000000", ""},
       .raise = [] { return connected(Startup{.request_crc = false}, with_crc(0, 3)); },
       .near_miss = [] { return connected(one_right_crc_before); },
       .near_with = {mpa_crc_mismatch}},
      {.id = mpa_crc_not_computed,
       .note = "only the first CRC is zero",
       .finding = {kToB, 6, "0x00000000", ""},
       .raise = [] { return connected(with_crc(0, 2)); },
       .near_miss = [] { return connected(one_right_crc_after_the_first); },
       .near_with = {mpa_crc_mismatch}},
      {.id = mpa_crc_not_computed,
       .note = "one FPDU of each direction",
       .finding = {kToA, 6, "0x00000000", ""},
       .raise = [] { return connected(with_crc(0, 2, kOther)); },
       .near_miss = [] { return connected(only_one_of_each_side); },
       .with = {mpa_responder_sends_first},
       .near_with = {mpa_crc_mismatch}},
      {.id = mpa_crc_not_computed,
       .note = "neither end asks for CRC",
       .finding = {kToB, 6, "0x00000000", ""},
       .raise = [] { return connected(a_gap_between); },
       .near_miss = [] { return connected(Startup{.crc = false}, with_crc(0, 3)); }},
      {.id = mpa_crc_not_computed,
       .note = "joined mid-stream, and two right CRCs of the other direction",
       .raise = midstream_crcs(3, 10, false),
       .near_miss = midstream_crcs(2, 10, false)},
      {.id = mpa_crc_not_computed,
       .note = "joined mid-stream, and one CRC is zero",
       .raise = midstream_crcs(5, 10, true),
       .near_miss = midstream_crcs(5, 1, true)},
  };
}

}  // namespace iwarpscope::test
