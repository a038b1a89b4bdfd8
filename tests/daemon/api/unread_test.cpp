// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Clients that ask and do not read.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <list>

#include "api/client.h"
#include "api/client_name.h"
#include "api/unread.h"
#include "daemon/api/kit.h"
#include "iwarpscope/v1/observer.pb.h"

namespace iwarpscope::api::testing {
namespace {

constexpr std::size_t kMost = std::size_t{4} << 20;

/// Begins calls over one connection by hand, and never gives leave to send their answers. Source: RFC 9113 §4.1, RFC
/// 7541 §6.2.2.
class Silent {
 public:
  Silent(const std::string& socket, std::string name) : name_(std::move(name)) {
    const sockaddr_un address = address_of(socket);
    EXPECT_EQ(::connect(descriptor_, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
    send("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
    send(frame(kSettings, 0, 0, std::string("\0\4\0\0\0\0", 6)));  // SETTINGS_INITIAL_WINDOW_SIZE: 0
  }
  ~Silent() { ::close(descriptor_); }
  Silent(const Silent&) = delete;
  Silent& operator=(const Silent&) = delete;

  template <class Request>
  void ask(const std::string& method, const Request& request) {
    const std::string octets = request.SerializeAsString();
    ASSERT_LT(octets.size(), 256u);
    const std::string headers = header(":method", "POST") + header(":scheme", "http") +
                                header(":path", "/iwarpscope.v1.Observer/" + method) + header(":authority", "test") +
                                header("te", "trailers") + header("content-type", "application/grpc") +
                                header(kClientName, name_);
    send(frame(kHeaders, kEndHeaders, stream_, headers));
    send(frame(kData, kEndStream, stream_, std::string(4, '\0') + static_cast<char>(octets.size()) + octets));
    stream_ += 2;
  }

 private:
  static constexpr char kData = 0, kHeaders = 1, kSettings = 4, kEndStream = 1, kEndHeaders = 4;
  static std::string header(const std::string& name, const std::string& value) {
    return std::string(1, '\0') + static_cast<char>(name.size()) + name + static_cast<char>(value.size()) + value;
  }
  static std::string frame(char kind, char flags, unsigned stream, const std::string& payload) {
    std::string out;
    for (const unsigned shift : {16u, 8u, 0u}) out += static_cast<char>(payload.size() >> shift);
    out += kind;
    out += flags;
    for (const unsigned shift : {24u, 16u, 8u, 0u}) out += static_cast<char>(stream >> shift);
    return out + payload;
  }
  void send(const std::string& octets) {
    EXPECT_EQ(::send(descriptor_, octets.data(), octets.size(), MSG_NOSIGNAL), static_cast<ssize_t>(octets.size()));
  }

  std::string name_;
  int descriptor_ = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  unsigned stream_ = 1;
};

class ClientsThatDoNotRead : public ::testing::Test {
 protected:
  void SetUp() override {
    for (std::uint64_t qp = 0; qp < 300; ++qp) daemon.directory.known_qps.push_back(qp_view(qp));
    daemon.options.most_unread = kMost;
    ASSERT_EQ(daemon.start(), "");
    whole.set_detail(v1::QP_DETAIL_FULL);
  }
  static void ask(Silent& client, const v1::ListQpsRequest& request, unsigned times) {
    for (unsigned i = 0; i < times; ++i) client.ask("ListQps", request);
  }
  Daemon daemon;
  v1::ListQpsRequest whole;
};

TEST_F(ClientsThatDoNotRead, GetTheirShareOfTheMemoryAndNoMore) {
  v1::ListQpsReply page;
  {
    const auto reader = Client::open({.socket = daemon.options.socket, .host = {}, .tls = {}});
    const auto answer = (*reader)->qps(whole);
    ASSERT_TRUE(answer);
    page = *answer;
  }
  const std::size_t each = page.ByteSizeLong();
  ASSERT_GT(each, 128u << 10);  // far more than goes through without a reader
  ASSERT_TRUE(becomes([&] { return daemon.server->unread() == 0; }));
  auto silent = std::make_unique<Silent>(daemon.options.socket, "silent");
  ask(*silent, whole, 60);
  ASSERT_TRUE(becomes([&] { return daemon.server->use().refused + daemon.server->use().questions >= 61; }));
  EXPECT_GT(daemon.server->use().refused, 40u);
  const std::size_t held = daemon.server->unread();
  EXPECT_GE(held, kMost / Unread::kShares);
  EXPECT_LE(held, kMost / Unread::kShares + daemon.options.threads * each);
  // Others get their answers.
  const auto reader = Client::open({.socket = daemon.options.socket, .host = {}, .tls = {}});
  for (int i = 0; i < 10; ++i) EXPECT_TRUE((*reader)->qps(whole));
  const auto status = (*reader)->status();
  ASSERT_TRUE(status);
  EXPECT_GE(status->api().unread_octets(), held);
  silent.reset();
  EXPECT_TRUE(becomes([&] { return daemon.server->unread() == 0; }));
}

TEST_F(ClientsThatDoNotRead, HaveABoundTogether) {
  std::list<Silent> silent;
  for (unsigned i = 0; i < 3 * Unread::kShares; ++i) {
    silent.emplace_back(daemon.options.socket, "silent " + std::to_string(i));
    ask(silent.back(), whole, 20);
  }
  const std::uint64_t all = 20u * silent.size();
  ASSERT_TRUE(becomes([&] { return daemon.server->use().refused + daemon.server->use().questions >= all; }));
  EXPECT_GE(daemon.server->unread(), kMost);
  EXPECT_LE(daemon.server->unread(), kMost + (std::size_t{4} << 20));
  const auto reader = Client::open({.socket = daemon.options.socket, .host = {}, .tls = {}});
  const auto answer = (*reader)->qps(whole);
  ASSERT_FALSE(answer);
  EXPECT_THAT(answer.error().sentence, ::testing::HasSubstr("have not read their answers"));
  silent.clear();
  EXPECT_TRUE(becomes([&] { return daemon.server->unread() == 0 && (*reader)->qps(whole).has_value(); }));
}

}  // namespace
}  // namespace iwarpscope::api::testing
