// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The Unix socket: its permissions, leftovers of old sockets, garbage.
#include "api/listening.h"

#include <gmock/gmock.h>
#include <grp.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <fstream>
#include <random>
#include <thread>

#include "api/client.h"
#include "daemon/api/kit.h"
#include "iwarpscope/v1/observer.pb.h"

namespace iwarpscope::api::testing {
namespace {

using ::testing::HasSubstr;

int connected(const std::string& path) {
  const int descriptor = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const sockaddr_un address = address_of(path);
  EXPECT_EQ(::connect(descriptor, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
  return descriptor;
}

/// A socket file as a process that was killed leaves it.
void leave_socket(const std::string& path) {
  const int descriptor = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const sockaddr_un address = address_of(path);
  ASSERT_EQ(::bind(descriptor, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
  ::close(descriptor);
}

struct stat status_of(const std::string& path) {
  struct stat status {};
  EXPECT_EQ(::lstat(path.c_str(), &status), 0) << path;
  return status;
}

bool answers(const Daemon& daemon) {
  auto client = Client::open({.socket = daemon.options.socket, .host = {}, .tls = {}});
  return client && (*client)->status().has_value();
}

TEST(Socket, IsForOwnerAndGroup) {
  Daemon daemon;
  ASSERT_EQ(daemon.start(), "");
  EXPECT_EQ(status_of(daemon.options.socket).st_mode & 0777, 0660u);
}

TEST(Socket, HasModeAndGroupAsConfigured) {
  Daemon daemon;
  daemon.options.socket_mode = 0600;
  const group* own = getgrgid(getegid());
  if (own == nullptr) GTEST_SKIP() << "the group of this process has no name";
  daemon.options.socket_group = own->gr_name;
  ASSERT_EQ(daemon.start(), "");
  EXPECT_EQ(status_of(daemon.options.socket).st_mode & 0777, 0600u);
  EXPECT_EQ(status_of(daemon.options.socket).st_gid, getegid());
}

TEST(Socket, OfAGroupThatThereIsNotIsRefused) {
  Daemon daemon;
  daemon.options.socket_group = "no-such-group-here";
  EXPECT_THAT(daemon.start(), HasSubstr("the group 'no-such-group-here'"));
}

TEST(SocketOfADeadDaemon, IsReplaced) {
  Daemon daemon;
  leave_socket(daemon.options.socket);
  ASSERT_EQ(daemon.start(), "");
  EXPECT_TRUE(answers(daemon));
}

TEST(SocketOfADeadDaemon, IsReplacedThatHadNotGotItsNameYet) {
  Daemon daemon;
  std::string beside = daemon.options.socket;
  beside.back() = '~';
  leave_socket(beside);
  ASSERT_EQ(daemon.start(), "");
  EXPECT_TRUE(answers(daemon));
  EXPECT_NE(::access(beside.c_str(), F_OK), 0);
}

TEST(Socket, HasItsNameOnlyWhileItListens) {
  const Folder folder;
  const std::string path = folder.file("sock");
  std::atomic<bool> over = false;
  std::atomic<std::uint64_t> attempts = 0;
  std::uint64_t seen = 0, refused = 0;
  std::thread client([&] {
    const sockaddr_un address = address_of(path);
    while (!over) {
      const int descriptor = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
      const bool connected = ::connect(descriptor, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
      if (connected || errno == EAGAIN) ++seen;
      if (!connected && errno == ECONNREFUSED) ++refused;
      ::close(descriptor);
      ++attempts;
    }
  });
  for (std::uint64_t i = 0; i < many(5000); ++i) {
    const auto descriptor = listen_at({path});
    EXPECT_TRUE(descriptor);
    if (!descriptor) break;
    ::unlink(path.c_str());
    // An attempt that found the name before must not end after the listener.
    const std::uint64_t before = attempts;
    while (attempts < before + 2) std::this_thread::yield();
    ::close(*descriptor);
  }
  over = true;
  client.join();
  EXPECT_NE(seen, 0u);
  EXPECT_EQ(refused, 0u);
}

TEST(SocketOfALivingDaemon, IsLeftAlone) {
  Daemon first, second;
  ASSERT_EQ(first.start(), "");
  second.options.socket = first.options.socket;
  EXPECT_THAT(second.start(), HasSubstr("another daemon listens there"));
  EXPECT_TRUE(answers(first));
}

TEST(SomethingElseInPlaceOfASocket, IsLeftAlone) {
  Daemon daemon;
  std::ofstream(daemon.options.socket) << "precious";
  EXPECT_THAT(daemon.start(), HasSubstr("this file is not a socket"));
  EXPECT_TRUE(S_ISREG(status_of(daemon.options.socket).st_mode));
}

TEST(SocketWithoutAFolder, IsRefusedWithASentence) {
  Daemon daemon;
  daemon.options.socket = daemon.folder.file("none/sock");
  EXPECT_THAT(daemon.start(), HasSubstr("No such file or directory"));
  daemon.options.socket = "/tmp/" + std::string(120, 'x');
  EXPECT_THAT(daemon.start(), HasSubstr("at most 107 octets"));
}

TEST(ServerWithNothingToListenOn, IsRefused) {
  Daemon daemon;
  daemon.options.socket.clear();
  EXPECT_THAT(daemon.start(), HasSubstr("the API has no address"));
}

TEST(Garbage, OnTheSocketHurtsNoOtherClient) {
  Daemon daemon;
  ASSERT_EQ(daemon.start(), "");
  std::mt19937 random(7);
  const std::string preface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
  for (int i = 0; i < 50; ++i) {
    const int descriptor = connected(daemon.options.socket);
    std::string octets = i % 2 == 0 ? "" : preface;
    for (int k = 0; k < 2000; ++k) octets += static_cast<char>(random());
    EXPECT_GE(::send(descriptor, octets.data(), octets.size(), MSG_NOSIGNAL), 0);
    if (i % 3 == 0) ::shutdown(descriptor, SHUT_WR);
    ::close(descriptor);
  }
  const int idle = connected(daemon.options.socket);  // says nothing at all
  EXPECT_TRUE(answers(daemon));
  ::close(idle);
}

TEST(Garbage, InProperCallsIsAnsweredWithAnError) {
  Daemon daemon;
  daemon.directory.known_qps = {qp_view(0)};
  ASSERT_EQ(daemon.start(), "");
  auto client = Client::open({.socket = daemon.options.socket, .host = {}, .tls = {}});
  ASSERT_TRUE(client);
  std::mt19937 random(11);
  for (std::uint64_t i = 0; i < many(2000); ++i) {
    std::string octets(random() % 60, '\0');
    for (char& c : octets) c = static_cast<char>(random());
    v1::ListQpsRequest qps;
    v1::ListFindingsRequest findings;
    v1::QueryHistoryRequest history;
    v1::ListMessagesRequest messages;
    (void)qps.ParsePartialFromString(octets);
    (void)findings.ParsePartialFromString(octets);
    (void)history.ParsePartialFromString(octets);
    (void)messages.ParsePartialFromString(octets);
    const auto is_sentence = [](const auto& answer) { return answer || !answer.error().sentence.empty(); };
    ASSERT_TRUE(is_sentence((*client)->qps(qps)));
    ASSERT_TRUE(is_sentence((*client)->findings(findings)));
    ASSERT_TRUE(is_sentence((*client)->history(history)));
    ASSERT_TRUE(is_sentence((*client)->messages(messages)));
  }
}

}  // namespace
}  // namespace iwarpscope::api::testing
