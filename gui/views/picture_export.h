// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Saves plots and pictures as files.
#pragma once

#include <QString>

#include <functional>

class QCustomPlot;
class QWidget;

namespace iwarpscope::gui {

// By suffix: .png, or .svg (vector graphics). False: it could not be written, or has another suffix.
[[nodiscard]] bool save_plot(QCustomPlot& plot, const QString& title, const QString& file);
/// The contents of a widget that paints itself.
[[nodiscard]] bool save_picture(QWidget& widget, const QString& title, const QString& file);

/// Adds "Save picture..." to the widget's context menu. `stem`: proposed file name without suffix. `save`: as above.
/// `values`: it can also write .csv.
void add_save_action(QWidget& widget, const QString& stem, bool values, std::function<bool(const QString&)> save);

}  // namespace iwarpscope::gui
