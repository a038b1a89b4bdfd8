// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "mpa/ulpdu_header.h"

#include <algorithm>
#include <cstring>

#include "mpa/marker.h"

namespace iwarpscope::mpa {
namespace {

constexpr std::uint32_t kTaggedOctets = 14;
constexpr std::uint32_t kUntaggedOctets = 18;

/// What an untagged message of one opcode must look like. Source: RFC 5040 §4.3 Figure 4, RFC 7306 §4 and Figure 2.
struct UntaggedRule {
  bool untagged = false;
  std::uint8_t queue = 0;
  std::uint8_t draft_queue = 0;   ///< of the first draft of RFC 7306, where it differs; else as queue
  bool invalidates = false;       ///< RsvdULP holds an STag
  bool one_segment = false;       ///< always L=1 and MO 0
  std::uint16_t exact_ulpdu = 0;  ///< 0: any length
  std::uint16_t least_ulpdu = kUntaggedOctets;
};

constexpr std::array<UntaggedRule, 16> kUntagged = {{
    {},                                                                                        // RDMA Write
    {.untagged = true, .queue = 1, .draft_queue = 1, .one_segment = true, .exact_ulpdu = 46},  // Read Request
    {},                                                                                        // Read Response
    {.untagged = true},                                                                        // Send
    {.untagged = true, .invalidates = true},                                                   // Send with Invalidate
    {.untagged = true},                                                                        // Send with SE
    {.untagged = true, .invalidates = true},  // Send with SE and Invalidate
    {.untagged = true, .queue = 2, .draft_queue = 2, .one_segment = true, .least_ulpdu = 22},  // Terminate
    {.untagged = true, .one_segment = true, .exact_ulpdu = 26},                                // Immediate Data
    {.untagged = true, .draft_queue = 1, .one_segment = true, .exact_ulpdu = 26},              // Immediate Data with SE
    {.untagged = true, .queue = 1, .draft_queue = 1, .one_segment = true, .exact_ulpdu = 70},  // Atomic Request
    {.untagged = true, .queue = 3, .draft_queue = 1, .one_segment = true, .exact_ulpdu = 30},  // Atomic Response
    {},
    {},
    {},
    {},
}};

bool control_fits(std::uint8_t ddp, std::uint8_t rdmap, std::optional<std::uint8_t> version) noexcept {
  const std::uint8_t dv = ddp & 3;
  if ((ddp & 0x3C) != 0 || dv > 1 || (version && dv != *version)) return false;
  if ((rdmap & 0x30) != 0 || (rdmap >> 6) != dv) return false;
  const std::uint8_t opcode = rdmap & 0xF;
  const bool tagged = (ddp & 0x80) != 0;
  if (tagged) return opcode == 0 || opcode == 2;
  return kUntagged[opcode].untagged && (dv == 1 || opcode < 8);
}

HeaderLikelihood test_tagged(Octets o, UlpduHeader& h) noexcept {
  h.header_octets = kTaggedOctets;
  if (h.ulpdu_length < kTaggedOctets) return HeaderLikelihood::no;
  if (h.payload() == 0 && !h.last) return HeaderLikelihood::no;
  if (o.size() < 2 + kTaggedOctets) return HeaderLikelihood::unfinished;
  h.stag_or_queue = load_be<std::uint32_t>(o.subspan(4));
  h.offset = load_be<std::uint64_t>(o.subspan(8));
  if (h.payload() != 0 && h.offset + (h.payload() - 1) < h.offset) return HeaderLikelihood::no;
  return HeaderLikelihood::plausible;
}

HeaderLikelihood test_untagged(Octets o, UlpduHeader& h) noexcept {
  const UntaggedRule& rule = kUntagged[h.opcode];
  h.header_octets = kUntaggedOctets;
  if (h.ulpdu_length < rule.least_ulpdu) return HeaderLikelihood::no;
  if (rule.exact_ulpdu != 0 && h.ulpdu_length != rule.exact_ulpdu) return HeaderLikelihood::no;
  if (!h.last && (rule.one_segment || h.payload() == 0)) return HeaderLikelihood::no;
  if (o.size() < 2 + kUntaggedOctets) return HeaderLikelihood::unfinished;
  if (!rule.invalidates && load_be<std::uint32_t>(o.subspan(4)) != 0) return HeaderLikelihood::no;
  h.stag_or_queue = load_be<std::uint32_t>(o.subspan(8));
  if (h.stag_or_queue != rule.queue && h.stag_or_queue != rule.draft_queue) return HeaderLikelihood::no;
  h.msn = load_be<std::uint32_t>(o.subspan(12));
  h.offset = load_be<std::uint32_t>(o.subspan(16));
  if (rule.one_segment && h.offset != 0) return HeaderLikelihood::no;
  if (h.opcode == 7 && h.msn != 1) return HeaderLikelihood::no;
  if (h.payload() == 0 && h.offset != 0) return HeaderLikelihood::no;
  if (h.offset + h.payload() > 0x1'0000'0000ULL) return HeaderLikelihood::no;
  return HeaderLikelihood::plausible;
}

}  // namespace

HeaderLikelihood test_header(Octets o, std::optional<std::uint8_t> version, UlpduHeader& h) noexcept {
  if (o.size() < 2) return HeaderLikelihood::unfinished;
  h.ulpdu_length = load_be<std::uint16_t>(o);
  if (h.ulpdu_length < kTaggedOctets) return HeaderLikelihood::no;
  if (o.size() < 4) {
    const bool possible = o.size() < 3 || (to_u8(o[2]) & 0x3C) == 0;
    return possible ? HeaderLikelihood::unfinished : HeaderLikelihood::no;
  }
  const std::uint8_t ddp = to_u8(o[2]);
  const std::uint8_t rdmap = to_u8(o[3]);
  if (!control_fits(ddp, rdmap, version)) return HeaderLikelihood::no;
  h.tagged = (ddp & 0x80) != 0;
  h.last = (ddp & 0x40) != 0;
  h.version = ddp & 3;
  h.opcode = rdmap & 0xF;
  return h.tagged ? test_tagged(o, h) : test_untagged(o, h);
}

bool loosely_plausible(Octets o) noexcept {
  const std::uint32_t length = load_be<std::uint16_t>(o);
  return length != 0 && (to_u8(o[2]) & 0x3C) == 0 && (to_u8(o[3]) & 0x30) == 0;
}

Octets header_octets(Octets from, std::uint32_t first_marker, HeaderRoom& room) noexcept {
  if (first_marker == 0 || first_marker >= kHeaderProbeOctets || from.size() <= first_marker) {
    return from.first(std::min(from.size(), kHeaderProbeOctets));
  }
  const Octets tail = from.subspan(std::min<std::size_t>(first_marker + kMarkerOctets, from.size()));
  const std::size_t after = std::min<std::size_t>(kHeaderProbeOctets - first_marker, tail.size());
  std::memcpy(room.data(), from.data(), first_marker);
  if (after != 0) std::memcpy(room.data() + first_marker, tail.data(), after);
  return Octets{room}.first(first_marker + after);
}

}  // namespace iwarpscope::mpa
