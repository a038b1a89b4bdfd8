// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Gives up what the daemon does not need once everything is open.
#pragma once

#include <string>
#include <vector>

#include <tl/expected.hpp>

#include "service/configuration.h"
#include "service/identity.h"

namespace iwarpscope::service {

struct SandboxOptions {
  Identity identity;
  std::vector<std::string> writable;  ///< folders
  std::vector<std::string> readable;  ///< files and folders beyond the system's own
  SandboxMode mode = SandboxMode::on;
};

struct Sandboxed {
  std::vector<std::string> warnings;  ///< sentences: what this kernel could not be asked for
  int landlock_abi = 0;               ///< 0: Landlock is not in force
  bool seccomp = false;               ///< in force
};

/// For this thread and all it starts: call it before there are others. First become(); then, unless off, Landlock
/// (reading: the system's folders and `readable`; writing: `writable`; no TCP connections to others where the kernel
/// can forbid them) and seccomp (calls beyond an allow-list end the process; sockets of other families than Unix, IP
/// and netlink are refused). Fails as become() does.
[[nodiscard]] tl::expected<Sandboxed, std::string> enter_sandbox(const SandboxOptions& options);

}  // namespace iwarpscope::service
