// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Mouse and keys of all plots over capture time.
#pragma once

#include <qcustomplot.h>

#include <optional>

#include "models/selection.h"
#include "views/plots/plot_look.h"

namespace iwarpscope::gui {

/// Drag marks a time span, the wheel zooms, Shift and the wheel or a drag with the middle button move, a double click
/// shows all. By keyboard: Left and Right move a cursor that shows values, with Shift they mark, Page Up and Page Down
/// move, Home and End go to the ends, + and - zoom, 0 shows all, Esc clears the mark. The owner keeps the spans of
/// several plots the same.
class TimePlot : public DressedPlot {
  Q_OBJECT

 public:
  explicit TimePlot(QWidget* parent = nullptr);

  void set_origin(TimePoint origin) { origin_ = origin; }
  /// The whole time, in seconds since the origin.
  void set_whole(QCPRange whole) { whole_ = whole; }
  void set_span(QCPRange span);
  [[nodiscard]] QCPRange span() const { return xAxis->range(); }
  void set_mark(const std::optional<TimeRange>& range);
  /// What the plot shows at a time.
  [[nodiscard]] virtual QString text_at(double seconds) const = 0;

 signals:
  void span_wanted(const QCPRange& span);
  void marked(const std::optional<iwarpscope::gui::TimeRange>& range);
  void pointed(const QString& text);

 protected:
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void focusInEvent(QFocusEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;
  /// The left button was pressed and released at one place: clears the mark, and moves the cursor there.
  virtual void click(double seconds, const QPointF& place);

  /// Colours of the cursor and the mark.
  void dress_marks();
  void move_cursor(double seconds, bool marks);
  [[nodiscard]] double cursor_at() const noexcept { return cursor_at_; }
  [[nodiscard]] TimePoint origin() const noexcept { return origin_; }
  [[nodiscard]] TimePoint time_at(double seconds) const;
  [[nodiscard]] double seconds_at(TimePoint time) const;

 private:
  void zoom(double factor, double around);
  void move_by(double part);
  void mark(double from, double to);

  TimePoint origin_;
  QCPRange whole_{0, 1};
  QCPItemRect* const mark_;  ///< of the plot
  QCPItemStraightLine* const cursor_;
  double cursor_at_ = 0;
  std::optional<double> pressed_at_, anchor_;
  std::optional<double> held_at_;  ///< with the middle button: the time under the mouse
};

}  // namespace iwarpscope::gui
