// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The matrix of hosts and the worst queue pairs, operated as by a user.
#include "views/hosts/host_view.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>
#include <QTreeView>

#include "gui/models/qp_rows.h"
#include "models/queue_pairs/qp_filter.h"
#include "views/plots/time_note.h"
#include "views/table_actions.h"

namespace iwarpscope::gui::host_view_test {
namespace {

using test::fail_qp;
using test::made_qp;
using testing::HasSubstr;

live::QpView talking(std::uint64_t number, std::uint32_t initiator, std::uint32_t responder) {
  live::QpView view = made_qp(number);
  view.record.a.address = net::IpAddress::v4(0x0A000100 + initiator);
  view.record.b.address = net::IpAddress::v4(0x0A000200 + responder);
  return view;
}

/// Each of `hosts` Initiators has queue pairs to a few Responders; some of them failed.
QpRows cluster(std::uint32_t hosts, std::uint32_t responders) {
  QpRows rows;
  for (std::uint32_t i = 0; i < hosts; ++i) {
    for (std::uint32_t r = 0; r < responders; ++r) {
      if ((i * 7 + r * 3) % 4 == 0) continue;
      rows.push_back(talking(rows.size(), i, r));
      live::QpView& view = rows.back();
      if ((i * 13 + r) % 29 == 0) fail_qp(view);
      if ((i + r) % 11 == 0) view.record.verdict->outcome = qp::Outcome::completed;
      if ((i + r * 5) % 37 == 0) {
        view.record.verdict->outcome = qp::Outcome::stalled;
        view.findings = {0, 1, 0, findings::FindingId::tcp_zero_window};
        view.record.directions[0].head_of_line = {3, 90'000'000, 40'000'000 + i * 1'000'000, 1};
      }
    }
  }
  return rows;
}

struct ShownHosts {
  explicit ShownHosts(const QpRows& rows) {
    view.resize(1400, 500);
    view.show();
    EXPECT_TRUE(QTest::qWaitForWindowActive(&view));
    tell(rows);
    QObject::connect(&view, &HostView::filter_wanted, &view, [this](const QString& text) { filter = text; });
  }
  void tell(const QpRows& rows) { emit session.qps_replaced(rows); }
  void look(const char* name) {
    const QString folder = qEnvironmentVariable("IWARPSCOPE_SCREENSHOTS");
    if (folder.isEmpty()) return;
    QApplication::processEvents();  // the new layout is painted
    view.grab().save(folder + QLatin1Char('/') + QLatin1String(name));
  }
  Session session{Source{}};
  Selection selection;
  HostView view{session, selection};
  std::optional<QString> filter;
};

TEST(HostView, OfAMarkedTimeAddsUpWhatWasThereThen) {
  QpRows rows{talking(0, 1, 1), talking(1, 1, 2), talking(2, 3, 2)};
  for (live::QpView& row : rows) {
    fail_qp(row);
    row.record.first_time = TimePoint{static_cast<std::int64_t>(row.record.qp) * 100};
    row.record.last_time = TimePoint{row.record.first_time.ns + 50};
  }
  ShownHosts shown(rows);
  EXPECT_EQ(shown.view.worst().model()->rowCount(), 3);
  shown.selection.set_range(TimeRange{{120}, {180}});
  EXPECT_EQ(shown.view.matrix().model()->rowCount(), 1);
  EXPECT_EQ(shown.view.matrix().model()->columnCount(), 1);
  EXPECT_EQ(shown.view.worst().model()->rowCount(), 1);
  auto* const note = shown.view.findChild<TimeNote*>();
  ASSERT_NE(note, nullptr);
  EXPECT_THAT(note->text().toStdString(), HasSubstr("2 queue pair(s)"));
  shown.selection.set_range({});
  EXPECT_EQ(shown.view.worst().model()->rowCount(), 3);
  EXPECT_TRUE(note->text().isEmpty());
}

TEST(HostView, EnterOnACellWantsItsQueuePairsAlone) {
  ShownHosts shown(cluster(3, 2));
  QTableView& matrix = shown.view.matrix();
  matrix.setFocus();
  matrix.setCurrentIndex(matrix.model()->index(0, 0));
  if (!matrix.currentIndex().data().isValid()) QTest::keyClick(&matrix, Qt::Key_Right);
  const QModelIndex at = matrix.currentIndex();
  ASSERT_TRUE(at.data().isValid());
  QTest::keyClick(&matrix, Qt::Key_Return);
  ASSERT_TRUE(shown.filter);
  const QString initiator = matrix.model()->headerData(at.row(), Qt::Vertical).toString();
  const QString responder = matrix.model()->headerData(at.column(), Qt::Horizontal).toString();
  EXPECT_EQ(*shown.filter, QStringLiteral("initiator == %1 and responder == %2").arg(initiator, responder));
  const auto parsed = QpFilter::parse(*shown.filter);
  ASSERT_TRUE(parsed);
  shown.filter.reset();
  QTest::keyClick(&matrix, Qt::Key_Down);
  EXPECT_FALSE(shown.filter) << "moving alone wants nothing";
  shown.view.findChild<QPushButton*>()->click();
  EXPECT_EQ(shown.filter, QString());
}

TEST(HostView, AClickOnAnEmptyCellWantsNothing) {
  ShownHosts shown({talking(0, 1, 2), talking(1, 3, 4)});
  QTableView& matrix = shown.view.matrix();
  for (int row = 0; row < 2; ++row) {
    for (int column = 0; column < 2; ++column) {
      shown.filter.reset();
      const QModelIndex cell = matrix.model()->index(row, column);
      QTest::mouseClick(matrix.viewport(), Qt::LeftButton, {}, matrix.visualRect(cell).center());
      EXPECT_EQ(shown.filter.has_value(), cell.data().isValid());
    }
  }
}

TEST(HostView, TheCurrentCellStaysWithItsHostsWhenOthersComeBeforeThem) {
  QpRows rows = cluster(10, 4);
  ShownHosts shown(rows);
  QTableView& matrix = shown.view.matrix();
  matrix.setCurrentIndex(matrix.model()->index(4, 1));
  const auto names = [&matrix] {
    const QModelIndex at = matrix.currentIndex();
    return std::pair(matrix.model()->headerData(at.row(), Qt::Vertical).toString(),
                     matrix.model()->headerData(at.column(), Qt::Horizontal).toString());
  };
  const auto before = names();
  rows.push_back(talking(5000, 90, 91));
  fail_qp(rows.back());
  shown.tell(rows);
  EXPECT_NE(matrix.currentIndex().row(), 4);
  EXPECT_EQ(names(), before);
}

TEST(HostView, AClickOnOneOfTheWorstChoosesIt) {
  ShownHosts shown(cluster(20, 5));
  QTreeView& worst = shown.view.worst();
  ASSERT_GT(worst.model()->rowCount(), 2);
  QTest::mouseClick(worst.viewport(), Qt::LeftButton, {}, worst.visualRect(worst.model()->index(1, 0)).center());
  EXPECT_EQ(shown.selection.qp(), worst.model()->index(1, 0).data(kValueRole).toULongLong());
  shown.view.ranking().setCurrentIndex(1);
  ASSERT_GT(worst.model()->rowCount(), 0);
  EXPECT_THAT(worst.model()->index(0, WorstTable::kWait).data().toString().toStdString(), HasSubstr("ms"));
  worst.setFocus();
  worst.setCurrentIndex(worst.model()->index(0, 0));
  QTest::keyClick(&worst, Qt::Key_Return);
  EXPECT_EQ(shown.selection.qp(), worst.model()->index(0, 0).data(kValueRole).toULongLong());
}

TEST(HostView, WithTwoHundredHostsScrollsAndFilters) {
  ShownHosts shown(cluster(200, 200));
  QTableView& matrix = shown.view.matrix();
  EXPECT_EQ(matrix.model()->rowCount(), 200);
  EXPECT_EQ(matrix.model()->columnCount(), 200);
  EXPECT_GT(matrix.verticalScrollBar()->maximum(), 0);
  EXPECT_GT(matrix.horizontalScrollBar()->maximum(), 0);
  shown.look("hosts-200.png");
  QTest::keyClicks(&shown.view.words(), QStringLiteral("stalled 10.0.1.5"));
  EXPECT_LT(matrix.model()->rowCount(), 30);
  EXPECT_GT(matrix.model()->rowCount(), 0);
  shown.look("hosts-filtered.png");
}

TEST(HostView, CopiesAndExportsWithTheInitiatorsName) {
  ShownHosts shown(cluster(6, 4));
  QTableView& matrix = shown.view.matrix();
  matrix.setCurrentIndex(matrix.model()->index(0, 0));
  matrix.setFocus();
  QTest::keyClick(&matrix, Qt::Key_C, Qt::ControlModifier);
  const QString initiator = matrix.model()->headerData(0, Qt::Vertical).toString();
  EXPECT_TRUE(QApplication::clipboard()->text().startsWith(initiator + QLatin1Char('\t')));
  QTest::keyClick(&matrix, Qt::Key_C, Qt::ControlModifier | Qt::ShiftModifier);
  EXPECT_THAT(QApplication::clipboard()->text().toStdString(), HasSubstr("Responder"));
  const auto* actions = matrix.findChild<TableActions*>();
  const QJsonArray rows = QJsonDocument::fromJson(table_json(actions->shown())).array();
  ASSERT_EQ(rows.size(), matrix.model()->rowCount());
  EXPECT_EQ(rows[0].toObject()[QStringLiteral("initiator")].toString(), initiator);
  EXPECT_TRUE(table_csv(actions->shown()).startsWith("initiator,10.0."));
  shown.look("hosts.png");
}

}  // namespace
}  // namespace iwarpscope::gui::host_view_test
