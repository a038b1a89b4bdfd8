// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// One plot over capture time.
#pragma once

#include <qcustomplot.h>

#include <optional>
#include <vector>

#include "views/plots/time_plot.h"

namespace iwarpscope::gui {

/// A curve. Line and marker distinguish it, not only colour.
struct PlotSeries {
  enum class Shape : std::uint8_t { steps, points, impulses, level };
  QString name;
  Shape shape = Shape::steps;
  QColor color;
  QVector<double> x{}, y{};  ///< seconds since the origin, ascending
};

/// Counts by time and by the logarithm of a duration.
struct PlotHeat {
  double from = 0, to = 0;  ///< seconds since the origin
  int columns = 0, rows = 0;
  double low = 0, high = 0;      ///< log10 of the shortest and the longest duration, in nanoseconds
  std::vector<double> counts{};  ///< column by column
  [[nodiscard]] double count(int column, int row) const {
    return counts[static_cast<std::size_t>(column) * static_cast<std::size_t>(rows) + static_cast<std::size_t>(row)];
  }
};

/// Curves, or a heat map. The owner keeps the spans of several panes the same.
class PlotPane : public TimePlot {
  Q_OBJECT

 public:
  enum class Unit : std::uint8_t { count, rate, duration };  ///< octets per second; nanoseconds on a logarithmic axis

  PlotPane(const QString& title, Unit unit, QWidget* parent = nullptr);

  void set_value_label(const QString& label);
  void set_series(const std::vector<PlotSeries>& series);
  void set_heat(const PlotHeat& heat);
  /// Shown in the place of curves.
  void set_empty_words(const QString& words);
  /// There is nothing to see in the whole time; a limit alone is nothing.
  [[nodiscard]] bool is_empty() const;
  /// The values of the plot at a time.
  [[nodiscard]] QString text_at(double seconds) const override;
  /// With an axis of time. By suffix: .png, .svg, .csv. False: it could not be written.
  [[nodiscard]] bool save(const QString& file);
  [[nodiscard]] QString csv() const;
  [[nodiscard]] const QString& title() const noexcept { return title_; }

 protected:
  void dress_again() override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  void make_head();
  void show_time_axis(bool shown);
  void fit_legend();
  void note_whether_empty(bool is_empty);
  void fit_ticks();
  void show_scale(const QCPColorGradient& gradient, double most);
  void dress();
  void add_series(const PlotSeries& series, int number);
  [[nodiscard]] QString value_text(double value) const;
  [[nodiscard]] QString heat_text(double seconds) const;

  const QString title_;
  const Unit unit_;
  std::vector<PlotSeries> series_;
  std::optional<PlotHeat> heat_;
  QCPColorMap* map_ = nullptr;      ///< of the plot
  QCPTextElement* head_ = nullptr;  ///< of the plot
  QCPItemText* const nothing_;      ///< instead of curves; of the plot
};

}  // namespace iwarpscope::gui
