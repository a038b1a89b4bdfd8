// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// RM-15, where the response comes before its request at the tap, too.
#include <algorithm>

#include "rules/message_traffic.h"

namespace iwarpscope::test {
namespace {

using enum findings::FindingId;
using synth::Connection;
using synth::TcpSegment;
using synth::wire::Opcode;

constexpr std::uint32_t kReadFpdu = 52, kAtomicFpdu = 76;  // octets of a request with length and CRC
constexpr synth::wire::ReadRequest kRead{.size = 100};

void acknowledge_less(Connection& c, std::uint32_t octets) {
  c.touch(kResp, [octets](TcpSegment& t) { t.acknowledgment -= octets; });
}
void exchange_last(Connection& c) {
  std::vector<TcpSegment>& seen = c.tcp_segments();
  std::swap(seen[seen.size() - 1], seen[seen.size() - 2]);
}

/// The Response was sent, and captured, before its request.
void response_first(Connection& c) {
  c.read_request(kInit, kRead);
  acknowledge_less(c, kReadFpdu);
  c.read_response(kResp);
  exchange_last(c);
}
void atomic_response_first(Connection& c, std::uint32_t identifier) {
  c.atomic_request(kInit, {.request_id = 7, .data = 1});
  acknowledge_less(c, kAtomicFpdu);
  c.untagged_message(kResp, Opcode::atomic_response, QueueNumber{3}, 0,
                     synth::wire::write(synth::wire::AtomicResponse{identifier, 0}));
  exchange_last(c);
}

/// A Send before the request is lost and sent again: before the Response or after it.
void after_a_hole(Connection& c, bool answered_early) {
  c.send(kInit, 50);
  c.read_request(kInit, kRead);
  if (answered_early) acknowledge_less(c, kReadFpdu + 76);
  c.read_response(kResp);
  std::vector<TcpSegment>& seen = c.tcp_segments();
  std::erase_if(
      seen, [](const TcpSegment& t) { return t.sender == kResp && t.payload.empty() && t.flags == synth::wire::kAck; });
  const auto send = seen.end() - 3;
  std::rotate(send, send + 1, answered_early ? seen.end() : seen.end() - 1);
}

/// The request comes between the DDP segments of its Response.
void amid_the_response(Connection& c) {
  c.read_request(kInit, {.size = 4000});
  acknowledge_less(c, kReadFpdu);
  c.read_response(kResp);
  std::vector<TcpSegment>& seen = c.tcp_segments();
  const auto request = std::find_if(seen.rbegin(), seen.rend(), [](const TcpSegment& t) { return t.sender == kInit; });
  std::iter_swap(request, request - 1);
}

/// A Response without a request, and a request for the same buffer later.
void request_after_the_response(Connection& c) {
  c.tagged_message(kResp, Opcode::rdma_read_response, kRead.sink_stag, kRead.sink_to, kRead.size);
  c.acknowledge(kInit);
  c.read_request(kInit, kRead);
  c.read_response(kResp);
}

void request_of_another_buffer(Connection& c) {
  c.read_request(kInit, kRead);
  acknowledge_less(c, kReadFpdu);
  c.tagged_message(kResp, Opcode::rdma_read_response, kForeignStag, kRead.sink_to, kRead.size);
  exchange_last(c);
}

}  // namespace

std::vector<Scenario> acknowledged_order_scenarios() {
  return {
      {rdmap_response_before_request,
       "a Response that comes first at the tap, and fits no request",
       {kToA, 8, "144", "at least 196"},
       whole(response_first),
       whole(request_of_another_buffer),
       {},
       {rdmap_read_response_unrequested}},
      {rdmap_response_before_request,
       "a Response that was received when the request was sent",
       {kToA, 8, "144", "at least 196"},
       whole(amid_the_response),
       whole(request_after_the_response),
       {},
       {rdmap_read_response_unrequested}},
      {rdmap_response_before_request,
       "a hole before the request, filled before the Response",
       {kToA, 8, "144", "at least 272"},
       whole([](Connection& c) { after_a_hole(c, true); }),
       whole([](Connection& c) { after_a_hole(c, false); })},
      {rdmap_response_before_request,
       "an Atomic Response that comes first at the tap, and fits no request",
       {kToA, 8, "144", "at least 220"},
       whole([](Connection& c) { atomic_response_first(c, 7); }),
       whole([](Connection& c) { atomic_response_first(c, 8); }),
       {},
       {rdmap_atomic_response_unrequested}},
  };
}

}  // namespace iwarpscope::test
