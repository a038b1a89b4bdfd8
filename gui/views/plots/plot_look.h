// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The common appearance of all plots.
#pragma once

#include <qcustomplot.h>

namespace iwarpscope::gui {

/// Sets colours and fonts of the plot, its axes, its legend and its heading from its current palette and font.
void dress(QCustomPlot& plot, QCPTextElement& heading);

}  // namespace iwarpscope::gui
