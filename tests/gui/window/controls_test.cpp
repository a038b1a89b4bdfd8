// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The window's own controls: files dropped on it, a paused live view, a cancelled replay.
#include <QDir>
#include <QDropEvent>
#include <QElapsedTimer>
#include <QMimeData>
#include <QProcess>
#include <QProgressBar>
#include <QStatusBar>
#include <QToolButton>
#include <QUrl>

#include <set>

#include "daemon/api/kit.h"
#include "gui/window/open_window.h"
#include "models/queue_pairs/qp_model.h"
#include "views/queue_pairs/qp_table_view.h"

namespace iwarpscope::gui::controls_test {
namespace {

using test::sample;
using test::wait_until;
using testing::HasSubstr;

class Controls : public OpenWindow {
 protected:
  /// As a file manager would do. False: the window does not accept it.
  bool drop(const QList<QUrl>& urls) {
    QMimeData data;
    data.setUrls(urls);
    const QPoint middle = window.rect().center();
    const Qt::DropActions possible = Qt::CopyAction | Qt::MoveAction;
    QDragEnterEvent enter(middle, possible, &data, Qt::LeftButton, Qt::NoModifier);
    enter.setAccepted(false);
    QApplication::sendEvent(&window, &enter);
    if (!enter.isAccepted() || !window.acceptDrops()) return false;
    QDropEvent event(middle, possible, &data, Qt::LeftButton, Qt::NoModifier);
    event.setAccepted(false);
    QApplication::sendEvent(&window, &event);
    return event.isAccepted();
  }
  [[nodiscard]] std::string status_bar() const { return window.statusBar()->currentMessage().toStdString(); }
};

TEST_F(Controls, ADroppedCaptureIsOpened) {
  ASSERT_TRUE(drop({QUrl::fromLocalFile(sample("siw/viol-crc-error.pcap"))}));
  ASSERT_TRUE(is_read());
  EXPECT_EQ(window.views()->session().source().files, QStringList{sample("siw/viol-crc-error.pcap")});
  EXPECT_THAT(window.windowTitle().toStdString(), HasSubstr("viol-crc-error.pcap"));
}

TEST_F(Controls, SeveralDroppedCapturesAreOpenedTogether) {
  const QStringList files{sample("siw/viol-crc-error.pcap"), sample("siw/term-write-bad-stag.pcap")};
  ASSERT_TRUE(drop({QUrl::fromLocalFile(files[0]), QUrl::fromLocalFile(files[1])}));
  EXPECT_EQ(window.views()->session().source().files, files);
  EXPECT_TRUE(wait_until([&] { return window.views()->qps().size() == 2; }));
}

TEST_F(Controls, WhatIsNoFileIsNotTaken) {
  ASSERT_TRUE(open("siw/viol-crc-error.pcap"));
  const QString before = window.windowTitle();
  EXPECT_FALSE(drop({QUrl(QStringLiteral("https://example.org/a.pcap"))}));
  EXPECT_FALSE(drop({}));
  EXPECT_EQ(window.windowTitle(), before);
}

/// A daemon whose queue pairs change when the test requests it.
class Live : public Controls {
 protected:
  void SetUp() override {
    ASSERT_EQ(daemon.start(), "");
    Source source;
    source.place.socket = daemon.options.socket;
    window.open(source);
    ASSERT_TRUE(wait_until([&] {
      return window.views()->session().link().state == Link::State::connected && !daemon.directory.channels().empty();
    }));
    change(100);
    ASSERT_TRUE(wait_until([&] { return shown() == 100; }));
  }
  void TearDown() override { window.close_session(); }

  void change(std::uint64_t gaps) {
    const auto qp = api::testing::qp_view(3);
    qp->record.directions[0].capture_gap_octets = gaps;
    qp->record.directions[1].capture_gap_octets = 0;
    qp->version = gaps;
    daemon.directory.tell(live::QpChanged{qp});
  }
  /// Row in the table; 0: the queue pair is not in it.
  [[nodiscard]] std::uint64_t shown() const {
    const QpRow* row = window.findChild<QpTableView*>()->model().find(3);
    return row == nullptr ? 0 : row->gaps;
  }
  /// A shortcut reaches a window that is active, which it may not be any more.
  void pause() {
    window.activateWindow();
    ASSERT_TRUE(QTest::qWaitForWindowActive(&window));
    press(Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier);
  }

