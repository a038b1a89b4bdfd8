// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Each fault of the synthesiser on the message it is made for, and how its receiver meets it.
#include "synth/fault.h"
#include "truth/scene.h"

namespace iwarpscope::truth {
namespace {

using synth::Carrier;

/// What a receiver makes of a fault. Source: the checks of RFC 5040 §7, RFC 5041 §7 and RFC 5044 §8, the codes of
/// RFC 6580 §3, and what Linux siw, irdma and cxgb4 send.
struct Answer {
  std::string_view fault;
  std::vector<Code> codes;     ///< none: the receiver does not mind
  bool may_be_path = false;    ///< the path could have done the same to right octets
  bool needs_another = false;  ///< it is the next message that shows it
};

const std::vector<Answer>& answers() {
  static const std::vector<Answer> all{
      {"crc-mismatch", {{2, 0, 2}}, true},
      {"crc-zero", {{2, 0, 2}}},
      {"crc-byte-order", {{2, 0, 2}}},
      {"octet-changed", {{2, 0, 2}}, true},
      {"pad-nonzero", {}},
      {"length-zero", {{2, 0, 2}, {2, 0, 3}, {1, 0, 0}}},
      {"length-over-maximum", {{2, 0, 2}, {2, 0, 3}}},
      {"length-too-short", {{2, 0, 2}, {2, 0, 3}, {1, 0, 0}}},
      {"length-too-long", {{2, 0, 2}, {2, 0, 3}}, false, true},
      {"marker-missing", {{2, 0, 3}, {2, 0, 2}}},
      {"marker-unwanted", {{2, 0, 2}, {2, 0, 3}}},
      {"marker-reserved", {}},
      {"marker-pointer", {{2, 0, 3}}},
      {"marker-pointer-low-bits", {}},
      {"marker-second-pointer", {{2, 0, 3}}},
      {"header-short", {{1, 0, 0}, {0, 2, 6}, {0, 2, 0xFF}}},
      {"ddp-reserved", {}},
      {"ddp-version-0", {{1, 2, 6}}},
      {"ddp-version-2", {{1, 2, 6}}},
      {"qn-unassigned", {{1, 2, 1}}},
      {"qn-other", {{1, 2, 1}, {0, 2, 6}}},
      {"msn-skipped", {{1, 2, 3}, {1, 2, 2}}},
      {"msn-repeated", {{1, 2, 3}}},
      {"msn-zero", {{1, 2, 3}}},
      {"mo-gap", {{1, 2, 4}}},
      {"mo-overlap", {{1, 2, 4}}},
      {"mo-wrap", {{1, 2, 4}, {1, 2, 5}}},
      {"stag-other", {{1, 1, 0}, {0, 1, 0}, {1, 1, 2}}},
      {"to-gap", {}},
      {"to-overlap", {}},
      {"to-wrap", {{1, 1, 3}, {0, 1, 4}, {1, 1, 1}}},
      {"last-missing", {{1, 2, 3}}, false, true},
      {"last-early", {{1, 2, 3}}},
      {"ddp-segment-omitted", {{1, 2, 4}}},
      {"ddp-segment-repeated", {{1, 2, 3}}},
      {"zero-length-not-last", {{1, 2, 3}}, false, true},
      {"tagged-flag", {{1, 1, 0}, {1, 1, 1}, {0, 2, 6}, {1, 0, 0}}},
      {"untagged-flag", {{1, 2, 1}, {0, 2, 6}, {1, 0, 0}}},
      {"rdmap-version-0", {{0, 2, 5}}},
      {"rdmap-version-2", {{0, 2, 5}}},
      {"rdmap-reserved", {}},
      {"opcode-unassigned", {{0, 2, 6}}},
      {"opcode-experimental", {{0, 2, 6}}},
      {"opcode-other", {{0, 2, 6}}},
      {"opcode-write", {{0, 2, 6}, {1, 0, 0}}},
      {"invalidate-stag-set", {}},
      {"invalidate-stag-zero", {{0, 1, 9}, {0, 2, 9}, {0, 1, 0}}},
      {"header-long", {{0, 2, 0xFF}, {0, 1, 0xFF}, {1, 2, 5}}},
      {"header-cut", {{0, 2, 0xFF}, {0, 2, 7}, {1, 0, 0}}},
  };
  return all;
}

const Answer& answer(std::string_view fault) {
  for (const Answer& one : answers()) {
    if (one.fault == fault) return one;
  }
  throw std::invalid_argument("no receiver's answer is known to the fault " + std::string(fault));
}

void carry(Stage& s, Carrier carrier) {
  const char side = s.culprit();
  const std::uint64_t small = s.random().between(20, 600);
  const std::uint64_t stag = 0x1000 + s.random().below(4) * 256;
  switch (carrier) {
    case Carrier::send: s.say("send {} {}", side, small | 1); break;  // an odd length: with a pad
    case Carrier::send_parts:
    case Carrier::send_first: s.say("mulpdu {} 512; send {} 700; mulpdu {} usual", side, side, side); break;
    case Carrier::write_parts:
      s.say("mulpdu {} 512; write {} stag=0x{:x} to=0x7f0000001000 700; mulpdu {} usual", side, side, stag, side);
      break;
    case Carrier::write: s.say("write {} stag=0x{:x} to=0x7f0000002000 {}", side, stag, small); break;
    case Carrier::invalidate: s.say("send-invalidate {} stag=0x{:x} {}", side, stag, small); break;
    case Carrier::read_request:
      s.say("read-request {} size=100 source-stag=0x2000 source-to=0x7e0000000000 sink-stag=0x3000 sink-to=0x1000",
            side);
      break;
    case Carrier::markers: s.say("send {} 1400", side); break;
  }
}

void play_fault(Stage& s, const Scene& scene) {
  const synth::NamedFault& fault = synth::named_fault(scene.fault);
  const Answer& met = answer(scene.fault);
  s.open();
  // The second of two DDP segments has the fault.
  const bool second = fault.carrier == Carrier::send_parts || fault.carrier == Carrier::write_parts;
  s.say("fault {} {}{}", s.culprit(), scene.fault, second ? " skip=1" : " skip=0");
  carry(s, fault.carrier);
  if (met.needs_another) s.say("send {} 40", s.culprit());
  s.blame_culprit(met.may_be_path ? bit(Culprit::path) : 0);
  if (met.may_be_path) s.cannot_be_decided();
  if (met.codes.empty()) {
    s.harmless();
    s.talk(s.random().below(4));
    s.finish();
    return;
  }
  // Some receivers do not look, where nothing goes wrong for them.
  const bool can_be_ignored = scene.fault.starts_with("msn-") || scene.fault.starts_with("rdmap-version") ||
                              scene.fault.starts_with("ddp-version") || scene.fault.starts_with("crc-");
  if (can_be_ignored && s.one_of(8)) {
    s.reaction("ignored");
    s.harmless();
    s.finish();
    return;
  }
  s.refuse(scene.codes);
}

Needs needs_of(const synth::NamedFault& fault) {
  Needs needs;
  if (fault.carrier == Carrier::markers) needs = {.sctp = false, .markers = true};
  if (fault.name == "marker-unwanted") needs = {.sctp = false, .markers = false};
  if (fault.name.starts_with("crc-") || fault.name == "octet-changed") needs = {.sctp = false, .crc = true};
  if (fault.name.starts_with("length-") || fault.name == "pad-nonzero") needs.sctp = false;
  return needs;
}

// From here on every FPDU of the culprit has this CRC. Zero, or the right one with its octets in another order, is no
// accident of the path; any other wrong CRC may be.
void play_every_crc(Stage& s, const Scene& scene) {
  s.open();
  const bool may_be_path = scene.fault == "crc-mismatch";
  s.blame_culprit(may_be_path ? bit(Culprit::path) : 0);
  if (may_be_path) s.cannot_be_decided();
  for (std::uint64_t n = s.random().between(3, 8); n > 0; --n) {
    s.say("fault {} {} skip=0; send {} {}", s.culprit(), scene.fault, s.culprit(), s.random().between(1, 900));
  }
  s.refuse({{2, 0, 2}});
}

/// One bit of ULPDU_Length is turned over on the way, of one FPDU or of each.
void play_length_bit(Stage& s, const Scene&) {
  s.open();
  const bool each = s.one_of(3);
  const std::uint64_t bit = s.random().below(16);
  for (std::uint64_t n = each ? s.random().between(2, 6) : 1; n > 0; --n) {
    s.say("alter {} length-xor={}; send {} {}", s.culprit(), 1U << bit, s.culprit(), s.random().between(20, 1200));
  }
  if (s.one_of(2)) s.send_on();
  s.blame(Culprit::path);
  s.refuse({{2, 0, 2}, {2, 0, 3}});
}

}  // namespace

std::vector<Scene> fault_scenes() {
  std::vector<Scene> all;
  for (const synth::NamedFault& fault : synth::faults()) {
    const std::string name(fault.name);
    all.push_back({name, needs_of(fault), play_fault, answer(fault.name).codes, name});
  }
  for (const char* fault : {"crc-mismatch", "crc-zero", "crc-byte-order"}) {
    all.push_back({std::string(fault) + "-always", {.sctp = false, .crc = true}, play_every_crc, {}, fault});
  }
  all.push_back({"length-bit", {.sctp = false, .crc = true}, play_length_bit, {}, {}});
  return all;
}

}  // namespace iwarpscope::truth
