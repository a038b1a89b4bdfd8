// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// TC: the TCP connection below MPA.
#include <cstddef>

#include "rules/stream_traffic.h"

namespace iwarpscope::test {
namespace {

using enum findings::FindingId;
using synth::Connection;
using synth::ConnectionOptions;
using synth::Effect;
using synth::EffectOptions;
using synth::Startup;
using synth::wire::Checksum;

Script sends_with_effect(Effect effect, EffectOptions options = {.delay = 2}) {
  return [effect, options](Connection& c) {
    sends(c, 3);
    c.channel(kOne, effect, options);
    sends(c, 6);
  };
}

Traffic checksums(Checksum of_one) {
  ConnectionOptions o;
  o.initiator.checksum = of_one;
  return connected(
      Startup{}, [](Connection& c) { sends(c, 6); }, o);
}

// One TCP segment in the middle of the others has this checksum, and is received all the same.
Traffic one_checksum(Checksum checksum) {
  return connected([checksum](Connection& c) {
    sends(c, 3);
    c.touch(kOne, [checksum](synth::TcpSegment& tcp) { tcp.checksum = checksum; });
    sends(c, 6);
  });
}

// A frame whose payload was cut by the snap length has a checksum that cannot be verified.
Traffic cut_frames() {
  ConnectionOptions o;
  o.path.snap_length = 110;
  return connected(
      Startup{}, [](Connection& c) { sends(c, 6, 400); }, o);
}

Traffic keep_alives() {
  return connected([](Connection& c) {
    sends(c, 3);
    c.acknowledge(kOther);
    for (int i = 0; i < 3; ++i) {
      c.wait(1'000'000'000);
      c.keep_alive(kOne, i % 2 == 0);
    }
    sends(c, 3);
  });
}

// The window that one end announces in a frame with payload.
Traffic window(std::uint16_t octets) {
  return connected([octets](Connection& c) {
    sends(c, 2);
    c.touch(kOther, [octets](synth::TcpSegment& tcp) { tcp.window = octets; });
    sends(c, 2, 100, kOther);
    sends(c, 2);
  });
}

Traffic reset(const Script& end) {
  Connection c;
  c.connect();
  c.startup();
  sends(c, 3);
  end(c);
  return {.frames = c.frames()};
}

// An RST with a sequence number far from the connection's is ignored.
void stray_reset(Connection& c) {
  c.reset(kOther);
  c.tcp_segments().back().sequence += 0x40000000;
  c.tcp_segments().back().acknowledgment += 0x40000000;
  sends(c, 3);
  c.close();
}

// An RST as it comes from outside: in the window, but not at the next octet. Its receiver asks for more (RFC 5961 §3).
void blind_reset(Connection& c, bool goes_on) {
  c.reset(kOne);
  c.tcp_segments().back().sequence += 50;
  if (!goes_on) return;
  sends(c, 3);
  c.close();
}

// The octets that come next, in a TCP segment that lacks ACK. `is_copy`: the same packet as a mirror's copy.
Traffic first_from_outside(bool is_copy) {
  return connected([is_copy](Connection& c) {
    sends(c, 3);
    const std::size_t at = c.tcp_segments().size();
    sends(c, 3);
    synth::TcpSegment forged = c.tcp_segments().at(at);
    if (!is_copy) forged.flags = synth::wire::kPsh;
    c.tcp_segments().insert(c.tcp_segments().begin() + static_cast<std::ptrdiff_t>(at), forged);
  });
}

void reset_after_both_fins(Connection& c) {
  c.close();
  c.reset(kOne);
}

// The lost TCP segment is neither sent again nor acknowledged; the capture ends.
Traffic hole(bool repaired) {
  Connection c;
  c.connect();
  c.startup();
  sends(c, 3);
  c.channel(kOne, Effect::lose_before_tap, {.delay = 100, .miss_retransmission = !repaired});
  c.send(kOne, 100);
  for (int i = 0; i < 5; ++i) c.send(kOne, 100);
  std::vector<synth::TcpSegment>& seen = c.tcp_segments();
  if (!repaired) {
    // What came before the flush is the whole capture.
    return {.frames = [&c, &seen] {
      const std::vector<synth::TcpSegment> kept = seen;
      (void)c.frames();
      seen = kept;
      return c.frames();
    }()};
  }
  return {.frames = c.frames()};
}

// One side's octets alone, and one of its TCP segments is not among them.
Traffic one_sided_hole() {
  Connection c;
  c.capture_only(kOne);
  c.connect();
  c.startup();
  sends(c, 3);
  c.channel(kOne, Effect::miss);
  sends(c, 6);
  c.close();
  return {.frames = c.frames()};
}

std::vector<Scenario> damage_scenarios() {
  return {
      {.id = tcp_wrong_checksum,
       .note = "a sender whose checksums are never right",
       .finding = {kToB, 10, "", ""},
       .raise = [] { return connected(sends_with_effect(Effect::corrupt)); },
       .near_miss = [] { return checksums(Checksum::wrong); }},
      {.id = tcp_wrong_checksum,
       .note = "frames cut by a snap length",
       .finding = {kToB, 10, "", ""},
       .raise = [] { return connected(sends_with_effect(Effect::corrupt, {.delay = 0})); },
       .near_miss = cut_frames},
      {.id = tcp_wrong_checksum,
       .note = "a checksum that the adapter was to fill in",
       .finding = {kToB, 10, "", ""},
       .raise = [] { return connected(sends_with_effect(Effect::corrupt)); },
       .near_miss = [] { return checksums(Checksum::pseudo_header_only); }},
      {.id = tcp_checksum_offload,
       .note = "one wrong checksum among right ones",
       .finding = {kToB, 17, "8", ""},
       .raise = [] { return checksums(Checksum::pseudo_header_only); },
       .near_miss = [] { return connected(sends_with_effect(Effect::corrupt)); }},
      {.id = tcp_checksum_offload,
       .note = "frames cut by a snap length",
       .finding = {kToB, 17, "8", ""},
       .raise = [] { return checksums(Checksum::wrong); },
       .near_miss = cut_frames},
      {.id = tcp_wrong_checksum,
       .note = "one checksum of the pseudo header alone",
       .finding = {kToB, 10, "", ""},
       .raise = [] { return one_checksum(Checksum::wrong); },
       .near_miss = [] { return one_checksum(Checksum::pseudo_header_only); }},
  };
}

std::vector<Scenario> order_scenarios() {
  return {
      {.id = tcp_retransmissions,
       .note = "a mirror's second copies",
       .finding = {kToB, 15, "1", ""},
       .raise = [] { return connected(sends_with_effect(Effect::retransmit)); },
       .near_miss = [] { return connected(sends_with_effect(Effect::mirror_duplicate)); }},
      {.id = tcp_retransmissions,
       .note = "keep-alives",
       .finding = {kToB, 15, "1", ""},
       .raise = [] { return connected(sends_with_effect(Effect::lose_after_tap)); },
       .near_miss = keep_alives},
      {.id = tcp_retransmissions,
       .note = "TCP segments out of order",
       .finding = {kToB, 15, "1", ""},
       .raise = [] { return connected(sends_with_effect(Effect::lose_after_tap)); },
       .near_miss = [] { return connected(sends_with_effect(Effect::hold_back)); }},
      {.id = tcp_retransmissions,
       .note = "the first copy was damaged and is no part of the stream",
       .finding = {kToB, 15, "1", ""},
       .raise = [] { return connected(sends_with_effect(Effect::retransmit)); },
       .near_miss = [] { return connected(sends_with_effect(Effect::corrupt)); }},
      {.id = tcp_out_of_order,
       .note = "in order, one sent again",
       .finding = {kToB, 14, "1", ""},
       .raise = [] { return connected(sends_with_effect(Effect::hold_back)); },
       .near_miss = [] { return connected(sends_with_effect(Effect::retransmit)); }},
      {.id = tcp_out_of_order,
       .note = "a capture gap, which is not filled",
       .finding = {kToB, 14, "1", ""},
       .raise = [] { return connected(sends_with_effect(Effect::lose_before_tap)); },
       .near_miss = [] { return connected(sends_with_effect(Effect::miss)); }},
  };
}

std::vector<Scenario> state_scenarios() {
  return {
      {.id = tcp_zero_window,
       .note = "a window of one",
       .finding = {kToA, 9, "1", ""},
       .raise = [] { return window(0); },
       .near_miss = [] { return window(1); }},
      {.id = tcp_zero_window,
       .note = "an RST, whose window means nothing",
       .finding = {kToA, 9, "1", ""},
       .raise = [] { return window(0); },
       .near_miss =
           [] {
             return reset([](Connection& c) {
               c.reset(kOther);
               c.tcp_segments().back().window = 0;
             });
           }},
      {.id = tcp_connection_reset,
       .note = "an orderly end",
       .finding = {kToB, 10, "", ""},
       .raise = [] { return reset([](Connection& c) { c.reset(kOne); }); },
       .near_miss = [] { return reset([](Connection& c) { c.close(kOther); }); }},
      {.id = tcp_connection_reset,
       .note = "an RST that does not belong to the connection",
       .finding = {kToA, 10, "", ""},
       .raise = [] { return reset([](Connection& c) { c.reset(kOther); }); },
       .near_miss = [] { return reset(stray_reset); }},
      {.id = tcp_connection_reset,
       .note = "an RST after both FINs",
       .finding = {kToA, 12, "", ""},
       .raise =
           [] {
             return reset([](Connection& c) {
               c.fin(kOne);
               c.reset(kOther);
             });
           },
       .near_miss = [] { return reset(reset_after_both_fins); }},
      {.id = tcp_ignored_control,
       .note = "an RST after which nothing comes ends the connection",
       .finding = {kToB, 10, "RST", ""},
       .raise = [] { return reset([](Connection& c) { blind_reset(c, true); }); },
       .near_miss = [] { return reset([](Connection& c) { blind_reset(c, false); }); }},
      {.id = tcp_ignored_control,
       .note = "an RST at the octet that is expected",
       .finding = {kToA, 10, "RST", ""},
       .raise = [] { return reset(stray_reset); },
       .near_miss = [] { return reset([](Connection& c) { c.reset(kOther); }); }},
      {.id = tcp_forged_segments,
       .note = "a mirror's copy of the next octets",
       .finding = {kToB, 10, "1", ""},
       .raise = [] { return first_from_outside(false); },
       .near_miss = [] { return first_from_outside(true); }},
      {.id = tcp_hole_never_filled,
       .note = "the hole is filled at last",
       .finding = {kToB, 19, "124", ""},
       .raise = [] { return hole(false); },
       .near_miss = [] { return hole(true); }},
      {.id = tcp_hole_never_filled,
       .note = "the receiver acknowledges what was not seen: a capture gap",
       .finding = {kToB, 13, "124", ""},
       .raise = one_sided_hole,
       .near_miss = [] { return connected(sends_with_effect(Effect::miss)); }},
  };
}

}  // namespace

std::vector<Scenario> tcp_scenarios() {
  std::vector<Scenario> all;
  for (auto part : {damage_scenarios, order_scenarios, state_scenarios}) {
    for (Scenario& s : part()) all.push_back(std::move(s));
  }
  return all;
}

}  // namespace iwarpscope::test
