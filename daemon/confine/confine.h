// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// What the kernel refuses to a program from then on: Landlock for files, seccomp for system calls.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <tl/expected.hpp>

namespace iwarpscope::confine {

/// What is done with a path, and with everything below it if it is a folder.
enum class Right : std::uint8_t {
  read,
  write,           ///< files and folders are also made, changed and removed
  replace,         ///< files are made and removed, not opened: what renaming in a folder takes
  remove_folders,  ///< nothing else
};
struct Path {
  std::string path;  ///< without such a file or folder it has no effect
  Right right = Right::read;
};

/// System calls beyond those that compute, read and write open files, and open files to read them.
struct Calls {
  bool renames = false;  ///< files are renamed and removed
  bool writes = false;   ///< that, and all other calls that change files
  bool sockets = false;  ///< of the families Unix, IP and netlink; without: the error EACCES
  bool log = false;      ///< what is not allowed is logged by the kernel, and happens
};

/// Landlock, for this thread and all it starts: only these paths; no TCP connections to others where the kernel can
/// forbid them. Privileges must have been given up (PR_SET_NO_NEW_PRIVS). Returns the version of Landlock. Fails with a
/// clause.
[[nodiscard]] tl::expected<int, std::string> restrict_files(const std::vector<Path>& paths);

/// seccomp, for all threads: another call ends the process, and no program is executed. Fails with a sentence.
[[nodiscard]] tl::expected<void, std::string> restrict_calls(const Calls& calls);

/// For a program that reads captures: all that these paths do not need is given up, for good and for the whole process,
/// as far as this kernel and its settings allow. The system's libraries can be read, and nothing is done under a
/// sanitizer. Call it before there are other threads.
void keep_only(const std::vector<Path>& paths);

/// The folder in which a file of this name is made.
[[nodiscard]] std::string folder_of(const std::string& file);

}  // namespace iwarpscope::confine
