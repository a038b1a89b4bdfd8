// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The pages of the window: the start page, the overview, the details; and what is new on the overview.
#include <QAction>
#include <QDockWidget>
#include <QHBoxLayout>
#include <QSignalBlocker>
#include <QStackedWidget>
#include <QTabBar>
#include <QTimer>

#include <algorithm>
#include <utility>

#include "views/health_bar.h"
#include "views/overview/outcome_bar.h"
#include "views/overview/overview_view.h"
#include "views/queue_pairs/qp_table_view.h"
#include "views/site/site_view.h"
#include "views/summary/verdict_view.h"
#include "window/failure_notifier.h"
#include "window/main_window.h"
#include "window/recent_files.h"
#include "window/session_views.h"
#include "window/start_page.h"

namespace iwarpscope::gui {
namespace {

constexpr int kOverviewTab = 0, kDetailsTab = 1, kSiteTab = 2;

}  // namespace

/// Above both pages, hidden while nothing is open.
QWidget* MainWindow::make_page_row() {
  auto* around = new QWidget(this);
  auto* row = new QHBoxLayout(around);
  row->setContentsMargins({});
  pages_ = new QTabBar(around);
  pages_->setAccessibleName(tr("Pages"));
  pages_->setExpanding(false);
  pages_->setDrawBase(false);
  pages_->addTab(tr("Overview"));
  pages_->setTabToolTip(kOverviewTab, tr("What went wrong, the worst first (Alt+O)"));
  pages_->addTab(tr("Queue pairs"));
  pages_->setTabToolTip(kDetailsTab, tr("The table of queue pairs, and the views of the chosen one (Alt+Q)"));
  pages_->addTab(tr("Site"));
  pages_->setTabToolTip(kSiteTab, tr("What needs a look at the site: pairs of hosts, sensors, what is new (Alt+I)"));
  pages_->setTabVisible(kSiteTab, false);
  outcomes_ = new OutcomeBar(around);
  row->addWidget(pages_);
  row->addWidget(outcomes_, 1);
  connect(pages_, &QTabBar::currentChanged, this, [this](int tab) {
    if (views_) show_page(static_cast<Page>(tab));
  });
  connect(outcomes_, &OutcomeBar::filter_wanted, this, &MainWindow::filter_table);
  return around;
}

QpTableView* MainWindow::table() const {
  return center_->findChild<QpTableView*>();
}

/// The start page has the window for itself.
void MainWindow::show_start() {
  start_->set_recent(RecentFiles(settings_).all());
  pages_->parentWidget()->hide();
  hide_docks();
}

void MainWindow::hide_docks() {
  if (views_layout_.isEmpty()) views_layout_ = saveState(kLayoutVersion);
  for (const auto& [name, dock] : docks_) dock->hide();
  health_->hide();
}

void MainWindow::show_docks() {
  if (!views_layout_.isEmpty()) restoreState(std::exchange(views_layout_, {}), kLayoutVersion);
  health_->show();
}

void MainWindow::show_page(Page page) {
  if (!views_) return;
  if (page == Page::site && !site_->isVisible()) page = Page::overview;
  {
    const QSignalBlocker quiet(pages_);
    pages_->setCurrentIndex(static_cast<int>(page));
  }
  pages_->parentWidget()->show();
  QWidget* view = table();
  if (page == Page::overview) view = center_->findChild<OverviewView*>();
  if (page == Page::site) view = center_->findChild<SiteView*>();
  center_->setCurrentWidget(view);
  page == Page::details ? show_docks() : hide_docks();
  fit_views_soon();
  qp_changed();
  view->setFocus();
  // After what the page is shown for, which may be a queue pair.
  if (page == Page::details) QMetaObject::invokeMethod(views_.get(), &SessionViews::want_choice, Qt::QueuedConnection);
}

/// At another daemon, the page would have nothing to show.
void MainWindow::offer_site(bool is_centre) {
  if (site_->isVisible() == is_centre) return;
  const bool is_shown = pages_->currentIndex() == kSiteTab;
  site_->setVisible(is_centre);
  if (is_shown && !is_centre) show_page(Page::overview);
  const QSignalBlocker quiet(pages_);
  pages_->setTabVisible(kSiteTab, is_centre);
}

/// To each context menu: all views are about the chosen queue pair.
void MainWindow::add_qp_actions() {
  auto* const line = new QAction(table());
  line->setSeparator(true);
  const QList<QAction*> all = QList<QAction*>{line, qp_title_} + of_qp_;
  table()->add_to_menu(all);
  center_->findChild<OverviewView*>()->add_to_menus(all);
  for (const auto& [name, dock] : docks_) {
    for (auto* view : dock->findChildren<QWidget*>()) {
      const bool has_menu =
          view->contextMenuPolicy() == Qt::ActionsContextMenu || qobject_cast<VerdictView*>(view) != nullptr;
      if (has_menu) view->addActions(all);
    }
  }
}

/// Until the user drags an edge between views, they have the height that they need.
void MainWindow::fit_views() {
  if (!views_ || is_dragged_ || pressed_ || center_->currentWidget() != table()) return;
  fit_table();
  fit_verdict();
}

/// The height of the tabs below a dock: resizeDocks() includes it in the height of the dock.
int MainWindow::tabs_height(const QDockWidget& dock) const {
  for (const auto* tabs : findChildren<QTabBar*>(Qt::FindDirectChildrenOnly)) {
    const QRect below = dock.geometry().adjusted(0, 0, 0, tabs->height());
    if (tabs->isVisible() && tabs->geometry().intersects(below)) return tabs->height();
  }
  return 0;
}

/// At most a third of the window: the views below need more than the table, which scrolls.
void MainWindow::fit_table() {
  const int wanted = std::min(table()->wanted_height(), height() / 3);
  for (const auto& [name, dock] : docks_) {
    const bool is_below = dockWidgetArea(dock) == Qt::BottomDockWidgetArea && !dock->isFloating();
    if (!is_below || !dock->isVisible() || dock->visibleRegion().isEmpty()) continue;
    if (table()->height() == wanted) return;
    resizeDocks({dock}, {dock->height() + tabs_height(*dock) + table()->height() - wanted}, Qt::Vertical);
    return;
  }
}

/// At most most of what it shares with the frame below. It only grows, so that the frame stays where it is.
void MainWindow::fit_verdict() {
  QDockWidget& verdict = *docks_.at(QStringLiteral("verdict"));
  QDockWidget& frame = *docks_.at(QStringLiteral("frame"));
  const auto* const view = verdict.findChild<VerdictView*>();
  for (const QDockWidget* dock : {&verdict, &frame}) {
    const bool is_right = dockWidgetArea(const_cast<QDockWidget*>(dock)) == Qt::RightDockWidgetArea;
    if (!is_right || dock->isFloating() || !dock->isVisible() || dock->visibleRegion().isEmpty()) return;
  }
  if (view == nullptr || frame.y() <= verdict.y()) return;
  const int both = verdict.height() + frame.height();
  const int wanted = std::min(verdict.height() + view->wanted_height() - view->height(), both * 3 / 5);
  if (wanted <= verdict.height()) return;
  resizeDocks({&verdict, &frame}, {wanted + tabs_height(verdict), both - wanted + tabs_height(frame)}, Qt::Vertical);
}

/// The heights of the table and of the verdict.
std::pair<int, int> MainWindow::heights() const {
  return {table()->height(), docks_.at(QStringLiteral("verdict"))->height()};
}

/// Rows that come together change the height once.
void MainWindow::fit_views_soon() {
  if (!fit_soon_->isActive()) fit_soon_->start();
}

/// The edges between the views belong to the window itself.
bool MainWindow::event(QEvent* event) {
  if (event->type() == QEvent::Resize && fit_soon_ != nullptr) fit_views_soon();
  if (event->type() == QEvent::ApplicationPaletteChange) keep_placeholders_legible();
  if (event->type() == QEvent::ChildPolished) {
    // Names of views are not cut. If there is no room for all, Qt shows arrows to reach the others.
    auto* const tabs = qobject_cast<QTabBar*>(static_cast<QChildEvent*>(event)->child());
    if (tabs != nullptr) tabs->setElideMode(Qt::ElideNone);
  }
  const bool is_press = event->type() == QEvent::MouseButtonPress;
  if (is_press && views_) pressed_ = heights();
  const bool is_done = QMainWindow::event(event);
  if (event->type() != QEvent::MouseButtonRelease || !pressed_) return is_done;
  // Qt moves the views a moment later.
  QTimer::singleShot(4 * fit_soon_->interval(), this, [this] {
    if (!pressed_) return;
    const auto before = *std::exchange(pressed_, std::nullopt);
    is_dragged_ = is_dragged_ || (views_ && heights() != before);
  });
  return is_done;
}

/// To the front, from any page.
void MainWindow::go_to_dock(QDockWidget& dock) {
  show_page(Page::details);
  dock.show();
  dock.raise();
  dock.activateWindow();  // it may be outside this window
  if (dock.widget() != nullptr) dock.widget()->setFocus();
}

void MainWindow::follow_overview() {
  connect(views_.get(), &SessionViews::details_wanted, this, [this] { show_page(Page::details); });
  connect(&views_->overview(), &OverviewModel::changed, this, &MainWindow::show_incidents);
  connect(&views_->overview(), &OverviewModel::failed, this, [this](quint64 count) {
    if (!isActiveWindow()) notifier_->note(count, title_);
  });
  FilterBar& filter = table()->filter_bar();
  connect(&filter, &FilterBar::filter_changed, outcomes_, [this, &filter] { outcomes_->set_filter(filter.text()); });
  outcomes_->set_filter(filter.text());
  show_incidents();
}

/// On the buttons, the tab and in the title of the window.
void MainWindow::show_incidents() {
  const OverviewModel& overview = views_->overview();
  outcomes_->set_incidents(overview.incidents());
  const std::uint64_t fresh = overview.fresh();
  see_all_->setEnabled(fresh != 0);
  pages_->setTabText(kOverviewTab, fresh == 0 ? tr("Overview") : tr("Overview (%L1 new)").arg(fresh));
  setWindowTitle(fresh == 0 ? title_ : tr("(%L1) %2").arg(fresh).arg(title_));
}

/// Empty: shows all. The views beside the table then show a queue pair that is in it.
void MainWindow::filter_table(const QString& filter) {
  if (!views_) return;
  if (!filter.isEmpty()) show_page(Page::details);
  table()->filter_bar().set_text(filter);
  const QpModel& shown = table()->model();
  const auto chosen = views_->selection().qp();
  if (chosen && shown.index_of(*chosen).isValid()) return;
  if (const auto first = shown.first(1); !first.empty()) views_->selection().set_qp(first.front());
}

void MainWindow::see_all_failures() {
  if (views_) views_->overview().see_all();
}

}  // namespace iwarpscope::gui
