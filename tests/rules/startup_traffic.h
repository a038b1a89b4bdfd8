// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Connections that differ in their startup, for the scenarios of the MS rules.
#pragma once

#include <string_view>
#include <utility>
#include <vector>

#include "rules/scenario.h"
#include "synth/connection.h"

namespace iwarpscope::test {

using synth::kI;
using synth::kR;
using synth::wire::EnhancedData;
using synth::wire::StartupFrame;

[[nodiscard]] inline Traffic of(synth::Connection& c) {
  return {.frames = c.frames()};
}

/// Request and Reply, a message each way, an orderly end.
[[nodiscard]] inline Traffic talk(const StartupFrame& request, StartupFrame reply = {}) {
  reply.kind = StartupFrame::Kind::reply;
  synth::Connection c;
  c.connect();
  c.startup(request, reply);
  c.send(kI, 100);
  c.send(kR, 100);
  c.close();
  return of(c);
}

/// The same from a Startup, which can name the RTR.
[[nodiscard]] inline Traffic talk_after(const synth::Startup& startup) {
  synth::Connection c;
  c.connect();
  c.startup(startup);
  c.send(kI, 100);
  c.send(kR, 100);
  c.close();
  return of(c);
}

/// Request and Reply, then `first` closes.
[[nodiscard]] inline Traffic shut(const StartupFrame& request, StartupFrame reply, synth::Side first = kI) {
  reply.kind = StartupFrame::Kind::reply;
  synth::Connection c;
  c.connect();
  c.startup(request, reply);
  c.close(first);
  return of(c);
}

/// Only a Request, then `first` closes.
[[nodiscard]] inline Traffic unanswered(const StartupFrame& request, synth::Side first = kR) {
  synth::Connection c;
  c.connect();
  c.request(request);
  c.close(first);
  return of(c);
}

/// Enhanced data that asks for read depths only.
[[nodiscard]] inline EnhancedData depths(unsigned ird, unsigned ord) {
  return {.ird = static_cast<std::uint16_t>(ird), .ord = static_cast<std::uint16_t>(ord)};
}

/// Enhanced data of peer-to-peer mode; `types`: letters of "swr" for the RTR types offered.
[[nodiscard]] inline EnhancedData peer_to_peer(std::string_view types, unsigned ird = 16, unsigned ord = 16) {
  const auto has = [types](char c) { return types.find(c) != std::string_view::npos; };
  return {.peer_to_peer = true,
          .rtr_send = has('s'),
          .rtr_write = has('w'),
          .rtr_read = has('r'),
          .ird = static_cast<std::uint16_t>(ird),
          .ord = static_cast<std::uint16_t>(ord)};
}

/// The two frames with these enhanced data.
[[nodiscard]] inline Traffic negotiate(EnhancedData request, EnhancedData reply, synth::Rtr rtr = synth::Rtr::none) {
  return talk_after(synth::Startup{.request_enhanced = request, .reply_enhanced = reply, .rtr = rtr});
}

[[nodiscard]] std::vector<Scenario> startup_reply_scenarios();        ///< MS-15 to 22, and 40
[[nodiscard]] std::vector<Scenario> startup_negotiation_scenarios();  ///< MS-24 to 39

}  // namespace iwarpscope::test
