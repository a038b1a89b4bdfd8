// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The actions and their keys.
#include <QAction>
#include <QApplication>
#include <QDockWidget>
#include <QIcon>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QSettings>
#include <QStackedWidget>
#include <QTimer>

#include <algorithm>

#include "views/banner.h"
#include "views/local_keys.h"
#include "views/queue_pairs/qp_table_view.h"
#include "window/failure_notifier.h"
#include "window/help_window.h"
#include "window/main_window.h"
#include "window/recent_files.h"
#include "window/session_views.h"
#include "window/view_dock.h"

namespace iwarpscope::gui {
namespace {

constexpr int kLowScreenLines = 48;  // of a screen on which two views above each other have no room

/// From the theme of the desktop; else the one that comes with the program.
QIcon icon_of(const char* name) {
  return QIcon::fromTheme(QLatin1String(name), QIcon(QStringLiteral(":/actions/%1.svg").arg(QLatin1String(name))));
}

}  // namespace

QAction* MainWindow::add_action(QMenu* menu, const QString& text, const QKeySequence& keys, void (MainWindow::*slot)(),
                                const char* icon) {
  QAction* action = menu->addAction(text);
  if (icon != nullptr) action->setIcon(icon_of(icon));
  action->setShortcut(keys);
  connect(action, &QAction::triggered, this, slot);
  return action;
}

/// Positions in the initial layout: the verdict is right of the table, views that need width are below it.
void MainWindow::make_docks() {
  struct Place {
    const char* name;
    QString title;
    Qt::DockWidgetArea area;
  };
  const std::vector<Place> places{
      {"verdict", tr("Verdict"), Qt::RightDockWidgetArea},  {"handshake", tr("Handshake"), Qt::BottomDockWidgetArea},
      {"ladder", tr("Ladder"), Qt::BottomDockWidgetArea},   {"timeline", tr("Timeline"), Qt::BottomDockWidgetArea},
      {"latency", tr("Latency"), Qt::BottomDockWidgetArea}, {"buffers", tr("Buffers"), Qt::BottomDockWidgetArea},
      {"atomics", tr("Atomics"), Qt::BottomDockWidgetArea}, {"findings", tr("Findings"), Qt::BottomDockWidgetArea},
      {"hosts", tr("Hosts"), Qt::BottomDockWidgetArea},     {"log", tr("Log Lines"), Qt::BottomDockWidgetArea},
      {"frame", tr("Frame"), Qt::RightDockWidgetArea},      {"tracks", tr("Tracks"), Qt::BottomDockWidgetArea},
  };
  QDockWidget* below = nullptr;
  for (const Place& place : places) {
    auto* dock = new ViewDock(place.title, this);
    // Qt leaves another view in front when a double click on the title puts this one back.
    connect(dock, &QDockWidget::topLevelChanged, dock, [dock](bool is_outside) {
      if (!is_outside) QTimer::singleShot(0, dock, &QWidget::raise);
    });
    dock->setObjectName(QString::fromLatin1(place.name));
    dock->setAccessibleName(place.title);
    addDockWidget(place.area, dock);
    if (place.area == Qt::BottomDockWidgetArea) {
      if (below != nullptr) tabifyDockWidget(below, dock);
      below = dock;
    }
    dock->toggleViewAction()->setData(static_cast<int>(docks_.size()));  // its position in the menu
    docks_.emplace(dock->objectName(), dock);
  }
  docks_.at(QStringLiteral("ladder"))->raise();
  // On a low screen, what is beside the table is one view high.
  QDockWidget* const verdict = docks_.at(QStringLiteral("verdict"));
  if (room_on_screen().height() < kLowScreenLines * fontMetrics().lineSpacing()) {
    tabifyDockWidget(verdict, docks_.at(QStringLiteral("frame")));
    verdict->raise();
  }
  setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
  const QFontMetrics metrics = fontMetrics();
  resizeDocks({verdict}, {70 * metrics.averageCharWidth()}, Qt::Horizontal);
  resizeDocks({docks_.at(QStringLiteral("ladder"))}, {36 * metrics.lineSpacing()}, Qt::Vertical);
}

void MainWindow::make_menus() {
  make_file_menu();
  make_edit_menu();
  make_view_menu();
  make_help_menu();
}

void MainWindow::make_file_menu() {
  QMenu* menu = menuBar()->addMenu(tr("&File"));
  add_action(menu, tr("&Open Captures..."), QKeySequence::Open, &MainWindow::choose_files, "document-open");
  recent_ = menu->addMenu(icon_of("document-open-recent"), tr("Open &Recent"));
  connect(recent_, &QMenu::aboutToShow, this, &MainWindow::fill_recent);
  again_ =
      add_action(menu, tr("Open the File &Again"), QKeySequence(Qt::Key_F5), &MainWindow::open_again, "view-refresh");
  add_action(menu, tr("Connect to a &Daemon..."), tr("Ctrl+D"), &MainWindow::choose_server, "network-server");
  needs_session_.push_back(
      add_action(menu, tr("&Close"), QKeySequence::Close, &MainWindow::close_session, "window-close"));
  menu->addSeparator();
  of_qp_ << add_action(menu, tr("Open in &Wireshark"), tr("Ctrl+Shift+W"), &MainWindow::open_wireshark, "network-wired")
         << add_action(menu, tr("&Save Packets of the Queue Pair..."), QKeySequence::Save,
                       &MainWindow::choose_packets_file, "document-save")
         << add_action(menu, tr("Save Incident &Bundle..."), tr("Ctrl+B"), &MainWindow::choose_bundle_file,
                       "package-x-generic")
         << add_action(menu, tr("Save Re&port of the Queue Pair..."), tr("Ctrl+Shift+E"),
                       &MainWindow::choose_qp_report_file, "document-export");
  needs_session_.push_back(add_action(menu, tr("&Export Report as HTML..."), tr("Ctrl+E"),
                                      &MainWindow::choose_report_file, "document-export"));
  menu->addSeparator();
  QAction* quit = menu->addAction(tr("&Quit"));
  quit->setIcon(icon_of("application-exit"));
  quit->setShortcut(QKeySequence::Quit);
  quit->setMenuRole(QAction::QuitRole);
  connect(quit, &QAction::triggered, this, &QWidget::close);
}

void MainWindow::make_edit_menu() {
  QMenu* menu = menuBar()->addMenu(tr("&Edit"));
  needs_session_.push_back(add_action(menu, tr("&Copy"), QKeySequence::Copy, &MainWindow::copy, "edit-copy"));
  needs_qp_.push_back(add_action(menu, tr("Copy &Sentence"), tr("Ctrl+Shift+C"), &MainWindow::copy_sentence));
  of_qp_ << add_action(menu, tr("Copy as &JSON"), tr("Ctrl+Shift+J"), &MainWindow::copy_json)
         << add_action(menu, tr("Copy as Wireshark &Filter"), tr("Ctrl+Shift+D"), &MainWindow::copy_filter);
  needs_qp_.insert(needs_qp_.end(), of_qp_.begin(), of_qp_.end());
  menu->addSeparator();
  needs_session_.push_back(
      add_action(menu, tr("&Go to the Filter"), QKeySequence::Find, &MainWindow::go_to_filter, "edit-find"));
  qp_title_ = new QAction(this);
  qp_title_->setEnabled(false);
}

void MainWindow::make_view_menu() {
  QMenu* menu = menuBar()->addMenu(tr("&View"));
  pause_ = menu->addAction(tr("&Pause the Live View"));
  pause_->setIcon(icon_of("media-playback-pause"));
  pause_->setCheckable(true);
  pause_->setShortcut(tr("Ctrl+Shift+P"));
  connect(pause_, &QAction::toggled, this, &MainWindow::set_paused);
  all_of_time_ =
      add_action(menu, tr("Show the Whole &Time"), QKeySequence(Qt::Key_Escape), &MainWindow::show_all_of_time);
  needs_daemon_.push_back(pause_);
  see_all_ = add_action(menu, tr("&Mark All Failures as Seen"), tr("Ctrl+Shift+M"), &MainWindow::see_all_failures);
  notifier_ = new FailureNotifier(settings_, this);
  menu->addAction(notifier_->action());
  menu->addSeparator();
  add_page_actions(*menu);
  menu->addSeparator();
  qsizetype number = 0;
  for (QDockWidget* dock : docks_in_order()) {
    QAction* go = menu->addAction(dock->accessibleName());
    constexpr QLatin1String kKeys{"1234567890-="};  // in the order of the keyboard
    if (number < kKeys.size()) go->setShortcut(QKeySequence(QStringLiteral("Alt+") + kKeys.at(number++)));
    connect(go, &QAction::triggered, dock, [this, dock] { go_to_dock(*dock); });
    needs_session_.push_back(go);
  }
  menu->addSeparator();
  for (QAction* action : {add_action(menu, tr("&Next View"), tr("F6"), &MainWindow::go_to_next_view),
                          add_action(menu, tr("Pre&vious View"), tr("Shift+F6"), &MainWindow::go_to_previous_view),
                          add_action(menu, tr("Float or &Dock the View"), tr("Ctrl+Shift+F"), &MainWindow::float_view),
                          add_action(menu, tr("&Close the View"), {}, &MainWindow::close_view),
                          add_action(menu, tr("&Reset the Layout"), {}, &MainWindow::reset_layout)}) {
    needs_session_.push_back(action);
  }
}

void MainWindow::add_page_actions(QMenu& menu) {
  QAction* overview = menu.addAction(tr("&Overview"));
  overview->setShortcut(tr("Alt+O"));
  connect(overview, &QAction::triggered, this, [this] { show_page(Page::overview); });
  QAction* details = menu.addAction(tr("&Queue Pairs"));
  details->setShortcut(tr("Alt+Q"));
  connect(details, &QAction::triggered, this, [this] { show_page(Page::details); });
  site_ = menu.addAction(tr("S&ite"));
  site_->setShortcut(tr("Alt+I"));
  site_->setVisible(false);
  connect(site_, &QAction::triggered, this, [this] { show_page(Page::site); });
  needs_session_.insert(needs_session_.end(), {overview, details});
}

QList<QDockWidget*> MainWindow::docks_in_order() const {
  QList<QDockWidget*> docks = findChildren<QDockWidget*>(Qt::FindDirectChildrenOnly);  // in no order: see raise()
  std::sort(docks.begin(), docks.end(), [](const QDockWidget* left, const QDockWidget* right) {
    return left->toggleViewAction()->data().toInt() < right->toggleViewAction()->data().toInt();
  });
  return docks;
}

/// The table, then the visible views.
void MainWindow::go_round(int step) {
  QList<QWidget*> views{center_->currentWidget()};
  for (QDockWidget* dock : docks_in_order()) {
    const bool is_seen = dock->isVisible() && !dock->visibleRegion().isEmpty();
    if (is_seen && dock->widget() != nullptr) views << dock->widget();
  }
  const QWidget* const focus = QApplication::focusWidget();
  const auto has_focus = [focus](const QWidget* view) { return view == focus || view->isAncestorOf(focus); };
  const auto now = std::find_if(views.begin(), views.end(), has_focus) - views.begin();
  const auto count = views.size();
  QWidget* const next = views[now == count ? 0 : (now + step + count) % count];
  next->activateWindow();
  next->setFocus(Qt::TabFocusReason);
}

bool MainWindow::focusNextPrevChild(bool next) {
  return go_to_control(*this, next);
}

/// For the view that has the focus, if it has one; else for the table.
void MainWindow::go_to_filter() {
  const QString name = QLatin1String(kFilterField);
  QLineEdit* field = nullptr;
  for (QWidget* around = QApplication::focusWidget(); around != nullptr && field == nullptr;
       around = around->parentWidget()) {
    if (around->parentWidget() != nullptr && qobject_cast<QDockWidget*>(around->parentWidget()) != nullptr) {
      field = around->findChild<QLineEdit*>(name);
    }
  }
  if (field == nullptr) {
    show_page(Page::details);
    field = table()->findChild<QLineEdit*>(name);
  }
  field->setFocus(Qt::ShortcutFocusReason);
  field->selectAll();
}

void MainWindow::go_to_next_view() {
  go_round(1);
}

void MainWindow::go_to_previous_view() {
  go_round(-1);
}

void MainWindow::float_view() {
  QDockWidget* const dock = dock_with_focus();
  if (dock == nullptr) return tell(tr("The table of queue pairs cannot leave the window."));
  dock->setFloating(!dock->isFloating());
  dock->raise();
  dock->activateWindow();
  if (dock->widget() != nullptr) dock->widget()->setFocus();
}

/// Its entry in this menu shows it again.
void MainWindow::close_view() {
  QDockWidget* const dock = dock_with_focus();
  if (dock == nullptr) return tell(tr("The table of queue pairs cannot be closed."));
  dock->close();
  table()->setFocus();
}

/// Null: the table has it.
QDockWidget* MainWindow::dock_with_focus() {
  for (QWidget* around = QApplication::focusWidget(); around != nullptr; around = around->parentWidget()) {
    if (auto* const dock = qobject_cast<QDockWidget*>(around)) return dock;
  }
  return nullptr;
}

void MainWindow::make_help_menu() {
  QMenu* menu = menuBar()->addMenu(tr("&Help"));
  new HelpKey(this);
  add_action(menu, tr("&Explain the Focused Item"), QKeySequence::HelpContents, &MainWindow::show_help,
             "help-contents");
  QAction* about = add_action(menu, tr("&About iwarpscope"), {}, &MainWindow::about, "help-about");
  about->setMenuRole(QAction::AboutRole);
}

void MainWindow::fill_recent() {
  recent_->clear();
  RecentFiles files(settings_);
  for (const QString& file : files.all()) {
    // An ampersand in a name is not a shortcut.
    QAction* action = recent_->addAction(QString(file).replace(QLatin1Char('&'), QStringLiteral("&&")));
    connect(action, &QAction::triggered, this, [this, file] { open_files({file}); });
  }
  if (recent_->isEmpty()) {
    recent_->addAction(tr("None yet"))->setEnabled(false);
    return;
  }
  recent_->addSeparator();
  QAction* forget = recent_->addAction(tr("&Clear This List"));
  connect(forget, &QAction::triggered, this, [this] { RecentFiles(settings_).forget(); });
}

void MainWindow::update_actions() {
  for (QAction* action : needs_session_) action->setEnabled(views_ != nullptr);
  for (QAction* action : needs_qp_) action->setEnabled(views_ && views_->qp());
  for (QAction* action : needs_daemon_) action->setEnabled(views_ && !views_->session().source().is_file());
  qp_title_->setText(views_ && views_->qp() ? tr("Queue Pair %1").arg(views_->qp()->record.qp) : QString());
  if (!views_) see_all_->setEnabled(false);
  again_->setEnabled(views_ && views_->session().source().is_file());
  // Otherwise another action has the key.
  all_of_time_->setEnabled(views_ && views_->selection().range());
}

}  // namespace iwarpscope::gui
