// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// iwarpscope bundle: writes an incident bundle of a capture file or of a running iwarpscoped.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>

#include "api/client.h"
#include "cli/analyze.h"
#include "cli/output.h"

namespace iwarpscope::cli {

struct BundleArguments {
  std::string file;  ///< empty: of the daemon
  std::string output;
  std::optional<std::uint64_t> qp;
  bool cut_payload = false;
  TapArguments taps;  ///< of the file
  unsigned threads = 1;
};

/// Returns the exit status. Borrows `stop`.
[[nodiscard]] int run_bundle(const BundleArguments& arguments, const api::Place& place, const Console& console,
                             const Engine& engine, std::atomic<bool>& stop);

}  // namespace iwarpscope::cli
