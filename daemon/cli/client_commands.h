// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The commands that query a running iwarpscoped once and print the answer.
#pragma once

#include <atomic>

#include "api/client.h"
#include "cli/client_arguments.h"
#include "cli/output.h"

namespace iwarpscope::cli {

/// Each prints an error when there is no answer. Return the exit status.
[[nodiscard]] int run_status(api::Client& client, const ClientArguments& arguments, const Console& console,
                             std::atomic<bool>& stop);
[[nodiscard]] int run_qps(api::Client& client, const ClientArguments& arguments, const Console& console,
                          std::atomic<bool>& stop);
[[nodiscard]] int run_qp(api::Client& client, const ClientArguments& arguments, const Console& console,
                         std::atomic<bool>& stop);
/// With --follow it runs until `stop` is set, and then returns kExitDone.
[[nodiscard]] int run_findings(api::Client& client, const ClientArguments& arguments, const Console& console,
                               std::atomic<bool>& stop);
/// With --follow it runs until `stop` is set, and then returns kExitDone.
[[nodiscard]] int run_events(api::Client& client, const ClientArguments& arguments, const Console& console,
                             std::atomic<bool>& stop);
[[nodiscard]] int run_record(api::Client& client, const ClientArguments& arguments, const Console& console,
                             std::atomic<bool>& stop);
[[nodiscard]] int run_site(api::Client& client, const ClientArguments& arguments, const Console& console,
                           std::atomic<bool>& stop);
[[nodiscard]] int run_history(api::Client& client, const ClientArguments& arguments, const Console& console,
                              std::atomic<bool>& stop);

}  // namespace iwarpscope::cli
