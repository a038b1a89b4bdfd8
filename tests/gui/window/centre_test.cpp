// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// What a centre adds to the window beside the page of its site.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <QLabel>
#include <QLineEdit>
#include <QTableView>
#include <QToolButton>

#include "gui/window/centre_window.h"
#include "views/findings/finding_list.h"
#include "views/health_bar.h"
#include "views/overview/overview_view.h"
#include "views/sensor_box.h"

namespace iwarpscope::gui::centre_test {
namespace {

using test::wait_until;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

using Centre = CentreWindow;

TEST_F(Centre, FindingsHaveAColumnAndAFilterOfSensors) {
  open_centre();
  press(Qt::Key_Q, Qt::AltModifier);
  raise_dock("findings");
  auto* const list = view<FindingList>();
  const QAbstractItemModel& rows = *list->table()->model();
  ASSERT_TRUE(wait_until([&] { return rows.rowCount() == 2; }));
  EXPECT_FALSE(list->table()->isColumnHidden(FindingTable::kSensor));
  auto& box = *list->findChild<SensorBox*>();
  ASSERT_TRUE(is_seen(box));
  choose_in(box, 1);
  EXPECT_EQ(rows.rowCount(), 1);
  EXPECT_EQ(rows.index(0, FindingTable::kSensor).data().toString(), QStringLiteral("leaf1"));
  choose_in(box, 0);
  EXPECT_EQ(rows.rowCount(), 2);
  QTest::keyClicks(list->findChild<QLineEdit*>(), QStringLiteral("rack7"));
  EXPECT_EQ(rows.rowCount(), 1) << "its words find a sensor, too";
}

TEST_F(Centre, OverviewAndHealthAreAboutAllSensors) {
  open_centre();
  QStringList stages;
  for (const auto* stage : view<HealthBar>()->findChildren<QToolButton*>()) stages << stage->accessibleName();
  EXPECT_THAT(
      stages.join(QLatin1Char('\n')).toStdString(),
      AllOf(HasSubstr("Sensors: ▲ degraded, 3, 1 silent"), HasSubstr("Capture: ✗ losses, 12 frames lost"),
            HasSubstr("Delivery: ✓ OK, 7 waiting"), HasSubstr("Centre: ✓ OK, works"), Not(HasSubstr("Kernel"))));
  ASSERT_TRUE(wait_until([&] { return window.views()->overview().is_settled(); }));
  const std::string overview = view<OverviewView>()->plain_text().toStdString();
  EXPECT_THAT(overview, AllOf(HasSubstr("; seen by rack7"), HasSubstr("; seen by leaf1, leaf2"),
                              HasSubstr("1,234 frames, 4 queue pairs at all sensors since they were started."),
                              HasSubstr("At: leaf2"), HasSubstr("Silent: rack7")));
  QStringList lines;
  for (const auto* label : window.findChildren<QLabel*>()) {
    if (label->isVisible()) lines << label->text();
  }
  EXPECT_THAT(lines.join(QLatin1Char('\n')).toStdString(),
              HasSubstr("Silent: rack7. What was seen there since then is not shown. leaf2 lost frames or octets."));
  picture(window, QStringLiteral("overview-of-a-site"));
}

TEST_F(Centre, ASensorThatIsStartedAgainLeavesNothingOpenBehind) {
  open_centre();
  press(Qt::Key_Q, Qt::AltModifier);
  const auto open = made::qp_of("leaf1", 2, 8, 5), later = made::qp_of("leaf1", 4, 0, 5);
  for (const auto& one : {open, later}) one->ended = false;
  daemon.directory.tell(live::QpOpened{open});
  ASSERT_TRUE(wait_until([&] { return rows_of_table() == 5; }));
  daemon.directory.change([&](live::Status&) { daemon.directory.known_qps.push_back(later); });
  daemon.directory.tell(live::QpOpened{later});
  ASSERT_TRUE(wait_until([&] { return view<QpTableView>()->model().find(later->record.qp) != nullptr; }));
  EXPECT_TRUE(wait_until([&] { return view<QpTableView>()->model().find(open->record.qp) == nullptr; }))
      << "the run that had it open is over";
  EXPECT_EQ(rows_of_table(), 5);
}

}  // namespace
}  // namespace iwarpscope::gui::centre_test
