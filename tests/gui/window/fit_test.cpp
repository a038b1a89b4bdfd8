// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// No text of the window is cut and no controls overlap, at the scale set by QT_SCALE_FACTOR.
#include <QAbstractButton>
#include <QComboBox>
#include <QHeaderView>
#include <QLabel>
#include <QLayout>
#include <QLineEdit>
#include <QScrollBar>
#include <QStyle>
#include <QTabBar>
#include <QTableView>
#include <QToolButton>
#include <QTreeView>

#include <iostream>

#include "daemon/api/kit.h"
#include "gui/window/made_site.h"
#include "gui/window/open_window.h"
#include "views/frame/frame_view.h"
#include "views/health_bar.h"
#include "views/queue_pairs/qp_table_view.h"
#include "views/site/site_view.h"
#include "views/summary/html_view.h"
#include "window/passphrase_dialog.h"
#include "window/server_dialog.h"

namespace iwarpscope::gui::fit_test {
namespace {

using test::wait_until;

std::string name_of(const QWidget& widget, const QString& text) {
  std::string name = widget.metaObject()->className();
  name +=
      " '" + text.toStdString() + "' of " + std::to_string(widget.width()) + " x " + std::to_string(widget.height());
  return name + ", wants " + std::to_string(widget.sizeHint().width()) + " x " +
         std::to_string(widget.sizeHint().height());
}

void expect_label_fits(const QLabel& label) {
  if (label.text().isEmpty()) return;
  if (!label.wordWrap()) {
    EXPECT_GE(label.width(), label.sizeHint().width()) << name_of(label, label.text());
    EXPECT_GE(label.height(), label.sizeHint().height()) << name_of(label, label.text());
    return;
  }
  EXPECT_GE(label.height(), label.heightForWidth(label.width())) << name_of(label, label.text());
}

/// The sections of a table's heading with text: without "..." in it.
void expect_heading_fits(const QHeaderView& header) {
  if (header.orientation() != Qt::Horizontal || header.model() == nullptr) return;
  const int margin = header.style()->pixelMetric(QStyle::PM_HeaderMargin, nullptr, &header);
  for (int section = 0; section < header.count(); ++section) {
    if (header.isSectionHidden(section)) continue;
    const QString text = header.model()->headerData(section, Qt::Horizontal).toString();
    const bool is_last = header.stretchLastSection() && header.visualIndex(section) == header.count() - 1;
    if (is_last) continue;  // as wide as the available room; the table scrolls
    EXPECT_GE(header.sectionSize(section), header.fontMetrics().horizontalAdvance(text) + 2 * margin)
        << text.toStdString() << " in " << header.parentWidget()->accessibleName().toStdString();
  }
  EXPECT_GE(header.height(), header.fontMetrics().height());
}

/// Controls of one layout are side by side.
void expect_apart(const QWidget& around) {
  if (around.layout() == nullptr) return;
  std::vector<const QWidget*> all;
  for (const QWidget* child : around.findChildren<const QWidget*>(Qt::FindDirectChildrenOnly)) {
    const bool is_laid_out = around.layout()->indexOf(const_cast<QWidget*>(child)) >= 0;
    if (is_seen(*child) && is_laid_out && !child->isWindow()) all.push_back(child);
  }
  for (std::size_t i = 0; i < all.size(); ++i) {
    EXPECT_TRUE(around.rect().contains(all[i]->geometry()))
        << all[i]->metaObject()->className() << " '" << all[i]->accessibleName().toStdString() << "' exceeds its "
        << around.metaObject()->className();
    for (std::size_t j = 0; j < i; ++j) {
      EXPECT_FALSE(all[i]->geometry().intersects(all[j]->geometry()))
          << all[i]->accessibleName().toStdString() << " overlaps " << all[j]->accessibleName().toStdString();
    }
  }
}

void expect_fits(const QWidget& root) {
  for (const QWidget* widget : root.findChildren<const QWidget*>()) {
    if (!is_seen(*widget) || widget->window() != root.window()) continue;
    if (const auto* label = qobject_cast<const QLabel*>(widget)) expect_label_fits(*label);
    const auto* button = qobject_cast<const QAbstractButton*>(widget);
    if (button != nullptr && !button->text().isEmpty()) {
      EXPECT_GE(button->width(), button->minimumSizeHint().width()) << name_of(*button, button->text());
      EXPECT_GE(button->height(), button->minimumSizeHint().height()) << name_of(*button, button->text());
    }
    if (const auto* box = qobject_cast<const QComboBox*>(widget)) {
      EXPECT_GE(box->width(), box->minimumSizeHint().width()) << name_of(*box, box->currentText());
    }
    if (const auto* header = qobject_cast<const QHeaderView*>(widget)) expect_heading_fits(*header);
    if (const auto* tabs = qobject_cast<const QTabBar*>(widget)) {
      for (int i = 0; i < tabs->count(); ++i) {
        if (!tabs->isTabVisible(i)) continue;
        EXPECT_GE(tabs->tabRect(i).width(), tabs->fontMetrics().horizontalAdvance(tabs->tabText(i)))
            << tabs->tabText(i).toStdString();
      }
    }
    expect_apart(*widget);
  }
  expect_apart(root);
}

class Fit : public OpenWindow {
 protected:
  [[nodiscard]] QString scale() const { return QString::number(window.devicePixelRatioF(), 'f', 0); }
};

TEST_F(Fit, TheScaleIsTheOneThatWasAskedFor) {
  const QString asked = qEnvironmentVariable("QT_SCALE_FACTOR", QStringLiteral("1"));
  EXPECT_EQ(scale(), asked);
  EXPECT_EQ(settled(window).width(), asked.toInt() * window.width()) << "pictures have all of its pixels";
}

TEST_F(Fit, NoTextOfTheWindowIsCutAndNothingLiesOverAnother) {
  expect_fits(window);
  ASSERT_TRUE(open("made/questions/atomic-result-impossible.pcapng"));
  const QList<QDockWidget*> docks = window.findChildren<QDockWidget*>(Qt::FindDirectChildrenOnly);
  for (QDockWidget* dock : docks) {
    SCOPED_TRACE(dock->objectName().toStdString());
    dock->show();
    dock->raise();
    ASSERT_TRUE(wait_until([&] { return is_seen(*dock->widget()); }));
    (void)settled(window);
    expect_fits(window);
  }
  dock("ladder")->raise();
  picture(window, QStringLiteral("window-scale-%1").arg(scale()));
  window.show_page(MainWindow::Page::overview);
  for (const int width : {1360, 960}) {
    window.resize(width, kHeight);
    ASSERT_TRUE(wait_until([&] { return window.width() == width; }));
    (void)settled(window);
    expect_fits(window);
  }
  picture(window, QStringLiteral("overview-scale-%1").arg(scale()));
}

TEST_F(Fit, NoTextOfAViewScrollsSideways) {
  ASSERT_TRUE(open("siw/viol-crc-error.pcap"));
  for (const char* name : {"verdict", "handshake"}) {
    QDockWidget& view = *dock(name);
    const auto* text = view.findChild<HtmlView*>();
    ASSERT_NE(text, nullptr);
    view.raise();
    (void)settled(window);
    EXPECT_EQ(text->horizontalScrollBar()->maximum(), 0) << name << " in " << text->viewport()->width();
    view.setFloating(true);
    for (int width = 560; width < 1000; width += 11) {
      view.resize(width, 500);
      ASSERT_TRUE(wait_until([&] { return view.width() == width; }));
      QCoreApplication::processEvents();
      EXPECT_EQ(text->horizontalScrollBar()->maximum(), 0) << name << " in " << text->viewport()->width();
    }
    view.setFloating(false);
  }
}

/// The important columns are visible without scrolling.
TEST_F(Fit, VerdictFindingAndLastMinuteAreSeenInAWindowOf1360Pixels) {
  ASSERT_TRUE(open("siw/viol-crc-error.pcap"));
  const QTreeView& tree = view<QpTableView>()->tree();
  for (const QpColumn column :
       {QpColumn::ends, QpColumn::state, QpColumn::verdict, QpColumn::worst, QpColumn::activity}) {
    const int section = static_cast<int>(column);
    EXPECT_GE(tree.header()->sectionViewportPosition(section), 0) << section;
    EXPECT_LE(tree.header()->sectionViewportPosition(section) + tree.header()->sectionSize(section),
              tree.viewport()->width())
        << section;
  }
}

/// A screen of 1920 x 1080 at twice the scale has room for 960 x 540, less the window's title and a panel.
TEST_F(Fit, TheWindowCanBeMadeLowEnoughForAScreenAtDoubleScale) {
  constexpr int kLow = 500;
  ASSERT_TRUE(open("made/questions/three-ways-to-fail.pcapng"));
  QDockWidget& verdict = *dock("verdict");
  window.tabifyDockWidget(&verdict, dock("frame"));  // as on a low screen
  verdict.raise();
  EXPECT_LE(window.minimumSizeHint().height(), kLow);
  for (const QDockWidget* one : window.findChildren<QDockWidget*>(Qt::FindDirectChildrenOnly)) {
    EXPECT_LE(one->minimumSizeHint().height(), kLow / 2) << one->objectName().toStdString();
  }
  window.resize(960, kLow);
  ASSERT_TRUE(wait_until([&] { return window.size() == QSize(960, kLow); }, 2000)) << window.height();
  const QTreeView& tree = view<QpTableView>()->tree();
  const QModelIndex last = tree.model()->index(2, 0);
  EXPECT_TRUE(wait_until([&] { return tree.viewport()->rect().contains(tree.visualRect(last).bottomLeft()); }, 2000))
      << "three rows are seen in " << tree.viewport()->height();
  for (const auto* tabs : window.findChildren<QTabBar*>(Qt::FindDirectChildrenOnly)) {
    if (!tabs->isVisible()) continue;
    EXPECT_EQ(tabs->elideMode(), Qt::ElideNone);
  }
  QTreeView& fields = view<FrameView>()->tree();
  dock("frame")->raise();
  ASSERT_TRUE(wait_until([&] { return is_seen(fields); }));
  (void)settled(window);
  EXPECT_GE(fields.viewport()->height(), 3 * fields.visualRect(fields.currentIndex()).height());
  const int value = fields.sizeHintForIndex(fields.currentIndex().siblingAtColumn(FrameModel::kValue)).width();
  EXPECT_GE(fields.columnWidth(FrameModel::kValue), value);
}

/// The same with letters half as large again, as a person sets them who sees badly.
TEST_F(Fit, TheWindowFitsAScreenAtDoubleScaleWithLargeLetters) {
  constexpr int kWide = 960, kHigh = 600;
  QFont large = window.font();
  large.setPointSizeF(large.pointSizeF() * 1.5);
  window.setFont(large);
  EXPECT_LE(window.minimumSizeHint().width(), kWide) << "the start page";
  ASSERT_TRUE(open("made/questions/three-ways-to-fail.pcapng"));
  window.tabifyDockWidget(dock("verdict"), dock("frame"));  // as on a low screen
  for (QDockWidget* one : window.findChildren<QDockWidget*>(Qt::FindDirectChildrenOnly)) {
    one->raise();
    (void)settled(window);
    EXPECT_LE(window.minimumSizeHint().width(), kWide) << one->objectName().toStdString();
  }
  for (const auto page : {MainWindow::Page::overview, MainWindow::Page::details}) {
    window.show_page(page);
    window.resize(kWide, kHigh);
    EXPECT_TRUE(wait_until([&] { return window.size() == QSize(kWide, kHigh); }, 2000))
        << window.width() << " x " << window.height();
  }
  if (!HasFailure()) return;
  for (const auto* widget : window.findChildren<QWidget*>()) {
    const QSize least = widget->minimumSizeHint().expandedTo(widget->minimumSize());
    if (!widget->isVisible() || (least.width() < kWide / 3 && least.height() < kHigh / 3)) continue;
    std::cerr << widget->metaObject()->className() << " '" << widget->accessibleName().toStdString() << "' "
              << widget->objectName().toStdString() << ": " << least.width() << " x " << least.height() << "\n";
  }
}

TEST_F(Fit, ThePageOfASiteFitsItsWindow) {
  api::testing::Daemon daemon;
  made::make_centre(daemon);
  ASSERT_EQ(daemon.start(), "");
  window.open(made::source_of(daemon));
  const auto& site = *view<SiteView>();
  ASSERT_TRUE(wait_until([&] {
    window.show_page(MainWindow::Page::site);
    return is_seen(site) && site.pairs().model()->rowCount() != 0;
  }));
  for (const QSize size : {QSize(1920, 1080), QSize(1280, 800), QSize(960, 600)}) {
    window.resize(size);
    ASSERT_TRUE(wait_until([&] { return window.size() == size; }, 2000))
        << window.width() << " x " << window.height() << " for " << size.width();
    (void)settled(window);
    expect_fits(window);
    picture(window, QStringLiteral("site-%1-scale-%2").arg(size.width()).arg(scale()));
  }
  const QTableView& pairs = site.pairs();
  const QRect newest = pairs.visualRect(pairs.model()->index(0, 6));
  EXPECT_TRUE(pairs.viewport()->rect().contains(newest)) << "the newest failure is in sight";
  window.close_session();
}

/// Its sensor health then shows less text, but tooltips and accessible texts have all of it.
TEST_F(Fit, TheWindowCanBeMade960PixelsWide) {
  api::testing::Daemon daemon;  // it has more stages than a file
  daemon.directory.change([](live::Status& now) {
    now.continued = 1;
    now.not_continued = 200'000;
  });
  ASSERT_EQ(daemon.start(), "");
  Source source;
  source.place.socket = daemon.options.socket;
  window.open(source);
  window.show_page(MainWindow::Page::details);
  const QWidget& health = *view<HealthBar>();
  ASSERT_TRUE(wait_until([&] { return health.findChildren<QToolButton*>().size() > 4; }));
  const auto stages = health.findChildren<QToolButton*>();
  const auto says_all = [](const QToolButton* stage) { return stage->text().contains(QLatin1String(": ")); };
  for (const int width : {2200, 960}) {
    SCOPED_TRACE(width);
    window.resize(width, 860);
    EXPECT_TRUE(wait_until([&] { return window.width() == width; }, 2000)) << window.width();
    (void)settled(window);
    EXPECT_EQ(std::all_of(stages.begin(), stages.end(), says_all), width == 2200);
    for (const QToolButton* stage : stages) {
      EXPECT_TRUE(health.rect().contains(stage->geometry())) << stage->text().toStdString();
      EXPECT_GE(stage->width(), stage->sizeHint().width()) << stage->text().toStdString() << " is cut";
      EXPECT_TRUE(stage->accessibleName().contains(QLatin1String(", "))) << stage->accessibleName().toStdString();
      EXPECT_TRUE(stage->toolTip().startsWith(stage->accessibleName())) << stage->toolTip().toStdString();
    }
  }
  window.close_session();
}

/// Not even with the longest texts.
TEST(HealthBar, CutsWhatItHasNoRoomFor) {
  auto status = std::make_shared<v1::Status>();
  status->set_checkpoint_refused("settings");
  HealthBar bar;
  bar.set_status(status);
  bar.set_stale(true);
  bar.resize(bar.minimumSizeHint().width(), bar.sizeHint().height());
  EXPECT_LE(bar.minimumSizeHint().width(), 960);
  bar.show();
  ASSERT_TRUE(QTest::qWaitForWindowExposed(&bar));
  for (const QToolButton* stage : bar.findChildren<QToolButton*>()) {
    EXPECT_TRUE(bar.rect().contains(stage->geometry())) << stage->text().toStdString();
  }
}

TEST_F(Fit, NoTextOfADialogIsCut) {
  ServerDialog servers(settings, &window);
  PassphraseDialog passphrase("/home/operator/.config/iwarpscope/key.pem", {}, {}, &window);
  for (QDialog* dialog : {static_cast<QDialog*>(&servers), static_cast<QDialog*>(&passphrase)}) {
    dialog->show();
    ASSERT_TRUE(QTest::qWaitForWindowExposed(dialog));
    (void)settled(*dialog);
    expect_fits(*dialog);
    for (const auto* field : dialog->findChildren<QLineEdit*>()) {
      EXPECT_GT(field->width(), field->fontMetrics().horizontalAdvance(field->placeholderText()))
          << field->placeholderText().toStdString();
    }
    dialog->hide();
  }
}

}  // namespace
}  // namespace iwarpscope::gui::fit_test
