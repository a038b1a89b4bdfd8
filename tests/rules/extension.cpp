// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// AT: Atomic Operations and Immediate Data.
#include "rules/message_traffic.h"

namespace iwarpscope::test {
namespace {

using enum findings::FindingId;
using synth::Alter;
using synth::Buffer;
using synth::Connection;
using synth::Effect;
using synth::wire::AtomicOperation;
using synth::wire::AtomicRequest;
using synth::wire::AtomicResponse;
using synth::wire::Opcode;

Play atomic(AtomicRequest request = {.data = 1}) {
  return [=](Connection& c) { c.atomic(kInit, request); };
}
Play atomic_altered(Alter alter) {
  return [=](Connection& c) {
    c.alter(kInit, alter);
    c.atomic(kInit, {.data = 1});
  };
}
// Requests 1 to `requests`, to words of their own, and what the Responder makes of them.
Play requested(unsigned requests, Play answer) {
  return [=](Connection& c) {
    for (unsigned i = 0; i < requests; ++i) c.atomic_request(kInit, {.remote_to = TaggedOffset{i * 64}, .data = 1});
    c.acknowledge(kResp);
    answer(c);
  };
}
void answer(Connection& c, std::uint32_t id, Opcode opcode = Opcode::atomic_response,
            QueueNumber qn = kAtomicResponses) {
  c.untagged_message(kResp, opcode, qn, 0, synth::wire::write(AtomicResponse{id, 0}));
}
Play atomic_answered(std::uint32_t id) {
  return requested(1, [=](Connection& c) { answer(c, id); });
}
Play response_of(std::size_t octets) {
  return requested(1, [=](Connection& c) {
    Buffer header = synth::wire::write(AtomicResponse{1, 0});
    header.resize(octets);
    c.untagged_message(kResp, Opcode::atomic_response, kAtomicResponses, 0, header);
  });
}
Play immediate_of(std::size_t octets, Opcode opcode = Opcode::immediate) {
  return [=](Connection& c) { c.untagged_message(kInit, opcode, QueueNumber{0}, 0, octets); };
}
Play operation(unsigned code) {
  return [=](Connection& c) {
    c.atomic_request(kInit, {.operation = static_cast<AtomicOperation>(code)});
    c.terminate_last(kResp, 0, 2, 6);
  };
}

std::vector<Scenario> size_scenarios() {
  const Play immediate = [](Connection& c) {
    c.immediate(kInit, 7);
    c.immediate(kResp, ~std::uint64_t{0}, true);
  };
  return {
      {rdmap_atomic_request_size,
       "of 52 octets",
       {kToB, 8, "56 octets", "52 octets"},
       whole(atomic_altered({.ulpdu_octets = 18 + 56})),
       whole(atomic())},
      {rdmap_atomic_request_size,
       "the capture cut the frames inside the header",
       {kToB, 8, "48 octets", "52 octets"},
       whole(atomic_altered({.ulpdu_octets = 18 + 48})),
       whole(atomic(), {}, {.path = {.snap_length = 14 + 20 + 32 + 2 + 18 + 20}})},
      {rdmap_atomic_request_size,
       "in two DDP segments of which the first is not in the capture",
       {kToB, 8, "42 octets, more follow", "52 octets"},
       whole([](Connection& c) {
         c.limit_mulpdu(kInit, 60);
         c.atomic(kInit, {.data = 1});
       }),
       whole([](Connection& c) {
         c.limit_mulpdu(kInit, 60);
         c.channel(kInit, Effect::miss);
         c.atomic(kInit, {.data = 1});
       })},
      {rdmap_atomic_request_size,
       "damaged",
       {kToB, 8, "52 octets, more follow", "52 octets"},
       whole(atomic_altered({.last = false})),
       whole(atomic_altered({.ulpdu_octets = 18 + 56, .fpdu = {.crc_xor = 1}})),
       {},
       {mpa_crc_mismatch}},

      {rdmap_atomic_response_size,
       "of 12 octets",
       {kToA, 10, "32 octets", "12 octets"},
       whole(response_of(32)),
       whole(atomic())},
      {rdmap_atomic_response_size,
       "its request was not captured",
       {kToA, 10, "16 octets", "12 octets"},
       whole(response_of(16)),
       one_side(kResp, atomic())},
      {rdmap_atomic_response_size,
       "frames are cut by the snap length",
       {kToA, 10, "8 octets", "12 octets"},
       whole(response_of(8)),
       whole(atomic(), {}, {.path = {.snap_length = 14 + 20 + 32 + 2 + 18 + 4}})},

      {rdmap_immediate_size,
       "of 8 octets",
       {kToB, 8, "4 octets", "8 octets"},
       whole(immediate_of(4)),
       whole(immediate)},
      {rdmap_immediate_size,
       "a Send with Solicited Event of 9 octets",
       {kToB, 8, "9 octets", "8 octets"},
       whole(immediate_of(9, Opcode::immediate_se)),
       whole([](Connection& c) { c.send_se(kInit, 9); })},
      {rdmap_immediate_size,
       "damaged",
       {kToB, 8, "0 octets", "8 octets"},
       whole(immediate_of(0)),
       whole([](Connection& c) {
         c.alter(kInit, {.ulpdu_octets = 18 + 4, .fpdu = {.crc_xor = 1}});
         c.immediate(kInit, 7);
       }),
       {},
       {mpa_crc_mismatch}},
  };
}

std::vector<Scenario> atomic_request_scenarios() {
  return {
      {rdmap_atomic_operation_unknown, "FetchAdd", {kToB, 8, "1", "0 or 2"}, whole(operation(1)), whole(operation(0))},
      {rdmap_atomic_operation_unknown, "CmpSwap", {kToB, 8, "3", "0 or 2"}, whole(operation(3)), whole(operation(2))},
      {rdmap_atomic_operation_unknown,
       "a request of the wrong size, which cannot be read",
       {kToB, 8, "15", "0 or 2"},
       whole(operation(15)),
       whole([](Connection& c) {
         c.alter(kInit, {.ulpdu_octets = 18 + 50});
         operation(1)(c);
       }),
       {},
       {rdmap_atomic_request_size}},

      {rdmap_atomic_reserved_bits,
       "all other bits",
       {kToB, 8, "0x0000001", "0"},
       whole(atomic({.reserved = 1, .data = 1})),
       whole(atomic({.operation = AtomicOperation::cmp_swap,
                     .request_id = 0xFFFFFFFF,
                     .data = ~std::uint64_t{0},
                     .mask = ~std::uint64_t{0},
                     .compare = ~std::uint64_t{0}}))},
      {rdmap_atomic_reserved_bits,
       "the highest of them",
       {kToB, 8, "0x8000000", "0"},
       whole(atomic({.reserved = 0x08000000, .data = 1})),
       whole(atomic())},

      {rdmap_atomic_fetchadd_compare,
       "a CmpSwap",
       {kToB, 8, "0x0000000000000001/0xffffffffffffffff", "0x0000000000000000/0xffffffffffffffff"},
       whole(atomic({.data = 1, .compare = 1})),
       whole(atomic({.operation = AtomicOperation::cmp_swap, .data = 1, .compare = 1, .compare_mask = 0xFF}))},
      {rdmap_atomic_fetchadd_compare,
       "a FetchAdd on four fields of 16 bits",
       {kToB, 8, "0x0000000000000000/0x0000000000000000", "0x0000000000000000/0xffffffffffffffff"},
       whole(atomic({.data = 1, .compare_mask = 0})),
       whole(atomic({.data = 1, .mask = 0x8000800080008000}))},

      {rdmap_atomic_misaligned,
       "a multiple of 8 that is none of 16",
       {kToB, 8, "0x0000000000001004", ""},
       whole(atomic({.remote_to = TaggedOffset{0x1004}, .data = 1})),
       whole(atomic({.remote_to = TaggedOffset{0x1008}, .data = 1}))},
      {rdmap_atomic_misaligned,
       "a read from anywhere",
       {kToB, 8, "0x0000000000000007", ""},
       whole(atomic({.remote_to = TaggedOffset{7}, .data = 1})),
       whole([](Connection& c) { c.read(kInit, {.size = 3, .source_to = TaggedOffset{7}}); })},

      {rdmap_atomic_identifier_repeated,
       "the one before was answered",
       {kToB, 8, "5", ""},
       whole([](Connection& c) {
         c.atomic_request(kInit, {.request_id = 5, .data = 1});
         c.atomic_request(kInit, {.request_id = 5, .data = 1});
         c.atomic_response(kResp);
         c.atomic_response(kResp);
       }),
       whole([](Connection& c) {
         c.atomic(kInit, {.request_id = 5, .data = 1});
         c.atomic(kInit, {.request_id = 5, .data = 1});
       })},
      {rdmap_atomic_identifier_repeated,
       "each end has its own identifiers",
       {kToB, 8, "1", ""},
       whole([](Connection& c) {
         for (std::uint32_t id : {1, 2, 1}) c.atomic_request(kInit, {.request_id = id, .data = 1});
         for (int i = 0; i < 3; ++i) c.atomic_response(kResp);
       }),
       whole([](Connection& c) {
         c.atomic_request(kInit, {.request_id = 5, .data = 1});
         c.atomic_request(kResp, {.request_id = 5, .data = 1});
         c.atomic_response(kResp);
         c.atomic_response(kInit);
       })},
      {rdmap_atomic_identifier_repeated,
       "the answer to the one before may be in a capture gap",
       {kToB, 8, "5", ""},
       whole([](Connection& c) {
         c.atomic_request(kInit, {.request_id = 5, .data = 1});
         c.atomic_request(kInit, {.request_id = 5, .data = 1});
       }),
       whole([](Connection& c) {
         c.atomic_request(kInit, {.request_id = 5, .data = 1});
         c.channel(kResp, Effect::miss);
         c.atomic_response(kResp);
         c.send(kResp, 10);
         c.atomic(kInit, {.request_id = 5, .data = 1});
       })},
  };
}

std::vector<Scenario> atomic_response_scenarios() {
  const AtomicRequest misaligned{.remote_to = TaggedOffset{0x1001}, .data = 1};
  return {
      {rdmap_atomic_misaligned_answered,
       "refused",
       {kToA, 8, "0x0000000000001001", "Terminate 0/2/07"},
       whole(atomic(misaligned)),
       whole([=](Connection& c) {
         c.atomic_request(kInit, misaligned);
         c.terminate_last(kResp, 0, 2, 7);
       })},
      {rdmap_atomic_misaligned_answered,
       "aligned",
       {kToA, 8, "0x0000000000001001", "Terminate 0/2/07"},
       whole(atomic(misaligned)),
       whole(atomic({.remote_to = TaggedOffset{0xFFFFFFFFFFFFFFF8}, .data = 1}))},

      {rdmap_atomic_identifier_wrong,
       "the identifier 0",
       {kToA, 8, "9", "1"},
       whole(atomic_answered(9)),
       whole([](Connection& c) {
         c.untagged_message(kInit, Opcode::atomic_request, kRequests, 0, synth::wire::write(AtomicRequest{.data = 1}));
         c.acknowledge(kResp);
         answer(c, 0);
       })},
      {rdmap_atomic_identifier_wrong,
       "a request before it is not in the capture",
       {kToA, 8, "0", "1"},
       whole(atomic_answered(0)),
       whole([](Connection& c) {
         c.channel(kInit, Effect::miss);
         c.atomic_request(kInit, {.data = 1});
         c.atomic_request(kInit, {.data = 1});
         c.send(kInit, 10);
         c.atomic_response(kResp);
         c.atomic_response(kResp);
       })},
      {rdmap_atomic_identifier_wrong,
       "the answers change places (RM-14)",
       {kToA, 8, "16777216", "1"},
       whole(atomic_answered(0x01000000)),
       whole(requested(2,
                       [](Connection& c) {
                         answer(c, 2);
                         answer(c, 1);
                       })),
       {},
       {rdmap_responses_out_of_order}},
      {rdmap_atomic_identifier_wrong,
       "damaged",
       {kToA, 8, "2", "1"},
       whole(atomic_answered(2)),
       whole([](Connection& c) {
         c.alter(kResp, {.fpdu = {.crc_xor = 1}});
         atomic_answered(2)(c);
       }),
       {},
       {mpa_crc_mismatch}},

      {rdmap_atomic_response_msn_wrong,
       "queue 3 counts alone: reads go before",
       {kToA, 11, "2", "1"},
       whole([](Connection& c) {
         c.read(kInit, {.size = 10});
         c.set_msn(kResp, kAtomicResponses, MessageSequence{2});  // copied from the request
         c.atomic(kInit, {.data = 1});
       }),
       whole([](Connection& c) {
         for (int i = 0; i < 3; ++i) {
           c.read(kInit, {.size = 10});
           c.atomic(kInit, {.data = 1});
           c.read(kInit, {.size = 10});
         }
       })},
      {rdmap_atomic_response_msn_wrong,
       "a Response is not in the capture",
       {kToA, 11, "1", "2"},
       whole([](Connection& c) {
         c.atomic(kInit, {.data = 1});
         c.set_msn(kResp, kAtomicResponses, MessageSequence{1});
         c.atomic(kInit, {.data = 1});
       }),
       whole([](Connection& c) {
         c.atomic(kInit, {.data = 1});
         c.channel(kResp, Effect::miss);
         c.atomic(kInit, {.data = 1});
         c.atomic(kInit, {.data = 1});
       })},
      {rdmap_atomic_response_msn_wrong,
       "joined mid-stream, at the end of the numbers",
       {kToA, 4, "0", "1"},
       one_side(kResp,
                [](Connection& c) {
                  c.set_msn(kResp, kAtomicResponses, MessageSequence{0});
                  c.atomic(kInit, {.data = 1});
                }),
       midstream([](Connection& c) {
         for (int i = 0; i < 4; ++i) c.send(kInit, 300);
         for (int i = 0; i < 4; ++i) c.send(kResp, 300);
         c.set_msn(kResp, kAtomicResponses, MessageSequence{0xFFFFFFFF});
         c.atomic(kInit, {.data = 1});
         c.atomic(kInit, {.data = 1});
       })},

      {rdmap_atomic_response_unrequested,
       "the request is not in the capture",
       {kToA, 9, "1", ""},
       whole(requested(0, [](Connection& c) { answer(c, 1); })),
       whole([](Connection& c) {
         c.channel(kInit, Effect::miss);
         c.atomic(kInit, {.data = 1});
         c.send(kInit, 10);
       })},
      {rdmap_atomic_response_unrequested,
       "only the Responses' side was captured",
       {kToA, 11, "1", ""},
       whole(requested(1,
                       [](Connection& c) {
                         answer(c, 1);
                         answer(c, 1);
                       })),
       one_side(kResp, atomic())},
      {rdmap_atomic_response_unrequested,
       "a Read Request is outstanding, an atomic is not",
       {kToA, 10, "1", ""},
       whole([](Connection& c) {
         c.read_request(kInit, {.size = 12});
         c.acknowledge(kResp);
         answer(c, 1);
       }),
       whole([](Connection& c) {
         c.read_request(kInit, {.size = 12});
         c.atomic_request(kInit, {.data = 1});
         c.read_response(kResp);
         c.atomic_response(kResp);
       })},
      {rdmap_atomic_response_unrequested,
       "a request that cannot be read",
       {kToA, 9, "0", ""},
       whole(requested(0, [](Connection& c) { answer(c, 0); })),
       whole(atomic_altered({.ulpdu_octets = 18 + 50})),
       {},
       {rdmap_atomic_request_size}},

      {rdmap_atomic_request_unanswered,
       "a Terminate says why",
       {kToB, 8, "", ""},
       whole(requested(1, [](Connection&) {})),
       whole(requested(1, [](Connection& c) { c.terminate_last(kResp, 0, 2, 7); }))},
      {rdmap_atomic_request_unanswered,
       "the connection is reset",
       {kToB, 8, "", ""},
       whole(requested(1, [](Connection&) {})),
       bare([](Connection& c) {
         c.send(kInit, 10);
         c.send(kResp, 10);
         c.atomic_request(kInit, {.data = 1});
         c.reset(kResp);
       })},
      {rdmap_atomic_request_unanswered,
       "the Response is not in the capture",
       {kToB, 9, "", ""},
       whole(requested(2, [](Connection& c) { answer(c, 1); })),
       whole([](Connection& c) {
         c.channel(kResp, Effect::miss);
         c.atomic(kInit, {.data = 1});
         c.acknowledge(kInit);
       })},
      {rdmap_atomic_request_unanswered,
       "the capture ends",
       {kToB, 8, "", ""},
       whole(requested(1, [](Connection&) {})),
       bare(requested(1, [](Connection&) {}))},
  };
}

std::vector<Scenario> dialect_scenarios() {
  const auto on_requests = [](Opcode opcode) {
    return [=](Connection& c) { c.untagged_message(kInit, opcode, kRequests, 0, 8); };
  };
  return {
      {rdmap_extension_version_wrong,
       "messages of RFC 5040 in version 0",
       {kToB, 8, "0", "1"},
       whole(atomic(), kRdmac),
       whole([](Connection& c) { c.read(kInit, {.size = 100}); }, kRdmac)},
      {rdmap_extension_version_wrong,
       "a startup that settled version 1 (RM-01)",
       {kToB, 8, "0", "1"},
       whole([](Connection& c) { c.immediate(kInit, 7); }, kRdmac),
       whole([](Connection& c) {
         c.alter(kInit, {.rdmap_version = 0});
         c.immediate(kInit, 7);
       }),
       {},
       {rdmap_version_wrong}},
      {rdmap_extension_version_wrong,
       "in version 1",
       {kToA, 8, "0", "1"},
       whole([](Connection& c) { c.immediate(kResp, 7, true); }, kRdmac),
       whole([](Connection& c) {
         c.immediate(kInit, 7);
         c.immediate(kResp, 7, true);
         c.atomic(kResp, {.data = 1});
       })},

      {rdmap_extension_draft_queue,
       "on queue 0",
       {kToB, 8, "1", "0"},
       whole(on_requests(Opcode::immediate_se)),
       whole([](Connection& c) { c.immediate(kInit, 7, true); })},
      {rdmap_extension_draft_queue,
       "Immediate Data without Solicited Event, of which no draft says so (RM-05)",
       {kToA, 10, "1", "3"},
       whole(requested(1, [](Connection& c) { answer(c, 1, Opcode::atomic_response, kRequests); })),
       whole(on_requests(Opcode::immediate)),
       {},
       {rdmap_queue_wrong}},
  };
}

}  // namespace

std::vector<Scenario> extension_scenarios() {
  return joined({size_scenarios(), atomic_request_scenarios(), atomic_response_scenarios(), dialect_scenarios()});
}

}  // namespace iwarpscope::test
