// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "views/plots/track_view.h"

#include <QAction>
#include <QClipboard>
#include <QComboBox>
#include <QEvent>
#include <QGuiApplication>
#include <QLabel>
#include <QMenu>
#include <QScrollArea>
#include <QVBoxLayout>

#include <algorithm>

#include "models/words.h"
#include "report/human.h"
#include "views/local_keys.h"
#include "views/plots/time_bar.h"
#include "views/table_actions.h"

namespace iwarpscope::gui {

TrackView::TrackView(TrackList& list, Selection& selection, QWidget* parent)
    : QWidget(parent),
      list_(list),
      selection_(selection),
      bar_(new TimeBar(selection, this)),
      legend_(new QLabel(this)),
      values_(new QLabel(this)),
      area_(new QScrollArea(this)),
      axis_(new TimeAxis(this)) {
  setAccessibleName(tr("Tracks"));
  setWhatsThis(tr(
      "Shows several queue pairs, or hosts, over the same time: traffic, transport events, and findings as flags. The "
      "queue pairs are the first ones of the table: its filter and its order choose them. The menu of "
      "the right mouse button keeps one, copies it and saves its packets. A click on a flag shows its frame, a click "
      "beside it chooses the queue pair. To mark a "
      "time span in all views, drag, or hold Shift and press Left or Right. The wheel, + and - zoom, Shift and the "
      "wheel or Page Up and Page Down move, 0 shows all, Escape clears the mark."));
  auto* const all = new QVBoxLayout(this);
  make_bar(*all);
  setFocusProxy(kind_);  // until there are tracks
  legend_->setWordWrap(true);
  legend_->setAccessibleDescription(tr("Meaning of lines and letters"));
  all->addWidget(legend_);
  auto* const inside = new QWidget;
  column_ = new QVBoxLayout(inside);
  column_->setContentsMargins(0, 0, 0, 0);
  column_->setSpacing(0);
  column_->addStretch(1);
  inside->setBackgroundRole(QPalette::Base);
  inside->setAutoFillBackground(true);
  area_->setWidgetResizable(true);
  area_->setFrameShape(QFrame::NoFrame);
  area_->setFocusPolicy(Qt::NoFocus);
  area_->setWidget(inside);
  area_->viewport()->installEventFilter(this);
  all->addWidget(area_, 1);
  axis_row_ = new QHBoxLayout;
  axis_row_->addWidget(axis_);
  all->addLayout(axis_row_);
  values_->setAccessibleDescription(tr("Values at the cursor"));
  values_->setWordWrap(true);
  values_->setMinimumHeight(fontMetrics().height());
  all->addWidget(values_);
  connect(&list_, &TrackList::changed, this, &TrackView::show_tracks);
  connect(&selection_, &Selection::qp_changed, this, &TrackView::mark_chosen);
  connect(&selection_, &Selection::range_changed, this, [this](const std::optional<TimeRange>& range) {
    for (TrackPane* const pane : panes_) pane->set_mark(range);
  });
  make_menu();
  explain();
}

/// It is about the chosen queue pair: a click with the right button on a track chooses it.
void TrackView::make_menu() {
  keep_ = new QAction(tr("&Keep This Track"), this);
  keep_->setCheckable(true);
  keep_->setToolTip(tr("It stays on top, whatever the table shows"));
  connect(keep_, &QAction::triggered, this, [this](bool kept) {
    if (selection_.qp()) list_.keep(*selection_.qp(), kept);
  });
  connect((new LocalKeys(*this))->add(tr("&Copy as Text"), kCopyRow, QKeySequence::Copy), &QAction::triggered, this,
          &TrackView::copy_chosen);
  addAction(keep_);
  setContextMenuPolicy(Qt::ActionsContextMenu);
}

/// The chosen track: its name and its flags.
void TrackView::copy_chosen() {
  for (const TrackPane* pane : panes_) {
    if (!pane->track() || !pane->track()->number || pane->track()->number != selection_.qp()) continue;
    QStringList lines{pane->track()->title};
    for (const TrackFlag& flag : pane->track()->flags) {
      lines << tr("%1 UTC: %2").arg(QString::fromStdString(report::time_of_day(flag.time)), flag.text());
    }
    QGuiApplication::clipboard()->setText(lines.join(QLatin1Char('\n')));
    return tell(*this, tr("Track copied to the clipboard."));
  }
}

void TrackView::make_bar(QVBoxLayout& all) {
  kind_ = new QComboBox(this);
  kind_->setAccessibleName(tr("Tracks of"));
  kind_->addItem(tr("Queue pairs"));
  kind_->addItem(tr("Hosts"));
  connect(kind_, &QComboBox::currentIndexChanged, this, [this](int index) {
    span_.reset();
    list_.set_kind(index == 0 ? TrackList::Kind::queue_pairs : TrackList::Kind::hosts);
    explain();
  });
  bar_->put_first(kind_);
  bar_->describe(tr("Number of tracks"));
  connect(bar_, &TimeBar::all_wanted, this, [this] {
    span_.reset();
    draw();
  });
  all.addWidget(bar_);
}

void TrackView::explain() {
  const bool are_hosts = list_.kind() == TrackList::Kind::hosts;
  legend_->setText(
      are_hosts
          ? tr("Above the line: queue pairs that the host opened. Below: accepted. ✗ one failed; E, W, N findings.")
          : tr("Above the line: from A. Below: from B. R retransmission, O out of order, G capture gap, D damaged, "
               "Z window closed; E, W, N findings."));
}

QString TrackView::count_text() const {
  return bar_->said();
}

TrackPane* TrackView::make_pane() {
  auto* const pane = new TrackPane(area_->widget());
  connect(pane, &TimePlot::span_wanted, this, [this](const QCPRange& span) {
    span_ = span;
    draw();
  });
  connect(pane, &TimePlot::marked, &selection_, &Selection::set_range);
  connect(pane, &TimePlot::pointed, values_, &QLabel::setText);
  connect(pane, &TrackPane::flag_clicked, this, &TrackView::flag_clicked);
  connect(pane, &TrackPane::flag_activated, this, &TrackView::frame_wanted);
  connect(pane, &TrackPane::chosen, this, [this](quint64 qp) { selection_.set_qp(qp); });
  pane->setContextMenuPolicy(Qt::CustomContextMenu);
  connect(pane, &QWidget::customContextMenuRequested, this,
          [this, pane](const QPoint& at) { QMenu::exec(actions(), pane->mapToGlobal(at), nullptr, this); });
  constexpr int kStretch = 100;  // against the room below the last one
  column_->insertWidget(static_cast<int>(panes_.size()), pane, kStretch);
  pane->show();  // at once: what is not visible yet takes no focus
  panes_.push_back(pane);
  return pane;
}

/// Panes are made and deleted only at the end, so that one that has the focus keeps it.
void TrackView::show_tracks() {
  const auto& tracks = list_.tracks();
  bool lost_focus = false;
  while (panes_.size() < tracks.size()) make_pane();
  while (panes_.size() > tracks.size()) {
    lost_focus |= panes_.back()->hasFocus();
    panes_.back()->deleteLater();
    panes_.back()->hide();
    panes_.pop_back();
  }
  for (std::size_t i = 0; i < tracks.size(); ++i) panes_[i]->set_track(tracks[i]);
  setFocusProxy(panes_.empty() ? static_cast<QWidget*>(kind_) : panes_.front());
  if (lost_focus) setFocus();  // Qt gave it to another view
  const bool are_hosts = list_.kind() == TrackList::Kind::hosts;
  const QString shown = are_hosts ? tr("%Ln host(s)", nullptr, plural(tracks.size()))
                                  : tr("%Ln queue pair(s)", nullptr, plural(tracks.size()));
  const QString rest = are_hosts ? tr("%L1 with fewer failures are not shown").arg(list_.left_out())
                                 : tr("%L1 further down in the table are not shown").arg(list_.left_out());
  bar_->say(list_.left_out() == 0 ? shown : tr("%1; %2").arg(shown, rest));
  draw();
}

void TrackView::draw() {
  const std::optional<TimeRange> time = list_.whole();
  const TimePoint origin = time ? time->from : TimePoint{};
  QCPRange whole(0, time ? static_cast<double>(elapsed_ns(time->from, time->to)) / 1e9 : 0);
  const double least = std::max(1e-6, whole.upper);
  whole.upper = least * 1.02;  // what is last can be seen
  whole.lower = -least * 0.01;
  const QCPRange span = span_.value_or(whole);
  for (TrackPane* const pane : panes_) {
    pane->set_origin(origin);
    pane->set_whole(whole);
    pane->set_span(span);
    pane->set_mark(selection_.range());
  }
  axis_->xAxis->setLabel(time ? tr("seconds since %1 UTC").arg(QString::fromStdString(report::time_of_day(origin)))
                              : QString());
  axis_->set_empty(!time);
  axis_->set_span(span);
  mark_chosen();
}

void TrackView::mark_chosen() {
  keep_->setEnabled(selection_.qp() && list_.kind() == TrackList::Kind::queue_pairs);
  keep_->setChecked(selection_.qp() && list_.is_kept(*selection_.qp()));
  for (TrackPane* const pane : panes_) {
    pane->set_chosen(selection_.qp() && pane->track() && pane->track()->number == selection_.qp());
    pane->redraw();
  }
}

void TrackView::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  list_.set_active(true);
}

void TrackView::hideEvent(QHideEvent* event) {
  QWidget::hideEvent(event);
  list_.set_active(false);
}

bool TrackView::eventFilter(QObject* watched, QEvent* event) {
  // As wide as the tracks, without the scroll bar beside them.
  if (event->type() == QEvent::Resize) {
    axis_row_->setContentsMargins(0, 0, area_->width() - area_->viewport()->width(), 0);
  }
  return QWidget::eventFilter(watched, event);
}

}  // namespace iwarpscope::gui
