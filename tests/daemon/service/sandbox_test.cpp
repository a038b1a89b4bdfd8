// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "service/sandbox.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <linux/if_ether.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <thread>

namespace iwarpscope::service {
namespace {

constexpr int kNoSandbox = 99;

/// A folder of its own, which everybody may enter and write.
class Sandbox : public testing::Test {
 protected:
  Sandbox() {
    std::string name = testing::TempDir() + "iwarpscope-sandbox-XXXXXX";
    folder_ = mkdtemp(name.data());
    std::filesystem::create_directory(folder_ + "/open");
    std::filesystem::create_directory(folder_ + "/closed");
    std::ofstream(folder_ + "/closed/secret") << "secret";
    for (const char* const path : {"", "/open", "/closed", "/closed/secret"}) chmod((folder_ + path).c_str(), 0777);
    options_.writable = {folder_ + "/open"};
    if (geteuid() == 0) {
      options_.identity.user = "nobody";
      options_.identity.group = "nogroup";
    }
  }
  ~Sandbox() override { std::filesystem::remove_all(folder_); }

  /// Status of a child that enters the sandbox and then does this.
  int in_child(const std::function<int(const Sandboxed&)>& work) {
    const pid_t child = fork();
    if (child == 0) {
      const auto entered = enter_sandbox(options_);
      _exit(entered ? work(*entered) : kNoSandbox);
    }
    int status = 0;
    waitpid(child, &status, 0);
    return status;
  }
  /// The child returned `code`.
  static testing::AssertionResult exited(int status, int code) {
    if (WIFEXITED(status) && WEXITSTATUS(status) == code) return testing::AssertionSuccess();
    return testing::AssertionFailure() << "wait status " << status << ", exit " << WEXITSTATUS(status) << ", signal "
                                       << WTERMSIG(status);
  }
  /// 0 or errno.
  static int opened(const std::string& path, int flags) {
    const int file = ::open(path.c_str(), flags | O_CLOEXEC, 0600);
    if (file < 0) return errno;
    close(file);
    return 0;
  }
  [[nodiscard]] bool has_landlock() {
    return exited(in_child([](const Sandboxed& s) { return s.landlock_abi > 0 ? 7 : 0; }), 7);
  }
  [[nodiscard]] bool has_seccomp() {
    return exited(in_child([](const Sandboxed& s) { return s.seccomp ? 7 : 0; }), 7);
  }

  std::string folder_;
  SandboxOptions options_;
};

TEST_F(Sandbox, WhatIsNotThereIsSaid) {
  EXPECT_TRUE(exited(in_child([](const Sandboxed& s) {
                       const std::size_t missing = (s.landlock_abi == 0 ? 1 : 0) + (s.seccomp ? 0 : 1);
                       return s.warnings.size() == missing ? 0 : 1;
                     }),
                     0));
}

TEST_F(Sandbox, RootIsGoneWithAllCapabilitiesAndCannotComeBack) {
  EXPECT_TRUE(exited(in_child([](const Sandboxed&) {
                       std::ifstream status("/proc/self/status");
                       bool none = true, no_new_privs = false;
                       for (std::string line; std::getline(status, line);) {
                         if (line.starts_with("Cap") && !line.starts_with("CapBnd")) {
                           none = none && line.find_first_not_of('0', line.find('\t') + 1) == std::string::npos;
                         }
                         if (line == "NoNewPrivs:\t1") no_new_privs = true;
                       }
                       if (geteuid() == 0) return 1;
                       return none && no_new_privs ? 0 : 2;
                     }),
                     0));
}

TEST_F(Sandbox, BoundingSetIsEmptyWhenRootEnters) {
  if (geteuid() != 0) GTEST_SKIP() << "only root may empty it";
  EXPECT_TRUE(exited(in_child([](const Sandboxed&) {
                       std::ifstream status("/proc/self/status");
                       for (std::string line; std::getline(status, line);) {
                         if (line == "CapBnd:\t0000000000000000") return 0;
                       }
                       return 1;
                     }),
                     0));
}

TEST_F(Sandbox, PacketAndRawSocketsAreRefusedAndOrdinaryOnesAreNot) {
  EXPECT_TRUE(exited(in_child([](const Sandboxed&) {
                       if (socket(AF_PACKET, SOCK_RAW, htons(ETH_P_ALL)) >= 0 || errno != EPERM) return 1;
                       if (socket(AF_INET, SOCK_RAW, IPPROTO_TCP) >= 0 || errno != EPERM) return 2;
                       if (socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0) < 0) return 3;
                       return socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0) < 0 ? 4 : 0;
                     }),
                     0));
}

TEST_F(Sandbox, NoProgramIsExecuted) {
  if (!has_seccomp()) GTEST_SKIP() << "no seccomp here";
  const int status = in_child([](const Sandboxed&) {
    execl("/bin/true", "true", nullptr);
    return 0;
  });
  EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGSYS) << status;
}

