// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The order of atomics on a word, compared with all permutations; and its tables.
#include "models/atomics/atomic_order.h"

#include <gtest/gtest.h>

#include <QAbstractItemModelTester>
#include <QSignalSpy>

#include <algorithm>
#include <numeric>
#include <random>

#include "gui/models/timeline_made.h"
#include "gui/wait.h"
#include "models/atomics/atomic_words.h"

namespace iwarpscope::gui::atomic_order_test {
namespace {

using iwarpscope::test::wait_until;

/// Whether places `order` of `all` are an order that explains all results.
bool explains(const std::vector<OrderedAtomic>& all, const std::vector<std::size_t>& order) {
  for (std::size_t i = 0; i < order.size(); ++i) {
    const OrderedAtomic& now = all[order[i]];
    if (i > 0 && all[order[i - 1]].result && *all[order[i - 1]].result != now.original) return false;
    for (std::size_t j = i + 1; j < order.size(); ++j) {
      const OrderedAtomic& later = all[order[j]];
      if (later.answered < now.invoked || (later.qp == now.qp && later.index < now.index)) return false;
    }
  }
  return true;
}

bool has_order(const std::vector<OrderedAtomic>& all) {
  std::vector<std::size_t> order(all.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  do {
    if (explains(all, order)) return true;
  } while (std::next_permutation(order.begin(), order.end()));
  return false;
}

std::vector<OrderedAtomic> random_operations(std::mt19937_64& random) {
  std::vector<OrderedAtomic> all;
  std::uint64_t value = random() % 3;
  std::array<std::uint64_t, 3> next{};
  std::array<std::int64_t, 3> free{};
  const std::size_t count = 1 + random() % 6;
  for (std::size_t i = 0; i < count; ++i) {
    const auto at = static_cast<std::int64_t>(10 * (i + 1));
    const std::uint64_t qp = random() % 3;
    OrderedAtomic one{
        qp,    next[qp]++, at - static_cast<std::int64_t>(random() % 25), at + static_cast<std::int64_t>(random() % 25),
        value, {}};
    one.invoked = std::max(one.invoked, free[qp]);
    free[qp] = one.invoked;
    value = random() % 2 == 0 ? value + 1 : random() % 3;
    if (random() % 9 != 0) one.result = value;
    all.push_back(one);
  }
  if (random() % 2 == 0) all[random() % count].original ^= random() % 3;
  std::shuffle(all.begin(), all.end(), random);
  return all;
}

TEST(AtomicOrder, IsFoundExactlyWhenThereIsOne) {
  std::mt19937_64 random{11};
  int found = 0, none = 0;
  for (int round = 0; round < 3000; ++round) {
    const std::vector<OrderedAtomic> all = random_operations(random);
    const AtomicOrder order = find_order(all);
    ASSERT_EQ(order.order.size(), all.size());
    ASSERT_EQ(order.found == AtomicOrder::Found::yes, has_order(all)) << round;
    if (order.found == AtomicOrder::Found::yes) {
      ++found;
      ASSERT_TRUE(explains(all, order.order)) << round;
      ASSERT_TRUE(order.breaks.empty());
    } else {
      ++none;
      ASSERT_EQ(order.found, AtomicOrder::Found::no);
    }
  }
  EXPECT_GT(found, 300);
  EXPECT_GT(none, 300);
}

TEST(AtomicOrder, OfALongHistoryIsFoundAndAnEndlessSearchIsGivenUp) {
  std::vector<OrderedAtomic> all;
  for (std::uint64_t i = 0; i < 20'000; ++i) {
    const auto at = static_cast<std::int64_t>(i);
    all.push_back({i % 8, i, at, at + 5, i, i + 1});
  }
  EXPECT_EQ(find_order(all).found, AtomicOrder::Found::yes);
  // Forty at the same time that change nothing, and one whose result none of them explains.
  std::vector<OrderedAtomic> same;
  for (std::uint64_t i = 0; i < 40; ++i) same.push_back({i, 0, 0, 100, 5, 5});
  same.push_back({99, 0, 200, 300, 6, 7});
  const AtomicOrder order = find_order(same);
  EXPECT_EQ(order.found, AtomicOrder::Found::undecided);
  EXPECT_EQ(order.breaks, std::vector<std::size_t>{40});
  EXPECT_EQ(find_order({}).found, AtomicOrder::Found::yes);
}

qp::MessageRecord atomic(std::uint64_t qp, std::uint64_t index, std::int64_t at, std::uint32_t stag, bool answered) {
  qp::MessageRecord out = made::message(Direction::a_to_b, index, rdmap::Opcode::atomic_request, at, at, 52);
  out.qp = qp;
  qp::AtomicRequestDetail detail{"fetch_add", 1, STag{stag}, TaggedOffset{8}, 1, 0, 0, 0, {}};
  if (answered) detail.response = qp::ResponseLink{index, 10, 10};
  out.detail = detail;
  return out;
}

qp::MessageRecord response(std::uint64_t qp, std::uint64_t index, std::uint64_t original, std::string_view verdict) {
  qp::MessageRecord out = made::message(Direction::b_to_a, index, rdmap::Opcode::atomic_response, 0, 0, 12);
  out.qp = qp;
  out.detail = qp::AtomicResponseDetail{index, 1, original, original + 1, verdict};
  return out;
}

live::QpView between(std::uint64_t qp, std::uint8_t last_of_b) {
  live::QpView view;
  view.record.qp = qp;
  view.record.b.address = net::IpAddress::v4(0x0A000000U + last_of_b);
  view.record.directions[0].messages[static_cast<std::size_t>(rdmap::Opcode::atomic_request)] = 1;
  return view;
}

TEST(AtomicWords, ResponsesMeetTheirRequestsInWhateverOrderTheyCome) {
  made::Filled filled({response(0, 1, 1, "verified"), atomic(0, 0, 10, 7, true), atomic(0, 1, 30, 7, true),
                       response(0, 0, 0, "first"), atomic(0, 2, 50, 7, false), atomic(0, 3, 60, 8, true)});
  AtomicWordsModel model(filled.store, {});
  const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
  model.set_qp(between(0, 2));
  filled.open();
  ASSERT_TRUE(wait_until([&] { return model.rowCount() == 2; }));
  EXPECT_EQ(model.index(0, AtomicWordsModel::kResponder).data().toString(), QStringLiteral("10.0.0.2"));
  EXPECT_EQ(model.index(0, AtomicWordsModel::kUses).data().toString(), QStringLiteral("3"));
  EXPECT_EQ(model.index(0, AtomicWordsModel::kAnalysis).data().toString(), QStringLiteral("consistent"));
  AtomicUsesModel uses;
  const QAbstractItemModelTester uses_tester(&uses, QAbstractItemModelTester::FailureReportingMode::Fatal);
  uses.show(model.history().words().at(model.word(0)));
  ASSERT_EQ(uses.rowCount(), 3);
  EXPECT_EQ(uses.at(0).index, 0u);
  EXPECT_EQ(uses.at(1).index, 1u);
  EXPECT_EQ(uses.index(2, AtomicUsesModel::kOrder).data().toString(), QStringLiteral("?"));
  EXPECT_EQ(uses.index(0, AtomicUsesModel::kOperation).data().toString(),
            QStringLiteral("FetchAdd 0x0000000000000001"));
  EXPECT_TRUE(uses.sentence().startsWith(QStringLiteral("In this order")));
}

TEST(AtomicWords, WhatTheAnalysisDoesNotHoldWrongIsNotCalledWrong) {
  made::Filled filled({atomic(0, 0, 10, 7, true), response(0, 0, 0, "first"), atomic(0, 1, 30, 7, true),
                       response(0, 1, 90, "undecidable")});
  AtomicWordsModel model(filled.store, {});
  model.set_qp(between(0, 2));
  filled.open();
  ASSERT_TRUE(wait_until([&] { return model.rowCount() == 1; }));
  AtomicUsesModel uses;
  WordHistory history = model.history().words().at(model.word(0));
  uses.show(history);
  EXPECT_TRUE(uses.is_break(1));
  EXPECT_TRUE(uses.sentence().contains(QStringLiteral("reports no error")));
  EXPECT_TRUE(uses.index(1, AtomicUsesModel::kRemark).data().toString().contains(QStringLiteral("left 0x")));
  history.uses[1].verdict = "inconsistent";
  uses.show(history);
  EXPECT_TRUE(uses.sentence().contains(QStringLiteral("impossible result")));
}

TEST(AtomicWords, OtherQueuePairsOfTheResponderAreAskedForOnceAndCanBeCancelled) {
  made::Filled filled({atomic(0, 0, 10, 7, true), response(0, 0, 0, "first")});
  std::vector<std::uint64_t> questions;
  Session::Then<MessageRows> waiting;
  AtomicWordsModel model(filled.store, [&](std::uint64_t qp, std::uint64_t, std::uint32_t, QObject*, const auto& then) {
    questions.push_back(qp);
    waiting = then;
  });
  model.set_qp(between(0, 2));
  filled.open();
  ASSERT_TRUE(wait_until([&] { return model.rowCount() == 1; }));
  const std::vector<live::QpView> all{between(0, 2), between(1, 2), between(2, 3), between(3, 2)};
  ASSERT_EQ(model.others(all).size(), 2u);
  QSignalSpy asked(&model, &AtomicWordsModel::asked);
  model.ask_others(all);
  MessageRows rows;
  rows.messages = {atomic(1, 0, 30, 7, true), response(1, 0, 1, "verified")};
  waiting(rows);
  EXPECT_EQ(questions, (std::vector<std::uint64_t>{1, 3}));
  EXPECT_EQ(model.history().words().begin()->second.uses.size(), 2u);
  model.cancel();
  EXPECT_EQ(asked.count(), 1);
  rows.messages = {atomic(3, 0, 50, 7, true)};
  waiting(rows);
  EXPECT_EQ(model.history().words().begin()->second.uses.size(), 2u) << "cancelled";
  model.ask_others(all);
  EXPECT_EQ(questions.size(), 2u) << "each is asked for once";
  EXPECT_FALSE(model.is_asking());
}

}  // namespace
}  // namespace iwarpscope::gui::atomic_order_test
