// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "views/plots/plot_pane.h"

#include <QSaveFile>

#include <algorithm>
#include <array>
#include <cmath>

#include "models/plots/latency_counts.h"
#include "views/colors.h"
#include "views/csv.h"
#include "views/picture_export.h"
#include "views/plots/plot_ticker.h"

namespace iwarpscope::gui {
namespace {

constexpr int kLeastLines = 6;  // minimum height of a pane in lines of text
constexpr std::array kStyles{Qt::SolidLine, Qt::DashLine, Qt::DotLine, Qt::DashDotLine};
constexpr std::array kMarkers{QCPScatterStyle::ssCircle,  QCPScatterStyle::ssSquare, QCPScatterStyle::ssTriangle,
                              QCPScatterStyle::ssDiamond, QCPScatterStyle::ssCross,  QCPScatterStyle::ssPlus,
                              QCPScatterStyle::ssStar};

}  // namespace

PlotPane::PlotPane(const QString& title, Unit unit, QWidget* parent)
    : TimePlot(parent), title_(title), unit_(unit), nothing_(new QCPItemText(this)) {
  setAccessibleName(title);
  setAccessibleDescription(
      tr("A plot over time. Left and Right show values. With Shift they mark a time span. Plus and minus zoom, 0 shows "
         "all, Escape clears the mark."));
  make_head();
  switch (unit) {
    case Unit::count: yAxis->setTicker(QSharedPointer<QCPAxisTicker>(new CountTicker)); break;
    case Unit::rate: yAxis->setTicker(QSharedPointer<QCPAxisTicker>(new RateTicker)); break;
    case Unit::duration:
      yAxis->setScaleType(QCPAxis::stLogarithmic);
      yAxis->setTicker(QSharedPointer<QCPAxisTicker>(new DurationTicker));
      break;
  }
  nothing_->setText(unit == Unit::duration ? tr("no Reads or Atomics") : tr("nothing to show"));
  nothing_->position->setType(QCPItemPosition::ptAxisRectRatio);
  nothing_->position->setCoords(0.5, 0.5);
  nothing_->setPositionAlignment(Qt::AlignCenter);
  nothing_->setVisible(false);
  axisRect()->setMinimumMargins(plot_margins(fontMetrics()));
  dress();
  show_time_axis(false);
}

/// The title and, to its right, the legend: it does not cover curves.
void PlotPane::make_head() {
  plotLayout()->insertRow(0);
  auto* const row = new QCPLayoutGrid;
  auto* const head = new QCPTextElement(this, title_, font());
  head->setTextFlags(Qt::AlignLeft | Qt::AlignVCenter);
  row->addElement(0, 0, head);
  axisRect()->insetLayout()->take(legend);
  row->addElement(0, 1, legend);
  legend->setFillOrder(QCPLegend::foColumnsFirst);
  legend->setMargins({});
  legend->setRowSpacing(0);
  legend->setColumnSpacing(fontMetrics().averageCharWidth());
  row->setColumnStretchFactor(0, 0.001);
  row->setMargins(QMargins(0, 0, fontMetrics().averageCharWidth(), 0));
  plotLayout()->addElement(0, 0, row);
  plotLayout()->setRowSpacing(0);
  plotLayout()->setRowStretchFactor(0, 0.001);
  head_ = head;
}

/// As many entries side by side as fit; the pane is high enough for the rows of the legend and the curves.
void PlotPane::fit_legend() {
  int widest = 1;
  for (int i = 0; i < graphCount(); ++i) widest = std::max(widest, fontMetrics().horizontalAdvance(graph(i)->name()));
  const int entry = widest + legend->iconSize().width() + 3 * fontMetrics().averageCharWidth();
  QFont bold = font();
  bold.setBold(true);
  const int room = width() - QFontMetrics(bold).horizontalAdvance(title_) - 4 * fontMetrics().averageCharWidth();
  const int columns = std::max(1, room / entry);
  if (legend->wrap() != columns) {
    legend->setWrap(columns);
    legend->setFillOrder(QCPLegend::foColumnsFirst, true);  // number of entries
  }
  const int em = fontMetrics().height(), rows = (graphCount() + columns - 1) / columns;
  const int row = std::max(em, legend->iconSize().height()) + 2;
  setMinimumHeight(kLeastLines * em + (xAxis->tickLabels() ? kTimeAxisLines * em : 0) + std::max(0, rows - 1) * row);
}

/// As many as fit above each other.
void PlotPane::fit_ticks() {
  const int em = fontMetrics().height();
  const int room = height() - 2 * em - (xAxis->tickLabels() ? 3 * em : 0);
  // Durations are counted as if their distances were equal; the real number can be half as many more.
  const int most = unit_ == Unit::duration ? 5 * room / (6 * em) : 2 * room / (3 * em);
  yAxis->ticker()->setTickCount(std::clamp(most, 1, 6));
}

void PlotPane::resizeEvent(QResizeEvent* event) {
  fit_legend();
  fit_ticks();
  QCustomPlot::resizeEvent(event);
}

void PlotPane::dress() {
  gui::dress(*this, *head_);
  for (QCPAxis* const axis : {xAxis, yAxis}) axis->grid()->setZeroLinePen(Qt::NoPen);
  dress_marks();
  nothing_->setColor(palette().color(QPalette::WindowText));
  nothing_->setFont(font());
}

void PlotPane::dress_again() {
  dress();
  replot(rpQueuedReplot);
}

void PlotPane::set_value_label(const QString& label) {
  yAxis->setLabel(label);
}

void PlotPane::set_empty_words(const QString& words) {
  nothing_->setText(words);
}

bool PlotPane::is_empty() const {
  const auto has_values = [](const PlotSeries& one) { return one.shape != PlotSeries::Shape::level && !one.x.empty(); };
  return (!heat_ || heat_->columns <= 0) && std::none_of(series_.begin(), series_.end(), has_values);
}

void PlotPane::show_time_axis(bool shown) {
  xAxis->setTickLabels(shown);
  xAxis->setLabel(shown ? tr("seconds since the first frame of the queue pair") : QString());
  fit_legend();
}

void PlotPane::add_series(const PlotSeries& series, int number) {
  QCPGraph* const curve = addGraph();
  curve->setName(series.name);
  curve->setData(series.x, series.y, true);
  const auto place = static_cast<std::size_t>(number);
  QPen pen(series.color, std::max(1.0, fontMetrics().height() / 12.0), kStyles[place % kStyles.size()]);
  const bool is_level = series.shape == PlotSeries::Shape::level;
  if (is_level) pen.setStyle(Qt::DashDotDotLine);
  curve->setPen(pen);
  switch (series.shape) {
    case PlotSeries::Shape::steps: curve->setLineStyle(QCPGraph::lsStepLeft); break;
    case PlotSeries::Shape::impulses: curve->setLineStyle(QCPGraph::lsImpulse); break;
    case PlotSeries::Shape::points:
    case PlotSeries::Shape::level: curve->setLineStyle(QCPGraph::lsLine); break;
  }
  const QPen solid(series.color, pen.widthF());
  if (!is_level) {
    curve->setScatterStyle(
        QCPScatterStyle(kMarkers[place % kMarkers.size()], solid, QBrush(Qt::NoBrush), fontMetrics().height() / 2.2));
  }
  const bool is_sparse = series.shape != PlotSeries::Shape::steps;
  curve->setScatterSkip(is_sparse ? 0 : std::max(0, static_cast<int>(series.x.size()) / 16 - 1));
}

/// Without values, an axis has no meaning.
void PlotPane::note_whether_empty(bool is_empty) {
  nothing_->setVisible(is_empty);
  yAxis->setTicks(!is_empty);
  yAxis->setTickLabels(!is_empty);
}

void PlotPane::set_series(const std::vector<PlotSeries>& series) {
  series_ = series;
  clearGraphs();
  int number = 0;
  double most = 0, least = 1e18;
  for (const PlotSeries& one : series) {
    add_series(one, number++);
    for (const double y : one.y) {
      most = std::max(most, y);
      if (y > 0) least = std::min(least, y);
    }
  }
  legend->setVisible(!series.empty());
  note_whether_empty(series.empty());
  // Before anything is drawn: Qt needs a minute for a dashed curve that exceeds the axes by a million times their
  // height.
  if (unit_ == Unit::duration) {
    yAxis->setRange(std::max(1.0, std::min(least, most) / 2), std::max(10.0, most * 3));
  } else {
    yAxis->setRange(0, most > 0 ? most * 1.15 : 1);
  }
  fit_legend();
  replot(rpQueuedReplot);
}

void PlotPane::set_heat(const PlotHeat& heat) {
  heat_ = heat;
  clearGraphs();
  legend->setVisible(heat.columns > 0);
  note_whether_empty(heat.columns <= 0);
  if (map_ == nullptr) {
    yAxis->setScaleType(QCPAxis::stLinear);
    yAxis->setTicker(QSharedPointer<QCPAxisTicker>(new LogDurationTicker));
    fit_ticks();
    map_ = new QCPColorMap(xAxis, yAxis);
    map_->removeFromLegend();  // its samples are sufficient
    map_->setInterpolate(false);
    map_->setTightBoundary(true);
    map_->setDataScaleType(QCPAxis::stLogarithmic);
  }
  map_->setVisible(heat.columns > 0);
  if (heat.columns <= 0) return replot(rpQueuedReplot);
  map_->data()->setSize(heat.columns, heat.rows);
  // Ranges are those of the cells' centres.
  const double wide = (heat.to - heat.from) / heat.columns, high = (heat.high - heat.low) / heat.rows;
  map_->data()->setRange(QCPRange(heat.from + wide / 2, heat.to - wide / 2),
                         QCPRange(heat.low + high / 2, heat.high - high / 2));
  double most = 1;
  for (int column = 0; column < heat.columns; ++column) {
    for (int row = 0; row < heat.rows; ++row) {
      const double count = heat.count(column, row);
      most = std::max(most, count);
      map_->data()->setCell(column, row, count);
      map_->data()->setAlpha(column, row, count > 0 ? 255 : 0);
    }
  }
  QCPColorGradient gradient;
  gradient.clearColorStops();
  const QColor strong = series_color(0, palette());
  gradient.setColorStopAt(0, mixed(strong, palette().color(QPalette::Base), 0.3));
  gradient.setColorStopAt(1, mixed(strong, palette().color(QPalette::WindowText), 0.75));
  map_->setGradient(gradient);
  map_->setDataRange(QCPRange(0.8, std::max(2.0, most)));
  show_scale(gradient, most);
  yAxis->setRange(heat.low, heat.high);
  replot(rpQueuedReplot);
}

/// In the legend: the colours of one, of the maximum, and of one number between them.
void PlotPane::show_scale(const QCPColorGradient& gradient, double most) {
  QCPColorGradient colors = gradient;
  std::vector<double> counts{1, std::round(std::sqrt(most)), most};
  counts.erase(std::unique(counts.begin(), counts.end()), counts.end());
  const double side = fontMetrics().height() * 0.8;
  for (const double count : counts) {
    QCPGraph* const sample = addGraph();
    sample->setName(tr("%n request(s)", nullptr, static_cast<int>(count)));
    sample->setLineStyle(QCPGraph::lsNone);
    const QColor color = colors.color(count, map_->dataRange(), true);
    sample->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssSquare, color, color, side));
  }
  fit_legend();
}