  api::testing::Daemon daemon;
};

TEST_F(Live, PausedByItsActionDoesNotChangeAndGoesOnWithAllThatCame) {
  pause();
  EXPECT_TRUE(window.views()->session().is_paused());
  EXPECT_THAT(status_bar(), HasSubstr("paused"));
  change(200);
  change(300);
  EXPECT_FALSE(wait_until([&] { return shown() != 100; }, 1500)) << "what came is shown: " << shown();
  pause();
  EXPECT_FALSE(window.views()->session().is_paused());
  EXPECT_TRUE(wait_until([&] { return shown() == 300; })) << shown();
  change(400);
  EXPECT_TRUE(wait_until([&] { return shown() == 400; })) << "it is live again";
}

TEST_F(Live, ViewsAreUpdatedAtMostFourTimesASecond) {
  constexpr qint64 kMs = 3000, kEveryMs = 250;
  int updates = 0;
  QObject::connect(&window.views()->session(), &Session::qps_changed, &window, [&updates] { ++updates; });
  QElapsedTimer clock;
  clock.start();
  std::uint64_t gaps = 100;
  while (clock.elapsed() < kMs) {
    change(++gaps);
    QTest::qWait(10);
  }
  EXPECT_LE(updates, clock.elapsed() / kEveryMs + 2);
  EXPECT_GE(updates, 2) << "it is live";
  EXPECT_TRUE(wait_until([&] { return shown() == gaps; })) << "the last is not lost";
}

TEST_F(Live, ClosedWhilePausedIsNotPausedWhenItIsOpenedAgain) {
  pause();
  window.close_session();
  Source source;
  source.place.socket = daemon.options.socket;
  window.open(source);
  EXPECT_FALSE(window.views()->session().is_paused());
  QAction* action = nullptr;
  for (QAction* one : window.findChildren<QAction*>()) {
    if (one->isCheckable() && one->text().contains(QLatin1String("Pause"))) action = one;
  }
  ASSERT_NE(action, nullptr);
  EXPECT_FALSE(action->isChecked());
}

/// Child processes of this process.
std::set<int> children() {
  std::set<int> all;
  for (const QString& thread : QDir(QStringLiteral("/proc/self/task")).entryList(QDir::Dirs | QDir::NoDotAndDotDot)) {
    QFile file(QStringLiteral("/proc/self/task/%1/children").arg(thread));
    if (!file.open(QIODevice::ReadOnly)) continue;
    for (const QByteArray& one : file.readAll().simplified().split(' ')) {
      if (!one.isEmpty()) all.insert(one.toInt());
    }
  }
  return all;
}

TEST_F(Controls, CancelKeepsWhatWasReadOfALargeFile) {
  // Two million messages: reading takes seconds.
  const QString file = folder.filePath(QStringLiteral("large.pcap"));
  ASSERT_EQ(
      QProcess::execute(QStringLiteral(IWARPSCOPE_SYNTH),
                        {QStringLiteral("scattered-writes"), QStringLiteral("2000000"), QStringLiteral("-o"), file}),
      0);
  const std::set<int> before = children();
  window.open_files({file});
  auto* progress = window.statusBar()->findChild<QProgressBar*>();
  QToolButton* cancel = nullptr;
  for (auto* one : window.findChildren<QToolButton*>()) {
    if (one->accessibleName() == QLatin1String("Cancel reading")) cancel = one;
  }
  ASSERT_NE(cancel, nullptr);
  ASSERT_TRUE(wait_until([&] { return cancel->isVisible(); }));
  ASSERT_TRUE(progress->isVisible());
  ASSERT_LT(progress->value(), progress->maximum()) << "it was read before it could be cancelled";
  std::set<int> daemons = children();
  for (const int old : before) daemons.erase(old);
  ASSERT_EQ(daemons.size(), 1u);
  ASSERT_TRUE(wait_until([&] { return !window.views()->qps().empty(); }));
  QTest::mouseClick(cancel, Qt::LeftButton);
  EXPECT_THAT(status_bar(), HasSubstr("cancelled"));
  ASSERT_TRUE(wait_until([&] { return !window.views()->session().status()->capturing(); }));
  EXPECT_FALSE(cancel->isVisible());
  EXPECT_FALSE(progress->isVisible());
  const v1::Status& status = *window.views()->session().status();
  EXPECT_TRUE(status.replay_cut());
  EXPECT_LT(status.totals().frames(), 2'000'000u);
  EXPECT_FALSE(window.views()->qps().empty()) << "what was read stays";
  ASSERT_TRUE(wait_until([&] { return window.views()->qp().has_value(); })) << "the worst of what was read is chosen";
  QStringList said;
  for (const auto* label : window.findChildren<QLabel*>()) {
    if (label->isVisible()) said << label->text();
  }
  EXPECT_THAT(said.join(QLatin1Char('\n')).toStdString(), HasSubstr("Reading was cancelled at "));
  window.close_session();
  EXPECT_TRUE(wait_until([&] { return children() == before; })) << "its daemon still runs";
  ASSERT_TRUE(open("siw/viol-crc-error.pcap")) << "the next one opens as ever";
}

}  // namespace
}  // namespace iwarpscope::gui::controls_test
