// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include <sys/prctl.h>

#include <algorithm>
#include <filesystem>

#include "confine/confine.h"
#include "confine/sanitized.h"

namespace iwarpscope::confine {

void keep_only(const std::vector<Path>& paths) {
  if (kSanitized) return;  // its reports read files and start programs
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return;
  std::vector<Path> all = paths;
  // What libraries open when they are first used: OpenSSL its settings, glibc the number of processors and the time
  // zone.
  for (const char* const path : {"/usr", "/lib", "/lib64", "/etc/ssl/openssl.cnf", "/etc/localtime",
                                 "/sys/devices/system/cpu", "/dev/null", "/dev/urandom"}) {
    all.push_back({path, Right::read});
  }
  const auto has = [&](Right right) {
    return std::any_of(paths.begin(), paths.end(), [right](const Path& path) { return path.right == right; });
  };
  // A kernel without one of them, or a container that forbids it, is no reason not to read a capture.
  static_cast<void>(restrict_files(all));
  static_cast<void>(restrict_calls({.renames = has(Right::replace), .writes = has(Right::write)}));
}

std::string folder_of(const std::string& file) {
  const std::filesystem::path above = std::filesystem::path(file).parent_path();
  return above.empty() ? "." : above.string();
}

}  // namespace iwarpscope::confine
