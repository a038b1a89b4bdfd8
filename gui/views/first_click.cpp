// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "views/first_click.h"

#include <QApplication>
#include <QMouseEvent>
#include <QStyleHints>
#include <QWidget>

namespace iwarpscope::gui {

FirstClick::FirstClick(QWidget& widget) : QObject(&widget) {
  widget.installEventFilter(this);
}

void FirstClick::has_led() {
  if (waits_) return;
  waits_ = true;
  is_second_ = false;
  qApp->installEventFilter(this);
}

void FirstClick::end() {
  waits_ = is_second_ = false;
  qApp->removeEventFilter(this);
}

bool FirstClick::is_second(const QMouseEvent& press) const {
  const auto interval = static_cast<quint64>(QApplication::doubleClickInterval());
  const int distance = QGuiApplication::styleHints()->mouseDoubleClickDistance();
  return press.button() == Qt::LeftButton && press.timestamp() - time_ <= interval &&
         (press.globalPosition().toPoint() - place_).manhattanLength() <= distance;
}

bool FirstClick::discards(const QMouseEvent& event) {
  if (event.type() == QEvent::MouseButtonRelease) {
    if (!is_second_) return false;  // of the first click, on its way to other objects
    end();
    return true;
  }
  is_second_ = is_second_ || is_second(event);
  if (!is_second_) end();
  return is_second_;
}

/// Sees the events of the widget, and those of all objects while it waits.
bool FirstClick::eventFilter(QObject* /*watched*/, QEvent* event) {
  const QEvent::Type type = event->type();
  const bool is_press = type == QEvent::MouseButtonPress || type == QEvent::MouseButtonDblClick;
  if (!is_press && type != QEvent::MouseButtonRelease) return false;
  const auto& mouse = static_cast<const QMouseEvent&>(*event);
  if (waits_) return discards(mouse);
  if (is_press) {
    place_ = mouse.globalPosition().toPoint();
    time_ = mouse.timestamp();
  }
  return false;
}

}  // namespace iwarpscope::gui
