// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The axis of time below several plots.
#pragma once

#include <qcustomplot.h>

#include "views/plots/plot_look.h"

namespace iwarpscope::gui {

/// Nothing but the axis; its margins are those of a PlotPane, which is as wide.
class TimeAxis : public DressedPlot {
  Q_OBJECT

 public:
  explicit TimeAxis(QWidget* parent = nullptr);
  /// Seconds since the origin.
  void set_span(QCPRange span);
  /// Without values, a time has no meaning.
  void set_empty(bool empty);

 protected:
  void dress_again() override;

 private:
  void dress();
};

}  // namespace iwarpscope::gui
