// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Which requests wait for which: a real server that sends packets slowly.
#include <gtest/gtest.h>

#include <QElapsedTimer>
#include <QFileInfo>
#include <QTemporaryDir>

#include <array>
#include <condition_variable>
#include <mutex>
#include <optional>

#include "daemon/api/kit.h"
#include "gui/wait.h"
#include "session/session.h"

namespace iwarpscope::gui::lanes_test {
namespace {

using test::wait_until;

/// A fetch continues when the test releases it.
class HeldPackets final : public live::Packets {
 public:
  Answer<std::uint64_t> fetch(const live::PacketQuery& /*query*/, const std::function<bool(Octets)>& write) override {
    std::unique_lock lock(mutex_);
    ++begun_;
    changed_.wait(lock, [this] { return let_; });
    static constexpr std::array<std::byte, 4> kOctets{};
    return write(kOctets) ? 1 : 0;
  }
  Answer<void> visit(std::uint64_t, FrameNumber, std::uint64_t,
                     const std::function<bool(const net::Frame&)>&) override {
    return tl::unexpected(std::string{"nothing is kept"});
  }
  Answer<std::string> record(std::uint64_t, const std::string&, unsigned) override { return "a"; }
  std::vector<live::Recording> recordings() override { return {}; }

  void let() {
    const std::lock_guard lock(mutex_);
    let_ = true;
    changed_.notify_all();
  }
  [[nodiscard]] int begun() {
    const std::lock_guard lock(mutex_);
    return begun_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool let_ = false;
  int begun_ = 0;
};

class SessionWithALongFetch : public testing::Test {
 protected:
  void SetUp() override {
    directory.known_qps = {api::testing::qp_view(1)};
    api::ServerOptions options;
    options.socket = folder.filePath(QStringLiteral("api")).toStdString();
    auto started = api::Server::start(options, {directory, &packets, nullptr, {}, {}});
    ASSERT_TRUE(started) << started.error();
    server = std::move(*started);
    Source source;
    source.place.socket = options.socket;
    session = std::make_unique<Session>(source);
    session->start();
    ASSERT_TRUE(wait_until([this] { return session->link().state == Link::State::connected; }));
    session->save_packets({.qp = 1}, file, &asker, [this](const auto& answer) { saved = answer.has_value(); });
    ASSERT_TRUE(wait_until([this] { return packets.begun() == 1; }));
  }
  void TearDown() override {
    packets.let();
    session.reset();
  }

  QTemporaryDir folder;
  const QString file = folder.filePath(QStringLiteral("packets.pcapng"));
  live::FakeDirectory directory;
  HeldPackets packets;
  std::unique_ptr<api::Server> server;
  QObject asker;
  std::unique_ptr<Session> session;
  std::optional<bool> saved;
};

TEST_F(SessionWithALongFetch, AnswersQuestionsMeanwhile) {
  int answers = 0;
  for (int i = 0; i < 20; ++i) {
    session->ask_qp(1, &asker, [&](const auto& answer) { answers += answer.has_value() ? 1 : 0; });
  }
  ASSERT_TRUE(wait_until([&] { return answers == 20; }));
  EXPECT_FALSE(saved);
  EXPECT_FALSE(QFileInfo::exists(file));
  packets.let();
  ASSERT_TRUE(wait_until([&] { return saved.has_value(); }));
  EXPECT_TRUE(*saved);
  EXPECT_TRUE(QFileInfo::exists(file));
}

TEST_F(SessionWithALongFetch, MakesAnotherFetchWait) {
  std::optional<bool> other;
  session->save_packets({.qp = 1}, folder.filePath(QStringLiteral("other.pcapng")), &asker,
                        [&](const auto& answer) { other = answer.has_value(); });
  std::optional<bool> asked;
  session->ask_qp(1, &asker, [&](const auto& answer) { asked = answer.has_value(); });
  ASSERT_TRUE(wait_until([&] { return asked.has_value(); }));
  EXPECT_EQ(packets.begun(), 1);
  packets.let();
  ASSERT_TRUE(wait_until([&] { return saved && other; }));
  EXPECT_TRUE(*saved && *other);
}

TEST_F(SessionWithALongFetch, EndsWithinASecondAndLeavesNoFile) {
  QElapsedTimer timer;
  timer.start();
  session.reset();
  EXPECT_LT(timer.elapsed(), 1000);
  EXPECT_FALSE(QFileInfo::exists(file));
  EXPECT_FALSE(saved);
}

}  // namespace
}  // namespace iwarpscope::gui::lanes_test
