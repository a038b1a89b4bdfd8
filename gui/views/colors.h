// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// All colours of the dashboard that are not from the palette. A sign or a word always has the same meaning as the
// colour.
#pragma once

#include <QColor>
#include <QPalette>
#include <QString>

#include "findings/catalogue.h"
#include "models/words.h"
#include "qp/verdict_record.h"
#include "rdmap/opcode.h"

namespace iwarpscope::gui {

/// The window's background is darker than its text.
[[nodiscard]] bool is_dark(const QPalette& palette);

/// Distinguishable for people who cannot see red or green, on light and dark windows. Repeats after kSeries. After
/// Okabe and Ito, "Color Universal Design", 2008; darker on light windows, and with different lightness.
inline constexpr int kSeries = 7;
[[nodiscard]] QColor series_color(int series, const QPalette& palette);

/// For text and signs.
[[nodiscard]] QColor severity_color(findings::Severity severity, const QPalette& palette);
[[nodiscard]] QColor outcome_color(qp::Outcome outcome, const QPalette& palette);
/// For a background of text of the palette's colour.
[[nodiscard]] QColor severity_background(findings::Severity severity, const QPalette& palette);
/// The same, stronger, for the worst of several. Text on it has the colour of text.
[[nodiscard]] QColor worst_background(findings::Severity severity, const QPalette& palette);
/// Each opcode has the same colour in every view.
[[nodiscard]] QColor opcode_color(rdmap::Opcode opcode, const QPalette& palette);
/// What a field says while it is empty. A desktop's dark palette may lack it: Qt then takes black.
[[nodiscard]] QColor placeholder_color(const QPalette& palette);
/// For old, missing or less important data.
[[nodiscard]] QColor faint_color(const QPalette& palette);
/// Mixes the first colour with the second, 0..1.
[[nodiscard]] QColor mixed(const QColor& one, const QColor& other, double part);

}  // namespace iwarpscope::gui
