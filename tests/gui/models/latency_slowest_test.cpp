// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The slowest requests, and the model of the timeline, on a store.
#include "models/plots/latency_slowest.h"

#include <gtest/gtest.h>

#include <QAbstractItemModelTester>
#include <QSignalSpy>

#include <algorithm>
#include <functional>
#include <random>

#include "gui/models/timeline_made.h"
#include "gui/wait.h"
#include "models/plots/latency_counts.h"
#include "models/plots/timeline_model.h"

namespace iwarpscope::gui::latency_slowest_test {
namespace {

using iwarpscope::test::wait_until;

std::vector<qp::MessageRecord> requests(std::size_t count, std::uint64_t seed) {
  std::mt19937_64 random{seed};
  std::vector<qp::MessageRecord> all;
  for (std::size_t i = 0; i < count; ++i) {
    const auto took = static_cast<std::int64_t>(random() % 5000) - 200;
    all.push_back(made::read_request(Direction::a_to_b, i, static_cast<std::int64_t>(1000 * i), took));
  }
  return all;
}

class SlowestOf : public testing::TestWithParam<std::size_t> {};

TEST_P(SlowestOf, ManyAreThoseThatSortingAllFinds) {
  made::Filled filled(requests(GetParam(), 7));
  SlowestModel model(filled.store);
  const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
  filled.open();
  ASSERT_TRUE(wait_until([&] { return filled.store.progress() == 1; }));
  std::vector<std::int64_t> all;
  for (const qp::MessageRecord& message : filled.messages) {
    const auto& detail = std::get<qp::ReadRequestDetail>(message.detail);
    if (detail.response) all.push_back(detail.response->last_octet_ns);
  }
  std::sort(all.begin(), all.end(), std::greater<>());
  if (all.size() > SlowestModel::kMost) all.resize(SlowestModel::kMost);
  ASSERT_EQ(model.rowCount(), static_cast<int>(all.size()));
  for (int row = 0; row < model.rowCount(); ++row) {
    ASSERT_EQ(model.at(row).last_octet_ns, all[static_cast<std::size_t>(row)]);
  }
  filled.store.open({});
  EXPECT_EQ(model.rowCount(), 0);
}

INSTANTIATE_TEST_SUITE_P(Counts, SlowestOf, testing::Values(0, 1, 199, 200, 5000));

TEST(Slowest, OfASpanOfTimeAreThoseThatBeganInIt) {
  made::Filled filled(requests(50, 8));
  SlowestModel model(filled.store);
  filled.open();
  ASSERT_TRUE(wait_until([&] { return filled.store.progress() == 1; }));
  const int all = model.rowCount();
  model.set_range(TimeRange{{10'000}, {20'000}});
  EXPECT_LE(model.rowCount(), 10);
  EXPECT_GE(model.rowCount(), 8);
  for (int row = 0; row < model.rowCount(); ++row)
    EXPECT_TRUE((TimeRange{{10'000}, {20'000}}).contains(model.at(row).placed));
  EXPECT_EQ(*model.focus(0).message, model.at(0).index);
  model.set_range({});
  EXPECT_EQ(model.rowCount(), all);
}

TEST(TimelineModel, AddsUpWhatTheStorePassesAndForgetsItWithTheQueuePair) {
  made::Filled filled(requests(5000, 9));
  qp::TransportEvent event;
  event.time = {5'000};
  event.octets = 77;
  filled.events = {event};
  TimelineModel model(filled.store);
  QSignalSpy changed(&model, &TimelineModel::changed);
  filled.open();
  ASSERT_TRUE(wait_until([&] { return filled.store.progress() == 1 && filled.store.transport().size() == 1; }));
  EXPECT_EQ(model.data().sum({}).event_octets[0][0], 77u);
  EXPECT_EQ(model.data().sum({}).messages[0][static_cast<std::size_t>(rdmap::Opcode::rdma_read_request)], 5000u);
  EXPECT_TRUE(wait_until([&] { return changed.count() > 0; }));
  filled.store.open({});
  EXPECT_TRUE(model.data().is_empty());
}

TEST(Durations, HaveThreeDigitsAndAUnit) {
  EXPECT_EQ(duration_text(0), QStringLiteral("0 ns"));
  EXPECT_EQ(duration_text(850), QStringLiteral("850 ns"));
  EXPECT_EQ(duration_text(12'340), QStringLiteral("12.3 us"));
  EXPECT_EQ(duration_text(4'050'000'000), QStringLiteral("4.05 s"));
}

}  // namespace
}  // namespace iwarpscope::gui::latency_slowest_test
