// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Scripts with SCTP: they give the octets of the corresponding calls; and their error messages.
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "synth/association.h"
#include "synth/connection.h"
#include "synth/script.h"

namespace iwarpscope::synth {
namespace {

using wire::EnhancedData;
using wire::SessionFunction;

struct SameOverSctp {
  std::string_view script;
  std::function<void(Association&)> calls;
  SctpOptions sctp{};
  ConnectionOptions options{};
};

TEST(ScriptOfSctp, GivesTheOctetsOfTheCalls) {
  const EnhancedData offer{.peer_to_peer = true, .rtr_write = true, .ird = 4, .ord = 16};
  const std::vector<SameOverSctp> all = {
      {"sctp; connect; startup; send a 3000; read b size=5000; close; shutdown b",
       [](Association& a) {
         a.connect();
         a.stream(0).startup();
         a.stream(0).send(kI, 3000);
         a.stream(0).read(kR, {.size = 5000});
         a.stream(0).close();
         a.shutdown(kR);
       }},
      {"sctp mtu=9000 udp; sctp-end a tag=7 out=3 in=2 no-adaptation also=10.1.0.1,10.2.0.1; sctp-end b adaptation=2"
       " window=5; end a isn=9; connect; heartbeat b; path a 2 0; heartbeat a",
       [](Association& a) {
         a.connect();
         a.heartbeat(kR);
         a.use_path(kI, 2, 0);
         a.heartbeat(kI);
       },
       {.initiator = {.tag = 7,
                      .outbound_streams = 3,
                      .inbound_streams = 2,
                      .adaptation = {},
                      .more_addresses = {"10.1.0.1", "10.2.0.1"}},
        .responder = {.tag = 0xB2B2B2B2, .adaptation = 2U, .window = 5},
        .mtu = 9000,
        .udp = true},
       {.initiator = {.isn = 9}}},
      {"sctp; connect; a-rwnd b 0; startup; a-rwnd b 4000000000; ack b",
       [](Association& a) {
         a.connect();
         a.offer_window(kR, 0);
         a.stream(0).startup();
         a.offer_window(kR, 4000000000);
         a.acknowledge(kR);
       }},
      {"sctp; sctp-stream 3; startup ird=8 ord=4; bundle a on; send a 40; sctp-stream 0; startup; send a 40; flush",
       [](Association& a) {
         a.stream(3).startup({.request_enhanced = EnhancedData{.ird = 8, .ord = 4},
                              .reply_enhanced = EnhancedData{.ird = 4, .ord = 8}});
         a.bundle(kI, true);
         a.stream(3).send(kI, 40);
         a.stream(0).startup();
         a.stream(0).send(kI, 40);
         a.flush();
       }},
      {"sctp; session a enhanced-initiate p2p offer=write ird=4 ddp-ssn-delta=2 unordered=off; session b 9"
       " private-text=hi ppid=46; alter a ddp-ssn=7 skip=1; ddp-ssn a 5; send a 1; send a 2; abort b",
       [&](Association& a) {
         SctpStream& s = a.stream(0);
         s.control(kI, {SessionFunction::enhanced_initiate, offer}, {.unordered = false, .ddp_ssn_delta = 2});
         s.control(kR, {static_cast<SessionFunction>(9), {}, text("hi")}, {.ppid = 46U});
         s.alter(kI, {.chunk = {.ddp_ssn = std::uint16_t{7}}}, 1);
         s.set_ddp_ssn(kI, 5);
         s.send(kI, 1);
         s.send(kI, 2);
         a.abort(kR);
       }},
      {"sctp; startup; new-session; startup; new-session in-haste; session a initiate; lose a delay=0; sctp-fragment a"
       " 100; send a 250; sctp-fragment a usual; send a 250; data b stream=2 ppid=5 ordered text=x; ack a; ack b",
       [](Association& a) {
         SctpStream& s = a.stream(0);
         s.startup();
         s.new_session();
         s.startup();
         s.new_session(true);
         s.control(kI, {SessionFunction::initiate});
         a.channel(kI, Effect::lose_before_tap, {.delay = 0});
         a.fragment(kI, 100);
         s.send(kI, 250);
         a.fragment(kI, {});
         s.send(kI, 250);
         a.data(kR, {.stream = 2, .ppid = 5, .unordered = false, .user_data = text("x")});
         a.acknowledge(kI);
         a.acknowledge(kR);
       }},
  };
  for (const SameOverSctp& same : all) {
    Association a(same.options, same.sctp);
    same.calls(a);
    EXPECT_EQ(write_file(play(same.script)), write_file(a.frames())) << same.script;
  }
}

TEST(ScriptOfSctp, SharesClockAndMemoryWithTcp) {
  Clock clock;
  Connection one({.clock = &clock});
  one.startup();
  one.atomic(kI, {.data = 5});
  Association other({.initiator = {.port = 40001}, .clock = &clock});
  other.stream(0).share_memory(one);
  other.stream(2).startup();
  EXPECT_EQ(other.stream(2).atomic(kI, {.data = 5}), 5U);
  EXPECT_EQ(write_file(play("startup; atomic a fetch_add data=5\nconnection\nsctp; sctp-stream 2; startup\n"
                            "atomic a fetch_add data=5")),
            write_file(merge({one.frames(), other.frames()})));
}

TEST(ScriptOfSctp, ErrorsSayWhatIsWrong) {
  const std::vector<std::pair<std::string_view, std::string_view>> all = {
      {"connect; shutdown", "this is a command for SCTP, but the script uses TCP"},
      {"sctp-stream 1", "this is a command for SCTP, but the script uses TCP"},
      {"sctp; connect; fin a", "this is a command for TCP, but the script uses SCTP"},
      {"sctp; octets a hex=00", "this is a command for TCP, but the script uses SCTP"},
      {"connect; sctp", "the connection has begun; settings must come before all other commands"},
      {"sctp mtu=100", "mtu: must be at least 256"},
      {"sctp; path a 1 0", "path: no such address"},
      {"sctp; sctp-end b also=fd00::2; path a 0 1", "path: one address is IPv4, the other IPv6"},
      {"sctp; sctp-end b also=nowhere", ""},
      {"sctp; session a begin",
       "the function: 'begin' is none of initiate, accept, reject, terminate, enhanced-initiate"},
      {"sctp; session a 65536", "the function: 65536 is above 65535"},
      {"sctp; data a", "hex=... or text=\"...\" is missing"},
      {"sctp; data a hex=", "a DATA chunk has at least one octet of user data"},
      {"sctp; sctp-fragment a 0", "sctp-fragment: must be at least 1 octet"},
  };
  for (const auto& [script, error] : all) {
    try {
      (void)play(script);
      ADD_FAILURE() << script;
    } catch (const ScriptError& e) {
      EXPECT_EQ(std::string_view(e.what()).substr(0, 10 + error.size()), "script:1: " + std::string(error)) << script;
    }
  }
}

}  // namespace
}  // namespace iwarpscope::synth
