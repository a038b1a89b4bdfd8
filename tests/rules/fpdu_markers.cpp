// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// MF-06 to MF-13 and MF-15: markers.
#include <algorithm>

#include "rules/stream_traffic.h"

namespace iwarpscope::test {
namespace {

using enum findings::FindingId;
using synth::Alter;
using synth::Connection;
using synth::Effect;
using synth::Packing;
using synth::Startup;

const Startup kMarkers{.markers = true};

/// Two Sends without CRC; the header of the first has a marker between QN and MSN, `late` octets after where it is
/// due.
Traffic marker_in_header(std::size_t late, std::uint32_t msn) {
  return connected(Startup{.crc = false, .markers = true}, [=](Connection& c) {
    const auto fpdu = [&c](std::uint32_t number) {
      return synth::wire::write(synth::wire::FpduForm{.markers = true, .crc = false},
                                synth::wire::write(synth::wire::DdpUntagged{.msn = MessageSequence{number}},
                                                   synth::Buffer(400, std::byte{0x5A})),
                                c.position(kOne));
    };
    c.send(kOne, 472);  // with the marker at 0 and all of the FPDU: 500 octets
    synth::Buffer first = fpdu(msn);
    const auto marker = first.begin() + 12;
    std::rotate(marker, marker + 4, marker + 4 + static_cast<std::ptrdiff_t>(late));
    c.raw_octets(kOne, first);
    c.raw_octets(kOne, fpdu(msn + 1));
  });
}

// One FPDU of 1200 octets, which holds two markers at least, with this fault among others without.
Traffic marked(const synth::wire::FpduForm& form) {
  return connected(kMarkers, altered({.fpdu = form}, 1200));
}

void large(Connection& c) {
  sends(c, 4, 1200);
  sends(c, 4, 1200, kOther);
}

// The first FPDU of the direction is altered.
Traffic first_fpdu(const synth::wire::FpduForm& form) {
  return connected(kMarkers, [form](Connection& c) {
    c.alter(kOne, {.fpdu = form});
    c.send(kOne, 100);
    sends(c, 4);
  });
}

// FPDUs of 128 octets: after four of them a marker is between two. `form` is of the FPDU after it.
Traffic marker_between(const synth::wire::FpduForm& form) {
  return connected(kMarkers, [form](Connection& c) {
    c.send(kOne, 100);  // 4 of marker, 124
    sends(c, 3, 104);   // 3 times 128: 512 octets in all
    c.alter(kOne, {.fpdu = form});
    sends(c, 4, 104);
  });
}

// 512 octets, then a marker or nothing, then the FIN.
Traffic ends_where_a_marker_is_due(bool marker) {
  return connected(kMarkers, [marker](Connection& c) {
    c.send(kOne, 100);
    sends(c, 3, 104);
    if (marker) c.raw_octets(kOne, synth::Buffer(4));
  });
}

Traffic marker_captured_without_its_fpdu() {
  return connected(kMarkers, [](Connection& c) {
    c.send(kOne, 100);
    sends(c, 3, 104);
    c.packing(kOne, Packing::cut, {4, 200});
    c.channel(kOne, Effect::miss, {.skip = 1});
    c.send(kOne, 104);
    c.acknowledge(kOther);
  });
}

// Payload that looks like markers wherever one would be.
void payload_of_zeros(Connection& c) {
  for (int i = 0; i < 4; ++i) c.send(kOne, synth::Buffer(1400));
}

std::vector<Scenario> presence_scenarios() {
  return {
      {.id = mpa_marker_missing,
       .note = "markers in the other direction alone",
       .finding = {kToB, 6, "0x04c24143", "0x00000000"},
       .raise =
           [] {
             return connected(kMarkers, [](Connection& c) {
               c.use_markers(kOne, false);
               large(c);
             });
           },
       .near_miss = [] { return connected(Startup{.request_markers = true}, large); }},
      {.id = mpa_marker_missing,
       .note = "FPDUs too short to hold a marker",
       .finding = {kToB, 10, "0", "3"},
       .raise = [] { return marked({.omit_markers = true}); },
       .near_miss = [] { return connected(kMarkers, [](Connection& c) { sends(c, 6, 30); }); }},
      {.id = mpa_marker_missing,
       .note = "a marker whose octets were not captured",
       .finding = {kToB, 10, "0", "3"},
       .raise = [] { return marked({.omit_markers = true}); },
       .near_miss =
           [] {
             return connected(kMarkers, [](Connection& c) {
               sends(c, 2, 1200);
               c.channel(kOne, Effect::miss);
               c.send(kOne, 1200);
               c.acknowledge(kOther);
               sends(c, 4, 1200);
             });
           }},
      {.id = mpa_marker_unexpected,
       .note = "markers that were asked for",
       .finding = {kToB, 6, "0x00000000", ""},
       .raise =
           [] {
             return connected([](Connection& c) {
               c.use_markers(kOne, true);
               large(c);
             });
           },
       .near_miss = [] { return connected(kMarkers, large); }},
      {.id = mpa_marker_unexpected,
       .note = "payload that looks like markers",
       .finding = {kToB, 6, "0x00000000", ""},
       .raise =
           [] {
             return connected(Startup{.request_markers = true}, [](Connection& c) {
               c.use_markers(kOne, true);
               large(c);
             });
           },
       .near_miss = [] { return connected(payload_of_zeros); }},
      {.id = ddp_msn_out_of_sequence,
       .note = "a marker that comes 4 octets late, and no CRC",
       .raise = [] { return marker_in_header(0, 3); },
       .near_miss = [] { return marker_in_header(4, 2); },
       .near_with = {mpa_marker_pointer_zero}},
      {.id = mpa_first_marker_wrong,
       .note = "a later marker between two FPDUs",
       .finding = {kToB, 6, "0x00000004", "0x00000000"},
       .raise = [] { return first_fpdu({.marker_index = 0, .marker_pointer = 4}); },
       .near_miss = [] { return marker_between({.marker_index = 0, .marker_pointer = 4}); },
       .near_with = {mpa_marker_pointer_zero}},
      {.id = mpa_first_marker_wrong,
       .note = "the first octets were not captured",
       .finding = {kToB, 6, "0x00010000", "0x00000000"},
       .raise = [] { return first_fpdu({.marker_index = 0, .marker_reserved = 1}); },
       .near_miss =
           [] {
             return connected(kMarkers, [](Connection& c) {
               c.packing(kOne, Packing::cut, {4, 2000});
               c.channel(kOne, Effect::miss);
               sends(c, 1, 1200);
               c.acknowledge(kOther);
               c.packing(kOne, Packing::fpdu_per_tcp_segment);
               large(c);
             });
           }},
  };
}

std::vector<Scenario> pointer_scenarios() {
  return {
      {.id = mpa_marker_reserved_bits,
       .note = "FPDUPTR above 32767, whose high bit is not reserved",
       .finding = {kToB, 10, "0x0100", "0x0000"},
       .raise = [] { return marked({.marker_reserved = 0x0100}); },
       .near_miss =
           [] {
             return connected(kMarkers, [](Connection& c) {
               c.packing(kOne, Packing::offload);
               c.limit_mulpdu(kOne, 64768);
               sends(c, 2, 60000);
             });
           }},
      {.id = mpa_marker_reserved_bits,
       .note = "all markers right",
       .finding = {kToB, 10, "0x8000", "0x0000"},
       .raise = [] { return marked({.marker_index = 1, .marker_reserved = 0x8000}); },
       .near_miss = [] { return marked({}); }},
      {.id = mpa_marker_pointer_low_bits,
       .note = "a wrong pointer that is a multiple of four",
       .finding = {kToB, 10, "0x008b", "0x0088"},
       .raise = [] { return marked({.marker_pointer_xor = 3}); },
       .near_miss = [] { return marked({.marker_pointer_xor = 4}); },
       .near_with = {mpa_marker_pointer_wrong}},
      {.id = mpa_marker_pointer_wrong,
       .note = "its low two bits are not looked at",
       .finding = {kToB, 10, "128", "136"},
       .raise = [] { return connected(kMarkers, altered({.fpdu = {.marker_pointer_xor = 8}}, 300)); },
       .near_miss = [] { return marked({.marker_pointer_xor = 3}); }},
      {.id = mpa_marker_pointer_wrong,
       .note = "octets that changed after the CRC was computed",
       .finding = {kToB, 10, "4092", "136"},
       .raise = [] { return connected(kMarkers, altered({.fpdu = {.marker_pointer = 0x0FFC}}, 300)); },
       .near_miss = [] { return marked({.crc_xor = 1}); },
       .near_with = {mpa_crc_mismatch}},
      {.id = mpa_marker_pointer_zero,
       .note = "a wrong pointer that is not zero",
       .finding = {kToB, 10, "0", "136"},
       .raise = [] { return marked({.marker_index = 0, .marker_pointer = 0}); },
       .near_miss = [] { return marked({.marker_index = 0, .marker_pointer = 8}); },
       .near_with = {mpa_markers_disagree}},
      {.id = mpa_marker_pointer_zero,
       .note = "a marker of zeros between two FPDUs",
       .finding = {kToB, 12, "128", "0"},
       .raise = [] { return marker_between({.marker_index = 0, .marker_pointer = 128}); },
       .near_miss = [] { return marker_between({}); }},
      {.id = mpa_markers_disagree,
       .note = "both are wrong and point to the same octet",
       .finding = {kToB, 10, "652", "648"},
       .raise = [] { return marked({.marker_index = 1, .marker_pointer_xor = 4}); },
       .near_miss =
           [] {
             // 512 octets apart, both four too high: FPDUPTR + 4 where it is a multiple of 8.
             return connected(kMarkers, [](Connection& c) {
               c.send(kOne, 100);
               c.send(kOne, 104);
               c.alter(kOne, {.fpdu = {.marker_pointer_xor = 4}});
               sends(c, 4, 1200);
             });
           },
       .near_with = {mpa_marker_pointer_wrong}},
      {.id = mpa_markers_disagree,
       .note = "one marker cannot disagree",
       .finding = {kToB, 10, "152", "136"},
       .raise = [] { return marked({.marker_index = 0, .marker_pointer_xor = 16}); },
       .near_miss = [] { return connected(kMarkers, altered({.fpdu = {.marker_pointer_xor = 8}}, 300)); },
       .near_with = {mpa_marker_pointer_wrong}},
      {.id = mpa_marker_at_end,
       .note = "the FIN is where a marker would be due",
       .finding = {kToB, 0, "", ""},
       .raise = [] { return ends_where_a_marker_is_due(true); },
       .near_miss = [] { return ends_where_a_marker_is_due(false); }},
      {.id = mpa_marker_at_end,
       .note = "the FPDU after the marker was not captured",
       .finding = {kToB, 0, "", ""},
       .raise = [] { return ends_where_a_marker_is_due(true); },
       .near_miss = marker_captured_without_its_fpdu},
  };
}

}  // namespace

std::vector<Scenario> marker_scenarios() {
  std::vector<Scenario> all = presence_scenarios();
  for (Scenario& s : pointer_scenarios()) all.push_back(std::move(s));
  return all;
}

}  // namespace iwarpscope::test
