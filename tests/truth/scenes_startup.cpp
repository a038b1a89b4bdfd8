// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The MPA startup: frames that are wrong, answers that do not come, and what the first FPDU must be.
#include "truth/scene.h"

namespace iwarpscope::truth {
namespace {

/// The end of an attempt by `side`, after so long.
void give_up(Stage& s, char side) {
  if (s.one_of(2)) {
    s.reset(side);
  } else {
    s.close(side);
  }
}

/// A Request that the Responder does not take: it closes, resets, or rejects.
void refuse_request(Stage& s) {
  switch (s.random().below(3)) {
    case 0:
      s.reaction("close");
      s.close('b');
      break;
    case 1:
      s.reaction("reset");
      s.reset('b');
      break;
    default:
      s.reaction("reject");
      s.say("reply b reject");
      s.close('b');
  }
}

/// A Reply that the Initiator does not take.
void refuse_reply(Stage& s, std::initializer_list<Code> codes) {
  if (codes.size() != 0 && s.one_of(2)) {
    s.reaction("terminate");
    s.terminate('a', *codes.begin());
    s.end_after_terminate('a');
    return;
  }
  const bool resets = s.one_of(2);
  s.reaction(resets ? "reset" : "close");
  resets ? s.reset('a') : s.close('a');
}

void rejected(Stage& s, const Scene&) {
  s.connect();
  s.blame(Culprit::responder);
  switch (s.random().below(3)) {
    case 0: s.say("startup reject"); break;
    case 1: s.say("startup reject reply-private-text=\"not now\""); break;
    default: s.say("startup reject ird=4 ord=4 private-text=\"hello\"");
  }
  give_up(s, s.one_of(2) ? 'a' : 'b');
}

void request_of_unknown_revision(Stage& s, const Scene&) {
  s.connect();
  s.blame(Culprit::initiator);
  s.say("request a rev={}", s.random().between(3, 9));
  refuse_request(s);
}

void request_too_long(Stage& s, const Scene&) {
  s.connect();
  s.blame(Culprit::initiator);
  s.say("request a private={}", std::string(2 * s.random().between(513, 700), '0'));
  refuse_request(s);
}

// The Responder waits for private data that do not come, until one of them has enough.
void request_with_wrong_length(Stage& s, const Scene&) {
  s.connect();
  s.blame(Culprit::initiator);
  s.say("request a private=0102030405060708 length=40");
  if (s.one_of(2)) s.say("wait 10s");
  give_up(s, s.one_of(2) ? 'a' : 'b');
}

void request_key_wrong(Stage& s, const Scene&) {
  s.connect();
  s.blame(Culprit::initiator);
  s.say("request a key=\"MPA ID Rex Frame\"");
  give_up(s, 'b');
}

void reply_key_wrong(Stage& s, const Scene&) {
  s.connect();
  s.blame(Culprit::responder);
  s.say("request a; reply b key=\"MPA ID Rxp Frame\"");
  refuse_reply(s, {{2, 0, 4}});
}

void another_program_answers(Stage& s, const Scene&) {
  s.connect();
  s.blame(Culprit::responder);
  s.say("request a");
  s.say("{}",
        s.one_of(2) ? "stream b text=\"HTTP/1.1 400 Bad Request\"" : "stream b text=\"220 mail.example.org ESMTP\"");
  give_up(s, s.one_of(2) ? 'a' : 'b');
}

void reply_revision_higher(Stage& s, const Scene&) {
  s.connect();
  s.blame(Culprit::responder);
  s.say("request a rev=1; reply b rev=2");
  refuse_reply(s, {{2, 0, 4}});
}

void reply_without_enhanced_data(Stage& s, const Scene&) {
  s.connect();
  s.blame(Culprit::responder);
  s.say("request a rev=2 ird=8 ord=8; reply b rev=2 enhanced=off");
  refuse_reply(s, {{2, 0, 4}});
}

void reply_asks_for_more_reads(Stage& s, const Scene&) {
  s.connect();
  s.blame(Culprit::responder);
  s.say("request a rev=2 ird=4 ord=4; reply b rev=2 ird=4 ord=16; flush");
  refuse_reply(s, {{2, 0, 6}});
}

void reply_too_long(Stage& s, const Scene&) {
  s.connect();
  s.blame(Culprit::responder);
  s.say("request a; reply b private={}", std::string(2 * s.random().between(513, 700), '0'));
  refuse_reply(s, {{2, 0, 4}});
}

// Each end has a kind of RTR that the other has not: both frames are right.
void no_common_rtr(Stage& s, const Scene&) {
  s.connect();
  s.blame(Culprit::responder, bit(Culprit::initiator));
  s.cannot_be_decided();
  s.say("request a rev=2 p2p offer=write ird=8 ord=8; reply b rev=2 p2p offer=read ird=8 ord=8");
  refuse_reply(s, {{2, 0, 7}});
}

// RFC 5044 §7.1.2 rule 4, unless both agreed on peer-to-peer mode.
void responder_sends_first(Stage& s, const Scene&) {
  s.connect();
  s.blame(Culprit::responder);
  s.say("startup; send b {}", s.random().between(1, 300));
  if (s.one_of(4)) {
    s.reaction("ignored");
    s.harmless();
    s.say("flush; send a 64; flush");
    s.talk(3);
    s.finish();
    return;
  }
  if (s.one_of(3)) s.say("wait {}ms", s.random().between(1, 3000));
  refuse_reply(s, {{2, 0, 5}});
}

std::string_view peer_to_peer(Stage& s) {
  switch (s.random().below(3)) {
    case 0: return "p2p offer=send";
    case 1: return "p2p offer=write";
    default: return "p2p offer=read";
  }
}

void rtr_missing(Stage& s, const Scene&) {
  s.connect();
  s.blame(Culprit::initiator);
  s.say("startup {} ird=8 ord=8; flush; send a {}", peer_to_peer(s), s.random().between(1, 300));
  const bool resets = s.one_of(2);
  s.reaction(resets ? "reset" : "close");
  resets ? s.reset('b') : s.close('b');
}

void rtr_of_another_kind(Stage& s, const Scene&) {
  s.connect();
  s.blame(Culprit::initiator);
  s.say("startup p2p offer=read ird=8 ord=8; flush; rtr write; flush");
  const bool resets = s.one_of(2);
  s.reaction(resets ? "reset" : "terminate");
  if (resets) return s.reset('b');
  s.terminate('b', {2, 0, 7});
  s.end_after_terminate('b');
}

void rtr_never_sent(Stage& s, const Scene&) {
  s.connect();
  s.blame(Culprit::initiator);
  s.say("startup {} ird=8 ord=8", peer_to_peer(s));
  s.say("flush; ack a");
  if (s.one_of(2)) return s.silence(40);
  s.reaction("reset");
  s.say("wait 20s");
  s.reset('b');
}

void never_answered(Stage& s, const Scene&) {
  s.connect();
  s.blame(Culprit::responder);
  s.say("request a; flush; ack b");
  if (s.one_of(3)) return s.silence(40);
  s.reaction("gives up");
  s.say("wait {}s", s.random().between(6, 30));
  give_up(s, 'a');
}

void closed_instead_of_answered(Stage& s, const Scene&) {
  s.connect();
  s.blame(Culprit::responder);
  s.say("request a; flush");
  give_up(s, 'b');
}

// The Initiator's program is killed before it could have been answered.
void initiator_dies_at_once(Stage& s, const Scene&) {
  s.connect();
  s.blame(Culprit::initiator);
  s.say("request a; flush; ack b; wait {}us", s.random().between(10, 2000));
  s.reset('a');
}

// It is sent again and again; nothing comes back.
void request_never_arrives(Stage& s, const Scene&) {
  s.connect();
  s.blame(Culprit::path);
  s.say("capture a; retransmit a delay=0; request a; wait {}s", s.random().between(2, 30));
  s.one_of(2) ? s.reset('a') : s.say("connection; connect");
}

// A program that connects and closes again.
void closed_after_startup(Stage& s, const Scene&) {
  s.open();
  s.blame(Culprit::none);
  s.close(s.one_of(2) ? 'a' : 'b');
}

void both_ask(Stage& s, const Scene&) {
  s.connect();
  s.blame(Culprit::responder, bit(Culprit::initiator));
  s.cannot_be_decided();
  s.say("request a; request b; flush");
  if (s.one_of(2)) s.say("wait 8s");
  give_up(s, s.one_of(2) ? 'a' : 'b');
}

// CRC is agreed on, and one side does not compute it: the field is zero in all that it sends.
void crc_not_computed(Stage& s, const Scene&) {
  s.connect();
  s.blame_culprit();
  s.say("{}; flush; crc {} off", s.one_of(2) ? "startup" : "startup request-crc=off reply-crc=on", s.culprit());
  s.say("send a 64; flush; send {} 100; send {} 200", s.culprit(), s.culprit());
  s.refuse({{2, 0, 2}});
}

void markers_not_sent(Stage& s, const Scene&) {
  s.connect();
  s.blame_culprit();
  s.say("startup {}-markers=on; flush; markers {} off", s.culprit() == 'a' ? "reply" : "request", s.culprit());
  s.say("send a 64; flush; send {} 800; send {} 800", s.culprit(), s.culprit());
  s.refuse({{2, 0, 3}, {2, 0, 2}});
}

void markers_not_wanted(Stage& s, const Scene&) {
  s.connect();
  s.blame_culprit();
  s.say("startup; flush; markers {} on", s.culprit());
  s.say("send a 64; flush; send {} 800; send {} 800", s.culprit(), s.culprit());
  s.refuse({{2, 0, 3}, {2, 0, 2}});
}

}  // namespace

std::vector<Scene> startup_scenes() {
  const Needs tcp{.sctp = false, .startup_seen = true};
  return {
      {"rejected", tcp, rejected},
      {"request-of-unknown-revision", tcp, request_of_unknown_revision},
      {"request-too-long", tcp, request_too_long},
      {"request-with-wrong-length", tcp, request_with_wrong_length},
      {"request-key-wrong", tcp, request_key_wrong},
      {"reply-key-wrong", tcp, reply_key_wrong},
      {"another-program-answers", tcp, another_program_answers},
      {"reply-revision-higher", tcp, reply_revision_higher},
      {"reply-without-enhanced-data", tcp, reply_without_enhanced_data},
      {"reply-asks-for-more-reads", tcp, reply_asks_for_more_reads},
      {"reply-too-long", tcp, reply_too_long},
      {"no-common-rtr", tcp, no_common_rtr},
      {"responder-sends-first", tcp, responder_sends_first},
      {"rtr-missing", tcp, rtr_missing},
      {"rtr-of-another-kind", tcp, rtr_of_another_kind},
      {"rtr-never-sent", tcp, rtr_never_sent},
      {"never-answered", tcp, never_answered},
      {"request-never-arrives", tcp, request_never_arrives},
      {"closed-instead-of-answered", tcp, closed_instead_of_answered},
      {"initiator-dies-at-once", tcp, initiator_dies_at_once},
      {"closed-after-startup", tcp, closed_after_startup},
      {"both-ask", tcp, both_ask},
      {"crc-not-computed", tcp, crc_not_computed},
      {"markers-not-sent", tcp, markers_not_sent},
      {"markers-not-wanted", tcp, markers_not_wanted},
  };
}

}  // namespace iwarpscope::truth
