#include "window/main_window.h"

#include <QApplication>
#include <QCloseEvent>
#include <QDockWidget>
#include <QLabel>
#include <QLocale>
#include <QProgressBar>
#include <QSettings>
#include <QStackedWidget>
#include <QStatusBar>
#include <QTemporaryDir>
#include <QToolButton>
#include <QVBoxLayout>

#include <utility>

#include "iwarpscope/v1/status.pb.h"
#include "models/health.h"
#include "report/human.h"
#include "views/banner.h"
#include "views/colors.h"
#include "views/health_bar.h"
#include "window/help_window.h"
#include "window/report.h"
#include "window/session_views.h"

namespace iwarpscope::gui {
namespace {

const QString kGeometry = QStringLiteral("window/geometry");
const QString kLayout = QStringLiteral("window/layout");
constexpr int kLayoutVersion = 1;
constexpr int kProgressSteps = 1000;

}  // namespace

MainWindow::MainWindow(QSettings& settings, QWidget* parent) : QMainWindow(parent), settings_(settings) {
  setObjectName(QStringLiteral("iwarpscope"));
  setAccessibleName(tr("iwarpscope"));
  setAcceptDrops(true);
  setDockOptions(AllowTabbedDocks | AllowNestedDocks | AnimatedDocks | GroupedDragging);
  help_ = new HelpWindow(this);
  const QFontMetrics metrics = fontMetrics();
  resize(200 * metrics.averageCharWidth(), 60 * metrics.lineSpacing());
  make_center();
  make_docks();
  make_status_bar();
  make_menus();
  first_layout_ = saveState(kLayoutVersion);
  restoreGeometry(settings_.value(kGeometry).toByteArray());
  restoreState(settings_.value(kLayout).toByteArray(), kLayoutVersion);
  close_session();
}

MainWindow::~MainWindow() {
  drop_views();
}

void MainWindow::make_center() {
  auto* around = new QWidget(this);
  auto* column = new QVBoxLayout(around);
  link_banner_ = new Banner(tr("Connection"), around);
  loss_banner_ = new Banner(tr("Losses that limit verdicts"), around);
  center_ = new QStackedWidget(around);
  auto* welcome =
      new QLabel(tr("Open a capture file (Ctrl+O), drop files here, or connect to a daemon (Ctrl+D)."), center_);
  welcome->setAccessibleName(tr("Nothing is open"));
  welcome->setAlignment(Qt::AlignCenter);
  welcome->setWordWrap(true);
  center_->addWidget(welcome);
  health_ = new HealthBar(around);
  column->addWidget(link_banner_);
  column->addWidget(loss_banner_);
  column->addWidget(center_, 1);
  column->addWidget(health_);
  setCentralWidget(around);
}

void MainWindow::make_status_bar() {
  link_label_ = new QLabel(this);
  link_label_->setAccessibleName(tr("State of the connection"));
  time_label_ = new QLabel(this);
  time_label_->setAccessibleName(tr("Time of the last frame"));
  progress_ = new QProgressBar(this);
  progress_->setAccessibleName(tr("Progress of reading"));
  progress_->setRange(0, kProgressSteps);
  progress_->setMaximumWidth(24 * fontMetrics().averageCharWidth());
  cancel_ = new QToolButton(this);
  cancel_->setText(tr("Cancel"));
  cancel_->setAccessibleName(tr("Cancel reading and close"));
  cancel_->setFocusPolicy(Qt::StrongFocus);
  connect(cancel_, &QToolButton::clicked, this, &MainWindow::cancel);
  statusBar()->setAccessibleName(tr("Status"));
  for (QWidget* widget : {static_cast<QWidget*>(link_label_), static_cast<QWidget*>(time_label_),
                          static_cast<QWidget*>(progress_), static_cast<QWidget*>(cancel_)}) {
    statusBar()->addPermanentWidget(widget);
  }
}

void MainWindow::open(Source source) {
  close_session();
  setWindowTitle(tr("%1 - iwarpscope").arg(source.title()));
  views_ = std::make_unique<SessionViews>(std::move(source));
  Session& session = views_->session();
  connect(&session, &Session::link_changed, this, &MainWindow::link_changed);
  connect(&session, &Session::status_changed, this, &MainWindow::status_changed);
  connect(views_.get(), &SessionViews::qp_changed, this, &MainWindow::qp_changed);
  connect(views_.get(), &SessionViews::rule_wanted, this, &MainWindow::show_rule);
  connect(views_.get(), &SessionViews::told, this, &MainWindow::tell);
  show_views();
  session.start();
  link_changed(session.link());
  update_actions();
}

void MainWindow::show_views() {
  const std::vector<SessionViews::View> made = views_->make_views();
  for (std::size_t i = 0; i < made.size(); ++i) {
    const auto dock = docks_.find(made[i].name);
    if (i == 0 || dock == docks_.end()) {
      center_->addWidget(made[i].widget);
      center_->setCurrentWidget(made[i].widget);
    } else {
      dock->second->setWidget(made[i].widget);
    }
  }
  center_->currentWidget()->setFocus();
}

/// The views look at the session, so they go first.
void MainWindow::drop_views() {
  if (!views_) return;
  views_->disconnect(this);
  views_->session().disconnect(this);
  for (const auto& [name, dock] : docks_) delete dock->widget();
  while (center_->count() > 1) delete center_->widget(center_->count() - 1);
  views_.reset();
}

void MainWindow::close_session() {
  drop_views();
  setWindowTitle(tr("iwarpscope"));
  set_stale(false);
  link_banner_->say(findings::Severity::note, {});
  loss_banner_->say(findings::Severity::note, {});
  health_->set_status({});
  link_label_->setText(tr("Not connected"));
  time_label_->clear();
  progress_->hide();
  cancel_->hide();
  pause_->setChecked(false);
  update_actions();
}

void MainWindow::cancel() {
  const QString title = views_ ? views_->session().source().title() : QString();
  close_session();
  tell(tr("Reading %1 was cancelled.").arg(title));
}

void MainWindow::link_changed(const Link& link) {
  const StatusPtr& status = views_->session().status();
  const QString as_of = status && status->has_capture_time_ns()
                            ? QString::fromStdString(report::date_time(TimePoint{status->capture_time_ns()}))
                            : QString();
  using State = Link::State;
  switch (link.state) {
    case State::connecting:
      link_label_->setText(tr("Connecting..."));
      link_banner_->say(findings::Severity::note, {});
      break;
    case State::connected:
      link_label_->setText(tr("✓ Connected"));
      link_banner_->say(findings::Severity::note, {});
      break;
    case State::lost:
      link_label_->setText(tr("✗ Connection lost, trying again"));
      link_banner_->say(findings::Severity::warning,
                        as_of.isEmpty()
                            ? tr("There is no connection: %1 It is tried again and again.").arg(link.sentence)
                            : tr("The connection is lost: %1 It is tried again and again. What is shown is "
                                 "as of %2.")
                                  .arg(link.sentence, as_of));
      break;
    case State::failed:
      link_label_->setText(tr("✗ Failed"));
      link_banner_->say(findings::Severity::error, link.sentence);
      progress_->hide();
      cancel_->hide();
      break;
  }
  set_stale(link.state == State::lost || link.state == State::failed);
  update_actions();
}

/// What is no longer true looks so.
void MainWindow::set_stale(bool stale) {
  QPalette colors = QApplication::palette();
  if (stale) {
    const QColor faint = faint_color(colors);
    for (const QPalette::ColorRole role : {QPalette::Text, QPalette::WindowText}) colors.setColor(role, faint);
  }
  center_->setPalette(stale ? colors : QPalette());
  for (const auto& [name, dock] : docks_) dock->setPalette(stale ? colors : QPalette());
}

void MainWindow::status_changed(const StatusPtr& status) {
  health_->set_status(status);
  if (status->has_capture_time_ns()) {
    const TimePoint time{status->capture_time_ns() / 1'000'000'000 * 1'000'000'000};
    time_label_->setText(tr("%1, %L2 frames")
                             .arg(QString::fromStdString(report::date_time(time)).remove(QStringLiteral(".000000000")))
                             .arg(status->totals().frames()));
  }
  const bool is_reading = status->replay() && status->capturing();
  progress_->setVisible(is_reading);
  cancel_->setVisible(is_reading);
  progress_->setValue(static_cast<int>(status->replay_progress() * kProgressSteps));
  qp_changed();
}

void MainWindow::qp_changed() {
  const live::QpView* qp = views_->qp() ? &*views_->qp() : nullptr;
  loss_banner_->say(findings::Severity::warning, loss_sentence(views_->session().status().get(), qp));
  update_actions();
}

void MainWindow::closeEvent(QCloseEvent* event) {
  settings_.setValue(kGeometry, saveGeometry());
  settings_.setValue(kLayout, saveState(kLayoutVersion));
  help_->hide();
  QMainWindow::closeEvent(event);
}

void MainWindow::reset_layout() {
  restoreState(first_layout_, kLayoutVersion);
}

void MainWindow::tell(const QString& sentence) {
  constexpr int kShownMs = 15'000;
  statusBar()->showMessage(sentence, kShownMs);
}

}  // namespace iwarpscope::gui
