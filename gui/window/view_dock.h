// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// A dock of one view, inside the window or outside it.
#pragma once

#include <QDockWidget>

namespace iwarpscope::gui {

/// Tab goes to the next or previous visible control of `window`; false: there is no other. Qt's own Tab would go to
/// covered views, and would skip controls before a view's focus proxy.
bool go_to_control(QWidget& window, bool next);

class ViewDock : public QDockWidget {
  Q_OBJECT

 public:
  using QDockWidget::QDockWidget;

 protected:
  /// Outside, it is its own window.
  bool focusNextPrevChild(bool next) override;
};

}  // namespace iwarpscope::gui
