// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Scripts: calls of a connection, one per line, played by iwarpscope-synth.
//
//   connect                          # the TCP handshake
//   startup rev=2 markers p2p rtr=read ird=8 ord=8
//   send a 1000
//   write b stag=0x10 to=0x1000 5000
//   fault crc-mismatch
//   send a text="hello"; close       # ';' separates commands like a line end
//
// Each command is one call of a Connection (connection.h), so a script and the calls give the same octets.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

#include "synth/frame.h"

namespace iwarpscope::synth {

/// "NAME:LINE: what is wrong", on one line.
struct ScriptError : std::invalid_argument {
  using std::invalid_argument::invalid_argument;
};

/// The frames of a script, in the order of the tap. `name` is used in errors. Throws ScriptError.
[[nodiscard]] Frames play(std::string_view script, std::string_view name = "script");

/// All commands with their arguments, as help text.
[[nodiscard]] std::string script_help();

}  // namespace iwarpscope::synth
