// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// DD-01 to DD-10: what the header of a DDP segment shows, and the numbers of messages.
#include "rules/message_traffic.h"

namespace iwarpscope::test {
namespace {

using enum findings::FindingId;
using synth::Alter;
using synth::Connection;
using synth::Effect;
using synth::Packing;
using synth::Rtr;
using synth::wire::EnhancedData;
using synth::wire::Opcode;

const Alter kVersion0{.ddp_version = 0, .rdmap_version = 0};

void send_parts(Connection& c) {
  c.send(kInit, 3000);
}
void write_parts(Connection& c) {
  c.write(kInit, kStag, kTo, 4000);
}
// Without them no stream of version 0 is recognised mid-stream. Source: RFC 5044 App. C.
void use_markers(Connection& c) {
  c.use_markers(kInit, true);
  c.use_markers(kResp, true);
}
void sends_both_ways(Connection& c) {
  for (int i = 0; i < 4; ++i) {
    c.send(kInit, 200);
    c.send(kResp, 200);
  }
}

Alter damaged(Alter alter) {
  alter.fpdu.crc_xor = 0x00010000;
  return alter;
}

// The TCP segment of the next message is received and not captured.
Play unseen(Play message) {
  return [=](Connection& c) {
    c.capture(false);
    message(c);
    c.capture(true);
  };
}

Play in_turn(std::vector<Play> plays) {
  return [=](Connection& c) {
    for (const Play& play : plays) play(c);
  };
}

MakeTraffic whole_peer_to_peer(Play play, Rtr rtr) {
  const EnhancedData all{
      .peer_to_peer = true, .rtr_send = true, .rtr_write = true, .rtr_read = true, .ird = 16, .ord = 16};
  return bare(
      [=](Connection& c) {
        play(c);
        c.close();
      },
      {.request_enhanced = all, .reply_enhanced = all, .rtr = rtr});
}

std::vector<Scenario> ddp_header_scenarios() {
  return {
      {ddp_header_short,
       "the smallest untagged DDP segment",
       {kToB, 8, "10", "18"},
       whole(faulty("header-short", send_100)),
       whole([](Connection& c) { c.send(kInit); })},
      {ddp_header_short,
       "the smallest tagged DDP segment",
       {kToB, 8, "13", "14"},
       whole(altered({.ulpdu_octets = 13}, write_100)),
       whole([](Connection& c) { c.write(kInit, STag{0}, TaggedOffset{0}); })},
      {ddp_header_short,
       "one octet more",
       {kToB, 8, "17", "18"},
       whole(altered({.ulpdu_octets = 17}, send_100)),
       whole(altered({.ulpdu_octets = 18}, send_100))},
      {ddp_header_short,
       "it may be the damage that makes it short",
       {kToB, 8, "1", "18"},
       whole(altered({.ulpdu_octets = 1}, send_100)),
       whole(altered(damaged({.ulpdu_octets = 10}), send_100)),
       {},
       {mpa_crc_mismatch}},
      {ddp_header_short,
       "the capture cut the frames inside the DDP header",
       {kToB, 8, "10", "18"},
       whole(faulty("header-short", send_100)),
       whole(in_turn({send_100, write_100, send_parts}), {}, {.path = {.snap_length = 14 + 20 + 32 + 2 + 10}})},

      {ddp_version_changed,
       "version 0 from the start, both ways",
       {kToB, 9, "0", "1"},
       midstream([](Connection& c) {
         sends_both_ways(c);
         c.alter(kInit, kVersion0);
         c.send(kInit, 100);
         c.send(kInit, 100);
       }),
       midstream([](Connection& c) {
         use_markers(c);
         c.use_version(0);
         sends_both_ways(c);
       })},
      {ddp_version_changed,
       "where the startup was seen it settles the version, and DD-03 speaks",
       {kToA, 7, "0", "1"},
       midstream([](Connection& c) {
         use_markers(c);
         c.send(kInit, 2000);
         c.send(kInit, 2000);
         c.use_version(0);
         c.send(kResp, 2000);
         c.send(kResp, 2000);
       }),
       whole([](Connection& c) {
         c.use_version(0);
         sends_both_ways(c);
       }),
       {},
       {ddp_version_wrong, rdmap_version_wrong}},
      {ddp_version_changed,
       "a new connection on the same ports",
       {kToA, 9, "0", "1"},
       midstream([](Connection& c) {
         sends_both_ways(c);
         c.use_version(0);
         c.send(kResp, 200);
       }),
       [] {
         Connection c;
         c.connect();
         c.startup({.revision = 0, .markers = true});
         sends_both_ways(c);
         c.close();
         c.reuse_ports();
         c.use_version(1);
         c.connect();
         c.startup();
         sends_both_ways(c);
         c.close();
         return Traffic{.frames = c.frames()};
       }},

      {ddp_version_wrong,
       "version 0 after a startup of revision 0",
       {kToB, 8, "0", "1"},
       whole(faulty("ddp-version-0", send_100)),
       whole(sends_both_ways, {.revision = 0, .markers = true})},
      {ddp_version_wrong,
       "reserved bits beside it",
       {kToB, 8, "2", "1"},
       whole(faulty("ddp-version-2", write_100)),
       whole(altered({.ddp_reserved = 15}, write_100))},
      {ddp_version_wrong,
       "the octet is damaged",
       {kToB, 8, "3", "1"},
       whole(altered({.ddp_version = 3}, send_100)),
       whole(altered(damaged({.ddp_version = 3}), send_100)),
       {},
       {mpa_crc_mismatch}},
      {ddp_version_wrong,
       "version 0, and the Reply that may have settled it was not captured",
       {kToB, 8, "1", "0"},
       whole(
           [](Connection& c) {
             c.use_version(1);
             c.send(kInit, 100);
           },
           {.revision = 0, .markers = true}),
       one_side(kInit, sends_both_ways, {.revision = 0, .markers = true}),
       {rdmap_version_wrong}},
      {ddp_version_wrong,
       "a permissive Initiator's request of revision 1, and only its side was captured",
       {kToB, 8, "0", "1"},
       whole(altered({.ddp_version = 0}, write_100)),
       [] {
         Connection c;
         c.capture_only(kInit);
         c.connect();
         c.startup({.markers = true}, {.kind = synth::wire::StartupFrame::Kind::reply, .markers = true, .revision = 0});
         sends_both_ways(c);
         c.close();
         return Traffic{.frames = c.frames()};
       }},

      {ddp_reserved_bits,
       "reserved bits of the RDMAP control octet",
       {kToB, 8, "5", "0"},
       whole(faulty("ddp-reserved", send_100)),
       whole(faulty("rdmap-reserved", send_100))},
      {ddp_reserved_bits,
       "all other bits of a tagged DDP segment",
       {kToB, 8, "8", "0"},
       whole(altered({.ddp_reserved = 8}, write_100)),
       whole(write_parts)},
      {ddp_reserved_bits,
       "the octet is damaged",
       {kToB, 8, "1", "0"},
       whole(altered({.ddp_reserved = 1}, send_100)),
       whole(altered(damaged({.ddp_reserved = 1}), send_100)),
       {},
       {mpa_crc_mismatch}},

      {ddp_queue_unknown,
       "queue 3, of Atomic Responses",
       {kToB, 8, "9", "0 to 3"},
       whole(faulty("qn-unassigned", send_100)),
       whole([](Connection& c) { c.atomic(kInit, {.data = 1}); })},
      {ddp_queue_unknown,
       "a queue that is assigned, though not to Sends",
       {kToB, 8, "4", "0 to 3"},
       whole([](Connection& c) { c.untagged_message(kInit, Opcode::send, QueueNumber{4}, 0, 10); }),
       whole([](Connection& c) { c.untagged_message(kInit, Opcode::send, kAtomicResponses, 0, 10); }),
       {},
       {rdmap_queue_wrong}},
      {ddp_queue_unknown,
       "the octets are damaged",
       {kToB, 8, "4294967295", "0 to 3"},
       whole([](Connection& c) { c.untagged_message(kInit, Opcode::send, QueueNumber{0xFFFFFFFF}, 0, 4000); }),
       whole(altered(damaged({.qn = 9}), send_100)),
       {},
       {mpa_crc_mismatch}},
  };
}

std::vector<Scenario> number_scenarios() {
  const auto begin_with = [](std::uint32_t msn, Play message, QueueNumber qn = {}) {
    return [=](Connection& c) {
      c.set_msn(kInit, qn, MessageSequence{msn});
      message(c);
    };
  };
  const Play read = [](Connection& c) { c.read(kInit, {.size = 100}); };
  const Play terminate = [](Connection& c) { c.terminate_last(kInit, 1, 1, 0); };
  return {
      {ddp_first_msn_wrong,
       "the RTR took number 1",
       {kToB, 6, "2", "1"},
       bare(begin_with(2, send_100)),
       whole_peer_to_peer([](Connection& c) { c.send(kInit, 100); }, Rtr::send)},
      {ddp_first_msn_wrong,
       "the capture was joined later",
       {kToB, 6, "0", "1"},
       bare(begin_with(0, send_100)),
       midstream(sends_both_ways)},
      {ddp_first_msn_wrong,
       "a Read Request is the first on queue 1 though others went before on queue 0",
       {kToB, 8, "5", "1"},
       whole(begin_with(5, read, kRequests)),
       whole(in_turn({send_100, read, read}))},
      {ddp_first_msn_wrong,
       "the first message was not captured",
       {kToB, 6, "2147483648", "1"},
       bare(begin_with(0x80000000, send_100)),
       bare(in_turn({unseen(send_100), send_100, [](Connection& c) { c.acknowledge(kResp); }}))},
      {ddp_first_msn_wrong,
       "a first Terminate with another number is malformed (RM-18)",
       {kToB, 8, "2", "1"},
       whole(begin_with(
           2, [](Connection& c) { c.atomic(kInit, {.data = 1}); }, kRequests)),
       whole(begin_with(2, terminate, kTerminates)),
       {},
       {rdmap_terminate_malformed}},

      {ddp_msn_out_of_sequence,
       "0xFFFFFFFF is followed by 0",
       {kToB, 8, "3", "2"},
       whole(faulty("msn-skipped", send_100)),
       midstream([](Connection& c) {
         c.set_msn(kInit, {}, MessageSequence{0xFFFFFFFE});
         for (int i = 0; i < 5; ++i) c.send(kInit, 100);
       })},
      {ddp_msn_out_of_sequence,
       "a message of the queue is not in the capture",
       {kToB, 8, "1", "2"},
       whole(in_turn({faulty("msn-repeated", send_100), send_100})),
       whole(in_turn({unseen(send_100), send_100, send_100}))},
      {ddp_msn_out_of_sequence,
       "sent again by TCP",
       {kToB, 9, "2", "3"},
       whole(altered({.repeats = 1}, send_100)),
       whole([](Connection& c) {
         c.channel(kInit, Effect::retransmit, {.delay = 0});
         c.send(kInit, 100);
         c.send(kInit, 100);
       })},
      {ddp_msn_out_of_sequence,
       "0 after a start at 1 is no wrap",
       {kToB, 8, "0", "2"},
       whole(faulty("msn-zero", send_100)),
       whole(in_turn({send_100, send_100}))},
      {ddp_msn_out_of_sequence,
       "Immediate Data and Sends share queue 0",
       {kToB, 9, "2", "3"},
       whole([](Connection& c) {
         c.immediate(kInit, 7);
         c.set_msn(kInit, {}, MessageSequence{2});  // as if Immediate Data had not been counted
         c.send(kInit, 10);
       }),
       whole([](Connection& c) {
         c.immediate(kInit, 7);
         c.send(kInit, 10);
         c.immediate(kInit, 8, true);
         c.send_se(kInit, 10);
       })},
      {ddp_msn_out_of_sequence,
       "reads and atomics share queue 1",
       {kToB, 10, "1", "2"},
       whole([](Connection& c) {
         c.read(kInit, {.size = 10});
         c.set_msn(kInit, kRequests, MessageSequence{1});
         c.read(kInit, {.size = 10});
       }),
       whole([](Connection& c) {
         c.read(kInit, {.size = 10});
         c.atomic(kInit, {.data = 1});
         c.read(kInit, {.size = 10});
       })},
      {ddp_msn_out_of_sequence,
       "the DDP segment with the other number is damaged",
       {kToB, 8, "3", "2"},
       whole(in_turn({faulty("msn-skipped", send_100), send_100})),
       whole(in_turn({altered(damaged({.msn_delta = 1}), send_100), send_100})),
       {},
       {mpa_crc_mismatch}},

      {ddp_message_changed,
       "the end of one message and the start of the next are not in the capture",
       {kToB, 9, "QN 0 MSN 3", "QN 0 MSN 2"},
       whole([](Connection& c) {
         c.alter(kInit, {.msn_delta = 1}, 1);
         c.send(kInit, 2500);
       }),
       whole([](Connection& c) {
         c.channel(kInit, Effect::miss, {.skip = 2});
         c.channel(kInit, Effect::miss, {.skip = 3});
         c.send(kInit, 4000);
         c.send(kInit, 4000);
         c.send(kInit, 10);
       })},
      {ddp_message_changed,
       "two messages of two DDP segments, whole",
       {kToB, 9, "QN 1 MSN 2", "QN 0 MSN 2"},
       whole([](Connection& c) {
         c.alter(kInit, {.qn = 1}, 1);
         c.send(kInit, 2500);
       }),
       whole(in_turn({send_parts, send_parts}))},

      {ddp_rsvdulp_changed,
       "two messages with different opcodes",
       {kToB, 9, "0x45/0x00000000", "0x43/0x00000000"},
       whole([](Connection& c) {
         c.alter(kInit, {.opcode = 5}, 1);
         c.send(kInit, 3000);
       }),
       whole([](Connection& c) {
         c.send(kInit, 3000);
         c.send_se(kInit, 3000);
       })},
      {ddp_rsvdulp_changed,
       "two messages that invalidate different STags",
       {kToB, 9, "0x44/0x00001234", "0x44/0x00012301"},
       whole([](Connection& c) {
         c.alter(kInit, {.invalidate_stag = 0x1234}, 1);
         c.send_invalidate(kInit, kStag, 3000);
       }),
       whole([](Connection& c) {
         c.send_invalidate(kInit, kStag, 3000);
         c.send_invalidate(kInit, STag{0x1234}, 3000);
       })},
      {ddp_rsvdulp_changed,
       "an RDMA Write of which a DDP segment is damaged",
       {kToB, 9, "0x50/0x00000000", "0x40/0x00000000"},
       whole([](Connection& c) {
         c.alter(kInit, {.rdmap_reserved = 1}, 1);
         c.write(kInit, kStag, kTo, 4000);
       }),
       whole([](Connection& c) {
         c.alter(kInit, damaged({.rdmap_reserved = 1}), 1);
         c.write(kInit, kStag, kTo, 4000);
       }),
       {},
       {mpa_crc_mismatch}},

      {ddp_offset_decreases,
       "MO 100, 0, 200: all octets are there",
       {kToB, 9, "0", "200"},
       whole([](Connection& c) {
         send_part(c, 2, 100, false);
         send_part(c, 2, 0, false);
         send_part(c, 2, 200, true);
       }),
       whole([](Connection& c) {
         send_part(c, 2, 0, false);
         send_part(c, 2, 100, false);
         send_part(c, 2, 200, true);
       })},
      {ddp_first_mo_not_zero,
       "the octets before it come next",
       {},
       whole([](Connection& c) {
         send_part(c, 2, 100, false);
         send_part(c, 2, 200, true);
       }),
       whole([](Connection& c) {
         send_part(c, 2, 200, false);
         send_part(c, 2, 100, false);
         send_part(c, 2, 0, false);
         send_part(c, 2, 300, true);
       })},
      {ddp_first_mo_not_zero,
       "the DDP segment before it is not in the capture",
       {kToB, 8, "100", "0"},
       whole(altered({.mo = 100}, send_100)),
       whole([](Connection& c) {
         c.channel(kInit, Effect::miss);
         c.send(kInit, 3000);
         c.send(kInit, 10);
       })},
      {ddp_first_mo_not_zero,
       "the capture begins inside a message",
       {kToB, 8, "1424", "0"},
       whole(faulty("ddp-segment-omitted", send_parts)),
       midstream([](Connection& c) {
         c.capture(false);
         c.untagged(kInit, {.control = synth::wire::ddp_control(false, false), .msn = MessageSequence{9}}, 1400);
         c.capture(true);
         send_part(c, 9, 1400, false, 1400);
         send_part(c, 9, 2800, true, 1400);
         send_part(c, 10, 0, true, 1400);
       })},
  };
}

}  // namespace

std::vector<Scenario> ddp_scenarios() {
  return joined({ddp_header_scenarios(), number_scenarios(), ddp_message_scenarios()});
}

}  // namespace iwarpscope::test
