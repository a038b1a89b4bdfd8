// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "views/plots/track_pane.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "models/ladder/ladder_life.h"
#include "models/plots/latency_counts.h"
#include "models/words.h"
#include "report/human.h"
#include "views/colors.h"

namespace iwarpscope::gui {
namespace {

// Heights in the pane, from 0 at the bottom to 1 at the top.
constexpr double kLine = 0.46, kAbove = 0.66, kBelow = 0.3, kFlags = 0.84, kEvents = 0.16;
constexpr double kLowestLines = 4.4, kHighestLines = 8;  // of text: height of a pane
constexpr double kSlicePixels = 3;                       // width of a slice
/// By qp::TransportEventKind.
constexpr std::array kEventSigns{u'R', u'O', u'G', u'D', u'Z'};

QString event_words(std::size_t kind, std::uint64_t count) {
  const int number = plural(count);
  switch (static_cast<qp::TransportEventKind>(kind)) {
    case qp::TransportEventKind::retransmission: return TrackPane::tr("%Ln retransmission(s)", nullptr, number);
    case qp::TransportEventKind::out_of_order: return TrackPane::tr("%Ln frame(s) out of order", nullptr, number);
    case qp::TransportEventKind::capture_gap: return TrackPane::tr("%Ln capture gap(s)", nullptr, number);
    case qp::TransportEventKind::damaged: return TrackPane::tr("%Ln damaged frame(s)", nullptr, number);
    case qp::TransportEventKind::window_closed: break;
  }
  return TrackPane::tr("window closed %Ln time(s)", nullptr, number);
}

/// How many of these times include each slice.
QVector<double> count_in_slices(const Track::Times& times, TimePoint from, double slice, std::size_t slices) {
  std::vector<double> change(slices + 1);
  const auto slice_of = [&](TimePoint time) {
    const double at = static_cast<double>(elapsed_ns(from, time)) / 1e9 / slice;
    return static_cast<std::size_t>(std::clamp(at, 0.0, static_cast<double>(slices)));
  };
  const TimePoint to{from.ns + static_cast<std::int64_t>(slice * static_cast<double>(slices) * 1e9)};
  for (const auto& [first, last] : times) {
    if (last < from || first > to) continue;
    ++change[slice_of(first)];
    const std::size_t after = slice_of(last) + 1;
    if (after < change.size()) --change[after];
  }
  QVector<double> counts;
  double level = 0;
  for (std::size_t i = 0; i < slices; ++i) counts.push_back(level += change[i]);
  return counts;
}

double most_of(const QVector<double>& values) {
  return values.isEmpty() ? 0 : *std::max_element(values.begin(), values.end());
}

}  // namespace

TrackPane::TrackPane(QWidget* parent) : TimePlot(parent), title_(new QCPTextElement(this)) {
  setAccessibleDescription(
      tr("A track over time. Left and Right show values. With Shift they mark a time span. N and P go from flag to "
         "flag, Enter shows the flag, or chooses the queue pair. Plus and minus zoom, 0 shows all, Escape clears the "
         "mark."));
  plotLayout()->insertRow(0);
  plotLayout()->addElement(0, 0, title_);
  plotLayout()->setRowSpacing(0);
  plotLayout()->setRowStretchFactor(0, 0.001);
  title_->setTextFlags(Qt::AlignLeft | Qt::AlignVCenter);
  legend->setVisible(false);
  yAxis->setRange(0, 1);
  yAxis->setVisible(false);
  xAxis->setTickLabels(false);
  xAxis->setTickLength(0);
  xAxis->setSubTickLength(0);
  dress();
}

void TrackPane::dress() {
  dress_axes(*this);
  dress_marks();
  QFont bold = font();
  bold.setBold(true);
  title_->setFont(bold);
  title_->setTextColor(palette().color(QPalette::WindowText));
  xAxis->setBasePen(xAxis->grid()->pen());
  axisRect()->setMinimumMargins(plot_margins(fontMetrics()));
  const int em = fontMetrics().height();
  title_->setMinimumSize(em, em * 5 / 4);
  setMinimumHeight(static_cast<int>(kLowestLines * em));
  setMaximumHeight(static_cast<int>(kHighestLines * em));
}

void TrackPane::dress_again() {
  dress();
  redraw();
}

void TrackPane::resizeEvent(QResizeEvent* event) {
  QCustomPlot::resizeEvent(event);
  redraw();
}

void TrackPane::set_track(std::shared_ptr<const Track> track) {
  drawn_.clear();
  track_ = std::move(track);
}

void TrackPane::set_chosen(bool chosen) {
  is_chosen_ = chosen;
}

void TrackPane::fit_title() {
  const QString title = is_chosen_ ? tr("▶ %1").arg(track_->title) : track_->title;
  setAccessibleName(is_chosen_ ? tr("%1, chosen").arg(track_->title) : track_->title);
  const QFontMetrics metrics(title_->font());
  title_->setText(metrics.elidedText(title, Qt::ElideRight, width() - 2 * metrics.averageCharWidth()));
}

void TrackPane::redraw() {
  if (!track_ || width() <= 0) return;
  fit_title();
  clearPlottables();
  drawn_.clear();
  draw_curves();
  draw_life();
  draw_marks();
  replot(rpQueuedReplot);
}

/// Seconds of a slice: a few pixels.
double TrackPane::slice() const {
  const double pixels = std::max(1, axisRect()->width());
  return std::max(1e-9, span().size() * kSlicePixels / pixels);
}

TrackPane::Curves TrackPane::traffic() const {
  Curves curves;
  const TrackData& known = track_->data;
  if (known.is_empty()) return curves;
  const double wide = std::max(slice(), static_cast<double>(known.width_ns()) / 1e9);
  const auto slices = static_cast<std::size_t>(std::ceil(span().size() / wide)) + 1;
  std::vector<TrackBucket> sums(slices);
  const std::size_t first = known.bucket_at(time_at(span().lower)), last = known.bucket_at(time_at(span().upper));
  for (std::size_t i = first; i <= last; ++i) {
    const double at = (seconds_at(known.begin_of(i)) - span().lower) / wide;
    if (at > -1 && at < static_cast<double>(slices))
      sums[static_cast<std::size_t>(std::max(0.0, at))].add(known.buckets()[i]);
  }
  for (std::size_t i = 0; i < slices; ++i) {
    curves.at.push_back(span().lower + wide * static_cast<double>(i));
    curves.above.push_back(static_cast<double>(sums[i].octets[0]));
    curves.below.push_back(static_cast<double>(sums[i].octets[1]));
  }
  return curves;
}

TrackPane::Curves TrackPane::queue_pairs() const {
  Curves curves;
  const double wide = slice();
  const auto slices = static_cast<std::size_t>(std::ceil(span().size() / wide)) + 1;
  curves.above = count_in_slices(track_->opened, time_at(span().lower), wide, slices);
  curves.below = count_in_slices(track_->accepted, time_at(span().lower), wide, slices);
  for (std::size_t i = 0; i < slices; ++i) curves.at.push_back(span().lower + wide * static_cast<double>(i));
  return curves;
}

void TrackPane::draw_curves() {
  const Curves curves = track_->number ? traffic() : queue_pairs();
  const double most = std::max({1.0, most_of(curves.above), most_of(curves.below)});
  const auto draw = [&](const QVector<double>& values, double to, int color) {
    QVector<double> heights;
    for (const double value : values) heights.push_back(kLine + (to - kLine) * value / most);
    QCPGraph* const base = addGraph();
    base->setData(QVector<double>{span().lower, span().upper}, QVector<double>{kLine, kLine}, true);
    base->setPen(Qt::NoPen);
    QCPGraph* const curve = addGraph();
    curve->setData(curves.at, heights, true);
    curve->setLineStyle(QCPGraph::lsStepLeft);
    curve->setPen(Qt::NoPen);  // nothing is drawn where nothing was sent
    curve->setBrush(series_color(color, palette()));
    curve->setChannelFillGraph(base);
  };
  draw(curves.above, kAbove, 0);
  draw(curves.below, kBelow, 1);
}

/// The startup and the closing phase are dotted.
void TrackPane::draw_life() {
  if (!track_->number) return;
  const qp::QpRecord& record = track_->qp.record;
  TimePoint opened = record.first_time, closed = record.last_time;
  bool is_closed = false;
  for (const LadderLife& moment : life_of(record, true, {})) {
    if (!moment.is_last()) opened = std::max(opened, moment.time);
    if (moment.is_last() && !std::exchange(is_closed, true)) closed = std::max(opened, moment.time);
  }
  const auto line = [this](TimePoint from, TimePoint to, Qt::PenStyle style) {
    QCPGraph* const graph = addGraph();
    graph->setData(QVector<double>{seconds_at(from), seconds_at(to)}, QVector<double>{kLine, kLine}, true);
    graph->setPen(
        QPen(palette().color(QPalette::WindowText), std::max(1.0, fontMetrics().height() / 8.0), style, Qt::FlatCap));
  };
  line(record.first_time, opened, Qt::DotLine);
  line(opened, closed, Qt::SolidLine);
  if (is_closed) line(closed, record.last_time, Qt::DotLine);
  if (!record.verdict) return;
  const auto& worst = track_->qp.findings.worst;
  const qp::Outcome outcome = record.verdict->outcome;
  const bool repaired = is_repaired(record);
  const auto found = flaw(outcome, worst ? std::optional(findings::rule(*worst).severity) : std::nullopt, repaired);
  add_letter(seconds_at(record.last_time), kLine, outcome_sign(outcome, worst, repaired).at(0),
             found ? severity_color(*found, palette()) : outcome_color(outcome, palette()));
}

void TrackPane::add_letter(double seconds, double height, QChar sign, const QColor& color) {
  QFont bold = font();
  bold.setBold(true);
  QPainterPath letter;
  letter.addText(0, 0, bold, sign);
  letter.translate(-letter.boundingRect().center());
  QCPGraph* const graph = addGraph();
  graph->setData(QVector<double>{seconds}, QVector<double>{height}, true);
  graph->setLineStyle(QCPGraph::lsNone);
  constexpr double kOwnSize = 6;  // of a path that is not scaled
  graph->setScatterStyle(QCPScatterStyle(letter, QPen(color, 0), QBrush(color), kOwnSize));
}

/// Letters do not cover each other: of those at one place, the worst is drawn.
void TrackPane::draw_marks() {
  const double room = span().size() * 1.2 * fontMetrics().height() / std::max(1, axisRect()->width());
  if (room <= 0) return;
  std::map<std::int64_t, const TrackFlag*> flags;
  for (const TrackFlag& flag : track_->flags) {
    const double at = seconds_at(flag.time);
    if (!span().contains(at)) continue;
    const TrackFlag*& worst = flags[static_cast<std::int64_t>(std::floor((at - span().lower) / room))];
    if (worst == nullptr || flag.weight > worst->weight) worst = &flag;
  }
  for (const auto& [place, flag] : flags) {
    const auto severity = static_cast<findings::Severity>(std::min(flag->weight, 2));
    const QColor color = severity_color(severity, palette());
    QCPGraph* const stem = addGraph();
    const double at = seconds_at(flag->time);
    stem->setData(QVector<double>{at, at}, QVector<double>{kBelow, kAbove}, true);
    stem->setPen(QPen(color));
    add_letter(at, kFlags, flag->sign, color);
    drawn_.push_back(flag);
  }
  std::map<std::pair<std::int64_t, std::size_t>, double> events;
  const auto& buckets = track_->data.buckets();
  for (std::size_t i = 0; i < buckets.size(); ++i) {
    const double at = seconds_at(track_->data.begin_of(i));
    if (!span().contains(at)) continue;
    for (std::size_t kind = 0; kind < qp::kTransportEventKinds; ++kind) {
      if (buckets[i].events[kind] == 0) continue;
      events.try_emplace({static_cast<std::int64_t>(std::floor((at - span().lower) / room)), kind}, at);
    }
  }
  std::int64_t taken = -1;
  for (const auto& [where, at] : events) {
    if (std::exchange(taken, where.first) == where.first) continue;
    add_letter(at, kEvents, kEventSigns[where.second], palette().color(QPalette::WindowText));
  }
}

QPointF TrackPane::place_of(const TrackFlag& flag) const {
  return {xAxis->coordToPixel(seconds_at(flag.time)), yAxis->coordToPixel(kFlags)};
}

const TrackFlag* TrackPane::flag_at(const QPointF& place) const {
  const double reach = 0.7 * fontMetrics().height();
  const TrackFlag* nearest = nullptr;
  double least = reach;
  for (const TrackFlag* flag : drawn_) {
    const QPointF at = place_of(*flag);
    const double distance = std::abs(at.x() - place.x());
    if (distance >= least || std::abs(at.y() - place.y()) > reach) continue;
    least = distance;
    nearest = flag;
  }
  return nearest;
}

/// The worst within the width of a letter.
const TrackFlag* TrackPane::flag_near(double seconds) const {
  const double reach = 0.7 * fontMetrics().height() * span().size() / std::max(1, axisRect()->width());
  const TrackFlag* worst = nullptr;
  for (const TrackFlag& flag : track_->flags) {
    if (std::abs(seconds_at(flag.time) - seconds) > reach) continue;
    if (worst == nullptr || flag.weight > worst->weight) worst = &flag;
  }
  return worst;
}

QString TrackPane::text_at(double seconds) const {
  QStringList parts;
  if (!track_) return {};
  const TrackFlag* const flag = flag_near(seconds);
  if (flag != nullptr) {
    QString text = flag->text();
    if (text.endsWith(QLatin1Char('.'))) text.chop(1);  // more follows
    parts << QStringLiteral("%1 %2").arg(flag->sign).arg(text);
  }
  const double wide = slice();
  if (!track_->number) {
    const TimePoint from = time_at(seconds);
    const auto count = [&](const Track::Times& times) {
      return QString::number(count_in_slices(times, from, wide, 1).front());
    };
    parts << tr("opened and not closed: %1, accepted and not closed: %2")
                 .arg(count(track_->opened), count(track_->accepted));
  } else if (!track_->data.is_empty()) {
    const TrackData& known = track_->data;
    TrackBucket sum;
    const std::size_t last = known.bucket_at(time_at(seconds + wide));
    for (std::size_t i = known.bucket_at(time_at(seconds)); i <= last; ++i) sum.add(known.buckets()[i]);
    const auto octets = [&](std::size_t d) { return QString::fromStdString(report::human_octets(sum.octets[d])); };
    parts << tr("from A %1, from B %2").arg(octets(0), octets(1));
    for (std::size_t kind = 0; kind < qp::kTransportEventKinds; ++kind) {
      if (sum.events[kind] != 0) parts << event_words(kind, sum.events[kind]);
    }
  }
  // The time comes first: after "failed", it would be the time of the failure.
  parts.prepend(tr("%1: %2").arg(since_text(static_cast<std::int64_t>(seconds * 1e9)), track_->title));
  return parts.join(QStringLiteral("; "));
}

/// The mark stays: a person may look at one queue pair after another in the same time.
void TrackPane::click(double seconds, const QPointF& place) {
  if (!track_) return;
  const TrackFlag* const flag = flag_at(place);
  move_cursor(flag != nullptr ? seconds_at(flag->time) : seconds, false);
  if (flag != nullptr) {
    const Focus focus = flag->focus;  // the flag may be replaced meanwhile
    emit flag_clicked(focus);
  } else if (track_->number) {
    emit chosen(*track_->number);
  }
}

/// Its menu is about its queue pair.
void TrackPane::mousePressEvent(QMouseEvent* event) {
  if (event->button() == Qt::RightButton && track_ && track_->number) emit chosen(*track_->number);
  TimePlot::mousePressEvent(event);
}

void TrackPane::go_to_flag(bool forward) {
  const TrackFlag* to = nullptr;
  for (const TrackFlag& flag : track_->flags) {
    const double at = seconds_at(flag.time), step = 1e-9;
    if (forward && at > cursor_at() + step) {
      to = &flag;
      break;
    }
    if (!forward && at < cursor_at() - step) to = &flag;
  }
  if (to != nullptr) move_cursor(seconds_at(to->time), false);
}

void TrackPane::keyPressEvent(QKeyEvent* event) {
  if (!track_) return;
  switch (event->key()) {
    case Qt::Key_N: return go_to_flag(true);
    case Qt::Key_P: return go_to_flag(false);
    case Qt::Key_Return:
    case Qt::Key_Enter: {
      const TrackFlag* const flag = flag_near(cursor_at());
      if (flag != nullptr) {
        const Focus focus = flag->focus;
        emit flag_activated(focus);
      } else if (track_->number) {
        emit chosen(*track_->number);
      }
      return;
    }
    default: TimePlot::keyPressEvent(event);
  }
}

}  // namespace iwarpscope::gui