QString PlotPane::value_text(double value) const {
  switch (unit_) {
    case Unit::rate: return rate_words(value);
    case Unit::duration: return duration_text(static_cast<std::int64_t>(value));
    case Unit::count: break;
  }
  return QLocale().toString(value, 'f', 0);
}

QString PlotPane::heat_text(double seconds) const {
  if (!heat_ || heat_->columns <= 0 || seconds < heat_->from || seconds >= heat_->to) return {};
  const int column = static_cast<int>((seconds - heat_->from) / (heat_->to - heat_->from) * heat_->columns);
  QStringList parts;
  const QLocale locale;
  for (int row = 0; row < heat_->rows; ++row) {
    const double count = heat_->count(column, row);
    if (count <= 0) continue;
    const double begin = heat_->low + (heat_->high - heat_->low) * row / heat_->rows;
    parts << tr("from %1: %2")
                 .arg(duration_text(static_cast<std::int64_t>(std::pow(10.0, begin))), locale.toString(count, 'f', 0));
  }
  return parts.join(QStringLiteral("; "));
}

QString PlotPane::text_at(double seconds) const {
  QStringList parts{heat_text(seconds)};
  for (const PlotSeries& one : series_) {
    const auto behind = std::upper_bound(one.x.begin(), one.x.end(), seconds);
    if (behind == one.x.begin()) continue;
    parts << tr("%1: %2").arg(one.name, value_text(one.y[behind - one.x.begin() - 1]));
  }
  parts.removeAll(QString());
  const QString at = since_text(static_cast<std::int64_t>(seconds * 1e9));
  return tr("%1 at %2 - %3").arg(title_, at, parts.isEmpty() ? tr("nothing") : parts.join(QStringLiteral("; ")));
}

