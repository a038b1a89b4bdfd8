// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include <unistd.h>

#include <exception>

#include "cli/app.h"
#include "cli/exit_status.h"
#include "cli/signals.h"
#include "engine/engine.h"

int main(int argc, char** argv) {
  using namespace iwarpscope;
  cli::Output out(STDOUT_FILENO);
  cli::Output err(STDERR_FILENO);
  const cli::Console console{out, err};
  try {
    return cli::run(argc, argv, console, engine::analyze, cli::install_signals());
  } catch (const std::exception& error) {
    console.complain(error.what());
    return cli::kExitTrouble;
  }
}
