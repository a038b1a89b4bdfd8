// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The first page, as a person meets it: with the mouse, on files and on a daemon.
#include <QAction>
#include <QComboBox>
#include <QDBusConnection>
#include <QDBusMessage>
#include <QDBusVirtualObject>
#include <QLabel>
#include <QLineEdit>
#include <QProcess>
#include <QPushButton>
#include <QRegularExpression>
#include <QScrollArea>
#include <QStatusBar>
#include <QTabBar>
#include <QToolButton>
#include <QTreeView>

#include "daemon/api/kit.h"
#include "gui/window/mouse.h"
#include "report/human.h"
#include "views/colors.h"
#include "views/findings/finding_list.h"
#include "views/frame/frame_view.h"
#include "views/health_bar.h"
#include "views/ladder/ladder_view.h"
#include "views/overview/incident_card.h"
#include "views/overview/outcome_bar.h"
#include "views/overview/overview_view.h"
#include "views/overview/throughput_strip.h"
#include "views/queue_pairs/qp_table_view.h"
#include "views/summary/verdict_view.h"
#include "window/connection_banner.h"
#include "window/failure_notifier.h"

namespace iwarpscope::gui::overview_test {
namespace {

using test::wait_until;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

class Overview : public Mouse {
 protected:
  /// Its cards have their sentences.
  [[nodiscard]] bool opens(const QStringList& files) {
    window.open_files(files);
    return is_read() && has_sentences();
  }
  [[nodiscard]] bool opens(const char* name) { return opens(QStringList{test::sample(name)}); }
  [[nodiscard]] bool has_sentences() {
    return wait_until([&] {
      const std::vector<OverviewCard>& cards = window.views()->overview().cards();
      return !cards.empty() && page().cards().size() == cards.size() &&
             std::none_of(cards.begin(), cards.end(),
                          [](const OverviewCard& card) { return card.incident.verdict.text.empty(); });
    });
  }
  [[nodiscard]] OverviewView& page() const { return *view<OverviewView>(); }
  [[nodiscard]] std::string said() const { return page().plain_text().toStdString(); }
  [[nodiscard]] IncidentCard& card(std::size_t place) const { return *page().cards().at(place); }
  /// Null: it has none.
  [[nodiscard]] static QPushButton* button(const QWidget& in, const QString& text) {
    for (auto* one : in.findChildren<QPushButton*>()) {
      if (one->text() == text) return one;
    }
    return nullptr;
  }
  [[nodiscard]] QToolButton& chip(const char* outcome) const {
    return *view<OutcomeBar>()->findChild<QToolButton*>(QLatin1String(outcome));
  }
  void click(QWidget& widget) const {
    if (auto* scroll = page().findChild<QScrollArea*>(); scroll->isAncestorOf(&widget)) {
      scroll->ensureWidgetVisible(&widget);
      QCoreApplication::processEvents();
    }
    ASSERT_FALSE(widget.visibleRegion().isEmpty()) << widget.accessibleName().toStdString();
    QTest::mouseClick(&widget, Qt::LeftButton);
  }
  [[nodiscard]] int rows() const { return view<QpTableView>()->tree().model()->rowCount(); }
};

TEST_F(Overview, OfAFailingCaptureIsInSightAndNamesTheCause) {
  ASSERT_TRUE(opens("siw/viol-crc-error.pcap"));
  EXPECT_TRUE(is_seen(page()));
  EXPECT_FALSE(is_seen(view<QpTableView>()->tree())) << "one page at a time";
  ASSERT_EQ(page().cards().size(), 1u);
  EXPECT_TRUE(is_seen(card(0)));
  EXPECT_THAT(said(), AllOf(HasSubstr("✗ failed V-56, likely by the path between them"),
                            HasSubstr("QP 0: 10.77.0.1:46740 → 10.77.0.2:7500"),
                            HasSubstr("The FPDU in frame 8 has a wrong CRC at the tap, too."),
                            HasSubstr("Next: Suspect a middlebox before the tap"),
                            HasSubstr("Nothing is known to be missing")));
  EXPECT_EQ(chip("failed").text(), QStringLiteral("✗ 1 failed"));
  EXPECT_FALSE(chip("completed").isVisible());
}

TEST_F(Overview, ThroughputFillsTheRoomThatIncidentsLeaveAndIsBesideThemOtherwise) {
  ASSERT_TRUE(opens("siw/many-100-rping-crc.pcap.gz"));
  window.resize(1400, 900);
  const auto& strip = *view<ThroughputStrip>();
  const auto place = [&](const QWidget& widget) { return QRect(widget.mapTo(&window, QPoint()), widget.size()); };
  const auto is_below = [&] { return place(strip).top() > place(card(0)).bottom(); };
  ASSERT_TRUE(wait_until(is_below));
  EXPECT_TRUE(wait_until([&] {
    return strip.width() > window.width() * 3 / 4 && strip.height() > window.height() / 4;
  })) << strip.width()
      << " x " << strip.height();
  EXPECT_TRUE(is_seen(strip));
  window.resize(1400, 420);
  EXPECT_TRUE(wait_until([&] { return !is_below() && strip.width() < window.width() / 2; }));
  window.resize(1400, 900);
  EXPECT_TRUE(wait_until(is_below));
}

TEST_F(Overview, FrameThatIsClickedIsShownWithItsQueuePairVerdictAndLadder) {
  ASSERT_TRUE(opens({test::sample("siw/rping-ipv4-crc.pcap"), test::sample("siw/viol-crc-error.pcap")}));
  ASSERT_EQ(page().cards().size(), 1u) << "the other one went well";
  const std::uint64_t failed = window.views()->overview().cards().front().incident.qp;
  const std::uint64_t frame = window.views()->overview().cards().front().incident.verdict.evidence.front().value;
  window.views()->selection().set_qp(1 - failed);
  click(*button(card(0), QStringLiteral("Frame %1").arg(frame)));
  EXPECT_TRUE(wait_until([&] { return window.views()->qp() && window.views()->frame().value == frame; }));
  EXPECT_TRUE(is_seen(*view<LadderView>()));
  EXPECT_TRUE(is_seen(view<QpTableView>()->tree()));
  EXPECT_TRUE(is_seen(*view<VerdictView>()));
  EXPECT_EQ(window.views()->selection().qp(), failed);
  picture(window, QStringLiteral("overview-evidence"));
  EXPECT_THAT(view<VerdictView>()->plain_text().toStdString(), HasSubstr("wrong CRC"));
}

TEST_F(Overview, FrameOfTheStartupIsShownInTheLadderWithItsOctets) {
  ASSERT_TRUE(opens("siw/viol-mpa-reply-ird-insufficient.pcap"));
  const auto& evidence = window.views()->overview().cards().front().incident.verdict.evidence;
  ASSERT_FALSE(evidence.empty());
  click(*button(card(0), QStringLiteral("Frame %1").arg(evidence.front().value)));
  EXPECT_TRUE(wait_until([&] { return is_seen(*view<LadderView>()) && is_seen(*view<FrameView>()); }));
}

TEST_F(Overview, OutcomeThatIsClickedFiltersTheTableUntilItIsClickedAgain) {
  ASSERT_TRUE(opens({test::sample("siw/rping-ipv4-crc.pcap"), test::sample("siw/viol-crc-error.pcap")}));
  const int all = static_cast<int>(window.views()->qps().size());
  ASSERT_GT(all, 1);
  click(chip("failed"));
  EXPECT_TRUE(wait_until([&] { return rows() == 1; }));
  EXPECT_TRUE(is_seen(view<QpTableView>()->tree()));
  EXPECT_TRUE(chip("failed").isChecked());
  EXPECT_FALSE(chip("completed").isChecked());
  const auto outcome = [&] { return window.views()->qp()->record.verdict->outcome; };
  EXPECT_TRUE(wait_until([&] { return outcome() == qp::Outcome::failed; }));
  click(chip("completed"));
  EXPECT_TRUE(wait_until([&] { return rows() == all - 1; }));
  EXPECT_TRUE(wait_until([&] { return outcome() == qp::Outcome::completed; })) << "the verdict is of a hidden row";
  EXPECT_FALSE(chip("failed").isChecked());
  click(chip("completed"));
  EXPECT_TRUE(wait_until([&] { return rows() == all; }));
  EXPECT_FALSE(chip("completed").isChecked());
}

TEST_F(Overview, IncidentLeadsToItsQueuePairs) {
  ASSERT_TRUE(opens("made/questions/three-ways-to-fail.pcapng"));
  ASSERT_EQ(page().cards().size(), 3u);
  const std::uint64_t second = window.views()->overview().cards()[1].incident.qp;
  click(*button(card(1), QStringLiteral("Show the queue pair")));
  EXPECT_TRUE(wait_until([&] { return rows() == 1; }));
  EXPECT_EQ(view<QpTableView>()->model().number_at(view<QpTableView>()->tree().model()->index(0, 0)), second);
  EXPECT_EQ(window.views()->selection().qp(), second);
  press(Qt::Key_O, Qt::AltModifier);
  EXPECT_TRUE(is_seen(page()));
  // A frame of another one, which the filter would hide.
  const auto& third = window.views()->overview().cards()[2].incident;
  click(*button(card(2), QStringLiteral("Frame %1").arg(third.verdict.evidence.front().value)));
  EXPECT_TRUE(wait_until([&] { return rows() == 3; }));
  EXPECT_EQ(window.views()->selection().qp(), third.qp);
}

TEST_F(Overview, EveryButtonIsReachedByTab) {
  ASSERT_TRUE(opens("made/questions/three-ways-to-fail.pcapng"));
  std::set<QWidget*> reached;
  for (int i = 0; i < 60; ++i) {
    press(Qt::Key_Tab);
    reached.insert(QApplication::focusWidget());
  }
  for (const IncidentCard* one : page().cards()) {
    EXPECT_FALSE(one->accessibleName().isEmpty());
    for (auto* each : one->findChildren<QPushButton*>())
      EXPECT_TRUE(reached.contains(each)) << each->text().toStdString();
  }
  EXPECT_TRUE(reached.contains(&chip("failed")));
}

TEST_F(Overview, OfACaptureWithoutTroubleSaysSo) {
  window.open_files({test::sample("siw/rping-ipv4-crc.pcap")});
  ASSERT_TRUE(is_read());
  EXPECT_TRUE(wait_until([&] { return said().find("No queue pair went wrong: 1 completed") != std::string::npos; }))
      << said();
  EXPECT_TRUE(page().cards().empty());
}

TEST_F(Overview, OfLossesThatWereRepairedSaysSo) {
  window.open_files({test::sample("siw/lossy-rping-16k-crc-at-server.pcap.gz")});
  ASSERT_TRUE(is_read());
  EXPECT_TRUE(wait_until([&] { return said().find("1 completed with losses repaired") != std::string::npos; }))
      << said();
  EXPECT_THAT(said(), HasSubstr("Losses or damage on the path were repaired in 1 queue pair (QP 0): "));
  EXPECT_TRUE(page().cards().empty());
  const auto& completed = *window.findChild<QToolButton*>(QStringLiteral("completed"));
  EXPECT_EQ(completed.text(), QStringLiteral("◇ 1 completed")) << "the sign says it of all of them";
  EXPECT_EQ(completed.palette().color(QPalette::ButtonText),
            severity_color(findings::Severity::note, completed.parentWidget()->palette()));
}

TEST_F(Overview, OutcomeSaysInWordsHowManyHaveWhichFlaw) {
  ASSERT_TRUE(opens("siw/many-100-rping-crc.pcap.gz"));
  EXPECT_EQ(chip("completed").text(), QStringLiteral("✓ 94 completed (11 ◇ repaired)"));
}

/// The first link of a label, as a person finds it: where the pointer becomes a hand. False: it has no link, or no room
/// yet for its text; its middle is what is seen then.
bool click_first_link(QLabel& label) {
  if (label.height() < label.heightForWidth(label.width())) return false;
  const int line = label.fontMetrics().lineSpacing();
  for (int y = line / 2; y < label.height(); y += line) {
    for (int x = 2; x < label.width(); x += 3) {
      QTest::mouseMove(&label, {x, y});
      if (label.cursor().shape() != Qt::PointingHandCursor) continue;
      QTest::mouseClick(&label, Qt::LeftButton, {}, {x, y});
      return true;
    }
  }
  return false;
}

TEST_F(Overview, QueuePairsAndFramesOfItsSentencesAreLinks) {
  // A page that was only now filled may not be laid out, and may be filled again: the label is looked for again each
  // time.
  const auto click_link_of = [this](const char* begin) {
    return wait_until([this, begin] {
      for (auto* one : page().findChildren<QLabel*>()) {
        if (one->isVisible() && one->text().startsWith(QLatin1String(begin))) return click_first_link(*one);
      }
      return false;
    });
  };
  ASSERT_TRUE(opens("siw/many-100-rping-crc.pcap.gz"));
  EXPECT_THAT(said(), HasSubstr("were repaired in 11 queue pairs (the first is QP 37): 520 octets sent again."));
  ASSERT_TRUE(click_link_of("Losses or damage"));
  EXPECT_TRUE(wait_until([&] { return window.views()->selection().qp() == 37u; }));
  EXPECT_TRUE(is_seen(view<QpTableView>()->tree()));
  ASSERT_TRUE(opens("made/questions/three-ways-to-fail.pcapng"));
  press(Qt::Key_O, Qt::AltModifier);
  window.views()->selection().set_qp(2);
  ASSERT_TRUE(click_link_of("What came first: "));
  EXPECT_TRUE(wait_until([&] { return window.views()->qp() && window.views()->frame().value == 6; }));
  EXPECT_EQ(window.views()->selection().qp(), 0u);
  EXPECT_TRUE(is_seen(*view<LadderView>()));
  // No incident has it: no queue pair failed.
  window.open_files({test::sample("made/rules/mpa.many-startups.pcapng")});
  ASSERT_TRUE(is_read());
  press(Qt::Key_O, Qt::AltModifier);
  ASSERT_TRUE(wait_until([&] { return said().find("SX-10") != std::string::npos; })) << said();
  EXPECT_THAT(said(), AllOf(HasSubstr("△ No queue pair went wrong: 1 completed"),
                            HasSubstr("W SX-10 mpa.many-startups: 6 connections to 10.0.0.2:5000"),
                            HasSubstr("6 connections were refused (TCP reset or SCTP ABORT), first by 10.0.0.2:5000")));
  ASSERT_TRUE(click_link_of("<b>Findings that belong to no queue pair"));
  const auto* const list = view<FindingList>();
  ASSERT_TRUE(wait_until([&] { return is_seen(*list); }));
  EXPECT_THAT(list->table()->currentIndex().siblingAtColumn(FindingTable::kRule).data().toString().toStdString(),
              HasSubstr("SX-10"));
}

TEST_F(Overview, WhatIsAWarningInTheVerdictIsNoErrorHere) {
  ASSERT_TRUE(opens("made/questions/atomic-result-impossible.pcapng"));
  EXPECT_THAT(card(0).plain_text().toStdString(), StartsWith("△ completed with doubtful data"));
  press(Qt::Key_Q, Qt::AltModifier);
  EXPECT_TRUE(wait_until([&] {
    return view<VerdictView>()->plain_text().contains(QStringLiteral("△ completed with doubtful data"));
  })) << "the verdict says the same";
}

TEST_F(Overview, OfAFileHasNoWordsOfADaemon) {
  ASSERT_TRUE(opens("siw/viol-crc-error.pcap"));
  press(Qt::Key_Q, Qt::AltModifier);
  QStringList words;
  for (const auto* label : window.statusBar()->findChildren<QLabel*>()) words << label->text();
  for (const auto* stage : view<HealthBar>()->findChildren<QToolButton*>()) words << stage->accessibleName();
  const QAbstractItemModel& table = *view<QpTableView>()->tree().model();
  for (int i = 0; i < table.columnCount(); ++i) words << table.headerData(i, Qt::Horizontal).toString();
  const std::string all = words.join(QLatin1Char('\n')).toStdString();
  EXPECT_THAT(all, AllOf(HasSubstr("✓ Read"), HasSubstr("File"), HasSubstr("Capture gaps")));
  for (const char* word : {"Connected", "Kernel", "Queue:", "Outputs", "Last minute"}) {
    EXPECT_THAT(all, Not(HasSubstr(word)));
  }
}

TEST_F(Overview, ThroughputIsOverTheWholeCaptureWithAFlagForEachFailure) {
  ASSERT_TRUE(opens("made/questions/three-ways-to-fail.pcapng"));
  const auto& strip = *page().findChild<ThroughputStrip*>();
  const QpRows& qps = window.views()->qps();
  const auto clock = [](TimePoint time) { return report::time_of_day(time).substr(0, 12); };
  TimePoint first = qps.front().record.first_time, last = qps.front().record.last_time;
  for (const live::QpView& row : qps) {
    first = std::min(first, row.record.first_time);
    last = std::max(last, row.record.last_time);
  }
  const auto said = [&] { return strip.accessibleDescription().toStdString(); };
  EXPECT_TRUE(wait_until([&] { return is_seen(strip) && said().find("3 failures") != std::string::npos; })) << said();
  EXPECT_THAT(said(), HasSubstr("From " + clock(first)));
  EXPECT_THAT(said(), HasSubstr("to " + clock(last)));
  picture(window, QStringLiteral("overview-throughput"));
}

/// A person who has never seen it finds the cause of every failing sample: it is on the first page.
TEST_F(Overview, ThroughputOfAShortCaptureHasTwoTimesAndThatOfNoneIsNotDrawn) {
  window.open_files({test::sample("made/rules/capture.clock-went-back.pcapng")});
  ASSERT_TRUE(is_read());
  auto* const strip = view<ThroughputStrip>();
  ASSERT_TRUE(wait_until([&] { return is_seen(*strip); }));
  const QRegularExpression times(QStringLiteral("From ([0-9:.]+) to ([0-9:.]+) UTC"));
  const QRegularExpressionMatch said = times.match(strip->accessibleDescription());
  ASSERT_TRUE(said.hasMatch()) << strip->accessibleDescription().toStdString();
  EXPECT_NE(said.captured(1), said.captured(2));
  window.open_files({test::sample("siw/connect-closed-port.pcap")});
  ASSERT_TRUE(wait_until([&] {
    const StatusPtr& status = window.views()->session().status();
    return status && !status->capturing() && status->totals().frames() == 2;
  }));
  QTest::qWait(300);
  EXPECT_FALSE(view<ThroughputStrip>()->isVisible());
}

TEST_F(Overview, OfAFileThatCannotBeReadLeavesTheReasonToTheLineAbove) {
  window.open_files({test::sample("README.md")});
  EXPECT_TRUE(wait_until([&] { return said().find("There is nothing to show") != std::string::npos; })) << said();
  EXPECT_THAT(window.findChild<ConnectionBanner*>()->sentence().toStdString(), HasSubstr("not a capture file"));
  EXPECT_FALSE(button(page(), QStringLiteral("All findings"))->isVisible()) << "it would lead to an empty list";
  for (const QLabel* one : page().findChildren<QLabel*>()) {
    if (one->text() != QStringLiteral("What went wrong")) continue;
    EXPECT_LT(one->mapTo(&page(), QPoint()).x(), page().width() / 10) << "the page begins where it always does";
  }
  EXPECT_THAT(said(), Not(HasSubstr("is being read")));
}

TEST_F(Overview, OfARuleBrokenByAQueuePairThatCompletedSaysWhatItIs) {
  ASSERT_TRUE(opens("made/questions/atomic-result-impossible.pcapng"));
  EXPECT_THAT(card(0).plain_text().toStdString(), HasSubstr("The original value returned by an Atomic Response"));
}

TEST_F(Overview, OfEveryFailingSampleNamesItsCauseWithoutAClick) {
  const QDir samples(QStringLiteral(IWARPSCOPE_SAMPLES "/siw"));
  int failing = 0;
  for (const QString& name : samples.entryList({QStringLiteral("viol-*.pcap"), QStringLiteral("term-*.pcap")})) {
    SCOPED_TRACE(name.toStdString());
    window.open_files({samples.filePath(name)});
    ASSERT_TRUE(is_read());
    const QpRows& qps = window.views()->qps();
    const auto bad = std::find_if(qps.begin(), qps.end(),
                                  [](const live::QpView& row) { return qp::ended_badly(row.record.verdict->outcome); });
    if (bad == qps.end()) continue;
    ++failing;
    ASSERT_TRUE(has_sentences());
    EXPECT_TRUE(is_seen(card(0)));
    EXPECT_FALSE(card(0).visibleRegion().isEmpty());
    const qp::VerdictRecord& verdict = window.views()->overview().cards().front().incident.verdict;
    EXPECT_THAT(said(), AllOf(HasSubstr(verdict.text), HasSubstr(verdict.next)));
  }
  EXPECT_GT(failing, 10);
}

/// On a daemon that is made by hand.
class LiveOverview : public Overview {
 protected:
  LiveOverview() {
    daemon.directory.known_qps.reserve(8);
    daemon.directory.known_qps.push_back(api::testing::qp_view(0));
    EXPECT_EQ(daemon.start(), "");
    Source source;
    source.place.socket = daemon.options.socket;
    window.open(source);
    EXPECT_TRUE(wait_until([&] { return window.views()->qps().size() == 1 && chip("completed").isVisible(); }));
  }
  ~LiveOverview() override { window.close_session(); }
  void fail(std::uint64_t number, const char* code, const char* text) {
    auto view = api::testing::qp_view(number);
    view->record.verdict = qp::VerdictRecord{
        text, qp::Outcome::failed, qp::Blame::b, qp::Confidence::likely, {FrameNumber{number + 4}}, "Look there.", "",
        code};
    daemon.directory.known_qps.push_back(view);
    daemon.directory.tell(live::QpEnded{view});
  }
  [[nodiscard]] std::string title() const { return window.windowTitle().toStdString(); }

