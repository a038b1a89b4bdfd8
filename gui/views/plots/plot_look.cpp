// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "views/plots/plot_look.h"

#include "views/colors.h"

namespace iwarpscope::gui {

void DressedPlot::changeEvent(QEvent* event) {
  QCustomPlot::changeEvent(event);
  if (event->type() != QEvent::PaletteChange && event->type() != QEvent::FontChange) return;
  if (plotLayout()->elementCount() != 0) dress_again();
}

QMargins plot_margins(const QFontMetrics& metrics) {
  const int em = metrics.height();
  return {7 * em, 2 * em / 3, em, em / 3};  // above: half of a value at the top of the axis
}

void dress_axes(QCustomPlot& plot) {
  const QPalette now = plot.palette();
  const QColor text = now.color(QPalette::WindowText), faint = faint_color(now);
  plot.setBackground(now.color(QPalette::Base));
  for (QCPAxis* const axis : {plot.xAxis, plot.yAxis}) {
    axis->setBasePen(QPen(text));
    axis->setTickPen(QPen(text));
    axis->setSubTickPen(QPen(faint));
    axis->setTickLabelColor(text);
    axis->setLabelColor(text);
    axis->setTickLabelFont(plot.font());
    axis->setLabelFont(plot.font());
    axis->grid()->setPen(QPen(mixed(faint, now.color(QPalette::Base), 0.35), 0, Qt::DotLine));
  }
}

void dress(QCustomPlot& plot, QCPTextElement& heading) {
  dress_axes(plot);
  const QColor text = plot.palette().color(QPalette::WindowText);
  QFont bold = plot.font();
  bold.setBold(true);
  heading.setFont(bold);
  heading.setTextColor(text);
  plot.legend->setBrush(Qt::NoBrush);
  plot.legend->setBorderPen(Qt::NoPen);
  plot.legend->setTextColor(text);
  plot.legend->setFont(plot.font());
}

}  // namespace iwarpscope::gui
