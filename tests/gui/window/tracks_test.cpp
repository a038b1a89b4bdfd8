// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Tracks of queue pairs and hosts in the real window, by mouse and keys.
#include <QComboBox>
#include <QLabel>
#include <QMenu>
#include <QScrollArea>
#include <QScrollBar>
#include <QTimer>
#include <QTreeView>

#include "gui/window/mouse.h"
#include "views/frame/frame_view.h"
#include "views/plots/plot_pane.h"
#include "views/plots/timeline_view.h"
#include "views/plots/track_view.h"
#include "views/queue_pairs/qp_table_view.h"

namespace iwarpscope::gui::tracks_test {
namespace {

using test::wait_until;
using testing::HasSubstr;

class Tracks : public Mouse {
 protected:
  [[nodiscard]] TrackView& tracks() const { return *view<TrackView>(); }
  [[nodiscard]] TrackPane& pane(std::size_t number) const { return *tracks().panes()[number]; }
  /// Opens the capture and shows the tracks, read to their end.
  [[nodiscard]] bool show(const char* name) {
    if (!open(name)) return false;
    press(Qt::Key_Equal, Qt::AltModifier);
    return wait_until([this] {
      const auto& panes = tracks().panes();
      return !panes.empty() && panes.front()->axisRect()->width() > 100 &&
             std::all_of(panes.begin(), panes.end(), [](const TrackPane* one) {
               const MessageStore* const messages = one->track()->messages.get();
               return messages == nullptr || (messages->qp() && messages->progress() >= 1);
             });
    });
  }
  [[nodiscard]] static QPoint at(const TrackPane& pane, double part) {
    const QRect area = pane.axisRect()->rect();
    return {area.left() + static_cast<int>(area.width() * part), area.bottom() - area.height() / 4};
  }
  /// A point of the pane where no flag is.
  [[nodiscard]] static QPoint beside_flags(const TrackPane& pane) { return at(pane, 0.5); }
  [[nodiscard]] std::optional<TimeRange> mark() { return window.views()->selection().range(); }
  [[nodiscard]] std::string count() const { return tracks().count_text().toStdString(); }
};

TEST_F(Tracks, EachQueuePairOfTheTableHasOneUpToTwelveAndTheOthersAreCounted) {
  ASSERT_TRUE(show("siw/many-100-rping-crc.pcap.gz"));
  ASSERT_EQ(tracks().panes().size(), TrackList::kMost);
  EXPECT_THAT(count(), HasSubstr("12 queue pairs; 88 further down in the table are not shown"));
  const QpModel& model = view<QpTableView>()->model();
  for (std::size_t i = 0; i < TrackList::kMost; ++i) {
    EXPECT_EQ(pane(i).track()->number, model.number_at(model.index(static_cast<int>(i), 0))) << i;
    EXPECT_EQ(pane(i).track()->data.is_empty(), messages_of(pane(i).track()->qp) == 0) << i;
  }
  picture(tracks(), QStringLiteral("tracks-many"));
  // The filter of the table chooses.
  view<QpTableView>()->filter_bar().set_text(QStringLiteral("qp == 7 or qp == 9"));
  window.views()->selection().set_qp(7);
  ASSERT_TRUE(wait_until([this] { return tracks().panes().size() == 2; }));
  EXPECT_EQ(count(), "2 queue pairs");
}

TEST_F(Tracks, KeepTheFocusWhenTheTableShowsLess) {
  ASSERT_TRUE(show("siw/many-100-rping-crc.pcap.gz"));
  const auto has_focus = [this] { return tracks().isAncestorOf(QApplication::focusWidget()); };
  QTest::mouseClick(&pane(3), Qt::LeftButton, {}, beside_flags(pane(3)));
  ASSERT_TRUE(pane(3).hasFocus());
  FilterBar& filter = view<QpTableView>()->filter_bar();
  filter.set_text(QStringLiteral("qp == 1000"));
  ASSERT_TRUE(wait_until([this] { return tracks().panes().size() == 1; }));
  EXPECT_TRUE(has_focus()) << "Qt gives it to the next control, which may be in another view";
}

TEST_F(Tracks, AClickChoosesTheQueuePairAndAClickOnAFlagShowsItsFrame) {
  ASSERT_TRUE(show("made/questions/three-ways-to-fail.pcapng"));
  ASSERT_GT(tracks().panes().size(), 1u);
  const std::size_t other = pane(0).track()->number == window.views()->selection().qp() ? 1 : 0;
  QTest::mouseClick(&pane(other), Qt::LeftButton, {}, beside_flags(pane(other)));
  EXPECT_EQ(window.views()->selection().qp(), pane(other).track()->number);
  EXPECT_THAT(pane(other).accessibleName().toStdString(), HasSubstr("chosen"));
  ASSERT_TRUE(is_whole());
  for (TrackPane* const one : tracks().panes()) {
    const auto& flags = one->track()->flags;
    if (flags.empty()) continue;
    const TrackFlag flag = flags.back();
    const TrackFlag* const drawn = one->flag_at(one->place_of(flag));
    ASSERT_NE(drawn, nullptr) << flag.text().toStdString();
    const FrameNumber frame = drawn->focus.frame;
    for (auto* const area : tracks().findChildren<QScrollArea*>()) area->ensureWidgetVisible(one);
    QTest::mouseClick(one, Qt::LeftButton, {}, one->place_of(flag).toPoint());
    EXPECT_TRUE(wait_until([&] { return view<FrameView>()->model().frame().number == frame; })) << frame.value;
    EXPECT_EQ(window.views()->selection().qp(), one->track()->number);
    EXPECT_TRUE(is_seen(tracks())) << "they stay, to go on with the next flag";
  }
}

TEST_F(Tracks, ASpanThatIsMarkedFiltersAllViewsAndTheTimelineShowsIt) {
  ASSERT_TRUE(show("siw/many-100-rping-crc.pcap.gz"));
  const std::size_t all = view<QpTableView>()->model().shown();
  QTest::mousePress(&pane(0), Qt::LeftButton, {}, at(pane(0), 0.02));
  QTest::mouseMove(&pane(0), at(pane(0), 0.04));
  QTest::mouseRelease(&pane(0), Qt::LeftButton, {}, at(pane(0), 0.05));
  ASSERT_TRUE(mark());
  EXPECT_LT(mark()->from, mark()->to);
  EXPECT_LT(view<QpTableView>()->model().shown(), all) << "others were not active then";
  pane(0).setFocus();
  press(Qt::Key_Escape);
  EXPECT_FALSE(mark());
  EXPECT_EQ(view<QpTableView>()->model().shown(), all);
  QTest::mousePress(&pane(0), Qt::LeftButton, {}, at(pane(0), 0.02));
  QTest::mouseMove(&pane(0), at(pane(0), 0.04));
  QTest::mouseRelease(&pane(0), Qt::LeftButton, {}, at(pane(0), 0.05));
  ASSERT_TRUE(mark());
  press_button("tracks", QStringLiteral("Clear mark"));
  EXPECT_FALSE(mark());
}

TEST_F(Tracks, ZoomAndPanByMouseAndKeysMoveAllTracksAndTheAxisTogether) {
  ASSERT_TRUE(show("siw/many-100-rping-crc.pcap.gz"));
  const QCPRange whole = pane(0).span();
  const auto are_one = [this] {
    const auto& panes = tracks().panes();
    return std::all_of(panes.begin(), panes.end(),
                       [this](const TrackPane* one) { return one->span() == tracks().axis().xAxis->range(); });
  };
  const QPointF middle(at(pane(1), 0.5));
  const auto wheel = [&](int turn, Qt::KeyboardModifiers modifiers) {
    QWheelEvent event(middle, pane(1).mapToGlobal(middle), {}, QPoint(0, turn), Qt::NoButton, modifiers,
                      Qt::NoScrollPhase, false);
    QApplication::sendEvent(&pane(1), &event);
  };
  wheel(240, Qt::NoModifier);
  const QCPRange zoomed = pane(0).span();
  EXPECT_LT(zoomed.size(), whole.size());
  EXPECT_TRUE(are_one());
  wheel(120, Qt::ShiftModifier);
  EXPECT_LT(pane(0).span().lower, zoomed.lower);
  EXPECT_NEAR(pane(0).span().size(), zoomed.size(), 1e-9);
  const double before = pane(0).span().lower;
  QTest::mousePress(&pane(1), Qt::MiddleButton, {}, at(pane(1), 0.6));
  QTest::mouseMove(&pane(1), at(pane(1), 0.4));
  QTest::mouseRelease(&pane(1), Qt::MiddleButton, {}, at(pane(1), 0.4));
  EXPECT_GT(pane(0).span().lower, before) << "the time under the mouse moves with it";
  pane(1).setFocus();
  press(Qt::Key_0);
  EXPECT_EQ(pane(0).span(), whole);
  press(Qt::Key_Plus);
  press(Qt::Key_PageDown);
  EXPECT_LT(pane(0).span().size(), whole.size());
  EXPECT_TRUE(are_one());
  QTest::mouseDClick(&pane(1), Qt::LeftButton, {}, beside_flags(pane(1)));
  EXPECT_EQ(pane(0).span(), whole);
  wheel(240, Qt::NoModifier);
  EXPECT_NE(pane(0).span(), whole);
  press_button("tracks", QStringLiteral("Show all"));
  EXPECT_EQ(pane(0).span(), whole);
}

TEST_F(Tracks, TheAxisStaysWhileTracksScrollAndFitsBelowThem) {
  ASSERT_TRUE(show("siw/many-100-rping-crc.pcap.gz"));
  auto* const area = tracks().findChild<QScrollArea*>();
  ASSERT_GT(area->verticalScrollBar()->maximum(), 0);
  const int top = tracks().axis().mapTo(&window, QPoint()).y();
  area->verticalScrollBar()->setValue(area->verticalScrollBar()->maximum());
  (void)settled(window);
  EXPECT_EQ(tracks().axis().mapTo(&window, QPoint()).y(), top);
  EXPECT_FALSE(tracks().axis().visibleRegion().isEmpty());
  const double middle = pane(0).span().center();
  EXPECT_NEAR(pane(0).xAxis->coordToPixel(middle), tracks().axis().xAxis->coordToPixel(middle), 1);
}

TEST_F(Tracks, OneThatIsKeptStaysWhateverTheTableShows) {
  ASSERT_TRUE(show("siw/many-100-rping-crc.pcap.gz"));
  const std::uint64_t kept = *pane(3).track()->number;
  for (auto* const area : tracks().findChildren<QScrollArea*>()) area->ensureWidgetVisible(&pane(3));
  entry(pane(3), beside_flags(pane(3)), QStringLiteral("Keep This Track"));
  EXPECT_TRUE(wait_until([&] { return pane(0).track()->number == kept; })) << "it goes to the top";
  view<QpTableView>()->filter_bar().set_text(QStringLiteral("qp == %1").arg(kept + 1));
  ASSERT_TRUE(wait_until([this] { return tracks().panes().size() <= 3; }));
  EXPECT_EQ(pane(0).track()->number, kept);
}

TEST_F(Tracks, HostsHaveTheirQueuePairsAndTheirFailures) {
  ASSERT_TRUE(show("made/questions/three-ways-to-fail.pcapng"));
  auto* const kind = tracks().findChild<QComboBox*>();
  QTest::mouseClick(kind, Qt::LeftButton);
  QTest::keyClick(QApplication::focusWidget(), Qt::Key_Down);
  QTest::keyClick(QApplication::focusWidget(), Qt::Key_Return);
  ASSERT_TRUE(wait_until([this] { return !tracks().panes().empty() && !pane(0).track()->number; }));
  EXPECT_THAT(pane(0).track()->title.toStdString(), HasSubstr("failed"));
  const auto& flags = pane(0).track()->flags;
  const auto failures = std::count_if(flags.begin(), flags.end(), [](const auto& flag) { return !flag.rule; });
  EXPECT_GT(failures, 0);
  EXPECT_THAT(pane(0).text_at(0).toStdString(), HasSubstr("opened and not closed"));
  picture(tracks(), QStringLiteral("tracks-hosts"));
}

TEST_F(Tracks, NextFlagByItsKeyAndEnterShowsIt) {
  ASSERT_TRUE(show("siw/viol-crc-error.pcap"));
  const QString title = pane(0).track()->title;
  EXPECT_THAT(pane(0).text_at(0.1).toStdString(), HasSubstr("s: " + title.toStdString()))
      << "the time is not that of the failure, so it does not follow the word";
  pane(0).setFocus();
  press(Qt::Key_Home);
  press(Qt::Key_N);
  press(Qt::Key_Return);
  EXPECT_TRUE(wait_until([this] { return view<FrameView>()->model().frame().number.value != 0; }));
  EXPECT_TRUE(wait_until([this] { return is_seen(*dock("ladder")->widget()); })) << "Enter goes to the ladder";
  press(Qt::Key_Equal, Qt::AltModifier);
  picture(window, QStringLiteral("tracks-one"));
}

}  // namespace
}  // namespace iwarpscope::gui::tracks_test
