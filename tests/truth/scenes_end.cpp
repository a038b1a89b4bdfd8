// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Ends that die, stop answering, close early or take nothing more; a path that loses everything; and nothing wrong.
#include "truth/scene.h"

namespace iwarpscope::truth {
namespace {

void nothing_wrong(Stage& s, const Scene&) {
  s.open();
  s.blame(Culprit::none);
  s.talk(s.random().between(2, 12));
  switch (s.random().below(6)) {
    case 0: s.say("flush"); break;
    case 1: s.say("flush; wait {}ms", s.random().between(1, 4000)); break;
    case 2: s.silence(60); break;
    case 3: s.reset(s.one_of(2) ? 'a' : 'b'); break;
    default: s.close(s.one_of(2) ? 'a' : 'b');
  }
}

std::string read_of(Stage& s, char side) {
  return fmt::format(
      "read-request {} size={} source-stag=0x2000 source-to=0x7e0000000000 sink-stag=0x3000 sink-to=0x1000", side,
      s.random().between(1, 3000));
}
std::string atomic_of(Stage& s, char side) {
  return fmt::format("atomic-request {} fetch-add stag=0x5300 to=0x7f0000001000 data={}", side, s.random().below(100));
}
std::string request_of(Stage& s, char side) {
  return s.one_of(3) ? atomic_of(s, side) : read_of(s, side);
}

// Its program is killed; the kernel resets or closes.
void dies(Stage& s, char side) {
  if (s.one_of(3)) {
    s.reaction("close");
    s.close(side);
  } else {
    s.reaction("reset");
    s.reset(side);
  }
}

void dies_while_it_waits(Stage& s, const Scene&) {
  s.open();
  s.blame_culprit();
  s.say("{}; flush; ack {}; wait {}us", request_of(s, s.culprit()), s.peer(), s.random().between(1, 20000));
  dies(s, s.culprit());
}

void dies_instead_of_answering(Stage& s, const Scene&) {
  s.open();
  s.blame_culprit();
  s.say("{}; flush; ack {}; wait {}us", request_of(s, s.peer()), s.culprit(), s.random().between(1, 20000));
  dies(s, s.culprit());
}

void dies_inside_a_message(Stage& s, const Scene&) {
  s.open();
  s.blame_culprit();
  if (s.one_of(2)) {
    s.say("alter {} last=off; send {} {}", s.culprit(), s.culprit(), s.random().between(500, 1200));
  } else {
    s.say("alter {} last=off; write {} stag=0x1000 to=0x7f0000000000 {}", s.culprit(), s.culprit(),
          s.random().between(500, 1200));
  }
  dies(s, s.culprit());
}

void stops_inside_a_message(Stage& s, const Scene&) {
  s.open();
  s.blame_culprit();
  s.say("alter {} last=off; send {} {}; flush", s.culprit(), s.culprit(), s.random().between(500, 1200));
  s.say("ack {}", s.peer());
  if (s.one_of(2)) return s.silence(40);
  s.reaction("reset");
  s.say("wait {}s", s.random().between(15, 60));
  s.reset(s.peer());
}

void stops_answering(Stage& s, const Scene&) {
  s.open();
  s.blame_culprit();
  s.say("{}; flush; ack {}", request_of(s, s.peer()), s.culprit());
  if (!s.setting().sctp && s.one_of(2)) s.say("repeat 3 keep-alive {} octet", s.peer());
  if (s.one_of(3)) return s.silence(40);
  s.say("wait {}s", s.random().between(15, 60));
  s.reaction("peer gives up");
  dies(s, s.peer());
}

void takes_nothing_more(Stage& s, const Scene&) {
  if (!s.setting().sctp) s.before("end {} ack-every=0", s.culprit());
  s.open();
  s.blame_culprit();
  if (s.setting().sctp) {
    s.say("flush; a-rwnd {} 0; ack {}", s.culprit(), s.culprit());
  } else {
    s.say("flush; window {} 0; send {} 10; flush; ack {}", s.culprit(), s.culprit(), s.peer());
  }
  s.say("wait 40s; connection; connect");
}

// It closes; the other never does.
void never_closes(Stage& s, const Scene&) {
  s.open();
  s.blame_culprit();
  s.say("flush; fin {}", s.peer());
  s.harmless();
  s.silence(40);
}

void killed_while_idle(Stage& s, const Scene&) {
  s.open();
  s.blame(Culprit::none, bit(Stage::of(s.culprit())));
  // What a living end has it acknowledges: without that, the path may have lost it.
  s.say("flush; ack {}; ack {}; wait {}ms", s.culprit(), s.peer(), s.random().between(1, 3000));
  dies(s, s.culprit());
}

// What the culprit sends is seen and never arrives; nothing comes back. A dead host looks the same.
void path_loses_everything(Stage& s, const Scene&) {
  s.open();
  s.blame(Culprit::path, 0);
  const char side = s.culprit();
  s.say("flush; ack {}; ack {}; capture {}", side, s.peer(), side);
  s.say("retransmit {} delay=0; send {} {}; wait 1s", side, side, s.random().between(10, 900));
  s.say("retransmit {} delay=0; send {} {}; wait 20s", side, side, s.random().between(10, 900));
  if (s.one_of(2)) {
    s.reaction("reset");
    s.say("{} {}", s.setting().sctp ? "abort" : "reset", side);
  } else {
    s.reaction("silence");
    s.say("wait 40s; connection; connect");
  }
}

// The answer to a Read is not what was asked for; the side that asked refuses it.
void response_of_another_length(Stage& s, const Scene&) {
  s.open();
  s.blame_culprit();
  s.say("read-request {} size=100 source-stag=0x2000 source-to=0x7e0000000000 sink-stag=0x3000 sink-to=0x1000; flush",
        s.peer());
  s.say("read-response {} {}", s.culprit(), s.one_of(2) ? 40 : 200);
  s.refuse({{1, 1, 1}, {1, 1, 0}, {0, 2, 0xFF}});
}

void response_to_another_buffer(Stage& s, const Scene&) {
  s.open();
  s.blame_culprit();
  s.say("read-request {} size=100 source-stag=0x2000 source-to=0x7e0000000000 sink-stag=0x3000 sink-to=0x1000; flush",
        s.peer());
  s.say("fault {} stag-other skip=0; read-response {}", s.culprit(), s.culprit());
  s.refuse({{1, 1, 0}, {0, 1, 0}});
}

void response_to_nothing(Stage& s, const Scene&) {
  s.open();
  s.blame_culprit();
  s.say("tagged {} stag=0x3000 to=0x1000 opcode=2 100", s.culprit());
  s.refuse({{1, 1, 0}, {0, 2, 6}, {0, 1, 0}});
}

}  // namespace

std::vector<Scene> end_scenes() {
  return {
      {"nothing-wrong", {}, nothing_wrong},
      {"nothing-wrong-2", {}, nothing_wrong},
      {"nothing-wrong-3", {}, nothing_wrong},
      {"killed-while-idle", {}, killed_while_idle},
      {"dies-while-it-waits", {}, dies_while_it_waits},
      {"dies-instead-of-answering", {}, dies_instead_of_answering},
      {"dies-inside-a-message", {}, dies_inside_a_message},
      {"stops-inside-a-message", {}, stops_inside_a_message},
      {"stops-answering", {}, stops_answering},
      {"takes-nothing-more", {}, takes_nothing_more},
      {"never-closes", {.sctp = false}, never_closes},
      {"path-loses-everything", {}, path_loses_everything},
      {"response-of-another-length", {}, response_of_another_length},
      {"response-to-another-buffer", {}, response_to_another_buffer},
      {"response-to-nothing", {}, response_to_nothing},
  };
}

}  // namespace iwarpscope::truth
