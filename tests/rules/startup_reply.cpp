// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// MS-15 to MS-22 and MS-40: what the Reply does, and what follows it.
#include "rules/startup_traffic.h"

namespace iwarpscope::test {
namespace {

using enum findings::FindingId;
using synth::Buffer;
using synth::Connection;
using synth::Effect;
using synth::text;

const StartupFrame kReply{.kind = StartupFrame::Kind::reply};
const StartupFrame kRejection{.kind = StartupFrame::Kind::reply, .reject = true};

// A Request that was damaged on the way: the Responder never saw that copy.
Traffic reply_to_repaired_request() {
  Connection c;
  c.connect();
  c.channel(kI, Effect::corrupt, {.delay = 0});
  c.request({});
  c.flush();
  c.reply(kReply);
  c.close();
  return of(c);
}

Traffic malformed_reply_then(bool fpdu) {
  Connection c;
  c.connect();
  c.startup({}, {.kind = StartupFrame::Kind::reply, .key = text("MPA ID Rxp Frame")});
  if (fpdu) {
    c.send(kI, 100);
    c.send(kR, 100);
  }
  c.close();
  return of(c);
}

Traffic reply_not_captured() {
  Connection c;
  c.connect();
  c.request({});
  c.channel(kR, Effect::miss);
  c.reply(kReply);
  c.acknowledge(kI);
  c.close(kR);
  return of(c);
}

/// What the Responder's FIN acknowledges shows that the Initiator had closed before.
Traffic initiators_fin_not_captured() {
  Connection c;
  c.connect();
  c.request({});
  c.acknowledge(kR);
  c.channel(kI, Effect::miss);
  c.close(kI);
  return of(c);
}

Traffic one_sided_close() {
  Connection c;
  c.connect();
  c.capture_only(kI);
  c.request({});
  c.close(kR);
  return of(c);
}

Traffic rejected_then(const std::function<void(Connection&)>& more, synth::Side closes = kI) {
  Connection c;
  c.connect();
  c.startup({}, kRejection);
  more(c);
  c.close(closes);
  return of(c);
}

void start_again(Connection& c) {
  c.startup({}, kReply);
  c.send(kI, 100);
  c.send(kR, 100);
}

// The private data is longer than PD_Length says: the rest is where the first FPDU belongs.
Traffic reply_longer_than_it_says(std::uint16_t announced) {
  Connection c;
  c.connect();
  c.startup({}, {.kind = StartupFrame::Kind::reply,
                 .private_data = text("welcome to the RDMA service"),
                 .private_data_length = announced});
  c.send(kI, 100);
  c.send(kR, 100);
  c.close();
  return of(c);
}

Traffic text_instead_of_fpdus() {
  Connection c;
  c.connect();
  c.startup();
  c.stream(kI, "GET / HTTP/1.1\r\nHost: example.org\r\nAccept: */*\r\n\r\n");
  c.close();
  return of(c);
}

Traffic first_fpdu_not_captured() {
  Connection c;
  c.connect();
  c.startup();
  c.packing(kI, synth::Packing::cut, {30, 94});
  c.channel(kI, Effect::miss);
  for (int i = 0; i < 8; ++i) c.send(kI, 100);
  c.acknowledge(kR);
  c.close();
  return of(c);
}

Traffic first_fpdu_damaged(std::string_view fault) {
  Connection c;
  c.connect();
  c.startup();
  c.fault(kI, fault);
  c.send(kI, 100);
  for (int i = 0; i < 4; ++i) c.send(kI, 100);
  c.close();
  return of(c);
}

std::vector<Scenario> malformed_scenarios() {
  return {
      {.id = mpa_reply_to_malformed_request,
       .note = "the Request was damaged on the way and repaired by TCP",
       .finding = {kToA, 5, "", ""},
       .raise = [] { return shut({.key = text("MPA ID Rxq Frame")}, kReply); },
       .near_miss = reply_to_repaired_request,
       .with = {mpa_request_key_wrong}},
      {.id = mpa_reply_to_malformed_request,
       .note = "R in the Request is wrong, but receivers do not look at it",
       .finding = {kToA, 5, "", ""},
       .raise = [] { return shut({.private_data = Buffer(600)}, kReply); },
       .near_miss = [] { return shut({.reject = true}, kReply); },
       .with = {mpa_private_data_too_long}},
      {.id = mpa_reply_to_malformed_request,
       .note = "the malformed Request is met by a close",
       .finding = {kToA, 5, "", ""},
       .raise = [] { return shut({.private_data = Buffer(600)}, kRejection); },
       .near_miss = [] { return unanswered({.private_data = Buffer(600)}); },
       .with = {mpa_private_data_too_long},
       .near_with = {mpa_private_data_too_long}},
      {.id = mpa_fpdu_after_malformed_reply,
       .note = "the malformed Reply is met by a close",
       .finding = {kToB, 6, "", ""},
       .raise = [] { return malformed_reply_then(true); },
       .near_miss = [] { return malformed_reply_then(false); },
       .with = {mpa_reply_key_wrong},
       .near_with = {mpa_reply_key_wrong}},
      {.id = mpa_fpdu_after_malformed_reply,
       .note = "512 octets of private data are not too many",
       .finding = {kToB, 6, "", ""},
       .raise = [] { return talk(StartupFrame{}, {.private_data = Buffer(600)}); },
       .near_miss = [] { return talk(StartupFrame{}, {.private_data = Buffer(512)}); },
       .with = {mpa_private_data_too_long}},
  };
}

std::vector<Scenario> pair_scenarios() {
  const EnhancedData some = depths(8, 8);
  return {
      {.id = mpa_enhanced_bit_differs,
       .note = "both plain at revision 2",
       .finding = {kToA, 5, "0", "1"},
       .raise = [some] { return talk({.revision = 2, .enhanced = some}, {.revision = 2}); },
       .near_miss = [] { return talk({.revision = 2}, {.revision = 2}); }},
      {.id = mpa_enhanced_bit_differs,
       .note = "both plain, revisions differ",
       .finding = {kToA, 5, "1", "0"},
       .raise = [some] { return talk({.revision = 2}, {.revision = 2, .enhanced = some}); },
       .near_miss = [] { return talk({.revision = 2}, {.revision = 1}); }},
      {.id = mpa_enhanced_bit_differs,
       .note = "a plain Request to which no Reply was captured",
       .finding = {kToA, 5, "0", "1"},
       .raise = [some] { return shut({.revision = 2, .enhanced = some}, {.reject = true, .revision = 2}); },
       .near_miss = reply_not_captured},
      {.id = mpa_enhanced_reply_below_revision_2,
       .note = "an enhanced Reply of revision 2",
       .finding = {kToA, 5, "1", "at least 2"},
       .raise = [some] { return talk({.revision = 2, .enhanced = some}, {.revision = 1, .enhanced = some}); },
       .near_miss = [some] { return talk({.revision = 2, .enhanced = some}, {.revision = 2, .enhanced = some}); }},
      {.id = mpa_enhanced_reply_below_revision_2,
       .note = "a plain Reply of revision 1 with as much private data",
       .finding = {kToA, 5, "1", "at least 2"},
       .raise = [some] { return talk({.enhanced = some}, {.enhanced = some}); },
       .near_miss = [] { return talk(StartupFrame{}, {.private_data = Buffer(4)}); },
       .with = {mpa_enhanced_below_revision_2}},
      {.id = mpa_reply_revision_higher,
       .note = "a Reply of a lower revision",
       .finding = {kToA, 5, "2", "1"},
       .raise = [] { return talk(StartupFrame{}, {.revision = 2}); },
       .near_miss = [] { return talk({.revision = 2}, {.revision = 1}); }},
      {.id = mpa_reply_revision_higher,
       .note = "an old peer answers with revision 0",
       .finding = {kToA, 5, "1", "0"},
       .raise = [] { return talk({.markers = true, .revision = 0}, {.markers = true, .revision = 1}); },
       .near_miss = [] { return talk({}, {.markers = true, .revision = 0}); }},
      {.id = mpa_closed_without_reply,
       .note = "the Reply was not captured",
       .finding = {kToA, 5, "", ""},
       .raise = [] { return unanswered({}); },
       .near_miss = reply_not_captured},
      {.id = mpa_closed_without_reply,
       .note = "the Initiator closes first",
       .finding = {kToA, 5, "", ""},
       .raise = [] { return unanswered({.private_data = text("hello")}); },
       .near_miss = [] { return unanswered({}, kI); }},
      {.id = mpa_closed_without_reply,
       .note = "the Initiator closes first, and its FIN is not in the capture",
       .raise = [] { return unanswered({}); },
       .near_miss = initiators_fin_not_captured},
      {.id = mpa_closed_without_reply,
       .note = "an enhanced Request, which a Responder of RFC 5044 closes on",
       .finding = {kToA, 5, "", ""},
       .raise = [] { return unanswered({}); },
       .near_miss = [some] { return unanswered({.revision = 2, .enhanced = some}); }},
      {.id = mpa_closed_without_reply,
       .note = "the Responder's octets are not in the capture",
       .finding = {kToA, 5, "", ""},
       .raise = [] { return unanswered({}); },
       .near_miss = one_sided_close},
  };
}

std::vector<Scenario> rejection_scenarios() {
  return {
      {.id = mpa_fpdu_after_reject,
       .note = "the connection starts again and succeeds",
       .finding = {kToB, 6, "", ""},
       .raise = [] { return rejected_then([](Connection& c) { c.send(kI, 100); }); },
       .near_miss = [] { return rejected_then(start_again); }},
      {.id = mpa_fpdu_after_reject,
       .note = "streaming data after the rejection",
       .finding = {kToA, 6, "", ""},
       .raise = [] { return rejected_then([](Connection& c) { c.send(kR, 100); }); },
       .near_miss = [] { return rejected_then([](Connection& c) { c.stream(kI, "then let us talk plainly\r\n"); }); }},
      {.id = mpa_closed_after_reject,
       .note = "the Initiator closes",
       .finding = {kToA, 6, "", ""},
       .raise = [] { return rejected_then([](Connection&) {}, kR); },
       .near_miss = [] { return rejected_then([](Connection&) {}, kI); }},
      {.id = mpa_closed_after_reject,
       .note = "the Responder closes a connection that started again",
       .finding = {kToA, 6, "", ""},
       .raise = [] { return rejected_then([](Connection&) {}, kR); },
       .near_miss = [] { return rejected_then(start_again, kR); }},
  };
}

std::vector<Scenario> first_fpdu_scenarios() {
  return {
      {.id = mpa_first_fpdu_unreadable,
       .note = "PD_Length that is right",
       .finding = {kToA, 5, "6f20746865205244", "an FPDU"},
       .raise = [] { return reply_longer_than_it_says(9); },
       .near_miss = [] { return reply_longer_than_it_says(27); }},
      {.id = mpa_first_fpdu_unreadable,
       .note = "the first octets were not captured",
       .finding = {kToB, 6, "474554202f204854", "an FPDU"},
       .raise = text_instead_of_fpdus,
       .near_miss = first_fpdu_not_captured},
      {.id = mpa_first_fpdu_unreadable,
       .note = "an FPDU whose octets changed is an FPDU",
       .finding = {kToB, 6, "474554202f204854", "an FPDU"},
       .raise = text_instead_of_fpdus,
       .near_miss = [] { return first_fpdu_damaged("octet-changed"); },
       .near_with = {mpa_crc_mismatch}},
      {.id = mpa_first_fpdu_unreadable,
       .note = "an FPDU with an opcode that does not exist is an FPDU",
       .finding = {kToB, 6, "474554202f204854", "an FPDU"},
       .raise = text_instead_of_fpdus,
       .near_miss = [] { return first_fpdu_damaged("opcode-unassigned"); },
       .near_with = {rdmap_opcode_unassigned}},
  };
}

}  // namespace

std::vector<Scenario> startup_reply_scenarios() {
  std::vector<Scenario> all;
  for (auto part : {malformed_scenarios, pair_scenarios, rejection_scenarios, first_fpdu_scenarios}) {
    for (Scenario& s : part()) all.push_back(std::move(s));
  }
  return all;
}

}  // namespace iwarpscope::test
