// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Keys, wheel and mouse in the ladder.
#include <QHelpEvent>
#include <QKeyEvent>
#include <QToolTip>

#include <algorithm>
#include <cmath>

#include "models/ladder/ladder_text.h"
#include "views/ladder/ladder_canvas.h"
#include "views/ladder/ladder_painter.h"

namespace iwarpscope::gui {

void LadderCanvas::keyPressEvent(QKeyEvent* event) {
  const bool extends = event->modifiers().testFlag(Qt::ShiftModifier);
  const std::uint64_t begin = store_.begin(), end = store_.end();
  if (begin >= end) return QAbstractScrollArea::keyPressEvent(event);
  const std::uint64_t here = current_.value_or(place_at(question(top(), body_height()), 0));
  const auto page = static_cast<std::uint64_t>(std::max(1.0, body_height() / row_ - 1));
  const auto step = is_density() ? static_cast<std::uint64_t>(std::ceil(LadderQuestion::kLeastRow / row_)) : 1;
  const auto back = [&](std::uint64_t by) { return here - std::min(by, here - begin); };
  switch (event->key()) {
    case Qt::Key_Up: return set_current(back(step), extends);
    case Qt::Key_Down: return set_current(current_ ? here + step : here, extends);
    case Qt::Key_PageUp: return set_current(back(page), extends);
    case Qt::Key_PageDown: return set_current(here + page, extends);
    case Qt::Key_Home: return set_current(begin, extends);
    case Qt::Key_End: return set_current(end - 1, extends);
    case Qt::Key_Plus:
    case Qt::Key_Equal: return zoom(1);
    case Qt::Key_Minus: return zoom(-1);
    case Qt::Key_0: return zoom_to_all();
    case Qt::Key_N: return static_cast<void>(jump_to_finding(!extends));
    case Qt::Key_P: return static_cast<void>(jump_to_finding(false));
    default: QAbstractScrollArea::keyPressEvent(event);
  }
}

void LadderCanvas::wheelEvent(QWheelEvent* event) {
  if (!event->modifiers().testFlag(Qt::ControlModifier)) return QAbstractScrollArea::wheelEvent(event);
  const int turned = event->angleDelta().y();
  if (turned != 0) zoom(turned > 0 ? 1 : -1);
  event->accept();
}

void LadderCanvas::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton || store_.begin() >= store_.end()) return;
  const double y = event->position().y() - ladder_header(QFontMetricsF(font()));
  if (y < 0) return;
  set_current(place_at(question(top(), body_height()), y), event->modifiers().testFlag(Qt::ShiftModifier));
}

void LadderCanvas::mouseMoveEvent(QMouseEvent* event) {
  if (!event->buttons().testFlag(Qt::LeftButton) || !current_) return;
  const double y = event->position().y() - ladder_header(QFontMetricsF(font()));
  const std::uint64_t place = place_at(question(top(), body_height()), y);
  if (place != *current_) set_current(place, true);
}

bool LadderCanvas::viewportEvent(QEvent* event) {
  if (event->type() != QEvent::ToolTip || store_.begin() >= store_.end()) {
    return QAbstractScrollArea::viewportEvent(event);
  }
  const auto* help = static_cast<QHelpEvent*>(event);
  const double y = help->pos().y() - ladder_header(QFontMetricsF(font()));
  if (y < 0 && qp_) {
    const LadderLook names = look();
    QToolTip::showText(help->globalPos(), names.left.front() + QLatin1Char('\n') + names.right.front(), viewport());
    return true;
  }
  QToolTip::showText(help->globalPos(), tip_at(y), viewport());
  return true;
}

QString LadderCanvas::tip_at(double y) {
  const LadderQuestion asked = question(top(), body_height());
  const qp::MessageRecord* message = y < 0 || is_density() ? nullptr : at(place_at(asked, y));
  if (message == nullptr) return {};
  QStringList lines;
  for (const LadderMark& mark : lay_out(asked).marks) {
    if (!mark.text.isEmpty() && std::abs(std::max(mark.y, line() / 2) - y) < line() / 2) lines << mark.text;
  }
  lines << ladder_details(*message, qp_ ? qp_->record.first_time : TimePoint{}, index_.end_of(message->direction));
  return lines.join(QLatin1Char('\n'));
}

}  // namespace iwarpscope::gui
