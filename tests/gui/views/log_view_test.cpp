// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The box for lines of logs, with a real daemon and a real capture.
#include "views/logs/log_view.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <QApplication>
#include <QLabel>
#include <QPlainTextEdit>
#include <QTest>
#include <QTreeView>

#include <algorithm>

#include "gui/own_daemon.h"
#include "gui/wait.h"
#include "views/plots/time_note.h"

namespace iwarpscope::gui::log_view_test {
namespace {

using test::sample;
using test::wait_until;
using testing::HasSubstr;

struct ShownLog {
  explicit ShownLog(const char* name) : session({.files = {sample(name)}}) {
    findings.follow(session);
    QObject::connect(&session, &Session::qps_replaced, &view, [this](const QpRows& rows) { qps = rows; });
    QObject::connect(&session, &Session::qps_changed, &view, [this](const QpRows& rows) {
      for (const live::QpView& row : rows) {
        const auto same = [&row](const live::QpView& one) { return one.record.qp == row.record.qp; };
        const auto known = std::find_if(qps.begin(), qps.end(), same);
        known == qps.end() ? qps.push_back(row) : void(*known = row);
      }
    });
    view.resize(1300, 500);
    view.show();
    session.start();
  }
  void look(const char* name) {
    const QString folder = qEnvironmentVariable("IWARPSCOPE_SCREENSHOTS");
    if (folder.isEmpty()) return;
    QApplication::processEvents();  // the new layout is painted
    view.grab().save(folder + QLatin1Char('/') + QLatin1String(name));
  }
  [[nodiscard]] int rows() const { return view.matches().model()->rowCount(); }

  QpRows qps;
  Session session;
  Selection selection;
  FindingTable findings;
  LogView view{session, selection, findings, [this]() -> const QpRows& { return qps; }};
};

TEST(LogView, ExplainsALineAndLeadsToItsQueuePair) {
  ShownLog shown("siw/viol-crc-error.pcap");
  ASSERT_TRUE(wait_until([&] { return !shown.qps.empty() && shown.qps.front().ended; }));
  ASSERT_TRUE(wait_until([&] { return shown.findings.rowCount() >= 2; }));
  shown.view.box().setPlainText(
      QStringLiteral("[ 12.1] siw: crc error. in: 1a2b3c4d, own 5e6f7081, op 3\n"
                     "[ 12.2] nothing that anybody knows\n"
                     "[ 12.3] siw: got TERMINATE. layer 2, type 0, code 2\n"));
  ASSERT_TRUE(wait_until([&] { return shown.view.meanings().model()->rowCount() == 2; }));
  EXPECT_THAT(shown.view.plain_text().toStdString(), HasSubstr("MF-04"));
  ASSERT_EQ(shown.rows(), 1);
  shown.look("log-crc.png");
  QTreeView& lines = shown.view.meanings();
  lines.setFocus();
  QTest::keyClick(&lines, Qt::Key_Down);
  EXPECT_THAT(shown.view.plain_text().toStdString(), HasSubstr("CRC"));
  ASSERT_EQ(shown.rows(), 1);
  QTreeView& matches = shown.view.matches();
  const QString reasons = matches.model()->index(0, LogMatchTable::kReasons).data().toString();
  EXPECT_THAT(reasons.toStdString(), HasSubstr("2/0/02"));
  matches.setFocus();
  matches.setCurrentIndex(matches.model()->index(0, 0));
  QTest::keyClick(&matches, Qt::Key_Return);
  EXPECT_EQ(shown.selection.qp(), shown.qps.front().record.qp);
  shown.selection.set_range(TimeRange{{0}, {1}});
  EXPECT_EQ(shown.rows(), 0) << "it was not there in the marked time";
  EXPECT_THAT(shown.view.findChild<TimeNote*>()->text().toStdString(), HasSubstr("1 queue pair(s)"));
  shown.selection.set_range({});
  EXPECT_EQ(shown.rows(), 1);
}

TEST(LogView, AsksQueuePairsForTheStagOfALine) {
  ShownLog shown("siw/rping-ipv4.pcap");
  ASSERT_TRUE(wait_until([&] { return !shown.qps.empty() && shown.qps.front().ended; }));
  std::optional<STag> stag;
  const std::uint64_t number = shown.qps.front().record.qp;
  shown.session.ask_qp(number, &shown.view, [&](const tl::expected<live::QpView, api::Failure>& whole) {
    if (whole && !whole->record.stags.empty()) stag = whole->record.stags.front().stag;
  });
  ASSERT_TRUE(wait_until([&] { return stag.has_value(); }));
  const auto line = [](std::uint32_t value) {
    return QStringLiteral("siw: [QP 1]: rresp stag: %1 != 00000000").arg(value, 8, 16, QLatin1Char('0'));
  };
  shown.view.box().setPlainText(line(stag->value));
  ASSERT_TRUE(wait_until([&] { return shown.rows() == 1; }));
  shown.view.box().setPlainText(line(stag->value ^ 0x7777));
  ASSERT_TRUE(wait_until([&] { return shown.rows() == 0; }));
}

TEST(LogView, SaysThatALineIsNotKnown) {
  ShownLog shown("siw/viol-crc-error.pcap");
  shown.view.box().setPlainText(QStringLiteral("what a nice day"));
  ASSERT_TRUE(wait_until([&] {
    const auto labels = shown.view.findChildren<QLabel*>();
    return std::any_of(labels.begin(), labels.end(),
                       [](const QLabel* one) { return one->text().startsWith(QLatin1String("None of these")); });
  }));
  EXPECT_EQ(shown.rows(), 0);
}

}  // namespace
}  // namespace iwarpscope::gui::log_view_test
