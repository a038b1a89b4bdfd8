// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Daemons that cannot be reached any more although nothing says so: half-open connections.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <thread>
#include <utility>
#include <vector>

#include "api/client.h"
#include "daemon/api/kit.h"
#include "iwarpscope/v1/observer.pb.h"

namespace iwarpscope::api::testing {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;

/// A path to a daemon that carries everything until it is cut: then it takes all and gives nothing.
class Path {
 public:
  Path(const std::string& here, std::string there) : there_(std::move(there)) {
    const sockaddr_un address = address_of(here);
    listening_ = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    EXPECT_EQ(::bind(listening_, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
    EXPECT_EQ(::listen(listening_, 8), 0);
    thread_ = std::thread([this] { run(); });
  }
  ~Path() {
    end_ = true;
    thread_.join();
    for (const auto& [a, b] : pairs_) ::close(a), ::close(b);
    ::close(listening_);
  }
  Path(const Path&) = delete;
  Path& operator=(const Path&) = delete;
  void cut() { cut_ = true; }

 private:
  void run() {
    while (!end_) {
      std::vector<pollfd> waiting{{listening_, POLLIN, 0}};
      for (const auto& [a, b] : pairs_) {
        waiting.push_back({a, POLLIN, 0});
        waiting.push_back({b, POLLIN, 0});
      }
      if (::poll(waiting.data(), waiting.size(), 10) <= 0) continue;
      for (std::size_t i = 1; i < waiting.size(); ++i) {
        if (waiting[i].revents == 0) continue;
        const int to = i % 2 == 1 ? pairs_[(i - 1) / 2].second : pairs_[(i - 1) / 2].first;
        carry(waiting[i].fd, to);
      }
      if (waiting[0].revents != 0) take();
    }
  }
  void take() {
    const int client = ::accept4(listening_, nullptr, nullptr, SOCK_CLOEXEC);
    const int daemon = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const sockaddr_un address = address_of(there_);
    EXPECT_EQ(::connect(daemon, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
    pairs_.emplace_back(client, daemon);
  }
  void carry(int from, int to) {
    std::array<char, 65536> octets{};
    const ssize_t count = ::recv(from, octets.data(), octets.size(), MSG_DONTWAIT);
    if (count > 0 && !cut_) (void)::send(to, octets.data(), static_cast<std::size_t>(count), MSG_NOSIGNAL);
  }

  std::string there_;
  int listening_ = -1;
  std::vector<std::pair<int, int>> pairs_;
  std::atomic<bool> cut_{false}, end_{false};
  std::thread thread_;
};

class BrokenPath : public ::testing::Test {
 protected:
  void SetUp() override { ASSERT_EQ(daemon.start(), ""); }
  Daemon daemon;
  Path path{daemon.folder.file("path"), daemon.options.socket};
  Place place{.socket = daemon.folder.file("path"), .host = {}, .tls = {}, .patience = 300ms, .silence = 900ms};
};

TEST_F(BrokenPath, QuestionGivesUpAndSaysSo) {
  path.cut();
  const auto client = Client::open(place);
  const auto status = (*client)->status();
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().kind, Failure::Kind::no_connection);
  EXPECT_THAT(status.error().sentence, HasSubstr(place.socket + ": no answer within 0.3 s"));
}

TEST_F(BrokenPath, StreamThatHadNothingToTellEndsAndSaysSo) {
  const auto client = Client::open(place);
  v1::SubscribeRequest request;
  request.set_findings(true);
  const auto ended = (*client)->subscribe(request, [this](const v1::SubscribeReply&) {
    path.cut();
    return true;
  });
  ASSERT_FALSE(ended);
  EXPECT_EQ(ended.error().kind, Failure::Kind::no_connection);
  EXPECT_THAT(ended.error().sentence, HasSubstr(place.socket + ": no data and no keepalive for 0.9 s"));
}

}  // namespace
}  // namespace iwarpscope::api::testing
