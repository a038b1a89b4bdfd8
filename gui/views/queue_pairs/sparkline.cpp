// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "views/queue_pairs/sparkline.h"

#include <QPainter>
#include <QPainterPath>

#include <algorithm>

#include "views/colors.h"

namespace iwarpscope::gui {

constexpr qreal kThickest = 2;  // pixels: of a high one, too

void paint_sparkline(QPainter& painter, const QRectF& area, std::span<const double> values, const QPalette& palette,
                     bool is_selected) {
  if (values.size() < 2 || area.isEmpty()) return;
  const QColor line = is_selected ? palette.color(QPalette::HighlightedText) : series_color(0, palette);
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  const double most = *std::max_element(values.begin(), values.end());
  const qreal step = area.width() / static_cast<qreal>(values.size() - 1);
  const qreal thin =
      std::clamp(step / 2, 1.0, std::clamp(area.height() / 40, 1.0, kThickest));  // else peaks run together
  painter.setPen(QPen(mixed(line, palette.color(QPalette::Base), 0.4), thin / 2));
  painter.drawLine(area.bottomLeft(), area.bottomRight());
  if (most > 0) {
    QPainterPath curve;
    for (std::size_t i = 0; i < values.size(); ++i) {
      const qreal height = area.height() * values[i] / most;
      const QPointF at(area.left() + step * static_cast<qreal>(i), area.bottom() - height);
      i == 0 ? curve.moveTo(at) : curve.lineTo(at);
    }
    QPainterPath below = curve;
    below.lineTo(area.bottomRight());
    below.lineTo(area.bottomLeft());
    QColor fill = line;
    fill.setAlphaF(0.25F);
    painter.fillPath(below, fill);
    painter.setPen(QPen(line, thin, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter.drawPath(curve);
  }
  painter.restore();
}

}  // namespace iwarpscope::gui
