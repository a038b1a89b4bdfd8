// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The common appearance of all plots.
#pragma once

#include <qcustomplot.h>

namespace iwarpscope::gui {

/// Lines of text that an axis of time is high.
inline constexpr int kTimeAxisLines = 3;

/// Least margins around the axes, so that plots above one another have the same place for the same time.
[[nodiscard]] QMargins plot_margins(const QFontMetrics& metrics);

/// A plot that takes over the palette and the font of the window whenever they change.
class DressedPlot : public QCustomPlot {
 public:
  using QCustomPlot::QCustomPlot;

 protected:
  void changeEvent(QEvent* event) override;
  /// They have changed: dresses the plot and draws it.
  virtual void dress_again() = 0;
};

/// Sets colours and fonts of the plot and its axes from its current palette and font.
void dress_axes(QCustomPlot& plot);
/// Sets colours and fonts of the plot, its axes, its legend and its heading from its current palette and font.
void dress(QCustomPlot& plot, QCPTextElement& heading);

}  // namespace iwarpscope::gui
