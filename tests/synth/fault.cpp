// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "synth/fault.h"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace iwarpscope::synth {

namespace {

std::vector<NamedFault> make_faults() {
  return {
      // MPA
      {"crc-mismatch", Carrier::send, "the CRC differs from that of the octets", {.fpdu = {.crc_xor = 0x00010000}}},
      {"crc-zero", Carrier::send, "the CRC field is zero", {.fpdu = {.crc_value = 0}}},
      {"crc-byte-order", Carrier::send, "the CRC has its high octet first", {.fpdu = {.crc_big_endian = true}}},
      {"octet-changed", Carrier::send, "an octet changed after the CRC was computed", {.fpdu = {.flip_after_crc = 21}}},
      {"pad-nonzero", Carrier::send, "PAD octets are not zero", {.fpdu = {.pad = 0xEE}}},
      {"length-zero", Carrier::send, "ULPDU_Length is 0", {.fpdu = {.length = 0}}},
      {"length-over-maximum", Carrier::send, "ULPDU_Length is 65535", {.fpdu = {.length = 0xFFFF}}},
      {"length-too-short", Carrier::send, "ULPDU_Length is 16, for any contents", {.fpdu = {.length = 16}}},
      {"length-too-long", Carrier::send, "ULPDU_Length is 1400, for any contents", {.fpdu = {.length = 1400}}},
      {"marker-missing", Carrier::markers, "the Markers of the FPDU are left out", {.fpdu = {.omit_markers = true}}},
      {"marker-unwanted", Carrier::send_first, "an FPDU with Markers although none are negotiated", {.markers = true}},
      {"marker-reserved",
       Carrier::markers,
       "RESERVED of the Markers is not zero",
       {.fpdu = {.marker_reserved = 0x0100}}},
      {"marker-pointer", Carrier::markers, "FPDUPTR is wrong by 8", {.fpdu = {.marker_pointer_xor = 8}}},
      {"marker-pointer-low-bits",
       Carrier::markers,
       "FPDUPTR has its low bits set",
       {.fpdu = {.marker_pointer_xor = 3}}},
      {"marker-second-pointer",
       Carrier::markers,
       "the second Marker points elsewhere",
       {.fpdu = {.marker_index = 1, .marker_pointer_xor = 4}}},
      // DDP
      {"header-short", Carrier::send, "the ULPDU ends inside the DDP header", {.ulpdu_octets = 10}},
      {"ddp-reserved", Carrier::send, "reserved bits of the DDP control octet are set", {.ddp_reserved = 5}},
      {"ddp-version-0", Carrier::send, "DV is 0", {.ddp_version = 0}},
      {"ddp-version-2", Carrier::send, "DV is 2", {.ddp_version = 2}},
      {"qn-unassigned", Carrier::send, "QN is 9", {.qn = 9}},
      {"qn-other", Carrier::send, "QN is 1, the queue of Read and Atomic Requests", {.qn = 1}},
      {"msn-skipped", Carrier::send, "the MSN is one too high", {.msn_delta = 1}},
      {"msn-repeated", Carrier::send, "the MSN is one too low", {.msn_delta = -1}},
      {"msn-zero", Carrier::send, "the MSN is 0", {.msn = 0}},
      {"mo-gap", Carrier::send_parts, "the MO is 4 too high", {.mo_delta = 4}},
      {"mo-overlap", Carrier::send_parts, "the MO is 4 too low", {.mo_delta = -4}},
      {"mo-wrap", Carrier::send_parts, "MO and length wrap 32 bits", {.mo = 0xFFFFFFF0}},
      {"stag-other", Carrier::write_parts, "a different STag", {.stag = 0x0BAD0BAD}},
      {"to-gap", Carrier::write_parts, "the TO is 16 too high", {.to_delta = 16}},
      {"to-overlap", Carrier::write_parts, "the TO is 16 too low", {.to_delta = -16}},
      {"to-wrap", Carrier::write, "TO and length wrap 64 bits", {.to = 0xFFFFFFFFFFFFFFF8}},
      {"last-missing", Carrier::send, "L is clear", {.last = false}},
      {"last-early", Carrier::send_first, "L is set", {.last = true}},
      {"ddp-segment-omitted", Carrier::send_first, "the DDP segment is not sent", {.omit = true}},
      {"ddp-segment-repeated", Carrier::send_parts, "the DDP segment is sent twice", {.repeats = 1}},
      {"zero-length-not-last", Carrier::send, "an empty DDP segment without L", {.last = false, .payload = Buffer{}}},
      // RDMAP
      {"tagged-flag", Carrier::send, "T is set on an untagged header", {.tagged = true}},
      {"untagged-flag", Carrier::write, "T is clear on a tagged header", {.tagged = false}},
      {"rdmap-version-0", Carrier::send, "RV is 0", {.rdmap_version = 0}},
      {"rdmap-version-2", Carrier::send, "RV is 2", {.rdmap_version = 2}},
      {"rdmap-reserved", Carrier::send, "reserved bits of the RDMAP control octet are set", {.rdmap_reserved = 2}},
      {"opcode-unassigned", Carrier::send, "opcode 13", {.opcode = 13}},
      {"opcode-experimental", Carrier::send, "opcode 15", {.opcode = 15}},
      {"opcode-other", Carrier::send_parts, "the opcode of a Send with SE", {.opcode = 5}},
      {"opcode-write", Carrier::send, "the opcode of an RDMA Write", {.opcode = 0}},
      {"invalidate-stag-set", Carrier::send, "RsvdULP contains an STag", {.invalidate_stag = 0x1234}},
      {"invalidate-stag-zero", Carrier::invalidate, "RsvdULP is zero", {.invalidate_stag = 0}},
      {"header-long",
       Carrier::read_request,
       "four octets too many after the DDP header of a Read Request",
       {.ulpdu_octets = 50}},
      {"header-cut",
       Carrier::read_request,
       "four octets too few after the DDP header of a Read Request",
       {.ulpdu_octets = 42}},
  };
}

}  // namespace

const std::vector<NamedFault>& faults() {
  static const std::vector<NamedFault> all = make_faults();
  return all;
}

const NamedFault& named_fault(std::string_view name) {
  const auto found =
      std::find_if(faults().begin(), faults().end(), [&](const NamedFault& f) { return f.name == name; });
  if (found == faults().end()) throw std::invalid_argument("no such fault: " + std::string(name));
  return *found;
}

const Alter& fault(std::string_view name) {
  return named_fault(name).alter;
}

}  // namespace iwarpscope::synth
