// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The exit statuses of the program.
#pragma once

namespace iwarpscope::cli {

inline constexpr int kExitDone = 0;
inline constexpr int kExitFound = 1;          ///< --fail-on, and there was such a finding
inline constexpr int kExitTrouble = 2;        ///< bad usage, unreadable input, or output that could not be written
inline constexpr int kExitInterrupted = 130;  ///< by SIGINT or SIGTERM: 128 + SIGINT, as in shells
inline constexpr int kExitClosed = 141;       ///< the reader of standard output went away: 128 + SIGPIPE

}  // namespace iwarpscope::cli
