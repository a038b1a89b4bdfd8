// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// iwarpscope-atomic-histories: random histories of atomics with the analyser's verdicts, for judges that share no code
// with it.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <string>

#include "atomics/history.h"

int main(int argc, char** argv) {
  using namespace iwarpscope::atomics;
  CLI::App app{"Writes random histories of atomics, a line of JSON each, with the analyser's verdict on each answer."};
  std::uint64_t count = 1000;
  std::uint64_t from = 1;
  bool as_events = false;
  bool one_at_a_time = false;
  app.add_option("--histories", count, "How many (1000)");
  app.add_option("--from", from, "The first seed (1)");
  app.add_flag("--events", as_events, "As lists of events (invoke, ok), for Jepsen's checkers and Porcupine");
  app.add_flag("--one-at-a-time", one_at_a_time, "No connection asks again before it was answered");
  try {
    app.parse(argc, argv);
    for (std::uint64_t seed = from; seed < from + count; ++seed) {
      const History history = make_history(seed, one_at_a_time);
      std::puts((as_events ? events(history) : json(history)).c_str());
    }
  } catch (const CLI::ParseError& error) {
    return app.exit(error);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "iwarpscope-atomic-histories: %s\n", error.what());
    return 2;
  }
  return 0;
}