  api::testing::Daemon daemon;
};

TEST_F(LiveOverview, NewFailureIsInTheTitleAndOnTopUntilItIsSeen) {
  EXPECT_THAT(title(), Not(HasSubstr("(")));
  EXPECT_THAT(said(), HasSubstr("No queue pair went wrong"));
  fail(1, "V-90", "The first trouble.");
  ASSERT_TRUE(wait_until([&] { return title().rfind("(1) ", 0) == 0; }));
  ASSERT_TRUE(has_sentences());
  EXPECT_THAT(said(), AllOf(HasSubstr("● 1 new"), HasSubstr("The first trouble."), HasSubstr("Next: Look there.")));
  QTest::qWait(1500);
  EXPECT_THAT(title(), HasSubstr("(1) ")) << "it was not seen yet";
  click(*button(card(0), QStringLiteral("Frame 5")));
  EXPECT_TRUE(wait_until([&] { return title().find('(') == std::string::npos; }));
  fail(2, "V-91", "The second trouble.");
  ASSERT_TRUE(wait_until([&] { return title().rfind("(1) ", 0) == 0; })) << "also while the details are in sight";
  press(Qt::Key_O, Qt::AltModifier);
  ASSERT_TRUE(has_sentences());
  EXPECT_THAT(card(0).plain_text().toStdString(), HasSubstr("The second trouble."));
  EXPECT_THAT(card(1).plain_text().toStdString(), Not(HasSubstr("new")));
  picture(window, QStringLiteral("overview-live"));
  click(*button(page(), QStringLiteral("Mark All as Seen")));
  EXPECT_THAT(title(), Not(HasSubstr("(")));
  EXPECT_THAT(said(), Not(HasSubstr("new")));
}

TEST_F(LiveOverview, EntryOfTheMenuMarksAllAsSeen) {
  fail(1, "V-90", "The first trouble.");
  ASSERT_TRUE(wait_until([&] { return title().rfind("(1) ", 0) == 0; }));
  choose(QStringLiteral("View"), QStringLiteral("Mark All Failures as Seen"));
  EXPECT_THAT(title(), Not(HasSubstr("(")));
}

TEST_F(LiveOverview, EntryOfTheMenuPausesTheView) {
  choose(QStringLiteral("View"), QStringLiteral("Pause the Live View"));
  EXPECT_TRUE(window.views()->session().is_paused());
}

TEST_F(LiveOverview, NothingMovesUnderTheMouse) {
  fail(1, "V-90", "The first trouble.");
  ASSERT_TRUE(wait_until([&] { return page().cards().size() == 1; }));
  ASSERT_TRUE(has_sentences());
  click(card(0));
  QTest::mouseMove(&card(0));
  ASSERT_TRUE(wait_until([&] { return card(0).underMouse(); }));
  const QPoint before = card(0).mapTo(&window, QPoint());
  fail(2, "V-91", "The second trouble.");
  ASSERT_TRUE(wait_until([&] { return title().rfind("(1) ", 0) == 0; })) << "the title says it at once";
  EXPECT_EQ(page().cards().size(), 1u);
  EXPECT_EQ(card(0).mapTo(&window, QPoint()), before);
  QTest::mouseMove(&window, QPoint(5, window.height() - 5));
  EXPECT_TRUE(wait_until([&] { return page().cards().size() == 2; }));
  ASSERT_TRUE(has_sentences());
  EXPECT_THAT(card(0).plain_text().toStdString(), HasSubstr("The second trouble."));
}

TEST_F(LiveOverview, TheTableOpensWithTheWorstQueuePairChosen) {
  fail(1, "V-90", "The first trouble.");
  ASSERT_TRUE(wait_until([&] { return page().cards().size() == 1; }));
  EXPECT_FALSE(window.views()->selection().qp()) << "the table was not opened yet";
  press(Qt::Key_Q, Qt::AltModifier);
  EXPECT_TRUE(wait_until([&] { return window.views()->selection().qp() == 1u; }));
  const QTreeView& tree = view<QpTableView>()->tree();
  EXPECT_TRUE(wait_until([&] { return tree.selectionModel()->isRowSelected(0, {}); })) << "its row shows that";
  // What a person has chosen stays.
  QTest::mouseClick(tree.viewport(), Qt::LeftButton, {}, tree.visualRect(tree.model()->index(1, 0)).center());
  ASSERT_EQ(window.views()->selection().qp(), 0u);
  press(Qt::Key_O, Qt::AltModifier);
  press(Qt::Key_Q, Qt::AltModifier);
  QTest::qWait(200);
  EXPECT_EQ(window.views()->selection().qp(), 0u);
}

TEST_F(LiveOverview, NoRowMovesUnderTheMouse) {
  press(Qt::Key_Q, Qt::AltModifier);
  const QTreeView& tree = view<QpTableView>()->tree();
  const QpModel& model = view<QpTableView>()->model();
  (void)settled(window);  // the page is laid out
  const QPoint at = tree.visualRect(tree.model()->index(0, 0)).center();
  QTest::mouseClick(tree.viewport(), Qt::LeftButton, {}, at);
  QTest::mouseMove(tree.viewport(), at);
  ASSERT_TRUE(wait_until([&] { return tree.viewport()->underMouse(); }));
  fail(1, "V-90", "The first trouble.");
  ASSERT_TRUE(wait_until([&] { return rows() == 2; }));
  QTest::qWait(200);
  EXPECT_EQ(model.number_at(tree.indexAt(at)), 0u) << "the row that the mouse points at is the same";
  QTest::mouseMove(&window, QPoint(5, window.height() - 5));
  EXPECT_TRUE(wait_until([&] { return model.number_at(tree.indexAt(at)) == 1u; })) << "the worst is on top again";
}

TEST(OverviewOfADaemon, ThroughputSaysOverHowLongItIs) {
  const QpRows rows;
  OverviewModel model(
      rows, [](auto...) {}, true);
  OverviewView view(model, false);
  auto status = std::make_shared<v1::Status>();
  v1::Throughput& sent = *status->mutable_throughput();
  sent.set_first_time_ns(1'000'000'000);
  sent.set_bucket_ns(1'000'000'000);
  for (int i = 0; i < 7; ++i) sent.add_octets(100);
  const auto is_said = [&](const char* span) {
    const auto labels = view.findChildren<QLabel*>();
    return std::any_of(labels.begin(), labels.end(), [&](const QLabel* one) {
      return one->text() == QStringLiteral("Throughput of all queue pairs, the last ") + QLatin1String(span);
    });
  };
  status->set_capture_time_ns(7'280'000'000);
  view.set_status(status);
  EXPECT_TRUE(is_said("6.28 s"));
}

/// The notification service of a desktop.
class Desktop : public QDBusVirtualObject {
 public:
  [[nodiscard]] QString introspect(const QString& /*path*/) const override { return {}; }
  bool handleMessage(const QDBusMessage& message, const QDBusConnection& connection) override {
    calls << message.arguments();
    return connection.send(message.createReply(QVariant::fromValue<uint>(77)));
  }
  QList<QVariantList> calls;
};

/// GNOME has no system tray.
TEST(FailureNotifier, NotifiesTheDesktopWithoutASystemTray) {
  QProcess bus;
  bus.start(QStringLiteral("dbus-daemon"),

            {QStringLiteral("--session"), QStringLiteral("--nofork"), QStringLiteral("--print-address")});
  if (!bus.waitForStarted()) GTEST_SKIP() << "dbus-daemon is not installed";
  ASSERT_TRUE(bus.waitForReadyRead());
  const QString address = QString::fromLatin1(bus.readLine()).trimmed();
  Desktop desktop;
  {
    QDBusConnection its = QDBusConnection::connectToBus(address, QStringLiteral("desktop"));
    ASSERT_TRUE(its.registerService(QStringLiteral("org.freedesktop.Notifications")));
    ASSERT_TRUE(its.registerVirtualObject(QStringLiteral("/org/freedesktop/Notifications"), &desktop));
    const QTemporaryDir folder;
    QSettings settings(folder.filePath(QStringLiteral("s.ini")), QSettings::IniFormat);
    const English english;
    FailureNotifier notifier(settings, nullptr, 20, QDBusConnection::connectToBus(address, QStringLiteral("program")));
    notifier.action()->trigger();
    notifier.note(2, QStringLiteral("sensor1"));
    ASSERT_TRUE(wait_until([&] { return desktop.calls.size() == 1; }));
    EXPECT_EQ(desktop.calls[0][3].toString(), QStringLiteral("sensor1"));
    EXPECT_EQ(desktop.calls[0][4].toString(), QStringLiteral("2 queue pairs failed."));
    EXPECT_TRUE(wait_until([&] {
      notifier.note(1, QStringLiteral("sensor1"));
      return desktop.calls.last()[1].toUInt() == 77;
    })) << "a later one replaces it";
  }
  QDBusConnection::disconnectFromBus(QStringLiteral("program"));
  QDBusConnection::disconnectFromBus(QStringLiteral("desktop"));
  bus.terminate();
  EXPECT_TRUE(bus.waitForFinished());
}

TEST(FailureNotifier, NotifiesOnlyIfWantedAndKeepsQuietMeanwhile) {
  QTemporaryDir folder;
  QSettings settings(folder.filePath(QStringLiteral("s.ini")), QSettings::IniFormat);
  QStringList sentences;
  const English english;
  {
    FailureNotifier notifier(settings, nullptr, 300);
    QObject::connect(&notifier, &FailureNotifier::notified, [&](const QString& one) { sentences << one; });
    notifier.note(1, QStringLiteral("here"));
    EXPECT_TRUE(sentences.isEmpty()) << "off at first";
    notifier.action()->trigger();
    notifier.note(1, QStringLiteral("here"));
    notifier.note(2, QStringLiteral("here"));
    notifier.note(3, QStringLiteral("here"));
    EXPECT_EQ(sentences, QStringList{QStringLiteral("1 queue pair failed.")});
    EXPECT_TRUE(wait_until([&] { return sentences.size() == 2; }));
    EXPECT_EQ(sentences.last(), QStringLiteral("5 queue pairs failed."));
  }
  EXPECT_TRUE(FailureNotifier(settings).action()->isChecked()) << "it is remembered";
}

}  // namespace
}  // namespace iwarpscope::gui::overview_test
