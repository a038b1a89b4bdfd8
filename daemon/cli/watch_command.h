// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// iwarpscope watch: the queue pairs of a running daemon, as top shows processes.
#pragma once

#include <atomic>

#include "api/client.h"
#include "cli/client_arguments.h"
#include "cli/output.h"

namespace iwarpscope::cli {

/// Runs until `q` or `stop`. Returns the exit status, kExitDone in both cases.
[[nodiscard]] int run_watch(api::Client& client, const ClientArguments& arguments, const Console& console,
                            std::atomic<bool>& stop);

}  // namespace iwarpscope::cli
