// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Code in a process of its own that sees file systems of its own: a full disk, one that cannot be written.
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <exception>
#include <string>

namespace iwarpscope::outputs {

/// Runs `body` in a child with a tmpfs of this size on `folder` that no other process sees and that goes with the
/// child. The child's failed expectations are printed by it and fail the test. False: this process may not do that.
template <class Body>
[[nodiscard]] bool with_own_disk(const std::string& folder, const std::string& size, Body&& body) {
  constexpr int kMayNot = 77;
  const pid_t child = fork();
  if (child == 0) {
    if (unshare(CLONE_NEWNS) != 0 || mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 ||
        mount("tmpfs", folder.c_str(), "tmpfs", 0, ("size=" + size).c_str()) != 0) {
      _exit(kMayNot);
    }
    try {
      body();
    } catch (const std::exception& exception) {
      ADD_FAILURE() << exception.what();
    }
    std::fflush(nullptr);
    _exit(::testing::Test::HasFailure() ? 1 : 0);
  }
  int status = 0;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  if (WIFEXITED(status) && WEXITSTATUS(status) == kMayNot) return false;
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << "the child's expectations failed, see above";
  return true;
}

}  // namespace iwarpscope::outputs
