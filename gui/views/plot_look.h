// What all plots have in common to look at.
#pragma once

#include <qcustomplot.h>

namespace iwarpscope::gui {

/// Colours and fonts of the plot, its axes, its legend and its heading, from its palette and font as they are now.
void dress(QCustomPlot& plot, QCPTextElement& heading);

}  // namespace iwarpscope::gui
