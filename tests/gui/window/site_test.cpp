// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The page of a site, operated by mouse and keys.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <QClipboard>
#include <QComboBox>
#include <QContextMenuEvent>
#include <QHeaderView>
#include <QHelpEvent>
#include <QSplitter>
#include <QTableView>
#include <QTextBrowser>
#include <QTimer>
#include <QToolTip>

#include "gui/window/centre_window.h"
#include "views/findings/finding_list.h"
#include "views/overview/overview_view.h"
#include "views/queue_pairs/qp_table_view.h"
#include "views/sensor_box.h"
#include "views/site/site_view.h"
#include "views/summary/verdict_view.h"

namespace iwarpscope::gui::site_test {
namespace {

using test::wait_until;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

using Site = CentreWindow;

TEST_F(Site, IsOfferedByACentreAlone) {
  ASSERT_EQ(daemon.start(), "");
  window.open(made::source_of(daemon));
  ASSERT_TRUE(wait_until([&] { return window.views()->session().status() != nullptr; }));
  EXPECT_FALSE(tabs().isTabVisible(kTab));
  ASSERT_NE(entry_of_menu(), nullptr);
  EXPECT_FALSE(entry_of_menu()->isVisible());
  press(Qt::Key_I, Qt::AltModifier);
  EXPECT_FALSE(page().isVisible());
  daemon.directory.change([](live::Status& now) { now.is_centre = true; });
  ASSERT_TRUE(wait_until([&] { return tabs().isTabVisible(kTab) && entry_of_menu()->isVisible(); }));
  choose(QStringLiteral("View"), QStringLiteral("Site"));
  EXPECT_TRUE(is_seen(page()));
  daemon.directory.change([](live::Status& now) { now.is_centre = false; });
  EXPECT_TRUE(wait_until([&] { return is_seen(*view<OverviewView>()) && !tabs().isTabVisible(kTab); }));
}

TEST_F(Site, ShowsPairsOverTimeSensorsAndWhatIsNew) {
  open_site();
  const QTableView& pairs = page().pairs();
  EXPECT_EQ(pairs.model()->headerData(0, Qt::Vertical).toString(), QStringLiteral("10.0.0.1 – 10.0.0.2"));
  EXPECT_EQ(pairs.model()->headerData(6, Qt::Horizontal).toString(), QStringLiteral("11-28"));
  EXPECT_EQ(cell(pairs, 0, 4), "12");
  EXPECT_EQ(cell(pairs, 0, 1), "") << "nothing failed on that day";
  EXPECT_EQ(cell(pairs, 0, 7 + SitePairTable::kFailed), "58");
  EXPECT_THAT(cell(pairs, 0, 4, Qt::ToolTipRole), AllOf(HasSubstr("2026-11-26: 12 queue pairs failed"),
                                                        HasSubstr("In 7 days: 58 queue pairs failed of 158"),
                                                        HasSubstr("on 5 days"), HasSubstr("Seen by: leaf1, rack7")));
  EXPECT_EQ(cell(pairs, 0, 4, Qt::AccessibleTextRole), "10.0.0.1 – 10.0.0.2; 2026-11-26: 12 queue pairs failed");
  const QTreeView& sensors = page().sensors();
  ASSERT_EQ(sensors.model()->rowCount(), 3);
  EXPECT_EQ(cell(sensors, 0, SensorTable::kName), "rack7") << "the worst is on top";
  EXPECT_EQ(cell(sensors, 0, SensorTable::kState), "✗ silent");
  EXPECT_EQ(cell(sensors, 0, SensorTable::kVersion), "▲ 0.9.0");
  EXPECT_EQ(cell(sensors, 1, SensorTable::kState), "▲ check");
  EXPECT_EQ(cell(sensors, 1, SensorTable::kLoss), "✗ 12 frames");
  EXPECT_EQ(cell(sensors, 1, SensorTable::kWaiting), "7 waiting");
  EXPECT_EQ(cell(sensors, 2, SensorTable::kState), "✓ OK");
  EXPECT_EQ(cell(page().news(), 0, SiteNewsTable::kSeverity), "E error");
  EXPECT_EQ(cell(page().news(), 0, SiteNewsTable::kRule), "MF-04 mpa.crc-mismatch");
  EXPECT_THAT(cell(page().connections(), 0, SiteConnectionTable::kWhat), HasSubstr("was lost between"));
  EXPECT_THAT(said(), AllOf(HasSubstr("Site: 3 sensors, ✗ 1 silent, ▲ 1 to check, 2 pairs of hosts failed"),
                            HasSubstr("The centre answered at "), HasSubstr("failed in 7 days, by day")));
  picture(window, QStringLiteral("site"));
}

TEST_F(Site, APairThatIsClickedLeadsToItsQueuePairs) {
  open_site();
  click(page().pairs(), page().pairs().model()->index(0, 4));
  EXPECT_TRUE(wait_until([&] { return is_seen(table()) && rows_of_table() == 1; }));
  EXPECT_EQ(filter(), "host == 10.0.0.1 and host == 10.0.0.2");
}

TEST_F(Site, ASensorThatIsClickedLeadsToItsQueuePairs) {
  open_site();
  click(page().sensors(), page().sensors().model()->index(0, SensorTable::kState));
  EXPECT_TRUE(wait_until([&] { return is_seen(table()) && rows_of_table() == 2; }));
  EXPECT_EQ(filter(), "sensor == \"rack7\"");
  EXPECT_FALSE(table().isColumnHidden(static_cast<int>(QpColumn::sensor)));
}

TEST_F(Site, ARuleThatIsClickedLeadsToItsFindings) {
  open_site();
  click(page().news(), page().news().model()->index(0, SiteNewsTable::kRule));
  auto* const findings = view<FindingList>();
  EXPECT_TRUE(wait_until([&] { return is_seen(*findings->table()) && findings->table()->model()->rowCount() == 2; }));
}

TEST_F(Site, AConnectionThatIsClickedLeadsToItsQueuePair) {
  open_site();
  click(page().connections(), page().connections().model()->index(0, SiteConnectionTable::kWhat));
  EXPECT_TRUE(wait_until([&] { return is_seen(table()) && window.views()->selection().qp() == 2 * made::kRun; }));
  EXPECT_EQ(rows_of_table(), 4) << "no filter hides it";
}

/// The second click of a double click would go to what is then under the pointer.
TEST_F(Site, ADoubleClickLeadsAwayOnceAndDoesNothingThere) {
  open_site();
  class Presses : public QObject {
   public:
    int count = 0;

   protected:
    bool eventFilter(QObject* watched, QEvent* event) override {
      const bool is_press = event->type() == QEvent::MouseButtonPress || event->type() == QEvent::MouseButtonDblClick;
      if (is_press && watched->isWidgetType()) ++count;
      return false;
    }
  } presses;
  for (QAbstractItemView* from :
       {static_cast<QAbstractItemView*>(&page().pairs()), static_cast<QAbstractItemView*>(&page().sensors()),
        static_cast<QAbstractItemView*>(&page().news()), static_cast<QAbstractItemView*>(&page().connections())}) {
    click_tab();
    ASSERT_TRUE(wait_until([&] { return is_seen(page()); }));
    QPoint at;
    ASSERT_TRUE(wait_until([&] {  // the page is laid out
      at = from->viewport()->mapTo(&window, from->visualRect(from->model()->index(0, 0)).center());
      return window.childAt(at) == from->viewport();
    })) << from->accessibleName().toStdString();
    presses.count = 0;
    from->viewport()->installEventFilter(&presses);
    for (auto* other : window.findChildren<QWidget*>()) other->installEventFilter(&presses);
    QTest::mouseDClick(window.windowHandle(), Qt::LeftButton, {}, at);
    QTest::qWait(0);
    for (auto* other : window.findChildren<QWidget*>()) other->removeEventFilter(&presses);
    EXPECT_TRUE(wait_until([&] { return !is_seen(page()); })) << from->accessibleName().toStdString();
    EXPECT_EQ(presses.count, 1) << from->accessibleName().toStdString();
    EXPECT_EQ(QApplication::activeModalWidget(), nullptr);
  }
  // A click that comes later is one of its own.
  click(table(), table().model()->index(0, 0));
  EXPECT_TRUE(table().selectionModel()->isSelected(table().model()->index(0, 0)));
}

TEST_F(Site, WhereItLeadsOneOfTheShownQueuePairsIsChosen) {
  open_site();
  SessionViews& views = *window.views();
  views.selection().set_qp(3 * made::kRun);  // leaf2
  click(page().sensors(), page().sensors().model()->index(0, SensorTable::kState));
  ASSERT_TRUE(wait_until([&] { return rows_of_table() == 2 && views.qp() && views.qp()->record.qp < 2 * made::kRun; }));
  EXPECT_TRUE(table().selectionModel()->isSelected(table().model()->index(0, 0)));
  EXPECT_THAT(verdict(), HasSubstr("QP 1000000000"));
  click_tab();
  views.selection().set_qp(3 * made::kRun);
  click(page().news(), page().news().model()->index(0, SiteNewsTable::kRule));
  EXPECT_TRUE(wait_until([&] { return views.qp() && views.qp()->record.qp != 3 * made::kRun; }));
  EXPECT_THAT(verdict(), HasSubstr("MF-04"));
  click_tab();
  live::SiteView other = made::site();
  other.pairs = {made::pair(7, {0, 0, 0, 0, 0, 0, 1})};
  daemon.site.set(other);
  press_button(nullptr, QStringLiteral("Ask Again"));
  ASSERT_TRUE(wait_until([&] { return page().pairs().model()->rowCount() == 1; }));
  click(page().pairs(), page().pairs().model()->index(0, 6));
  EXPECT_TRUE(wait_until([&] { return rows_of_table() == 0; }));
  EXPECT_FALSE(views.selection().qp());
  EXPECT_THAT(view<QpTableView>()->empty_sentence().toStdString(), HasSubstr("are no longer kept"));
  EXPECT_THAT(view<QpTableView>()->empty_sentence().toStdString(), HasSubstr("Hidden by the filter: 4."));
  EXPECT_THAT(verdict(), HasSubstr("Choose a queue pair"));
}

TEST_F(Site, APairLeadsByItsNameAndWithTheSensorThatIsChosen) {
  open_site();
  QHeaderView& names = *page().pairs().verticalHeader();
  QTest::mouseClick(names.viewport(), Qt::LeftButton, {},
                    QPoint(names.width() / 2, names.sectionViewportPosition(1) + names.sectionSize(1) / 2));
  EXPECT_TRUE(wait_until([&] { return is_seen(table()) && rows_of_table() == 1; }));
  EXPECT_EQ(filter(), "host == 10.0.0.3 and host == 10.0.0.4");
  click_tab();
  live::SiteView whole = made::site();
  whole.connections.clear();
  daemon.site.set(whole);
  choose_in(*page().findChild<SensorBox*>(), 3);
  ASSERT_TRUE(wait_until([&] { return said().find("only what rack7 saw") != std::string::npos; })) << said();
  EXPECT_THAT(said(), HasSubstr("No octets of connections that rack7 saw were lost or damaged between two taps."));
  click(page().pairs(), page().pairs().model()->index(0, 4));
  EXPECT_TRUE(wait_until([&] { return is_seen(table()) && rows_of_table() == 1; }));
  EXPECT_EQ(filter(), "host == 10.0.0.1 and host == 10.0.0.2 and sensor == \"rack7\"");
}

TEST_F(Site, ValuesThatNoMajorityHasAreSaidOnce) {
  made::make_centre(daemon);
  std::uint64_t hash = 1;
  for (live::SensorView& sensor : daemon.directory.now.sensors) {
    sensor.configuration->hash = hash;
    sensor.version = "1.0." + std::to_string(hash++);
  }
  ASSERT_EQ(daemon.start(), "");
  window.open(made::source_of(daemon));
  ASSERT_TRUE(wait_until([&] { return tabs().isTabVisible(kTab); }));
  click_tab();
  ASSERT_TRUE(wait_until([&] { return page().sensors().model()->rowCount() == 3; }));
  EXPECT_THAT(said(), HasSubstr("3 sensors, ✗ 1 silent, ▲ 1 to check, ▲ 3 versions, ▲ 3 configurations"));
  EXPECT_THAT(cell(page().sensors(), 0, SensorTable::kVersion), Not(HasSubstr("▲")));
  EXPECT_THAT(cell(page().sensors(), 0, SensorTable::kConfiguration), Not(HasSubstr("▲")));
}

TEST_F(Site, WhatTheCentreFoundIsSaidToBeFromTheCentre) {
  made::make_centre(daemon);
  live::SiteView whole = made::site();
  whole.news.front().sensors = {"iwarpscope_centre"};
  whole.pairs.front().sensors = {"iwarpscope_centre", "rack7"};
  daemon.site.set(whole);
  auto found = std::make_shared<live::FindingView>(*daemon.directory.known_findings.front());
  live::Origin origin = *found->name.origin;
  origin.sensor = "iwarpscope_centre";
  found->name.origin = std::make_shared<const live::Origin>(origin);
  found->finding.frame = {};
  found->finding.frames.clear();
  daemon.directory.known_findings = {found};
  ASSERT_EQ(daemon.start(), "");
  window.open(made::source_of(daemon));
  ASSERT_TRUE(wait_until([&] { return tabs().isTabVisible(kTab); }));
  click_tab();
  ASSERT_TRUE(wait_until([&] { return page().news().model()->rowCount() == 1; }));
  EXPECT_EQ(cell(page().news(), 0, SiteNewsTable::kSensors), "the centre");
  EXPECT_EQ(cell(page().news(), 0, SiteNewsTable::kSensors, Qt::ToolTipRole), "the centre");
  EXPECT_THAT(cell(page().pairs(), 0, 6, Qt::ToolTipRole), HasSubstr("Seen by: the centre, rack7"));
  click(page().news(), page().news().model()->index(0, SiteNewsTable::kRule));
  ASSERT_TRUE(wait_until([&] { return verdict().find("MF-04") != std::string::npos; })) << verdict();
  QTreeView& findings = *view<FindingList>()->table();
  EXPECT_EQ(cell(findings, 0, FindingTable::kSensor), "the centre");
  EXPECT_THAT(cell(findings, 0, FindingTable::kText, Qt::ToolTipRole), Not(HasSubstr("Frame")));
  click(findings, findings.model()->index(0, FindingTable::kText));
  press(Qt::Key_C, Qt::ControlModifier | Qt::ShiftModifier);
  EXPECT_TRUE(wait_until([] { return QApplication::clipboard()->text().startsWith(QStringLiteral("MF-04, 10.0.0.")); }))
      << QApplication::clipboard()->text().toStdString();
  EXPECT_FALSE(QApplication::clipboard()->text().contains(QStringLiteral("frame")));
  EXPECT_FALSE(view<VerdictView>()->findChild<QTextBrowser*>()->toHtml().contains(QStringLiteral("frame:0\"")));
}

TEST_F(Site, AClickOnAHeaderSortsAndRowsLeadWhereTheyDid) {
  made::make_centre(daemon);
  live::SiteView whole = made::site();
  whole.news.push_back(whole.news.front());
  whole.news.back().rule = "tcp.retransmissions";
  whole.news.back().count = 7;
  whole.connections.push_back(whole.connections.front());
  whole.connections.back().views = {{"rack7", "port of rack7", 1 * made::kRun},
                                    {"leaf2", "port of leaf2", 3 * made::kRun}};
  whole.connections.back().last.ns -= made::kHourNs;
  daemon.site.set(whole);
  ASSERT_EQ(daemon.start(), "");
  window.open(made::source_of(daemon));
  ASSERT_TRUE(wait_until([&] { return tabs().isTabVisible(kTab) && window.views()->qps().size() == 4; }));
  click_tab();
  ASSERT_TRUE(wait_until([&] { return is_seen(page()) && page().connections().model()->rowCount() == 2; }));
  const auto click_header = [](const QTreeView& in, int section) {
    QHeaderView& header = *in.header();
    QTest::mouseClick(
        header.viewport(), Qt::LeftButton, {},
        QPoint(header.sectionViewportPosition(section) + header.sectionSize(section) / 2, header.height() / 2));
  };
  const auto column = [](const QTreeView& in, int which) {
    std::vector<std::string> all;
    for (int row = 0; row < in.model()->rowCount(); ++row) all.push_back(cell(in, row, which));
    return all;
  };
  using Names = std::vector<std::string>;
  const QTreeView& sensors = page().sensors();
  EXPECT_EQ(column(sensors, SensorTable::kName), (Names{"rack7", "leaf2", "leaf1"}));
  click_header(sensors, SensorTable::kName);
  EXPECT_EQ(column(sensors, SensorTable::kName), (Names{"leaf1", "leaf2", "rack7"}));
  click_header(sensors, SensorTable::kName);
  EXPECT_EQ(column(sensors, SensorTable::kName), (Names{"rack7", "leaf2", "leaf1"}));
  click_header(page().news(), SiteNewsTable::kCount);
  EXPECT_EQ(column(page().news(), SiteNewsTable::kCount), (Names{"7", "42"}));
  click_header(page().connections(), SiteConnectionTable::kTime);
  click(page().connections(), page().connections().model()->index(0, SiteConnectionTable::kWhat));
  EXPECT_TRUE(wait_until([&] { return is_seen(table()) && window.views()->selection().qp() == 1 * made::kRun; }));
  click_tab();
  ASSERT_TRUE(wait_until([&] { return is_seen(page()); }));
  click(page().news(), page().news().model()->index(0, SiteNewsTable::kRule));
  const auto& findings = *view<FindingList>()->table();
  EXPECT_TRUE(wait_until([&] { return is_seen(findings) && findings.model()->rowCount() == 0; }))
      << "no finding of this rule";
}

TEST_F(Site, TheMenuKeyOpensTheMenuAtTheRow) {
  open_site();
  for (QAbstractItemView* in :
       {static_cast<QAbstractItemView*>(&page().pairs()), static_cast<QAbstractItemView*>(&page().sensors())}) {
    in->setFocus();
    in->setCurrentIndex(in->model()->index(1, 0));
    const QRect row = in->visualRect(in->currentIndex());
    const QPoint expected = in->viewport()->mapToGlobal(row.bottomLeft());
    QPoint at;
    bool has_come = false;
    QTimer look;
    QObject::connect(&look, &QTimer::timeout, [&] {
      QWidget* const menu = QApplication::activePopupWidget();
      if (menu == nullptr) return;
      has_come = true;
      at = menu->pos();
      menu->close();
    });
    look.start(10);
    QContextMenuEvent key(QContextMenuEvent::Keyboard, row.center(), in->mapToGlobal(row.center()));
    QApplication::sendEvent(in, &key);
    EXPECT_TRUE(has_come) << in->accessibleName().toStdString();
    EXPECT_EQ(at.y(), expected.y()) << in->accessibleName().toStdString();
    EXPECT_LE(at.x(), expected.x()) << "on a narrow screen it begins further left";
  }
}

TEST_F(Site, LongNamesOfPairsAreShortenedInTheMiddleAndWholeInATip) {
  made::make_centre(daemon);
  live::SiteView whole = made::site();
  const std::string a = "2001:db8:1111:2222:3333:4444:5555:6666";
  const std::vector<std::string> others{"2001:db8:1111:2222:3333:4444:5555:7777",
                                        "2001:db8:1111:2222:3333:4444:5555:8888"};
  for (std::size_t i = 0; i < others.size(); ++i) {
    whole.pairs.at(i).a = *net::IpAddress::parse(a);
    whole.pairs.at(i).b = *net::IpAddress::parse(others[i]);
  }
  daemon.site.set(whole);
  ASSERT_EQ(daemon.start(), "");
  window.open(made::source_of(daemon));
  ASSERT_TRUE(wait_until([&] { return tabs().isTabVisible(kTab); }));
  click_tab();
  ASSERT_TRUE(wait_until([&] { return is_seen(page()) && page().pairs().model()->rowCount() == 2; }));
  QHeaderView& names = *page().pairs().verticalHeader();
  EXPECT_LT(names.width(), names.fontMetrics().horizontalAdvance(QString::fromStdString(a + others[0])));
  const auto row = [&](int number) {
    return QRect(0, names.sectionViewportPosition(number), names.width(), names.sectionSize(number) - 1);
  };
  ASSERT_EQ(row(0).size(), row(1).size());
  EXPECT_NE(names.viewport()->grab(row(0)).toImage(), names.viewport()->grab(row(1)).toImage())
      << "the ends of these names differ, and are seen";
  for (int i = 0; i < 2; ++i) {
    QHelpEvent help(QEvent::ToolTip, row(i).center(), names.viewport()->mapToGlobal(row(i).center()));
    QApplication::sendEvent(names.viewport(), &help);
    EXPECT_EQ(QToolTip::text().toStdString(), a + " – " + others.at(static_cast<std::size_t>(i)));
  }
}

TEST_F(Site, AQueuePairThatCannotBeAskedForSaysWhyUntilItCan) {
  open_centre();
  press(Qt::Key_Q, Qt::AltModifier);
  ASSERT_TRUE(wait_until([&] { return window.views()->qp().has_value(); }));
  const auto answer_with = [&](const char* trouble) {
    daemon.directory.change([&](live::Status&) { daemon.directory.trouble = trouble; });
  };
  answer_with("The database does not answer.");
  const QModelIndex other = table().model()->index(3, 0);
  click(table(), other);
  EXPECT_TRUE(wait_until([&] { return verdict().find("The database does not answer.") != std::string::npos; }))
      << verdict();
  EXPECT_TRUE(table().selectionModel()->isSelected(other));
  answer_with("");
  EXPECT_TRUE(wait_until([&] { return window.views()->qp().has_value(); })) << "nothing else is done";
  EXPECT_THAT(verdict(), Not(HasSubstr("The database does not answer.")));
}

TEST_F(Site, KeysLeadToEachTableAndFromItsRows) {
  open_centre();
  press(Qt::Key_I, Qt::AltModifier);
  ASSERT_TRUE(wait_until([&] { return page().pairs().hasFocus() && page().pairs().model()->rowCount() == 2; }));
  for (QAbstractItemView* one :
       {static_cast<QAbstractItemView*>(&page().sensors()), static_cast<QAbstractItemView*>(&page().news()),
        static_cast<QAbstractItemView*>(&page().connections())}) {
    press(Qt::Key_Tab);
    EXPECT_TRUE(one->hasFocus()) << one->accessibleName().toStdString();
  }
  page().pairs().setFocus();
  press(Qt::Key_Down);
  press(Qt::Key_Down);
  press(Qt::Key_Return);
  EXPECT_TRUE(wait_until([&] { return is_seen(table()) && filter() == "host == 10.0.0.3 and host == 10.0.0.4"; }))
      << filter();
  press(Qt::Key_I, Qt::AltModifier);
  ASSERT_TRUE(wait_until([&] { return is_seen(page()); }));
  page().news().setFocus();
  press(Qt::Key_Home);
  press(Qt::Key_Return);
  EXPECT_TRUE(wait_until([&] { return is_seen(*view<FindingList>()->table()); }));
}

TEST_F(Site, IsAskedAgainAboutAnotherTimeAndAboutOneSensor) {
  open_site();
  ASSERT_EQ(daemon.site.asked().back().days, 7u);
  choose_in(*page().findChild<QComboBox*>(), 0);
  ASSERT_TRUE(wait_until([&] { return daemon.site.asked().back().buckets == 48; }));
  EXPECT_EQ(daemon.site.asked().back().days, 2u);
  EXPECT_TRUE(wait_until([&] { return said().find("failed in 2 days, by hour") != std::string::npos; })) << said();
  choose_in(*page().findChild<SensorBox*>(), 3);
  ASSERT_TRUE(wait_until([&] { return daemon.site.asked().back().sensor == "rack7"; }));
  EXPECT_TRUE(wait_until([&] {
    return said().find("Except for the sensors, only what rack7 saw is shown.") != std::string::npos;
  })) << said();
  const std::size_t before = daemon.site.asked().size();
  press_button(nullptr, QStringLiteral("Ask Again"));
  EXPECT_TRUE(wait_until([&] { return daemon.site.asked().size() == before + 1; }));
}

TEST_F(Site, ASensorThatIsNoLongerKnownIsSaidToBeUnknown) {
  open_site();
  auto& box = *page().findChild<SensorBox*>();
  choose_in(box, 3);
  ASSERT_TRUE(wait_until([&] { return said().find("only what rack7 saw is shown.") != std::string::npos; })) << said();
  daemon.directory.change([](live::Status& now) { now.sensors.pop_back(); });
  ASSERT_TRUE(wait_until([&] { return page().sensors().model()->rowCount() == 2; }));
  press_button(nullptr, QStringLiteral("Ask Again"));
  EXPECT_TRUE(wait_until([&] {
    return said().find("✗ No answer: no sensor rack7. What is shown is from ") != std::string::npos;
  })) << said();
  EXPECT_EQ(box.sensor().toStdString(), "rack7");
  choose_in(box, 0);
  EXPECT_TRUE(wait_until([&] { return said().find("No answer") == std::string::npos; })) << said();
  EXPECT_TRUE(wait_until([&] { return box.count() == 3; })) << "all sensors, and two";
}

/// The hours of today that are still to come are empty.
TEST_F(Site, TheNewestFailureIsInSightAmongManyHours) {
  open_site();
  constexpr int kHour = 30, kHours = 48;
  std::vector<std::uint32_t> failed(kHours);
  failed[5] = failed[kHour] = 3;
  live::SiteView hours = made::site();
  hours.bucket_ns = made::kHourNs;
  hours.pairs = {made::pair(1, failed)};
  daemon.site.set(hours);
  choose_in(*page().findChild<QComboBox*>(), 0);
  const QTableView& pairs = page().pairs();
  ASSERT_TRUE(wait_until([&] { return pairs.model()->rowCount() == 1 && cell(pairs, 0, kHour) == "3"; }));
  EXPECT_EQ(pairs.model()->headerData(kHour, Qt::Horizontal).toString(), QStringLiteral("11-23\n06:00"));
  const auto is_in_sight = [&](int hour) {
    return pairs.viewport()->rect().contains(pairs.visualRect(pairs.model()->index(0, hour)));
  };
  EXPECT_TRUE(wait_until([&] { return is_in_sight(kHour); }));
  EXPECT_FALSE(is_in_sight(kHours - 1));
}

TEST_F(Site, WithoutAnAnswerSaysWhyAndKeepsWhatIsKnown) {
  open_site();
  daemon.site.fail("The database does not answer.");
  press_button(nullptr, QStringLiteral("Ask Again"));
  EXPECT_TRUE(wait_until([&] { return said().find("The database does not answer.") != std::string::npos; })) << said();
  EXPECT_THAT(said(), HasSubstr("What is shown is from "));
  EXPECT_EQ(page().pairs().model()->rowCount(), 2);
  daemon.site.set({});
  press_button(nullptr, QStringLiteral("Ask Again"));
  EXPECT_TRUE(wait_until([&] { return said().find("No queue pair failed in 7 days.") != std::string::npos; }));
  EXPECT_THAT(said(), AllOf(Not(HasSubstr("No answer")), HasSubstr("No rule was broken since yesterday"),
                            HasSubstr("No octets were lost or damaged between two taps.")));
}

TEST_F(Site, IsAskedAtOnceWhenItIsShownAfterAFailure) {
  open_site();
  daemon.site.fail("The database does not answer.");
  choose_in(*page().findChild<QComboBox*>(), 2);
  ASSERT_TRUE(wait_until([&] { return said().find("The database does not answer.") != std::string::npos; })) << said();
  EXPECT_THAT(said(), AllOf(HasSubstr(", about 7 days."), HasSubstr("failed in 7 days, by day")));
  press(Qt::Key_Q, Qt::AltModifier);
  ASSERT_TRUE(wait_until([&] { return !is_seen(page()); }));
  daemon.site.set({});
  const std::size_t before = daemon.site.asked().size();
  click_tab();
  EXPECT_TRUE(wait_until([&] { return daemon.site.asked().size() == before + 1; }, kSoonMs));
  EXPECT_TRUE(wait_until([&] { return said().find("No queue pair failed in 30 days.") != std::string::npos; }))
      << said();
}

TEST_F(Site, IsAskedAtOnceWhenItIsConnectedAgain) {
  open_site();
  const std::size_t before = daemon.site.asked().size();
  daemon.server.reset();
  const auto link = [&]() -> const Link& { return window.views()->session().link(); };
  ASSERT_TRUE(wait_until([&] { return link().state == Link::State::lost; }));
  EXPECT_TRUE(wait_until([&] { return link().sentence.contains(QStringLiteral("is iwarpscope-centre running")); }))
      << link().sentence.toStdString();
  ASSERT_EQ(daemon.start(), "");
  window.views()->session().try_now();
  ASSERT_TRUE(wait_until([&] { return window.views()->session().link().state == Link::State::connected; }));
  EXPECT_TRUE(wait_until([&] { return daemon.site.asked().size() > before; }, kSoonMs));
  EXPECT_THAT(said(), Not(HasSubstr("No answer")));
}

TEST_F(Site, TheRowThatWasChosenStaysWhenOthersCome) {
  open_site();
  QTableView& pairs = page().pairs();
  pairs.setCurrentIndex(pairs.model()->index(1, 6));
  live::SiteView more = made::site();
  more.pairs.insert(more.pairs.begin(), made::pair(7, {9, 9, 9, 9, 9, 9, 9}));
  daemon.site.set(more);
  press_button(nullptr, QStringLiteral("Ask Again"));
  ASSERT_TRUE(wait_until([&] { return pairs.model()->rowCount() == 3; }));
  EXPECT_EQ(pairs.currentIndex(), pairs.model()->index(2, 6));
}

TEST_F(Site, HeadersAndEdgesAreDragged) {
  open_site();
  for (QTreeView* tree : {&page().sensors(), &page().news(), &page().connections()}) {
    QHeaderView& header = *tree->header();
    const int before = header.sectionSize(0);
    const QPoint edge(header.sectionViewportPosition(0) + before - 1, header.height() / 2);
    drag(*header.viewport(), edge, edge + QPoint(40, 0));
    EXPECT_NE(header.sectionSize(0), before) << tree->accessibleName().toStdString();
  }
  for (auto* splitter : page().findChildren<QSplitter*>()) {
    const QList<int> before = splitter->sizes();
    QSplitterHandle& handle = *splitter->handle(1);
    drag(handle, handle.rect().center(), handle.rect().center() + QPoint(30, 30));
    EXPECT_NE(splitter->sizes(), before);
  }
  // The corner of the matrix does nothing.
  press_button(nullptr, QStringLiteral("Corner"));
  EXPECT_TRUE(is_seen(page()));
}

}  // namespace
}  // namespace iwarpscope::gui::site_test
