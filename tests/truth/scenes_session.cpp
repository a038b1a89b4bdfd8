// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Sessions over SCTP: control messages that are wrong, that do not come, and chunks that are no DDP.
#include "truth/scene.h"

namespace iwarpscope::truth {
namespace {

/// The other end meets it with an ABORT or a Session Terminate.
void refuse_session(Stage& s, char side) {
  const bool aborts = s.one_of(2);
  s.reaction(aborts ? "abort" : "terminate");
  if (aborts) return s.reset(side);
  s.say("flush; session {} terminate", side);
  if (s.one_of(2)) s.say("shutdown {}", side);
}

void session_rejected(Stage& s, const Scene&) {
  s.connect();
  s.blame(Culprit::responder);
  s.say("{}", s.one_of(2) ? "startup reject"
                          : "session a enhanced-initiate ird=8 ord=8; session b enhanced-reject ird=1 ord=1");
  if (s.one_of(2)) s.say("shutdown b");
}

void session_terminated_unanswered(Stage& s, const Scene&) {
  s.connect();
  s.blame(Culprit::responder);
  s.say("session a initiate; flush; session b terminate");
}

void session_never_answered(Stage& s, const Scene&) {
  s.connect();
  s.blame(Culprit::responder);
  s.say("session a initiate; flush; ack b");
  if (s.one_of(2)) return s.silence(40);
  s.say("wait {}s", s.random().between(6, 30));
  s.reset('a');
}

void initiate_too_long(Stage& s, const Scene&) {
  s.connect();
  s.blame(Culprit::initiator);
  s.say("session a initiate private={}", std::string(2 * s.random().between(513, 700), '0'));
  refuse_session(s, 'b');
}

void accept_too_long(Stage& s, const Scene&) {
  s.connect();
  s.blame(Culprit::responder);
  s.say("session a initiate; session b accept private={}", std::string(2 * s.random().between(513, 700), '0'));
  refuse_session(s, 'a');
}

void answer_of_another_kind(Stage& s, const Scene&) {
  s.connect();
  s.blame(Culprit::responder);
  s.say("{}", s.one_of(2) ? "session a enhanced-initiate ird=8 ord=8; session b accept"
                          : "session a initiate; session b enhanced-accept ird=8 ord=8");
  refuse_session(s, 'a');
}

void unknown_function(Stage& s, const Scene&) {
  s.connect();
  s.blame(Culprit::initiator);
  s.say("session a {}", s.random().between(8, 500));
  refuse_session(s, 'b');
}

void segment_without_session(Stage& s, const Scene&) {
  s.connect();
  s.blame_culprit();
  s.say("send {} 100", s.culprit());
  refuse_session(s, s.peer());
}

void ssn_skipped(Stage& s, const Scene&) {
  s.open();
  s.blame_culprit();
  s.say("alter {} ddp-ssn-delta={}; send {} 100; flush", s.culprit(), s.random().between(1, 4), s.culprit());
  refuse_session(s, s.peer());
}

void ordered_chunk(Stage& s, const Scene&) {
  s.open();
  s.blame_culprit();
  s.say("alter {} unordered=off; send {} 100; flush", s.culprit(), s.culprit());
  if (s.one_of(2)) {
    s.harmless();
    s.reaction("ignored");
    return s.finish();
  }
  refuse_session(s, s.peer());
}

void other_payload(Stage& s, const Scene&) {
  s.open();
  s.blame_culprit();
  s.say("alter {} ppid={}; send {} 100; flush", s.culprit(), s.random().between(18, 60), s.culprit());
  refuse_session(s, s.peer());
}

void accept_again(Stage& s, const Scene&) {
  s.open();
  s.blame(Culprit::responder);
  s.say("session b {}", s.one_of(2) ? "accept" : "reject");
  refuse_session(s, 'a');
}

void never_terminated(Stage& s, const Scene&) {
  s.open();
  s.blame_culprit();
  s.harmless();
  s.say("flush; shutdown {}", s.culprit());
}

}  // namespace

std::vector<Scene> session_scenes() {
  const Needs startup{.sctp = true, .startup_seen = true};
  const Needs sctp{.sctp = true};
  return {
      {"session-rejected", startup, session_rejected},
      {"session-terminated-unanswered", startup, session_terminated_unanswered},
      {"session-never-answered", startup, session_never_answered},
      {"initiate-too-long", startup, initiate_too_long},
      {"accept-too-long", startup, accept_too_long},
      {"answer-of-another-kind", startup, answer_of_another_kind},
      {"unknown-function", startup, unknown_function},
      {"segment-without-session", startup, segment_without_session},
      {"ssn-skipped", sctp, ssn_skipped},
      {"ordered-chunk", sctp, ordered_chunk},
      {"other-payload", sctp, other_payload},
      {"accept-again", sctp, accept_again},
      {"never-terminated", sctp, never_terminated},
  };
}

}  // namespace iwarpscope::truth
