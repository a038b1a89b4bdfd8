// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/signals.h"

#include <signal.h>
#include <unistd.h>

#include "cli/exit_status.h"

namespace iwarpscope::cli {
namespace {

// A signal handler can only reach objects of static storage.
std::atomic<bool> stop_requested{false};
static_assert(std::atomic<bool>::is_always_lock_free);

extern "C" void on_signal(int) {
  if (stop_requested.exchange(true)) _exit(kExitInterrupted);
}

}  // namespace

std::atomic<bool>& install_signals() {
  struct sigaction action {};
  sigemptyset(&action.sa_mask);
  action.sa_handler = on_signal;  // without SA_RESTART: a blocked read returns
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  action.sa_handler = SIG_IGN;
  sigaction(SIGPIPE, &action, nullptr);
  return stop_requested;
}

}  // namespace iwarpscope::cli
