// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// RM-07 to RM-16: Read Requests and their Responses.
#include "rules/message_traffic.h"

namespace iwarpscope::test {
namespace {

using enum findings::FindingId;
using synth::Alter;
using synth::Connection;
using synth::Effect;
using synth::wire::Opcode;
using synth::wire::ReadRequest;

constexpr ReadRequest kA{.sink_stag = STag{0x5100}, .sink_to = TaggedOffset{0x10000}, .size = 1000};
constexpr ReadRequest kB{.sink_stag = STag{0x5101}, .sink_to = TaggedOffset{0x90000}, .size = 2000};
constexpr std::uint64_t kTop = ~std::uint64_t{0};

void request(Connection& c) {
  c.read_request(kInit, {.size = 100});
}
void respond(Connection& c, STag stag, TaggedOffset to, std::size_t octets) {
  c.acknowledge(kResp);
  c.tagged_message(kResp, Opcode::rdma_read_response, stag, to, octets);
}
// The second half of what kA asks for, then the first, which begins so many octets too early.
Play halves_swapped(std::size_t early) {
  return [=](Connection& c) {
    c.read_request(kInit, kA);
    c.acknowledge(kResp);
    const std::size_t half = kA.size / 2;
    write_part(c, kA.sink_stag, kA.sink_to.value + half, false, half, kResp, Opcode::rdma_read_response);
    write_part(c, kA.sink_stag, kA.sink_to.value - early, true, half + early, kResp, Opcode::rdma_read_response);
  };
}
void respond(Connection& c, const ReadRequest& r) {
  respond(c, r.sink_stag, r.sink_to, r.size);
}
// After messages that bear out how both directions are framed: a Response to another sink than its request's.
Play foreign_sink(MessageSequence msn) {
  return [=](Connection& c) {
    for (int i = 0; i < 4; ++i) c.send(kInit, 600), c.write(kResp, kStag, kTo, 600);
    c.set_msn(kInit, QueueNumber{1}, msn);
    c.read_request(kInit, kA);
    respond(c, kForeignStag, kTo, kA.size);
  };
}
Play read_altered(Alter alter) {
  return [=](Connection& c) {
    c.alter(kInit, alter);
    c.read(kInit, {.size = 100});
  };
}
Play read_of(const ReadRequest& r) {
  return [=](Connection& c) { c.read(kInit, r); };
}
// A request that is refused, as one that wraps is.
Play refused_read(const ReadRequest& r) {
  return [=](Connection& c) {
    c.read_request(kInit, r);
    c.terminate_last(kResp, 0, 1, 4);
  };
}

std::vector<Scenario> read_request_scenarios() {
  return {
      {rdmap_read_request_malformed,
       "a read of no octets, which has the header all the same",
       {kToB, 8, "32 octets", "28 octets"},
       whole(faulty("header-long", [](Connection& c) { c.read(kInit, {.size = 100}); })),
       whole([](Connection& c) { c.read(kInit, {.size = 0}); })},
      {rdmap_read_request_malformed,
       "the largest read",
       {kToB, 8, "24 octets", "28 octets"},
       whole(read_altered({.ulpdu_octets = 42})),
       whole([](Connection& c) {
         c.read_request(kInit, {.size = 0xFFFFFFFF});
         c.terminate_last(kResp, 0, 1, 1);
       })},
      {rdmap_read_request_malformed,
       "the header in two DDP segments of which the first is not in the capture",
       {kToB, 8, "14 octets, more follow", "28 octets"},
       whole([](Connection& c) {
         c.limit_mulpdu(kInit, 32);
         c.read(kInit, {.size = 100});
       }),
       whole([](Connection& c) {
         c.limit_mulpdu(kInit, 32);
         c.channel(kInit, Effect::miss);
         c.read(kInit, {.size = 100});
       })},
      {rdmap_read_request_malformed,
       "damaged",
       {kToB, 8, "1 octets", "28 octets"},
       whole(read_altered({.ulpdu_octets = 19})),
       whole(read_altered({.ulpdu_octets = 45, .fpdu = {.crc_xor = 1}})),
       {},
       {mpa_crc_mismatch}},
      {rdmap_read_request_malformed,
       "the capture cut the frames inside the header",
       {kToB, 8, "28 octets, more follow", "28 octets"},
       whole(read_altered({.last = false})),
       whole(read_of({.size = 100}), {}, {.path = {.snap_length = 14 + 20 + 32 + 2 + 18 + 10}})},
      {rdmap_read_request_malformed,
       "an offset that is not zero is DD-10",
       {kToB, 8, "29 octets", "28 octets"},
       whole(read_altered({.ulpdu_octets = 47})),
       whole(read_altered({.mo = 28})),
       {},
       {ddp_first_mo_not_zero}},

      {rdmap_read_request_to_wraps,
       "up to the last octet of the source",
       {kToB, 8, "0xffffffffffffff9d", ""},
       whole(refused_read({.size = 100, .source_to = TaggedOffset{kTop - 98}})),
       whole(refused_read({.size = 100, .source_to = TaggedOffset{kTop - 99}}))},
      {rdmap_read_request_to_wraps,
       "up to the last octet of the sink",
       {kToB, 8, "0xffffffffffffffff", ""},
       whole(refused_read({.sink_to = TaggedOffset{kTop}, .size = 2})),
       whole(refused_read({.sink_to = TaggedOffset{kTop}, .size = 1}))},
      {rdmap_read_request_to_wraps,
       "no octets, so the offsets mean nothing",
       {kToB, 8, "0xffffffffffffffff", ""},
       whole(refused_read({.sink_to = TaggedOffset{kTop}, .size = 0xFFFFFFFF})),
       whole(read_of({.sink_to = TaggedOffset{kTop}, .size = 0, .source_to = TaggedOffset{kTop}}))},
  };
}

std::vector<Scenario> read_response_scenarios() {
  return {
      {rdmap_read_response_unrequested,
       "the requests' side was not captured",
       {kToA, 9, "0x00012301", ""},
       whole([](Connection& c) { respond(c, kStag, kTo, 100); }),
       one_side(kResp, read_of({.size = 100}))},
      {rdmap_read_response_unrequested,
       "the request is not in the capture",
       {kToA, 11, "0x00005100", ""},
       whole([](Connection& c) {
         c.read(kInit, kA);
         respond(c, kA);
       }),
       whole([](Connection& c) {
         c.channel(kInit, Effect::miss);
         c.read(kInit, kA);
         c.send(kInit, 10);
       })},
      {rdmap_read_response_unrequested,
       "the capture began after the request",
       {kToA, 9, "0x00012301", ""},
       whole([](Connection& c) { respond(c, kStag, kTo, 4000); }),
       midstream([](Connection& c) {
         for (int i = 0; i < 4; ++i) c.send(kInit, 300);
         c.capture(false);
         c.read_request(kInit, kB);
         c.capture(true);
         c.read_response(kResp);
         for (int i = 0; i < 4; ++i) c.send(kResp, 300);
       })},
      {rdmap_read_response_unrequested,
       "the capture's ports were merged out of order: the response comes first",
       {kToA, 9, "0x00000000", ""},
       whole([](Connection& c) { respond(c, STag{0}, TaggedOffset{0}, 0); }),
       [] {
         Connection c;
         c.connect();
         c.startup();
         c.send(kInit, 100);
         c.send(kResp, 100);
         const std::size_t first = c.tcp_segments().size();
         c.read(kInit, kA);
         std::swap(c.tcp_segments()[first], c.tcp_segments()[first + 1]);
         c.send(kInit, 10);
         c.close();
         return Traffic{.frames = c.frames()};
       }},
      {rdmap_read_response_unrequested,
       "a request that cannot be read",
       {kToA, 11, "0x00000000", ""},
       whole([](Connection& c) {
         c.read(kInit, {.size = 0});
         respond(c, STag{0}, TaggedOffset{0}, 0);
       }),
       whole(read_altered({.ulpdu_octets = 42})),
       {},
       {rdmap_read_request_malformed}},

      {rdmap_read_response_stag_wrong,
       "a read of no octets: the STag means nothing",
       {kToA, 8, "0x0bad0bad", "0x00005100"},
       whole([](Connection& c) {
         c.read_request(kInit, kA);
         respond(c, kForeignStag, kA.sink_to, kA.size);
       }),
       whole([](Connection& c) {
         c.read_request(kInit, {.size = 0});
         respond(c, kForeignStag, kTo, 0);
       })},
      {rdmap_read_response_stag_wrong,
       "the request that it answers is not in the capture",
       {kToA, 8, "0x0bad0bad", "0x00005100"},
       whole([](Connection& c) {
         c.read_request(kInit, kA);
         respond(c, kForeignStag, kTo, kA.size);
       }),
       whole([](Connection& c) {
         c.read_request(kInit, kA);
         c.channel(kInit, Effect::miss);
         c.read_request(kInit, kB);
         c.send(kInit, 10);
         respond(c, kA);
         respond(c, kB);
       })},
      {rdmap_read_response_stag_wrong,
       "joined mid-stream after the first Read Request",
       {kToA, 0, "0x0bad0bad", "0x00005100"},
       midstream(foreign_sink(MessageSequence{1})),
       midstream(foreign_sink(MessageSequence{5}))},
      {rdmap_read_response_stag_wrong,
       "the Response is damaged",
       {kToA, 8, "0x0bad0bad", "0x00005101"},
       whole([](Connection& c) {
         c.read_request(kInit, kB);
         respond(c, kForeignStag, kB.sink_to, kB.size);
       }),
       whole([](Connection& c) {
         c.read_request(kInit, kA);
         c.alter(kResp, {.stag = kForeignStag.value, .fpdu = {.crc_xor = 1}});
         respond(c, kA);
       }),
       {},
       {mpa_crc_mismatch}},

      {rdmap_read_response_to_wrong,
       "a read of no octets: the offset means nothing",
       {kToA, 8, "0x0000000000010008", "0x0000000000010000"},
       whole([](Connection& c) {
         c.read_request(kInit, kA);
         respond(c, kA.sink_stag, TaggedOffset{kA.sink_to.value + 8}, kA.size);
       }),
       whole([](Connection& c) {
         c.read_request(kInit, {.size = 0});
         respond(c, kA.sink_stag, TaggedOffset{1}, 0);
       })},
      {rdmap_read_response_to_wrong,
       "the start of the Response is not in the capture",
       {kToA, 8, "0x0000000000000000", "0x0000000000090000"},
       whole([](Connection& c) {
         c.read_request(kInit, kB);
         respond(c, kB.sink_stag, TaggedOffset{0}, kB.size);
       }),
       whole([](Connection& c) {
         c.read_request(kInit, kB);
         c.channel(kResp, Effect::miss);
         respond(c, kB);
         c.send(kResp, 10);
       })},

      {rdmap_read_response_to_wrong,
       "its DDP segments come in another order (DD-12)",
       {},
       whole(halves_swapped(8)),
       whole(halves_swapped(0)),
       {rdmap_read_response_length_wrong}},

      {rdmap_read_response_length_wrong,
       "of the size that was asked for",
       {kToA, 8, "1999", "2000"},
       whole([](Connection& c) {
         c.read_request(kInit, kB);
         respond(c, kB.sink_stag, kB.sink_to, kB.size - 1);
       }),
       whole(read_of(kB))},
      {rdmap_read_response_length_wrong,
       "a part of it is not in the capture",
       {kToA, 8, "2001", "2000"},
       whole([](Connection& c) {
         c.read_request(kInit, kB);
         respond(c, kB.sink_stag, kB.sink_to, kB.size + 1);
       }),
       whole([](Connection& c) {
         c.read_request(kInit, {.size = 6000});
         c.channel(kResp, Effect::miss, {.skip = 1});
         c.read_response(kResp);
         c.send(kResp, 10);
       })},
      {rdmap_read_response_length_wrong,
       "frames are cut by the snap length",
       {kToA, 8, "1000", "2000"},
       whole([](Connection& c) {
         c.read_request(kInit, kB);
         respond(c, kB.sink_stag, kB.sink_to, 1000);
         respond(c, kB.sink_stag, TaggedOffset{kB.sink_to.value + 1000}, 1000);
       }),
       whole(read_of({.size = 6000}), {}, {.path = {.snap_length = 96}}),
       {rdmap_read_response_unrequested}},
      {rdmap_read_response_length_wrong,
       "a Terminate breaks it off",
       {kToA, 8, "0", "2000"},
       whole([](Connection& c) {
         c.read_request(kInit, kB);
         respond(c, kB.sink_stag, kB.sink_to, 0);
       }),
       whole([](Connection& c) {
         c.read_request(kInit, kB);
         c.tagged(kResp,
                  {.control = synth::wire::ddp_control(true, false),
                   .rdmap_control = synth::wire::rdmap_control(Opcode::rdma_read_response),
                   .stag = kB.sink_stag,
                   .to = kB.sink_to},
                  1000);
         c.terminate_last(kResp, 0, 0, 0);
       })},

      {rdmap_zero_length_read_response_wrong,
       "answered with nothing, from nowhere",
       {kToA, 8, "1", "0"},
       whole([](Connection& c) {
         c.read_request(kInit, {.size = 0});
         respond(c, kA.sink_stag, kA.sink_to, 1);
       }),
       whole([](Connection& c) {
         c.read_request(kInit, {.size = 0});
         respond(c, STag{0}, TaggedOffset{0}, 0);
       })},
      {rdmap_zero_length_read_response_wrong,
       "as RTR",
       {kToA, 8, "1428", "0"},
       whole([](Connection& c) {
         c.read_request(kInit, {.sink_stag = STag{0}, .sink_to = TaggedOffset{0}, .size = 0});
         respond(c, STag{0}, TaggedOffset{0}, 4000);
       }),
       bare(
           [](Connection& c) {
             c.send(kInit, 10);
             c.close();
           },
           {.request_enhanced = synth::wire::EnhancedData{.peer_to_peer = true, .rtr_read = true, .ird = 1, .ord = 1},
            .reply_enhanced = synth::wire::EnhancedData{.peer_to_peer = true, .rtr_read = true, .ird = 1, .ord = 1},
            .rtr = synth::Rtr::read})},

      {rdmap_responses_out_of_order,
       "both of one size to one place: they cannot be distinguished",
       {kToA, 8, "2", "1"},
       whole([](Connection& c) {
         c.read_request(kInit, kA);
         c.read_request(kInit, kB);
         respond(c, kB);
         respond(c, kA);
       }),
       whole([](Connection& c) {
         c.read_request(kInit, kA);
         c.read_request(kInit, kA);
         respond(c, kA);
         respond(c, kA);
       })},
      {rdmap_responses_out_of_order,
       "a read and an atomic in their order",
       {kToA, 8, "2", "1"},
       whole([](Connection& c) {
         c.read_request(kInit, kA);
         c.atomic_request(kInit, {.data = 1});
         c.atomic_response(kResp);
         c.read_response(kResp);
       }),
       whole([](Connection& c) {
         c.read_request(kInit, kA);
         c.atomic_request(kInit, {.data = 1});
         c.read_response(kResp);
         c.atomic_response(kResp);
       })},
      {rdmap_responses_out_of_order,
       "the Response of the older is there, though untagged",
       {kToA, 8, "2", "1"},
       whole([](Connection& c) {
         c.read_request(kInit, kA);
         c.read_request(kInit, kB);
         respond(c, kB);
       }),
       whole([](Connection& c) {
         c.read_request(kInit, kA);
         c.acknowledge(kResp);
         c.untagged_message(kResp, Opcode::rdma_read_response, QueueNumber{0}, 0, kA.size);
         c.read_request(kInit, kB);
         respond(c, kB);
       }),
       {},
       {rdmap_buffer_model_wrong}},
      {rdmap_responses_out_of_order,
       "the Response of the older is not in the capture",
       {kToA, 8, "2", "1"},
       whole([](Connection& c) {
         c.atomic_request(kInit, {.data = 1});
         c.read_request(kInit, kA);
         c.read_response(kResp);
         c.atomic_response(kResp);
       }),
       whole([](Connection& c) {
         c.read_request(kInit, kA);
         c.read_request(kInit, kB);
         c.channel(kResp, Effect::miss);
         c.read_response(kResp);
         c.read_response(kResp);
         c.send(kResp, 10);
       })},
      {rdmap_responses_out_of_order,
       "Sends may overtake Responses, and the TCP segments come in another order",
       {kToA, 8, "2", "1"},
       whole([](Connection& c) {
         c.atomic_request(kInit, {.data = 1});
         c.atomic_request(kInit, {.remote_to = TaggedOffset{0x2000}, .data = 1});
         c.untagged_message(kResp, Opcode::atomic_response, QueueNumber{3}, 0,
                            synth::wire::write(synth::wire::AtomicResponse{2, 0}));
         c.untagged_message(kResp, Opcode::atomic_response, QueueNumber{3}, 0,
                            synth::wire::write(synth::wire::AtomicResponse{1, 0}));
       }),
       whole([](Connection& c) {
         c.read_request(kInit, kA);
         c.read_request(kInit, kB);
         c.send(kResp, 100);
         c.channel(kResp, Effect::hold_back, {.delay = 1});
         c.read_response(kResp);
         c.read_response(kResp);
       })},
  };
}

std::vector<Scenario> unanswered_scenarios() {
  return {
      {rdmap_read_request_unanswered,
       "a Terminate says why",
       {kToB, 8, "", ""},
       whole(request),
       whole([](Connection& c) {
         request(c);
         c.terminate_last(kResp, 0, 1, 0);
       })},
      {rdmap_read_request_unanswered,
       "the connection is reset",
       {kToB, 8, "", ""},
       whole(request),
       bare([](Connection& c) {
         c.send(kInit, 10);
         c.send(kResp, 10);
         request(c);
         c.reset(kInit);
       })},
      {rdmap_read_request_unanswered,
       "the Response is not in the capture",
       {kToB, 8, "", ""},
       whole(request),
       whole([](Connection& c) {
         request(c);
         c.channel(kResp, Effect::miss);
         c.read_response(kResp);
         c.acknowledge(kInit);
       })},
      {rdmap_read_request_unanswered, "the capture ends", {kToB, 8, "", ""}, whole(request), bare([](Connection& c) {
         c.send(kInit, 10);
         c.send(kResp, 10);
         request(c);
       })},
      {rdmap_read_request_unanswered,
       "answered while closing",
       {kToB, 8, "", ""},
       whole([](Connection& c) { c.read_request(kInit, {.size = 0}); }),
       bare([](Connection& c) {
         c.send(kInit, 10);
         c.send(kResp, 10);
         request(c);
         c.fin(kInit);
         c.read_response(kResp);
         c.fin(kResp);
       })},
      {rdmap_read_request_unanswered,
       "only the requests' side was captured",
       {kToB, 8, "", ""},
       whole(request),
       one_side(kInit, request)},
  };
}

}  // namespace

std::vector<Scenario> rdmap_read_scenarios() {
  return joined({read_request_scenarios(), read_response_scenarios(), unanswered_scenarios()});
}

}  // namespace iwarpscope::test
