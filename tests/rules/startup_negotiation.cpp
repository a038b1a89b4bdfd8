// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// MS-24 to MS-39: peer-to-peer mode, read depths, CRC.
#include "rules/startup_traffic.h"

namespace iwarpscope::test {
namespace {

using enum findings::FindingId;
using synth::Connection;
using synth::Effect;
using synth::hex;
using synth::Rtr;
using synth::Startup;

constexpr unsigned kOpen = 0x3FFF;  // left to the application

const Startup kNothingInCommon{.request_enhanced = peer_to_peer("w"), .reply_enhanced = peer_to_peer("r")};
const Startup kReadOrSend{.request_enhanced = peer_to_peer("swr"), .reply_enhanced = peer_to_peer("sr")};

// Startup, whatever the Initiator does first, a Send each way.
Traffic first(const Startup& startup, const std::function<void(Connection&)>& does) {
  Connection c;
  c.connect();
  c.startup(startup);
  does(c);
  c.send(kI, 100);
  c.send(kR, 100);
  c.close();
  return of(c);
}

Traffic terminated_startup(const Startup& startup, std::uint8_t code) {
  Connection c;
  c.connect();
  c.startup(startup);
  c.terminate(kI, {.layer = 2, .error_type = 0, .error_code = code});
  c.close();
  return of(c);
}

Traffic rtr_not_captured() {
  Connection c;
  c.connect();
  c.startup(kReadOrSend);
  c.channel(kI, Effect::miss);
  c.rtr(Rtr::send);
  c.acknowledge(kR);
  c.send(kI, 100);
  c.send(kR, 100);
  c.close();
  return of(c);
}

Traffic rejected(EnhancedData request, EnhancedData reply) {
  return shut({.revision = 2, .enhanced = request}, {.reject = true, .revision = 2, .enhanced = reply}, kR);
}

EnhancedData with_send_rtr(EnhancedData data) {
  data.rtr_send = true;
  return data;
}

void read_of_nothing(Connection& c) {
  c.read(kI, {STag{0x11}, TaggedOffset{0x100}, 0, STag{0x22}, TaggedOffset{0x200}});
}

std::vector<Scenario> peer_to_peer_scenarios() {
  return {
      {.id = mpa_peer_to_peer_differs,
       .note = "A copied",
       .finding = {kToA, 5, "0", "1"},
       .raise = [] { return negotiate(peer_to_peer("s"), depths(16, 16)); },
       .near_miss = [] { return negotiate(peer_to_peer("s"), peer_to_peer("s"), Rtr::send); }},
      {.id = mpa_peer_to_peer_differs,
       .note = "a rejection need not copy A",
       .finding = {kToA, 5, "1", "0"},
       .raise = [] { return negotiate(depths(16, 16), peer_to_peer("s")); },
       .near_miss = [] { return rejected(peer_to_peer("s"), depths(16, 16)); }},
      {.id = mpa_rtr_without_peer_to_peer,
       .note = "B with A",
       .finding = {kToB, 4, "Send", "none"},
       .raise = [] { return negotiate(with_send_rtr(depths(16, 16)), depths(16, 16)); },
       .near_miss = [] { return negotiate(peer_to_peer("s"), peer_to_peer("s"), Rtr::send); }},
      {.id = mpa_rtr_without_peer_to_peer,
       .note = "depths with all bits set",
       .finding = {kToA, 5, "Send", "none"},
       .raise = [] { return negotiate(depths(16, 16), with_send_rtr(depths(16, 16))); },
       .near_miss = [] { return negotiate(depths(kOpen, kOpen), depths(kOpen, kOpen)); }},
      {.id = mpa_request_offers_no_rtr,
       .note = "RDMA Read alone is offered",
       .finding = {kToB, 4, "none", ""},
       .raise = [] { return negotiate(peer_to_peer(""), peer_to_peer("s")); },
       .near_miss = [] { return negotiate(peer_to_peer("r"), peer_to_peer("r"), Rtr::read); }},
      {.id = mpa_reply_offers_no_rtr,
       .note = "the Reply offers one type that was not asked for",
       .finding = {kToA, 5, "none", ""},
       .raise =
           [] {
             return terminated_startup({.request_enhanced = peer_to_peer("swr"), .reply_enhanced = peer_to_peer("")},
                                       7);
           },
       .near_miss = [] { return terminated_startup(kNothingInCommon, 7); }},
      {.id = mpa_reply_offers_no_rtr,
       .note = "a rejecting Reply",
       .finding = {kToA, 5, "none", ""},
       .raise =
           [] {
             return terminated_startup({.request_enhanced = peer_to_peer("s"), .reply_enhanced = peer_to_peer("")}, 7);
           },
       .near_miss = [] { return rejected(peer_to_peer("swr"), peer_to_peer("")); }},
  };
}

std::vector<Scenario> rtr_scenarios() {
  return {
      {.id = mpa_rtr_mismatch_not_terminated,
       .note = "the Terminate that says so",
       .finding = {kToB, 6, "send", ""},
       .raise = [] { return talk_after(kNothingInCommon); },
       .near_miss = [] { return terminated_startup(kNothingInCommon, 7); }},
      {.id = mpa_rtr_mismatch_not_terminated,
       .note = "one type in common is enough",
       .finding = {kToB, 6, "rdma_write", ""},
       .raise = [] { return first(kNothingInCommon, [](Connection& c) { c.rtr(Rtr::write); }); },
       .near_miss =
           [] {
             return talk_after(
                 {.request_enhanced = peer_to_peer("sw"), .reply_enhanced = peer_to_peer("wr"), .rtr = Rtr::write});
           }},
      {.id = mpa_rtr_mismatch_not_terminated,
       .note = "the first FPDU was not captured",
       .finding = {kToB, 6, "", ""},
       .raise = [] { return terminated_startup(kNothingInCommon, 5); },
       .near_miss =
           [] {
             Connection c;
             c.connect();
             c.startup(kNothingInCommon);
             c.channel(kI, Effect::miss);
             c.terminate(kI, {.layer = 2, .error_type = 0, .error_code = 7});
             c.acknowledge(kR);
             c.close();
             return of(c);
           }},
      {.id = mpa_rtr_missing,
       .note = "an empty Send",
       .finding = {kToB, 6, "send", "RTR"},
       .raise = [] { return talk_after(kReadOrSend); },
       .near_miss = [] { return first(kReadOrSend, [](Connection& c) { c.rtr(Rtr::send); }); }},
      {.id = mpa_rtr_missing,
       .note = "the RTR was not captured",
       .finding = {kToB, 6, "rdma_write", "RTR"},
       .raise = [] { return first(kReadOrSend, [](Connection& c) { c.rtr(Rtr::write); }); },
       .near_miss = rtr_not_captured},
      {.id = mpa_rtr_missing,
       .note = "an empty RDMA Read with STags and TOs of its own",
       .finding = {kToB, 6, "rdma_read_request", "RTR"},
       .raise =
           [] {
             return first(kReadOrSend, [](Connection& c) {
               c.read(kI, {STag{1}, TaggedOffset{0}, 1, STag{2}, TaggedOffset{0}});
             });
           },
       .near_miss = [] { return first(kReadOrSend, read_of_nothing); }},
      {.id = mpa_rtr_missing,
       .note = "the Initiator has too little for the Reply's ORD and terminates",
       .finding = {kToB, 6, "", "RTR"},
       .raise = [] { return first(kReadOrSend, [](Connection& c) { c.send_se(kI); }); },
       .near_miss = [] { return terminated_startup(kReadOrSend, 6); }},
      {.id = mpa_unnegotiated_rtr,
       .note = "an empty Send is an ordinary message",
       .finding = {kToB, 6, "rdma_write", ""},
       .raise = [] { return first({}, [](Connection& c) { c.rtr(Rtr::write); }); },
       .near_miss = [] { return first({}, [](Connection& c) { c.rtr(Rtr::send); }); }},
      {.id = mpa_unnegotiated_rtr,
       .note = "an empty RDMA Write that is not the first message",
       .finding = {kToB, 6, "rdma_read_request", ""},
       .raise = [] { return first({}, [](Connection& c) { c.rtr(Rtr::read); }); },
       .near_miss =
           [] {
             return first({}, [](Connection& c) {
               c.send(kI, 10);
               c.rtr(Rtr::write);
             });
           }},
      {.id = mpa_unnegotiated_rtr,
       .note = "the RTR that was negotiated",
       .finding = {kToB, 6, "rdma_write", ""},
       .raise = [] { return first({}, [](Connection& c) { c.rtr(Rtr::write); }); },
       .near_miss = [] { return negotiate(peer_to_peer("w"), peer_to_peer("w"), Rtr::write); }},
  };
}

std::vector<Scenario> depth_scenarios() {
  return {
      {.id = mpa_reply_ord_too_high,
       .note = "an ORD equal to the Request's IRD",
       .finding = {kToA, 5, "5", "4"},
       .raise = [] { return negotiate(depths(4, 4), depths(4, 5)); },
       .near_miss = [] { return negotiate(depths(4, 4), depths(4, 4)); }},
      {.id = mpa_reply_ord_too_high,
       .note = "a rejecting Reply names the ORD it would need",
       .finding = {kToA, 5, "1", "0"},
       .raise = [] { return negotiate(depths(0, 4), depths(4, 1)); },
       .near_miss = [] { return rejected(depths(4, 4), depths(4, 8)); }},
      {.id = mpa_reply_ird_too_low,
       .note = "an IRD equal to the Request's ORD",
       .finding = {kToA, 5, "3", "4"},
       .raise = [] { return negotiate(depths(4, 4), depths(3, 4)); },
       .near_miss = [] { return negotiate(depths(4, 4), depths(4, 4)); }},
      {.id = mpa_reply_ird_too_low,
       .note = "an IRD raised from 0 to 1 for the RTR",
       .finding = {kToA, 5, "0", "1"},
       .raise = [] { return negotiate(depths(4, 1), depths(0, 4)); },
       .near_miss = [] { return negotiate(peer_to_peer("r", 4, 0), peer_to_peer("r", 1, 4), Rtr::read); }},
      {.id = mpa_unnegotiated_ord_not_answered,
       .note = "0x3FFF answered by 0x3FFF",
       .finding = {kToA, 5, "16", "0x3FFF"},
       .raise = [] { return negotiate(depths(8, kOpen), depths(16, 8)); },
       .near_miss = [] { return negotiate(depths(8, kOpen), depths(kOpen, 8)); }},
      {.id = mpa_unnegotiated_ord_not_answered,
       .note = "0x3FFE is a number",
       .finding = {kToA, 5, "16382", "0x3FFF"},
       .raise = [] { return negotiate(depths(8, kOpen), depths(0x3FFE, 8)); },
       .near_miss = [] { return negotiate(depths(8, 0x3FFE), depths(0x3FFE, 8)); }},
      {.id = mpa_unnegotiated_ird_not_answered,
       .note = "0x3FFF answered by 0x3FFF",
       .finding = {kToA, 5, "16", "0x3FFF"},
       .raise = [] { return negotiate(depths(kOpen, 8), depths(8, 16)); },
       .near_miss = [] { return negotiate(depths(kOpen, 8), depths(8, kOpen)); }},
      {.id = mpa_unnegotiated_ird_not_answered,
       .note = "a rejecting Reply",
       .finding = {kToA, 5, "0", "0x3FFF"},
       .raise = [] { return negotiate(depths(kOpen, 8), depths(8, 0)); },
       .near_miss = [] { return rejected(depths(kOpen, kOpen), depths(0, 0)); }},
      {.id = mpa_unnegotiated_depth_not_asked,
       .note = "both left open by both",
       .finding = {kToA, 5, "ORD 0x3FFF", "8"},
       .raise = [] { return negotiate(depths(8, 8), depths(8, kOpen)); },
       .near_miss = [] { return negotiate(depths(kOpen, kOpen), depths(kOpen, kOpen)); }},
      {.id = mpa_unnegotiated_depth_not_asked,
       .note = "the one that was left open",
       .finding = {kToA, 5, "ORD 0x3FFF", "8"},
       .raise = [] { return negotiate(depths(8, kOpen), depths(kOpen, kOpen)); },
       .near_miss = [] { return negotiate(depths(8, kOpen), depths(kOpen, 8)); }},
      {.id = mpa_read_rtr_with_zero_ird,
       .note = "an IRD of 1",
       .finding = {kToB, 5, "0", "1"},
       .raise = [] { return negotiate(peer_to_peer("r", 4, 0), peer_to_peer("r", 0, 4), Rtr::read); },
       .near_miss = [] { return negotiate(peer_to_peer("r", 4, 0), peer_to_peer("r", 1, 4), Rtr::read); }},
      {.id = mpa_read_rtr_with_zero_ird,
       .note = "another type is chosen",
       .finding = {kToB, 5, "0", "1"},
       .raise = [] { return negotiate(peer_to_peer("sr", 4, 0), peer_to_peer("sr", 0, 4), Rtr::read); },
       .near_miss = [] { return negotiate(peer_to_peer("sr", 4, 0), peer_to_peer("sr", 0, 4), Rtr::send); }},
      {.id = mpa_read_rtr_with_zero_ird,
       .note = "the Initiator terminates instead",
       .finding = {kToB, 5, "0", "1"},
       .raise = [] { return negotiate(peer_to_peer("r", 4, 0), peer_to_peer("r", 0, 4), Rtr::read); },
       .near_miss =
           [] {
             return terminated_startup(
                 {.request_enhanced = peer_to_peer("r", 4, 0), .reply_enhanced = peer_to_peer("r", 0, 4)}, 6);
           }},
  };
}

std::vector<Scenario> enhanced_request_scenarios() {
  return {
      {.id = mpa_enhanced_asks_nothing,
       .note = "one depth is given",
       .finding = {kToB, 4, "", ""},
       .raise = [] { return negotiate(depths(kOpen, kOpen), depths(kOpen, kOpen)); },
       .near_miss = [] { return negotiate(depths(kOpen, 0), depths(0, kOpen)); }},
      {.id = mpa_enhanced_asks_nothing,
       .note = "peer-to-peer mode is asked for",
       .finding = {kToB, 4, "", ""},
       .raise = [] { return negotiate(depths(kOpen, kOpen), depths(kOpen, kOpen)); },
       .near_miss =
           [] { return negotiate(peer_to_peer("s", kOpen, kOpen), peer_to_peer("s", kOpen, kOpen), Rtr::send); }},
      {.id = mpa_crc_off,
       .note = "the Reply alone asks for CRC",
       .finding = {kToA, 5, "0", ""},
       .raise = [] { return talk_after(Startup{.crc = false}); },
       .near_miss = [] { return talk_after(Startup{.request_crc = false}); }},
      {.id = mpa_crc_off,
       .note = "a rejected connection, which has no FPDUs to protect",
       .finding = {kToA, 5, "0", ""},
       .raise = [] { return talk_after(Startup{.crc = false, .markers = true}); },
       .near_miss = [] { return shut({.crc = false}, {.crc = false, .reject = true}); }},
      {.id = mpa_legacy_read_depths,
       .note = "seven octets of the like",
       .finding = {kToB, 4, "IRD 16 ORD 8", ""},
       .raise = [] { return talk({.private_data = hex("00000010 00000008")}); },
       .near_miss = [] { return talk({.private_data = hex("00000010 000000")}); }},
      {.id = mpa_legacy_read_depths,
       .note = "a value that is no read depth",
       .finding = {kToB, 4, "IRD 16 ORD 8", ""},
       .raise = [] { return talk({.private_data = hex("10000000 08000000 61626364")}); },
       .near_miss = [] { return talk({.private_data = hex("00000010 00004000 61626364")}); }},
      {.id = mpa_legacy_read_depths,
       .note = "after enhanced data, which states the depths itself",
       .finding = {kToA, 5, "IRD 8 ORD 16", ""},
       .raise = [] { return talk(StartupFrame{}, {.private_data = hex("00000008 00000010")}); },
       .near_miss =
           [] {
             return talk({.revision = 2, .enhanced = depths(8, 8), .private_data = hex("00000010 00000008")},
                         {.revision = 2, .enhanced = depths(8, 8)});
           }},
  };
}

}  // namespace

std::vector<Scenario> startup_negotiation_scenarios() {
  std::vector<Scenario> all;
  for (auto part : {peer_to_peer_scenarios, rtr_scenarios, depth_scenarios, enhanced_request_scenarios}) {
    for (Scenario& s : part()) all.push_back(std::move(s));
  }
  return all;
}

}  // namespace iwarpscope::test
