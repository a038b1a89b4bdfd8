// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// MF-01, 03 to 05, 14, 18 to 21, 24: length, PAD, CRC, the FPDU boundary, the end of the stream.
#include "rules/stream_traffic.h"

namespace iwarpscope::test {
namespace {

using enum findings::FindingId;
using synth::Alter;
using synth::Connection;
using synth::Effect;
using synth::Packing;
using synth::Startup;

const Startup kNoCrc{.crc = false};

// A tap between damage and receiver, or after both: the receiver's Terminate says what it saw.
void bad_crc_then_terminate(Connection& c) {
  sends(c, 3);
  c.fault(kOne, "crc-mismatch");
  c.send(kOne, 100);
  c.terminate(kOther, {.layer = 2, .error_type = 0, .error_code = 2});
}

Script terminate(std::uint8_t code) {
  return [code](Connection& c) {
    sends(c, 3);
    c.terminate(kOther, {.layer = 2, .error_type = 0, .error_code = code});
  };
}

void marker_missing_then_terminate(Connection& c) {
  sends(c, 3);
  c.fault(kOne, "marker-missing");
  c.send(kOne, 1300);
  c.terminate(kOther, {.layer = 2, .error_type = 0, .error_code = 2});
}

void terminate_after_a_gap(Connection& c) {
  sends(c, 3);
  c.channel(kOne, Effect::miss);
  c.send(kOne, 100);
  c.acknowledge(kOther);
  c.terminate(kOther, {.layer = 2, .error_type = 0, .error_code = 2});
}

// The FPDU's first part, then the end.
Traffic ends_inside_fpdu(const std::function<void(Connection&)>& end) {
  Connection c;
  c.connect();
  c.startup();
  sends(c, 3);
  const synth::Buffer fpdu =
      synth::wire::write(synth::wire::FpduForm{},
                         synth::wire::write(synth::wire::DdpUntagged{.msn = MessageSequence{4}}, synth::Buffer(200)));
  c.raw_octets(kOne, Octets(fpdu).first(90));
  end(c);
  return {.frames = c.frames()};
}

Traffic end_of_fpdu_not_captured() {
  Connection c;
  c.connect();
  c.startup();
  sends(c, 3);
  c.packing(kOne, Packing::cut, {100, 200});
  c.channel(kOne, Effect::miss, {.skip = 1});
  c.send(kOne, 200);
  c.close();
  return {.frames = c.frames()};
}

Traffic snapped() {
  return connected(kNoCrc, [](Connection& c) {
    c.path().snap_length = 120;
    sends(c, 6, 500);
  });
}

Traffic snapped_with_crc() {
  return connected([](Connection& c) {
    c.path().snap_length = 120;
    sends(c, 6, 500);
  });
}

void gap_inside_an_fpdu(Connection& c) {
  sends(c, 3);
  c.packing(kOne, Packing::cut, {100, 40, 100});
  c.channel(kOne, Effect::miss, {.skip = 1});
  c.send(kOne, 200);
  c.packing(kOne, Packing::fpdu_per_tcp_segment);
  sends(c, 6);
}

void damaged_on_the_way(Connection& c) {
  sends(c, 3);
  c.channel(kOne, Effect::corrupt, {.delay = 1});
  sends(c, 6);
}

Traffic after_fin(const std::function<void(Connection&)>& more) {
  Connection c;
  c.connect();
  c.startup();
  sends(c, 3);
  sends(c, 3, 100, kOther);
  c.fin(kOne);
  more(c);
  c.close();
  return {.frames = c.frames()};
}

// The last Send comes again after the FIN, as if its ACK had been lost.
void last_send_again(Connection& c) {
  synth::TcpSegment last;
  for (const synth::TcpSegment& tcp : c.tcp_segments()) {
    if (tcp.sender == kOne && !tcp.payload.empty()) last = tcp;
  }
  last.time_ns = c.now_ns();
  last.identification = 999;
  c.tcp_segments().push_back(last);
}

void ports_used_again(Connection& c) {
  c.close();
  c.reuse_ports();
  c.connect();
  c.startup();
  sends(c, 3);
}

// A sender that forgets that it is in RDMA mode, and remembers.
Traffic text_among_fpdus() {
  return connected(kNoCrc, [](Connection& c) {
    c.packing(kOne, Packing::cut, {60, 200, 90});
    sends(c, 6);
    c.raw_octets(kOne,
                 synth::text("HTTP/1.1 400 Bad Request\r\nContent-Type: text/plain; charset=utf-8\r\n\r\nWhat?\r\n"));
    sends(c, 6);
  });
}

Script effect(Effect effect, std::size_t octets = 100) {
  return [effect, octets](Connection& c) {
    sends(c, 3, octets);
    c.channel(kOne, effect, {.delay = 1});
    sends(c, 6, octets);
  };
}

std::vector<Scenario> octet_scenarios() {
  return {
      {.id = mpa_ulpdu_length_invalid,
       .note = "the largest ULPDU there is",
       .finding = {kToB, 10, "0", "1..64768"},
       .raise = [] { return connected(faulty("length-zero")); },
       .near_miss =
           [] {
             return connected([](Connection& c) {
               c.packing(kOne, Packing::offload);
               c.limit_mulpdu(kOne, 64768);
               sends(c, 2, 64768 - 18);
             });
           }},
      {.id = mpa_ulpdu_length_invalid,
       .note = "a length of 1 is too short for DDP, not for MPA",
       .finding = {kToB, 10, "65535", "1..64768"},
       .raise = [] { return connected(faulty("length-over-maximum")); },
       .near_miss = [] { return connected(altered({.ulpdu_octets = 1})); },
       .near_with = {ddp_header_short}},
      {.id = mpa_ulpdu_length_invalid,
       .note = "zeros where the FPDU's header was not captured",
       .finding = {kToB, 10, "0", "1..64768"},
       .raise = [] { return connected(faulty("length-zero")); },
       .near_miss =
           [] {
             return connected([](Connection& c) {
               sends(c, 3);
               c.channel(kOne, Effect::miss);
               c.send(kOne, 100);
               c.acknowledge(kOther);
               c.send(kOne, synth::Buffer(300));
               sends(c, 3);
             });
           }},
      {.id = mpa_ulpdu_length_invalid,
       .note = "one FPDU whose DDP version and reserved bits are wrong, among FPDUs that fit no TCP segment",
       .finding = {kToB, 21, "485454502f312e31", "an FPDU"},
       .raise = text_among_fpdus,
       .near_miss =
           [] {
             return connected(kNoCrc, [](Connection& c) {
               c.packing(kOne, Packing::cut, {60, 200, 90});
               sends(c, 6);
               c.alter(kOne, {.ddp_control = 0x7E});
               c.send(kOne, 100);
               sends(c, 6);
             });
           },
       .near_with = {ddp_version_wrong}},
      {.id = mpa_pad_not_zero,
       .note = "payload octets that are not zero, and no PAD",
       .finding = {kToB, 10, "0xeeeeee", "zero"},
       .raise = [] { return connected(faulty("pad-nonzero", 101)); },
       .near_miss = [] { return connected(faulty("pad-nonzero", 104)); }},
      {.id = mpa_pad_not_zero,
       .note = "PAD of an FPDU whose octets changed on the way",
       .finding = {kToB, 10, "0xeeeeee", "zero"},
       .raise = [] { return connected(Startup{.markers = true}, faulty("pad-nonzero", 101)); },
       .near_miss = [] { return connected(altered({.fpdu = {.pad = 1, .crc_xor = 1}}, 101)); },
       .near_with = {mpa_crc_mismatch}},
      {.id = mpa_crc_mismatch,
       .note = "CRC is off",
       .finding = {kToB, 10, "0x90c8c7a3", "0x90c9c7a3"},
       .raise = [] { return connected(faulty("crc-mismatch")); },
       .near_miss = [] { return connected(kNoCrc, faulty("crc-mismatch")); }},
      {.id = mpa_crc_mismatch,
       .note = "the capture lacks octets of the FPDU",
       .finding = {kToB, 10, "0x90c9c7a3", "0xc8f81feb"},
       .raise = [] { return connected(faulty("octet-changed")); },
       .near_miss = [] { return connected(gap_inside_an_fpdu); }},
      {.id = mpa_crc_mismatch,
       .note = "a damaged TCP segment, which TCP drops and sends again",
       .finding = {kToB, 10, "0x00000000", "0x90c9c7a3"},
       .raise = [] { return connected(faulty("crc-zero")); },
       .near_miss = [] { return connected(damaged_on_the_way); }},
      {.id = mpa_crc_mismatch,
       .note = "the CRC travels alone",
       .finding = {kToB, 10, "0xa3c7c990", "0x90c9c7a3"},
       .raise = [] { return connected(faulty("crc-byte-order")); },
       .near_miss =
           [] {
             return connected([](Connection& c) {
               c.packing(kOne, Packing::crc_alone);
               sends(c, 6);
             });
           }},
      {.id = mpa_crc_mismatch,
       .note = "frames cut by a snap length",
       .finding = {kToB, 10, "0xab8dcfd1", "0xff3ad23d"},
       .raise = [] { return connected(Startup{.markers = true}, faulty("octet-changed", 700)); },
       .near_miss = snapped_with_crc},
      {.id = mpa_crc_not_judged,
       .note = "one end asks for CRC",
       .finding = {kToB, 6, "0x00000000", ""},
       .raise = [] { return connected(kNoCrc, [](Connection& c) { sends(c, 3); }); },
       .near_miss = [] { return connected(Startup{.reply_crc = false}, [](Connection& c) { sends(c, 3); }); }},
      {.id = mpa_crc_not_judged,
       .note = "no CRC field was captured whole",
       .finding = {kToB, 6, "0x00000000", ""},
       .raise = [] { return connected(kNoCrc, faulty("crc-mismatch")); },
       .near_miss = snapped},
  };
}

std::vector<Scenario> framing_scenarios() {
  return {
      {.id = mpa_framing_lost,
       .note = "damage that leaves the length right",
       .finding = {kToB, 12, "", ""},
       .raise = [] { return connected(faulty("length-zero")); },
       .near_miss = [] { return connected(faulty("octet-changed")); },
       .with = {mpa_ulpdu_length_invalid},
       .near_with = {mpa_crc_mismatch}},
      {.id = mpa_framing_lost,
       .note = "the FPDU's header is missing from the capture (CA-12)",
       .finding = {kToB, 12, "", ""},
       .raise = [] { return connected(faulty("length-too-short")); },
       .near_miss =
           [] {
             return connected([](Connection& c) {
               sends(c, 3);
               c.packing(kOne, Packing::cut, {500});
               c.channel(kOne, Effect::miss);
               sends(c, 3, 1400);
             });
           },
       .with = {mpa_crc_mismatch}},
      {.id = mpa_framing_lost,
       .note = "octets are missing after the FPDU whose length is wrong",
       .finding = {kToB, 12, "", ""},
       .raise = [] { return connected(faulty("length-too-short")); },
       .near_miss =
           [] {
             return connected([](Connection& c) {
               sends(c, 3);
               c.fault(kOne, "length-too-short");
               c.send(kOne, 100);
               c.channel(kOne, Effect::miss);
               sends(c, 3);
             });
           },
       .with = {mpa_crc_mismatch},
       .near_with = {mpa_crc_mismatch}},
  };
}

std::vector<Scenario> reaction_scenarios() {
  return {
      {.id = mpa_crc_mismatch_reaction,
       .note = "a Terminate for a CRC error that is not in the capture",
       .finding = {kToB, 10, "", ""},
       .raise = [] { return connected(bad_crc_then_terminate); },
       .near_miss = [] { return connected(terminate(2)); },
       .with = {mpa_crc_mismatch}},
      {.id = mpa_crc_mismatch_reaction,
       .note = "a damaged TCP segment, which TCP drops and sends again",
       .finding = {kToB, 10, "", ""},
       .raise = [] { return connected(faulty("crc-mismatch")); },
       .near_miss = [] { return connected(damaged_on_the_way); },
       .with = {mpa_crc_mismatch}},
      {.id = mpa_reported_error_not_seen,
       .note = "the damage is in the capture, too",
       .finding = {kToA, 10, "2/0/2", ""},
       .raise = [] { return connected(terminate(2)); },
       .near_miss = [] { return connected(bad_crc_then_terminate); },
       .near_with = {mpa_crc_mismatch}},
      {.id = mpa_reported_error_not_seen,
       .note = "the damaged FPDU was not captured",
       .finding = {kToA, 10, "2/0/3", ""},
       .raise = [] { return connected(Startup{.markers = true}, terminate(3)); },
       .near_miss = [] { return connected(terminate_after_a_gap); }},
      {.id = mpa_reported_error_not_seen,
       .note = "CRC is off, so nothing is known of the octets",
       .finding = {kToA, 10, "2/0/2", ""},
       .raise = [] { return connected(terminate(2)); },
       .near_miss = [] { return connected(kNoCrc, terminate(2)); }},
      {.id = mpa_reported_error_not_seen,
       .note = "the last FPDU lacks its markers, and so is not complete",
       .finding = {kToA, 10, "2/0/2", ""},
       .raise = [] { return connected(terminate(2)); },
       .near_miss = [] { return connected(Startup{.markers = true}, marker_missing_then_terminate); }},
      {.id = mpa_reported_error_not_seen,
       .note = "another error is reported",
       .finding = {kToA, 10, "2/0/2", ""},
       .raise = [] { return connected(terminate(2)); },
       .near_miss = [] { return connected(terminate(5)); }},
      {.id = tcp_retransmission_differs,
       .note = "the same octets again",
       .finding = {kToB, 10, "0x931d", "0xf81c"},
       .raise = [] { return connected(effect(Effect::retransmit_changed)); },
       .near_miss = [] { return connected(effect(Effect::retransmit)); }},
      {.id = tcp_retransmission_differs,
       .note = "the copy with other octets has a wrong checksum",
       .finding = {kToB, 10, "0x2786", "0xc286"},
       .raise = [] { return connected(effect(Effect::retransmit_changed, 1000)); },
       .near_miss = [] { return connected(effect(Effect::corrupt)); }},
      {.id = tcp_retransmission_differs,
       .note = "a mirror's second copy",
       .finding = {kToB, 10, "0x931d", "0xf81c"},
       .raise = [] { return connected(effect(Effect::retransmit_changed)); },
       .near_miss = [] { return connected(effect(Effect::mirror_duplicate)); }},
  };
}

std::vector<Scenario> stream_end_scenarios() {
  return {
      {.id = mpa_closed_inside_fpdu,
       .note = "a reset, which may come anywhere",
       .finding = {kToB, 0, "90", "224"},
       .raise = [] { return ends_inside_fpdu([](Connection& c) { c.close(); }); },
       .near_miss = [] { return ends_inside_fpdu([](Connection& c) { c.reset(kOther); }); }},
      {.id = mpa_closed_inside_fpdu,
       .note = "the capture ends",
       .finding = {kToB, 0, "90", "224"},
       .raise = [] { return ends_inside_fpdu([](Connection& c) { c.fin(kOne); }); },
       .near_miss = [] { return ends_inside_fpdu([](Connection&) {}); }},
      {.id = mpa_closed_inside_fpdu,
       .note = "the end of the FPDU was not captured",
       .finding = {kToB, 0, "90", "224"},
       .raise = [] { return ends_inside_fpdu([](Connection& c) { c.close(kOther); }); },
       .near_miss = end_of_fpdu_not_captured},
      {.id = tcp_data_after_fin,
       .note = "octets from before the FIN, sent again",
       .finding = {kToB, 16, "393", "392"},
       .raise = [] { return after_fin([](Connection& c) { c.send(kOne, 100); }); },
       .near_miss = [] { return after_fin(last_send_again); }},
      {.id = tcp_data_after_fin,
       .note = "the other direction, which is still open",
       .finding = {kToB, 16, "393", "392"},
       .raise = [] { return after_fin([](Connection& c) { c.send(kOne, 100); }); },
       .near_miss = [] { return after_fin([](Connection& c) { sends(c, 3, 100, kOther); }); }},
      {.id = tcp_data_after_fin,
       .note = "a new connection with the same ports",
       .finding = {kToB, 16, "393", "392"},
       .raise = [] { return after_fin([](Connection& c) { c.stream(kOne, "one more thing\r\n"); }); },
       .near_miss = [] { return after_fin(ports_used_again); }},
      {.id = tcp_data_after_fin,
       .note = "a keep-alive",
       .finding = {kToB, 16, "393", "392"},
       .raise = [] { return after_fin([](Connection& c) { c.stream(kOne, "xy"); }); },
       .near_miss = [] { return after_fin([](Connection& c) { c.keep_alive(kOne, true); }); }},
  };
}

}  // namespace

std::vector<Scenario> fpdu_scenarios() {
  std::vector<Scenario> all;
  for (auto part : {octet_scenarios, framing_scenarios, reaction_scenarios, stream_end_scenarios, marker_scenarios,
                    alignment_scenarios, crc_scenarios, unframed_scenarios, ending_scenarios}) {
    for (Scenario& s : part()) all.push_back(std::move(s));
  }
  return all;
}

}  // namespace iwarpscope::test