TEST_F(Sandbox, NoProcessIsMadeAndThreadsAre) {
  if (!has_seccomp()) GTEST_SKIP() << "no seccomp here";
  EXPECT_TRUE(exited(in_child([](const Sandboxed&) {
                       int done = 1;
                       std::thread([&done] { done = 0; }).join();
                       return done;
                     }),
                     0));
  const int status = in_child([](const Sandboxed&) { return fork() == 0 ? 0 : 1; });
  EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGSYS) << status;
}

TEST_F(Sandbox, NoProcessCanBeTraced) {
  if (!has_seccomp()) GTEST_SKIP() << "no seccomp here";
  const int status =
      in_child([](const Sandboxed&) { return ptrace(PTRACE_TRACEME, 0, nullptr, nullptr) == 0 ? 0 : 1; });
  EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGSYS) << status;
}

TEST_F(Sandbox, LogModeLetsCallsPass) {
  options_.mode = SandboxMode::log;
  EXPECT_TRUE(
      exited(in_child([](const Sandboxed&) { return ptrace(PTRACE_TRACEME, 0, nullptr, nullptr) == 0 ? 0 : 1; }), 0));
}

TEST_F(Sandbox, ShadowIsNotRead) {
  EXPECT_TRUE(exited(in_child([](const Sandboxed&) { return opened("/etc/shadow", O_RDONLY); }), EACCES));
}

TEST_F(Sandbox, ConfiguredFolderIsWritten) {
  const std::string file = folder_ + "/open/file";
  EXPECT_TRUE(exited(in_child([&](const Sandboxed&) {
                       if (const int error = opened(file, O_WRONLY | O_CREAT)) return error;
                       if (mkdir((folder_ + "/open/inner").c_str(), 0700) != 0) return errno;
                       if (rename(file.c_str(), (file + ".1").c_str()) != 0) return errno;
                       return unlink((file + ".1").c_str()) != 0 ? errno : 0;
                     }),
                     0));
}

TEST_F(Sandbox, OtherFoldersAreNeitherWrittenNorRead) {
  if (!has_landlock()) GTEST_SKIP() << "no Landlock here";
  EXPECT_TRUE(
      exited(in_child([&](const Sandboxed&) { return opened(folder_ + "/closed/new", O_WRONLY | O_CREAT); }), EACCES));
  EXPECT_TRUE(exited(in_child([&](const Sandboxed&) { return opened(folder_ + "/closed/secret", O_RDONLY); }), EACCES));
  EXPECT_TRUE(exited(in_child([&](const Sandboxed&) { return opened("/etc/passwd", O_RDONLY); }), 0));
}

TEST_F(Sandbox, NamedFilesAreReadAndNotWritten) {
  options_.readable = {folder_ + "/closed/secret"};
  EXPECT_TRUE(exited(in_child([&](const Sandboxed&) { return opened(folder_ + "/closed/secret", O_RDONLY); }), 0));
  if (!has_landlock()) GTEST_SKIP() << "no Landlock here";
  EXPECT_TRUE(exited(in_child([&](const Sandboxed&) { return opened(folder_ + "/closed/secret", O_WRONLY); }), EACCES));
}

TEST_F(Sandbox, SwitchedOffItStillGivesUpRoot) {
  options_.mode = SandboxMode::off;
  EXPECT_TRUE(exited(in_child([](const Sandboxed& s) {
                       if (s.seccomp || s.landlock_abi != 0 || !s.warnings.empty()) return 1;
                       return geteuid() == 0 ? 2 : 0;
                     }),
                     0));
}

TEST_F(Sandbox, UserThatIsNotThereIsAMistake) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can become another user";
  options_.identity.user = "iwarpscope-no-such-user";
  EXPECT_TRUE(exited(in_child([](const Sandboxed&) { return 0; }), kNoSandbox));
  options_.identity.user = "nobody";
  options_.identity.groups = {"iwarpscope-no-such-group"};
  EXPECT_TRUE(exited(in_child([](const Sandboxed&) { return 0; }), kNoSandbox));
}

TEST_F(Sandbox, FoldersAreMadeForTheUser) {
  const std::string inner = folder_ + "/made/inner";
  ASSERT_TRUE(make_folder(inner, options_.identity.user, options_.identity.group));
  struct stat status {};
  ASSERT_EQ(stat(inner.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 07777u, 0750u);
  EXPECT_EQ(status.st_uid == 0, geteuid() == 0 && options_.identity.user.empty());
  EXPECT_TRUE(make_folder(inner, options_.identity.user, options_.identity.group));
  EXPECT_FALSE(make_folder(folder_ + "/closed/secret", options_.identity.user, options_.identity.group));
}

}  // namespace
}  // namespace iwarpscope::service
