// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// A picture of each view for the documents, light and dark: IWARPSCOPE_SCREENSHOTS names the folder.
#include <QElapsedTimer>
#include <QLabel>
#include <QPlainTextEdit>
#include <QProcess>
#include <QProgressBar>
#include <QStatusBar>
#include <QTableView>
#include <QTreeView>

#include <algorithm>

#include "gui/window/made_site.h"
#include "gui/window/open_window.h"
#include "views/atomics/atomic_view.h"
#include "views/buffers/buffer_view.h"
#include "views/frame/frame_view.h"
#include "views/hosts/host_view.h"
#include "views/ladder/ladder_canvas.h"
#include "views/ladder/ladder_view.h"
#include "views/logs/log_view.h"
#include "views/overview/overview_view.h"
#include "views/plots/track_view.h"
#include "views/queue_pairs/qp_table_view.h"
#include "views/site/site_view.h"
#include "window/server_dialog.h"

namespace iwarpscope::gui::pictures_test {
namespace {

using test::wait_until;

QPalette dark() {
  QPalette colors(QColor(0x32, 0x32, 0x34));
  colors.setColor(QPalette::Base, QColor(0x22, 0x22, 0x24));
  colors.setColor(QPalette::AlternateBase, QColor(0x2a, 0x2a, 0x2c));
  colors.setColor(QPalette::Highlight, QColor(0x2a, 0x6e, 0xb0));
  colors.setColor(QPalette::Link, QColor(0x7a, 0xb8, 0xff));
  colors.setColor(QPalette::PlaceholderText, QColor(0xa0, 0xa0, 0xa0));
  for (const QPalette::ColorRole role : {QPalette::Text, QPalette::ButtonText, QPalette::WindowText}) {
    colors.setColor(QPalette::Disabled, role, QColor(0x90, 0x90, 0x90));
  }
  return colors;
}

/// For each view: a sample that shows it well.
class Views : public testing::TestWithParam<bool> {
 protected:
  Views() : before_(QApplication::palette()) {
    if (GetParam()) QApplication::setPalette(dark());
  }
  ~Views() override { QApplication::setPalette(before_); }

  /// Picture of a view outside the window, in a readable size.
  void take(QDockWidget& dock, QSize size, const QString& view) {
    dock.setFloating(true);
    dock.raise();
    dock.resize(size);
    ASSERT_TRUE(wait_until([&] { return dock.widget()->isVisible() && dock.width() == size.width(); }));
    picture(*dock.widget(), name(view));
    dock.setFloating(false);
  }
  [[nodiscard]] static QString name(const QString& view) {
    return QStringLiteral("%1-%2").arg(view, GetParam() ? QStringLiteral("dark") : QStringLiteral("light"));
  }

