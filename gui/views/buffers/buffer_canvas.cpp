// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "views/buffers/buffer_canvas.h"

#include <QKeyEvent>
#include <QLocale>
#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "models/ladder/ladder_text.h"
#include "models/plots/latency_counts.h"
#include "models/words.h"
#include "views/colors.h"

namespace iwarpscope::gui {

struct BufferCanvas::Places {
  QRectF band, times;  ///< contents of memory; time of placement
};

namespace {

QString opcode_title(rdmap::Opcode opcode) {
  return QString::fromUtf8(rdmap::title(opcode));
}

}  // namespace

BufferCanvas::BufferCanvas(const Selection& selection, QWidget* parent) : QWidget(parent), selection_(selection) {
  connect(&selection, &Selection::range_changed, this, qOverload<>(&QWidget::update));
  setFocusPolicy(Qt::StrongFocus);
  setMouseTracking(true);
  setAccessibleName(tr("Map of octets placed"));
  setAccessibleDescription(
      tr("Left and Right move from piece to piece. Enter shows the message that placed the piece."));
}

QSize BufferCanvas::sizeHint() const {
  const int em = fontMetrics().height();
  return {40 * em, 11 * em};
}

QSize BufferCanvas::minimumSizeHint() const {
  const int em = fontMetrics().height();
  return {20 * em, 10 * em};
}

void BufferCanvas::show_buffer(const BufferKey& key, const Buffer& buffer, const StreamEnd* end, TimePoint origin,
                               bool keeps_view) {
  end_ = end != nullptr ? std::optional(*end) : std::nullopt;
  const double whole_before = buffer_ ? static_cast<double>(buffer_->end - buffer_->begin) : 0;
  const bool saw_all = from_ <= 0 && to_ >= whole_before;
  const bool has_moved = !buffer_ || buffer_->begin != buffer.begin;
  key_ = key;
  buffer_ = buffer;
  origin_ = origin;
  earliest_ = latest_ = origin;
  bool is_first = true;
  for (const auto& [begin, extent] : buffer.extents) {
    earliest_ = is_first ? extent.last.time : std::min(earliest_, extent.last.time);
    latest_ = is_first ? extent.last.time : std::max(latest_, extent.last.time);
    is_first = false;
  }
  for (const Refusal& refusal : buffer.refusals) {
    earliest_ = is_first ? refusal.by.time : std::min(earliest_, refusal.by.time);
    latest_ = is_first ? refusal.by.time : std::max(latest_, refusal.by.time);
    is_first = false;
  }
  for (const Invalidation& invalidation : buffer.invalidations) {
    earliest_ = is_first ? invalidation.time : std::min(earliest_, invalidation.time);
    latest_ = is_first ? invalidation.time : std::max(latest_, invalidation.time);
    is_first = false;
  }
  if (!keeps_view || saw_all || has_moved) show_all();
  if (!keeps_view && !buffer.extents.empty()) go_to(buffer.extents.begin()->first);
  update();
}

void BufferCanvas::clear() {
  buffer_.reset();
  update();
}

void BufferCanvas::set_marked_frames(std::map<std::uint64_t, QString> frames) {
  marked_frames_ = std::move(frames);
  update();
}

const Extent* BufferCanvas::current() const {
  if (!buffer_) return nullptr;
  const auto it = buffer_->extents.find(current_);
  return it == buffer_->extents.end() ? buffer_->at(current_) : &it->second;
}

QString BufferCanvas::text_of(const Extent& extent) const {
  QStringList parts{tr("TO %1 to %2, %Ln octet(s)", nullptr, plural(extent.end - extent.begin))
                        .arg(word_text(extent.begin), word_text(extent.end)),
                    tr("%1 of frame %2 at %3")
                        .arg(opcode_title(extent.last.opcode), QString::number(extent.last.first_frame.value),
                             since_text(elapsed_ns(origin_, extent.last.time)))};
  if (extent.refused && end_) parts << tr("nothing placed here");
  if (extent.messages > 1) {
    parts << tr("the latest of %Ln message(s)", nullptr, plural(extent.messages));
  }
  if (extent.rewritten) parts << tr("overwritten before its owner was notified of the previous data");
  if (extent.after_invalidation) parts << tr("placed after the STag was invalidated");
  const auto marked = marked_frames_.find(extent.last.first_frame.value);
  if (marked != marked_frames_.end()) parts << marked->second;
  const QString text = parts.join(QStringLiteral("; "));
  return extent.refused && end_ ? text + QLatin1Char('\n') + refusal_text(*end_, extent.last.index) : text;
}

BufferCanvas::Places BufferCanvas::places() const {
  const double em = fontMetrics().height();
  const QRectF inner = QRectF(rect()).adjusted(6 * em, em, -em, -1.6 * em);
  const QRectF band(inner.left(), inner.top(), inner.width(), 2 * em);
  return {band,
          QRectF(inner.left(), band.bottom() + 1.2 * em, inner.width(), inner.bottom() - band.bottom() - 1.2 * em)};
}

double BufferCanvas::x_of(std::uint64_t to) const {
  const QRectF band = places().band;
  const double relative = static_cast<double>(to - buffer_->begin);
  return band.left() + (relative - from_) / std::max(1.0, to_ - from_) * band.width();
}

std::uint64_t BufferCanvas::to_at(double x) const {
  const QRectF band = places().band;
  const double relative = from_ + (x - band.left()) / std::max(1.0, band.width()) * (to_ - from_);
  const double most = static_cast<double>(buffer_->end - buffer_->begin);
  return buffer_->begin + static_cast<std::uint64_t>(std::clamp(relative, 0.0, std::max(0.0, most - 1)));
}

/// 0: the latest, 1: the earliest.
double BufferCanvas::age(TimePoint time) const {
  const auto span = static_cast<double>(elapsed_ns(earliest_, latest_));
  return span <= 0 ? 0 : static_cast<double>(elapsed_ns(time, latest_)) / span;
}

const Extent* BufferCanvas::at(const QPointF& point) const {
  if (!buffer_ || point.x() < places().band.left() || point.x() > places().band.right()) return nullptr;
  return buffer_->at(to_at(point.x()));
}

void BufferCanvas::paint_extent(QPainter& painter, const Extent& extent, const Places& places) const {
  const double em = fontMetrics().height();
  const double left = std::max(places.band.left(), x_of(extent.begin));
  const double right = std::min(places.band.right(), std::max(x_of(extent.end), left + 1));
  if (right <= places.band.left() || left >= places.band.right()) return;
  const QColor strong = opcode_color(extent.last.opcode, palette());
  const auto& range = selection_.range();
  const bool is_out = range && !range->contains(extent.last.time);
  const QColor fill =
      mixed(strong, palette().color(QPalette::Base), is_out ? 0.12 : 0.9 - 0.55 * age(extent.last.time));
  const QRectF in_band(left, places.band.top(), right - left, places.band.height());
  const double y = places.times.top() + (1 - age(extent.last.time)) * (places.times.height() - em / 2);
  const QRectF in_times(left, y, right - left, em / 2);
  const QColor lines = palette().color(QPalette::WindowText);
  for (const QRectF& where : {in_band, in_times}) {
    if (extent.refused) {
      painter.setBrush(Qt::NoBrush);
      painter.setPen(QPen(is_out ? fill : lines, 1, Qt::DotLine));
      painter.drawRect(where.adjusted(0, 0, -1, -1));
      continue;
    }
    painter.fillRect(where, fill);
    if (extent.rewritten) painter.fillRect(where, QBrush(lines, Qt::BDiagPattern));
    if (extent.after_invalidation) painter.fillRect(where, QBrush(lines, Qt::DiagCrossPattern));
    if (where.width() > em / 3) {
      painter.setPen(QPen(palette().color(QPalette::Base), 0));
      painter.drawRect(where);
    }
  }
  const auto marked = marked_frames_.find(extent.last.first_frame.value);
  if (marked != marked_frames_.end()) {
    painter.setPen(severity_color(findings::Severity::error, palette()));
    painter.drawText(QPointF(left, places.band.top() - em / 5), marked->second.left(1));
  }
  const Extent* const now = current();
  if (now == nullptr || now->begin != extent.begin) return;
  painter.setPen(QPen(palette().color(hasFocus() ? QPalette::Highlight : QPalette::WindowText), std::max(2.0, em / 8)));
  painter.drawRect(in_band.adjusted(-1, -1, 1, 1));
  painter.drawRect(in_times.adjusted(-1, -1, 1, 1));
}

/// Drawn at their time, even if the previous contents stay.
void BufferCanvas::paint_refusals(QPainter& painter, const Places& places) const {
  const double em = fontMetrics().height();
  painter.setBrush(Qt::NoBrush);
  painter.setPen(QPen(severity_color(findings::Severity::error, palette()), std::max(1.0, em / 10), Qt::DotLine));
  for (const Refusal& refusal : buffer_->refusals) {
    const double left = std::max(places.times.left(), x_of(refusal.begin));
    const double right = std::min(places.times.right(), std::max(x_of(refusal.end), left + 1));
    if (right <= left) continue;
    const double y = places.times.top() + (1 - age(refusal.by.time)) * (places.times.height() - em / 2);
    painter.drawRect(QRectF(left, y, right - left, em / 2));
    const QString text = tr("✗ refused, frame %1").arg(refusal.by.first_frame.value);
    painter.drawText(QRectF(left, y - em, std::max(right - left, 20 * em), em), Qt::AlignLeft | Qt::AlignVCenter, text);
  }
}

void BufferCanvas::paint_invalidations(QPainter& painter, const Places& places) const {
  const double em = fontMetrics().height();
  painter.setPen(QPen(severity_color(findings::Severity::error, palette()), std::max(1.0, em / 10), Qt::DashLine));
  for (const Invalidation& invalidation : buffer_->invalidations) {
    const double part = 1 - age(invalidation.time);
    const double y = places.times.top() + part * (places.times.height() - em / 2) + em / 4;
    painter.drawLine(QPointF(places.times.left(), y), QPointF(places.times.right(), y));
    const QString text = tr("invalidated, frame %1").arg(invalidation.frame.value);
    const double wide = fontMetrics().horizontalAdvance(text);
    const QRectF label(places.times.right() - wide - em / 2, y - em, wide + em / 2, em);
    painter.fillRect(label, palette().color(QPalette::Base));
    painter.drawText(label, Qt::AlignCenter, text);
  }
}

void BufferCanvas::paint_axes(QPainter& painter, const Places& places) const {
  const double em = fontMetrics().height();
  painter.setPen(palette().color(QPalette::WindowText));
  painter.drawRect(places.band);
  painter.drawRect(places.times);
  const double right = places.band.left() - em / 2;
  const auto left_label = [&](double y, const QString& text) {
    painter.drawText(QRectF(0, y - em, right, 2 * em), Qt::AlignRight | Qt::AlignVCenter, text);
  };
  left_label(places.band.center().y(), tr("holds"));
  left_label(places.times.top() + em / 4, since_text(elapsed_ns(origin_, earliest_)));
  if (latest_ > earliest_) left_label(places.times.bottom() - em / 2, since_text(elapsed_ns(origin_, latest_)));
  const QRectF below(places.band.left(), places.times.bottom() + em / 5, places.band.width(), 1.3 * em);
  painter.drawText(below, Qt::AlignLeft | Qt::AlignTop, word_text(to_at(places.band.left())));
  painter.drawText(below, Qt::AlignRight | Qt::AlignTop, word_text(to_at(places.band.right()) + 1));
  painter.drawText(below, Qt::AlignHCenter | Qt::AlignTop, tr("Tagged Offset"));
}

void BufferCanvas::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.fillRect(rect(), palette().color(QPalette::Base));
  if (!buffer_ || buffer_->extents.empty()) {
    painter.setPen(palette().color(QPalette::WindowText));
    painter.drawText(rect(), Qt::AlignCenter | Qt::TextWordWrap,
                     buffer_ ? tr("No octets were placed in this STag.") : tr("Choose an STag above."));
    return;
  }
  const Places where = places();
  auto it = buffer_->extents.upper_bound(to_at(where.band.left()));
  if (it != buffer_->extents.begin()) --it;
  const std::uint64_t last = to_at(where.band.right());
  for (; it != buffer_->extents.end() && it->first <= last; ++it) paint_extent(painter, it->second, where);
  paint_refusals(painter, where);
  paint_invalidations(painter, where);
  paint_axes(painter, where);
}

