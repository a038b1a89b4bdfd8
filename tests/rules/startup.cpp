// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// MS-01 to MS-12: what one startup frame shows by itself.
#include "rules/startup_traffic.h"

namespace iwarpscope::test {
namespace {

using enum findings::FindingId;
using synth::Buffer;
using synth::Connection;
using synth::Effect;
using synth::text;

const Buffer kDamagedRequestKey = text("MPA ID Rxq Frame");
const Buffer kDamagedReplyKey = text("MPA ID Rxp Frame");

// The frame in two TCP segments, cut after `first` octets.
void in_two(Connection& c, synth::Side side, const StartupFrame& frame, std::size_t first) {
  const Buffer octets = synth::wire::write(frame);
  const auto cut = octets.begin() + static_cast<std::ptrdiff_t>(first);
  c.stream(side, Buffer(octets.begin(), cut));
  c.stream(side, Buffer(cut, octets.end()));
}

Traffic key_in_two_segments() {
  Connection c;
  c.connect();
  in_two(c, kI, {}, 7);
  c.reply({.kind = StartupFrame::Kind::reply});
  c.begin_full_operation(kI);
  c.send(kI, 100);
  c.close();
  return of(c);
}

// Damaged on the way, dropped by the receiver for its checksum and sent again.
Traffic damaged_and_repaired() {
  Connection c;
  c.connect();
  c.channel(kI, Effect::corrupt, {.delay = 0});
  c.request({});
  c.flush();
  c.reply({.kind = StartupFrame::Kind::reply});
  c.send(kI, 100);
  c.close();
  return of(c);
}

Traffic text_that_quotes_the_key(std::string_view words) {
  Connection c;
  c.connect();
  c.stream(kI, words);
  c.stream(kR, "no idea what you mean\r\n");
  c.close();
  return of(c);
}

Traffic answered_by_text() {
  Connection c;
  c.connect();
  c.request({});
  c.stream(kR, "HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n");
  c.close(kR);
  return of(c);
}

Traffic text_before_the_reply() {
  Connection c;
  c.connect();
  c.request({});
  c.stream(kR, "OK; RDMA next\r\n");
  c.reply({.kind = StartupFrame::Kind::reply});
  c.send(kI, 100);
  c.send(kR, 100);
  c.close();
  return of(c);
}

Traffic both_request() {
  Connection c;
  c.connect();
  c.request({}, kI);
  c.request({}, kR);
  c.close();
  return of(c);
}

// After a rejection either end may start again.
Traffic request_from_the_other_end_after_reject() {
  Connection c;
  c.connect();
  c.startup({.reject = true});
  c.request({}, kR);
  c.reply({.kind = StartupFrame::Kind::reply}, kI);
  c.send(kR, 100);
  c.send(kI, 100);
  c.close();
  return of(c);
}

Traffic cut_short(StartupFrame::Kind kind, std::uint16_t announced) {
  const StartupFrame lying{.kind = kind, .private_data = Buffer(8), .private_data_length = announced};
  if (kind == StartupFrame::Kind::request) return unanswered(lying, kI);
  return shut({}, lying, kR);
}

Traffic request_shorter_than_it_says() {
  Connection c;
  c.connect();
  c.request({.private_data = Buffer(8), .private_data_length = 40});
  c.reply({.kind = StartupFrame::Kind::reply});
  c.close();
  return of(c);
}

Traffic private_data_not_captured() {
  Connection c;
  c.connect();
  c.channel(kI, Effect::miss, {.skip = 1});
  in_two(c, kI, {.private_data = Buffer(40)}, 30);
  c.acknowledge(kR);
  c.close(kI);
  return of(c);
}

Traffic private_data_in_two_segments() {
  Connection c;
  c.connect();
  in_two(c, kI, {.private_data = Buffer(40)}, 28);
  c.reply({.kind = StartupFrame::Kind::reply});
  c.begin_full_operation(kI);
  c.send(kI, 100);
  c.close();
  return of(c);
}

std::vector<Scenario> key_scenarios() {
  return {
      {.id = mpa_request_key_wrong,
       .note = "a key in two TCP segments",
       .finding = {kToB, 4, "", "MPA ID Req Frame"},
       .raise = [] { return unanswered({.key = kDamagedRequestKey}); },
       .near_miss = key_in_two_segments},
      {.id = mpa_request_key_wrong,
       .note = "a Request that was damaged on the way and repaired by TCP",
       .finding = {kToB, 4, "", "MPA ID Req Frame"},
       .raise = [] { return unanswered({.private_data = text("hello"), .key = text("MPA ID Req frame")}); },
       .near_miss = damaged_and_repaired},
      {.id = mpa_request_key_wrong,
       .note = "text that is no startup frame, though it begins like one",
       .finding = {kToB, 4, "", "MPA ID Req Frame"},
       .raise = [] { return unanswered({.revision = 2, .key = text("MPA_ID_Req_Frame")}); },
       .near_miss = [] { return text_that_quotes_the_key("MPA ID Rec Frames are described in RFC 5044.\r\n"); }},
      {.id = mpa_reply_key_wrong,
       .note = "a right Reply",
       .finding = {kToA, 5, "", "MPA ID Rep Frame"},
       .raise = [] { return shut({}, {.key = kDamagedReplyKey}); },
       .near_miss = [] { return talk(StartupFrame{}); }},
      {.id = mpa_reply_key_wrong,
       .note = "streaming data that was on its way when the Request came, then a right Reply",
       .finding = {kToA, 5, "HTTP/1.1 400 Bad", "MPA ID Rep Frame"},
       .raise = answered_by_text,
       .near_miss = text_before_the_reply},
      {.id = mpa_reply_key_wrong,
       .note = "text that quotes the Request's key and is answered by text",
       .finding = {kToA, 5, "HTTP/1.1 400 Bad", "MPA ID Rep Frame"},
       .raise = answered_by_text,
       .near_miss = [] { return text_that_quotes_the_key("MPA ID Req Frame is a key.\r\n"); }},
      {.id = mpa_both_sent_request,
       .note = "the other end becomes Initiator after a rejection",
       .finding = {kToA, 5, "MPA ID Req Frame", "MPA ID Rep Frame"},
       .raise = both_request,
       .near_miss = request_from_the_other_end_after_reject},
  };
}

std::vector<Scenario> flag_scenarios() {
  const EnhancedData some = depths(8, 8);
  return {
      {.id = mpa_request_reject_bit,
       .note = "R in the Reply",
       .finding = {kToB, 4, "1", "0"},
       .raise = [] { return talk({.reject = true}); },
       .near_miss = [] { return shut({}, {.reject = true}); }},
      {.id = mpa_startup_reserved_bits,
       .note = "M, C and S are no reserved bits",
       .finding = {kToB, 4, "0x8", "0x0"},
       .raise = [] { return talk({.reserved = 8}); },
       .near_miss =
           [some] {
             return talk({.markers = true, .revision = 2, .enhanced = some},
                         {.markers = true, .revision = 2, .enhanced = some});
           }},
      {.id = mpa_startup_reserved_bits,
       .note = "R in the Reply is none either",
       .finding = {kToA, 5, "0x1", "0x0"},
       .raise = [] { return talk({}, {.reserved = 1}); },
       .near_miss = [] { return shut({}, {.reject = true}); }},
      {.id = mpa_revision_unknown,
       .note = "revision 2 without enhanced data",
       .finding = {kToB, 4, "3", "0..2"},
       .raise = [] { return unanswered({.revision = 3}); },
       .near_miss = [] { return talk({.revision = 2}, {.revision = 2}); }},
      {.id = mpa_revision_unknown,
       .note = "revision 0",
       .finding = {kToA, 5, "3", "0..2"},
       .raise = [] { return shut({}, {.revision = 3}); },
       .near_miss = [] { return talk({.markers = true, .revision = 0}, {.markers = true, .revision = 0}); }},
      {.id = mpa_revision_0_settings,
       .note = "revision 0 with M and C",
       .finding = {kToB, 4, "M=0 C=1", "M=1 C=1"},
       .raise = [] { return unanswered({.markers = false, .revision = 0}); },
       .near_miss = [] { return unanswered({.markers = true, .revision = 0}); }},
      {.id = mpa_revision_0_settings,
       .note = "revision 1 without M and C",
       .finding = {kToB, 4, "M=1 C=0", "M=1 C=1"},
       .raise = [] { return unanswered({.markers = true, .crc = false, .revision = 0}); },
       .near_miss = [] { return unanswered({.markers = false, .crc = false}); }},
      {.id = mpa_revision_0_settings,
       .note = "a Reply of revision 0 with M and C to a Request of revision 1",
       .finding = {kToA, 5, "M=1 C=0", "M=1 C=1"},
       .raise = [] { return shut({.markers = true, .revision = 0}, {.markers = true, .crc = false, .revision = 0}); },
       .near_miss = [] { return talk({}, {.markers = true, .revision = 0}); }},
      {.id = mpa_enhanced_below_revision_2,
       .note = "S at revision 2",
       .finding = {kToB, 4, "1", "at least 2"},
       .raise = [some] { return unanswered({.enhanced = some}); },
       .near_miss = [some] { return unanswered({.revision = 2, .enhanced = some}); }},
      {.id = mpa_enhanced_below_revision_2,
       .note = "revision 1 whose private data only looks like enhanced data",
       .finding = {kToB, 4, "0", "at least 2"},
       .raise = [some] { return unanswered({.markers = true, .revision = 0, .enhanced = some}); },
       .near_miss = [some] { return unanswered({.enhanced_flag = false, .enhanced = some}); }},
  };
}

std::vector<Scenario> length_scenarios() {
  const EnhancedData some = depths(8, 8);
  return {
      {.id = mpa_enhanced_data_missing,
       .note = "enhanced data and nothing more",
       .finding = {kToB, 4, "0", "at least 4"},
       .raise = [] { return unanswered({.enhanced_flag = true, .revision = 2}); },
       .near_miss = [some] { return unanswered({.revision = 2, .enhanced = some}); }},
      {.id = mpa_enhanced_data_missing,
       .note = "three octets of private data without S",
       .finding = {kToA, 5, "3", "at least 4"},
       .raise =
           [some] {
             return shut({.revision = 2, .enhanced = some},
                         {.enhanced_flag = true, .revision = 2, .private_data = Buffer(3)});
           },
       .near_miss = [] { return talk({.private_data = Buffer(3)}); }},
      {.id = mpa_private_data_too_long,
       .note = "exactly 512 octets",
       .finding = {kToB, 4, "513", "at most 512"},
       .raise = [] { return unanswered({.private_data = Buffer(513)}); },
       .near_miss = [] { return talk({.private_data = Buffer(512)}); }},
      {.id = mpa_private_data_too_long,
       .note = "exactly 512 octets, of which four are enhanced data",
       .finding = {kToA, 5, "600", "at most 512"},
       .raise = [] { return shut({}, {.private_data = Buffer(600)}); },
       .near_miss =
           [some] {
             return talk({.revision = 2, .enhanced = some, .private_data = Buffer(508)},
                         {.revision = 2, .enhanced = some, .private_data = Buffer(508)});
           }},
      {.id = mpa_startup_cut_short,
       .note = "the rest of the private data was not captured",
       .finding = {kToB, 4, "8", "40"},
       .raise = [] { return cut_short(StartupFrame::Kind::request, 40); },
       .near_miss = private_data_not_captured},
      {.id = mpa_startup_cut_short,
       .note = "the private data comes in two TCP segments",
       .finding = {kToA, 5, "8", "9"},
       .raise = [] { return cut_short(StartupFrame::Kind::reply, 9); },
       .near_miss = private_data_in_two_segments},
      {.id = mpa_startup_cut_short,
       .note = "a FIN right after the last octet announced",
       .finding = {kToB, 0, "8", "40"},
       .raise = request_shorter_than_it_says,
       .near_miss = [] { return cut_short(StartupFrame::Kind::request, 8); }},
  };
}

}  // namespace

std::vector<Scenario> startup_scenarios() {
  std::vector<Scenario> all;
  for (auto part :
       {key_scenarios, flag_scenarios, length_scenarios, startup_reply_scenarios, startup_negotiation_scenarios}) {
    for (Scenario& s : part()) all.push_back(std::move(s));
  }
  return all;
}

}  // namespace iwarpscope::test