 private:
  const QPalette before_;
};

struct Opened : OpenWindow {
  void TestBody() override {}
  using OpenWindow::dock;
  using OpenWindow::is_whole;
  using OpenWindow::open;
  using OpenWindow::view;
  using OpenWindow::window;
};

/// Its cards are there, and have theirs.
bool has_sentences(Opened& at) {
  const std::vector<OverviewCard>& cards = at.window.views()->overview().cards();
  return !cards.empty() && at.view<OverviewView>()->cards().size() == cards.size() &&
         std::none_of(cards.begin(), cards.end(),
                      [](const OverviewCard& card) { return card.incident.verdict.text.empty(); });
}

constexpr QSize kTall{760, 640}, kWide{1100, 560};

TEST_P(Views, OfTheOverview) {
  Opened at;
  at.window.resize(1400, 900);
  ASSERT_TRUE(at.open("made/questions/three-ways-to-fail.pcapng"));
  at.window.show_page(MainWindow::Page::overview);
  ASSERT_TRUE(wait_until([&] { return at.window.views()->overview().is_settled(); }));
  picture(at.window, name(QStringLiteral("overview")));
}

TEST_P(Views, OfNoCapture) {
  Opened at;
  picture(at.window, name(QStringLiteral("start")));
}

TEST_P(Views, OfAFileThatIsNoCapture) {
  Opened at;
  at.window.open_files({QStringLiteral("/etc/hosts")});  // its path is in the picture
  const auto is_said = [&at] {
    const auto labels = at.window.findChildren<QLabel*>();
    return std::any_of(labels.begin(), labels.end(), [](const QLabel* one) {
      return one->isVisible() && one->text().contains(QLatin1String("not a capture file"));
    });
  };
  ASSERT_TRUE(wait_until(is_said));
  picture(at.window, name(QStringLiteral("not-a-capture")));
}

TEST_P(Views, OfACaptureWithoutIwarp) {
  Opened at;
  at.window.open_files({test::sample("made/messages/ordinary-http.pcapng")});
  ASSERT_TRUE(wait_until([&at] {
    const StatusPtr& status = at.window.views()->session().status();
    return status && !status->capturing();
  }));
  picture(at.window, name(QStringLiteral("no-iwarp")));
}

TEST_P(Views, OfAFileThatIsBeingRead) {
  QTemporaryDir folder;
  // Two million messages: reading takes seconds.
  const QString file = folder.filePath(QStringLiteral("large.pcap"));
  ASSERT_EQ(
      QProcess::execute(QStringLiteral(IWARPSCOPE_SYNTH),
                        {QStringLiteral("scattered-writes"), QStringLiteral("2000000"), QStringLiteral("-o"), file}),
      0);
  const English english;
  Opened at;
  at.window.open_files({test::sample("made/questions/three-ways-to-fail.pcapng"), file});
  auto* const progress = at.window.statusBar()->findChild<QProgressBar*>();
  ASSERT_TRUE(wait_until(
      [&] { return progress->isVisible() && progress->value() > progress->maximum() / 10 && has_sentences(at); }));
  EXPECT_LT(progress->value(), progress->maximum());
  EXPECT_TRUE(at.view<OverviewView>()->plain_text().startsWith(QLatin1String("What went wrong so far: 2 failed, ")));
  picture_now(at.window, name(QStringLiteral("loading")));
  at.window.close_session();
}

/// A daemon that replays what comes from a pipe: the first failure is old, the others come while the window is open.
TEST_P(Views, OfADaemonWithNewFailures) {
  QFile file(test::sample("made/questions/three-ways-to-fail.pcapng"));
  ASSERT_TRUE(file.open(QIODevice::ReadOnly));
  const QByteArray all = file.readAll();
  constexpr qsizetype kWithOneFailure = 1500;
  const test::OwnDaemon daemon("made/questions/three-ways-to-fail.pcapng");
  QProcess process;
  daemon.start(process, QStringLiteral("-"));
  ASSERT_TRUE(process.waitForStarted());
  process.write(all.first(kWithOneFailure));
  const English english;
  Opened at;
  at.window.resize(1400, 900);
  at.window.open(daemon.source());
  ASSERT_TRUE(wait_until([&] { return at.window.views()->overview().cards().size() == 1; }));
  process.write(all.sliced(kWithOneFailure));
  ASSERT_TRUE(wait_until([&] { return at.window.views()->overview().fresh() == 2 && has_sentences(at); }));
  EXPECT_TRUE(at.window.windowTitle().startsWith(QLatin1String("(2) "))) << at.window.windowTitle().toStdString();
  for (const char* hidden : {"Progress of reading", "Cancel reading"}) {
    for (const auto* one : at.window.statusBar()->findChildren<QWidget*>()) {
      EXPECT_FALSE(one->accessibleName() == QLatin1String(hidden) && one->isVisible()) << hidden;
    }
  }
  picture(at.window, name(QStringLiteral("live")));
  at.window.close_session();
  process.closeWriteChannel();
  process.terminate();
  process.waitForFinished();
}

/// docs/pictures/site-dashboard.png is the light one.
TEST_P(Views, OfASite) {
  const English english;
  api::testing::Daemon daemon;
  made::make_centre(daemon);
  live::SiteView site = made::site();
  for (std::uint32_t i = 0; i < 5; ++i) site.pairs.push_back(made::pair(20 + 2 * i, {i, 0, i % 2, 0, 5 - i, 0, 1}));
  std::sort(site.pairs.begin(), site.pairs.end(), [](const live::SitePair& one, const live::SitePair& other) {
    return std::pair(one.days, one.failed) > std::pair(other.days, other.failed);
  });
  daemon.site.set(site);
  ASSERT_EQ(daemon.start(), "");
  Opened at;
  at.window.resize(1400, 800);
  at.window.open(made::source_of(daemon));
  const auto& page = *at.view<SiteView>();
  ASSERT_TRUE(wait_until([&] {
    at.window.show_page(MainWindow::Page::site);
    return is_seen(page) && page.pairs().model()->rowCount() == 7;
  }));
  picture(at.window, GetParam() ? QStringLiteral("site-dashboard-dark") : QStringLiteral("site-dashboard"));
  at.window.close_session();
}

/// With QT_SCALE_FACTOR=2: a window that fills a screen of 1920 by 1080 pixels.
TEST_P(Views, OfTheWindowAtDoubleScale) {
  if (qApp->devicePixelRatio() < 2) GTEST_SKIP() << "QT_SCALE_FACTOR is not 2";
  const English english;
  Opened at;
  at.window.resize(950, 505);  // below a panel and a title
  ASSERT_TRUE(at.open("siw/viol-crc-error.pcap"));
  const FrameModel& model = at.view<FrameView>()->model();
  ASSERT_TRUE(wait_until([&] { return !model.wrong_octets().empty(); }));
  picture(at.window, name(QStringLiteral("double-scale")));
}

TEST_P(Views, OfAnotherProgramOnThePort) {
  Opened at;
  ASSERT_TRUE(at.open("made/questions/another-program-speaks-first.pcapng"));
  at.window.show_page(MainWindow::Page::details);
  at.dock("ladder")->raise();
  picture(at.window, name(QStringLiteral("another-program")));
}

TEST_P(Views, OfALossyConnection) {
  QElapsedTimer clock;
  clock.start();
  Opened at;
  ASSERT_TRUE(at.open("siw/lossy-rping-16k-crc-at-server.pcap.gz"));
  for (const char* view : {"ladder", "timeline", "latency"}) {
    take(*at.dock(view), QLatin1String(view) == QLatin1String("timeline") ? QSize(1100, 800) : kWide,
         QLatin1String(view));
  }
  QTreeView* stags = at.view<BufferView>()->table();
  const auto placed = [stags](int row) {
    return stags->model()->index(row, BufferModel::kPlaced).data(BufferModel::kSortRole).toULongLong();
  };
  int most = 0;
  for (int row = 0; row < stags->model()->rowCount(); ++row) most = placed(row) > placed(most) ? row : most;
  ASSERT_GT(placed(most), 0u) << "it has no buffer to show";
  stags->setCurrentIndex(stags->model()->index(most, 0));
  EXPECT_TRUE(wait_until([&] { return at.view<BufferView>()->canvas()->current() != nullptr; }));
  take(*at.dock("buffers"), kWide, QStringLiteral("buffers"));
  EXPECT_LT(clock.elapsed(), 20'000) << "throughput that was drawn before its axis fitted took forty seconds";
}

TEST_P(Views, OfARefusal) {
  Opened at;
  ASSERT_TRUE(at.open("siw/viol-mpa-reply-ird-insufficient.pcap"));
  take(*at.dock("verdict"), kTall, QStringLiteral("verdict"));
  take(*at.dock("handshake"), kTall, QStringLiteral("handshake"));
}

TEST_P(Views, OfAWrongCrc) {
  Opened at;
  ASSERT_TRUE(at.open("siw/viol-crc-error.pcap"));
  const FrameModel& model = at.view<FrameView>()->model();
  ASSERT_TRUE(wait_until([&] { return !model.wrong_octets().empty(); }));
  take(*at.dock("frame"), kTall, QStringLiteral("frame"));
}

TEST_P(Views, OfAtomics) {
  Opened at;
  ASSERT_TRUE(at.open("made/messages/atomics.pcapng"));
  at.window.views()->selection().set_qp(at.window.views()->qps().front().record.qp);
  ASSERT_TRUE(at.is_whole());
  QTreeView* words = at.view<AtomicView>()->words();
  ASSERT_TRUE(wait_until([&] { return words->model()->rowCount() > 0; }));
  words->setCurrentIndex(words->model()->index(0, 0));
  take(*at.dock("atomics"), kWide, QStringLiteral("atomics"));
}

TEST_P(Views, OfManyQueuePairs) {
  Opened at;
  ASSERT_TRUE(at.open("siw/many-100-rping-crc.pcap.gz"));
  auto* table = at.view<QpTableView>();
  for (QDockWidget* dock : at.window.findChildren<QDockWidget*>()) dock->hide();
  ASSERT_TRUE(wait_until([&] { return table->width() > 1000; }));
  picture(*table, name(QStringLiteral("queue-pairs")));
  at.dock("findings")->show();
  take(*at.dock("findings"), kWide, QStringLiteral("findings"));
}

TEST_P(Views, OfTracks) {
  Opened at;
  ASSERT_TRUE(at.open("siw/many-64qp-write-crc.pcap.gz"));
  at.dock("tracks")->raise();
  auto* tracks = at.view<TrackView>();
  ASSERT_TRUE(wait_until([&] {
    const auto& panes = tracks->panes();
    return !panes.empty() && !panes.back()->track()->data.is_empty();
  }));
  take(*at.dock("tracks"), QSize(1100, 800), QStringLiteral("tracks"));
}

TEST_P(Views, OfManyHosts) {
  Opened at;
  QStringList files;
  for (const char* name : {"siw/viol-crc-error.pcap", "siw/term-write-bad-stag.pcap", "made/network/ipv6.pcapng",
                           "made/startup/reject.pcapng", "made/rules/mpa.many-startups.pcapng",
                           "made/rules/stag.guessing.pcapng", "made/questions/three-ways-to-fail.pcapng"}) {
    files << test::sample(name);
  }
  ASSERT_TRUE(at.open(files));
  at.dock("hosts")->raise();
  auto* hosts = at.view<HostView>();
  ASSERT_TRUE(wait_until([&] { return hosts->matrix().model()->rowCount() > 1; }));
  take(*at.dock("hosts"), kWide, QStringLiteral("hosts"));
}

TEST_P(Views, OfLinesOfALog) {
  Opened at;
  ASSERT_TRUE(at.open("siw/viol-crc-error.pcap"));
  at.dock("log")->raise();
  auto* log = at.view<LogView>();
  log->findChild<QPlainTextEdit*>()->setPlainText(
      QStringLiteral("[  97.341702] siw: crc error. in: 13ded25c, own ab679949, op 3\n"
                     "[  97.341988] siw: got TERMINATE. layer 2, type 0, code 2\n"));
  auto* matches = log->findChild<QTreeView*>(QString(), Qt::FindChildrenRecursively);
  ASSERT_TRUE(wait_until([&] { return matches->model()->rowCount() > 0; }));
  take(*at.dock("log"), kWide, QStringLiteral("log-lines"));
}

/// Pictures of all views, one after the other.
std::map<QString, QImage> looks(const Opened& at) {
  std::map<QString, QImage> all;
  for (QDockWidget* dock : at.window.findChildren<QDockWidget*>()) {
    dock->raise();
    all[dock->objectName()] = settled(*dock->widget());
  }
  all[QString()] = settled(*at.window.findChild<QpTableView*>());
  return all;
}

double share_of_different(const QImage& one, const QImage& other) {
  if (one.size() != other.size()) return 1;
  double count = 0;
  for (int y = 0; y < one.height(); ++y) {
    for (int x = 0; x < one.width(); ++x) count += one.pixel(x, y) == other.pixel(x, y) ? 0 : 1;
  }
  return count / (one.width() * one.height());
}

TEST(Palette, ThatChangesMakesEveryViewLookAsIfOpenedWithIt) {
  const QPalette before = QApplication::palette();
  std::map<QString, QImage> light, changed, fresh;
  {
    Opened at;
    ASSERT_TRUE(at.open("siw/term-write-bad-stag.pcap"));
    light = looks(at);
    QApplication::setPalette(dark());
    changed = looks(at);
  }
  {
    Opened at;
    ASSERT_TRUE(at.open("siw/term-write-bad-stag.pcap"));
    fresh = looks(at);
  }
  QApplication::setPalette(before);
  EXPECT_GE(changed.size(), 10u);
  for (const auto& [name, image] : changed) {
    EXPECT_GT(share_of_different(image, light.at(name)), 0.5) << name.toStdString() << " did not change";
    EXPECT_LT(share_of_different(image, fresh.at(name)), 0.01) << name.toStdString() << " has changed in part";
  }
}

INSTANTIATE_TEST_SUITE_P(Light, Views, testing::Values(false));
INSTANTIATE_TEST_SUITE_P(Dark, Views, testing::Values(true));

}  // namespace
}  // namespace iwarpscope::gui::pictures_test
