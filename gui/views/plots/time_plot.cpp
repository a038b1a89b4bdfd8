// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "views/plots/time_plot.h"

#include <algorithm>
#include <cmath>

namespace iwarpscope::gui {
namespace {

constexpr double kSteps = 100;       // step of the cursor, as a part of the plot's width
constexpr double kNarrowest = 2e-6;  // seconds

}  // namespace

TimePlot::TimePlot(QWidget* parent)
    : DressedPlot(parent), mark_(new QCPItemRect(this)), cursor_(new QCPItemStraightLine(this)) {
  setFocusPolicy(Qt::StrongFocus);
  setMouseTracking(true);
  setNoAntialiasingOnDrag(true);
  mark_->setLayer(QStringLiteral("background"));
  mark_->topLeft->setTypeY(QCPItemPosition::ptAxisRectRatio);
  mark_->bottomRight->setTypeY(QCPItemPosition::ptAxisRectRatio);
  mark_->setVisible(false);
  cursor_->setVisible(false);
}

void TimePlot::dress_marks() {
  const QPalette now = palette();
  const QColor highlight = now.color(QPalette::Highlight);
  QColor light = highlight;
  light.setAlphaF(0.25F);
  mark_->setBrush(light);
  mark_->setPen(QPen(highlight, 0, Qt::DashLine));
  cursor_->setPen(QPen(now.color(QPalette::WindowText), 0, Qt::DashDotLine));
}

void TimePlot::set_span(QCPRange span) {
  xAxis->setRange(span);
  replot(rpQueuedReplot);
}

TimePoint TimePlot::time_at(double seconds) const {
  return {origin_.ns + static_cast<std::int64_t>(std::clamp(seconds, -4e9, 4e9) * 1e9)};
}

double TimePlot::seconds_at(TimePoint time) const {
  return static_cast<double>(elapsed_ns(origin_, time)) / 1e9;
}

void TimePlot::set_mark(const std::optional<TimeRange>& range) {
  mark_->setVisible(range.has_value());
  if (range) {
    mark_->topLeft->setCoords(seconds_at(range->from), 0);
    mark_->bottomRight->setCoords(seconds_at(range->to), 1);
  }
  replot(rpQueuedReplot);
}

void TimePlot::zoom(double factor, double around) {
  const QCPRange now = span();
  const double most = std::max(whole_.size(), kNarrowest);
  const double size = std::clamp(now.size() * factor, kNarrowest, most);
  const double part = now.size() > 0 ? std::clamp((around - now.lower) / now.size(), 0.0, 1.0) : 0.5;
  const double from = std::clamp(around - part * size, whole_.lower, whole_.lower + most - size);
  emit span_wanted(QCPRange(from, from + size));
}

void TimePlot::move_by(double part) {
  const QCPRange now = span();
  const double highest = std::max(whole_.lower, whole_.upper - now.size());
  const double from = std::clamp(now.lower + part * now.size(), whole_.lower, highest);
  emit span_wanted(QCPRange(from, from + now.size()));
}

void TimePlot::mark(double from, double to) {
  emit marked(TimeRange{time_at(std::min(from, to)), time_at(std::max(from, to))});
}

void TimePlot::move_cursor(double seconds, bool marks) {
  if (marks && !anchor_) anchor_ = cursor_at_;
  if (!marks) anchor_.reset();
  cursor_at_ = std::clamp(seconds, whole_.lower, whole_.upper);
  if (cursor_at_ < span().lower) move_by(-0.5);
  if (cursor_at_ > span().upper) move_by(0.5);
  cursor_->setVisible(true);
  cursor_->point1->setCoords(cursor_at_, yAxis->range().lower);
  cursor_->point2->setCoords(cursor_at_, yAxis->range().upper);
  if (marks) mark(*anchor_, cursor_at_);
  const QString text = text_at(cursor_at_);
  setToolTip(text);
  emit pointed(text);
  replot(rpQueuedReplot);
}

void TimePlot::mousePressEvent(QMouseEvent* event) {
  if (event->button() == Qt::LeftButton) {
    pressed_at_ = xAxis->pixelToCoord(event->position().x());
  } else if (event->button() == Qt::MiddleButton) {
    held_at_ = xAxis->pixelToCoord(event->position().x());
  }
  QCustomPlot::mousePressEvent(event);
}

void TimePlot::mouseMoveEvent(QMouseEvent* event) {
  const double at = xAxis->pixelToCoord(event->position().x());
  if (pressed_at_) {
    mark(*pressed_at_, at);
  } else if (held_at_) {
    if (span().size() > 0) move_by((*held_at_ - at) / span().size());
  } else {
    emit pointed(text_at(at));
  }
  QCustomPlot::mouseMoveEvent(event);
}

void TimePlot::mouseReleaseEvent(QMouseEvent* event) {
  if (event->button() == Qt::LeftButton && pressed_at_) {
    const double at = xAxis->pixelToCoord(event->position().x());
    const double pixels = std::abs(xAxis->coordToPixel(at) - xAxis->coordToPixel(*pressed_at_));
    // A click is not a span: it moves the cursor there.
    if (pixels < QApplication::startDragDistance()) {
      click(at, event->position());
    } else {
      mark(*pressed_at_, at);
    }
    pressed_at_.reset();
  }
  held_at_.reset();
  QCustomPlot::mouseReleaseEvent(event);
}

void TimePlot::click(double seconds, const QPointF& /*place*/) {
  emit marked(std::nullopt);
  move_cursor(seconds, false);
}

void TimePlot::mouseDoubleClickEvent(QMouseEvent* event) {
  pressed_at_.reset();
  emit span_wanted(whole_);
  event->accept();
}

void TimePlot::wheelEvent(QWheelEvent* event) {
  const double turns = (event->angleDelta().y() + event->angleDelta().x()) / 120.0;
  if (event->modifiers().testFlag(Qt::ShiftModifier)) {
    move_by(-turns / 10);
  } else if (event->modifiers().testFlag(Qt::ControlModifier) || event->modifiers() == Qt::NoModifier) {
    zoom(std::pow(0.8, turns), xAxis->pixelToCoord(event->position().x()));
  }
  event->accept();
}

void TimePlot::keyPressEvent(QKeyEvent* event) {
  const bool marks = event->modifiers().testFlag(Qt::ShiftModifier);
  const double step = span().size() / kSteps;
  switch (event->key()) {
    case Qt::Key_Left: return move_cursor(cursor_at_ - step, marks);
    case Qt::Key_Right: return move_cursor(cursor_at_ + step, marks);
    case Qt::Key_PageUp: return move_by(-0.9);
    case Qt::Key_PageDown: return move_by(0.9);
    case Qt::Key_Home: return move_cursor(whole_.lower, marks);
    case Qt::Key_End: return move_cursor(whole_.upper, marks);
    case Qt::Key_Plus:
    case Qt::Key_Equal: return zoom(0.5, cursor_at_);
    case Qt::Key_Minus: return zoom(2, cursor_at_);
    case Qt::Key_0: emit span_wanted(whole_); return;
    case Qt::Key_Escape:
      anchor_.reset();
      emit marked(std::nullopt);
      return;
    default: QCustomPlot::keyPressEvent(event);
  }
}

void TimePlot::focusInEvent(QFocusEvent* event) {
  QCustomPlot::focusInEvent(event);
  axisRect()->setBackground(QBrush(palette().color(QPalette::AlternateBase)));
  replot(rpQueuedReplot);
}

void TimePlot::focusOutEvent(QFocusEvent* event) {
  QCustomPlot::focusOutEvent(event);
  axisRect()->setBackground(QBrush(Qt::NoBrush));
  cursor_->setVisible(false);
  replot(rpQueuedReplot);
}

}  // namespace iwarpscope::gui
