// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Rules about what an end had received when it sent something, which its ACK numbers tell: MS-13, MS-14, MS-23, RM-15,
// RM-17, AT-13, SX-07.
#include <algorithm>

#include "rules/message_traffic.h"
#include "rules/startup_traffic.h"

namespace iwarpscope::test {
namespace {

using enum findings::FindingId;
using synth::Connection;
using synth::Effect;
using synth::TcpSegment;
using synth::wire::ReadRequest;

constexpr unsigned kAny = 0x3FFF;

/// The next TCP segment of this side acknowledges so many octets less.
void acknowledge_less(Connection& c, synth::Side side, std::uint32_t octets) {
  c.touch(side, [octets](TcpSegment& t) { t.acknowledgment -= octets; });
}
/// The last two TCP segments with payload change places at the tap.
void swap_last(Connection& c) {
  std::vector<TcpSegment>& seen = c.tcp_segments();
  std::swap(seen[seen.size() - 1], seen[seen.size() - 2]);
}
synth::Startup allowing(unsigned request_ird, unsigned request_ord, unsigned reply_ird, unsigned reply_ord) {
  return {.request_enhanced = depths(request_ird, request_ord), .reply_enhanced = depths(reply_ird, reply_ord)};
}
/// The Initiator may have two reads outstanding, the Responder one.
const synth::Startup kTwo = allowing(1, 2, 2, 1);

Play reads(unsigned count, synth::Side side = kInit) {
  return [=](Connection& c) {
    for (unsigned i = 0; i < count; ++i) c.read_request(side, {.size = 100});
    for (unsigned i = 0; i < count; ++i) c.read_response(peer(side));
  };
}

// ---- startup ----

Traffic impatient(bool waits) {
  Connection c;
  c.connect();
  c.request(synth::request_frame({}));
  if (!waits) c.send(kInit, 100);
  c.reply(synth::reply_frame({}));
  if (waits) {
    c.send(kInit, 100);
    swap_last(c);  // the capture's ports were merged in another order
  }
  c.send(kInit, 100);
  c.send(kResp, 100);
  c.close();
  return {.frames = c.frames()};
}
Traffic first_acknowledges_less(synth::Side side, std::uint32_t octets, bool captured = true) {
  Connection c;
  c.connect();
  if (side == kResp) acknowledge_less(c, kResp, octets);
  c.request(synth::request_frame({}));
  if (!captured) c.channel(kResp, Effect::miss);
  c.reply(synth::reply_frame({}));
  if (side == kInit) acknowledge_less(c, kInit, octets);
  c.send(kInit, 100);
  c.send(kResp, 100);
  c.close();
  return {.frames = c.frames()};
}
Traffic long_request(bool whole) {
  Connection c;
  c.connect();
  c.packing(kInit, synth::Packing::cut, {300});
  if (!whole) acknowledge_less(c, kResp, 220);
  const synth::Startup startup{.request_private_data = synth::Buffer(500)};
  c.request(synth::request_frame(startup));
  c.reply(synth::reply_frame(startup));
  c.packing(kInit, synth::Packing::fpdu_per_tcp_segment);
  c.send(kInit, 100);
  c.send(kResp, 100);
  c.close();
  return {.frames = c.frames()};
}

/// A capture that begins with a rejecting Reply, after which the Initiator asks again.
Traffic joined_at_a_rejection() {
  Connection c;
  c.connect();
  c.request(synth::request_frame({}));
  const std::size_t before = c.frames().size();
  c.reply(synth::reply_frame({.reject = true}));
  c.startup();
  c.send(kInit, 100);
  c.close();
  synth::Frames frames = c.frames();
  frames.erase(frames.begin(), frames.begin() + static_cast<std::ptrdiff_t>(before));
  return {.frames = std::move(frames)};
}

std::vector<Scenario> startup_scenarios_of_acks() {
  const auto responder_first = bare([](Connection& c) {
    c.send(kResp, 100);
    c.send(kInit, 100);
    c.close();
  });
  const auto responder_early = bare([](Connection& c) {
    c.send(kInit, 100);
    acknowledge_less(c, kResp, 1);
    c.send(kResp, 100);
    c.close();
  });
  return {
      {mpa_fpdu_before_reply,
       "the FPDU comes first at the tap, but acknowledges the Reply",
       {kToB, 5, "0", "at least 20"},
       [] { return impatient(false); },
       [] { return impatient(true); }},
      {mpa_fpdu_before_reply,
       "the whole Reply is acknowledged",
       {kToB, 5, "19", "at least 20"},
       [] { return first_acknowledges_less(kInit, 1); },
       [] { return first_acknowledges_less(kInit, 0); }},
      {mpa_fpdu_before_reply,
       "the Reply is not in the capture",
       {kToB, 5, "0", "at least 20"},
       [] { return first_acknowledges_less(kInit, 20); },
       [] { return first_acknowledges_less(kInit, 20, false); }},

      {mpa_reply_before_request,
       "the whole Request is acknowledged",
       {kToA, 4, "19", "at least 20"},
       [] { return first_acknowledges_less(kResp, 1); },
       [] { return first_acknowledges_less(kResp, 0); }},
      {mpa_reply_before_request,
       "a rejecting Reply to a Request before, which is not in the capture",
       {},
       [] { return first_acknowledges_less(kResp, 1); },
       joined_at_a_rejection},
      {mpa_reply_before_request,
       "the Request has two TCP segments, and both are acknowledged",
       {kToA, 4, "300", "at least 520"},
       [] { return long_request(false); },
       [] { return long_request(true); }},

      {mpa_responder_sends_first,
       "the Initiator's FPDU comes later at the tap, but is acknowledged",
       {kToA, 5, "0", "at least 16"},
       responder_first,
       bare([](Connection& c) {
         c.send(kInit, 100);
         c.send(kResp, 100);
         swap_last(c);
         c.close();
       })},
      {mpa_responder_sends_first,
       "the RTR is the first FPDU",
       {kToA, 5, "123", "at least 124"},
       responder_early,
       bare(
           [](Connection& c) {
             c.send(kResp, 100);
             c.close();
           },
           {.request_enhanced = peer_to_peer("w"), .reply_enhanced = peer_to_peer("w"), .rtr = synth::Rtr::write})},
      {mpa_responder_sends_first,
       "the Initiator's first FPDU is not in the capture",
       {kToA, 5, "0", "at least 16"},
       responder_first,
       bare([](Connection& c) {
         c.channel(kInit, Effect::miss);
         c.send(kInit, 100);
         c.send(kResp, 100);
         c.close();
       })},
      {mpa_responder_sends_first,
       "without CRC no end waits for the CRC field",
       {kToA, 5, "123", "at least 124"},
       responder_early,
       bare(
           [](Connection& c) {
             c.send(kInit, 100);
             acknowledge_less(c, kResp, 4);
             c.send(kResp, 100);
             c.close();
           },
           {.crc = false})},
  };
}

// ---- responses ----

/// A Response whose first TCP segment acknowledges so many octets less.
Play early_response(std::uint32_t octets) {
  return [=](Connection& c) {
    c.read_request(kInit, {.size = 100});
    acknowledge_less(c, kResp, octets);
    c.read_response(kResp);
  };
}
Play early_atomic(std::uint32_t octets) {
  return [=](Connection& c) {
    c.atomic_request(kInit, {.remote_stag = kStag, .remote_to = TaggedOffset{0x1000}});
    acknowledge_less(c, kResp, octets);
    c.atomic_response(kResp);
  };
}

std::vector<Scenario> cause_scenarios() {
  return {
      {rdmap_response_before_request,
       "the whole request is acknowledged",
       {kToA, 8, "195", "at least 196"},
       whole(early_response(1)),
       whole(early_response(0))},
      {rdmap_response_before_request,
       "without CRC no end waits for the CRC field",
       {kToA, 8, "144", "at least 196"},
       whole(early_response(52)),
       whole(early_response(4), {.crc = false})},
      {rdmap_response_before_request,
       "the Response comes first at the tap, but acknowledges the request",
       {kToA, 8, "166", "at least 196"},
       whole(early_response(30)),
       whole([](Connection& c) {
         c.read(kInit, {.size = 100});
         swap_last(c);
       })},
      {rdmap_response_before_request,
       "a part of the requests is not in the capture",
       {kToA, 8, "186", "at least 196"},
       whole(early_response(10)),
       whole([](Connection& c) {
         c.channel(kInit, Effect::miss);
         c.read(kInit, {.size = 100});
         early_response(10)(c);
       })},
      {rdmap_response_before_request,
       "an Atomic Response, of which the request is acknowledged whole",
       {kToA, 8, "219", "at least 220"},
       whole(early_atomic(1)),
       whole(early_atomic(0))},
  };
}

// ---- pairing ----

std::vector<Scenario> pairing_scenarios() {
  return {
      {rdmap_read_response_unrequested,
       "the Response was on its way when the requester reset the connection",
       {},
       whole([](Connection& c) {
         c.acknowledge(kResp);
         c.tagged_message(kResp, synth::wire::Opcode::rdma_read_response, kStag, kTo, 100);
       }),
       bare([](Connection& c) {
         c.send(kInit, 100);
         c.send(kResp, 100);
         c.read(kInit, {.size = 100});
         c.acknowledge(kInit);
         c.read_request(kInit, {.size = 100});
         c.read_response(kResp);
         c.reset(kInit);
         std::vector<TcpSegment>& seen = c.tcp_segments();
         std::rotate(seen.end() - 2, seen.end() - 1, seen.end());
       })},
      {rdmap_read_response_length_wrong,
       "reads into one buffer, and the first Response is not in the capture",
       {},
       whole([](Connection& c) {
         c.read_request(kInit, {.size = 200});
         c.read_response(kResp, synth::Payload(100));
       }),
       whole([](Connection& c) {
         c.limit_mulpdu(kResp, 1014);
         c.read_request(kInit, {.size = 1500});
         c.channel(kResp, Effect::miss);
         c.read_response(kResp);
         for (const std::uint32_t size : {300U, 400U, 500U}) c.read_request(kInit, {.size = size});
         for (int i = 0; i < 3; ++i) c.read_response(kResp);
       })},
  };
}

// ---- credit ----

/// Two reads, the first Response, and a third read that acknowledges so many octets less.
Play third_read(std::uint32_t octets) {
  return [=](Connection& c) {
    c.read_request(kInit, {.size = 100});
    c.read_request(kInit, {.size = 100});
    c.read_response(kResp);
    acknowledge_less(c, kInit, octets);
    c.read_request(kInit, {.size = 100});
    c.read_response(kResp);
    c.read_response(kResp);
  };
}
void atomics(Connection& c, unsigned count) {
  for (unsigned i = 0; i < count; ++i)
    c.atomic_request(kInit, {.remote_stag = kStag, .remote_to = TaggedOffset{0x1000}});
}
Play reads_and_atomics(unsigned of_reads, unsigned of_atomics) {
  return [=](Connection& c) {
    for (unsigned i = 0; i < of_reads; ++i) c.read_request(kInit, {.size = 100});
    atomics(c, of_atomics);
    for (unsigned i = 0; i < of_reads; ++i) c.read_response(kResp);
    for (unsigned i = 0; i < of_atomics; ++i) c.atomic_response(kResp);
  };
}

std::vector<Scenario> credit_scenarios() {
  return {
      {rdmap_too_many_reads,
       "as many as the Reply's IRD",
       {kToB, 11, "3", "at most 2"},
       whole(reads(3), kTwo),
       whole(reads(2), kTwo)},
      {rdmap_too_many_reads,
       "the first Response is acknowledged whole",
       {kToB, {}, "3", "at most 2"},
       whole(third_read(1), kTwo),
       whole(third_read(0), kTwo)},
      {rdmap_too_many_reads,
       "without CRC no end waits for the CRC field",
       {},
       whole(third_read(119), kTwo),
       whole(third_read(4),
             [] {
               synth::Startup s = kTwo;
               s.crc = false;
               return s;
             }())},
      {rdmap_too_many_reads,
       "of the Responder, as many as the Reply's ORD",
       {kToA, {}, "2", "at most 1"},
       whole(reads(2, kResp), kTwo),
       whole(reads(1, kResp), kTwo)},
      {rdmap_too_many_reads,
       "no limit was negotiated",
       {kToB, 11, "3", "at most 2"},
       whole(reads(3), allowing(1, 3, 2, 1)),
       whole(reads(30), allowing(kAny, kAny, kAny, kAny))},
      {rdmap_too_many_reads,
       "the Request leaves the depth to the upper layer",
       {},
       whole(reads(3), allowing(1, 3, 2, 1)),
       whole(reads(3), allowing(1, kAny, 2, 1)),
       {},
       {mpa_unnegotiated_ord_not_answered}},
      {rdmap_too_many_reads, "startup frames without depths", {}, whole(reads(4), kTwo), whole(reads(30))},
      {rdmap_too_many_reads,
       "a Response is not in the capture",
       {},
       whole(reads(5), kTwo),
       whole(
           [](Connection& c) {
             c.channel(kResp, Effect::miss);
             c.read(kInit, {.size = 100});
             reads(2)(c);
           },
           kTwo)},
      {rdmap_too_many_reads,
       "only the requests are in the capture",
       {},
       whole(reads(3), kTwo),
       one_side(
           kInit,
           [](Connection& c) {
             for (int i = 0; i < 5; ++i) c.read(kInit, {.size = 100});
           },
           kTwo)},
      {rdmap_too_many_reads,
       "a Response comes later at the tap than what acknowledges it",
       {},
       whole(reads(3), kTwo),
       whole(
           [](Connection& c) {
             c.read_request(kInit, {.size = 100});
             c.read_request(kInit, {.size = 100});
             c.read_response(kResp);
             c.read_request(kInit, {.size = 100});
             swap_last(c);
             c.read_response(kResp);
             c.read_response(kResp);
           },
           kTwo)},
      {rdmap_too_many_reads,
       "the RTR takes the one place there is",
       {kToB, 8, "1", "at most 0"},
       whole(reads(1), allowing(1, 0, 0, 1)),
       whole([](Connection&) {}, {.request_enhanced = peer_to_peer("r", 1, 0),
                                  .reply_enhanced = peer_to_peer("r", 0, 1),
                                  .rtr = synth::Rtr::read})},

      {rdmap_too_many_atomics,
       "reads and atomics, as many as the Reply's IRD",
       {kToB, 11, "3", "at most 2"},
       whole(reads_and_atomics(2, 1), kTwo),
       whole(reads_and_atomics(1, 1), kTwo)},
      {rdmap_too_many_atomics,
       "too many reads are RM-17",
       {kToB, 11, "3", "at most 2"},
       whole(reads_and_atomics(0, 3), kTwo),
       whole(reads(3), kTwo),
       {},
       {rdmap_too_many_reads}},
      {rdmap_too_many_atomics,
       "no limit was negotiated",
       {},
       whole(reads_and_atomics(1, 2), kTwo),
       whole(reads_and_atomics(9, 9))},

      {rdmap_read_queue_flooded,
       "not that many more",
       {kToB, {}, "10", "at most 2"},
       whole(reads(10), kTwo),
       whole(reads(9), kTwo),
       {rdmap_too_many_reads},
       {rdmap_too_many_reads}},
      {rdmap_read_queue_flooded,
       "four times a higher limit, less one",
       {kToB, {}, "20", "at most 5"},
       whole(reads(20), allowing(1, 5, 5, 1)),
       whole(reads(19), allowing(1, 5, 5, 1)),
       {rdmap_too_many_reads},
       {rdmap_too_many_reads}},
      {rdmap_read_queue_flooded,
       "no limit was negotiated",
       {},
       whole(reads(12), kTwo),
       whole(reads(60)),
       {rdmap_too_many_reads}},
  };
}

}  // namespace

std::vector<Scenario> acknowledged_scenarios() {
  return joined({startup_scenarios_of_acks(), cause_scenarios(), pairing_scenarios(), credit_scenarios(),
                 acknowledged_history_scenarios(), acknowledged_order_scenarios()});
}

}  // namespace iwarpscope::test
