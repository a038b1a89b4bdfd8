// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "views/plots/latency_histogram.h"

#include <QSaveFile>

#include <algorithm>
#include <utility>

#include "models/words.h"
#include "views/colors.h"
#include "views/picture_export.h"
#include "views/plots/plot_ticker.h"

namespace iwarpscope::gui {
namespace {

constexpr std::array kPercents{50.0, 95.0, 99.0};
constexpr std::array kLines{Qt::SolidLine, Qt::DashLine};
constexpr std::array kDrawn{rdmap::Opcode::rdma_read_request, rdmap::Opcode::atomic_request};

}  // namespace

LatencyHistogram::LatencyHistogram(QWidget* parent) : DressedPlot(parent) {
  setFocusPolicy(Qt::StrongFocus);
  setMouseTracking(true);
  setAccessibleName(tr("Latency distribution"));
  setAccessibleDescription(tr("A histogram of latencies. Left and Right show the counts of each bar."));
  plotLayout()->insertRow(0);
  head_ = new QCPTextElement(this, tr("Latency distribution"), font());
  head_->setTextFlags(Qt::AlignLeft | Qt::AlignVCenter);
  auto* const row = new QCPLayoutGrid;
  row->addElement(0, 0, head_);
  axisRect()->insetLayout()->take(legend);
  row->addElement(0, 1, legend);
  legend->setVisible(true);
  legend->setFillOrder(QCPLegend::foColumnsFirst);
  row->setColumnStretchFactor(0, 0.001);
  plotLayout()->addElement(0, 0, row);
  plotLayout()->setRowStretchFactor(0, 0.001);
  plotLayout()->setRowSpacing(0);
  xAxis->setScaleType(QCPAxis::stLogarithmic);
  xAxis->setTicker(QSharedPointer<QCPAxisTicker>(new DurationTicker));
  xAxis->setLabel(tr("time from the request to the last octet of its response"));
  yAxis->setTicker(QSharedPointer<QCPAxisTicker>(new CountTicker));
  yAxis->setLabel(tr("requests"));
  const int em = fontMetrics().height();
  setMinimumSize(16 * em, 9 * em);
  add_save_action(*this, QStringLiteral("latency"), true, [this](const QString& file) { return save(file); });
  dress(*this, *head_);
  draw_counts();
}

std::uint64_t LatencyHistogram::count(std::size_t kind, std::size_t cell) const {
  const std::vector<std::uint32_t>& cells = counts_[kind].cells();
  return cell < cells.size() ? cells[cell] : 0;
}

void LatencyHistogram::show_counts(const std::array<LatencyCounts, kRequestKinds>& counts) {
  counts_ = counts;
  first_ = LatencyCounts::kCells;
  last_ = 0;
  for (std::size_t cell = 0; cell < LatencyCounts::kCells; ++cell) {
    if (count(0, cell) + count(1, cell) == 0) continue;
    first_ = std::min(first_, cell);
    last_ = cell;
  }
  if (first_ > last_) first_ = last_;
  cursor_ = std::clamp(cursor_, first_, last_);
  draw_counts();
}

void LatencyHistogram::draw_counts() {
  clearGraphs();
  clearItems();
  double most = 1;
  const std::array names{tr("RDMA Reads"), tr("Atomics")};
  for (std::size_t kind = 0; kind < kRequestKinds; ++kind) {
    if (counts_[kind].total() == 0) continue;
    QCPGraph* const curve = addGraph();
    curve->setName(names[kind]);
    curve->setLineStyle(QCPGraph::lsStepLeft);
    const QColor color = opcode_color(kDrawn[kind], palette());
    curve->setPen(QPen(color, std::max(1.0, fontMetrics().height() / 10.0), kLines[kind]));
    QColor fill = color;
    fill.setAlphaF(0.25F);
    curve->setBrush(QBrush(fill, kind == 0 ? Qt::SolidPattern : Qt::BDiagPattern));
    for (std::size_t cell = first_; cell <= last_ + 1; ++cell) {
      const auto value = static_cast<double>(count(kind, cell));
      curve->addData(std::max(1.0, static_cast<double>(LatencyCounts::begin_of(cell))), cell > last_ ? 0 : value);
      most = std::max(most, value);
    }
  }
  const bool is_empty = counts_[0].total() + counts_[1].total() == 0;
  legend->setVisible(!is_empty);
  const double from = is_empty ? 1e3 : static_cast<double>(LatencyCounts::begin_of(first_)) / 1.3;
  const double to = is_empty ? 1e6 : static_cast<double>(LatencyCounts::begin_of(last_ + 1)) * 1.3;
  xAxis->setRange(std::max(1.0, from), to);
  yAxis->setRange(0, most * 1.25);
  for (QCPAxis* const axis : {xAxis, yAxis}) {
    axis->setTicks(!is_empty);
    axis->setTickLabels(!is_empty);
  }
  if (is_empty) {
    auto* const nothing = new QCPItemText(this);
    nothing->setText(tr("no Reads or Atomics"));
    nothing->setFont(font());
    nothing->setColor(palette().color(QPalette::WindowText));
    nothing->position->setType(QCPItemPosition::ptAxisRectRatio);
    nothing->position->setCoords(0.5, 0.5);
    nothing->setPositionAlignment(Qt::AlignCenter);
  } else {
    for (const double percent : kPercents) add_percentile(percent);
    const auto edge = [this](std::size_t cell) { return static_cast<double>(LatencyCounts::begin_of(cell)); };
    if (hasFocus()) add_line(std::sqrt(std::max(1.0, edge(cursor_)) * edge(cursor_ + 1)), Qt::DashDotLine);
  }
  replot(rpQueuedReplot);
}

void LatencyHistogram::add_line(double ns, Qt::PenStyle style) {
  auto* const line = new QCPItemStraightLine(this);
  line->point1->setCoords(ns, 0);
  line->point2->setCoords(ns, 1);
  line->setPen(QPen(palette().color(QPalette::WindowText), 0, style));
}

/// Labels are below each other, so that they do not overlap.
void LatencyHistogram::add_percentile(double percent) {
  LatencyCounts both = counts_[0];
  both.add(counts_[1]);
  const std::int64_t ns = both.percentile_ns(percent);
  add_line(static_cast<double>(ns), Qt::DotLine);
  auto* const label = new QCPItemText(this);
  label->setText(tr("p%1 %2").arg(QLocale().toString(percent, 'f', 0), duration_text(ns)));
  label->setFont(font());
  label->setColor(palette().color(QPalette::WindowText));
  QColor back = palette().color(QPalette::Base);
  back.setAlphaF(0.8F);
  label->setBrush(back);
  const bool is_right = static_cast<double>(ns) > std::sqrt(xAxis->range().lower * xAxis->range().upper);
  label->setPositionAlignment((is_right ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignTop);
  label->position->setTypeY(QCPItemPosition::ptAxisRectRatio);
  const auto place = std::find(kPercents.begin(), kPercents.end(), percent) - kPercents.begin();
  label->position->setCoords(static_cast<double>(ns), 0.02 + 0.1 * static_cast<double>(place));
}

void LatencyHistogram::dress_again() {
  dress(*this, *head_);
  draw_counts();
}

QString LatencyHistogram::text_of(std::size_t cell) const {
  return tr("%1 to %2: %3 RDMA Reads, %4 Atomics")
      .arg(duration_text(LatencyCounts::begin_of(cell)), duration_text(LatencyCounts::begin_of(cell + 1)),
           number_text(count(0, cell)), number_text(count(1, cell)));
}

void LatencyHistogram::go_to(std::size_t cell) {
  const std::size_t was = std::exchange(cursor_, std::clamp(cell, first_, last_));
  if (was != cursor_ && hasFocus()) draw_counts();
  emit pointed(text_of(cursor_));
}

void LatencyHistogram::keyPressEvent(QKeyEvent* event) {
  switch (event->key()) {
    case Qt::Key_Left: return go_to(cursor_ == 0 ? 0 : cursor_ - 1);
    case Qt::Key_Right: return go_to(cursor_ + 1);
    case Qt::Key_Home: return go_to(first_);
    case Qt::Key_End: return go_to(last_);
    default: QCustomPlot::keyPressEvent(event);
  }
}

void LatencyHistogram::mouseMoveEvent(QMouseEvent* event) {
  QCustomPlot::mouseMoveEvent(event);
  const double at = xAxis->pixelToCoord(event->position().x());
  if (axisRect()->rect().contains(event->position().toPoint())) {
    go_to(LatencyCounts::cell_of(static_cast<std::int64_t>(std::clamp(at, 0.0, 1e18))));
  }
}

void LatencyHistogram::focusInEvent(QFocusEvent* event) {
  QCustomPlot::focusInEvent(event);
  draw_counts();
  emit pointed(text_of(cursor_));
}

void LatencyHistogram::focusOutEvent(QFocusEvent* event) {
  QCustomPlot::focusOutEvent(event);
  draw_counts();
}

QString LatencyHistogram::csv() const {
  QString out = QStringLiteral("from_ns,to_ns,reads,atomics\r\n");
  for (std::size_t cell = first_; cell <= last_; ++cell) {
    if (count(0, cell) + count(1, cell) == 0) continue;
    out += QStringLiteral("%1,%2,%3,%4\r\n")
               .arg(LatencyCounts::begin_of(cell))
               .arg(LatencyCounts::begin_of(cell + 1))
               .arg(count(0, cell))
               .arg(count(1, cell));
  }
  return out;
}

bool LatencyHistogram::save(const QString& file) {
  if (!file.endsWith(QStringLiteral(".csv"), Qt::CaseInsensitive)) return save_plot(*this, head_->text(), file);
  QSaveFile out(file);
  return out.open(QIODevice::WriteOnly) && out.write(csv().toUtf8()) >= 0 && out.commit();
}

}  // namespace iwarpscope::gui
