// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// RM-01 to RM-06, RM-34 and RM-40: what the control octet, the buffer model and the queue of an RDMA message tell.
#include "rules/message_traffic.h"

namespace iwarpscope::test {
namespace {

using enum findings::FindingId;
using synth::Alter;
using synth::Connection;
using synth::Effect;
using synth::wire::ddp_control;
using synth::wire::Opcode;
using synth::wire::rdmap_control;

Alter with_bad_crc(Alter alter) {
  alter.fpdu.crc_xor = 1;
  return alter;
}
Play on_queue(Opcode opcode, std::uint32_t qn, std::size_t octets) {
  return [=](Connection& c) { c.untagged_message(kInit, opcode, QueueNumber{qn}, 0, octets); };
}
Play with_stag(Opcode opcode, std::uint32_t qn, std::size_t octets) {
  return [=](Connection& c) { c.untagged_message(kInit, opcode, QueueNumber{qn}, 0x1234, octets); };
}
Play as_tagged(Opcode opcode) {
  return
      [=](Connection& c) { c.tagged(kInit, {.rdmap_control = rdmap_control(opcode), .stag = kStag, .to = kTo}, 60); };
}
void all_kinds(Connection& c) {
  c.send_invalidate(kInit, STag{1}, 3000);
  c.send_se_invalidate(kInit, STag{0xFFFFFFFF});
  c.send_se(kInit, 10);
  c.write(kInit, STag{0}, TaggedOffset{0}, 3000);
  c.immediate(kInit, 7);
  c.immediate(kInit, 7, true);
  c.read(kInit, {.size = 3000});
  c.atomic(kInit, {.data = 7});
  c.terminate_last(kResp, 0, 2, 9);
}

std::vector<Scenario> control_scenarios() {
  return {
      {rdmap_version_wrong,
       "version 0 after a startup of revision 0",
       {kToB, 8, "0", "1"},
       whole(faulty("rdmap-version-0", send_100)),
       whole(
           [](Connection& c) {
             c.send(kInit, 3000);
             c.write(kInit, kStag, kTo, 3000);
             c.read(kInit, {.size = 3000});
           },
           kRdmac)},
      {rdmap_version_wrong,
       "every kind of message in version 1",
       {kToB, 8, "2", "1"},
       whole(faulty("rdmap-version-2", write_100)),
       whole(all_kinds)},
      {rdmap_version_wrong,
       "damaged",
       {kToB, 8, "3", "1"},
       whole(altered({.rdmap_version = 3}, send_100)),
       whole(altered(with_bad_crc({.rdmap_version = 3}), send_100)),
       {},
       {mpa_crc_mismatch}},
      {rdmap_version_wrong,
       "mid-stream, DDP and RDMAP of one version",
       {kToB, 7, "0", "1"},
       midstream([](Connection& c) {
         for (int i = 0; i < 4; ++i) c.send(kInit, 300);
         c.alter(kInit, {.rdmap_version = 0});
         c.send(kInit, 300);
       }),
       midstream([](Connection& c) {
         c.use_markers(kInit, true);
         c.use_version(0);
         for (int i = 0; i < 8; ++i) c.send(kInit, 300);
       })},
      {rdmap_version_wrong,
       "only the Initiator's side was captured: the Reply may have settled version 0",
       {kToB, 8, "1", "0"},
       whole(altered({.rdmap_version = 1}, send_100), kRdmac),
       one_side(kInit, write_100, kRdmac)},

      {rdmap_reserved_bits,
       "reserved bits of the DDP control octet",
       {kToB, 8, "2", "0"},
       whole(faulty("rdmap-reserved", send_100)),
       whole(faulty("ddp-reserved", send_100))},
      {rdmap_reserved_bits,
       "damaged",
       {kToB, 8, "3", "0"},
       whole(altered({.rdmap_reserved = 3}, write_100)),
       whole(altered(with_bad_crc({.rdmap_reserved = 3}), write_100)),
       {},
       {mpa_crc_mismatch}},

      {rdmap_opcode_unassigned,
       "the experimental opcode",
       {kToB, 8, "13", "0 to 11"},
       whole(faulty("opcode-unassigned", send_100)),
       whole(faulty("opcode-experimental", send_100))},
      {rdmap_opcode_unassigned,
       "the highest that is assigned",
       {kToB, 8, "12", "0 to 11"},
       whole(altered({.opcode = 12}, write_100)),
       whole([](Connection& c) { c.atomic(kInit, {.data = 7}); })},
      {rdmap_opcode_unassigned,
       "damaged",
       {kToB, 8, "14", "0 to 11"},
       whole(altered({.opcode = 14}, [](Connection& c) { c.send(kInit, 4000); }), {}),
       whole(altered(with_bad_crc({.opcode = 14}), send_100)),
       {ddp_rsvdulp_changed},
       {mpa_crc_mismatch}},
      {rdmap_opcode_experimental,
       "an unassigned opcode",
       {kToB, 8, "15", "0 to 11"},
       whole(faulty("opcode-experimental", send_100)),
       whole(faulty("opcode-unassigned", send_100)),
       {},
       {rdmap_opcode_unassigned}},
      {rdmap_opcode_experimental,
       "every kind of message",
       {kToB, 8, "15", "0 to 11"},
       whole(as_tagged(static_cast<Opcode>(15))),
       whole(all_kinds)},
  };
}

std::vector<Scenario> model_scenarios() {
  const auto untagged_response = [](Connection& c) {
    c.read_request(kInit, {.size = 60});
    c.untagged_message(kResp, Opcode::rdma_read_response, QueueNumber{0}, 0, 60);
  };
  return {
      {rdmap_buffer_model_wrong,
       "an RDMA Write, tagged",
       {kToB, 8, "untagged", "tagged"},
       whole(on_queue(Opcode::rdma_write, 0, 60)),
       whole(write_100)},
      {rdmap_buffer_model_wrong,
       "a Read Response, tagged",
       {kToA, 9, "untagged", "tagged"},
       whole(untagged_response),
       whole([](Connection& c) { c.read(kInit, {.size = 60}); })},
      {rdmap_buffer_model_wrong,
       "every kind of message in its own model",
       {kToB, 8, "tagged", "untagged"},
       whole(as_tagged(Opcode::send)),
       whole(all_kinds)},
      {rdmap_buffer_model_wrong,
       "an opcode whose model is unknown",
       {kToB, 8, "tagged", "untagged"},
       whole(as_tagged(Opcode::rdma_read_request)),
       whole(as_tagged(static_cast<Opcode>(13))),
       {},
       {rdmap_opcode_unassigned}},
      {rdmap_buffer_model_wrong,
       "damaged",
       {kToB, 8, "tagged", "untagged"},
       whole(as_tagged(Opcode::atomic_response)),
       whole(altered(with_bad_crc({}), as_tagged(Opcode::atomic_request))),
       {},
       {mpa_crc_mismatch}},
      {rdmap_buffer_model_wrong,
       "a Terminate on its queue",
       {kToB, 8, "tagged", "untagged"},
       whole(as_tagged(Opcode::terminate)),
       whole([](Connection& c) { c.terminate_last(kInit, 0, 0, 0); })},

      {rdmap_queue_wrong,
       "a queue that does not exist (DD-05)",
       {kToB, 8, "1", "0"},
       whole(on_queue(Opcode::send, 1, 60)),
       whole(on_queue(Opcode::send, 4, 60)),
       {},
       {ddp_queue_unknown}},
      {rdmap_queue_wrong,
       "every kind of message on its queue",
       {kToB, 8, "0", "1"},
       whole(on_queue(Opcode::rdma_read_request, 0, 28)),
       whole(all_kinds)},
      {rdmap_queue_wrong,
       "a queue of the first draft (AT-17)",
       {kToB, 8, "1", "0"},
       whole(on_queue(Opcode::immediate, 1, 8)),
       whole(on_queue(Opcode::immediate_se, 1, 8)),
       {},
       {rdmap_extension_draft_queue}},
      {rdmap_queue_wrong,
       "a Send with Invalidate on queue 0",
       {kToB, 8, "0", "1"},
       whole([](Connection& c) {
         c.untagged_message(kInit, Opcode::atomic_request, QueueNumber{0}, 0,
                            synth::wire::write(synth::wire::AtomicRequest{.request_id = 9, .data = 1}));
       }),
       whole([](Connection& c) { c.send_se_invalidate(kInit, kStag, 100); })},
      {rdmap_queue_wrong,
       "the Terminate of a queue pair without traffic",
       {kToA, 8, "0", "2"},
       whole([](Connection& c) {
         c.untagged_message(kResp, Opcode::terminate, QueueNumber{0}, 0, synth::wire::write(synth::wire::Terminate{}));
       }),
       bare([](Connection& c) {
         c.terminate(kInit, {});
         c.close();
       })},
      {rdmap_queue_wrong,
       "an opcode whose queue is unknown",
       {kToB, 8, "3", "0"},
       whole(on_queue(Opcode::send_invalidate, 3, 60)),
       whole(on_queue(static_cast<Opcode>(13), 2, 60)),
       {},
       {rdmap_opcode_unassigned}},
  };
}

std::vector<Scenario> invalidate_scenarios() {
  return {
      {rdmap_invalidate_stag_not_zero,
       "a Send with Invalidate",
       {kToB, 8, "0x00001234", "0x00000000"},
       whole(faulty("invalidate-stag-set", send_100)),
       whole([](Connection& c) { c.send_invalidate(kInit, STag{0x1234}, 100); })},
      {rdmap_invalidate_stag_not_zero,
       "a Send with Solicited Event and Invalidate",
       {kToB, 8, "0x00001234", "0x00000000"},
       whole(with_stag(Opcode::send_se, 0, 60)),
       whole([](Connection& c) { c.send_se_invalidate(kInit, STag{0x1234}, 4000); })},
      {rdmap_invalidate_stag_not_zero,
       "an RDMA Write, which has no such field",
       {kToB, 8, "0x00001234", "0x00000000"},
       whole([](Connection& c) {
         c.alter(kInit, {.invalidate_stag = 0x1234});
         c.read(kInit, {.size = 100});
       }),
       whole([](Connection& c) { c.write(kInit, STag{0x1234}, kTo, 4000); })},
      {rdmap_invalidate_stag_not_zero,
       "an opcode for which the meaning of the field is unknown",
       {kToB, 8, "0x00001234", "0x00000000"},
       whole(with_stag(Opcode::immediate, 0, 8)),
       whole(with_stag(static_cast<Opcode>(13), 0, 8)),
       {},
       {rdmap_opcode_unassigned}},
      {rdmap_invalidate_stag_not_zero,
       "damaged",
       {kToB, 8, "0x00000001", "0x00000000"},
       whole([](Connection& c) {
         c.alter(kInit, {.invalidate_stag = 1});
         c.terminate_last(kInit, 0, 0, 0);
       }),
       whole(altered(with_bad_crc({.invalidate_stag = 1}), send_100)),
       {},
       {mpa_crc_mismatch}},

      {rdmap_invalidate_stag_zero,
       "the smallest STag that is not 0",
       {kToB, 8, "0x00000000", ""},
       whole([](Connection& c) { c.send_invalidate(kInit, STag{0}, 100); }),
       whole([](Connection& c) { c.send_invalidate(kInit, STag{1}, 100); })},
      {rdmap_invalidate_stag_zero,
       "a Send that invalidates nothing",
       {kToB, 8, "0x00000000", ""},
       whole([](Connection& c) { c.send_se_invalidate(kInit, STag{0}); }),
       whole(send_100)},
      {rdmap_invalidate_stag_zero,
       "damaged",
       {kToB, 8, "0x00000000", ""},
       whole([](Connection& c) { c.send_invalidate(kInit, STag{0}, 4000); }),
       whole([](Connection& c) {
         c.alter(kInit, with_bad_crc({.invalidate_stag = 0}));
         c.send_invalidate(kInit, kStag, 100);
       }),
       {},
       {mpa_crc_mismatch}},
  };
}

std::vector<Scenario> foreign_scenarios() {
  const std::string line = "HTTP/1.1 200 OK\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n";
  std::string text;
  while (text.size() < 160'000) text += line;
  const synth::Startup no_crc{.crc = false};
  const Play say = [=](Connection& c) { c.raw_octets(kInit, synth::text(text)); };
  return {
      {rdmap_not_rdma,
       "the octets before are not in the capture",
       {kToB, 0, "", ""},
       whole(say),
       whole([=](Connection& c) {
         c.capture(false);
         c.send(kInit, 100);
         c.capture(true);
         say(c);
       }),
       {mpa_crc_mismatch},
       {}},
      {rdmap_not_rdma,
       "after a rejection the connection belongs to the applications",
       {kToB, 0, "", ""},
       whole(say),
       bare(
           [=](Connection& c) {
             c.stream(kInit, synth::text(text));
             c.stream(kResp, synth::text(text));
             c.close();
           },
           {.reject = true}),
       {mpa_crc_mismatch}},
      {rdmap_not_rdma,
       "one damaged FPDU among others",
       {kToB, 0, "", ""},
       whole(say),
       whole([](Connection& c) {
         c.alter(kInit, with_bad_crc({}));
         c.send(kInit, 100);
         for (int i = 0; i < 8; ++i) c.send(kInit, 3000);
       }),
       {mpa_crc_mismatch},
       {mpa_crc_mismatch}},
      {rdmap_not_rdma,
       "without CRC the wrong part is unknown: the octets or the length before them (MF-01)",
       {kToB, 0, "", ""},
       whole(say),
       whole(say, no_crc),
       {mpa_crc_mismatch},
       {mpa_ulpdu_length_invalid}},
      {rdmap_not_rdma,
       "a length that is 4 too large, and Sends too few to find the boundary by",
       {kToB, 0, "", ""},
       whole(say),
       whole(
           [](Connection& c) {
             c.alter(kInit, {.fpdu = {.length = 64 + 18 + 4}});
             for (int i = 0; i < 3; ++i) c.send(kInit, 64);
           },
           no_crc),
       {mpa_crc_mismatch},
       {mpa_ulpdu_length_invalid}},
      {rdmap_not_rdma,
       "after a damaged FPDU with other FPDUs between",
       {kToB, 0, "", ""},
       whole(say),
       whole([=](Connection& c) {
         c.alter(kInit, with_bad_crc({}));
         c.send(kInit, 100);
         c.send(kInit, 100);
         say(c);
       }),
       {mpa_crc_mismatch},
       {mpa_crc_mismatch}},
      {rdmap_not_rdma,
       "a damaged length that swallows all that follows, until FPDUs are found again",
       {kToB, 0, "", ""},
       whole(say),
       whole([](Connection& c) {
         c.alter(kInit, {.fpdu = {.length = 60'000}});
         for (int i = 0; i < 40; ++i) c.send(kInit, 3000);
       }),
       {mpa_crc_mismatch},
       {mpa_crc_mismatch}},
  };
}

}  // namespace

std::vector<Scenario> rdmap_scenarios() {
  return joined({control_scenarios(), model_scenarios(), invalidate_scenarios(), foreign_scenarios(),
                 rdmap_read_scenarios(), rdmap_terminate_scenarios()});
}

}  // namespace iwarpscope::test
