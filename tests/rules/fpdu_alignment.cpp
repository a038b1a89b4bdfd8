// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// MF-02, 16, 17, 22 and 23: FPDUs against TCP segments and IP datagrams.
#include "rules/stream_traffic.h"

namespace iwarpscope::test {
namespace {

using enum findings::FindingId;
using synth::Connection;
using synth::ConnectionOptions;
using synth::Effect;
using synth::Packing;
using synth::Startup;

ConnectionOptions without_timestamps() {
  ConnectionOptions o;
  o.initiator.timestamps = o.responder.timestamps = false;
  return o;
}

// FPDUs of one TCP segment of the MSS each, not an octet to spare, and `more` octets above it.
Traffic full_fpdus(std::size_t more) {
  return connected(
      Startup{},
      [more](Connection& c) {
        c.limit_mulpdu(kOne, c.mulpdu(kOne) + more);
        sends(c, 3, 8000);
      },
      without_timestamps());
}

// Joined without the SYN: the MSS is not known.
Traffic large_fpdus_midstream() {
  Connection c;
  c.begin_full_operation(kOne);
  c.limit_mulpdu(kOne, 4000);
  sends(c, 6, 8000);
  c.close();
  return {.frames = c.frames()};
}

Script packed(Packing packing, std::vector<std::size_t> sizes = {}, std::size_t octets = 1200) {
  return [packing, sizes, octets](Connection& c) {
    sends(c, 3, 1200);
    c.packing(kOne, packing, sizes);
    sends(c, 6, octets);
  };
}

// Two whole FPDUs in each TCP segment.
void two_in_each(Connection& c) {
  sends(c, 1, 1200);
  c.packing(kOne, Packing::packed, {248});
  sends(c, 8, 100);
}

Script lost(Effect effect) {
  return [effect](Connection& c) {
    sends(c, 3, 1200);
    c.channel(kOne, effect);
    sends(c, 6, 1200);
  };
}

// A part of an FPDU is sent again with what follows, as TCP may cut elsewhere.
void cut_elsewhere(Connection& c) {
  sends(c, 3, 1200);
  const synth::TcpSegment last = [&c] {
    synth::TcpSegment found;
    for (const synth::TcpSegment& tcp : c.tcp_segments()) {
      if (tcp.sender == kOne && !tcp.payload.empty()) found = tcp;
    }
    return found;
  }();
  synth::TcpSegment again = last;
  again.sequence += 600;
  again.payload.erase(again.payload.begin(), again.payload.begin() + 600);
  again.identification = 999;
  again.time_ns = c.now_ns() + 1000;
  c.tcp_segments().push_back(again);
  c.wait(10'000);
  sends(c, 3, 1200);
}

Traffic fpdu_size(std::size_t small, std::size_t octets) {
  return connected([small, octets](Connection& c) {
    sends(c, 2, 4000);
    c.limit_mulpdu(kOne, small);
    sends(c, 2, octets);
  });
}

// Messages of small DDP segments, several of them in each TCP segment.
void small_and_packed(Connection& c) {
  c.limit_mulpdu(kOne, 200);
  c.packing(kOne, Packing::packed);
  sends(c, 4, 4000);
}

Traffic fragments(std::size_t payload) {
  ConnectionOptions o;
  o.path.fragment_payload = payload;
  return connected(
      Startup{}, [](Connection& c) { sends(c, 4, 1200); }, o);
}

// Don't Fragment is clear in the packets with payload, or in those without. Ethernet and IPv4 without options.
Traffic may_fragment(bool with_payload) {
  Traffic t = connected([](Connection& c) { sends(c, 4); });
  for (synth::Frame& f : t.frames) {
    const auto octet = [&f](std::size_t at) { return std::to_integer<unsigned>(f.octets[at]); };
    const std::size_t headers = 14 + 20 + octet(46) / 16 * 4;
    if ((f.octets.size() > headers) != with_payload) continue;
    f.octets[20] &= ~std::byte{0x40};
    unsigned sum = octet(24) * 256 + octet(25) + 0x4000;  // RFC 1624: what was taken from the header
    sum = (sum & 0xFFFF) + (sum >> 16);
    f.octets[24] = static_cast<std::byte>(sum >> 8);
    f.octets[25] = static_cast<std::byte>(sum & 0xFF);
  }
  return t;
}

Traffic over_ipv6() {
  ConnectionOptions o;
  o.initiator.address = "2001:db8::1";
  o.responder.address = "2001:db8::2";
  return connected(
      Startup{}, [](Connection& c) { sends(c, 4); }, o);
}

}  // namespace

std::vector<Scenario> alignment_scenarios() {
  return {
      {.id = mpa_ulpdu_above_mulpdu,
       .note = "FPDUs that fill a TCP segment of the MSS to the last octet",
       .finding = {kToB, 6, "1458", "1454"},
       .raise = [] { return full_fpdus(4); },
       .near_miss = [] { return full_fpdus(0); }},
      {.id = mpa_ulpdu_above_mulpdu,
       .note = "the MSS is not known",
       .finding = {kToB, 6, "4454", "1454"},
       .raise = [] { return full_fpdus(3000); },
       .near_miss = large_fpdus_midstream},
      {.id = mpa_fpdu_not_aligned,
       .note = "several whole FPDUs in each TCP segment",
       .finding = {kToB, 10, "", ""},
       .raise = [] { return connected(packed(Packing::packed, {}, 500)); },
       .near_miss = [] { return connected(two_in_each); }},
      {.id = mpa_fpdu_not_aligned,
       .note = "a retransmission that is cut elsewhere",
       .finding = {kToB, 10, "", ""},
       .raise = [] { return connected(packed(Packing::crc_alone)); },
       .near_miss = [] { return connected(cut_elsewhere); }},
      {.id = mpa_fpdu_not_aligned,
       .note = "whole FPDUs out of order",
       .finding = {kToB, 10, "", ""},
       .raise = [] { return connected(packed(Packing::cut, {700})); },
       .near_miss = [] { return connected(lost(Effect::hold_back)); }},
      {.id = mpa_fpdu_split,
       .note = "whole FPDUs, one of them lost and sent again",
       .finding = {kToB, 10, "", ""},
       .raise = [] { return connected(packed(Packing::crc_alone)); },
       .near_miss = [] { return connected(lost(Effect::lose_after_tap)); }},
      {.id = mpa_fpdu_split,
       .note = "FPDUs that fit no TCP segment",
       .finding = {kToB, 10, "", ""},
       .raise = [] { return connected(packed(Packing::cut, {700})); },
       .near_miss = [] { return full_fpdus(3000); }},
      {.id = mpa_fpdu_split,
       .note = "a retransmission that is cut elsewhere",
       .finding = {kToB, 10, "", ""},
       .raise =
           [] {
             return connected(packed(Packing::cut, {30, 2000}));
           },
       .near_miss = [] { return connected(cut_elsewhere); }},
      {.id = mpa_fpdu_small,
       .note = "the last DDP segment of a message is as small as it is",
       .finding = {kToB, 15, "300", ""},
       .raise = [] { return fpdu_size(300, 2000); },
       .near_miss = [] { return connected([](Connection& c) { sends(c, 4, 1500); }); }},
      {.id = mpa_fpdu_small,
       .note = "DDP segments of more than half the room",
       .finding = {kToB, 15, "300", ""},
       .raise = [] { return fpdu_size(300, 301); },
       .near_miss = [] { return fpdu_size(1000, 5000); }},
      {.id = mpa_fpdu_small,
       .note = "small messages, several in each TCP segment",
       .finding = {kToB, 6, "200", ""},
       .raise = [] { return connected(small_and_packed); },
       .near_miss =
           [] {
             return connected([](Connection& c) {
               c.packing(kOne, Packing::packed);
               sends(c, 60, 100);
             });
           }},
      {.id = mpa_ip_fragmented,
       .note = "datagrams that need no fragments",
       .finding = {kToB, 8, "", ""},
       .raise = [] { return fragments(576); },
       .near_miss = [] { return fragments(1480); }},
      {.id = mpa_ip_fragmented,
       .note = "ACKs without payload, which nothing has to fragment",
       .finding = {kToB, 4, "", ""},
       .raise = [] { return may_fragment(true); },
       .near_miss = [] { return may_fragment(false); }},
      {.id = mpa_ip_fragmented,
       .note = "IPv6, which has no Don't Fragment",
       .finding = {kToB, 4, "", ""},
       .raise = [] { return may_fragment(true); },
       .near_miss = over_ipv6},
  };
}

}  // namespace iwarpscope::test