void BufferCanvas::go_to(std::uint64_t begin) {
  current_ = begin;
  const Extent* const extent = current();
  if (extent == nullptr) return;
  const double from = static_cast<double>(extent->begin - buffer_->begin), wide = to_ - from_;
  if (from < from_ || from >= to_) {
    from_ = std::max(0.0, from - wide / 2);
    to_ = from_ + wide;
  }
  const QString text = text_of(*extent);
  setAccessibleDescription(text);
  setToolTip(text);
  emit pointed(text);
  update();
}

void BufferCanvas::step(int pieces) {
  if (!buffer_ || buffer_->extents.empty()) return;
  auto it = buffer_->extents.lower_bound(current_);
  if (it == buffer_->extents.end()) it = std::prev(it);
  for (; pieces > 0 && std::next(it) != buffer_->extents.end(); --pieces) ++it;
  for (; pieces < 0 && it != buffer_->extents.begin(); ++pieces) --it;
  go_to(it->first);
}

void BufferCanvas::show_all() {
  from_ = 0;
  to_ = buffer_ ? std::max(1.0, static_cast<double>(buffer_->end - buffer_->begin)) : 1;
  update();
}

void BufferCanvas::zoom(double factor, double around) {
  if (!buffer_ || buffer_->extents.empty()) return;
  const double whole = std::max(1.0, static_cast<double>(buffer_->end - buffer_->begin));
  const double wide = std::clamp((to_ - from_) * factor, std::min(8.0, whole), whole);
  const double part = (around - from_) / std::max(1.0, to_ - from_);
  from_ = std::clamp(around - part * wide, 0.0, whole - wide);
  to_ = from_ + wide;
  update();
}

