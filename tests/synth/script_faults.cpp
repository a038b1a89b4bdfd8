// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Commands of faults: by name, and field by field.
#include <limits>
#include <stdexcept>

#include "synth/script_player.h"

namespace iwarpscope::synth {

namespace {

void fault(Player& p, Words& w) {
  const auto side = w.maybe_side();
  const auto skip = w.given<unsigned>("skip");
  const std::string name = w.next("the name of the fault");
  try {
    if (side) return p.messages().fault(*side, name, skip.value_or(0));
    if (!skip) return p.messages().fault(name);
  } catch (const std::invalid_argument&) {
    throw std::invalid_argument("no such fault: '" + name + "'; iwarpscope-synth faults lists them");
  }
  throw std::invalid_argument("skip counts the DDP segments of one side; name the side");
}

void alter_control(Alter& a, Words& w) {
  a.ddp_control = w.given<std::uint8_t>("ddp-control");
  a.tagged = w.on_off("tagged");
  a.last = w.on_off("last");
  a.ddp_version = w.given<std::uint8_t>("ddp-version", 3);
  a.ddp_reserved = w.given<std::uint8_t>("ddp-reserved", 15);
  a.rdmap_control = w.given<std::uint8_t>("rdmap-control");
  a.opcode = w.given<std::uint8_t>("opcode", 15);
  a.rdmap_version = w.given<std::uint8_t>("rdmap-version", 3);
  a.rdmap_reserved = w.given<std::uint8_t>("rdmap-reserved", 3);
}

void alter_place(Alter& a, Words& w) {
  constexpr std::int64_t kLeast32 = std::numeric_limits<std::int32_t>::min();
  constexpr std::int64_t kMost32 = std::numeric_limits<std::int32_t>::max();
  constexpr std::int64_t kMost64 = std::numeric_limits<std::int64_t>::max();
  a.invalidate_stag = w.given<std::uint32_t>("invalidate");
  a.qn = w.given<std::uint32_t>("qn");
  a.msn = w.given<std::uint32_t>("msn");
  a.msn_delta = static_cast<std::int32_t>(w.signed_number("msn-delta", kLeast32, kMost32).value_or(0));
  a.mo = w.given<std::uint32_t>("mo");
  a.mo_delta = static_cast<std::int32_t>(w.signed_number("mo-delta", kLeast32, kMost32).value_or(0));
  a.stag = w.given<std::uint32_t>("stag");
  a.to = w.given("to");
  a.to_delta = w.signed_number("to-delta", -kMost64, kMost64).value_or(0);
  a.payload = w.octets("payload");
  a.ulpdu_octets = w.given<std::size_t>("ulpdu-octets", 65535);
}

void alter_fpdu(wire::FpduForm& f, Words& w) {
  f.length = w.given<std::uint16_t>("length");
  f.pad = w.given_or("pad", f.pad);
  f.crc_xor = w.given_or("crc-xor", f.crc_xor);
  f.crc_value = w.given<std::uint32_t>("crc-value");
  f.crc_big_endian = w.flag("crc-big-endian");
  f.flip_after_crc = w.given<std::size_t>("flip", 65535);
  f.length_xor = w.given_or("length-xor", f.length_xor);
  f.marker_index = w.given<unsigned>("marker");
  f.marker_reserved = w.given<std::uint16_t>("marker-reserved");
  f.marker_pointer = w.given<std::uint16_t>("marker-pointer");
  f.marker_pointer_xor = w.given_or("marker-pointer-xor", f.marker_pointer_xor);
  f.omit_markers = w.flag("omit-markers");
}

void alter(Player& p, Words& w) {
  constexpr unsigned kMostRepeats = 1000;
  const Side side = w.side();
  Alter a;
  alter_control(a, w);
  alter_place(a, w);
  alter_fpdu(a.fpdu, w);
  a.chunk = chunk_faults(w);
  a.markers = w.on_off("markers");
  a.omit = w.flag("omit");
  a.repeats = w.given_or("repeats", a.repeats, kMostRepeats);
  p.messages().alter(side, std::move(a), w.given_or<unsigned>("skip", 0));
}

constexpr Command kFaults[] = {
    {"fault", "[SIDE] NAME [skip=N]",
     "the next DDP segment (of the side, after skip others) has this fault; iwarpscope-synth faults lists the names",
     fault},
    {"alter",
     "SIDE [skip=N] [tagged=on|off] [last=on|off] [ddp-version=N] [ddp-reserved=N] [ddp-control=N] [opcode=N]"
     " [rdmap-version=N] [rdmap-reserved=N] [rdmap-control=N] [invalidate=N] [qn=N] [msn=N] [msn-delta=N] [mo=N]"
     " [mo-delta=N] [stag=N] [to=N] [to-delta=N] [payload=HEX] [ulpdu-octets=N] [length=N] [pad=N] [crc-xor=N]"
     " [crc-value=N] [crc-big-endian] [flip=N] [length-xor=N] [marker=N] [marker-reserved=N] [marker-pointer=N]"
     " [marker-pointer-xor=N] [omit-markers] [markers=on|off] [unordered=on|off] [ppid=N] [ddp-ssn=N]"
     " [ddp-ssn-delta=N] [omit] [repeats=N]",
     "a fault in single fields: a delta is added; ulpdu-octets cuts or fills; length is ULPDU_Length; flip changes "
     "this octet after the CRC was computed; marker selects the marker for the marker faults",
     alter},
};

}  // namespace

ChunkFaults chunk_faults(Words& w) {
  ChunkFaults f;
  f.unordered = w.on_off("unordered");
  f.ppid = w.given<std::uint32_t>("ppid");
  f.ddp_ssn = w.given<std::uint16_t>("ddp-ssn");
  f.ddp_ssn_delta = static_cast<std::int32_t>(w.signed_number("ddp-ssn-delta", -65535, 65535).value_or(0));
  return f;
}

std::span<const Command> fault_commands() {
  return kFaults;
}

}  // namespace iwarpscope::synth
