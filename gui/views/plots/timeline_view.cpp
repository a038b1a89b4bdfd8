// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "views/plots/timeline_view.h"

#include <QApplication>
#include <QFileDialog>
#include <QLabel>
#include <QLocale>
#include <QMenu>
#include <QMessageBox>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>

#include <algorithm>
#include <numeric>

#include "models/words.h"
#include "views/picture_export.h"
#include "views/plots/time_bar.h"
#include "views/plots/timeline_series.h"

namespace iwarpscope::gui {
namespace {

constexpr double kMostSlices = 200;  // of a plot: each is a few pixels wide
constexpr double kMostColumns = 150;
/// The order of the plots from top to bottom: what explains a wait comes before what measures it.
constexpr std::array<std::size_t, TimelineView::kPanes> kOrder{0, 1, 4, 2, 3};
// Minimum seconds for a rate if the whole time is shown; a part of it for short times.
constexpr double kLeastWidth = 1e-3, kLeastSlices = 20;

/// Width of a plot's slices in seconds. If slices were as narrow as the clock's resolution, a single message would have
/// a rate far above that of the link.
double least_width(const QCPRange& whole) {
  return std::max(whole.size() / kMostSlices, std::min(kLeastWidth, whole.size() / kLeastSlices));
}

}  // namespace

TimelineView::TimelineView(const MessageStore& store, Selection& selection, QWidget* parent)
    : QWidget(parent),
      selection_(selection),
      model_(store),
      hidden_(new QLabel(this)),
      values_(new QLabel(this)),
      bar_(new TimeBar(selection, this)) {
  setAccessibleName(tr("Timeline"));
  setWhatsThis(tr(
      "Shows the activity of the queue pair over time: throughput by opcode, and outstanding requests with the limit "
      "from IRD and ORD (RFC 6581 §9.1). Below are percentiles and a heat map of latencies, and the losses and "
      "retransmissions of the transport. To mark a time span in all views, drag, or hold Shift and press Left or "
      "Right. The wheel, + and - zoom, 0 shows all, Escape clears the mark."));
  auto* const all = new QVBoxLayout(this);
  connect(bar_, &TimeBar::all_wanted, this, &TimelineView::show_all);
  connect(bar_->add_button(tr("&Save plot..."), tr("Save one of the plots as PNG, SVG or CSV")), &QPushButton::clicked,
          this, &TimelineView::save_plot);
  bar_->describe(tr("Summary of the marked time"));
  all->addWidget(bar_);
  make_plots(*all);
  values_->setAccessibleDescription(tr("Values at the cursor"));
  values_->setWordWrap(true);
  values_->setMinimumHeight(2 * fontMetrics().height());
  values_->setText(tr("Drag, or hold Shift and press Left or Right, to mark a time span in all views."));
  all->addWidget(values_);
  setFocusProxy(panes_.front());
  connect(&model_, &TimelineModel::changed, this, &TimelineView::draw);
  connect(&selection_, &Selection::range_changed, this, &TimelineView::follow);
  range_ = selection_.range();
  draw();
}

/// If there is too little room for all plots, they scroll; the axis of time stays where it is.
void TimelineView::make_plots(QVBoxLayout& all) {
  const std::array<QString, kPanes> titles{tr("Throughput by opcode"), tr("Outstanding requests"),
                                           tr("Latency of Reads and Atomics"), tr("Latency distribution"),
                                           tr("Transport events")};
  auto* const plots = new QWidget;
  auto* const column = new QVBoxLayout(plots);
  column->setContentsMargins(0, 0, 0, 0);
  auto* const area = new QScrollArea(this);
  area->setWidgetResizable(true);
  area->setFrameShape(QFrame::NoFrame);
  area->setFocusPolicy(Qt::NoFocus);
  area->setWidget(plots);
  using enum PlotPane::Unit;
  constexpr std::array<PlotPane::Unit, kPanes> units{rate, count, duration, duration, count};
  for (std::size_t i = 0; i < kPanes; ++i) {
    panes_[i] = new PlotPane(titles[i], units[i], plots);
    connect(panes_[i], &PlotPane::span_wanted, this, &TimelineView::take_span);
    connect(panes_[i], &PlotPane::marked, &selection_, &Selection::set_range);
    connect(panes_[i], &PlotPane::pointed, values_, &QLabel::setText);
    add_save_action(*panes_[i], titles[i], true, [pane = panes_[i]](const QString& file) { return pane->save(file); });
  }
  for (const std::size_t i : kOrder) column->addWidget(panes_[i], 1);
  axis_ = new TimeAxis(this);
  area->viewport()->installEventFilter(this);
  all.addWidget(area, 1);
  axis_row_ = new QHBoxLayout;
  axis_row_->addWidget(axis_);
  all.addLayout(axis_row_);
  all.addWidget(hidden_);
  hidden_->setWordWrap(true);
  hidden_->setAccessibleDescription(tr("Plots with nothing to show"));
  panes_[1]->set_value_label(tr("requests"));
  panes_[4]->set_value_label(tr("frames"));
}

void TimelineView::set_qp(const std::optional<live::QpView>& qp) {
  const bool is_other = !qp || !qp_ || qp->record.qp != qp_->record.qp;
  if (is_other) span_.reset();
  qp_ = qp;
  if (qp_) model_.set_end(qp_->record.last_time);
  draw();
}

void TimelineView::draw() {
  const TimelineData& timeline = model_.data();
  const TimePoint origin = qp_ ? qp_->record.first_time : TimePoint{};
  QCPRange whole(0, 1e-6);
  if (!timeline.is_empty()) {
    whole.lower = std::min(0.0, static_cast<double>(elapsed_ns(origin, timeline.begin_of(0))) / 1e9);
    whole.upper = static_cast<double>(elapsed_ns(origin, timeline.begin_of(timeline.buckets().size()))) / 1e9;
    whole.upper += 1.1 * least_width(whole);  // the slice of the last message is visible
  }
  const QCPRange span = span_.value_or(whole);
  const double width = span_ ? span.size() / kMostSlices : least_width(whole);
  const TimelineSlices fine = slices_of(timeline, origin, span, width);
  const TimelineSlices coarse = slices_of(timeline, origin, span, std::max(width, span.size() / kMostColumns));
  for (PlotPane* const pane : panes_) {
    pane->set_origin(origin);
    pane->set_whole(whole);
    pane->set_span(span);
    pane->set_mark(range_);
  }
  const auto limits = qp_ ? qp_->record.read_depth : std::array<std::optional<std::uint16_t>, 2>{};
  panes_[0]->set_series(throughput_series(fine, palette()));
  panes_[1]->set_series(outstanding_series(fine, limits, palette()));
  panes_[2]->set_series(latency_series(coarse, palette()));
  panes_[3]->set_heat(latency_heat(coarse));
  panes_[4]->set_series(transport_series(fine, palette()));
  panes_[0]->set_empty_words(qp_ ? tr("no messages") : tr("Choose a queue pair."));
  axis_->set_empty(timeline.is_empty());
  axis_->set_span(span);
  hide_empty();
  sum_up();
}

void TimelineView::hide_empty() {
  QStringList titles;
  const bool had_focus = isAncestorOf(QApplication::focusWidget());
  for (const std::size_t i : kOrder) {
    // The first one stays: a view without any plot would look broken. While another queue pair is loaded, all stay
    // where they are.
    const bool is_loading = model_.data().is_empty() && qp_ && model_.is_loading();
    const bool is_hidden = is_loading ? panes_[i]->isHidden() : i != 0 && panes_[i]->is_empty();
    panes_[i]->setVisible(!is_hidden);
    if (is_hidden) titles.append(panes_[i]->title());
  }
  // Qt gives the focus of a plot that is hidden to another view.
  if (had_focus && !isAncestorOf(QApplication::focusWidget())) setFocus();
  hidden_->setText(titles.isEmpty() ? QString() : tr("Nothing to show: %1.").arg(titles.join(QStringLiteral(", "))));
  hidden_->setVisible(!titles.isEmpty());
}

QString TimelineView::hidden() const {
  return hidden_->text();
}

void TimelineView::sum_up() {
  if (!qp_) return bar_->say({});
  const TimelineData& timeline = model_.data();
  const TimelineBucket sum = timeline.sum(range_);
  const auto total = [](const auto& both) {
    return std::accumulate(both[1].begin(), both[1].end(),
                           std::accumulate(both[0].begin(), both[0].end(), std::uint64_t{}));
  };
  const auto number = [](std::uint64_t count) { return QLocale().toString(static_cast<qulonglong>(count)); };
  // The number of octets can exceed the int that selects a plural.
  const std::uint64_t messages = total(sum.messages), octets = total(sum.octets);
  QString text = tr("%1, %2").arg(tr("%Ln message(s)", nullptr, plural(messages)),
                                  octets == 1 ? tr("1 octet") : tr("%1 octets").arg(number(octets)));
  if (range_) text = tr("Marked: %1").arg(text);
  if (timeline.left_out() != 0) text = tr("%1; too many outstanding requests, not all are counted").arg(text);
  bar_->say(text);
}

void TimelineView::take_span(const QCPRange& span) {
  span_ = span;
  draw();
}

void TimelineView::show_all() {
  span_.reset();
  draw();
}

void TimelineView::follow(const std::optional<TimeRange>& range) {
  range_ = range;
  for (PlotPane* const pane : panes_) pane->set_mark(range_);
  sum_up();
}

void TimelineView::save_plot() {
  QMenu menu(this);
  for (PlotPane* const pane : panes_) menu.addAction(pane->title())->setData(QVariant::fromValue<QObject*>(pane));
  const QAction* const chosen = menu.exec(QCursor::pos());
  if (chosen == nullptr) return;
  auto* const pane = qobject_cast<PlotPane*>(chosen->data().value<QObject*>());
  const QString filter = tr("Picture (*.png);;Drawing (*.svg);;Values (*.csv)");
  const QString file = QFileDialog::getSaveFileName(this, tr("Save plot"), tr("%1.png").arg(pane->title()), filter);
  if (file.isEmpty() || pane->save(file)) return;
  QMessageBox::warning(this, tr("Save plot"),
                       tr("%1 could not be written. Its name must end with .png, .svg or .csv.").arg(file));
}

bool TimelineView::eventFilter(QObject* watched, QEvent* event) {
  // As wide as the plots, without the scroll bar beside them.
  if (const auto* const viewport = qobject_cast<QWidget*>(watched); event->type() == QEvent::Resize) {
    axis_row_->setContentsMargins(0, 0, viewport->parentWidget()->width() - viewport->width(), 0);
  }
  return QWidget::eventFilter(watched, event);
}

void TimelineView::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::PaletteChange && panes_.back() != nullptr) draw();
}

}  // namespace iwarpscope::gui
