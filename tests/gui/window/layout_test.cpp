// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// MenusAndKeys, the filter and the layout of the real window, by mouse and keys.
#include <QHeaderView>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLineEdit>
#include <QListView>
#include <QMenu>
#include <QMenuBar>
#include <QScrollBar>
#include <QTextBrowser>
#include <QTreeView>

#include <set>

#include "daemon/api/kit.h"
#include "gui/window/mouse.h"
#include "models/findings/finding_table.h"
#include "models/queue_pairs/qp_columns.h"
#include "views/findings/finding_list.h"
#include "views/frame/frame_view.h"
#include "views/ladder/ladder_canvas.h"
#include "views/plots/plot_pane.h"
#include "views/plots/time_axis.h"
#include "views/plots/timeline_view.h"
#include "views/queue_pairs/filter_bar.h"
#include "views/queue_pairs/qp_table_view.h"

namespace iwarpscope::gui::layout_test {
namespace {

using test::wait_until;
using testing::Contains;
using testing::HasSubstr;

class MenusAndKeys : public Mouse {
 protected:
  MenusAndKeys() { window.resize(1400, 900); }

  [[nodiscard]] QMenu* menu(const char* title) const {
    for (QAction* action : window.menuBar()->actions()) {
      if (bare(action->text()) == QLatin1String(title)) return action->menu();
    }
    return nullptr;
  }
  [[nodiscard]] QAction* entry(const char* title, const char* text) const {
    for (QAction* action : menu(title)->actions()) {
      if (bare(action->text()) == QLatin1String(text)) return action;
    }
    ADD_FAILURE() << "no entry " << text;
    return nullptr;
  }
  void choose(const char* title, const char* text) const {
    Mouse::choose(QString::fromUtf8(title), QString::fromUtf8(text));
  }
  /// Entries of the menu that the right mouse button opens at a point of a view; then closes it.
  [[nodiscard]] static QStringList menu_at(QWidget& viewport, const QPoint& at) {
    QStringList entries;
    QTimer timer;
    QObject::connect(&timer, &QTimer::timeout, &timer, [&entries] {
      auto* const opened = qobject_cast<QMenu*>(QApplication::activePopupWidget());
      if (opened == nullptr) return;
      for (const QAction* action : opened->actions()) {
        if (action->isEnabled() && !action->isSeparator()) entries << bare(action->text());
      }
      opened->close();
    });
    timer.start(20);
    QTest::mouseClick(&viewport, Qt::RightButton, {}, at);
    QContextMenuEvent event(QContextMenuEvent::Mouse, at, viewport.mapToGlobal(at));
    QApplication::sendEvent(&viewport, &event);
    return entries;
  }
};

TEST_F(MenusAndKeys, EveryViewIsInItsMenuWithItsKey) {
  ASSERT_TRUE(open("siw/viol-crc-error.pcap"));
  for (const QDockWidget* dock : window.findChildren<QDockWidget*>(Qt::FindDirectChildrenOnly)) {
    const QAction* const go = entry("View", dock->accessibleName().toUtf8().constData());
    ASSERT_NE(go, nullptr);
    EXPECT_TRUE(go->isVisible() && go->isEnabled());
    EXPECT_TRUE(go->shortcut().toString().startsWith(QLatin1String("Alt+"))) << dock->objectName().toStdString();
  }
  choose("View", "Timeline");
  EXPECT_TRUE(wait_until([this] { return is_seen(*dock("timeline")->widget()); }));
  choose("View", "Close the View");
  EXPECT_TRUE(wait_until([this] { return !dock("timeline")->isVisible(); }));
  choose("View", "Timeline");
  EXPECT_TRUE(wait_until([this] { return is_seen(*dock("timeline")->widget()); })) << "also after it was closed";
}

TEST_F(MenusAndKeys, WhatDoesNotApplyIsDisabled) {
  const auto is_enabled = [this](const char* title, const char* text) { return entry(title, text)->isEnabled(); };
  for (const char* text : {"Ladder", "Next View", "Float or Dock the View", "Pause the Live View", "Overview"}) {
    EXPECT_FALSE(is_enabled("View", text)) << text << " without a capture";
  }
  for (const char* text : {"Copy", "Copy Sentence", "Copy as JSON", "Copy as Wireshark Filter"}) {
    EXPECT_FALSE(is_enabled("Edit", text)) << text << " without a capture";
  }
  ASSERT_TRUE(open("siw/viol-crc-error.pcap"));
  EXPECT_TRUE(is_enabled("View", "Ladder"));
  EXPECT_FALSE(is_enabled("View", "Pause the Live View")) << "a file is not live";
  EXPECT_FALSE(is_enabled("View", "Mark All Failures as Seen"));
  EXPECT_TRUE(is_enabled("Edit", "Copy as JSON"));
  EXPECT_TRUE(is_enabled("File", "Save Report of the Queue Pair..."));
}

/// No theme is installed where tests run, so these are the program's own.
TEST_F(MenusAndKeys, HaveIconsWithoutAThemeToo) {
  int icons = 0;
  for (const QAction* title : window.menuBar()->actions()) {
    for (const QAction* one : title->menu()->actions()) {
      if (one->icon().isNull()) continue;
      ++icons;
      EXPECT_FALSE(one->icon().pixmap(16).isNull()) << one->text().toStdString();
    }
  }
  EXPECT_GE(icons, 15);
}

TEST_F(MenusAndKeys, TheChosenQueuePairIsCopiedAsJsonAndAsAFilter) {
  ASSERT_TRUE(open("siw/viol-crc-error.pcap"));
  choose("Edit", "Copy as JSON");
  const QJsonDocument json = QJsonDocument::fromJson(QByteArray::fromStdString(clipboard()));
  ASSERT_TRUE(json.isObject()) << clipboard();
  EXPECT_THAT(clipboard(), HasSubstr("CRC mismatch"));
  choose("Edit", "Copy as Wireshark Filter");
  EXPECT_EQ(clipboard(), "ip.addr == 10.77.0.1 && tcp.port == 46740 && ip.addr == 10.77.0.2 && tcp.port == 7500");
}

TEST_F(MenusAndKeys, OfTheRightMouseButtonAreCompleteInEveryView) {
  ASSERT_TRUE(open("made/questions/atomic-result-impossible.pcapng"));
  const std::vector<QString> all{QStringLiteral("Open in Wireshark"),
                                 QStringLiteral("Save Packets of the Queue Pair..."),
                                 QStringLiteral("Save Incident Bundle..."),
                                 QStringLiteral("Save Report of the Queue Pair..."),
                                 QStringLiteral("Copy as JSON"),
                                 QStringLiteral("Copy as Wireshark Filter")};
  std::set<std::string> opened;
  const auto expect_all = [&](const QWidget& view, QWidget& clicked, QPoint at) {
    const QStringList entries = menu_at(clicked, at);
    const std::string name = view.accessibleName().toStdString();
    for (const QString& text : all) EXPECT_TRUE(entries.contains(text)) << text.toStdString() << " in " << name;
    EXPECT_TRUE(std::any_of(entries.begin(), entries.end(), [](const QString& text) {
      return text.startsWith(QLatin1String("Copy ")) || text.startsWith(QLatin1String("Save Picture"));
    })) << name;
    QApplication::clipboard()->clear();
    Mouse::entry(clicked, at, QStringLiteral("Copy as Wireshark Filter"));
    EXPECT_TRUE(wait_until([] { return clipboard().starts_with("ip.addr == 10.0.0."); })) << name << clipboard();
    opened.insert(name);
  };
  expect_all(table(), *table().viewport(), table().visualRect(table().model()->index(0, 1)).center());
  for (QDockWidget* one : window.findChildren<QDockWidget*>(Qt::FindDirectChildrenOnly)) {
    one->raise();
    (void)settled(window);
    for (auto* view : one->findChildren<QWidget*>()) {
      const bool has_menu =
          view->contextMenuPolicy() == Qt::ActionsContextMenu || view->inherits("iwarpscope::gui::VerdictView");
      if (!has_menu || !view->isVisible()) continue;
      QWidget* clicked = view;
      QPoint at = view->rect().center();
      if (auto* area = qobject_cast<QAbstractScrollArea*>(view)) at = (clicked = area->viewport())->rect().center();
      if (auto* text = view->findChild<QTextBrowser*>()) at = (clicked = text->viewport())->rect().center();
      auto* const rows = qobject_cast<QAbstractItemView*>(view);
      const QRect first = rows != nullptr ? rows->visualRect(rows->model()->index(0, 0)) : QRect();
      expect_all(*view, *clicked, first.isValid() ? first.center() : at);
    }
  }
  EXPECT_THAT(opened, testing::UnorderedElementsAre(
                          "Fields of the frame", "Findings", "History of the word", "Initiators and Responders",
                          "Known lines", "Ladder of messages", "Latency distribution", "Latency of Reads and Atomics",
                          "Map of octets placed", "Octets of the frame", "Outstanding requests", "Queue pairs",
                          "Queue pairs that the line may refer to", "STags", "Slowest operations",
                          "Throughput by opcode", "Tracks", "Verdict of the queue pair", "Words", "Worst queue pairs"));
  ladder().setFocus();
  press(Qt::Key_C, Qt::ControlModifier);
  EXPECT_EQ(clipboard(), ladder().details().toStdString());
  EXPECT_FALSE(clipboard().empty());
}

TEST_F(MenusAndKeys, CtrlFGoesToTheFilterOfTheViewOrOfTheTable) {
  ASSERT_TRUE(open("siw/viol-crc-error.pcap"));
  const auto focused = [] { return QApplication::focusWidget()->accessibleName().toStdString(); };
  press(Qt::Key_3, Qt::AltModifier);
  press(Qt::Key_F, Qt::ControlModifier);
  EXPECT_EQ(focused(), "Filter of queue pairs");
  press(Qt::Key_8, Qt::AltModifier);
  press(Qt::Key_F, Qt::ControlModifier);
  EXPECT_EQ(focused(), "Words to find in findings");
  press(Qt::Key_O, Qt::AltModifier);
  press(Qt::Key_F, Qt::ControlModifier);
  EXPECT_EQ(focused(), "Filter of queue pairs") << "from the overview, too";
  table().setFocus();
  choose("Edit", "Go to the Filter");
  EXPECT_EQ(focused(), "Filter of queue pairs");
}

TEST_F(MenusAndKeys, ValuesAreCompletedWhileTheyAreWritten) {
  ASSERT_TRUE(open("siw/viol-crc-error.pcap"));
  press(Qt::Key_F, Qt::ControlModifier);
  auto& field = *view<QpTableView>()->findChild<QLineEdit*>(QStringLiteral("filter"));
  QTest::keyClicks(&field, QStringLiteral("host == 10.77.0."));
  QAbstractItemView* list = nullptr;
  ASSERT_TRUE(wait_until([&] {
    list = qobject_cast<QAbstractItemView*>(QApplication::activePopupWidget());
    return list != nullptr;
  }));
  ASSERT_EQ(list->model()->rowCount(), 2);
  QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, list->visualRect(list->model()->index(1, 0)).center());
  EXPECT_EQ(field.text().toStdString(), "host == 10.77.0.2 ");
  QTest::keyClicks(&field, QStringLiteral("and rule == mpa.c"));
  ASSERT_TRUE(wait_until([&] { return QApplication::activePopupWidget() != nullptr; }));
  list = qobject_cast<QAbstractItemView*>(QApplication::activePopupWidget());
  EXPECT_EQ(list->model()->index(0, 0).data().toString().toStdString(), "mpa.crc-mismatch");
}

using Layout = MenusAndKeys;

TEST_F(Layout, TheTableHasTheHeightOfItsRowsAtMostAThirdOfTheWindowUntilItIsDragged) {
  ASSERT_TRUE(open("siw/viol-crc-error.pcap"));
  const auto rows_room = [this] { return table().viewport()->height(); };
  const int row = table().visualRect(table().model()->index(0, 0)).height();
  EXPECT_TRUE(wait_until([&] { return rows_room() < 5 * row; })) << rows_room();
  ASSERT_TRUE(open("siw/many-100-rping-crc.pcap.gz"));
  EXPECT_TRUE(wait_until([&] { return rows_room() > 10 * row; })) << rows_room();
  EXPECT_LE(view<QpTableView>()->height(), window.height() / 3);
  press_button(nullptr, QStringLiteral("✗ 6 failed"));
  EXPECT_TRUE(wait_until([&] { return rows_room() < 8 * row; })) << rows_room();
  press_button(nullptr, QStringLiteral("✗ 6 failed"));
  EXPECT_TRUE(wait_until([&] { return rows_room() > 10 * row; })) << rows_room();
  const int before = rows_room();
  // The edge between the table and the views below.
  const QWidget& below = *dock("ladder");
  const QPoint edge(200, below.mapTo(&window, QPoint()).y() - 3);
  QTest::mouseMove(&window, edge);
  QTest::mousePress(&window, Qt::LeftButton, {}, edge);
  for (const int by : {60, 120}) {
    QTest::mouseMove(&window, edge - QPoint(0, by));
    QTest::qWait(50);  // Qt moves the views from the event loop
  }
  QTest::mouseRelease(&window, Qt::LeftButton, {}, edge - QPoint(0, 120));
  (void)settled(window);
  const int dragged = rows_room();
  EXPECT_LT(dragged, before - 80);
  ASSERT_TRUE(open("siw/viol-crc-error.pcap"));
  (void)settled(window);
  EXPECT_NEAR(rows_room(), dragged, row) << "what a person chose stays";
  // A click below the rows leaves the chosen one selected.
  const QPoint below_rows(table().viewport()->width() / 2, rows_room() - 1);
  ASSERT_FALSE(table().indexAt(below_rows).isValid());
  QTest::mouseClick(table().viewport(), Qt::LeftButton, {}, below_rows);
  EXPECT_TRUE(wait_until([&] { return table().selectionModel()->hasSelection(); }));
  QTest::qWait(100);
  EXPECT_EQ(view<QpTableView>()->model().number_at(table().currentIndex()), window.views()->qp()->record.qp);
  EXPECT_TRUE(table().selectionModel()->isRowSelected(0, {}));
}

TEST_F(Layout, TheTextOfAFindingIsItsWidestColumn) {
  ASSERT_TRUE(open("siw/viol-crc-error.pcap"));
  press(Qt::Key_8, Qt::AltModifier);
  const QTreeView& findings = *view<FindingList>()->findChild<QTreeView*>();
  const QHeaderView& header = *findings.header();
  for (const int width : {960, 1400, 1920}) {
    window.resize(width, 900);
    ASSERT_TRUE(wait_until([&] { return window.width() == width; }));
    (void)settled(window);
    int others = 0;
    for (int column = 0; column < header.count(); ++column) {
      if (column != FindingTable::kText) others = std::max(others, header.sectionSize(column));
    }
    EXPECT_GT(header.sectionSize(FindingTable::kText), others) << width;
    EXPECT_LE(header.sectionViewportPosition(FindingTable::kText) + header.sectionSize(FindingTable::kText),
              findings.viewport()->width())
        << "all of it is in sight at " << width;
    const int room = header.sectionSize(FindingTable::kText) - 4 * findings.fontMetrics().averageCharWidth();
    for (int row = 0; row < findings.model()->rowCount(); ++row) {
      const QModelIndex cell = findings.model()->index(row, FindingTable::kText);
      const QRect text =
          findings.fontMetrics().boundingRect(QRect(0, 0, room, 10'000), Qt::TextWordWrap, cell.data().toString());
      EXPECT_TRUE(wait_until([&] { return findings.visualRect(cell).height() >= text.height(); }, 2000))
          << "not all of the sentence: " << cell.data().toString().toStdString();
    }
  }
  // With a larger font, no cell is cut that was not cut before.
  QTreeView& tree = *view<FindingList>()->findChild<QTreeView*>();
  QFont font = tree.font();
  font.setPointSizeF(font.pointSizeF() * 1.5);
  const int before = header.sectionSize(FindingTable::kTime);
  tree.setFont(font);
  EXPECT_TRUE(wait_until([&] { return header.sectionSize(FindingTable::kTime) > before * 5 / 4; }));
}

TEST_F(Layout, OneQueuePairLeavesTheRoomToTheVerdictAndTheLadder) {
  window.resize(1920, 1080);
  ASSERT_TRUE(open("siw/viol-crc-error.pcap"));
  const auto& text = *dock("verdict")->findChild<QTextBrowser*>();
  EXPECT_TRUE(wait_until([&] { return text.verticalScrollBar()->maximum() == 0 || text.height() > 400; }))
      << text.height() << " of " << text.document()->size().height();
  const int row = table().visualRect(table().model()->index(0, 0)).height();
  EXPECT_TRUE(wait_until([&] { return table().viewport()->height() < 2 * row; })) << table().viewport()->height();
  EXPECT_GT(ladder().height(), window.height() / 2);
}

/// Values and headings: whatever the font, and whatever was there when the columns got their widths.
TEST_F(Layout, NoCellOfTheTableIsCutInALargerFont) {
  ASSERT_TRUE(open("made/questions/three-ways-to-fail.pcapng"));
  const QHeaderView& header = *table().header();
  const QFont before = table().font();
  int last = 0;
  for (const double scale : {1.0, 1.5, 2.0}) {
    SCOPED_TRACE(scale);
    QFont font = before;
    font.setPointSizeF(before.pointSizeF() * scale);
    table().setFont(font);
    ASSERT_TRUE(wait_until([&] { return header.length() > last; }));
    last = header.length();
    (void)settled(window);
    for (int column = 0; column < header.count(); ++column) {
      if (header.isSectionHidden(column)) continue;
      for (int row = 0; row < table().model()->rowCount(); ++row) {
        const QModelIndex cell = table().model()->index(row, column);
        EXPECT_GE(header.sectionSize(column), table().sizeHintForIndex(cell).width())
            << cell.data().toString().toStdString();
      }
      EXPECT_GE(header.sectionSize(column), header.sectionSizeHint(column));
    }
  }
  table().setFont(before);
  EXPECT_TRUE(wait_until([&] { return header.length() < last; })) << "they shrink with the font";
}

TEST_F(Layout, TheArrowOfTheOrderPointsDownIfTheLargestIsOnTop) {
  ASSERT_TRUE(open("made/questions/three-ways-to-fail.pcapng"));
  QHeaderView& header = *table().header();
  const int section = header.sortIndicatorSection();
  ASSERT_EQ(section, static_cast<int>(QpColumn::verdict));
  ASSERT_EQ(header.sortIndicatorOrder(), Qt::DescendingOrder) << "the worst is on top";
  const auto look = [&](bool with_arrow) {
    header.setSortIndicatorShown(with_arrow);
    const QImage all = settled(header).convertToFormat(QImage::Format_RGB32);
    const double scale = all.devicePixelRatio();
    return all.copy(
        QRectF(header.sectionViewportPosition(section) * scale, 0, header.sectionSize(section) * scale, all.height())
            .toRect());
  };
  const QImage with = look(true), without = look(false);
  header.setSortIndicatorShown(true);
  std::vector<int> widths;  // of the arrow, from top to bottom
  for (int y = 0; y < with.height(); ++y) {
    int width = 0;
    for (int x = with.width() / 2; x < with.width(); ++x) width += with.pixel(x, y) == without.pixel(x, y) ? 0 : 1;
    if (width != 0) widths.push_back(width);
  }
  ASSERT_GE(widths.size(), 3u);
  EXPECT_GT(widths.front(), widths.back());
}

TEST_F(Layout, ThePlotOfTheTransportIsInSightBelowManyQueuePairs) {
  ASSERT_TRUE(open("siw/many-100-rping-crc.pcap.gz"));
  window.views()->selection().set_qp(37);
  press(Qt::Key_4, Qt::AltModifier);
  const auto& timeline = *view<TimelineView>();
  const PlotPane& transport = *timeline.pane(4);
  const auto is_in_sight = [&] {
    return transport.isVisible() && transport.visibleRegion().boundingRect().height() > transport.height() * 3 / 4;
  };
  ASSERT_TRUE(wait_until([&] { return transport.isVisible(); }));
  EXPECT_TRUE(wait_until(is_in_sight)) << transport.visibleRegion().boundingRect().height();
}

TEST_F(Layout, WithoutMessagesThereIsOnePlotThatSaysSo) {
  ASSERT_TRUE(open("siw/many-100-rping-crc.pcap.gz"));
  const auto& timeline = *view<TimelineView>();
  press(Qt::Key_4, Qt::AltModifier);
  const auto shown = [&] {
    int count = 0;
    for (std::size_t i = 0; i < TimelineView::kPanes; ++i) count += timeline.pane(i)->isVisible() ? 1 : 0;
    return count;
  };
  window.views()->selection().set_qp(0);
  EXPECT_TRUE(wait_until([&] { return shown() > 2; })) << "this one has messages";
  window.views()->selection().set_qp(9);
  EXPECT_TRUE(wait_until([&] { return shown() == 1; })) << shown();
  EXPECT_THAT(timeline.hidden().toStdString(), HasSubstr("Outstanding requests"));
}

TEST_F(Layout, ANumberOf64BitsIsWholeInANarrowFrame) {
  window.resize(960, 600);
  ASSERT_TRUE(open("made/questions/three-ways-to-fail.pcapng"));
  window.views()->selection().set_qp(0);
  const QTreeView& fields = view<FrameView>()->tree();
  const auto find = [&] {
    return fields.model()->match(fields.model()->index(0, FrameModel::kValue), Qt::DisplayRole,
                                 QStringLiteral("0x0000000000001000"), 1, Qt::MatchExactly | Qt::MatchRecursive);
  };
  ASSERT_TRUE(wait_until([&] { return !find().isEmpty(); }));
  (void)settled(window);
  EXPECT_GE(fields.columnWidth(FrameModel::kValue), fields.sizeHintForIndex(find().front()).width());
}

TEST_F(Layout, OnADarkDesktopTheWordsOfEmptyFieldsAreLegible) {
  const QPalette before = QApplication::palette();
  QPalette dark(QColor(0x32, 0x32, 0x34));
  dark.setColor(QPalette::Base, QColor(0x22, 0x22, 0x24));
  dark.setColor(QPalette::PlaceholderText, QColor(0, 0, 0, 128));  // as Qt's theme of KDE leaves it
  QApplication::setPalette(dark);
  ASSERT_TRUE(open("siw/viol-crc-error.pcap"));
  const QPalette& field = view<QpTableView>()->findChild<QLineEdit*>(QStringLiteral("filter"))->palette();
  EXPECT_TRUE(wait_until([&] {
    return field.color(QPalette::PlaceholderText).lightness() > field.color(QPalette::Base).lightness() + 80;
  }));
  QApplication::setPalette(before);
}

TEST_F(Layout, EmptyPlotsOfALiveViewHaveNoTicks) {
  api::testing::Daemon daemon;
  ASSERT_EQ(daemon.start(), "");
  Source source;
  source.place.socket = daemon.options.socket;
  window.open(source);
  window.show_page(MainWindow::Page::details);
  press(Qt::Key_4, Qt::AltModifier);
  const auto& timeline = *view<TimelineView>();
  ASSERT_TRUE(wait_until([&] { return is_seen(timeline); }));
  QTest::qWait(300);
  EXPECT_FALSE(timeline.findChild<TimeAxis*>()->xAxis->tickLabels());
  for (std::size_t i = 0; i < TimelineView::kPanes; ++i) {
    EXPECT_FALSE(timeline.pane(i)->yAxis->tickLabels()) << i;
  }
  picture(window, QStringLiteral("empty-live"));
  window.close_session();
}

TEST_F(Layout, AClickOnAFindingShowsTheWrongFieldBesideTheList) {
  ASSERT_TRUE(open("siw/viol-crc-error.pcap"));
  dock("frame")->close();
  press(Qt::Key_8, Qt::AltModifier);
  QTreeView& findings = *view<FindingList>()->findChild<QTreeView*>();
  ASSERT_TRUE(wait_until([&] { return findings.isVisible() && findings.model()->rowCount() > 1; }));
  QTest::mouseClick(findings.viewport(), Qt::LeftButton, {},
                    findings.visualRect(findings.model()->index(0, FindingTable::kText)).center());
  ASSERT_TRUE(wait_until([this] { return is_seen(*view<FrameView>()); }));
  EXPECT_TRUE(is_seen(findings)) << "the list stays, to go on with the next one";
  EXPECT_TRUE(wait_until([this] { return !view<FrameView>()->model().wrong_octets().empty(); }));
  const QTreeView& fields = view<FrameView>()->tree();
  const auto is_in_sight = [&] {
    return fields.viewport()->rect().contains(fields.visualRect(fields.currentIndex()).center());
  };
  EXPECT_TRUE(wait_until(is_in_sight)) << "the wrong field is in sight";
  QTest::mouseDClick(findings.viewport(), Qt::LeftButton, {},
                     findings.visualRect(findings.model()->index(0, FindingTable::kText)).center());
  EXPECT_TRUE(wait_until([this] { return is_seen(*view<LadderCanvas>()); })) << "a double click goes to the ladder";
}

}  // namespace
}  // namespace iwarpscope::gui::layout_test
