// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Connections for gRPC: how many there may be, and what happens to them when there is no descriptor.
#include "api/acceptor.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <mutex>
#include <thread>

#include "daemon/api/kit.h"

namespace iwarpscope::api::testing {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;

/// The number that the n-th next descriptor will have.
int next_descriptor(std::size_t n) {
  std::vector<int> all(n);
  for (int& one : all) one = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  for (const int one : all) ::close(one);
  return all.back();
}

class AcceptorAtAPath : public ::testing::Test {
 protected:
  ~AcceptorAtAPath() override {
    acceptor.stop();
    close_all(taken);
    close_all(clients);
  }
  void listen(int most) {
    ASSERT_TRUE(acceptor.listen_at_path({folder.file("sock")}, most, [this](int descriptor) {
      const std::lock_guard lock(mutex);
      taken.push_back(descriptor);
    }));
    acceptor.start();
  }
  void connect(int client) {
    const sockaddr_un address = address_of(folder.file("sock"));
    ASSERT_EQ(::connect(client, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
  }
  int client() { return clients.emplace_back(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)); }
  std::size_t count() {
    const std::lock_guard lock(mutex);
    return taken.size();
  }
  std::string last_report() {
    const std::lock_guard lock(mutex);
    return reported.empty() ? "" : reported.back();
  }
  static void close_all(std::vector<int>& descriptors) {
    for (const int descriptor : std::exchange(descriptors, {})) ::close(descriptor);
  }

  Folder folder;
  std::atomic<std::uint64_t> refused{0};
  std::mutex mutex;
  std::vector<int> taken, clients;
  std::vector<std::string> reported;
  Acceptor acceptor{refused, [this](const std::string& sentence) {
                      const std::lock_guard lock(mutex);
                      reported.push_back(sentence);
                    }};
};

TEST_F(AcceptorAtAPath, ConnectionsThatAreTooMany_AreClosedAtOnceAndCounted) {
  for (int i = 0; i < 5; ++i) client();
  // The listener's and the thread's descriptors come first, then those of two connections.
  listen(next_descriptor(4) + 1);
  for (const int one : clients) connect(one);
  EXPECT_TRUE(becomes([&] { return refused == 3 && count() == 2; })) << refused << ", " << count();
  char octet = 0;
  EXPECT_EQ(::recv(clients.back(), &octet, 1, 0), 0);  // closed
  close_all(taken);
  connect(client());
  EXPECT_TRUE(becomes([&] { return count() == 1; }));
}

TEST_F(AcceptorAtAPath, WithoutADescriptor_GoesOnWhenThereIsOne) {
  listen(1 << 20);
  connect(client());
  ASSERT_TRUE(becomes([&] { return count() == 1; }));
  const int waiting = client();
  std::vector<int> all;
  rlimit before{};
  ::getrlimit(RLIMIT_NOFILE, &before);
  rlimit few = before;
  few.rlim_cur = static_cast<rlim_t>(next_descriptor(10));
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &few), 0);
  for (int one = 0; (one = ::open("/dev/null", O_RDONLY | O_CLOEXEC)) >= 0;) all.push_back(one);
  connect(waiting);
  std::this_thread::sleep_for(50ms);
  EXPECT_EQ(count(), 1u);
  close_all(all);
  EXPECT_TRUE(becomes([&] { return count() == 2; }));
  ::setrlimit(RLIMIT_NOFILE, &before);
}

TEST_F(AcceptorAtAPath, Stopped_RefusesEveryConnection) {
  listen(1 << 20);
  acceptor.stop();
  const sockaddr_un address = address_of(folder.file("sock"));
  EXPECT_NE(::connect(client(), reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
}

TEST_F(AcceptorAtAPath, SocketThatIsRemoved_IsCreatedAgainAndReported) {
  listen(1 << 20);
  const std::string path = folder.file("sock");
  connect(client());
  ASSERT_TRUE(becomes([&] { return count() == 1; }));
  for (int i = 0; i < 2; ++i) {
    std::filesystem::remove(path);
    ASSERT_TRUE(becomes([&] { return std::filesystem::is_socket(path); }));
    EXPECT_TRUE(becomes(
        [&] { return last_report() == path + ": the socket was removed or replaced; the API listens there again."; }));
    connect(client());
    EXPECT_TRUE(becomes([&] { return count() == static_cast<std::size_t>(i) + 2; }));
  }
  char octet = 0;
  EXPECT_EQ(::recv(clients.front(), &octet, 1, MSG_DONTWAIT), -1);  // existing connections are kept
}

TEST_F(AcceptorAtAPath, AFileInPlaceOfTheSocket_IsKeptAndNamedOnce) {
  listen(1 << 20);
  const std::string path = folder.file("sock");
  std::filesystem::rename(path, folder.file("moved"));
  std::ofstream(path) << "precious";
  EXPECT_TRUE(becomes([&] {
    return last_report().ends_with("this file is not a socket; move it away or choose another path.");
  })) << last_report();
  std::this_thread::sleep_for(1200ms);  // two more looks
  acceptor.stop();
  EXPECT_EQ(reported.size(), 1u);
  EXPECT_TRUE(std::filesystem::is_regular_file(path));
}

TEST_F(AcceptorAtAPath, SocketOfAnotherInItsPlace_IsLeftToThatOne) {
  listen(1 << 20);
  const std::string path = folder.file("sock");
  Acceptor other(refused);
  ASSERT_TRUE(other.listen_at_path({folder.file("new")}, 1 << 20, [](int descriptor) { ::close(descriptor); }));
  std::filesystem::rename(folder.file("new"), path);
  EXPECT_TRUE(becomes(
      [&] { return last_report().ends_with("another daemon listens there; stop it or choose another socket."); }));
  acceptor.stop();
  EXPECT_TRUE(std::filesystem::is_socket(path));
}

TEST(AcceptorAtAnAddress, ReportsItsPortAndWhyItCannotListen) {
  std::atomic<std::uint64_t> refused{0};
  Acceptor one(refused), other(refused);
  const auto port = one.listen_at_address("127.0.0.1:0", 100, [](int) {});
  ASSERT_TRUE(port) << port.error();
  EXPECT_GT(*port, 0);
  const auto again = other.listen_at_address("127.0.0.1:" + std::to_string(*port), 100, [](int) {});
  ASSERT_FALSE(again);
  EXPECT_THAT(again.error(), HasSubstr("cannot listen there (Address already in use)"));
  for (const char* address : {"", "127.0.0.1", "127.0.0.1:port", "203.0.113.77:0"}) {
    EXPECT_FALSE(other.listen_at_address(address, 100, [](int) {})) << address;
  }
}

TEST(DescriptorsForConnections, LeaveSomeForOthers) {
  rlimit before{};
  ::getrlimit(RLIMIT_NOFILE, &before);
  rlimit limit = before;
  limit.rlim_cur = 1000;
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &limit), 0);
  EXPECT_EQ(Acceptor::most_descriptors(5000), 744);
  EXPECT_EQ(Acceptor::most_descriptors(500), 500);
  limit.rlim_cur = 100;
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &limit), 0);
  EXPECT_EQ(Acceptor::most_descriptors(5000), 50);
  ::setrlimit(RLIMIT_NOFILE, &before);
}

}  // namespace
}  // namespace iwarpscope::api::testing
