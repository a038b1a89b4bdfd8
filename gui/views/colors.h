// Every colour of the dashboard that is not the palette's own. None of them says anything that a sign or a word beside
// it does not say, too.
#pragma once

#include <QColor>
#include <QPalette>
#include <QString>

#include "findings/catalogue.h"
#include "models/words.h"
#include "qp/verdict_record.h"
#include "rdmap/opcode.h"

namespace iwarpscope::gui {

/// The window is darker than its text.
[[nodiscard]] bool is_dark(const QPalette& palette);

/// Told apart by people who see no red or no green, on light and dark windows. Repeats after kSeries.
/// After Okabe and Ito, "Color Universal Design", 2008; darker on light windows, and of different lightness.
inline constexpr int kSeries = 7;
[[nodiscard]] QColor series_color(int series, const QPalette& palette);

/// Of text and signs.
[[nodiscard]] QColor severity_color(findings::Severity severity, const QPalette& palette);
[[nodiscard]] QColor outcome_color(qp::Outcome outcome, const QPalette& palette);
/// Of an area behind text of the palette's colour.
[[nodiscard]] QColor severity_background(findings::Severity severity, const QPalette& palette);
/// Each opcode the same colour in every view.
[[nodiscard]] QColor opcode_color(rdmap::Opcode opcode, const QPalette& palette);
/// What is old, missing or of little weight.
[[nodiscard]] QColor faint_color(const QPalette& palette);
/// A part of the one and the rest of the other, 0..1.
[[nodiscard]] QColor mixed(const QColor& one, const QColor& other, double part);

}  // namespace iwarpscope::gui
