// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The real window with real daemons and real samples.
#include "window/main_window.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAbstractSpinBox>
#include <QApplication>
#include <QComboBox>
#include <QDir>
#include <QDockWidget>
#include <QElapsedTimer>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QMimeData>
#include <QProcess>
#include <QProgressBar>
#include <QPushButton>
#include <QRegularExpression>
#include <QSettings>
#include <QStatusBar>
#include <QTemporaryDir>
#include <QTextBrowser>
#include <QTreeView>
#include <QUrl>

#include "gui/own_daemon.h"
#include "gui/wait.h"
#include "iwarpscope/v1/status.pb.h"
#include "views/banner.h"
#include "views/empty_note.h"
#include "views/findings/finding_list.h"
#include "views/queue_pairs/qp_table_view.h"
#include "views/summary/handshake_view.h"
#include "views/summary/verdict_view.h"
#include "window/connection_banner.h"
#include "window/help_window.h"
#include "window/recent_files.h"
#include "window/server_dialog.h"
#include "window/session_views.h"

namespace iwarpscope::gui::window_test {
namespace {

using test::sample;
using test::wait_until;
using testing::HasSubstr;

class Window : public testing::Test {
 protected:
  Window() { window.show(); }

  /// The capture is read, and its first queue pair is chosen and shown.
  [[nodiscard]] bool open(const char* name) {
    window.open_files({sample(name)});
    window.show_page(MainWindow::Page::details);
    const auto is_read = [this] {
      const StatusPtr& status = window.views()->session().status();
      return status && !status->capturing() && !window.views()->qps().empty() && window.views()->qps().front().ended;
    };
    if (!wait_until(is_read)) return false;
    window.views()->selection().set_qp(window.views()->qps().front().record.qp);
    return wait_until([this] { return window.views()->qp().has_value(); });
  }
  template <class View>
  [[nodiscard]] View* view() const {
    return window.findChild<View*>();
  }
  [[nodiscard]] std::string verdict() const { return view<VerdictView>()->plain_text().toStdString(); }
  [[nodiscard]] std::string status_bar() const { return window.statusBar()->currentMessage().toStdString(); }
  [[nodiscard]] QAction* action(const char* text) const {
    for (QAction* one : window.findChildren<QAction*>()) {
      if (one->text().remove(QLatin1Char('&')).startsWith(QLatin1String(text))) return one;
    }
    return nullptr;
  }

