// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Landlock, by its system calls: glibc has no functions for them. Source: landlock(7).
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <system_error>

#include "confine/confine.h"

#ifndef SYS_landlock_create_ruleset  // the same on all architectures
#define SYS_landlock_create_ruleset 444
#define SYS_landlock_add_rule 445
#define SYS_landlock_restrict_self 446
#endif

namespace iwarpscope::confine {
namespace {

// From linux/landlock.h; the headers of Debian 12 lack some of them.
constexpr std::uint64_t kExecute = 1u << 0, kWriteFile = 1u << 1, kReadFile = 1u << 2, kReadDir = 1u << 3;
constexpr std::uint64_t kRemoveDir = 1u << 4, kRemoveFile = 1u << 5, kMakeDir = 1u << 7, kMakeReg = 1u << 8;
constexpr std::uint64_t kMakeSock = 1u << 9;
constexpr std::uint64_t kAllOfAbi1 = (1u << 13) - 1;
constexpr std::uint64_t kRefer = 1u << 13, kTruncate = 1u << 14, kIoctlDev = 1u << 15;
constexpr std::uint64_t kConnectTcp = 1u << 1;
constexpr unsigned kVersion = 1u << 0;
constexpr int kPathBeneath = 1;

struct RulesetAttributes {
  std::uint64_t files = 0, network = 0;
};
struct __attribute__((packed)) PathBeneath {
  std::uint64_t allowed = 0;
  std::int32_t parent = -1;
};

constexpr std::uint64_t kRead = kReadFile | kReadDir;
constexpr std::uint64_t kWrite =
    kRead | kWriteFile | kRemoveFile | kRemoveDir | kMakeDir | kMakeReg | kMakeSock | kTruncate;
constexpr std::uint64_t kOfFiles = kExecute | kWriteFile | kReadFile | kTruncate | kIoctlDev;

void allow(int ruleset, const std::string& path, std::uint64_t access) {
  const int file = open(path.c_str(), O_PATH | O_CLOEXEC);
  if (file < 0) return;  // a path that does not exist needs no rule
  struct stat status {};
  if (fstat(file, &status) == 0 && !S_ISDIR(status.st_mode)) access &= kOfFiles;
  const PathBeneath rule{access, file};
  static_cast<void>(syscall(SYS_landlock_add_rule, ruleset, kPathBeneath, &rule, 0));
  close(file);
}

/// The rights as Landlock has them; its version may not know all.
std::uint64_t access_of(Right right) noexcept {
  switch (right) {
    case Right::read: return kRead;
    case Right::write: return kWrite;
    case Right::replace: return kMakeReg | kRemoveFile;
    case Right::remove_folders: return kRemoveDir;
  }
  return 0;
}

/// From the error of the first call. Source: landlock_create_ruleset(2).
std::string why_no_landlock(int error) {
  if (error == ENOSYS) return "This kernel has no Landlock";
  if (error == EOPNOTSUPP) return "Landlock was not enabled when this kernel started (lsm=)";
  return fmt::format(
      "Landlock cannot be used: {}. The program's environment refuses its system calls (under systemd, "
      "SystemCallFilter= must allow them)",
      std::generic_category().message(error));
}

}  // namespace

tl::expected<int, std::string> restrict_files(const std::vector<Path>& paths) {
  const long abi = syscall(SYS_landlock_create_ruleset, nullptr, 0, kVersion);
  if (abi < 1) return tl::unexpected(why_no_landlock(errno));
  RulesetAttributes attributes;
  attributes.files = kAllOfAbi1 | (abi >= 2 ? kRefer : 0) | (abi >= 3 ? kTruncate : 0) | (abi >= 5 ? kIoctlDev : 0);
  attributes.network = abi >= 4 ? kConnectTcp : 0;
  const std::size_t size = abi >= 4 ? sizeof attributes : sizeof attributes.files;
  const int ruleset = static_cast<int>(syscall(SYS_landlock_create_ruleset, &attributes, size, 0));
  bool done = ruleset >= 0;
  if (done) {
    for (const Path& path : paths) allow(ruleset, path.path, access_of(path.right) & attributes.files);
    done = syscall(SYS_landlock_restrict_self, ruleset, 0) == 0;
  }
  const int error = errno;
  if (ruleset >= 0) close(ruleset);
  if (done) return static_cast<int>(abi);
  return tl::unexpected("Landlock cannot be used: " + std::generic_category().message(error));
}

}  // namespace iwarpscope::confine
