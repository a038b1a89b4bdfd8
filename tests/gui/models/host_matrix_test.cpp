// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Queue pairs summed by hosts, and the worst of them.
#include "models/hosts/host_matrix.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <QAbstractItemModelTester>
#include <QSignalSpy>

#include "gui/models/qp_rows.h"
#include "models/hosts/host_table.h"
#include "models/queue_pairs/qp_filter.h"

namespace iwarpscope::gui::host_matrix_test {
namespace {

using test::fail_qp;
using test::made_qp;
using testing::ElementsAre;
using testing::HasSubstr;

net::IpAddress host(std::uint32_t last) {
  return net::IpAddress::v4(0x0A000000 + last);
}

live::QpView between(std::uint64_t number, std::uint32_t initiator, std::uint32_t responder) {
  live::QpView view = made_qp(number);
  view.record.a.address = host(initiator);
  view.record.b.address = host(responder);
  return view;
}

std::map<HostsKey, HostsSum> sums_of(const QpRows& rows) {
  HostMatrix hosts;
  hosts.replace(rows);
  return hosts.sums();
}

TEST(HostMatrix, AddsUpByInitiatorAndResponderAndTakesTheWorst) {
  QpRows rows{between(0, 1, 2), between(1, 1, 2), between(2, 2, 1)};
  fail_qp(rows[1]);
  const auto sums = sums_of(rows);
  ASSERT_EQ(sums.size(), 2u);
  const HostsSum& there = sums.at({host(1), host(2)});
  EXPECT_EQ(there.qps, 2u);
  EXPECT_EQ(there.followed, 1u);
  EXPECT_EQ(there.worst, qp::Outcome::failed);
  EXPECT_EQ(there.errors, 1u);
  EXPECT_EQ(there.finding, findings::FindingId::mpa_crc_mismatch);
  EXPECT_EQ(there.octets, 100u);
  EXPECT_EQ(there.outcomes[static_cast<std::size_t>(qp::Outcome::running)], 1u);
  const HostsSum& back = sums.at({host(2), host(1)});
  EXPECT_EQ(back.worst, qp::Outcome::running);
  EXPECT_FALSE(back.finding);
}

TEST(HostMatrix, AChangedQueuePairCountsOnce) {
  HostMatrix hosts;
  hosts.replace({between(0, 1, 2)});
  live::QpView again = between(0, 1, 2);
  fail_qp(again);
  hosts.change({again});
  EXPECT_EQ(hosts.known(), 1u);
  const auto sums = hosts.sums();
  EXPECT_EQ(sums.begin()->second.qps, 1u);
  EXPECT_EQ(sums.begin()->second.worst, qp::Outcome::failed);
}

TEST(HostMatrix, OfMoreThanItHoldsTheRestIsCounted) {
  HostMatrix hosts(2);
  hosts.replace({between(0, 1, 2), between(1, 1, 2), between(2, 1, 3)});
  EXPECT_EQ(hosts.known(), 2u);
  EXPECT_EQ(hosts.left_out(), 1u);
  hosts.replace({between(0, 1, 2)});
  EXPECT_EQ(hosts.left_out(), 0u);
}

TEST(HostMatrix, RatesThatAreOldAreNone) {
  HostMatrix hosts;
  hosts.replace({between(7, 1, 2)});
  EXPECT_GT(hosts.sums().begin()->second.rate, 0);
  hosts.set_capture_time(1'700'000'060LL * 1'000'000'000);
  EXPECT_EQ(hosts.sums().begin()->second.rate, 0);
}

std::vector<std::uint64_t> numbers(const std::vector<RankedQp>& worst) {
  std::vector<std::uint64_t> all;
  for (const RankedQp& qp : worst) all.push_back(qp.number);
  return all;
}

TEST(HostMatrix, RanksByErrorsWaitsAndTraffic) {
  QpRows rows{between(1, 1, 2), between(2, 1, 2), between(3, 1, 3), between(4, 1, 3)};
  fail_qp(rows[2]);
  rows[0].findings.warnings = 5;
  rows[0].record.directions[1].head_of_line = {3, 9000, 4000, 1};
  rows[1].record.summary.directions[0].waiting.emplace();
  rows[1].record.summary.directions[0].waiting->oldest = {FrameNumber{3},
                                                          TimePoint{rows[1].record.last_time.ns - 2'000'000'000}};
  HostMatrix hosts;
  hosts.replace(rows);
  EXPECT_THAT(numbers(hosts.worst(Ranking::errors, 20)), ElementsAre(3, 1)) << "those with nothing are left out";
  EXPECT_THAT(numbers(hosts.worst(Ranking::waits, 20)), ElementsAre(2, 1));
  EXPECT_THAT(numbers(hosts.worst(Ranking::traffic, 2)), ElementsAre(4, 2)) << "the failed one has ended: no rate";
  EXPECT_EQ(longest_wait(rows[1].record).ns, 2'000'000'000);
  EXPECT_EQ(longest_wait(rows[1].record).what, LongestWait::For::response);
  EXPECT_EQ(longest_wait(rows[0].record).what, LongestWait::For::hole);
}

QpRows many(std::uint32_t initiators, std::uint32_t responders) {
  QpRows rows;
  for (std::uint32_t i = 0; i < initiators; ++i) {
    for (std::uint32_t r = 0; r < responders; ++r) rows.push_back(between(rows.size(), 1000 + i, 2000 + r));
  }
  return rows;
}

TEST(HostTable, IsAModelEmptyWithOneManyAndAfterChanges) {
  HostTable table;
  const QAbstractItemModelTester tester(&table, QAbstractItemModelTester::FailureReportingMode::Fatal);
  EXPECT_EQ(table.rowCount(), 0);
  table.show(sums_of({between(0, 1, 2)}));
  EXPECT_EQ(table.rowCount(), 1);
  table.show(sums_of(many(20, 10)));
  EXPECT_EQ(table.rowCount(), 20);
  EXPECT_EQ(table.columnCount(), 10);
  table.show(sums_of(many(20, 10)));
  table.show({});
  EXPECT_EQ(table.rowCount(), 0);
}

TEST(HostTable, TheWorstComeFirstAndACellSaysItInWords) {
  QpRows rows = many(5, 4);
  fail_qp(rows[3 * 4 + 2]);
  HostTable table;
  table.show(sums_of(rows));
  EXPECT_EQ(table.headerData(0, Qt::Vertical, Qt::DisplayRole).toString(), QStringLiteral("10.0.3.235"));
  EXPECT_EQ(table.headerData(0, Qt::Horizontal, Qt::DisplayRole).toString(), QStringLiteral("10.0.7.210"));
  const QModelIndex first = table.index(0, 0);
  EXPECT_EQ(first.data().toString(), QStringLiteral("✗ failed E"));
  const std::string tip = first.data(Qt::ToolTipRole).toString().toStdString();
  EXPECT_THAT(tip, HasSubstr("QPs: 1"));
  EXPECT_THAT(tip, HasSubstr("Current rate"));
  EXPECT_THAT(tip, HasSubstr("MF-04"));
  EXPECT_EQ(table.index(1, 1).data().toString(), QStringLiteral("▸ running"));
}

TEST(HostTable, HostsThatDoNotTalkHaveAnEmptyCell) {
  HostTable table;
  table.show(sums_of({between(0, 1, 2), between(1, 3, 4)}));
  const QModelIndex none = table.index_of({host(1), host(4)});
  ASSERT_TRUE(none.isValid());
  EXPECT_FALSE(none.data().isValid());
  EXPECT_EQ(table.at(none), nullptr);
  EXPECT_FALSE(none.data(Qt::AccessibleTextRole).toString().isEmpty());
}

TEST(HostTable, OnlyChangesCellsWhileTheHostsStayTheSame) {
  HostTable table;
  QpRows rows = many(3, 3);
  table.show(sums_of(rows));
  QSignalSpy reset(&table, &QAbstractItemModel::modelReset);
  QSignalSpy changed(&table, &QAbstractItemModel::dataChanged);
  rows[0].record.directions[0].payload_octets[0] += 100'000;
  table.show(sums_of(rows));
  EXPECT_EQ(reset.count(), 0);
  EXPECT_EQ(changed.count(), 1);
}

TEST(HostTable, WordsLeaveOnlyPairsThatHaveAllOfThem) {
  QpRows rows = many(5, 4);
  fail_qp(rows[0]);
  HostTable table;
  table.show(sums_of(rows));
  table.set_words(QStringLiteral("FAILED mf-04"));
  EXPECT_EQ(table.pairs_shown(), 1u);
  EXPECT_EQ(table.rowCount(), 1);
  EXPECT_EQ(table.columnCount(), 1);
  table.set_words(QStringLiteral("10.0.3.233"));
  EXPECT_EQ(table.pairs_shown(), 4u);
  table.set_words(QStringLiteral("nothing-of-it"));
  EXPECT_EQ(table.rowCount(), 0);
  table.set_words({});
  EXPECT_EQ(table.pairs_shown(), 20u);
}

TEST(HostTable, OfMoreHostsThanItShowsTheWorstStay) {
  QpRows rows = many(HostTable::kMostHosts + 10, 1);
  fail_qp(rows.back());
  HostTable table;
  table.show(sums_of(rows));
  EXPECT_EQ(table.rowCount(), static_cast<int>(HostTable::kMostHosts));
  EXPECT_EQ(table.hosts_left_out(), 10u);
  EXPECT_EQ(table.index(0, 0).data().toString(), QStringLiteral("✗ failed E"));
}

TEST(WorstTable, IsAModelEmptyWithOneManyAndAfterChanges) {
  WorstTable table;
  const QAbstractItemModelTester tester(&table, QAbstractItemModelTester::FailureReportingMode::Fatal);
  HostMatrix hosts;
  hosts.replace({between(5, 1, 2)});
  table.show(hosts.worst(Ranking::traffic, WorstTable::kMost));
  ASSERT_EQ(table.rowCount(), 1);
  EXPECT_EQ(table.index(0, WorstTable::kQp).data().toString(), QStringLiteral("5"));
  EXPECT_EQ(table.index(0, WorstTable::kOctets).data(kValueRole).toULongLong(), 500u);
  hosts.replace(many(10, 10));
  table.show(hosts.worst(Ranking::traffic, WorstTable::kMost));
  EXPECT_EQ(table.rowCount(), static_cast<int>(WorstTable::kMost));
  EXPECT_EQ(table.row_of(5), -1) << "its rate is one of the lowest";
  table.show({});
  EXPECT_EQ(table.rowCount(), 0);
}

TEST(QpFilterFields, InitiatorAndResponderAreOneEndEach) {
  const QpRow row = row_of(between(0, 1, 2));
  const auto matches = [&row](const char* text) { return QpFilter::parse(QString::fromUtf8(text))->matches(row); };
  EXPECT_TRUE(matches("initiator == 10.0.0.1 and responder == 10.0.0.2"));
  EXPECT_FALSE(matches("initiator == 10.0.0.2"));
  EXPECT_FALSE(matches("responder == 10.0.0.1"));
}

}  // namespace
}  // namespace iwarpscope::gui::host_matrix_test
