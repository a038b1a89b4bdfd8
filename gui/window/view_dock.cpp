// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "window/view_dock.h"

namespace iwarpscope::gui {
namespace {

bool is_seen(const QWidget* widget, const QWidget& window) {
  if (widget->window() != &window || !widget->isVisible()) return false;
  for (; widget != &window; widget = widget->parentWidget()) {
    if (qobject_cast<const QDockWidget*>(widget) != nullptr && widget->visibleRegion().isEmpty()) return false;
  }
  return true;
}

}  // namespace

bool go_to_control(QWidget& window, bool next) {
  QWidget* const from = window.focusWidget() != nullptr ? window.focusWidget() : &window;
  const auto step = [next](QWidget* at) { return next ? at->nextInFocusChain() : at->previousInFocusChain(); };
  for (QWidget* to = step(from); to != from; to = step(to)) {
    const bool takes_it = (to->focusPolicy() & Qt::TabFocus) != 0 && to->isEnabled() && to->focusProxy() == nullptr;
    if (!takes_it || !is_seen(to, window)) continue;
    to->setFocus(next ? Qt::TabFocusReason : Qt::BacktabFocusReason);
    return true;
  }
  return false;
}

bool ViewDock::focusNextPrevChild(bool next) {
  // Several docks that are outside together are in a window of Qt's.
  return window() == parentWidget() ? QDockWidget::focusNextPrevChild(next) : go_to_control(*window(), next);
}

}  // namespace iwarpscope::gui
