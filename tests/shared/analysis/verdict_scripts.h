// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Scripts that several tests of verdicts play: each leaves a connection as its name says.
#pragma once

#include "verdict_case.h"

namespace iwarpscope::test {

/// A Send, which was acknowledged.
inline void send_one(Connection& c) {
  c.startup();
  c.send(kI, 100);
  c.acknowledge(kR);
}

/// A Read Request, which was acknowledged and not answered.
inline void ask_to_read(Connection& c) {
  c.startup();
  c.send(kI, 100);
  c.read_request(kI, {.size = 100});
  c.acknowledge(kR);
}

/// The same, and before the request the capture missed a message of the Responder.
inline void ask_to_read_after_a_hole(Connection& c) {
  c.startup();
  c.send(kI, 100);
  c.channel(kR, Effect::miss);
  c.send(kR, 100);
  c.send(kR, 100);
  c.read_request(kI, {.size = 100});
  c.acknowledge(kR);
}

inline void reset_after_waiting_for_a_read(Connection& c) {
  ask_to_read(c);
  c.wait(30 * kSecond);
  c.reset(kI);
}

inline void stop_inside_a_message(Connection& c) {
  c.startup();
  c.send(kI, 100);
  c.tagged(kI, {.control = synth::wire::ddp_control(true, false), .stag = STag{5}}, 400);
  c.acknowledge(kR);
}

inline void close_the_window(Connection& c) {
  c.startup();
  c.send(kI, 100);
  c.touch(kR, [](synth::TcpSegment& t) { t.window = 0; });
  c.send(kR, 10);
  c.acknowledge(kI);
}

inline void close_one_side(Connection& c) {
  c.startup();
  c.send(kI, 100);
  c.fin(kI);
}

/// The other goes on.
inline void close_one_side_of_two(Connection& c) {
  close_one_side(c);
  c.wait(2 * kSecond);
  c.send(kR, 100);
}

inline void close_both_sides(Connection& c) {
  c.startup();
  c.send(kI, 100);
  c.close(kI);
}

inline void send_a_request(Connection& c) {
  c.request(synth::request_frame({}));
  c.acknowledge(kR);
}

/// The RTR message that was agreed on does not come.
inline void send_no_rtr(Connection& c) {
  Startup s = enhanced(2, 2, 2, 2);
  s.request_enhanced->peer_to_peer = s.reply_enhanced->peer_to_peer = true;
  c.startup(s);
}

}  // namespace iwarpscope::test
