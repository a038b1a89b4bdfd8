// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Terminates: of accesses that only the receiver can judge, of its own trouble, and of faults that are none.
#include "truth/scene.h"

namespace iwarpscope::truth {
namespace {

void last_message(Stage& s) {
  switch (s.random().below(3)) {
    case 0: s.say("send {} {}", s.culprit(), s.random().between(1, 900)); break;
    case 1: s.say("write {} stag=0x1000 to=0x7f0000000000 {}", s.culprit(), s.random().between(1, 900)); break;
    default:
      s.say("read-request {} size=100 source-stag=0x2000 source-to=0x7e0000000000 sink-stag=0x3000 sink-to=0x1000",
            s.culprit());
  }
}

// The sender used a buffer wrongly, or its owner took the buffer back too early: the same packets.
void end_of_access(Stage& s, const Scene& scene) {
  const Culprit sender = Stage::of(s.culprit());
  const Culprit owner = Stage::of(s.peer());
  s.one_of(2) ? s.blame(sender, bit(owner)) : s.blame(owner, bit(sender));
  s.cannot_be_decided();
  s.reaction("terminate");
  s.terminate(s.peer(), scene.codes[s.random().below(scene.codes.size())]);
  s.end_after_terminate(s.peer());
}

void write_refused(Stage& s, const Scene& scene) {
  s.open();
  s.say("write {} stag=0x7700 to=0x7f0000000000 {}", s.culprit(), s.random().between(1, 900));
  end_of_access(s, scene);
}
void read_refused(Stage& s, const Scene& scene) {
  s.open();
  s.say("read-request {} size=100 source-stag=0x7700 source-to=0x7e0000000000 sink-stag=0x3000 sink-to=0x1000",
        s.culprit());
  end_of_access(s, scene);
}
void send_refused(Stage& s, const Scene& scene) {
  s.open();
  s.say("send {} {}", s.culprit(), s.random().between(1, 900));
  end_of_access(s, scene);
}
void invalidate_refused(Stage& s, const Scene& scene) {
  s.open();
  s.say("send-invalidate {} stag=0x7700 {}", s.culprit(), s.random().between(1, 900));
  end_of_access(s, scene);
}

// It names the right message of its peer, for an error that this message cannot have.
void false_claim(Stage& s, const Scene& scene) {
  s.open();
  s.say("send {} {}", s.culprit(), s.random().between(1, 900));
  s.blame(Stage::of(s.peer()));
  s.reaction("terminate");
  const Code code = scene.codes[s.random().below(scene.codes.size())];
  s.say("flush; terminate {} layer={} type={} code={}", s.peer(), code.layer, code.type, code.code);
  s.end_after_terminate(s.peer());
}

// The path between tap and receiver, or the receiver.
void false_framing_claim(Stage& s, const Scene& scene) {
  s.open();
  last_message(s);
  s.blame(Stage::of(s.peer()), bit(Culprit::path));
  s.cannot_be_decided();
  s.reaction("terminate");
  s.terminate(s.peer(), scene.codes[s.random().below(scene.codes.size())]);
  s.end_after_terminate(s.peer());
}

void own_trouble(Stage& s, const Scene& scene) {
  s.open();
  if (s.one_of(2)) last_message(s);
  s.blame(Stage::of(s.peer()));
  s.reaction("terminate");
  s.terminate(s.peer(), scene.codes[s.random().below(scene.codes.size())]);
  s.end_after_terminate(s.peer());
}

void names_what_was_never_sent(Stage& s, const Scene&) {
  s.open();
  s.say("send {} {}", s.culprit(), s.random().between(1, 900));
  s.blame(Stage::of(s.peer()));
  s.reaction("terminate");
  s.say("flush; terminate {} layer=1 type=2 code=3 ddp-length=60 ddp=41430000000000000000{:08x}00000000", s.peer(),
        s.random().below(60000));
  s.end_after_terminate(s.peer());
}

}  // namespace

std::vector<Scene> terminate_scenes() {
  return {
      {"write-refused", {}, write_refused, {{1, 1, 0}, {1, 1, 1}, {1, 1, 2}, {0, 1, 0}, {0, 1, 1}, {0, 1, 2}}},
      {"read-refused", {}, read_refused, {{0, 1, 0}, {0, 1, 1}, {0, 1, 2}, {0, 1, 3}}},
      {"send-refused", {}, send_refused, {{1, 2, 2}, {1, 2, 5}}},
      {"invalidate-refused", {}, invalidate_refused, {{0, 1, 9}, {0, 2, 9}, {0, 1, 0}}},
      {"false-claim", {}, false_claim, {{1, 2, 6}, {1, 2, 1}, {1, 2, 4}, {0, 2, 5}, {0, 2, 6}}},
      {"msn-refused", {}, send_refused, {{1, 2, 3}}},
      {"false-marker-claim", {.sctp = false}, false_framing_claim, {{2, 0, 3}}},
      {"false-crc-claim", {.sctp = false}, false_framing_claim, {{2, 0, 2}}},
      {"own-trouble", {}, own_trouble, {{0, 0, 0}, {1, 0, 0}, {0, 2, 8}}},
      {"names-what-was-never-sent", {}, names_what_was_never_sent},
  };
}

}  // namespace iwarpscope::truth
