// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// DD-11 to DD-23: the DDP segments of a message, messages among others, and the end of the stream.
#include "rules/message_traffic.h"

namespace iwarpscope::test {
namespace {

using enum findings::FindingId;
using synth::Alter;
using synth::Connection;
using synth::Effect;
using synth::Packing;

constexpr std::uint64_t kAt = kTo.value;

Play second_altered(Alter alter, Play message) {
  return [=](Connection& c) {
    c.alter(kInit, alter, 1);
    message(c);
  };
}
void send_2(Connection& c) {
  c.send(kInit, 2500);
}
void send_3(Connection& c) {
  c.send(kInit, 4000);
}
void write_3(Connection& c) {
  c.write(kInit, kStag, kTo, 4000);
}
// The message loses its second DDP segment to the capture.
Play second_unseen(Play message) {
  return [=](Connection& c) {
    c.channel(kInit, Effect::miss, {.skip = 1});
    message(c);
    c.send(kInit, 10);
  };
}
Play second_held_back(Play message) {
  return [=](Connection& c) {
    c.channel(kInit, Effect::hold_back, {.skip = 1, .delay = 1});
    message(c);
  };
}

std::vector<Scenario> offset_scenarios() {
  return {
      {ddp_mo_wrong,
       "the octets between are not in the capture",
       {kToB, 9, "1428", "1424"},
       whole(second_altered({.mo_delta = 4}, send_2)),
       whole(second_unseen(send_3))},
      {ddp_mo_wrong,
       "the network reorders TCP segments",
       {kToB, 9, "1420", "1424"},
       whole(second_altered({.mo_delta = -4}, send_2)),
       whole(second_held_back(send_3))},
      {ddp_mo_wrong,
       "the sender goes downwards within the message (DD-12)",
       {kToB, 9, "2848", "1424"},
       whole(second_altered({.omit = true}, send_3)),
       whole([](Connection& c) {
         send_part(c, 2, 0, false);
         send_part(c, 2, 200, false);
         send_part(c, 2, 100, false);
         send_part(c, 2, 300, true);
       })},
      {ddp_mo_wrong,
       "a repeated DDP segment at the end of the message (DD-13)",
       {kToB, 11, "1424", "2848"},
       whole(second_altered({.repeats = 1}, send_3)),
       whole([](Connection& c) {
         send_part(c, 2, 0, false);
         send_part(c, 2, 0, true);
       }),
       {},
       {ddp_last_misplaced}},

      {ddp_offset_decreases,
       "the network reorders TCP segments",
       {kToB, 11, "100", "300"},
       whole([](Connection& c) {
         send_part(c, 2, 0, false);
         send_part(c, 2, 200, false);
         send_part(c, 2, 100, false);
         send_part(c, 2, 300, true);
       }),
       whole(second_held_back(send_3))},
      {ddp_offset_decreases,
       "a later RDMA Write to a lower offset",
       {kToB, 11, "0x00007f1200001064", "0x00007f120000112c"},
       whole(parts_at({0, 200, 100, 300})),
       whole([](Connection& c) {
         c.write(kInit, kStag, TaggedOffset{kAt + 8192}, 3000);
         c.write(kInit, kStag, kTo, 3000);
       })},
      {ddp_offset_decreases,
       "DDP segments of an RDMA Write in the order of their offsets",
       {kToB, 9, "0x00007f1200001000", "0x00007f12000010c8"},
       whole(parts_at({100, 0, 200})),
       whole(parts_at({0, 100, 200}))},

      {ddp_last_misplaced,
       "the Last flag is missing: the message has no end (DD-19)",
       {kToB, 9, "MO 1424", ""},
       whole([](Connection& c) {
         c.alter(kInit, {.last = true});
         c.send(kInit, 2500);
       }),
       whole([](Connection& c) {
         c.alter(kInit, {.last = false});
         c.send(kInit, 100);
         c.send(kInit, 100);
       }),
       {},
       {ddp_messages_interleaved}},
      {ddp_last_misplaced,
       "the last DDP segment overtakes the others in the network",
       {kToB, 9, "MO 100", ""},
       whole([](Connection& c) {
         send_part(c, 2, 200, true);
         send_part(c, 2, 100, false);
         send_part(c, 2, 0, false);
         send_part(c, 3, 0, true);
       }),
       whole([](Connection& c) {
         c.channel(kInit, Effect::hold_back, {.delay = 2});
         c.send(kInit, 4000);
         c.send(kInit, 10);
       })},
      {ddp_last_misplaced,
       "the DDP segments arrive in another order than they were sent",
       {kToB, 11, "100", "300"},
       whole([](Connection& c) {
         send_part(c, 2, 0, false);
         send_part(c, 2, 200, false);
         send_part(c, 2, 100, true);
       }),
       whole([](Connection& c) {
         c.channel(kInit, Effect::hold_back, {.skip = 1, .delay = 1});
         c.send(kInit, 4000);
         c.send(kInit, 10);
       })},

      {ddp_message_too_long,
       "the last octet that an offset can name",
       {kToB, 2, "4294967296 octets", "4294967295 octets at most"},
       midstream([](Connection& c) {
         send_part(c, 9, 0xFFFFFB50, false, 1000);
         send_part(c, 9, 0xFFFFFF38, true, 200);
       }),
       midstream([](Connection& c) {
         send_part(c, 9, 0xFFFFFB50, false, 1000);
         send_part(c, 9, 0xFFFFFF38, true, 199);
       })},
      {ddp_message_too_long,
       "damaged",
       {kToB, 9, "4294968356 octets", "4294967295 octets at most"},
       whole(second_altered({.mo = 0xFFFFFFF0}, send_2)),
       whole(second_altered({.mo = 0xFFFFFFF0, .fpdu = {.crc_xor = 1}}, send_2)),
       {ddp_mo_wrong},
       {mpa_crc_mismatch}},

      {ddp_zero_length_not_alone,
       "an empty Send",
       {kToB, 9, "1 before", "alone"},
       whole([](Connection& c) {
         send_part(c, 2, 0, false, 1400);
         send_part(c, 2, 1400, true, 0);
       }),
       whole([](Connection& c) {
         c.send(kInit);
         c.send(kInit, 2 * (c.mulpdu(kInit) - 18));
         c.send(kInit);
       })},
      {ddp_zero_length_not_alone,
       "an RDMA Write of no octets, to nowhere",
       {kToB, 9, "1 before", "alone"},
       whole([](Connection& c) {
         write_part(c, kStag, kAt, false);
         write_part(c, kStag, kAt + 100, true, 0);
       }),
       whole([](Connection& c) {
         c.write(kInit, STag{0}, TaggedOffset{0});
         c.write(kInit, kStag, kTo, 2 * (c.mulpdu(kInit) - 14));
         c.write(kInit, STag{0xFFFFFFFF}, TaggedOffset{~std::uint64_t{0}});
       })},
      {ddp_zero_length_not_alone,
       "an empty Read Response",
       {kToB, 8, "Last flag clear", "Last flag set"},
       whole([](Connection& c) {
         send_part(c, 2, 0, false, 0);
         send_part(c, 2, 0, true, 100);
       }),
       whole([](Connection& c) { c.read(kInit, {.size = 0}); })},

      {ddp_stag_changed,
       "two RDMA Writes, to two buffers that lie side by side",
       {kToB, 9, "STag 0x0bad0bad", "STag 0x00012301"},
       whole(second_altered({.stag = kForeignStag.value}, [](Connection& c) { c.write(kInit, kStag, kTo, 2500); })),
       whole([](Connection& c) {
         c.write(kInit, kStag, kTo, 4000);
         c.write(kInit, kForeignStag, TaggedOffset{kAt + 4000}, 4000);
       })},
      {ddp_stag_changed,
       "the end of one and the start of the next are not in the capture",
       {kToB, 9, "STag 0x0bad0bad", "STag 0x00012301"},
       whole(second_altered({.stag = kForeignStag.value}, write_3)),
       whole([](Connection& c) {
         c.channel(kInit, Effect::miss, {.skip = 2});
         c.channel(kInit, Effect::miss, {.skip = 3});
         c.write(kInit, kStag, kTo, 4000);
         c.write(kInit, kForeignStag, TaggedOffset{kAt + 4000}, 4000);
         c.send(kInit, 10);
       })},

      {ddp_to_not_contiguous,
       "the octets between are not in the capture",
       {kToB, 9, "0x00007f12000015a4", "0x00007f1200001594"},
       whole(second_altered({.to_delta = 16}, [](Connection& c) { c.write(kInit, kStag, kTo, 2500); })),
       whole(second_unseen(write_3))},
      {ddp_to_not_contiguous,
       "two RDMA Writes with a hole between",
       {kToB, 9, "0x00007f1200001584", "0x00007f1200001594"},
       whole(second_altered({.to_delta = -16}, [](Connection& c) { c.write(kInit, kStag, kTo, 2500); })),
       whole([](Connection& c) {
         c.write(kInit, kStag, kTo, 4000);
         c.write(kInit, kStag, TaggedOffset{kAt + 8000}, 4000);
       })},
      {ddp_to_not_contiguous,
       "the network reorders TCP segments",
       {kToB, 9, "0x00007f1200001b28", "0x00007f1200001594"},
       whole(second_altered({.omit = true}, write_3)),
       whole(second_held_back(write_3))},
      {ddp_to_not_contiguous,
       "the lowest DDP segment comes second (DD-12)",
       {kToB, 9, "0x00007f1200000f9c", "0x00007f12000010c8"},
       whole(parts_at({100, -100, 200})),
       whole(parts_at({100, -100, 0}))},

      {ddp_to_wraps,
       "the last octets of the address space",
       {kToB, 8, "0xffffffffffffff9d", ""},
       whole([](Connection& c) { c.write(kInit, kStag, TaggedOffset{0xFFFFFFFFFFFFFF9D}, 100); }),
       whole([](Connection& c) { c.write(kInit, kStag, TaggedOffset{0xFFFFFFFFFFFFFF9C}, 100); })},
      {ddp_to_wraps,
       "no octets, so the offset means nothing",
       {kToB, 8, "0xffffffffffffffff", ""},
       whole([](Connection& c) { c.write(kInit, kStag, TaggedOffset{~std::uint64_t{0}}, 2); }),
       whole([](Connection& c) { c.write(kInit, kStag, TaggedOffset{~std::uint64_t{0}}); })},
  };
}

std::vector<Scenario> mixture_scenarios() {
  return {
      {ddp_messages_interleaved,
       "the DDP segment with the Last flag is not in the capture",
       {kToB, 9, "QN 0 MSN 3 MO 0", ""},
       whole([](Connection& c) {
         c.alter(kInit, {.last = false});
         c.send(kInit, 100);
         c.send(kInit, 100);
       }),
       whole([](Connection& c) {
         c.channel(kInit, Effect::miss, {.skip = 2});
         c.send(kInit, 4000);
         c.send(kInit, 100);
       })},
      {ddp_messages_interleaved,
       "one after the other",
       {kToB, 9, "QN 0 MSN 3 MO 0", ""},
       whole([](Connection& c) {
         send_part(c, 2, 0, false);
         send_part(c, 3, 0, false);
         send_part(c, 2, 100, true);
         send_part(c, 3, 100, true);
       }),
       whole([](Connection& c) {
         send_part(c, 2, 0, false);
         send_part(c, 2, 100, true);
         send_part(c, 3, 0, false);
         send_part(c, 3, 100, true);
       })},
      {ddp_messages_interleaved,
       "a tagged and an untagged message (DD-20)",
       {kToB, 9, "STag 0x0bad0bad TO 0x0000000000005000", ""},
       whole([](Connection& c) {
         write_part(c, kStag, kAt, false);
         write_part(c, kForeignStag, 0x5000, false);
         write_part(c, kStag, kAt + 100, true);
         write_part(c, kForeignStag, 0x5064, true);
       }),
       whole([](Connection& c) {
         write_part(c, kStag, kAt, false);
         send_part(c, 2, 0, false);
         write_part(c, kStag, kAt + 100, true);
         send_part(c, 2, 100, true);
       })},
      {ddp_messages_interleaved,
       "a Read Request between the DDP segments of a Send",
       {kToB, 9, "STag 0x0bad0bad TO 0x00007f1200001000", ""},
       whole([](Connection& c) {
         c.alter(kInit, {.last = false});
         c.write(kInit, kStag, kTo, 100);
         c.write(kInit, kForeignStag, kTo, 100);
       }),
       whole([](Connection& c) {
         send_part(c, 2, 0, false);
         c.read_request(kInit, {.size = 10});
         send_part(c, 2, 100, true);
         c.read_response(kResp);
       })},
      {ddp_messages_interleaved,
       "the DDP segment that seems to lack the Last flag is damaged",
       {kToB, 11, "QN 0 MSN 3 MO 0", ""},
       whole([](Connection& c) {
         c.alter(kInit, {.last = false}, 1);
         c.send(kInit, 2500);
         c.send(kInit, 2500);
       }),
       whole([](Connection& c) {
         c.alter(kInit, {.last = false, .fpdu = {.crc_xor = 1}}, 1);
         c.send(kInit, 2500);
         c.send(kInit, 2500);
       }),
       {},
       {mpa_crc_mismatch}},

      {ddp_models_interleaved,
       "one after the other",
       {kToB, 9, "QN 0 MSN 2 MO 0", ""},
       whole([](Connection& c) {
         write_part(c, kStag, kAt, false);
         send_part(c, 2, 0, true);
         write_part(c, kStag, kAt + 100, true);
       }),
       whole([](Connection& c) {
         c.write(kInit, kStag, kTo, 4000);
         c.send(kInit, 4000);
         c.write(kInit, kStag, kTo, 4000);
       })},
      {ddp_models_interleaved,
       "a Terminate may come at any time",
       {kToB, 9, "STag 0x00012301 TO 0x00007f1200001000", ""},
       whole([](Connection& c) {
         send_part(c, 2, 0, false);
         c.write(kInit, kStag, kTo, 100);
         send_part(c, 2, 100, true);
       }),
       bare([](Connection& c) {
         c.send(kInit, 100);
         c.send(kResp, 100);
         write_part(c, kStag, kAt, false);
         c.terminate_last(kInit, 1, 2, 2);
         c.close();
       })},
      {ddp_models_interleaved,
       "each direction has its own messages",
       {kToB, 9, "QN 1 MSN 1 MO 0", ""},
       whole([](Connection& c) {
         write_part(c, kStag, kAt, false);
         c.read_request(kInit, {.size = 10});
         write_part(c, kStag, kAt + 100, true);
         c.read_response(kResp);
       }),
       whole([](Connection& c) {
         write_part(c, kStag, kAt, false);
         c.send(kResp, 100);
         write_part(c, kStag, kAt + 100, true);
       })},
  };
}

std::vector<Scenario> message_end_scenarios() {
  const Play unfinished = [](Connection& c) {
    c.alter(kInit, {.last = false});
    c.send(kInit, 100);
  };
  return {
      {ddp_message_unfinished,
       "the connection is reset",
       {kToB, 0, "100 octets", ""},
       whole(unfinished),
       bare([=](Connection& c) {
         c.send(kInit, 100);
         c.send(kResp, 100);
         unfinished(c);
         c.reset(kInit);
       })},
      {ddp_message_unfinished,
       "its end is not in the capture",
       {kToB, 0, "100 octets", ""},
       whole([](Connection& c) {
         c.alter(kInit, {.last = false});
         c.write(kInit, kStag, kTo, 100);
       }),
       whole([](Connection& c) {
         c.channel(kInit, Effect::miss, {.skip = 2});
         c.send(kInit, 4000);
         c.acknowledge(kResp);
       })},
      {ddp_message_unfinished,
       "whole, and then a Terminate",
       {kToB, 0, "100 octets", ""},
       whole([=](Connection& c) {
         unfinished(c);
         c.terminate_last(kInit, 0, 0, 0);
       }),
       whole([](Connection& c) {
         c.send(kInit, 4000);
         c.terminate_last(kInit, 0, 0, 0);
       })},
      {ddp_message_unfinished,
       "the capture ends",
       {kToB, 0, "100 octets", ""},
       whole(unfinished),
       bare([=](Connection& c) {
         c.send(kInit, 100);
         c.send(kResp, 100);
         unfinished(c);
       })},

      {ddp_segment_after_terminate,
       "a message of its own (RM-19)",
       {kToB, 11, "STag 0x00012301 TO 0x00007f1200001064", ""},
       whole([](Connection& c) {
         write_part(c, kStag, kAt, false);
         c.terminate_last(kInit, 1, 2, 2);
         write_part(c, kStag, kAt + 100, false);
         write_part(c, kStag, kAt + 200, true);
       }),
       whole([](Connection& c) {
         c.terminate_last(kInit, 1, 2, 2);
         c.send(kInit, 100);
       }),
       {},
       {rdmap_message_after_terminate}},
      {ddp_segment_after_terminate,
       "the other side goes on with its message",
       {kToB, 11, "QN 0 MSN 2 MO 100", ""},
       whole([](Connection& c) {
         send_part(c, 2, 0, false);
         c.terminate_last(kInit, 0, 0, 0);
         send_part(c, 2, 100, true);
       }),
       whole([](Connection& c) {
         send_part(c, 2, 0, false, 100, kResp);
         c.terminate_last(kInit, 1, 2, 5);
         send_part(c, 2, 100, true, 100, kResp);
       })},
      {ddp_segment_after_terminate,
       "what went before is sent again by TCP",
       {kToB, 11, "QN 0 MSN 2 MO 100", ""},
       whole([](Connection& c) {
         send_part(c, 2, 0, false);
         c.terminate_last(kInit, 0, 0, 0);
         send_part(c, 2, 100, true);
       }),
       whole([](Connection& c) {
         c.channel(kInit, Effect::lose_after_tap, {.delay = 1});
         c.send(kInit, 100);
         c.terminate_last(kInit, 0, 0, 0);
       })},

      {ddp_answered_after_error,
       "requests sent before the message that the Terminate names",
       {kToA, 10, "", ""},
       whole([](Connection& c) {
         c.write(kInit, kForeignStag, kTo, 100);
         c.terminate_last(kResp, 1, 1, 0);
         c.read_request(kInit, {.size = 10});
         c.read_response(kResp);
       }),
       whole([](Connection& c) {
         c.read_request(kInit, {.size = 10});
         c.write(kInit, kForeignStag, kTo, 100);
         c.terminate_last(kResp, 1, 1, 0);
         c.read_response(kResp);
       }),
       {rdmap_message_after_terminate},
       {rdmap_message_after_terminate}},
      {ddp_answered_after_error,
       "the Terminate names no message",
       {kToA, 9, "", ""},
       whole([](Connection& c) {
         c.write(kInit, kForeignStag, kTo, 100);
         c.atomic_request(kInit, {.data = 1});
         c.flush();
         c.capture(true);
         c.terminate(kResp,
                     {.layer = 1,
                      .error_type = 1,
                      .error_code = 0,
                      .ddp_length = 114,
                      .ddp_header = synth::wire::write(synth::wire::DdpTagged{.stag = kForeignStag, .to = kTo})});
         c.atomic_response(kResp);
       }),
       whole([](Connection& c) {
         c.terminate_last(kResp, 0, 0, 0);
         c.read_request(kInit, {.size = 10});
         c.read_response(kResp);
       }),
       {rdmap_message_after_terminate},
       {rdmap_message_after_terminate}},
  };
}

}  // namespace

std::vector<Scenario> ddp_message_scenarios() {
  return joined({offset_scenarios(), mixture_scenarios(), message_end_scenarios()});
}

}  // namespace iwarpscope::test
