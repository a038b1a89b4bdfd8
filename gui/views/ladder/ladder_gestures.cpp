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
  const std::uint64_t begin = first_row(), end = last_row();
  if (begin >= end) return QAbstractScrollArea::keyPressEvent(event);
  const std::uint64_t here = current_.value_or(place_at(question(top(), body_height()), 0));
  const auto page = static_cast<std::uint64_t>(std::max(1.0, body_height() / row_ - 1));
  const auto step = is_density() ? static_cast<std::uint64_t>(std::ceil(LadderQuestion::kLeastRow / row_)) : 1;
  const auto back = [&](std::uint64_t by) { return here - std::min(by, here - begin); };
  switch (event->key()) {
    case Qt::Key_Up: return choose(back(step), extends);
    case Qt::Key_Down: return choose(current_ ? here + step : here, extends);
    case Qt::Key_PageUp: return choose(back(page), extends);
    case Qt::Key_PageDown: return choose(here + page, extends);
    case Qt::Key_Home: return choose(begin, extends);
    case Qt::Key_End: return choose(end - 1, extends);
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
  const bool is_left = event->button() == Qt::LeftButton;
  // Its menu is about the row under the mouse.
  if ((!is_left && event->button() != Qt::RightButton) || is_empty()) return;
  const double y = event->position().y() - ladder_header(QFontMetricsF(font()));
  if (y < 0) return;
  const live::FindingView* const finding = is_left ? finding_at(event->position()) : nullptr;
  const std::uint64_t sequence = finding != nullptr ? finding->sequence : 0;  // rows can change in between
  choose(place_at(question(top(), body_height()), y), is_left && event->modifiers().testFlag(Qt::ShiftModifier));
  if (finding != nullptr) emit finding_clicked(sequence);
}

void LadderCanvas::mouseMoveEvent(QMouseEvent* event) {
  const bool is_link = event->buttons() == Qt::NoButton && finding_at(event->position()) != nullptr;
  viewport()->setCursor(is_link ? Qt::PointingHandCursor : Qt::ArrowCursor);
  if (!event->buttons().testFlag(Qt::LeftButton) || !current_) return;
  const double y = event->position().y() - ladder_header(QFontMetricsF(font()));
  const std::uint64_t place = place_at(question(top(), body_height()), y);
  if (place != *current_) choose(place, true);
}

bool LadderCanvas::viewportEvent(QEvent* event) {
  if (event->type() != QEvent::ToolTip || is_empty()) {
    return QAbstractScrollArea::viewportEvent(event);
  }
  const auto* help = static_cast<QHelpEvent*>(event);
  const double y = help->pos().y() - ladder_header(QFontMetricsF(font()));
  if (y < 0 && qp_) {
    const LadderLook names = look();
    QToolTip::showText(help->globalPos(), names.left.front() + QLatin1Char('\n') + names.right.front(), viewport());
    return true;
  }
  const live::FindingView* const finding = finding_at(QPointF(help->pos()));
  QToolTip::showText(help->globalPos(), finding != nullptr ? ladder_finding_details(*finding) : tip_at(y), viewport());
  return true;
}

const live::FindingView* LadderCanvas::finding_at(const QPointF& point) {
  const QFontMetricsF metrics(font());
  const double y = point.y() - ladder_header(metrics);
  if (y < 0 || is_empty() || is_density()) return nullptr;
  const LadderColumns at(metrics, viewport()->width());
  const bool in_notes = point.x() >= at.notes - at.line / 2, at_sign = std::abs(point.x() - at.tap) < at.line / 2;
  if (!in_notes && !at_sign) return nullptr;
  const LadderScene scene = lay_out(question(top(), body_height()));
  const auto of = [this](std::size_t number) { return &findings_.all()[number]; };
  for (const LadderMark& mark : scene.marks) {
    if (mark.finding && std::abs(std::max(mark.y, line() / 2) - y) < line() / 2) return of(*mark.finding);
  }
  if (!in_notes) return nullptr;
  for (const LadderRow& row : scene.rows) {
    if (row.finding && std::abs(row.y - y) <= row_ / 2) return of(*row.finding);
  }
  return nullptr;
}

QString LadderCanvas::tip_at(double y) {
  const LadderQuestion asked = question(top(), body_height());
  if (y < 0 || is_density()) return {};
  const std::uint64_t row = place_at(asked, y);
  const LadderLife* const life = index_.life_at(row);
  const qp::MessageRecord* const message = at(row);
  if (life == nullptr && message == nullptr) return {};
  QStringList lines;
  for (const LadderMark& mark : lay_out(asked).marks) {
    if (!mark.text.empty() && std::abs(std::max(mark.y, line() / 2) - y) < line() / 2) lines << joined(mark.text);
  }
  const TimePoint start = qp_ ? qp_->record.first_time : TimePoint{};
  lines << (life != nullptr ? life_details(*life, start)
                            : ladder_details(*message, start, index_.end_of(message->direction)));
  return lines.join(QLatin1Char('\n'));
}

}  // namespace iwarpscope::gui
