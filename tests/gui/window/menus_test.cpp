// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Each entry of the menus, chosen by mouse.
#include <QComboBox>
#include <QMessageBox>
#include <QScopeGuard>
#include <QScrollArea>
#include <QStatusBar>
#include <QTableView>

#include <set>

#include "daemon/api/kit.h"
#include "gui/window/mouse.h"
#include "models/findings/finding_table.h"
#include "views/atomics/atomic_view.h"
#include "views/buffers/buffer_canvas.h"
#include "views/findings/finding_list.h"
#include "views/frame/hex_view.h"
#include "views/hosts/host_view.h"
#include "views/local_keys.h"
#include "views/overview/incident_card.h"
#include "views/overview/overview_view.h"
#include "views/overview/throughput_strip.h"
#include "views/plots/latency_histogram.h"
#include "views/plots/latency_view.h"
#include "views/plots/plot_pane.h"
#include "views/plots/track_view.h"
#include "views/summary/verdict_view.h"
#include "window/help_window.h"
#include "window/server_dialog.h"

namespace iwarpscope::gui::menus_test {
namespace {

using test::wait_until;
using testing::HasSubstr;

class Menus : public Mouse {
 protected:
  void choose_entry(const char* menu, const char* text) const { choose(QLatin1String(menu), QLatin1String(text)); }
  /// Chooses an entry that asks for a file, and gives it this name.
  [[nodiscard]] bool saves(const char* text, const QString& file) const {
    const Answers answers(file);
    choose_entry("File", text);
    return wait_until([&] { return QFileInfo(file).size() > 0; });
  }
  /// What the entry of that menu copies, which is about one queue pair.
  [[nodiscard]] std::string copied_filter(QWidget& widget, QPoint at) const {
    QApplication::clipboard()->clear();
    entry(widget, at, QStringLiteral("Copy as Wireshark Filter"));
    EXPECT_TRUE(wait_until([] { return !clipboard().empty(); }));
    return clipboard();
  }
  /// In three-ways-to-fail.
  [[nodiscard]] static std::string filter_of_qp(std::uint64_t number) {
    return "ip.addr == 10.0.0.1 && tcp.port == " + std::to_string(40000 + number) +
           " && ip.addr == 10.0.0.2 && tcp.port == 5000";
  }
  /// A dialog that the entry opens; it is closed with its first button.
  template <class Dialog>
  [[nodiscard]] bool opens(const char* menu, const char* text) {
    bool was_open = false;
    QTimer timer;
    QObject::connect(&timer, &QTimer::timeout, &timer, [&] {
      auto* dialog = qobject_cast<Dialog*>(QApplication::activeModalWidget());
      if (dialog == nullptr) return;
      was_open = true;
      for (auto* one : dialog->template findChildren<QAbstractButton*>()) {
        if (one->isVisible() && QStringList{"Cancel", "OK"}.contains(bare(one->text()))) return click(*one);
      }
    });
    timer.start(50);
    choose_entry(menu, text);
    return wait_until([&] { return was_open && QApplication::activeModalWidget() == nullptr; });
  }
};

TEST_F(Menus, FileSavesPacketsAndReport) {
  ASSERT_TRUE(open("siw/viol-crc-error.pcap"));
  EXPECT_TRUE(saves("Save Packets of the Queue Pair...", folder.filePath(QStringLiteral("qp.pcapng"))));
  EXPECT_TRUE(saves("Save Report of the Queue Pair...", folder.filePath(QStringLiteral("qp.html"))));
  EXPECT_TRUE(saves("Export Report as HTML...", folder.filePath(QStringLiteral("report.html"))));
}

TEST_F(Menus, FileOpensAgainRecentFilesAndForgetsThem) {
  {
    const Answers answers(test::sample("siw/viol-crc-error.pcap"));
    choose_entry("File", "Open Captures...");
    ASSERT_TRUE(wait_until([&] { return window.views() != nullptr; }));
  }
  ASSERT_TRUE(is_read());
  bool was_closed = false;
  QObject::connect(window.views(), &QObject::destroyed, [&] { was_closed = true; });
  choose_entry("File", "Open the File Again");
  ASSERT_TRUE(wait_until([&] { return was_closed && window.views() != nullptr; }));
  ASSERT_TRUE(is_read());
  const auto choose_recent = [&](const QString& text) {
    choose_entry("File", "Open Recent");
    QMenu* menu = nullptr;
    for (auto* one : window.findChildren<QMenu*>()) {
      if (bare(one->title()) == QStringLiteral("Open Recent")) menu = one;
    }
    ASSERT_TRUE(wait_until([&] { return menu != nullptr && menu->isVisible(); }));
    for (QAction* one : menu->actions()) {
      if (!one->text().contains(text)) continue;
      return QTest::mouseClick(menu, Qt::LeftButton, {}, menu->actionGeometry(one).center());
    }
    ADD_FAILURE() << text.toStdString();
  };
  choose_entry("File", "Close");
  ASSERT_EQ(window.views(), nullptr);
  choose_recent(QStringLiteral("viol-crc-error.pcap"));
  ASSERT_TRUE(wait_until([&] { return window.views() != nullptr; }));
  choose_recent(QStringLiteral("Clear This List"));
  EXPECT_TRUE(settings.value(QStringLiteral("recentFiles")).toStringList().isEmpty());
}

TEST_F(Menus, FileConnectsShowsWiresharkAndQuits) {
  ASSERT_TRUE(open("siw/viol-crc-error.pcap"));
  EXPECT_TRUE(opens<ServerDialog>("File", "Connect to a Daemon..."));
  const QByteArray path = qgetenv("PATH");
  const auto restored = qScopeGuard([&] { qputenv("PATH", path); });
  qputenv("PATH", folder.path().toLocal8Bit());  // without Wireshark
  const Answers answers(folder.filePath(QStringLiteral("none")));
  choose_entry("File", "Open in Wireshark");
  EXPECT_TRUE(wait_until([&] { return window.statusBar()->currentMessage().contains(QLatin1String("Wireshark")); }));
  choose_entry("File", "Quit");
  EXPECT_TRUE(wait_until([&] { return !window.isVisible(); }));
}

TEST_F(Menus, ViewHidesAndShowsEachView) {
  ASSERT_TRUE(open("siw/viol-crc-error.pcap"));
  for (QDockWidget* one : window.findChildren<QDockWidget*>(Qt::FindDirectChildrenOnly)) {
    const QString text = one->accessibleName();
    const auto is_shown = [&] { return wait_until([&] { return !one->visibleRegion().isEmpty(); }); };
    choose(QStringLiteral("View"), text);
    ASSERT_TRUE(is_shown()) << text.toStdString();
    choose(QStringLiteral("View"), QStringLiteral("Close the View"));
    ASSERT_TRUE(wait_until([&] { return one->isHidden(); })) << text.toStdString();
    choose(QStringLiteral("View"), text);
    ASSERT_TRUE(is_shown()) << text.toStdString() << ", after it was closed";
  }
}

TEST_F(Menus, ViewLeadsToPagesViewsAndTheWholeTime) {
  ASSERT_TRUE(open("siw/viol-crc-error.pcap"));
  choose_entry("View", "Overview");
  EXPECT_TRUE(is_seen(*view<OverviewView>()));
  choose_entry("View", "Queue Pairs");
  EXPECT_TRUE(is_seen(table()));
  table().setFocus();
  choose_entry("View", "Next View");
  QWidget* const next = QApplication::focusWidget();
  EXPECT_FALSE(table().isAncestorOf(next) || &table() == next);
  choose_entry("View", "Previous View");
  EXPECT_EQ(QApplication::focusWidget(), &table());
  window.views()->selection().set_range(TimeRange{{1}, {2}});
  choose_entry("View", "Show the Whole Time");
  EXPECT_FALSE(window.views()->selection().range());
  ladder().setFocus();
  choose_entry("View", "Float or Dock the View");
  EXPECT_TRUE(dock("ladder")->isFloating());
  choose_entry("View", "Reset the Layout");
  EXPECT_FALSE(dock("ladder")->isFloating());
  choose_entry("View", "Notify of New Failures");
}

TEST_F(Menus, HelpExplainsAndNamesTheProgram) {
  ASSERT_TRUE(open("siw/viol-crc-error.pcap"));
  ladder().setFocus();
  choose_entry("Help", "Explain the Focused Item");
  ASSERT_TRUE(wait_until([&] { return view<HelpWindow>() != nullptr && view<HelpWindow>()->isVisible(); }));
  EXPECT_THAT(view<HelpWindow>()->plain_text().toStdString(), HasSubstr("Initiator"));
  view<HelpWindow>()->close();
  EXPECT_TRUE(opens<QMessageBox>("Help", "About iwarpscope"));
}

/// Rows of every table are copied and saved from its own menu.
TEST_F(Menus, OfEveryTableCopyAndExport) {
  ASSERT_TRUE(open("made/questions/atomic-result-impossible.pcapng"));
  int tables = 0;
  std::set<QString> sentences;
  for (auto* one : window.findChildren<QAbstractItemView*>()) {
    if (one->accessibleName().isEmpty() || one->actions().isEmpty()) continue;
    for (QWidget* around = one; around != nullptr; around = around->parentWidget()) {
      if (auto* in = qobject_cast<QDockWidget*>(around)) in->raise();
    }
    if (!wait_until([&] { return is_seen(*one) && one->model()->rowCount() > 0; }, 500)) continue;
    SCOPED_TRACE(one->accessibleName().toStdString());
    ++tables;
    one->scrollTo(one->model()->index(0, 0));
    const QPoint at = one->visualRect(one->model()->index(0, 0)).center();
    const QString file = folder.filePath(QStringLiteral("table%1.csv").arg(tables));
    for (const QAction* action : one->actions()) {
      const QString text = bare(action->text());
      QApplication::clipboard()->clear();
      if (action->objectName() == QLatin1String(kCopyRow)) {
        entry(*one->viewport(), at, text);
        EXPECT_TRUE(wait_until([] { return !clipboard().empty(); }));
      } else if (action->objectName() == QLatin1String(kCopySentence)) {
        entry(*one->viewport(), at, text);
        if (wait_until([] { return !clipboard().empty(); }, 300)) sentences.insert(one->accessibleName());
      } else if (action->objectName() == QLatin1String("export")) {
        entry(*one->viewport(), at, text, file);
        EXPECT_TRUE(wait_until([&] { return QFileInfo(file).size() > 0; }));
      }
    }
  }
  EXPECT_GE(tables, 6);
  EXPECT_TRUE(sentences.contains(QStringLiteral("Findings")) && sentences.contains(QStringLiteral("Queue pairs")));
}

TEST_F(Menus, OfTheTableShowOnlyTheseHosts) {
  ASSERT_TRUE(open("made/questions/three-ways-to-fail.pcapng"));
  entry(*table().viewport(), table().visualRect(table().model()->index(0, 1)).center(),
        QStringLiteral("Show Only These Hosts"));
  EXPECT_THAT(view<QpTableView>()->filter_bar().text().toStdString(), HasSubstr("host == 10.0.0.1"));
}

TEST_F(Menus, OfFindingsAndOperationsLeadToEachOther) {
  ASSERT_TRUE(open("made/questions/atomic-result-impossible.pcapng"));
  raise_dock("findings");
  QTreeView& findings = *view<FindingList>()->table();
  ASSERT_TRUE(wait_until([&] { return findings.model()->rowCount() > 0; }));
  QModelIndex row;
  for (int i = 0; i < findings.model()->rowCount(); ++i) {
    const QModelIndex one = findings.model()->index(i, FindingTable::kRule);
    if (one.data().toString().startsWith(QLatin1String("AT-1"))) row = one;
  }
  ASSERT_TRUE(row.isValid());
  entry(*findings.viewport(), findings.visualRect(row).center(), QStringLiteral("Show the Word and Its Atomics"));
  QTreeView& uses = *view<AtomicView>()->uses();
  ASSERT_TRUE(wait_until([&] { return is_seen(uses) && uses.currentIndex().isValid(); }));
  findings.setCurrentIndex({});
  entry(*uses.viewport(), uses.visualRect(uses.currentIndex()).center(), QStringLiteral("Show Its Finding"));
  EXPECT_TRUE(wait_until([&] { return is_seen(findings) && findings.currentIndex().isValid(); }));
}

TEST_F(Menus, OfTheVerdictCopyTheSentence) {
  ASSERT_TRUE(open("siw/viol-crc-error.pcap"));
  auto& text = *view<VerdictView>()->findChild<QTextBrowser*>();
  QApplication::clipboard()->clear();
  entry(*text.viewport(), text.viewport()->rect().center(), QStringLiteral("Copy Sentence"));
  EXPECT_THAT(clipboard(), HasSubstr("CRC mismatch"));
}

TEST_F(Menus, OfTracksAreAboutTheOneUnderTheMouse) {
  ASSERT_TRUE(open("made/questions/three-ways-to-fail.pcapng"));
  raise_dock("tracks");
  const auto& panes = view<TrackView>()->panes();
  ASSERT_TRUE(wait_until([&] { return panes.size() == 3 && panes[2]->track() && panes[2]->height() > 0; }));
  for (const int i : {2, 1, 0, 2}) {
    for (auto* const area : view<TrackView>()->findChildren<QScrollArea*>()) area->ensureWidgetVisible(panes[i]);
    const QPoint at = panes[i]->rect().center();
    EXPECT_EQ(copied_filter(*panes[i], at), filter_of_qp(*panes[i]->track()->number));
  }
  const std::uint64_t kept = *panes[2]->track()->number;
  QApplication::clipboard()->clear();
  entry(*panes[2], panes[2]->rect().center(), QStringLiteral("Copy as Text"));
  EXPECT_TRUE(wait_until([&] { return clipboard().starts_with("QP " + std::to_string(kept)); })) << clipboard();
  entry(*panes[2], panes[2]->rect().center(), QStringLiteral("Keep This Track"));
  view<QpTableView>()->filter_bar().set_text(QStringLiteral("qp == %1").arg((kept + 1) % 3));
  EXPECT_TRUE(wait_until([&] { return panes.size() == 2; })) << "the kept one, and the one of the table";
  EXPECT_TRUE(std::any_of(panes.begin(), panes.end(), [&](auto* one) { return one->track()->number == kept; }));
}

TEST_F(Menus, OfAPairOfHostsAreAboutItsWorstQueuePair) {
  ASSERT_TRUE(open("made/questions/three-ways-to-fail.pcapng"));
  click(table(), table().model()->index(2, 1));
  ASSERT_TRUE(is_whole());
  ASSERT_NE(window.views()->selection().qp(), 0u);
  raise_dock("hosts");
  QTableView& matrix = view<HostView>()->matrix();
  ASSERT_TRUE(wait_until([&] { return is_seen(matrix) && matrix.model()->rowCount() > 0; }));
  EXPECT_EQ(copied_filter(*matrix.viewport(), matrix.visualRect(matrix.model()->index(0, 0)).center()),
            filter_of_qp(0));
  EXPECT_EQ(window.views()->selection().qp(), 0u);
}

TEST_F(Menus, OfTheThroughputAreAboutItsFlag) {
  ASSERT_TRUE(open("made/questions/three-ways-to-fail.pcapng"));
  choose(QStringLiteral("View"), QStringLiteral("Overview"));
  ASSERT_TRUE(wait_until([&] { return view<ThroughputStrip>()->isVisible(); }));
  ThroughputStrip& strip = *view<ThroughputStrip>();
  std::map<std::uint64_t, QPoint> flags;
  const auto find_flags = [&] {
    flags.clear();
    (void)settled(window);  // the page has its places
    for (int x = 0; x < strip.width(); ++x) {
      if (const auto qp = strip.qp_at(QPointF(x, 10))) flags.emplace(*qp, QPoint(x, strip.height() / 2));
    }
    return flags.size() >= 2;
  };
  ASSERT_TRUE(wait_until(find_flags));
  for (const auto& [qp, at] : flags) EXPECT_EQ(copied_filter(strip, at), filter_of_qp(qp));
  QApplication::clipboard()->clear();
  entry(strip, strip.rect().center(), QStringLiteral("Copy as Text"));
  EXPECT_TRUE(wait_until([] { return clipboard().find("Throughput of all queue pairs: From ") == 0; })) << clipboard();
  press_at(strip, flags.begin()->second);
  EXPECT_TRUE(wait_until([&] { return is_seen(table()); })) << "a click on a flag leads to its queue pair";
  EXPECT_EQ(window.views()->selection().qp(), flags.begin()->first);
}

TEST_F(Menus, OfPicturesSaveThem) {
  ASSERT_TRUE(open("siw/lossy-rping-16k-crc-at-server.pcap.gz"));
  const std::map<const char*, QWidget*> pictures{{"latency", view<LatencyView>()->histogram()},
                                                 {"buffers", view<BufferCanvas>()}};
  for (const auto& [name, widget] : pictures) {
    raise_dock(name);
    const QString file = folder.filePath(QLatin1String(name) + QStringLiteral(".png"));
    entry(*widget, widget->rect().center(), QStringLiteral("Save Picture..."), file);
    EXPECT_TRUE(wait_until([&] { return QFileInfo(file).size() > 0; })) << name;
  }
  raise_dock("timeline");
  for (PlotPane* plot : dock("timeline")->findChildren<PlotPane*>()) {
    ASSERT_FALSE(plot->isHidden()) << plot->title().toStdString();
    dock("timeline")->findChild<QScrollArea*>()->ensureWidgetVisible(plot);
    const QString file = folder.filePath(plot->title() + QStringLiteral(".csv"));
    entry(*plot, plot->rect().center(), QStringLiteral("Save Picture..."), file);
    EXPECT_TRUE(wait_until([&] { return QFileInfo(file).size() > 0; })) << plot->title().toStdString();
  }
}

TEST_F(Menus, OfCardsAndOctetsCopyThem) {
  ASSERT_TRUE(open("made/questions/three-ways-to-fail.pcapng"));
  choose(QStringLiteral("View"), QStringLiteral("Overview"));
  const auto first = [this] { return window.findChild<IncidentCard*>(); };
  ASSERT_TRUE(wait_until([&] {
    return window.views()->overview().is_settled() && first() != nullptr && first()->isVisible() && first()->has_text();
  }));
  (void)settled(window);  // the cards have their places
  auto* const card = first();
  entry(*card, QPoint(card->width() - 5, card->height() / 2), QStringLiteral("Copy as Text"));
  EXPECT_TRUE(wait_until([] { return clipboard().find("Invalid STag") != std::string::npos; })) << clipboard();
  const auto& cards = view<OverviewView>()->cards();
  ASSERT_EQ(cards.size(), 3u);
  for (const std::uint64_t qp : {1, 0}) {
    IncidentCard& one = *cards[qp];
    EXPECT_EQ(copied_filter(one, QPoint(one.width() - 5, one.height() / 2)), filter_of_qp(qp));
  }

  press_button(nullptr, QStringLiteral("Frame 6"));
  ASSERT_TRUE(shows_frame(6));
  HexView& octets = view<FrameView>()->octets();
  octets.choose({0, 4});
  entry(*octets.viewport(), octets.place_of(0).center().toPoint(), QStringLiteral("Copy Octets"));
  EXPECT_TRUE(wait_until([] { return clipboard().size() == 11; })) << clipboard();
}

}  // namespace
}  // namespace iwarpscope::gui::menus_test
