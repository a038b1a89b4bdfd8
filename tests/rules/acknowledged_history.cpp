// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Rules that time and history decide: MS-04, QP-03, and what a Terminate says of messages that went before.
#include <algorithm>

#include "rules/message_traffic.h"
#include "rules/startup_traffic.h"

namespace iwarpscope::test {
namespace {

using enum findings::FindingId;
using synth::Buffer;
using synth::Connection;
using synth::Effect;
using synth::kSecond;
using synth::wire::ddp_control;
using synth::wire::DdpTagged;
using synth::wire::DdpUntagged;
using synth::wire::Opcode;
using synth::wire::rdmap_control;
using synth::wire::ReadRequest;

// ---- MS-04 ----

/// The waits before the Request and before the Reply, in seconds; without a Reply the Initiator closes then.
struct Waits {
  std::int64_t request = 0, reply = 0;
  bool answered = true, handshake = true;
};
using Change = std::function<void(Connection&)>;

MakeTraffic slow(Waits waits, Change before_request = {}) {
  return [=] {
    Connection c;
    c.capture(waits.handshake);
    c.connect();
    c.capture(true);
    c.wait(waits.request * kSecond);
    if (before_request) before_request(c);
    c.request(synth::request_frame({}));
    c.acknowledge(kResp);
    c.wait(waits.reply * kSecond);
    if (waits.answered) {
      c.reply(synth::reply_frame({}));
      c.send(kInit, 100);
      c.send(kResp, 100);
    }
    c.close(kInit);
    return Traffic{.frames = c.frames()};
  };
}

std::vector<Scenario> slow_scenarios() {
  return {
      {mpa_startup_slow,
       "the Reply comes in time",
       {kToA, 4, "11.0 s", "at most 10.0 s"},
       slow({.reply = 11}),
       slow({.reply = 9})},
      {mpa_startup_slow,
       "the Initiator gives up earlier",
       {kToA, 4, "11.0 s", "at most 10.0 s"},
       slow({.reply = 11, .answered = false}),
       slow({.reply = 5, .answered = false})},
      {mpa_startup_slow,
       "the capture ends earlier",
       {kToA, 4, "11.0 s", "at most 10.0 s"},
       [] {
         Connection c;
         c.connect();
         c.request(synth::request_frame({}));
         c.acknowledge(kResp);
         c.wait(11 * kSecond);
         c.keep_alive(kInit);
         return Traffic{.frames = c.frames()};
       },
       [] {
         Connection c;
         c.connect();
         c.request(synth::request_frame({}));
         c.acknowledge(kResp);
         return Traffic{.frames = c.frames()};
       }},
      {mpa_startup_slow,
       "the Request was lost on the way, and sent again",
       {},
       slow({.reply = 12}),
       slow({.reply = 11}, [](Connection& c) { c.channel(kInit, Effect::lose_after_tap, {.delay = 0}); })},
      {mpa_startup_slow,
       "the Responder never acknowledged the Request: it may not have come",
       {},
       slow({.reply = 12, .answered = false}),
       [] {
         Connection c({.responder = {.address = "10.0.0.2", .port = 5000, .isn = 0x80000000, .ack_every = 0}});
         c.connect();
         c.channel(kInit, Effect::lose_after_tap, {.delay = 3});
         c.request(synth::request_frame({}));
         c.wait(12 * kSecond);
         Traffic t{.frames = {}};
         std::vector<synth::TcpSegment>& seen = c.tcp_segments();
         const std::size_t kept = seen.size();
         t.frames = c.frames();
         t.frames.resize(kept);
         return t;
       }},
      {mpa_startup_slow,
       "only the Request's side is in the capture",
       {},
       slow({.reply = 13, .answered = false}),
       [] {
         Connection c;
         c.capture_only(kInit);
         c.connect();
         c.request(synth::request_frame({}));
         c.wait(12 * kSecond);
         c.reply(synth::reply_frame({}));
         c.send(kInit, 100);
         c.send(kInit, 100);
         c.close();
         return Traffic{.frames = c.frames()};
       }},
      {mpa_startup_slow,
       "the Request comes in time",
       {kToB, 1, "11.0 s", "at most 10.0 s"},
       slow({.request = 11}),
       slow({.request = 9})},
      {mpa_startup_slow,
       "the handshake is not in the capture",
       {},
       slow({.request = 12}),
       slow({.request = 12, .handshake = false})},
      {mpa_startup_slow,
       "streaming data may take its time before MPA",
       {},
       slow({.request = 13}),
       slow({.request = 13}, [](Connection& c) { c.stream(kInit, "HELO example"); })},
  };
}

// ---- QP-03 ----

MakeTraffic reset_after(Play play, synth::Side by = kResp) {
  return bare([=](Connection& c) {
    c.send(kInit, 100);
    c.send(kResp, 100);
    play(c);
    c.reset(by);
  });
}

/// The last TCP segment is an RST. It answers what the other end sent to a connection that is closed: it has no ACK
/// number, and its sequence number is what that end had received.
void answer_as_closed(Connection& c) {
  const std::vector<synth::TcpSegment>& all = c.tcp_segments();
  const auto answered = std::find_if(all.rbegin(), all.rend(), [](const auto& s) { return s.sender == kInit; });
  synth::TcpSegment& rst = c.tcp_segments().back();
  rst.flags = synth::wire::kRst;
  rst.sequence = answered->acknowledgment;
  rst.acknowledgment = 0;
}

std::vector<Scenario> reset_scenarios() {
  const auto unanswered = [](Connection& c) { c.read_request(kInit, {.size = 100}); };
  return {
      {rdmap_reset_inside_message,
       "the read was answered",
       {kToA, 9, "A -> B: 1 request has no whole response yet, the oldest in frame 8", ""},
       reset_after(unanswered),
       reset_after([](Connection& c) { c.read(kInit, {.size = 100}); })},
      {rdmap_reset_inside_message,
       "the message is at its end",
       {},
       reset_after([](Connection& c) { write_part(c, kStag, kTo.value, false); }),
       reset_after([](Connection& c) { write_part(c, kStag, kTo.value, true); })},
      {rdmap_reset_inside_message,
       "the FPDU is at its end",
       {},
       reset_after([](Connection& c) {
         c.raw_octets(kInit, synth::Buffer{std::byte{0}, std::byte{100}, std::byte{0xC1}});
       }),
       reset_after([](Connection& c) { c.send(kInit, 100); })},
      {rdmap_reset_inside_message,
       "the Response is not in the capture",
       {},
       reset_after(unanswered),
       reset_after([](Connection& c) {
         c.channel(kResp, Effect::miss);
         c.read(kInit, {.size = 100});
       })},
      {rdmap_reset_inside_message,
       "the end of the message is not in the capture, as the RST shows",
       {kToB, 9},
       reset_after([](Connection& c) { write_part(c, kStag, kTo.value, false); }, kInit),
       reset_after(
           [](Connection& c) {
             write_part(c, kStag, kTo.value, false);
             c.channel(kInit, Effect::miss);
             write_part(c, kStag, kTo.value + 100, true);
           },
           kInit)},
      {rdmap_reset_inside_message, "a Terminate says why", {}, reset_after(unanswered), reset_after([=](Connection& c) {
         unanswered(c);
         c.terminate_last(kResp, 0, 1, 0);
       })},
      {rdmap_reset_inside_message,
       "an ACK after the RST shows that the capture lacks the Terminate",
       {kToA, 9},
       bare([=](Connection& c) {
         c.send(kInit, 100);
         c.send(kResp, 100);
         unanswered(c);
         c.reset(kResp);
         answer_as_closed(c);
       }),
       bare([=](Connection& c) {
         c.send(kInit, 100);
         c.send(kResp, 100);
         unanswered(c);
         c.channel(kResp, Effect::miss);
         c.terminate_last(kResp, 0, 1, 0);
         c.reset(kResp);
         answer_as_closed(c);
         c.acknowledge(kInit);
       })},
      {rdmap_reset_inside_message,
       "only the requests are in the capture",
       {},
       reset_after(unanswered, kInit),
       [] {
         Connection c;
         c.capture_only(kInit);
         c.connect();
         c.startup();
         c.send(kInit, 100);
         c.send(kResp, 100);
         c.read(kInit, {.size = 100});
         c.reset(kInit);
         return Traffic{.frames = c.frames()};
       }},
  };
}

// ---- what a Terminate names ----

/// The Responder's Terminate about a DDP segment with this header and of this length.
void terminate_about(Connection& c, Buffer header, std::uint16_t length, Buffer rdmap_header = {}) {
  c.terminate(kResp, {.layer = 1,
                      .error_type = 2,
                      .error_code = 2,
                      .ddp_length = length,
                      .ddp_header = std::move(header),
                      .rdmap_header = std::move(rdmap_header)});
}
Buffer send_header(std::uint32_t msn) {
  return synth::wire::write(DdpUntagged{.msn = MessageSequence{msn}});
}
Buffer write_header(STag stag, std::uint64_t to, bool last = true) {
  return synth::wire::write(DdpTagged{.control = ddp_control(true, last),
                                      .rdmap_control = rdmap_control(Opcode::rdma_write),
                                      .stag = stag,
                                      .to = TaggedOffset{to}});
}
Buffer read_header(std::uint32_t msn) {
  return synth::wire::write(DdpUntagged{
      .rdmap_control = rdmap_control(Opcode::rdma_read_request), .qn = QueueNumber{1}, .msn = MessageSequence{msn}});
}
/// A Send, which is the second, and a Terminate that quotes one with this MSN.
MakeTraffic send_quoted(std::uint32_t msn, std::uint16_t length = 118) {
  return whole([=](Connection& c) {
    c.send(kInit, 100);
    terminate_about(c, send_header(msn), length);
  });
}
/// An RDMA Write of 4000 octets, and a Terminate that quotes one of its DDP segments.
MakeTraffic write_quoted(STag stag, std::uint64_t offset, std::uint16_t length = 0, bool last = false) {
  return whole([=](Connection& c) {
    c.limit_mulpdu(kInit, 1014);
    c.write(kInit, kStag, kTo, 4000);
    terminate_about(c, write_header(stag, kTo.value + offset, last), length);
  });
}
void many_sends(Connection& c) {
  for (int i = 0; i < 600; ++i) c.send(kInit, 8);
}

std::vector<Scenario> named_scenarios() {
  constexpr ReadRequest kRead{.size = 1000};
  return {
      {rdmap_terminate_names_unsent,
       "a Send that was sent",
       {kToA, 9, "Send, QN 0 (Send) MSN 3", ""},
       send_quoted(3),
       send_quoted(2)},
      {rdmap_terminate_names_unsent,
       "a later DDP segment of an RDMA Write",
       {kToA, {}, "RDMA Write, STag 0x00000bad TO 0x00007f12000013e8", ""},
       write_quoted(STag{0x0BAD}, 1000),
       write_quoted(kStag, 1000)},
      {rdmap_terminate_names_unsent,
       "after the end of an RDMA Write, of which a part is not in the capture",
       {},
       write_quoted(kStag, 4000),
       whole([](Connection& c) {
         c.limit_mulpdu(kInit, 1014);
         c.channel(kInit, Effect::miss, {.skip = 4});
         c.write(kInit, kStag, kTo, 5000);
         terminate_about(c, write_header(kStag, kTo.value + 4000), 0);
       })},
      {rdmap_terminate_names_unsent,
       "the message was sent too long ago to be remembered",
       {},
       whole([](Connection& c) {
         many_sends(c);
         terminate_about(c, send_header(602), 26);
       }),
       whole([](Connection& c) {
         c.write(kInit, kStag, kTo, 100);
         many_sends(c);
         terminate_about(c, write_header(kStag, kTo.value), 114);
       })},
      {rdmap_terminate_names_unsent,
       "Linux siw quotes a read's size in place of its MSN",
       {},
       whole([](Connection& c) {
         c.read_request(kInit, {.size = 1000});
         terminate_about(c, read_header(5), 0);
       }),
       whole([=](Connection& c) {
         c.read_request(kInit, kRead);
         terminate_about(c, read_header(kRead.size), 0, synth::wire::write(kRead));
       })},
      {rdmap_terminate_names_unsent,
       "damage explains other octets",
       {},
       send_quoted(4),
       whole([](Connection& c) {
         c.alter(kInit, {.fpdu = {.crc_xor = 1}});
         c.send(kInit, 100);
         terminate_about(c, send_header(5), 118);
       }),
       {},
       {mpa_crc_mismatch}},

      {rdmap_terminate_segment_length_wrong,
       "the whole ULPDU",
       {kToA, 8, "117", "118"},
       send_quoted(2, 117),
       send_quoted(2, 118)},
      {rdmap_terminate_segment_length_wrong, "the payload alone", {}, send_quoted(2, 99), send_quoted(2, 100)},
      {rdmap_terminate_segment_length_wrong, "no length at all", {}, send_quoted(2, 1), send_quoted(2, 0)},
      {rdmap_terminate_segment_length_wrong,
       "the first of several DDP segments",
       {kToA, 8, "4000", "1014"},
       write_quoted(kStag, 0, 4000),
       write_quoted(kStag, 0, 1014)},
      {rdmap_terminate_segment_length_wrong,
       "the last of several DDP segments",
       {kToA, 8, "1013", "1014"},
       write_quoted(kStag, 3000, 1013, true),
       write_quoted(kStag, 3000, 1014, true)},
      {rdmap_terminate_segment_length_wrong,
       "one between, whose length is not remembered",
       {},
       write_quoted(kStag, 0, 1013),
       write_quoted(kStag, 1000, 1013)},
  };
}

// ---- which other end is wrong ----

Play wrong_msn(Play then) {
  return [then = std::move(then)](Connection& c) {
    c.alter(kInit, {.msn = 9});
    c.send(kInit, 100);
    then(c);
  };
}
Play refused_by_rdmap(Play message, std::uint8_t code) {
  return [message = std::move(message), code](Connection& c) {
    message(c);
    c.terminate_last(kResp, 0, 2, code);
  };
}

std::vector<Scenario> answer_scenarios() {
  const Play atomic = [](Connection& c) { c.atomic_request(kInit, {}); };
  const Play immediate = [](Connection& c) { c.immediate(kInit, 1); };
  const Play read = [](Connection& c) { c.read(kInit, {.size = 100}); };
  const Play no_header = [](Connection& c) { c.terminate(kResp, {.layer = 0, .error_type = 2, .error_code = 6}); };
  const auto then = [](Play one, Play two) {
    return [one = std::move(one), two = std::move(two)](Connection& c) {
      one(c);
      two(c);
    };
  };
  return {
      {rdmap_extension_refused,
       "for another reason",
       {kToA, 8, "Atomic Request", ""},
       whole(refused_by_rdmap(atomic, 6)),
       whole(refused_by_rdmap(atomic, 7))},
      {rdmap_extension_refused,
       "another message is refused so",
       {kToA, 8, "Immediate Data", ""},
       whole(refused_by_rdmap(immediate, 6)),
       whole(refused_by_rdmap([](Connection& c) { c.read_request(kInit, {.size = 100}); }, 6))},
      {rdmap_extension_refused,
       "nothing is quoted, and there was no such message",
       {},
       whole(then(immediate, no_header)),
       whole(then([](Connection& c) { c.send(kInit, 100); }, no_header))},

      {rdmap_terminate_not_first_error,
       "the first is named",
       {kToA, 8, "message 2", "message 1"},
       whole(wrong_msn([](Connection& c) {
         c.write(kInit, kStag, kTo, 100);
         c.terminate_last(kResp, 1, 1, 1);
       })),
       whole(wrong_msn([](Connection& c) { c.terminate_last(kResp, 1, 2, 3); })),
       {ddp_msn_out_of_sequence},
       {ddp_msn_out_of_sequence}},
      {rdmap_terminate_not_first_error,
       "the other error came later",
       {},
       whole(wrong_msn([](Connection& c) {
         c.read_request(kInit, {.size = 100});
         c.terminate_last(kResp, 0, 1, 0);
       })),
       whole([](Connection& c) {
         c.write(kInit, kStag, kTo, 100);
         c.alter(kInit, {.msn = 9});
         c.send(kInit, 100);
         terminate_about(c, write_header(kStag, kTo.value), 114);
       }),
       {ddp_msn_out_of_sequence},
       {ddp_msn_out_of_sequence}},

      {rdmap_error_ignored,
       "a Terminate follows",
       {kToA, 8, "DD-07", ""},
       whole(wrong_msn(read)),
       whole(wrong_msn(then(read, [](Connection& c) { c.terminate(kResp, {.layer = 0}); }))),
       {ddp_msn_out_of_sequence},
       {ddp_msn_out_of_sequence}},
      {rdmap_error_ignored,
       "the request came before the wrong message",
       {},
       whole(wrong_msn(read)),
       whole([](Connection& c) {
         c.read_request(kInit, {.size = 100});
         wrong_msn([](Connection& d) { d.read_response(kResp); })(c);
       }),
       {ddp_msn_out_of_sequence},
       {ddp_msn_out_of_sequence}},
      {rdmap_error_ignored,
       "nothing is answered: the end of the capture may have cut off the Terminate",
       {},
       whole(wrong_msn(read)),
       whole(wrong_msn([](Connection& c) { c.write(kInit, kStag, kTo, 100); })),
       {ddp_msn_out_of_sequence},
       {ddp_msn_out_of_sequence}},
      {rdmap_error_ignored,
       "octets of the receiver are not in the capture",
       {},
       whole(wrong_msn(read)),
       whole(wrong_msn(then(read,
                            [](Connection& c) {
                              c.channel(kResp, Effect::miss);
                              c.send(kResp, 100);
                              c.acknowledge(kInit);
                            })),
             {}),
       {ddp_msn_out_of_sequence},
       {ddp_msn_out_of_sequence}},
  };
}

}  // namespace

std::vector<Scenario> acknowledged_history_scenarios() {
  return joined({slow_scenarios(), reset_scenarios(), named_scenarios(), answer_scenarios()});
}

}  // namespace iwarpscope::test
