// Gives up what the daemon does not need once everything is open.
#pragma once

#include <string>
#include <vector>

#include <tl/expected.hpp>

#include "service/configuration.h"

namespace iwarpscope::service {

struct SandboxOptions {
  std::string user, group;            ///< whom root becomes; empty: it stays
  std::vector<std::string> groups;    ///< that the process is to be in beside them
  std::vector<std::string> writable;  ///< folders
  std::vector<std::string> readable;  ///< files and folders beyond the system's own
  SandboxMode mode = SandboxMode::on;
};

struct Sandboxed {
  std::vector<std::string> warnings;  ///< sentences: what this kernel could not be asked for
  int landlock_abi = 0;               ///< 0: Landlock is not in force
  bool seccomp = false;               ///< in force
};

/// For this thread and all it starts: call it before there are others. In this order: the user and group (if root), no
/// capabilities, also not in the bounding set, no_new_privs; then, unless off, Landlock (reading: the system's folders
/// and `readable`; writing: `writable`; no TCP connections to others where the kernel can forbid them) and seccomp
/// (calls beyond an allow-list end the process; sockets of other families than Unix, IP and netlink are refused).
/// Fails with a sentence when the user or a group is not there or cannot be become: then nothing may go on.
[[nodiscard]] tl::expected<Sandboxed, std::string> enter_sandbox(const SandboxOptions& options);

/// Whether this machine has a user of that name.
[[nodiscard]] bool has_user(const std::string& name);

/// Makes a folder that is not there, for the user it is to belong to when root makes it. Fails with a sentence.
[[nodiscard]] tl::expected<void, std::string> make_folder(const std::string& path, const std::string& user,
                                                          const std::string& group);

// The parts, in the files of their names.
[[nodiscard]] tl::expected<void, std::string> become(const SandboxOptions& options);
void restrict_files(const SandboxOptions& options, Sandboxed& result);
void restrict_calls(const SandboxOptions& options, Sandboxed& result);

}  // namespace iwarpscope::service
