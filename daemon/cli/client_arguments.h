// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The arguments of the commands that query a running iwarpscoped.
#pragma once

#include <CLI/App.hpp>

#include <atomic>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "api/client.h"
#include "cli/output.h"

namespace iwarpscope::cli {

struct ClientArguments {
  api::Place place;
  std::string format = "text";
  std::uint64_t qp = 0;
  bool messages = false;  ///< qp: list them
  bool timeline = false;  ///< qp: list its events by time
  // Filters; empty: any.
  std::string host, state, ulp, outcome, at_least, rule, sensor;
  bool open = false;    ///< qps: only those still followed
  bool follow = false;  ///< findings, events: also new ones
  bool once = false;    ///< watch: one screen
  std::string sort = "rate";
  std::string kind = "findings";  ///< history
  std::string since, until;       ///< history: capture time
  std::uint64_t limit = 0;        ///< rows at most; 0: the command's default
  unsigned seconds = 10;          ///< record
  unsigned days = 7;              ///< site
  std::string reason;             ///< record
  std::string after;              ///< events: a place, as record_place() reads it; empty: all
  std::string log;                ///< events: an event log instead of the daemon
  std::string community_id;       ///< history
};

/// The words that options of these commands may take, by the option's long name.
[[nodiscard]] const std::map<std::string, std::vector<std::string>>& client_choices();

/// Why the text is not an unsigned number; empty if it is one. The parser alone would accept a sign and wrap around.
[[nodiscard]] std::string not_a_number(std::string& text);

/// Declares the options that say where the daemon is. Borrows `typed`.
void declare_place(CLI::App& app, ClientArguments& typed);

/// Declares status, qps, qp, findings, watch, record and history. Borrows `typed`.
void declare_client(CLI::App& app, ClientArguments& typed);

/// Runs the command if it is one of these; nothing if it is not. Returns the exit status.
[[nodiscard]] std::optional<int> run_client(const std::string& command, const ClientArguments& arguments,
                                            const Console& console, std::atomic<bool>& stop);

}  // namespace iwarpscope::cli
