// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "service/sandbox.h"

#include <fmt/format.h>

#include "confine/confine.h"

namespace iwarpscope::service {
namespace {

std::vector<confine::Path> paths(const SandboxOptions& options) {
  using confine::Right;
  std::vector<confine::Path> all;
  for (const char* const path : {"/usr", "/lib", "/lib64", "/etc", "/proc", "/sys", "/dev/null", "/dev/urandom"}) {
    all.push_back({path, Right::read});
  }
  for (const std::string& path : options.readable) all.push_back({path, Right::read});
  for (const std::string& path : options.writable) all.push_back({path, Right::write});
  return all;
}

}  // namespace

tl::expected<Sandboxed, std::string> enter_sandbox(const SandboxOptions& options) {
  if (auto changed = become(options.identity); !changed) return tl::unexpected(changed.error());
  Sandboxed result;
  if (options.mode == SandboxMode::off) return result;
  if (const auto abi = confine::restrict_files(paths(options))) {
    result.landlock_abi = *abi;
  } else {
    result.warnings.push_back(
        fmt::format("{}: only file permissions restrict the daemon's access to files.", abi.error()));
  }
  const auto calls =
      confine::restrict_calls({.writes = true, .sockets = true, .log = options.mode == SandboxMode::log});
  result.seccomp = calls.has_value();
  if (!calls) result.warnings.push_back(calls.error());
  return result;
}

}  // namespace iwarpscope::service
