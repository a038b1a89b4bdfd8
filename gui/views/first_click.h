// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// A click that leads to another page, and is the first one of a double click.
#pragma once

#include <QObject>
#include <QPoint>

class QMouseEvent;
class QWidget;

namespace iwarpscope::gui {

/// When a click has led away, the second click of a double click would go to what is then under the pointer. This
/// object discards it. Lives as long as the widget.
class FirstClick : public QObject {
 public:
  /// The widget that gets the clicks: a viewport.
  explicit FirstClick(QWidget& widget);
  /// The click has led away.
  void has_led();

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  [[nodiscard]] bool is_second(const QMouseEvent& press) const;
  [[nodiscard]] bool discards(const QMouseEvent& event);
  void end();

  QPoint place_;            ///< of the last press, on the screen
  quint64 time_ = 0;        ///< of the last press, in ms
  bool waits_ = false;      ///< for the second click
  bool is_second_ = false;  ///< the second click has begun
};

}  // namespace iwarpscope::gui
