// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "window/main_window.h"

#include <QApplication>
#include <QCloseEvent>
#include <QDockWidget>
#include <QLabel>
#include <QLocale>
#include <QProgressBar>
#include <QScreen>
#include <QSettings>
#include <QStackedWidget>
#include <QStatusBar>
#include <QTemporaryDir>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

#include "iwarpscope/v1/status.pb.h"
#include "models/health.h"
#include "models/words.h"
#include "report/human.h"
#include "views/banner.h"
#include "views/colors.h"
#include "views/health_bar.h"
#include "views/plain_tips.h"
#include "views/queue_pairs/qp_table_view.h"
#include "views/summary/verdict_view.h"
#include "window/connection_banner.h"
#include "window/help_window.h"
#include "window/key_unlocker.h"
#include "window/recent_files.h"
#include "window/session_views.h"
#include "window/start_page.h"

namespace iwarpscope::gui {
namespace {

const QString kGeometry = QStringLiteral("window/geometry");
const QString kLayout = QStringLiteral("window/layout");
const QString kDragged = QStringLiteral("window/dragged");
const QString kTable = QStringLiteral("window/queue-pairs");
const QString kFilterOf = QStringLiteral("window/filter-of");  // the files it was for
constexpr int kProgressSteps = 1000;
constexpr int kFitMs = 50;

/// "2023-11-14 22:13:20 UTC".
QString second_text(TimePoint time) {
  const TimePoint second{time.ns / 1'000'000'000 * 1'000'000'000};
  return QString::fromStdString(report::date_time(second)).remove(QStringLiteral(".000000000"));
}

}  // namespace

/// Qt's own themes set no colour for the words of empty fields: on a dark desktop they were black on black.
void MainWindow::keep_placeholders_legible() {
  QPalette all = QApplication::palette();
  const QColor color = placeholder_color(all);
  if (color == all.color(QPalette::PlaceholderText)) return;
  all.setColor(QPalette::PlaceholderText, color);
  QApplication::setPalette(all);
}

MainWindow::MainWindow(QSettings& settings, QWidget* parent) : QMainWindow(parent), settings_(settings) {
  keep_placeholders_legible();
  qApp->installEventFilter(new PlainTips(this));
  setObjectName(QStringLiteral("iwarpscope"));
  setAcceptDrops(true);
  setDockOptions(AllowTabbedDocks | AllowNestedDocks | AnimatedDocks | GroupedDragging);
  help_ = new HelpWindow(this);
  set_keyring(std::make_unique<DesktopKeyring>());
  const QFontMetrics metrics = fontMetrics();
  resize(QSize(200 * metrics.averageCharWidth(), 60 * metrics.lineSpacing()).boundedTo(room_on_screen()));
  make_center();
  make_docks();
  make_status_bar();
  make_menus();
  fit_soon_ = new QTimer(this);
  fit_soon_->setSingleShot(true);
  fit_soon_->setInterval(kFitMs);
  connect(fit_soon_, &QTimer::timeout, this, &MainWindow::fit_views);
  is_dragged_ = settings_.value(kDragged).toBool();
  first_layout_ = saveState(kLayoutVersion);
  restoreGeometry(settings_.value(kGeometry).toByteArray());
  restoreState(settings_.value(kLayout).toByteArray(), kLayoutVersion);
  close_session();
}

MainWindow::~MainWindow() {
  drop_views();
}

/// Below the title of the window. The screen of the offscreen platform is none: it limits no picture.
QSize MainWindow::room_on_screen() const {
  if (QGuiApplication::platformName() == QLatin1String("offscreen")) return {QWIDGETSIZE_MAX, QWIDGETSIZE_MAX};
  return screen()->availableSize() - QSize(0, 2 * fontMetrics().lineSpacing());
}

void MainWindow::make_center() {
  auto* around = new QWidget(this);
  auto* column = new QVBoxLayout(around);
  link_banner_ = new ConnectionBanner(around);
  connect(link_banner_, &ConnectionBanner::try_wanted, this, [this] {
    if (views_) views_->session().try_now();
  });
  // Not within the banner's own signal: opening hides it.
  connect(link_banner_, &ConnectionBanner::open_wanted, this, &MainWindow::open_again, Qt::QueuedConnection);
  loss_banner_ = new Banner(tr("Losses that limit verdicts"), around);
  center_ = new QStackedWidget(around);
  start_ = new StartPage(center_);
  connect(start_, &StartPage::open_wanted, this, &MainWindow::choose_files);
  connect(start_, &StartPage::connect_wanted, this, &MainWindow::choose_server);
  // Not within the page's own signals: opening hides it, or replaces its buttons.
  connect(
      start_, &StartPage::file_wanted, this, [this](const QString& file) { open_files({file}); }, Qt::QueuedConnection);
  connect(start_, &StartPage::sample_wanted, this, &MainWindow::open_sample, Qt::QueuedConnection);
  center_->addWidget(start_);
  // A page is as low as its own content allows.
  connect(center_, &QStackedWidget::currentChanged, this, [this] {
    for (int i = 0; i < center_->count(); ++i) {
      QSizePolicy policy = center_->widget(i)->sizePolicy();
      policy.setVerticalPolicy(i == center_->currentIndex() ? QSizePolicy::Preferred : QSizePolicy::Ignored);
      center_->widget(i)->setSizePolicy(policy);
    }
    center_->updateGeometry();  // hidden pages do not do it
  });
  health_ = new HealthBar(around);
  const QMargins margins = column->contentsMargins();
  column->setContentsMargins(margins.left(), 0, margins.right(), margins.bottom());
  column->addWidget(make_page_row());
  column->addWidget(link_banner_);
  column->addWidget(loss_banner_);
  column->addWidget(center_, 1);
  column->addWidget(health_);
  setCentralWidget(around);
}

void MainWindow::make_status_bar() {
  link_label_ = new QLabel(this);
  link_label_->setAccessibleDescription(tr("State of the connection"));
  time_label_ = new QLabel(this);
  time_label_->setAccessibleDescription(tr("Time of the last frame"));
  progress_ = new QProgressBar(this);
  progress_->setAccessibleName(tr("Progress of reading"));
  progress_->setRange(0, kProgressSteps);
  progress_->setMaximumWidth(24 * fontMetrics().averageCharWidth());
  cancel_ = new QToolButton(this);
  cancel_->setText(tr("Cancel"));
  cancel_->setAccessibleName(tr("Cancel reading"));
  cancel_->setToolTip(tr("Reads no more of the file. What was read stays."));
  cancel_->setFocusPolicy(Qt::StrongFocus);
  connect(cancel_, &QToolButton::clicked, this, &MainWindow::cancel);
  statusBar()->setAccessibleName(tr("Status"));
  for (QWidget* widget : {static_cast<QWidget*>(link_label_), static_cast<QWidget*>(time_label_),
                          static_cast<QWidget*>(progress_), static_cast<QWidget*>(cancel_)}) {
    statusBar()->addPermanentWidget(widget);
  }
}

void MainWindow::set_keyring(std::unique_ptr<Keyring> keyring) {
  delete unlocker_;
  unlocker_ = new KeyUnlocker(std::move(keyring), this);
  connect(unlocker_, &KeyUnlocker::reported, this, &MainWindow::tell);
}

void MainWindow::open(Source source) {
  end_session();
  unlocker_->unlock(std::move(source), [this](Source unlocked) { begin(std::move(unlocked)); });
  if (!views_) show_start();  // the user is asked for a passphrase
}

void MainWindow::begin(Source source) {
  title_ = tr("%1 - iwarpscope").arg(source.title());
  setWindowTitle(title_);
  mark_ = source.files.size() == 1 ? FileMark::of(source.files.front()) : std::nullopt;
  views_ = std::make_unique<SessionViews>(std::move(source));
  Session& session = views_->session();
  connect(&session, &Session::link_changed, this, &MainWindow::link_changed);
  connect(&session, &Session::status_changed, this, &MainWindow::status_changed);
  connect(views_.get(), &SessionViews::qp_changed, this, &MainWindow::qp_changed);
  connect(views_.get(), &SessionViews::rule_wanted, this, &MainWindow::show_rule);
  connect(views_.get(), &SessionViews::reported, this, &MainWindow::tell);
  connect(&views_->selection(), &Selection::range_changed, this, &MainWindow::update_actions);
  const FindingTable& findings = views_->findings();
  connect(&findings, &QAbstractItemModel::modelReset, this, &MainWindow::count_findings);
  connect(&findings, &QAbstractItemModel::rowsInserted, this, &MainWindow::count_findings);
  connect(&findings, &QAbstractItemModel::rowsRemoved, this, &MainWindow::count_findings);
  started_.reset();
  is_restarted_ = false;
  show_views();
  follow_overview();
  show_page(Page::overview);
  cancel_->setEnabled(true);
  session.start();
  link_changed(session.link());
  update_actions();
}

void MainWindow::show_views() {
  const std::vector<SessionViews::View> made = views_->make_views();
  for (const SessionViews::View& view : made) {
    const auto dock = docks_.find(view.name);
    if (dock == docks_.end()) {
      QSizePolicy policy = view.widget->sizePolicy();
      policy.setVerticalPolicy(QSizePolicy::Ignored);  // until it is the page that is shown
      view.widget->setSizePolicy(policy);
      center_->addWidget(view.widget);
    } else {
      dock->second->setWidget(view.widget);
    }
  }
  table()->restore_state(settings_.value(kTable).toByteArray());
  // In another file it would hide what went wrong there.
  const Source& source = views_->session().source();
  if (source.is_file() && settings_.value(kFilterOf).toStringList() != source.files) table()->filter_bar().set_text({});
  add_qp_actions();
  connect(&table()->model(), &QpModel::counts_changed, this, &MainWindow::fit_views_soon);
  connect(table(), &QpTableView::resized, this, &MainWindow::fit_views_soon);
  connect(findChild<VerdictView*>(), &VerdictView::resized, this, &MainWindow::fit_views_soon);
}

/// The views use the session, so they are deleted first.
void MainWindow::drop_views() {
  if (!views_) return;
  keep_table();
  views_->disconnect(this);
  views_->overview().disconnect(this);
  views_->session().disconnect(this);
  views_->findings().disconnect(this);
  for (const auto& [name, dock] : docks_) delete dock->widget();
  while (center_->count() > 1) delete center_->widget(center_->count() - 1);
  views_.reset();
  count_findings();
}

/// For the tab, because other docks may cover this one.
void MainWindow::count_findings() {
  const int count = views_ ? views_->findings().rowCount() : 0;
  QDockWidget& dock = *docks_.at(QStringLiteral("findings"));
  dock.setWindowTitle(count == 0 ? dock.accessibleName() : tr("%1 (%L2)").arg(dock.accessibleName()).arg(count));
}

void MainWindow::close_session() {
  end_session();
  show_start();
}

void MainWindow::end_session() {
  unlocker_->drop();
  drop_views();
  offer_site(false);
  title_ = tr("iwarpscope");
  setWindowTitle(title_);
  set_stale(false);
  link_banner_->show_link({}, {});
  loss_banner_->say(findings::Severity::note, {});
  health_->set_status({});
  link_label_->setText(tr("Not connected"));
  time_label_->clear();
  progress_->hide();
  cancel_->hide();
  pause_->setChecked(false);
  update_actions();
}

/// What was read stays.
void MainWindow::cancel() {
  if (!views_) return;
  cancel_->setEnabled(false);
  tell(tr("Reading is being cancelled. What was read stays."));
  views_->session().end_replay(cancel_, [this](const tl::expected<bool, api::Failure>& ended) {
    if (ended) return;
    cancel_->setEnabled(true);
    tell(QString::fromStdString(ended.error().sentence));
  });
}

/// Time of the newest frame in the displayed data; empty: none.
QString MainWindow::time_of_view() const {
  TimePoint newest{};
  const StatusPtr& status = views_->session().status();
  if (status && status->has_capture_time_ns()) newest.ns = status->capture_time_ns();
  for (const live::QpView& row : views_->qps()) newest = std::max(newest, row.record.last_time);
  return newest == TimePoint{} ? QString() : second_text(newest);
}

void MainWindow::link_changed(const Link& link) {
  const QString as_of = time_of_view();
  using State = Link::State;
  link_banner_->show_link(link, as_of, views_->session().source().is_file());
  switch (link.state) {
    case State::connecting:
    case State::connected: show_progress(); break;
    case State::lost: {
      if (views_->session().source().is_file()) {
        link_label_->setText(tr("✗ Reading was interrupted"));
        break;
      }
      const QString since = clock_text(link.since.value_or(TimePoint{}));
      link_label_->setText(as_of.isEmpty() ? tr("✗ Not connected since %1").arg(since)
                                           : tr("✗ Connection lost at %1, data is stale").arg(since));
      break;
    }
    case State::failed:
      link_label_->setText(tr("✗ Failed"));
      progress_->hide();
      cancel_->hide();
      break;
  }
  views_->set_hint(link.state == State::failed ? tr("There is nothing to show: the line above says why.") : QString());
  set_stale(link.state == State::lost || link.state == State::failed);
  update_actions();
}

/// How far the connection to a daemon is, or the reading of a file.
void MainWindow::show_progress() {
  const Session& session = views_->session();
  const v1::Status* status = session.status().get();
  if (!session.source().is_file()) {
    const bool is_connected = session.link().state == Link::State::connected;
    link_label_->setText(is_connected ? tr("✓ Connected") : tr("Connecting..."));
  } else if (status == nullptr || status->capturing()) {
    link_label_->setText(tr("Reading..."));
  } else {
    link_label_->setText(status->replay_cut() ? tr("▲ Read in part") : tr("✓ Read"));
  }
}

/// Stale data is drawn differently.
void MainWindow::set_stale(bool stale) {
  QPalette colors = QApplication::palette();
  if (stale) {
    const QColor faint = faint_color(colors);
    for (const QPalette::ColorRole role : {QPalette::Text, QPalette::WindowText}) colors.setColor(role, faint);
  }
  center_->setPalette(stale ? colors : QPalette());
  for (const auto& [name, dock] : docks_) dock->setPalette(stale ? colors : QPalette());
  health_->set_stale(stale);
}

void MainWindow::status_changed(const StatusPtr& status) {
  if (started_ && started_ != status->started_time_ns()) {
    is_restarted_ = true;
    time_label_->clear();
  }
  started_ = status->started_time_ns();
  offer_site(status->centre());
  health_->set_status(status, views_->session().source().is_file());
  if (status->has_capture_time_ns()) {
    time_label_->setText(tr("%1, %Ln frame(s)", nullptr, plural(status->totals().frames()))
                             .arg(second_text(TimePoint{status->capture_time_ns()})));
  }
  const bool is_reading = status->replay() && status->capturing();
  // What a daemon replays is not this user's to end, and may have no known length.
  const bool is_file = views_->session().source().is_file();
  progress_->setVisible(is_reading && (is_file || status->replay_progress() > 0));
  cancel_->setVisible(is_reading && is_file);
  progress_->setValue(static_cast<int>(status->replay_progress() * kProgressSteps));
  if (views_->session().link().state == Link::State::connected) show_progress();
  qp_changed();
}

void MainWindow::qp_changed() {
  const live::QpView* qp = views_->qp() ? &*views_->qp() : nullptr;
  const v1::Status* status = views_->session().status().get();
  QStringList sentences;
  if (status != nullptr && is_restarted_)
    sentences << restart_sentence(*status, clock_text(TimePoint{status->started_time_ns()}));
  if (status != nullptr)
    sentences << partial_sentence(*status) << no_iwarp_sentence(*status) << capture_faults(*status);
  const bool is_of_qp = center_->currentWidget() == table();  // the overview is about all
  sentences << loss_sentence(status, is_of_qp ? qp : nullptr);
  sentences.removeAll(QString());
  loss_banner_->say(findings::Severity::warning, sentences.join(QLatin1Char(' ')));
  update_actions();
}

void MainWindow::closeEvent(QCloseEvent* event) {
  keep_layout();
  unlocker_->drop();
  help_->hide();
  QMainWindow::closeEvent(event);
}

void MainWindow::keep_layout() {
  settings_.setValue(kGeometry, saveGeometry());
  settings_.setValue(kDragged, is_dragged_);
  settings_.setValue(kLayout, views_layout_.isEmpty() ? saveState(kLayoutVersion) : views_layout_);
  if (views_) keep_table();
}

void MainWindow::keep_table() {
  settings_.setValue(kTable, table()->save_state());
  settings_.setValue(kFilterOf, views_->session().source().files);
}

void MainWindow::reset_layout() {
  views_layout_.isEmpty() ? void(restoreState(first_layout_, kLayoutVersion)) : void(views_layout_ = first_layout_);
  settings_.remove(kTable);
  is_dragged_ = false;
  if (views_) table()->reset_layout();
  fit_views_soon();
}

void MainWindow::tell(const QString& sentence) {
  constexpr int kShownMs = 15'000;
  statusBar()->showMessage(sentence, kShownMs);
}

}  // namespace iwarpscope::gui
