// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "views/plots/time_axis.h"

#include "views/plots/plot_ticker.h"

namespace iwarpscope::gui {

TimeAxis::TimeAxis(QWidget* parent) : DressedPlot(parent) {
  setFocusPolicy(Qt::NoFocus);  // the plots have the keys
  setAccessibleName(tr("Time"));
  yAxis->setVisible(false);
  xAxis->grid()->setVisible(false);
  xAxis->setTicker(QSharedPointer<QCPAxisTicker>(new SecondsTicker));
  xAxis->setLabel(tr("seconds since the first frame of the queue pair"));
  plotLayout()->setMargins({});
  axisRect()->setMinimumSize(10, 1);
  dress();
}

void TimeAxis::dress() {
  dress_axes(*this);
  QMargins margins = plot_margins(fontMetrics());
  margins.setTop(margins.bottom());
  axisRect()->setMinimumMargins(margins);
  setFixedHeight(kTimeAxisLines * fontMetrics().height());
}

void TimeAxis::set_span(QCPRange span) {
  xAxis->setRange(span);
  replot(rpQueuedReplot);
}

void TimeAxis::set_empty(bool empty) {
  xAxis->setTicks(!empty);
  xAxis->setTickLabels(!empty);
}

void TimeAxis::dress_again() {
  dress();
  replot(rpQueuedReplot);
}

}  // namespace iwarpscope::gui
