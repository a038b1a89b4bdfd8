// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// What a program that reads captures cannot do any more, tried from inside.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <thread>

#include "confine/confine.h"
#include "confine/sanitized.h"

namespace iwarpscope::confine {
namespace {

class KeepOnly : public testing::Test {
 protected:
  KeepOnly() {
    std::string name = testing::TempDir() + "iwarpscope-confine-XXXXXX";
    folder_ = mkdtemp(name.data());
    for (const char* const inner : {"/out", "/else"}) std::filesystem::create_directory(folder_ + inner);
    for (const char* const file : {"/capture", "/secret", "/out/made", "/else/made"}) {
      std::ofstream(folder_ + file) << "content";
    }
  }
  ~KeepOnly() override { std::filesystem::remove_all(folder_); }
  void SetUp() override {
    if (kSanitized) GTEST_SKIP() << "a sanitizer needs what is given up";
    if (!status_of([] { return restrict_calls({}) ? 0 : 1; }, {}).is_exit(0)) GTEST_SKIP() << "no seccomp here";
  }

  struct Status {
    int status = 0;
    [[nodiscard]] bool is_exit(int code) const { return WIFEXITED(status) && WEXITSTATUS(status) == code; }
    [[nodiscard]] bool is_killed() const { return WIFSIGNALED(status) && WTERMSIG(status) == SIGSYS; }
    friend std::ostream& operator<<(std::ostream& out, const Status& s) { return out << "wait status " << s.status; }
  };
  /// How a child ends that gives up the rest and does this.
  static Status status_of(const std::function<int()>& work, const std::vector<Path>& needed) {
    const pid_t child = fork();
    if (child == 0) {
      if (!needed.empty()) keep_only(needed);
      _exit(work());
    }
    Status result;
    waitpid(child, &result.status, 0);
    return result;
  }
  /// The same for one that reads a capture.
  Status reader(const std::function<int()>& work) const {
    return status_of(work, {{folder_ + "/capture", Right::read}});
  }
  /// The same for one that also renames its output.
  Status renamer(const std::function<int()>& work) const {
    return status_of(work, {{folder_ + "/capture", Right::read}, {folder_ + "/out", Right::replace}});
  }
  /// The same for one that also makes files.
  Status maker(const std::function<int()>& work) const {
    return status_of(work, {{folder_ + "/capture", Right::read}, {folder_ + "/out", Right::write}});
  }
  /// 0 or errno.
  static int opened(const std::string& path, int flags) {
    const int file = ::open(path.c_str(), flags | O_CLOEXEC, 0600);
    if (file < 0) return errno;
    close(file);
    return 0;
  }
  static bool has_landlock() {
    const auto restricted = [] { return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && restrict_files({}) ? 0 : 1; };
    return status_of(restricted, {}).is_exit(0);
  }

  std::string folder_;
};

TEST_F(KeepOnly, CaptureIsReadAgainAndAgainByThreads) {
  const Status status = reader([this] {
    int result = 1;
    std::thread([&] { result = opened(folder_ + "/capture", O_RDONLY); }).join();
    return result != 0 ? result : opened(folder_ + "/capture", O_RDONLY);
  });
  EXPECT_TRUE(status.is_exit(0)) << status;
}

TEST_F(KeepOnly, OtherFilesAreNotRead) {
  if (!has_landlock()) GTEST_SKIP() << "no Landlock here";
  for (const std::string& file : {folder_ + "/secret", std::string{"/etc/passwd"}, std::string{"/proc/self/maps"}}) {
    const Status status = reader([&] { return opened(file, O_RDONLY); });
    EXPECT_TRUE(status.is_exit(EACCES)) << file << ", " << status;
  }
}

TEST_F(KeepOnly, NothingIsOpenedToWriteEvenTheCapture) {
  for (const int flags : {O_WRONLY, O_RDWR, O_RDONLY | O_TRUNC, O_RDONLY | O_CREAT}) {
    const Status status = reader([&] { return opened(folder_ + "/capture", flags); });
    EXPECT_TRUE(status.is_killed()) << flags << ", " << status;
  }
}

TEST_F(KeepOnly, NothingIsRenamedOrRemovedWithoutAnOutput) {
  const Status moved =
      reader([this] { return std::rename((folder_ + "/out/made").c_str(), (folder_ + "/x").c_str()); });
  EXPECT_TRUE(moved.is_killed()) << moved;
  const Status removed = reader([this] { return unlink((folder_ + "/out/made").c_str()); });
  EXPECT_TRUE(removed.is_killed()) << removed;
}

TEST_F(KeepOnly, OutputIsRenamedInItsFolderOnly) {
  const auto renamed = [this](const char* folder) {
    const std::string from = folder_ + folder + "/made";
    return std::rename(from.c_str(), (from + ".2").c_str()) == 0 ? 0 : errno;
  };
  const Status here = renamer([&] { return renamed("/out"); });
  EXPECT_TRUE(here.is_exit(0)) << here;
  const Status opened_there = renamer([this] { return opened(folder_ + "/out/made.2", O_WRONLY); });
  EXPECT_TRUE(opened_there.is_killed()) << opened_there;
  if (!has_landlock()) GTEST_SKIP() << "no Landlock here";
  const Status elsewhere = renamer([&] { return renamed("/else"); });
  EXPECT_TRUE(elsewhere.is_exit(EACCES)) << elsewhere;
}

TEST_F(KeepOnly, FilesAreMadeInTheNamedFolderOnly) {
  const Status here = maker([this] { return opened(folder_ + "/out/new", O_WRONLY | O_CREAT); });
  EXPECT_TRUE(here.is_exit(0)) << here;
  if (!has_landlock()) GTEST_SKIP() << "no Landlock here";
  const Status elsewhere = maker([this] { return opened(folder_ + "/else/new", O_WRONLY | O_CREAT); });
  EXPECT_TRUE(elsewhere.is_exit(EACCES)) << elsewhere;
  const Status capture = maker([this] { return opened(folder_ + "/capture", O_WRONLY); });
  EXPECT_TRUE(capture.is_exit(EACCES)) << capture;
}

TEST_F(KeepOnly, NoSocketOfAnyFamilyIsMade) {
  for (const int family : {AF_UNIX, AF_INET, AF_INET6, AF_NETLINK, AF_PACKET}) {
    const Status status = reader([family] { return socket(family, SOCK_DGRAM, 0) >= 0 ? 0 : errno; });
    EXPECT_TRUE(status.is_exit(EACCES)) << family << ", " << status;
  }
}

TEST_F(KeepOnly, NoProgramIsStartedAndNoProcessIsMadeOrTraced) {
  const Status started = reader([] { return execl("/bin/true", "true", nullptr); });
  EXPECT_TRUE(started.is_killed()) << started;
  const Status forked = reader([] { return fork() == 0 ? 0 : 1; });
  EXPECT_TRUE(forked.is_killed()) << forked;
  const Status traced = reader([] { return ptrace(PTRACE_TRACEME, 0, nullptr, nullptr) == 0 ? 0 : 1; });
  EXPECT_TRUE(traced.is_killed()) << traced;
}

TEST(FolderOf, NameWithoutAFolderIsInTheWorkingFolder) {
  EXPECT_EQ(folder_of("report.html"), ".");
  EXPECT_EQ(folder_of("/tmp/report.html"), "/tmp");
  EXPECT_EQ(folder_of("/report.html"), "/");
}

}  // namespace
}  // namespace iwarpscope::confine
