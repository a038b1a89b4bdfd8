// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "truth/stage.h"

namespace iwarpscope::truth {

std::string_view name(Culprit culprit) noexcept {
  switch (culprit) {
    case Culprit::initiator: return "initiator";
    case Culprit::responder: return "responder";
    case Culprit::path: return "path";
    case Culprit::none: break;
  }
  return "none";
}

std::string_view name(Start start) noexcept {
  switch (start) {
    case Start::rev1: return "rev1";
    case Start::rev2: return "rev2";
    case Start::rtr_send: return "rtr-send";
    case Start::rtr_write: return "rtr-write";
    case Start::rtr_read: return "rtr-read";
    case Start::midstream: break;
  }
  return "midstream";
}

std::string_view name(Network network) noexcept {
  switch (network) {
    case Network::clean: return "clean";
    case Network::loss: return "loss";
    case Network::reordered: return "reordered";
    case Network::duplicates: return "duplicates";
    case Network::damage: return "damage";
    case Network::holes: return "holes";
    case Network::one_direction: return "one-direction";
    case Network::skew: return "skew";
    case Network::mixed: return "mixed";
    case Network::early_end: return "early-end";
    case Network::late_start: return "late-start";
    case Network::snapped: break;
  }
  return "snapped";
}

void Stage::impair() {
  const std::uint64_t seed = random_.below(1'000'000);
  switch (setting_.network) {
    case Network::clean:
    case Network::skew:
    case Network::early_end:
    case Network::late_start: return;
    case Network::snapped: before("snap {}", random_.between(70, 400)); return;
    case Network::one_direction: say("capture {}", random_.chance(500) ? 'a' : 'b'); return;
    case Network::loss: say("impair seed={} lose=60 lose-seen=60", seed); return;
    case Network::reordered: say("impair seed={} reorder=150", seed); return;
    case Network::duplicates: say("impair seed={} duplicate=100 retransmit=100", seed); return;
    case Network::damage: say("impair seed={} corrupt=100", seed); return;
    case Network::holes: say("impair seed={} miss=60", seed); return;
    case Network::mixed: break;
  }
  say("impair seed={} lose=30 lose-seen=30 miss=20 reorder=40 duplicate=30 retransmit=20 corrupt=20", seed);
}

/// How TCP segments and packets are filled.
void Stage::pack() {
  if (!one_of(4)) return;
  if (setting_.sctp) return say("bundle a on; bundle b on");
  switch (random_.below(4)) {
    case 0: say("pack"); break;
    case 1: say("cut {},{}", random_.between(20, 200), random_.between(200, 1400)); break;
    case 2: say("offload"); break;
    default: say("crc-alone");
  }
}

void Stage::connect() {
  impair();
  pack();
  say("connect");
}

void Stage::startup() {
  std::string line = "startup";
  switch (setting_.start) {
    case Start::rev1:
    case Start::midstream: break;
    case Start::rev2: line += " rev=2 ird=16 ord=16"; break;
    case Start::rtr_send: line += " p2p ird=16 ord=16 offer=send"; break;
    case Start::rtr_write: line += " p2p ird=16 ord=16 offer=write"; break;
    case Start::rtr_read: line += " p2p ird=16 ord=16 offer=read"; break;
  }
  if (!setting_.sctp) {
    line += setting_.crc ? " crc" : " nocrc";
    // A side sends Markers where its peer's frame asks for them. Source: RFC 5044 §7.1.1.
    line += markers('b') ? " request-markers=on" : "";
    line += markers('a') ? " reply-markers=on" : "";
  }
  say("fill {}; {}; flush", setting_.fill, line);
  // The RTR is sent when the Reply is there.
  if (setting_.start == Start::rtr_send) say("rtr send; flush");
  if (setting_.start == Start::rtr_write) say("rtr write; flush");
  if (setting_.start == Start::rtr_read) say("rtr read; flush");
}

void Stage::open() {
  const bool midstream = setting_.start == Start::midstream;
  if (midstream) say("capture off");
  connect();
  startup();
  say("send a 64; flush");
  if (!midstream) return talk(random_.between(1, 6));
  talk(2);
  say("flush; capture on");
  if (setting_.network == Network::one_direction) say("capture {}", random_.chance(500) ? 'a' : 'b');
  talk(random_.between(6, 12));
}

void Stage::message() {
  const char side = random_.chance(500) ? 'a' : 'b';
  switch (random_.below(8)) {
    case 0:
    case 1:
    case 2: say("send {} {}", side, random_.between(0, 3000)); break;
    case 3: say("send-se {} {}", side, random_.between(0, 300)); break;
    case 4:
    case 5:
      say("write {} stag=0x{:x} to=0x{:x} {}", side, 0x1000 + random_.below(4) * 256,
          0x7F0000000000 + random_.below(64) * 64, random_.between(1, 4000));
      break;
    case 6:
      say("read {} size={} source-stag=0x{:x} source-to=0x{:x} sink-stag=0x{:x} sink-to=0x{:x}", side,
          random_.between(1, 3000), 0x2000 + random_.below(4) * 256, 0x7E0000000000 + random_.below(64) * 4096,
          0x3000 + random_.below(4) * 256, 0x7D0000000000 + (++words_) * 4096);
      break;
    default: say("immediate {} 0x{:x}", side, random_.below(1000));
  }
  say("flush");
}

void Stage::talk(std::uint64_t count) {
  for (; count > 0; --count) {
    message();
    if (one_of(4)) say("wait {}us", random_.between(10, 3000));
  }
}

void Stage::terminate(char side, Code code) {
  const std::uint64_t dialect = random_.below(4);
  say("flush; terminate {} layer={} type={} code={}{}", side, code.layer, code.type, code.code,
      dialect == 0 && !setting_.sctp ? " dialect=siw"
      : dialect == 1                 ? " dialect=bare"
                                     : "");
}

void Stage::send_on() {
  for (std::uint64_t n = random_.between(1, 2); n > 0; --n) {
    if (one_of(2)) {
      say("send {} {}", culprit(), random_.between(1, 600));
    } else {
      say("write {} stag=0x1000 to=0x7f0000003000 {}", culprit(), random_.between(1, 600));
    }
  }
}

void Stage::end_after_terminate(char side) {
  const char other = side == 'a' ? 'b' : 'a';
  if (other == culprit() && one_of(4)) send_on();
  switch (random_.below(4)) {
    case 0: reset(side); break;
    case 1: reset(other); break;
    case 2: close(other); break;
    default: close(side);
  }
}

void Stage::refuse(const std::vector<Code>& all) {
  std::vector<Code> codes;
  for (const Code& code : all) {
    const bool of_mpa = code.layer == 2;
    const bool of_crc = of_mpa && code.code == 2;
    if (!(of_mpa && setting_.sctp) && !(of_crc && !setting_.crc)) codes.push_back(code);
  }
  const std::uint64_t kind = codes.empty() ? random_.between(7, 11) : random_.below(12);
  if (kind < 7) {
    reaction("terminate");
    if (one_of(3)) {
      say("keep-named {}", culprit());
      send_on();
    }
    terminate(peer(), codes[random_.below(codes.size())]);
    end_after_terminate(peer());
  } else if (kind == 7) {
    reaction("reset");
    reset(peer());
  } else if (kind == 8) {
    reaction("close");
    close(peer());
  } else if (kind == 9) {
    reaction("silence");
    say("flush");
    silence(40);
  } else {
    ends_itself();
  }
}

void Stage::ends_itself() {
  if (one_of(2)) {
    say("read-request {} size=100 source-stag=0x2000 source-to=0x7e0000000000 sink-stag=0x3000 sink-to=0x1000",
        culprit());
  }
  say("flush; ack {}; wait {}ms", peer(), one_of(3) ? random_.between(1, 900) : random_.between(1000, 40'000));
  switch (random_.below(setting_.sctp ? 2 : 3)) {
    case 0:
      reaction("own reset");
      reset(culprit());
      break;
    case 1:
      reaction("own close");
      close(culprit());
      break;
    default:
      reaction("own half-close");
      say("fin {}", culprit());
      silence(40);
  }
}

void Stage::finish() {
  switch (random_.below(5)) {
    case 0: say("flush"); break;
    case 1: say("flush; wait 1s"); break;
    default: close(random_.chance(500) ? 'a' : 'b');
  }
}

void Stage::silence(unsigned seconds) {
  say("ack {}; ack {}", culprit(), peer());
  say("wait {}s", seconds);
  say("connection; connect");
}

}  // namespace iwarpscope::truth