  QTemporaryDir folder;
  QSettings settings{folder.filePath(QStringLiteral("settings.ini")), QSettings::IniFormat};
  MainWindow window{settings};
};

TEST_F(Window, OfAFailedCaptureShowsVerdictHandshakeAndFindings) {
  ASSERT_TRUE(open("siw/viol-crc-error.pcap"));
  EXPECT_THAT(verdict(), HasSubstr("failed"));
  EXPECT_THAT(verdict(), HasSubstr("Check next"));
  EXPECT_THAT(verdict(), HasSubstr("Verdict code: V-"));
  ASSERT_TRUE(wait_until([&] { return verdict().find("MF-04") != std::string::npos; }));
  EXPECT_THAT(view<HandshakeView>()->plain_text().toStdString(), HasSubstr("The Reply came"));
  EXPECT_GE(view<FindingList>()->table()->model()->rowCount(), 1);
  EXPECT_THAT(window.windowTitle().toStdString(), HasSubstr("viol-crc-error.pcap"));
}

TEST_F(Window, EnterOnAFindingLeadsTheSelectionThere) {
  ASSERT_TRUE(open("siw/viol-crc-error.pcap"));
  QTreeView* table = view<FindingList>()->table();
  ASSERT_TRUE(wait_until([&] { return table->model()->rowCount() > 0; }));
  window.views()->selection().set_qp({});
  std::optional<Focus> focus;
  QObject::connect(&window.views()->selection(), &Selection::focused, &window, [&](const Focus& f) { focus = f; });
  table->setCurrentIndex(table->model()->index(0, 0));
  table->setFocus();
  QTest::keyClick(table, Qt::Key_Return);
  ASSERT_TRUE(focus);
  EXPECT_GT(focus->frame.value, 0u);
  EXPECT_EQ(window.views()->selection().qp(), 0u);
}

TEST_F(Window, FiltersFindingsByWords) {
  ASSERT_TRUE(open("siw/viol-crc-error.pcap"));
  QTreeView* table = view<FindingList>()->table();
  ASSERT_TRUE(wait_until([&] { return table->model()->rowCount() > 0; }));
  auto* words = view<FindingList>()->findChild<QLineEdit*>();
  QTest::keyClicks(words, QStringLiteral("no-such-rule"));
  EXPECT_EQ(table->model()->rowCount(), 0);
  words->clear();
  QTest::keyClicks(words, QStringLiteral("MF-04"));
  EXPECT_EQ(table->model()->rowCount(), 1);
}

TEST_F(Window, HelpExplainsTheRuleOfTheFindingThatHasTheFocus) {
  ASSERT_TRUE(open("siw/viol-crc-error.pcap"));
  QTreeView* table = view<FindingList>()->table();
  ASSERT_TRUE(wait_until([&] { return table->model()->rowCount() > 0; }));
  table->setCurrentIndex(table->model()->index(0, 0));
  EXPECT_THAT(help_html(table).toStdString(), HasSubstr("RFC"));
  EXPECT_THAT(help_html(table).toStdString(), HasSubstr("Findings of all queue pairs"));
  window.show_help();
  EXPECT_TRUE(view<HelpWindow>()->isVisible());
}

TEST_F(Window, SavesPacketsAndReport) {
  ASSERT_TRUE(open("siw/viol-crc-error.pcap"));
  const QString packets = folder.filePath(QStringLiteral("qp.pcapng"));
  window.save_packets_as(packets);
  ASSERT_TRUE(wait_until([&] { return QFile::exists(packets); }));
  ASSERT_TRUE(wait_until([&] { return status_bar().find("15 packet") != std::string::npos; }));
  const QString report = folder.filePath(QStringLiteral("report.html"));
  window.save_report_as(report, {});
  ASSERT_TRUE(wait_until([&] { return QFile::exists(report); }));
  QFile file(report);
  ASSERT_TRUE(file.open(QIODevice::ReadOnly));
  const std::string html = file.readAll().toStdString();
  EXPECT_THAT(html, HasSubstr("id=\"qp0\""));
  EXPECT_THAT(html, HasSubstr("MF-04"));
  EXPECT_THAT(html, testing::Not(HasSubstr("<script")));
  window.save_report_as(QStringLiteral("/nowhere/at/all.html"), {});
  EXPECT_TRUE(wait_until([&] { return status_bar().find("/nowhere/at/all.html cannot be written") == 0; }));
}

TEST_F(Window, OpensWiresharkAtTheFrameOrReportsThatItIsNotInstalled) {
  ASSERT_TRUE(open("siw/viol-crc-error.pcap"));
  qputenv("IWARPSCOPE_WIRESHARK", "no-such-program");
  window.open_wireshark();
  EXPECT_THAT(status_bar(), HasSubstr("not installed"));
  const QString program = folder.filePath(QStringLiteral("sharks"));
  const QString said = folder.filePath(QStringLiteral("said"));
  QFile script(program);
  ASSERT_TRUE(script.open(QIODevice::WriteOnly));
  script.write(QStringLiteral("#!/bin/sh\necho \"$@\" > '%1.new'; mv '%1.new' '%1'\n").arg(said).toUtf8());
  script.close();
  script.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
  qputenv("IWARPSCOPE_WIRESHARK", program.toUtf8());
  window.views()->selection().look_at({.qp = 0, .frame = FrameNumber{9}, .time = {}});
  window.open_wireshark();
  const auto words = [&said]() -> std::string {
    QFile file(said);
    if (!wait_until([&] { return file.exists(); }) || !file.open(QIODevice::ReadOnly)) return "nothing";
    return file.readAll().toStdString();
  };
  EXPECT_THAT(words(), HasSubstr("viol-crc-error.pcap"));
  EXPECT_THAT(words(), HasSubstr("-g 9"));
  // If a file was deleted or replaced, the daemon still has the packets; their frame numbers are different.
  QFile::remove(said);
  const QString passing = folder.filePath(QStringLiteral("passing.pcap"));
  ASSERT_TRUE(QFile::copy(sample("siw/viol-crc-error.pcap"), passing));
  window.open_files({passing});
  ASSERT_TRUE(wait_until([&] { return window.views()->qp().has_value() && window.views()->qp()->ended; }));
  ASSERT_TRUE(QFile::remove(passing));
  window.open_wireshark();
  EXPECT_THAT(words(), HasSubstr("qp-0.pcapng"));
  EXPECT_THAT(words(), HasSubstr("-J frame.time_epoch >= 17")) << "the verdict's evidence";
  QFile::remove(said);
  ASSERT_TRUE(QFile::copy(sample("made/messages/atomics.pcapng"), passing));
  window.views()->selection().look_at({.qp = 0, .frame = FrameNumber{9}, .time = TimePoint{1'700'000'000'000'000'017}});
  window.open_wireshark();
  EXPECT_THAT(words(), HasSubstr("qp-0.pcapng -J frame.time_epoch >= 1700000000.000000017"));
  EXPECT_TRUE(wait_until([&] { return status_bar().find("passing.pcap was replaced") == 0; }));
  // If a file has only grown, the numbers are the same.
  QFile::remove(said);
  window.open_files({passing});
  ASSERT_TRUE(wait_until([&] { return !window.views()->qps().empty(); }));
  window.views()->selection().set_qp(window.views()->qps().front().record.qp);
  ASSERT_TRUE(wait_until([&] { return window.views()->qp().has_value(); }));
  QFile grown(passing);
  grown.setPermissions(QFile::ReadOwner | QFile::WriteOwner);
  ASSERT_TRUE(grown.open(QIODevice::Append));
  grown.write("more");
  grown.close();
  window.open_wireshark();
  EXPECT_THAT(words(), HasSubstr("passing.pcap -g "));
  QFile::remove(said);
  ASSERT_TRUE(grown.resize(100));
  window.open_wireshark();
  EXPECT_THAT(words(), HasSubstr(".pcapng -J ")) << "it has shrunk";
  qunsetenv("IWARPSCOPE_WIRESHARK");
}

TEST_F(Window, SaysWhenTheCaptureLimitsTheVerdict) {
  ASSERT_TRUE(open("made/network/capture-loss.pcapng.gz"));
  const auto banner = [&] {
    for (const Banner* one : window.findChildren<Banner*>()) {
      if (one->isVisible()) return one->sentence().toStdString();
    }
    return std::string();
  };
  ASSERT_TRUE(wait_until([&] { return !banner().empty(); }));
  EXPECT_THAT(banner(), HasSubstr("may be incomplete"));
}

TEST_F(Window, OfACaptureWithoutIwarpShowsWhichConnectionsWereRefused) {
  window.open_files({sample("siw/connect-closed-port.pcap")});
  const auto note = [&] { return view<QpTableView>()->findChild<EmptyNote*>()->sentence().toStdString(); };
  ASSERT_TRUE(wait_until([&] { return note().find("no iWARP") != std::string::npos; }));
  EXPECT_THAT(note(), HasSubstr("refused (TCP reset or SCTP ABORT), first by 10.77.0.2:7999 in frame 1."));
}

TEST_F(Window, FindingsOfNoQueuePairAreInTheVerdictPaneAndLeadToTheList) {
  window.open_files({sample("made/rules/tcp.smb-without-rdma.pcapng")});
  window.show_page(MainWindow::Page::details);
  ASSERT_TRUE(wait_until([&] { return verdict().find("TC-08") != std::string::npos; }));
  EXPECT_THAT(verdict(), HasSubstr("no host tried port 5445"));
  auto* const dock = window.findChild<QDockWidget*>(QStringLiteral("findings"));
  EXPECT_EQ(dock->windowTitle(), QStringLiteral("Findings (1)"));
  EXPECT_TRUE(dock->visibleRegion().isEmpty()) << "another dock covers it";
  auto* const text = view<VerdictView>()->findChild<QTextBrowser*>();
  const QRegularExpressionMatch link = QRegularExpression(QStringLiteral("finding:[0-9]+")).match(text->toHtml());
  ASSERT_TRUE(link.hasMatch());
  emit text->anchorClicked(QUrl(link.captured()));
  EXPECT_TRUE(wait_until([&] { return !dock->visibleRegion().isEmpty(); }));
  EXPECT_TRUE(view<FindingList>()->table()->currentIndex().isValid());
  const auto is_chosen = [](const QLabel* label) {
    return label->accessibleDescription() == QLatin1String("Text of the chosen finding") && label->isVisible();
  };
  const QList<QLabel*> labels = view<FindingList>()->findChildren<QLabel*>();
  const auto chosen = std::find_if(labels.begin(), labels.end(), is_chosen);
  ASSERT_NE(chosen, labels.end());
  EXPECT_THAT((*chosen)->text().toStdString(), HasSubstr("no host tried port 5445"));
  EXPECT_TRUE((*chosen)->wordWrap());
  EXPECT_TRUE((*chosen)->textInteractionFlags().testFlag(Qt::TextSelectableByKeyboard));
  window.close_session();
  EXPECT_EQ(dock->windowTitle(), QStringLiteral("Findings"));
}

TEST_F(Window, FindingsOfNoQueuePairAreBelowAVerdictThatSaysLess) {
  ASSERT_TRUE(open("made/rules/port-mapper.rejected.pcapng"));
  ASSERT_TRUE(wait_until([&] { return verdict().find("PM-02") != std::string::npos; }));
  EXPECT_THAT(verdict(), HasSubstr("completed"));
  EXPECT_THAT(verdict(), HasSubstr("no listener on port 5000"));
  EXPECT_THAT(verdict(), testing::Not(HasSubstr("SX-13"))) << "a note is no cause";
}

TEST_F(Window, OfAFileThatIsNoneSaysWhy) {
  window.open_files({QStringLiteral("/nowhere/there-is.pcap")});
  ASSERT_TRUE(wait_until([&] { return window.views()->session().link().state == Link::State::failed; }));
  EXPECT_THAT(window.findChild<Banner*>()->sentence().toStdString(), HasSubstr("there-is.pcap"));
}

TEST_F(Window, LosesItsDaemonSaysSoAndComesBack) {
  const test::OwnDaemon daemon("siw/viol-crc-error.pcap");
  QProcess first, second;
  daemon.start(first);
  window.open(daemon.source());
  const auto state = [&] { return window.views()->session().link().state; };
  ASSERT_TRUE(wait_until([&] { return state() == Link::State::connected && !window.views()->qps().empty(); }));
  window.views()->selection().set_qp(0);
  ASSERT_TRUE(wait_until([&] { return window.views()->qp().has_value(); }));
  first.kill();
  ASSERT_TRUE(first.waitForFinished());
  ASSERT_TRUE(wait_until([&] { return state() == Link::State::lost; }));
  const auto* banner = window.findChild<Banner*>();
  EXPECT_TRUE(banner->isVisible());
  EXPECT_THAT(banner->sentence().toStdString(), HasSubstr("stale, from 20"));
  EXPECT_THAT(verdict(), HasSubstr("failed")) << "what was known is still there";
  EXPECT_NE(view<VerdictView>()->palette().color(QPalette::Text), QApplication::palette().color(QPalette::Text));
  daemon.start(second);
  ASSERT_TRUE(wait_until([&] { return state() == Link::State::connected; }));
  EXPECT_FALSE(banner->isVisible());
  EXPECT_EQ(view<VerdictView>()->palette().color(QPalette::Text), QApplication::palette().color(QPalette::Text));
  window.close_session();
  second.terminate();
  EXPECT_TRUE(second.waitForFinished());
}

TEST_F(Window, OnceFilesAreReadTheWorstQueuePairIsChosen) {
  const QStringList files{sample("made/rules/port-mapper.rejected.pcapng"), sample("siw/viol-crc-error.pcap"),
                          sample("made/messages/atomics.pcapng")};
  window.open_files(files);
  ASSERT_TRUE(wait_until([&] { return window.views()->qp().has_value(); }));
  EXPECT_EQ(window.views()->session().status()->totals().qps_opened(), window.views()->qps().size());
  EXPECT_GE(window.views()->qps().size(), 3u);
  EXPECT_THAT(verdict(), HasSubstr("failed"));
  EXPECT_EQ(window.views()->qp()->record.verdict->outcome, qp::Outcome::failed);
}

TEST_F(Window, WhatTheUserChoseWhileFilesWereReadStaysChosen) {
  bool chosen = false;
  SessionViews views({.files = {sample("made/rules/port-mapper.rejected.pcapng"), sample("siw/viol-crc-error.pcap")}});
  const auto choose = [&](const QpRows& rows) {
    const bool has_first = std::any_of(rows.begin(), rows.end(), [](const auto& row) { return row.record.qp == 0; });
    if (has_first && !std::exchange(chosen, true)) views.selection().set_qp(0);
  };
  QObject::connect(&views.session(), &Session::qps_replaced, choose);
  QObject::connect(&views.session(), &Session::qps_changed, choose);
  views.session().start();
  const auto is_read = [&] {
    const StatusPtr& status = views.session().status();
    return status && !status->capturing() && views.qps().size() == 2 && views.qps()[0].ended && views.qps()[1].ended;
  };
  ASSERT_TRUE(wait_until(is_read));
  QTest::qWait(600);  // two deliveries
  EXPECT_EQ(views.selection().qp(), 0u);
  views.selection().set_qp({});
  QTest::qWait(600);
  EXPECT_EQ(views.selection().qp(), std::nullopt) << "the user chose none";
}

TEST_F(Window, WhatIsOlderThanIsKeptIsSaid) {
  FindingTable table(nullptr, 10);
  Selection selection;
  const FindingList list(selection, table);
  live::FindingView one;
  one.finding.id = findings::FindingId::mpa_crc_mismatch;
  FindingRows rows(25, one);
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i].sequence = i;
  table.add(rows);
  const QList<QLabel*> labels = list.findChildren<QLabel*>();
  EXPECT_TRUE(std::any_of(labels.begin(), labels.end(), [](const QLabel* label) {
    return label->text() == QLatin1String("10 of 10; 15 older one(s) were discarded");
  }));
  SessionViews views({}, nullptr, 16);
  QpRows qps(50);
  for (std::size_t i = 0; i < qps.size(); ++i) qps[i].record.qp = i;
  emit views.session().qps_changed(qps);
  EXPECT_EQ(views.qps().size(), 16u);
  EXPECT_EQ(views.qps().front().record.qp, 34u);
}

/// Processes of this program.
std::vector<pid_t> private_daemons() {
  std::vector<pid_t> found;
  const QDir processes(QStringLiteral("/proc"));
  for (const QString& name : processes.entryList(QDir::Dirs)) {
    QFile facts(processes.filePath(name + QStringLiteral("/stat")));
    if (name.toInt() == 0 || !facts.open(QIODevice::ReadOnly)) continue;
    const QByteArray text = facts.readAll();
    const QList<QByteArray> fields = text.mid(text.lastIndexOf(')') + 2).split(' ');
    if (text.contains("(iwarpscoped)") && fields.value(1).toInt() == getpid()) found.push_back(name.toInt());
  }
  return found;
}

TEST_F(Window, OfADaemonThatDiedTheFileCanBeOpenedAgain) {
  ASSERT_TRUE(open("siw/viol-crc-error.pcap"));
  auto* const banner = window.findChild<ConnectionBanner*>();
  auto* const menu = action("Open the File Again");
  ASSERT_NE(menu, nullptr);
  const auto buttons = banner->findChildren<QPushButton*>();
  const auto button = std::find_if(buttons.begin(), buttons.end(), [](const QPushButton* one) {
    return one->accessibleName() == QLatin1String("Open the file again");
  });
  ASSERT_NE(button, buttons.end());
  for (const bool by_button : {true, false}) {
    EXPECT_FALSE(banner->isVisible());
    const std::vector<pid_t> daemons = private_daemons();
    ASSERT_EQ(daemons.size(), 1u);
    ASSERT_EQ(kill(daemons[0], SIGKILL), 0);
    ASSERT_TRUE(wait_until([&] { return window.views()->session().link().state == Link::State::failed; }));
    EXPECT_TRUE((*button)->isVisible());
    EXPECT_THAT(verdict(), HasSubstr("failed")) << "what was known is still there";
    by_button ? QTest::mouseClick(*button, Qt::LeftButton) : menu->trigger();
    ASSERT_TRUE(wait_until([&] {
      const SessionViews& views = *window.views();
      return window.views()->session().link().state == Link::State::connected && views.qp() && views.qp()->ended;
    }));
    EXPECT_THAT(verdict(), HasSubstr("failed"));
  }
  EXPECT_EQ(menu->shortcut(), QKeySequence(Qt::Key_F5));
  window.close_session();
  EXPECT_FALSE(menu->isEnabled());
}

TEST_F(Window, CancelsAReplayWithinASecond) {
  QStringList all;
  const QDir siw(sample("siw"));
  for (const QString& name : siw.entryList({QStringLiteral("*.pcap")})) all << siw.filePath(name);
  window.open_files(all + all + all);
  auto* progress = window.findChild<QProgressBar*>();
  ASSERT_TRUE(wait_until([&] { return progress->isVisible() || !window.views()->qps().empty(); }));
  QElapsedTimer timer;
  timer.start();
  window.close_session();
  EXPECT_LT(timer.elapsed(), 1000);
  EXPECT_EQ(window.views(), nullptr);
}

TEST_F(Window, OpensOneCaptureAfterTheOtherAndRemembersThem) {
  ASSERT_TRUE(open("siw/viol-crc-error.pcap"));
  ASSERT_TRUE(open("made/messages/atomics.pcapng"));
  EXPECT_EQ(RecentFiles(settings).all(),
            (QStringList{sample("made/messages/atomics.pcapng"), sample("siw/viol-crc-error.pcap")}));
  RecentFiles(settings).note({sample("siw/viol-crc-error.pcap")});
  EXPECT_EQ(RecentFiles(settings).all().front(), sample("siw/viol-crc-error.pcap"));
  EXPECT_EQ(RecentFiles(settings).all().size(), 2);
  window.close_session();
  EXPECT_FALSE(action("Close")->isEnabled());
  EXPECT_FALSE(action("Open in Wireshark")->isEnabled());
}

TEST_F(Window, KeepsItsLayout) {
  ASSERT_TRUE(open("siw/viol-crc-error.pcap"));
  window.findChild<QDockWidget*>(QStringLiteral("findings"))->close();
  window.close_session();
  for (const auto* dock : window.findChildren<QDockWidget*>()) {
    EXPECT_FALSE(dock->isVisible()) << "the start page has the window for itself";
  }
  window.close();
  MainWindow again(settings);
  again.show();
  again.open_files({sample("siw/viol-crc-error.pcap")});
  again.show_page(MainWindow::Page::details);
  EXPECT_FALSE(again.findChild<QDockWidget*>(QStringLiteral("findings"))->isVisible());
  EXPECT_TRUE(again.findChild<QDockWidget*>(QStringLiteral("verdict"))->toggleViewAction()->isChecked());
}

/// Every control has an accessible name. Inner parts of Qt's widgets have Qt's names.
void expect_names(const QWidget& root) {
  for (const QWidget* widget : root.findChildren<QWidget*>()) {
    const bool is_control = qobject_cast<const QAbstractButton*>(widget) || qobject_cast<const QComboBox*>(widget) ||
                            qobject_cast<const QLineEdit*>(widget) || qobject_cast<const QAbstractItemView*>(widget) ||
                            qobject_cast<const QAbstractSpinBox*>(widget) ||
                            qobject_cast<const QTextBrowser*>(widget) || qobject_cast<const QProgressBar*>(widget);
    const bool is_part_of_qt = widget->objectName().startsWith(QLatin1String("qt_")) ||
                               qobject_cast<const QLineEdit*>(widget->parentWidget()) ||
                               qobject_cast<const QComboBox*>(widget->parentWidget()) ||
                               widget->inherits("QHeaderView") || widget->inherits("QComboBoxListView");
    if (!is_control || is_part_of_qt) continue;
    std::string where;
    for (const QWidget* w = widget; w != nullptr; w = w->parentWidget()) {
      where += std::string(w->metaObject()->className()) + " '" + w->objectName().toStdString() + "' in ";
    }
    EXPECT_FALSE(widget->accessibleName().isEmpty()) << where;
  }
}

TEST_F(Window, EveryControlHasAnAccessibleName) {
  ASSERT_TRUE(open("siw/viol-crc-error.pcap"));
  expect_names(window);
  const ServerDialog dialog(settings);
  expect_names(dialog);
}

/// Screen readers read the name of a label in place of its text.
TEST_F(Window, NoLabelHidesItsTextFromScreenReaders) {
  ASSERT_TRUE(open("siw/viol-crc-error.pcap"));
  const ServerDialog dialog(settings);
  for (const QWidget* in : {static_cast<const QWidget*>(&window), static_cast<const QWidget*>(&dialog)}) {
    for (const auto* label : in->findChildren<QLabel*>()) {
      const bool is_sign = label->text().size() <= 1;  // its name is a word
      if (is_sign || label->accessibleName() == label->text()) continue;
      EXPECT_EQ(label->accessibleName().toStdString(), "") << label->text().toStdString();
    }
  }
}

TEST_F(Window, SavedServersAreKeptAndAskForWhatIsMissing) {
  ServerDialog dialog(settings);
  EXPECT_FALSE(dialog.source().is_file());
  EXPECT_EQ(dialog.source().place.socket, api::Place{}.socket) << "the local socket first";
  SavedServers servers(settings);
  SavedServer server{QStringLiteral("lab"), {}};
  server.place.host = "sensor:7470";
  server.place.tls = {"cert.pem", "key.pem", "ca.pem"};
  servers.save(server);
  servers.save(server);
  ASSERT_EQ(servers.all().size(), 1);
  EXPECT_EQ(servers.all()[0].place.tls.key, "key.pem");
  ServerDialog again(settings);
  auto* chooser = again.findChild<QComboBox*>();
  chooser->setCurrentIndex(1);
  EXPECT_EQ(again.source().place.host, "sensor:7470");
  EXPECT_EQ(again.source().title(), QStringLiteral("lab"));
  servers.remove(QStringLiteral("lab"));
  EXPECT_TRUE(servers.all().isEmpty());
}

/// IWARPSCOPE_SCREENSHOTS names a folder: pictures of the window with each view in front are written there.
TEST_F(Window, Screenshots) {
  const QString target = qEnvironmentVariable("IWARPSCOPE_SCREENSHOTS");
  if (target.isEmpty()) GTEST_SKIP() << "IWARPSCOPE_SCREENSHOTS names no folder";
  window.resize(1920, 1080);
  for (const char* sample : {"made/questions/atomic-result-impossible.pcapng", "siw/many-100-rping-crc.pcap.gz",
                             "siw/lossy-rping-16k-crc-at-server.pcap.gz"}) {
    ASSERT_TRUE(open(sample));
    const QString stem = QFileInfo(QString::fromLatin1(sample)).baseName();
    const auto take = [&](const QString& view) {
      QTest::qWait(500);
      EXPECT_TRUE(window.grab().save(QStringLiteral("%1/%2-%3.png").arg(target, stem, view)));
    };
    for (QDockWidget* dock : window.findChildren<QDockWidget*>(Qt::FindDirectChildrenOnly)) {
      dock->raise();
      take(dock->objectName());
    }
    window.show_page(MainWindow::Page::overview);
    take(QStringLiteral("overview"));
  }
}

}  // namespace
}  // namespace iwarpscope::gui::window_test
