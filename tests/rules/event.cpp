// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// QP: what ended or refused a connection.
#include "rules/message_traffic.h"

namespace iwarpscope::test {
namespace {

using enum findings::FindingId;
using synth::Connection;
using synth::wire::StartupFrame;
using synth::wire::TerminateDialect;

MakeTraffic startup_answered_by(StartupFrame reply) {
  reply.kind = StartupFrame::Kind::reply;
  return [=] {
    Connection c;
    c.connect();
    c.startup({}, reply);
    c.close();
    return Traffic{.frames = c.frames()};
  };
}
Play refused_write(TerminateDialect dialect) {
  return [=](Connection& c) {
    c.write(kInit, kStag, kTo, 100);
    c.terminate_last(kResp, 1, 1, 0, dialect);
  };
}

}  // namespace

std::vector<Scenario> event_scenarios() {
  return {
      // The Initiator gives up, by a reset, before it sent anything in Full Operation: every rule is kept.
      {rdmap_failed_otherwise,
       "it waits and closes in order",
       {},
       bare([](Connection& c) { c.reset(kInit); }),
       whole([](Connection& c) { c.wait(1000); })},
      {rdmap_failed_otherwise,
       "an end waits, but not for long",
       {},
       bare([](Connection& c) {
         c.read_request(kInit, {.size = 100});
         c.wait(3'000'000'000);
         c.keep_alive(kInit);
       }),
       bare([](Connection& c) {
         c.read_request(kInit, {.size = 100});
         c.wait(3'000'000);
         c.keep_alive(kInit);
       })},
      {mpa_rejected, "accepted", {kToA, 4, "", ""}, startup_answered_by({.reject = true}), startup_answered_by({})},
      {mpa_rejected,
       "closed without a Reply",
       {kToA, 4, "", ""},
       startup_answered_by({.reject = true, .private_data = synth::text("busy")}),
       [] {
         Connection c;
         c.connect();
         c.request({});
         c.close(kResp);
         return Traffic{.frames = c.frames()};
       }},
      {mpa_rejected,
       "the R bit in a Request says nothing (MS-05)",
       {kToA, 4, "", ""},
       [] {
         Connection c;
         c.connect();
         c.startup({.reject = true});
         c.startup();  // and another try on the same connection
         c.send(kInit, 100);
         c.close();
         return Traffic{.frames = c.frames()};
       },
       [] {
         Connection c;
         c.connect();
         c.startup({.reject = true}, {.kind = StartupFrame::Kind::reply});
         c.send(kInit, 100);
         c.close();
         return Traffic{.frames = c.frames()};
       }},

      {rdmap_terminate_sent,
       "closed gracefully",
       {kToA, 8, "1/1/00", ""},
       whole(refused_write(TerminateDialect::rfc5040)),
       whole([](Connection& c) { c.write(kInit, kStag, kTo, 100); })},
      {rdmap_terminate_sent,
       "reset",
       {kToA, 8, "1/1/00", ""},
       whole(refused_write(TerminateDialect::siw_little_endian)),
       bare([](Connection& c) {
         c.send(kInit, 100);
         c.send(kResp, 100);
         c.reset(kInit);
       })},
      {rdmap_terminate_sent,
       "damaged: it may be something else",
       {kToA, 9, "1/1/00", ""},
       whole(refused_write(TerminateDialect::bare)),
       whole([](Connection& c) {
         c.alter(kResp, {.fpdu = {.crc_xor = 1}});
         refused_write(TerminateDialect::rfc5040)(c);
       }),
       {},
       {mpa_crc_mismatch}},
      {rdmap_terminate_sent,
       "a message of the applications on queue 0 that looks like one",
       {kToA, 13, "0/0/00", ""},
       midstream([](Connection& c) {
         for (int i = 0; i < 4; ++i) c.send(kInit, 300);
         for (int i = 0; i < 4; ++i) c.send(kResp, 300);
         c.terminate_last(kResp, 0, 0, 0);
       }),
       whole([](Connection& c) {
         c.send(kInit, synth::wire::write(synth::wire::Terminate{.layer = 1, .error_type = 1}));
       })},
  };
}

}  // namespace iwarpscope::test
