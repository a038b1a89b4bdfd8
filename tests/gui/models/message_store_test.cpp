// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The messages of a queue pair in bounded memory, from a source that answers from memory.
#include "models/ladder/message_store.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gui/models/ladder_samples.h"
#include "gui/wait.h"

namespace iwarpscope::gui::message_store_test {
namespace {

using test::wait_until;

/// Has `count` messages, of which the first `discarded` were discarded; message n has frame n + 1.
struct Daemon {
  explicit Daemon(std::uint64_t all) : count(all) {
    QObject::connect(&store, &MessageStore::passed, &store, [this](const MessageRows& page) {
      for (std::size_t i = 0; i < page.messages.size(); ++i) {
        in_order = in_order && page.from + i + 1 == page.messages[i].first_frame.value && page.from + i == passed_to;
        passed_to = page.from + i + 1;
      }
    });
    QObject::connect(&store, &MessageStore::failed, &store, [this](const QString& words) { sentence = words; });
  }
  void open() {
    passed_to = discarded;
    qp.record.qp = 7;
    qp.record.directions[0].messages[3] = count;
    store.open(qp);
  }
  [[nodiscard]] bool is_at(std::uint64_t place) {
    return wait_until([&] { return store.at(place) != nullptr; }, 5000) &&
           store.at(place)->first_frame.value == place + 1;
  }
  void answer(std::uint64_t from, std::uint32_t most, QObject* asker, const Session::Then<MessageRows>& then) {
    ++questions;
    QTimer::singleShot(0, asker, [this, from, most, then] {
      if (fails) return then(tl::unexpected(api::Failure{{}, "the daemon is gone"}));
      MessageRows rows{.from = std::max(from, discarded), .messages = {}, .next = {}, .discarded = discarded};
      const std::uint64_t end = std::min(count, rows.from + most);
      for (std::uint64_t i = rows.from; i < end; ++i) {
        rows.messages.push_back(ladder_message(Direction::a_to_b, i, i + 1));
      }
      if (end < count) rows.next = end;
      then(rows);
    });
  }

  std::uint64_t count, discarded = 0, questions = 0, passed_to = 0;
  bool fails = false, in_order = true;
  QString sentence;
  live::QpView qp;
  MessageStore store{[this](std::uint64_t, std::uint64_t from, std::uint32_t most, QObject* asker,
                            const Session::Then<MessageRows>& then) { answer(from, most, asker, then); },
                     [](std::uint64_t, std::uint64_t, std::uint32_t, QObject*, const Session::Then<TransportRows>&) {}};
};

TEST(MessageStore, PassesEachMessageOnceInOrder) {
  Daemon daemon(12'345);
  daemon.open();
  ASSERT_TRUE(wait_until([&] { return daemon.store.progress() >= 1; }));
  EXPECT_EQ(daemon.passed_to, 12'345u);
  EXPECT_TRUE(daemon.in_order);
  EXPECT_TRUE(daemon.is_at(0) && daemon.is_at(12'344));
  EXPECT_EQ(daemon.store.at(12'345), nullptr);
}

TEST(MessageStore, LoadsAgainPagesItDiscarded) {
  Daemon daemon((MessageStore::Limits().pages + 20) * MessageStore::kPage);
  daemon.open();
  ASSERT_TRUE(wait_until([&] { return daemon.store.progress() >= 1; }));
  EXPECT_EQ(daemon.store.at(0), nullptr) << "it was given up";
  EXPECT_TRUE(daemon.is_at(0));
  EXPECT_TRUE(daemon.is_at(daemon.count - 1));
}

TEST(MessageStore, FollowsAQueuePairThatGrows) {
  Daemon daemon(3000);
  daemon.open();
  ASSERT_TRUE(wait_until([&] { return daemon.store.progress() >= 1; }));
  daemon.count = 5500;
  daemon.qp.record.directions[0].messages[3] = 5500;
  daemon.store.follow(daemon.qp);
  EXPECT_EQ(daemon.store.end(), 5500u);
  ASSERT_TRUE(wait_until([&] { return daemon.store.progress() >= 1; }));
  EXPECT_EQ(daemon.passed_to, 5500u);
  EXPECT_TRUE(daemon.in_order);
  EXPECT_TRUE(daemon.is_at(3000) && daemon.is_at(5499));
}

TEST(MessageStore, BeginsWhereTheDaemonStillRemembers) {
  Daemon daemon(9000);
  daemon.discarded = 4321;
  daemon.open();
  ASSERT_TRUE(wait_until([&] { return daemon.store.progress() >= 1; }));
  EXPECT_EQ(daemon.store.begin(), 4321u);
  EXPECT_EQ(daemon.passed_to, 9000u);
  EXPECT_TRUE(daemon.in_order);
  EXPECT_TRUE(daemon.is_at(4321) && daemon.is_at(8999));
  EXPECT_EQ(daemon.store.at(4320), nullptr);
}

TEST(MessageStore, ReportsAFailureAndTriesAgainOnNewsOfTheQueuePair) {
  Daemon daemon(100);
  daemon.fails = true;
  daemon.open();
  ASSERT_TRUE(wait_until([&] { return !daemon.sentence.isEmpty(); }));
  EXPECT_EQ(daemon.sentence, "the daemon is gone");
  EXPECT_EQ(daemon.questions, 1u) << "it is not asked over and over";
  daemon.fails = false;
  daemon.store.follow(daemon.qp);
  ASSERT_TRUE(wait_until([&] { return daemon.store.progress() >= 1; }));
}

TEST(MessageStore, AnswersOfAnotherQueuePairAreVoid) {
  Daemon daemon(5000);
  daemon.open();
  daemon.store.open(std::nullopt);
  QTest::qWait(50);
  EXPECT_EQ(daemon.store.end(), 0u);
  EXPECT_EQ(daemon.passed_to, 0u);
}

}  // namespace
}  // namespace iwarpscope::gui::message_store_test
