// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Connections in Full Operation, for the scenarios of the MF and TC rules.
#pragma once

#include <functional>
#include <vector>

#include "rules/scenario.h"
#include "synth/connection.h"

namespace iwarpscope::test {

inline constexpr synth::Side kOne = synth::Side::initiator;
inline constexpr synth::Side kOther = synth::Side::responder;

using Script = std::function<void(synth::Connection&)>;

/// TCP, the startup given, the script, an orderly end.
[[nodiscard]] inline Traffic connected(const synth::Startup& startup, const Script& script,
                                       synth::ConnectionOptions options = {}) {
  synth::Connection c(std::move(options));
  c.connect();
  c.startup(startup);
  script(c);
  c.close();
  return {.frames = c.frames()};
}

/// The same with the usual startup: CRC, no markers.
[[nodiscard]] inline Traffic connected(const Script& script) {
  return connected(synth::Startup{}, script);
}

/// Sends of `octets` octets.
inline void sends(synth::Connection& c, unsigned count, std::size_t octets = 100, synth::Side side = kOne) {
  for (unsigned i = 0; i < count; ++i) c.send(side, octets);
}

/// A Send that has this fault, between others that have none.
[[nodiscard]] inline Script faulty(std::string_view fault, std::size_t octets = 100) {
  return [name = std::string(fault), octets](synth::Connection& c) {
    sends(c, 3);
    c.fault(kOne, name);
    c.send(kOne, octets);
    sends(c, 3);
  };
}

/// The same with any alteration.
[[nodiscard]] inline Script altered(synth::Alter alter, std::size_t octets = 100) {
  return [alter = std::move(alter), octets](synth::Connection& c) {
    sends(c, 3);
    c.alter(kOne, alter);
    c.send(kOne, octets);
    sends(c, 3);
  };
}

[[nodiscard]] std::vector<Scenario> marker_scenarios();     ///< MF-06 to 13, and 15
[[nodiscard]] std::vector<Scenario> crc_scenarios();        ///< MF-25
[[nodiscard]] std::vector<Scenario> unframed_scenarios();   ///< MF-26
[[nodiscard]] std::vector<Scenario> ending_scenarios();     ///< MF-27
[[nodiscard]] std::vector<Scenario> alignment_scenarios();  ///< MF-02, 16, 17, 22, 23

}  // namespace iwarpscope::test
