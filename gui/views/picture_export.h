// Plots and pictures as files.
#pragma once

#include <QString>

#include <functional>

class QCustomPlot;
class QWidget;

namespace iwarpscope::gui {

// By the name's ending: .png, or .svg, whose lines stay lines. False: it could not be written, or ends otherwise.
[[nodiscard]] bool save_plot(QCustomPlot& plot, const QString& title, const QString& file);
/// What a widget that paints itself shows.
[[nodiscard]] bool save_picture(QWidget& widget, const QString& title, const QString& file);

/// Adds "Save picture..." to the widget's context menu. `stem`: what the file is called at first, without an ending.
/// `save`: as above; `values`: it can write .csv, too.
void add_save_action(QWidget& widget, const QString& stem, bool values, std::function<bool(const QString&)> save);

}  // namespace iwarpscope::gui
