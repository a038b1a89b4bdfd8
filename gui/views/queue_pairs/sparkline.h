// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Values of the last minute as a small curve.
#pragma once

#include <QList>
#include <QPalette>
#include <QRectF>

class QPainter;

namespace iwarpscope::gui {

/// Fills `area`: the oldest value is at the left, the largest at the top; without values, a base line. The curve has
/// the palette's text colour.
void paint_sparkline(QPainter& painter, const QRectF& area, const QList<quint32>& values, const QPalette& palette,
                     bool is_selected);

}  // namespace iwarpscope::gui
