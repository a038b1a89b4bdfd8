// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Draws a part of a ladder that was laid out: on the screen, an image or an SVG file.
#pragma once

#include <QFontMetricsF>
#include <QPainter>
#include <QPalette>
#include <QRectF>
#include <QString>
#include <QStringList>

#include <optional>
#include <utility>

#include "models/ladder/ladder_layout.h"

namespace iwarpscope::gui {

/// Positions of the columns. They depend only on the font and the width.
struct LadderColumns {
  LadderColumns(const QFontMetricsF& metrics, double width);
  double line = 0;                               ///< height of a line of text
  double times = 0;                              ///< left edge of the times
  double initiator = 0, tap = 0, responder = 0;  ///< the lifelines
  double lane = 0;                               ///< between brackets
  double notes = 0, right = 0;                   ///< left and right edge of the text beside the ladder
  bool two_lines = false;                        ///< the time since the previous row is below the time
  /// For the name of a lifeline: names do not overlap.
  [[nodiscard]] double name_room() const { return tap - initiator - 2 * line; }
};

struct LadderLook {
  QPalette palette;
  QFont font;
  QStringList left, right;  ///< names of the ends, the longest form first
  std::optional<std::uint64_t> current{};
  std::optional<std::pair<std::uint64_t, std::uint64_t>> chosen{};  ///< first and last place
  bool focused = false;
};

/// The first text that is not wider than `room`; else the last one.
[[nodiscard]] QString first_that_fits(const QStringList& forms, const QFontMetricsF& metrics, double room);

/// "RDMA Write, 100 octets, …": a label without the last of its parts, when they are too wide; at least its first part.
[[nodiscard]] QString parts_that_fit(const QString& label, const QFontMetricsF& metrics, double room);

/// "RDMA Write, 100 octets," and "STag 0x00000010": at most two lines. Where the second one is too wide as well, it is
/// without the last of its parts.
[[nodiscard]] QStringList lines_that_fit(const QString& label, const QFontMetricsF& metrics, double room);

/// The first pair of texts of which neither is wider than `room`; else the last one. Precondition: both have the same
/// number.
[[nodiscard]] std::pair<QString, QString> names_that_fit(const QStringList& left, const QStringList& right,
                                                         const QFontMetricsF& metrics, double room);

/// Height of the line with the names of the lifelines.
[[nodiscard]] double ladder_header(const QFontMetricsF& metrics);
/// `area` contains the header and, below it, `scene`. `row`: as in the question.
void paint_ladder(QPainter& painter, const QRectF& area, const LadderScene& scene, double row, const LadderLook& look);

}  // namespace iwarpscope::gui