void BufferCanvas::keyPressEvent(QKeyEvent* event) {
  const Extent* const now = current();
  const double around = now == nullptr ? 0 : static_cast<double>(now->begin - buffer_->begin);
  constexpr int kMany = 1 << 30;
  switch (event->key()) {
    case Qt::Key_Left: return step(-1);
    case Qt::Key_Right: return step(1);
    case Qt::Key_PageUp: return step(-20);
    case Qt::Key_PageDown: return step(20);
    case Qt::Key_Home: return step(-kMany);
    case Qt::Key_End: return step(kMany);
    case Qt::Key_Plus:
    case Qt::Key_Equal: return zoom(0.5, around);
    case Qt::Key_Minus: return zoom(2, around);
    case Qt::Key_0: return show_all();
    case Qt::Key_Return:
    case Qt::Key_Enter:
      if (now != nullptr) emit chosen(now->last);
      return;
    default: QWidget::keyPressEvent(event);
  }
}

void BufferCanvas::mousePressEvent(QMouseEvent* event) {
  if (const Extent* const extent = at(event->position())) go_to(extent->begin);
}

void BufferCanvas::mouseDoubleClickEvent(QMouseEvent* event) {
  if (const Extent* const extent = at(event->position())) emit chosen(extent->last);
}

void BufferCanvas::mouseMoveEvent(QMouseEvent* event) {
  if (const Extent* const extent = at(event->position())) emit pointed(text_of(*extent));
}

void BufferCanvas::wheelEvent(QWheelEvent* event) {
  if (!buffer_ || buffer_->extents.empty()) return;
  const double at = static_cast<double>(to_at(event->position().x()) - buffer_->begin);
  zoom(std::pow(0.8, event->angleDelta().y() / 120.0), at);
  event->accept();
}

}  // namespace iwarpscope::gui