QString PlotPane::csv() const {
  QString out = QStringLiteral("seconds,what,value\r\n");
  const auto line = [&out](double at, const QString& what, double value) {
    out += QString::number(at, 'f', 9) + QLatin1Char(',') + csv_cell(what) + QLatin1Char(',') +
           QString::number(value, 'g', 12) + QStringLiteral("\r\n");
  };
  for (const PlotSeries& one : series_) {
    for (qsizetype i = 0; i < one.x.size(); ++i) line(one.x[i], one.name, one.y[i]);
  }
  if (!heat_) return out;
  for (int column = 0; column < heat_->columns; ++column) {
    for (int row = 0; row < heat_->rows; ++row) {
      const double count = heat_->count(column, row);
      const double begin = heat_->low + (heat_->high - heat_->low) * row / heat_->rows;
      const double at = heat_->from + (heat_->to - heat_->from) * column / heat_->columns;
      if (count > 0) line(at, tr("from %1 ns").arg(QString::number(std::pow(10.0, begin), 'f', 0)), count);
    }
  }
  return out;
}

bool PlotPane::save(const QString& file) {
  if (!file.endsWith(QStringLiteral(".csv"), Qt::CaseInsensitive)) {
    show_time_axis(true);
    const bool is_saved = save_plot(*this, title_, file);
    show_time_axis(false);
    return is_saved;
  }
  QSaveFile out(file);
  return out.open(QIODevice::WriteOnly) && out.write(csv().toUtf8()) >= 0 && out.commit();
}

}  // namespace iwarpscope::gui
