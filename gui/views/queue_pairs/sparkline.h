// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Values over time as a small curve.
#pragma once

#include <QPalette>
#include <QRectF>

#include <span>

class QPainter;

namespace iwarpscope::gui {

/// Fills `area`: the oldest value is at the left, the largest at the top; without values, a base line. The curve has
/// the palette's text colour.
void paint_sparkline(QPainter& painter, const QRectF& area, std::span<const double> values, const QPalette& palette,
                     bool is_selected);

}  // namespace iwarpscope::gui
