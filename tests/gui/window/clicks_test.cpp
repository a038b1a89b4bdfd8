// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Each button, table, plot and picture of the views, used by mouse.
#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QPlainTextEdit>
#include <QSplitter>
#include <QTabBar>
#include <QTableView>
#include <QWhatsThis>

#include "gui/window/mouse.h"
#include "models/findings/finding_table.h"
#include "views/atomics/atomic_view.h"
#include "views/buffers/buffer_canvas.h"
#include "views/buffers/buffer_view.h"
#include "views/findings/finding_list.h"
#include "views/frame/hex_view.h"
#include "views/health_bar.h"
#include "views/hosts/host_view.h"
#include "views/logs/log_view.h"
#include "views/overview/incident_card.h"
#include "views/overview/overview_view.h"
#include "views/plots/latency_histogram.h"
#include "views/plots/latency_view.h"
#include "views/plots/time_note.h"
#include "views/plots/timeline_view.h"
#include "views/summary/handshake_view.h"
#include "views/summary/verdict_view.h"
#include "window/help_window.h"

namespace iwarpscope::gui::clicks_test {
namespace {

using test::wait_until;
using testing::HasSubstr;

class Clicks : public Mouse {
 protected:
  [[nodiscard]] SessionViews& views() { return *window.views(); }
  void double_click(QAbstractItemView& in, const QModelIndex& index) const {
    in.scrollTo(index);
    const QPoint at = in.visualRect(index).center();
    QTest::mouseClick(in.viewport(), Qt::LeftButton, {}, at);
    QTest::mouseDClick(in.viewport(), Qt::LeftButton, {}, at);
  }
  void mark_time() {
    views().selection().set_range(TimeRange{views().qp()->record.first_time, views().qp()->record.last_time});
  }
  [[nodiscard]] QString said(const QWidget& in, const char* name) const {
    for (const auto* label : in.findChildren<QLabel*>()) {
      if (label->accessibleDescription() == QLatin1String(name)) return label->text();
    }
    ADD_FAILURE() << "no label " << name;
    return {};
  }
};

TEST_F(Clicks, ButtonsOfTheLadder) {
  ASSERT_TRUE(open("siw/viol-crc-error.pcap"));
  press_button("ladder", QStringLiteral("Next finding"));
  const QString first = ladder().details();
  EXPECT_THAT(first.toStdString(), HasSubstr("MF-04"));
  press_button("ladder", QStringLiteral("Next finding"));
  EXPECT_NE(ladder().details(), first);
  press_button("ladder", QStringLiteral("Previous finding"));
  EXPECT_EQ(ladder().details(), first);
  press_button("ladder", QStringLiteral("+"));  // from here on its rows do not follow its height
  press_button("ladder", QStringLiteral("+"));
  const double row = ladder().row();
  press_button("ladder", QStringLiteral("−"));
  EXPECT_LT(ladder().row(), row);
  press_button("ladder", QStringLiteral("+"));
  EXPECT_GE(ladder().row(), row);
  press_button("ladder", QStringLiteral("All"));
  EXPECT_NE(ladder().row(), 0);
  QAbstractButton& transport = button("ladder", QStringLiteral("Transport and waits"));
  const bool was_on = transport.isChecked();
  click(transport);
  EXPECT_NE(transport.isChecked(), was_on);
  click(transport);
  auto& frame = *view<LadderView>()->findChild<QLineEdit*>();
  click(frame);
  ASSERT_TRUE(frame.hasFocus());
  QTest::keyClicks(&frame, QStringLiteral("9\r"));
  EXPECT_THAT(ladder().details().toStdString(), HasSubstr("frame 9"));
  const QString file = folder.filePath(QStringLiteral("ladder.svg"));
  const Answers answers(file);
  press_button("ladder", QStringLiteral("Save picture..."));
  EXPECT_TRUE(wait_until([&] { return QFileInfo(file).size() > 0; }));
}

TEST_F(Clicks, ButtonsAndPlotsOfTheTimeline) {
  ASSERT_TRUE(open("siw/lossy-rping-16k-crc-at-server.pcap.gz"));
  raise_dock("timeline");
  auto* timeline = view<TimelineView>();
  for (std::size_t i = 0; i < 5; ++i) {
    PlotPane& pane = *timeline->pane(i);
    if (!pane.isVisible() || pane.visibleRegion().isEmpty()) continue;
    SCOPED_TRACE(pane.title().toStdString());
    drag(pane, {pane.width() / 3, pane.height() / 2}, {pane.width() / 2, pane.height() / 2});
    ASSERT_TRUE(views().selection().range());
    press_button("timeline", QStringLiteral("Clear mark"));
    EXPECT_FALSE(views().selection().range());
  }
  PlotPane& pane = *timeline->pane(0);
  const double whole = pane.span().size();
  QWheelEvent wheel(QPointF(pane.rect().center()), pane.mapToGlobal(QPointF(pane.rect().center())), {}, {0, 480}, {},
                    {}, Qt::NoScrollPhase, false);
  QApplication::sendEvent(&pane, &wheel);
  EXPECT_LT(pane.span().size(), whole);
  press_button("timeline", QStringLiteral("Show all"));
  EXPECT_DOUBLE_EQ(pane.span().size(), whole);
  const QString file = folder.filePath(QStringLiteral("plot.csv"));
  const Answers answers(file, pane.title());
  press_button("timeline", QStringLiteral("Save plot..."));
  EXPECT_TRUE(wait_until([&] { return QFileInfo(file).size() > 0; }));
}

TEST_F(Clicks, NoteOnTheMarkedTimeOfEachViewClearsIt) {
  ASSERT_TRUE(open("made/questions/atomic-result-impossible.pcapng"));
  int notes = 0;
  for (auto* note : window.findChildren<TimeNote*>()) {
    for (QWidget* around = note; around != nullptr; around = around->parentWidget()) {
      if (auto* in = qobject_cast<QDockWidget*>(around)) in->raise();
    }
    mark_time();
    if (!wait_until([&] { return is_seen(*note); }, 500)) continue;
    ++notes;
    click(*note->findChild<QAbstractButton*>());
    EXPECT_FALSE(views().selection().range());
  }
  EXPECT_GE(notes, 8);
}

TEST_F(Clicks, HistogramAndSlowestOperations) {
  ASSERT_TRUE(open("siw/lossy-rping-16k-crc-at-server.pcap.gz"));
  raise_dock("latency");
  auto* latency = view<LatencyView>();
  const QString before = said(*latency, "Counts at the cursor");
  QTest::mouseMove(latency->histogram(), {latency->histogram()->width() / 3, latency->histogram()->height() / 2});
  EXPECT_TRUE(wait_until([&] { return said(*latency, "Counts at the cursor") != before; }));
  QTreeView& list = *latency->list();
  ASSERT_TRUE(wait_until([&] { return list.model()->rowCount() > 1; }));
  double_click(list, list.model()->index(0, 0));
  EXPECT_TRUE(wait_until([&] { return views().frame().value != 0; }));
  EXPECT_TRUE(shows_frame(views().frame().value));
}

TEST_F(Clicks, StagsAndTheirMemory) {
  ASSERT_TRUE(open("siw/lossy-rping-16k-crc-at-server.pcap.gz"));
  raise_dock("buffers");
  QTreeView& stags = *view<BufferView>()->table();
  ASSERT_TRUE(wait_until([&] { return stags.model()->rowCount() > 0; }));
  int most = 0;
  const auto placed = [&](int row) {
    return stags.model()->index(row, BufferModel::kPlaced).data(BufferModel::kSortRole).toULongLong();
  };
  for (int row = 0; row < stags.model()->rowCount(); ++row) most = placed(row) > placed(most) ? row : most;
  click(stags, stags.model()->index(most, 0));
  EXPECT_EQ(stags.currentIndex().row(), most);
  auto& map = *view<BufferCanvas>();
  ASSERT_TRUE(wait_until([&] { return map.current() != nullptr; }));
  for (int y = 10; y < map.height() && views().frame().value == 0; y += 6) {
    QTest::mouseDClick(&map, Qt::LeftButton, {}, {map.width() / 2, y});
  }
  EXPECT_NE(views().frame().value, 0u) << "a double click on a piece shows its message";
}

TEST_F(Clicks, WordsAndOperationsOfAtomics) {
  ASSERT_TRUE(open("made/questions/atomic-result-impossible.pcapng"));
  raise_dock("atomics");
  QTreeView &words = *view<AtomicView>()->words(), &uses = *view<AtomicView>()->uses();
  ASSERT_TRUE(wait_until([&] { return words.model()->rowCount() > 0; }));
  words.setCurrentIndex({});
  click(words, words.model()->index(0, 0));
  ASSERT_TRUE(wait_until([&] { return uses.model()->rowCount() > 0; }));
  double_click(uses, uses.model()->index(0, 0));
  EXPECT_TRUE(wait_until([&] { return views().frame().value != 0; }));
  raise_dock("atomics");
  QLabel& links = *view<AtomicView>()->links();
  ASSERT_TRUE(wait_until([&] { return links.isVisible(); }));
  QTreeView& findings = *view<FindingList>()->table();
  findings.setCurrentIndex({});
  for (int x = 0; x < links.width() && !findings.currentIndex().isValid(); x += 8)
    press_at(links, {x, links.height() / 2});
  EXPECT_TRUE(findings.currentIndex().isValid()) << "the link leads to the finding";
}

TEST_F(Clicks, WhatTheFindingsShow) {
  ASSERT_TRUE(open("siw/viol-crc-error.pcap"));
  raise_dock("findings");
  auto* list = view<FindingList>();
  const QAbstractItemModel& rows = *list->table()->model();
  ASSERT_TRUE(wait_until([&] { return rows.rowCount() == 4; }));
  choose_in(*list->findChild<QComboBox*>(), 2);
  EXPECT_EQ(rows.rowCount(), 1);
  choose_in(*list->findChild<QComboBox*>(), 0);
  press_button("findings", QStringLiteral("What came first"));
  EXPECT_EQ(rows.rowCount(), 1);
  press_button("findings", QStringLiteral("What came first"));
  press_button("findings", QStringLiteral("This queue pair"));
  EXPECT_EQ(rows.rowCount(), 3);
  press_button("findings", QStringLiteral("This queue pair"));
  auto& words = *list->findChild<QLineEdit*>();
  click(words);
  EXPECT_TRUE(words.hasFocus());
  double_click(*list->table(), rows.index(0, FindingTable::kText));
  EXPECT_TRUE(is_seen(ladder()));
}

TEST_F(Clicks, HostsAndTheWorstOfThem) {
  ASSERT_TRUE(open("made/questions/three-ways-to-fail.pcapng"));
  raise_dock("hosts");
  auto* hosts = view<HostView>();
  const auto filter = [&] { return view<QpTableView>()->filter_bar().text().toStdString(); };
  ASSERT_TRUE(wait_until([&] { return hosts->worst().model()->rowCount() == 3; }));
  click(hosts->worst(), hosts->worst().model()->index(1, 0));
  EXPECT_TRUE(wait_until([&] { return views().selection().qp().has_value(); }));
  choose_in(hosts->ranking(), 1);
  click(hosts->matrix(), hosts->matrix().model()->index(0, 0));
  EXPECT_THAT(filter(), HasSubstr("initiator == 10.0.0.1"));
  press_button("hosts", QStringLiteral("Show all queue pairs"));
  EXPECT_EQ(filter(), "");
  click(hosts->words());
  EXPECT_TRUE(hosts->words().hasFocus());
}

TEST_F(Clicks, FilterColumnsAndGroupsOfTheTable) {
  ASSERT_TRUE(open("made/questions/three-ways-to-fail.pcapng"));
  auto* all = view<QpTableView>();
  {
    const Answers answers({}, QStringLiteral("Messages"));
    press_button(nullptr, QStringLiteral("Columns"));
  }
  EXPECT_TRUE(table().isColumnHidden(static_cast<int>(QpColumn::messages)));
  press_button(nullptr, QStringLiteral("Group by host pair"));
  EXPECT_EQ(table().model()->rowCount(), 1);
  press_button(nullptr, QStringLiteral("Group by host pair"));
  auto& line = *all->filter_bar().findChild<QLineEdit*>();
  click(line);
  ASSERT_TRUE(line.hasFocus());
  all->filter_bar().set_text(QStringLiteral("host == 192.0.2.1"));
  QTest::keyClick(&line, Qt::Key_Return);
  ASSERT_TRUE(wait_until([&] { return table().model()->rowCount() == 0; }));
  press_button(nullptr, QStringLiteral("Clear the filter"));
  EXPECT_EQ(table().model()->rowCount(), 3);
  {
    const Answers answers({}, QStringLiteral("host == 192.0.2.1"));
    press_button(nullptr, QStringLiteral("History"));
  }
  EXPECT_TRUE(wait_until([&] { return table().model()->rowCount() == 0; }));
  press_button(nullptr, QStringLiteral("Clear the filter"));
  views().selection().set_range(TimeRange{{1}, {2}});
  ASSERT_TRUE(wait_until([&] { return table().model()->rowCount() == 0; }));
  const QPushButton* way_out = table().viewport()->findChild<QPushButton*>();
  for (const auto* one : table().viewport()->findChildren<QPushButton*>()) {
    if (bare(one->text()) == QStringLiteral("Show whole time")) way_out = one;
  }
  EXPECT_TRUE(wait_until([&] { return way_out->visibleRegion().boundingRect() == way_out->rect(); }))
      << "a low table grows, so that the way out is in sight";
  press_button(nullptr, QStringLiteral("Show whole time"));
  EXPECT_EQ(table().model()->rowCount(), 3);
}

TEST_F(Clicks, LinesOfALogLeadToRulesAndQueuePairs) {
  ASSERT_TRUE(open("siw/viol-crc-error.pcap"));
  raise_dock("log");
  auto* log = view<LogView>();
  click(log->box());
  log->box().setPlainText(
      QStringLiteral("siw: crc error. in: 13ded25c, own ab679949, op 3\n"
                     "siw: got TERMINATE. layer 2, type 0, code 2\n"));
  ASSERT_TRUE(wait_until([&] { return log->meanings().model()->rowCount() == 2; }));
  click(log->meanings(), log->meanings().model()->index(1, 0));
  EXPECT_THAT(log->plain_text().toStdString(), HasSubstr("TERMINATE"));
  views().selection().set_qp({});
  ASSERT_TRUE(wait_until([&] { return log->matches().model()->rowCount() > 0; }));
  click(log->matches(), log->matches().model()->index(0, 0));
  EXPECT_TRUE(views().selection().qp());
  click_link(*log, QStringLiteral("rule"));
  EXPECT_TRUE(wait_until([&] { return view<HelpWindow>() != nullptr && view<HelpWindow>()->isVisible(); }));
}

TEST_F(Clicks, RulesOfTheVerdictAreExplainedAndTheHelpIsWalkedThrough) {
  ASSERT_TRUE(open("siw/viol-crc-error.pcap"));
  click_link(*view<VerdictView>(), QStringLiteral("rule"));
  ASSERT_TRUE(wait_until([&] { return view<HelpWindow>() != nullptr && view<HelpWindow>()->isVisible(); }));
  auto* help = view<HelpWindow>();
  const QString rule = help->plain_text();
  for (auto* one : help->findChildren<QAbstractButton*>()) {
    if (bare(one->text()) == QStringLiteral("Guide")) click(*one);
  }
  EXPECT_NE(help->plain_text(), rule);
  const QString guide = help->plain_text();
  auto& text = *help->findChild<QTextBrowser*>();
  QTextCursor cursor(text.document());
  while (!cursor.atEnd() && !cursor.charFormat().isAnchor()) cursor.movePosition(QTextCursor::NextCharacter);
  cursor.movePosition(QTextCursor::NextCharacter);
  press_at(*text.viewport(), text.cursorRect(cursor).center());
  EXPECT_TRUE(wait_until([&] { return help->plain_text() != guide; }));
  for (auto* one : help->findChildren<QAbstractButton*>()) {
    if (bare(one->text()) == QStringLiteral("Close")) click(*one);
  }
  EXPECT_FALSE(help->isVisible());
}

TEST_F(Clicks, TabsBarsAndEdgesOfViews) {
  ASSERT_TRUE(open("siw/viol-crc-error.pcap"));
  for (auto* tabs : window.findChildren<QTabBar*>()) {
    for (int i = 0; i < tabs->count() && tabs->isVisible(); ++i) {
      if (!tabs->isTabVisible(i) || !tabs->rect().contains(tabs->tabRect(i).center())) continue;
      press_at(*tabs, tabs->tabRect(i).center());
      EXPECT_EQ(tabs->currentIndex(), i);
    }
  }
  press(Qt::Key_Q, Qt::AltModifier);
  for (QDockWidget* one : window.findChildren<QDockWidget*>()) {
    raise_dock(one->objectName().toLatin1().constData());
    press_button(one->objectName().toLatin1().constData(), QStringLiteral("Float"));
    ASSERT_TRUE(wait_until([&] { return one->isFloating(); })) << one->objectName().toStdString();
    one->setFloating(false);
    raise_dock(one->objectName().toLatin1().constData());
    press_button(one->objectName().toLatin1().constData(), QStringLiteral("Close"));
    EXPECT_TRUE(wait_until([&] { return one->isHidden(); })) << one->objectName().toStdString();
    one->show();
  }
}

TEST_F(Clicks, HeadersOfTablesAreDraggedAndSplittersMoved) {
  ASSERT_TRUE(open("made/questions/atomic-result-impossible.pcapng"));
  int headers = 0, splitters = 0;
  for (QDockWidget* one : window.findChildren<QDockWidget*>()) {
    raise_dock(one->objectName().toLatin1().constData());
    for (auto* header : one->findChildren<QHeaderView*>()) {
      if (header->orientation() != Qt::Horizontal || !is_seen(*header)) continue;
      const int end = header->sectionViewportPosition(0) + header->sectionSize(0);
      const int before = header->sectionSize(0);
      drag(*header->viewport(), {end - 1, header->height() / 2}, {end + 40, header->height() / 2});
      ++headers;
      const bool is_free = header->sectionResizeMode(0) == QHeaderView::Interactive;
      EXPECT_EQ(header->sectionSize(0) != before, is_free) << one->objectName().toStdString();
    }
    for (auto* splitter : one->findChildren<QSplitter*>()) {
      const QList<int> before = splitter->sizes();
      QSplitterHandle& handle = *splitter->handle(1);
      const QPoint middle = handle.rect().center();
      drag(handle, middle, middle + QPoint(-30, -30));
      if (splitter->sizes() == before) drag(handle, middle, middle + QPoint(30, 30));
      EXPECT_NE(splitter->sizes(), before) << one->objectName().toStdString();
      ++splitters;
    }
  }
  EXPECT_GE(headers, 6);
  EXPECT_GE(splitters, 6);
}

TEST_F(Clicks, StagesOfTheHealthAreExplained) {
  ASSERT_TRUE(open("siw/viol-crc-error.pcap"));
  for (auto* stage : view<HealthBar>()->findChildren<QAbstractButton*>()) {
    click(*stage);
    const auto explained = [] {
      const QWidgetList all = QApplication::topLevelWidgets();
      return std::any_of(all.begin(), all.end(), [](const QWidget* one) { return one->inherits("QWhatsThat"); });
    };
    EXPECT_TRUE(wait_until(explained)) << stage->text().toStdString();
    QWhatsThis::hideText();
    EXPECT_TRUE(wait_until([&] { return !explained(); }));
  }
}

TEST_F(Clicks, ButtonsOfTheOverviewLeadToFindingsAndHosts) {
  ASSERT_TRUE(open("siw/viol-crc-error.pcap"));
  for (const auto& button : {std::pair{"All findings", "findings"}, {"All hosts", "hosts"}}) {
    press(Qt::Key_O, Qt::AltModifier);
    ASSERT_TRUE(wait_until([&] { return is_seen(*view<OverviewView>()); }));
    press_button(nullptr, QLatin1String(button.first));
    EXPECT_TRUE(wait_until([&] { return is_seen(*dock(button.second)); })) << button.second;
  }
}

TEST_F(Clicks, TextIsSelected) {
  ASSERT_TRUE(open("siw/viol-crc-error.pcap"));
  raise_dock("findings");
  click(*view<FindingList>()->table(), view<FindingList>()->table()->model()->index(0, FindingTable::kText));
  raise_dock("handshake");
  for (QTextBrowser* text :
       {view<HandshakeView>()->findChild<QTextBrowser*>(), view<VerdictView>()->findChild<QTextBrowser*>()}) {
    EXPECT_TRUE(wait_until([&] {  // a text that comes from the daemon in between ends a selection
      drag(*text->viewport(), {20, 10}, {200, 60});
      return text->textCursor().hasSelection();
    }));
  }
  int labels = 0;
  for (const char* name : {"ladder", "findings", "frame"}) {
    raise_dock(name);
    for (auto* label : dock(name)->findChildren<QLabel*>()) {
      if (!label->textInteractionFlags().testFlag(Qt::TextSelectableByMouse) || !is_seen(*label)) continue;
      if (label->text().isEmpty()) continue;
      EXPECT_TRUE(wait_until([&] {
        QTest::mouseDClick(label, Qt::LeftButton, {}, {20, label->fontMetrics().height() / 2});
        return label->hasSelectedText();
      })) << label->text().toStdString();
      ++labels;
    }
  }
  EXPECT_GE(labels, 4);
}

TEST_F(Clicks, OperationsOfOtherQueuePairsAreReadByTheirButton) {
  ASSERT_TRUE(open("made/questions/atomic-malformed-later.pcapng"));
  raise_dock("atomics");
  QAbstractButton& others = *view<AtomicView>()->others();
  views().selection().set_qp(0);
  ASSERT_TRUE(wait_until([&] {
    return is_whole() && bare(others.text()).startsWith(QStringLiteral("Read one other"));
  })) << others.text().toStdString();
  click(others);
  EXPECT_TRUE(wait_until([&] { return bare(others.text()).startsWith(QStringLiteral("No other")); }));
}

}  // namespace
}  // namespace iwarpscope::gui::clicks_test
