// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The table with its filter bar, operated as by a user.
#include "views/queue_pairs/qp_table_view.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QApplication>
#include <QClipboard>
#include <QCompleter>
#include <QFile>
#include <QFocusEvent>
#include <QHeaderView>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollBar>
#include <QTemporaryDir>
#include <QTreeView>

#include <array>
#include <string_view>

#include "gui/models/qp_rows.h"
#include "gui/wait.h"
#include "views/colors.h"
#include "views/csv.h"
#include "views/empty_note.h"
#include "views/plots/time_note.h"

namespace iwarpscope::gui::qp_table_view_test {
namespace {

using test::fail_qp;
using test::made_qp;
using test::made_qps;
using test::wait_until;

struct Shown {
  explicit Shown(Source source = {}) : session(std::move(source)) {
    view.resize(1400, 500);
    view.show();
    edit = view.filter_bar().findChild<QLineEdit*>();
  }
  [[nodiscard]] int top_of(std::uint64_t qp) { return view.tree().visualRect(view.model().index_of(qp)).top(); }
  void look(const char* name) {
    const QString folder = qEnvironmentVariable("IWARPSCOPE_SCREENSHOTS");
    if (!folder.isEmpty()) view.grab().save(folder + QLatin1Char('/') + QLatin1String(name));
  }
  Session session;
  Selection selection;
  QpTableView view{session, selection};
  QLineEdit* edit = nullptr;
};

QpRows rows_with_failures() {
  QpRows rows = made_qps(0, 40);
  for (std::size_t i = 0; i < rows.size(); i += 7) fail_qp(rows[i]);
  rows[3].findings = {0, 1, 0, findings::FindingId::tcp_zero_window};
  for (live::QpView& row : rows) {
    for (std::size_t s = 0; s < live::Activity::kSeconds; ++s) {
      row.activity.octets[s] = static_cast<std::uint32_t>((s * (row.record.qp + 3) * 37) % 1000 * 1000);
    }
  }
  return rows;
}

TEST(QpTableView, FollowsAndSetsTheSelection) {
  Shown s;
  s.view.model().replace(made_qps(0, 500));
  s.selection.set_qp(300);
  EXPECT_EQ(s.view.model().number_at(s.view.tree().currentIndex()), 300u);
  EXPECT_TRUE(
      s.view.tree().viewport()->rect().contains(s.view.tree().visualRect(s.view.tree().currentIndex()).center()));
  QTest::keyClick(&s.view.tree(), Qt::Key_Down);
  EXPECT_EQ(s.selection.qp(), 301u);
  QTest::keyClick(&s.view.tree(), Qt::Key_Home);
  EXPECT_EQ(s.selection.qp(), 0u);
  s.selection.set_qp(std::nullopt);
  EXPECT_FALSE(s.view.tree().currentIndex().isValid());
}

/// The point where a user would click on the row of a queue pair.
QPoint place_of(QpTableView& view, std::uint64_t qp) {
  const QModelIndex index = view.model().index_of(qp).siblingAtColumn(static_cast<int>(QpColumn::ends));
  return view.tree().visualRect(index).center();
}

TEST(QpTableView, AClickOnARowSelectsItsQueuePair) {
  Shown s;
  s.view.model().replace(made_qps(0, 500));
  for (const std::uint64_t qp : {3u, 0u, 7u, 6u}) {
    QTest::mouseClick(s.view.tree().viewport(), Qt::LeftButton, {}, place_of(s.view, qp));
    EXPECT_EQ(s.selection.qp(), qp);
    EXPECT_EQ(s.view.model().number_at(s.view.tree().currentIndex()), qp);
    EXPECT_TRUE(s.view.tree().selectionModel()->isSelected(s.view.model().index_of(qp)));
  }
  QTest::keyClick(&s.view.tree(), Qt::Key_Down);
  EXPECT_EQ(s.selection.qp(), 7u);
}

TEST(QpTableView, ARightClickSelectsTheRowThatItsMenuIsAbout) {
  Shown s;
  s.view.model().replace(made_qps(0, 20));
  s.selection.set_qp(2);
  QTest::mouseClick(s.view.tree().viewport(), Qt::RightButton, {}, place_of(s.view, 5));
  EXPECT_EQ(s.selection.qp(), 5u);
}

TEST(QpTableView, ADoubleClickSelectsAndActivatesTheSameQueuePair) {
  Shown s;
  s.view.model().replace(made_qps(0, 20));
  std::optional<quint64> activated;
  QObject::connect(&s.view, &QpTableView::activated, &s.view, [&](quint64 qp) { activated = qp; });
  QTest::mouseClick(s.view.tree().viewport(), Qt::LeftButton, {}, place_of(s.view, 4));
  QTest::mouseDClick(s.view.tree().viewport(), Qt::LeftButton, {}, place_of(s.view, 4));
  EXPECT_EQ(activated, 4u);
  EXPECT_EQ(s.selection.qp(), 4u);
}

TEST(QpTableView, AClickOnAHostPairLeavesTheQueuePairChosen) {
  Shown s;
  s.view.model().replace(made_qps(0, 12));
  s.selection.set_qp(1);
  s.view.set_grouped(true);
  const QModelIndex pair = s.view.model().index(0, static_cast<int>(QpColumn::ends));
  s.view.tree().scrollTo(pair);
  QTest::mouseClick(s.view.tree().viewport(), Qt::LeftButton, {}, s.view.tree().visualRect(pair).center());
  EXPECT_EQ(s.selection.qp(), 1u);
}

TEST(QpTableView, TheFocusAloneChoosesNothing) {
  Shown s;
  s.view.model().replace(made_qps(0, 5));
  QFocusEvent focus(QEvent::FocusIn, Qt::TabFocusReason);
  QApplication::sendEvent(&s.view.tree(), &focus);
  EXPECT_EQ(s.selection.qp(), std::nullopt);
  QTest::keyClick(&s.view.tree(), Qt::Key_Down);
  ASSERT_TRUE(s.selection.qp());
  EXPECT_TRUE(s.view.tree().selectionModel()->isSelected(s.view.model().index_of(*s.selection.qp())));
}

QPushButton* button(QpTableView& view, const char* text) {
  for (auto* one : view.findChildren<QPushButton*>()) {
    if (one->text().remove(QLatin1Char('&')) == QLatin1String(text)) return one;
  }
  return nullptr;
}

TEST(QpTableView, AnEmptyTableSaysWhyAndLetsTheFilterBeCleared) {
  Shown s;
  EXPECT_THAT(s.view.empty_sentence().toStdString(), testing::HasSubstr("No queue pairs yet"));
  s.view.model().replace(made_qps(0, 12));
  EXPECT_TRUE(s.view.empty_sentence().isEmpty());
  s.view.filter_bar().set_text(QStringLiteral("qp == 77"));
  ASSERT_TRUE(wait_until([&] { return s.view.model().shown() == 0; }));
  auto* const note = s.view.findChild<EmptyNote*>();
  ASSERT_NE(note, nullptr);
  EXPECT_EQ(note->sentence().toStdString(), "No queue pair matches the filter: 12 hidden.");
  s.look("empty.png");
  QPushButton* const clear = button(s.view, "Clear the filter");
  ASSERT_TRUE(clear != nullptr && clear->isVisible());
  EXPECT_FALSE(button(s.view, "Show whole time")->isVisible());
  clear->click();
  ASSERT_TRUE(wait_until([&] { return s.view.model().shown() == 12; }));
  EXPECT_TRUE(note->sentence().isEmpty());
  EXPECT_TRUE(s.edit->text().isEmpty());
}

TEST(QpTableView, TheMarkedTimeHidesRowsAndSaysHowMany) {
  Shown s;
  s.view.model().replace(made_qps(0, 12));  // each begins one nanosecond after the previous one
  auto* const note = s.view.findChild<TimeNote*>();
  ASSERT_NE(note, nullptr);
  EXPECT_TRUE(note->text().isEmpty());
  const std::int64_t begin = 1'700'000'000'000'000'000;
  s.selection.set_range(TimeRange{{begin - 5}, {begin + 4}});
  EXPECT_EQ(s.view.model().shown(), 4u);
  EXPECT_THAT(note->text().toStdString(),
              testing::HasSubstr("8 queue pair(s) that were not active in this time are hidden"));
  EXPECT_THAT(note->text().toStdString(), testing::HasSubstr("22:13:20"));
  s.selection.set_range(TimeRange{{1}, {2}});
  EXPECT_THAT(s.view.empty_sentence().toStdString(), testing::HasSubstr("in the marked time: 12 hidden"));
  QPushButton* const all = button(s.view, "Show whole time");
  ASSERT_TRUE(all != nullptr && all->isVisible());
  all->click();
  EXPECT_FALSE(s.selection.range());
  EXPECT_EQ(s.view.model().shown(), 12u);
  EXPECT_TRUE(note->text().isEmpty());
}

TEST(QpTableView, UpdatesMoveNeitherTheCurrentRowNorWhatIsSeen) {
  Shown s;
  s.view.tree().sortByColumn(static_cast<int>(QpColumn::messages), Qt::DescendingOrder);
  s.view.model().replace(made_qps(0, 500));
  s.selection.set_qp(250);
  const int top = s.top_of(250);
  s.view.model().change(made_qps(1000, 100));  // all above
  QCoreApplication::processEvents();
  EXPECT_EQ(s.top_of(250), top);
  EXPECT_EQ(s.selection.qp(), 250u);
  s.view.tree().verticalScrollBar()->setValue(s.view.tree().verticalScrollBar()->value() + 2000);
  const auto first = *s.view.model().number_at(s.view.tree().indexAt({0, 0}));
  const int first_top = s.top_of(first);
  s.view.model().change(made_qps(2000, 100));
  QCoreApplication::processEvents();
  EXPECT_EQ(s.top_of(first), first_top) << "the current row was out of sight";
  EXPECT_EQ(s.selection.qp(), 250u);
  EXPECT_EQ(s.view.model().number_at(s.view.tree().currentIndex()), 250u);
}

TEST(QpTableView, GroupingFilteringAndReplacingKeepTheSelection) {
  Shown s;
  s.view.model().replace(rows_with_failures());
  s.selection.set_qp(7);
  s.view.set_grouped(true);
  EXPECT_EQ(s.view.model().number_at(s.view.tree().currentIndex()), 7u);
  EXPECT_TRUE(s.view.tree().isExpanded(s.view.tree().currentIndex().parent()));
  s.look("qp-grouped.png");
  s.view.filter_bar().set_text("qp == 8");
  EXPECT_EQ(s.selection.qp(), 7u) << "hidden, and still what all views look at";
  EXPECT_FALSE(s.view.tree().currentIndex().isValid());
  s.view.filter_bar().set_text("");
  EXPECT_EQ(s.view.model().number_at(s.view.tree().currentIndex()), 7u);
  s.view.set_grouped(false);
  EXPECT_EQ(s.view.model().number_at(s.view.tree().currentIndex()), 7u);
  s.view.model().replace(rows_with_failures());
  EXPECT_EQ(s.view.model().number_at(s.view.tree().currentIndex()), 7u);
  EXPECT_EQ(s.selection.qp(), 7u);
}

TEST(QpTableView, FilterIsWrittenJudgedAndKept) {
  Shown s;
  s.view.model().replace(rows_with_failures());
  QTest::keyClicks(s.edit, "errors > 0");
  EXPECT_TRUE(s.view.filter_bar().is_valid());
  ASSERT_TRUE(wait_until([&] { return s.view.model().shown() == 6; })) << s.view.model().shown();
  QTest::keyClick(s.edit, Qt::Key_Return);
  EXPECT_EQ(s.view.filter_bar().history(), QStringList{"errors > 0"});
  s.look("qp-filter-valid.png");
  QTest::keyClicks(s.edit, " and");
  EXPECT_FALSE(s.view.filter_bar().is_valid());
  EXPECT_THAT(s.edit->accessibleDescription().toStdString(), testing::HasSubstr("must follow"));
  EXPECT_EQ(s.edit->toolTip(), s.edit->accessibleDescription());
  EXPECT_EQ(s.view.model().shown(), 6u) << "it is still being typed";
  ASSERT_TRUE(wait_until([&] { return s.view.model().shown() == 40; })) << "no rows of an old filter stay";
  EXPECT_THAT(s.view.filter_bar().trouble().toStdString(),
              testing::HasSubstr("Not applied: all queue pairs are shown."));
  EXPECT_THAT(s.view.filter_bar().trouble().toStdString(), testing::HasSubstr("must follow"));
  s.look("qp-filter-invalid.png");
  QTest::keyClick(s.edit, Qt::Key_Escape);
  EXPECT_EQ(s.view.filter_bar().trouble(), QString());
  EXPECT_EQ(s.view.model().shown(), 40u);
  for (int i = 0; i < 30; ++i) s.view.filter_bar().set_text(QString("qp == %1").arg(i));
  EXPECT_EQ(s.view.filter_bar().history().size(), FilterBar::kMostHistory);
  EXPECT_EQ(s.view.filter_bar().history().front(), "qp == 29");
}

TEST(QpTableView, CompletionPutsWordsWhereTheCursorIs) {
  Shown s;
  s.view.model().replace(made_qps(0, 3));
  auto* completer = s.view.filter_bar().findChild<QCompleter*>();
  QTest::keyClicks(s.edit, "outc");
  ASSERT_EQ(completer->completionModel()->rowCount(), 1);
  emit completer->activated(QStringLiteral("outcome"));
  EXPECT_EQ(s.edit->text(), "outcome ");
  QTest::keyClicks(s.edit, "== ");
  QStringList offered;
  for (int i = 0; i < completer->completionModel()->rowCount(); ++i) {
    offered << completer->completionModel()->index(i, 0).data().toString();
  }
  EXPECT_TRUE(offered.contains("stalled"));
  emit completer->activated(QStringLiteral("failed"));
  EXPECT_EQ(s.edit->text(), "outcome == failed ");
  EXPECT_TRUE(s.view.filter_bar().is_valid());
  completer->popup()->hide();
}

TEST(QpTableView, ExportsWhatIsShown) {
  Shown s;
  QpRows rows = made_qps(0, 3);
  rows[1].record.ulp = "a,\"b\"";
  s.view.model().replace(rows);
  for (int i = 0; i < kQpColumns; ++i) {
    const auto column = static_cast<QpColumn>(i);
    const bool keep = column == QpColumn::number || column == QpColumn::ulp || column == QpColumn::octets ||
                      column == QpColumn::worst;
    s.view.tree().setColumnHidden(i, !keep);
  }
  QHeaderView* header = s.view.tree().header();
  header->moveSection(header->visualIndex(static_cast<int>(QpColumn::octets)), 1);
  s.view.filter_bar().set_text("qp > 0");
  EXPECT_EQ(table_csv(s.view.shown()).toStdString(),
            "qp,payload_octets,worst_rule,ulp\r\n1,100,,\"a,\"\"b\"\"\"\r\n2,200,,nvme\r\n");
  s.view.set_grouped(true);
  const QJsonArray json = QJsonDocument::fromJson(table_json(s.view.shown())).array();
  ASSERT_EQ(json.size(), 2) << "queue pairs, not pairs of hosts";
  EXPECT_EQ(json[0].toObject()["ulp"].toString(), "a,\"b\"");
  EXPECT_EQ(json[1].toObject()["payload_octets"].toInt(), 200);
  EXPECT_TRUE(json[1].toObject()["worst_rule"].isNull());
  const QTemporaryDir folder;
  EXPECT_TRUE(save_table(s.view.shown(), folder.filePath("t.json")).isEmpty());
  QFile file(folder.filePath("t.json"));
  ASSERT_TRUE(file.open(QIODevice::ReadOnly));
  EXPECT_EQ(file.readAll(), table_json(s.view.shown()));
  EXPECT_THAT(save_table(s.view.shown(), "/nowhere/t.csv").toStdString(), testing::HasSubstr("/nowhere/t.csv"));
}

TEST(QpTableView, TextThatASpreadsheetWouldComputeIsExportedAsText) {
  Shown s;
  QpRows rows = made_qps(0, 6);
  const auto texts = std::to_array<std::string_view>(
      {"=HYPERLINK(\"http://x\",A1)", "+1+cmd|' /C calc'!A0", "-2+3", "@SUM(A1)", "\t=1", "nvme=1"});
  for (std::size_t i = 0; i < texts.size(); ++i) rows[i].record.ulp = texts[i];
  s.view.model().replace(rows);
  for (int i = 0; i < kQpColumns; ++i) s.view.tree().setColumnHidden(i, static_cast<QpColumn>(i) != QpColumn::ulp);
  const QTemporaryDir folder;
  EXPECT_TRUE(save_table(s.view.shown(), folder.filePath("t.csv")).isEmpty());
  QFile file(folder.filePath("t.csv"));
  ASSERT_TRUE(file.open(QIODevice::ReadOnly));
  EXPECT_EQ(file.readAll().toStdString(),
            "ulp\r\n\"'=HYPERLINK(\"\"http://x\"\",A1)\"\r\n'+1+cmd|' /C calc'!A0\r\n'-2+3\r\n'@SUM(A1)\r\n"
            "'\t=1\r\nnvme=1\r\n");
  EXPECT_TRUE(table_json(s.view.shown()).contains("\"-2+3\"")) << "JSON is not computed";
}

TEST(CsvCell, NegativeNumberStaysANumber) {
  for (const char* const number : {"-1", "-2.5e-9", "+7", "0"}) EXPECT_EQ(csv_cell(number), QString(number));
}

TEST(QpTableView, KeepsItsStateAndRefusesAForeignOne) {
  Shown one, other;
  one.view.tree().setColumnHidden(static_cast<int>(QpColumn::crc), true);
  one.view.tree().header()->resizeSection(static_cast<int>(QpColumn::ends), 123);
  one.view.set_grouped(true);
  one.view.filter_bar().set_text("errors");
  EXPECT_TRUE(other.view.restore_state(one.view.save_state()));
  EXPECT_TRUE(other.view.tree().isColumnHidden(static_cast<int>(QpColumn::crc)));
  EXPECT_EQ(other.view.tree().header()->sectionSize(static_cast<int>(QpColumn::ends)), 123);
  EXPECT_TRUE(other.view.model().is_grouped());
  EXPECT_EQ(other.view.filter_bar().history(), QStringList{"errors"});
  EXPECT_FALSE(other.view.restore_state("nonsense"));
  EXPECT_FALSE(other.view.restore_state({}));
}

TEST(QpTableView, OrderAndFilterOfAKeptStateHold) {
  Shown one, other;
  one.view.tree().sortByColumn(static_cast<int>(QpColumn::messages), Qt::DescendingOrder);
  one.view.filter_bar().set_text("qp < 5");
  other.view.model().replace(made_qps(0, 10));
  ASSERT_TRUE(other.view.restore_state(one.view.save_state()));
  EXPECT_EQ(other.view.model().shown(), 5u);
  EXPECT_EQ(other.view.model().number_at(other.view.model().index(0, 0)), 4u) << "the most messages first";
  other.view.reset_layout();
  EXPECT_EQ(other.view.model().shown(), 10u);
  EXPECT_EQ(other.view.model().number_at(other.view.model().index(0, 0)), 0u);
  EXPECT_EQ(other.view.filter_bar().history(), QStringList{"qp < 5"}) << "it may be wanted again";
}

TEST(QpTableView, EveryControlHasAnAccessibleName) {
  Shown s;
  for (const QWidget* widget : s.view.findChildren<QWidget*>()) {
    const bool is_control = qobject_cast<const QAbstractButton*>(widget) != nullptr ||
                            qobject_cast<const QLineEdit*>(widget) != nullptr ||
                            qobject_cast<const QTreeView*>(widget) != nullptr;
    if (!is_control || widget->parentWidget() == s.edit) continue;
    EXPECT_FALSE(widget->accessibleName().isEmpty()) << widget->metaObject()->className();
  }
}

/// The cell of queue pair 0 has pixels of approximately this colour.
bool has_color(QpTableView& view, QpColumn column, const QColor& color) {
  const QRect cell = view.tree().visualRect(view.model().index_of(0, static_cast<int>(column)));
  const QImage picture = view.tree().viewport()->grab(cell).toImage();
  const auto near = [](int one, int other) { return std::abs(one - other) < 30; };
  for (int y = 0; y < picture.height(); ++y) {
    for (int x = 0; x < picture.width(); ++x) {
      const QColor at = picture.pixelColor(x, y);
      if (near(at.red(), color.red()) && near(at.green(), color.green()) && near(at.blue(), color.blue())) return true;
    }
  }
  return false;
}

TEST(QpTableView, LooksRightInLightAndDark) {
  const QPalette before = QApplication::palette();
  for (const bool dark : {false, true}) {
    if (dark) {
      QPalette palette(QColor(0x30, 0x30, 0x30));
      palette.setColor(QPalette::Base, QColor(0x20, 0x20, 0x20));
      palette.setColor(QPalette::AlternateBase, QColor(0x28, 0x28, 0x28));
      palette.setColor(QPalette::Text, Qt::white);
      palette.setColor(QPalette::WindowText, Qt::white);
      QApplication::setPalette(palette);
    }
    Shown s;
    s.view.model().replace(rows_with_failures());
    s.selection.set_qp(5);
    s.view.filter_bar().set_text("qp < 30");
    QCoreApplication::processEvents();
    s.look(dark ? "qp-dark.png" : "qp-light.png");
    EXPECT_TRUE(has_color(s.view, QpColumn::worst, severity_color(findings::Severity::error, QApplication::palette())));
    EXPECT_TRUE(has_color(s.view, QpColumn::activity, series_color(0, QApplication::palette())));
  }
  QApplication::setPalette(before);
}

TEST(QpTableView, ShowsARealFileAndCopiesItsSentence) {
  Shown s({.files = {QStringLiteral(IWARPSCOPE_SAMPLES "/siw/viol-crc-error.pcap")}});
  s.session.start();
  ASSERT_TRUE(wait_until([&] { return s.view.model().known() == 1 && s.view.model().find(0)->ended; }));
  s.selection.set_qp(0);
  EXPECT_EQ(s.view.model().index_of(0, static_cast<int>(QpColumn::verdict)).data().toString(), "failed");
  s.view.activateWindow();
  ASSERT_TRUE(QTest::qWaitForWindowActive(&s.view));
  s.view.tree().setFocus();
  QTest::keyClick(&s.view.tree(), Qt::Key_C, Qt::ControlModifier);
  EXPECT_THAT(QApplication::clipboard()->text().toStdString(), testing::HasSubstr("failed\tE "));
  QApplication::clipboard()->clear();
  QTest::keyClick(&s.view.tree(), Qt::Key_C, Qt::ControlModifier | Qt::ShiftModifier);
  ASSERT_TRUE(wait_until([&] { return QApplication::clipboard()->text().contains("CRC"); }));
  std::uint64_t opened = 99;
  QObject::connect(&s.view, &QpTableView::activated, &s.view, [&](quint64 qp) { opened = qp; });
  QTest::keyClick(&s.view.tree(), Qt::Key_Return);
  EXPECT_EQ(opened, 0u);
  s.look("qp-real.png");
}

}  // namespace
}  // namespace iwarpscope::gui::qp_table_view_test
