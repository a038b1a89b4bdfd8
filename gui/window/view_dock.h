// A dock of one view, in the window or out of it.
#pragma once

#include <QDockWidget>

namespace iwarpscope::gui {

/// Tab goes to the next control of `window` that is seen, or to the one before; false: there is no other. Qt's own
/// would go to views behind others, and from a view to what stands for it, past the controls before that.
bool go_to_control(QWidget& window, bool next);

class ViewDock : public QDockWidget {
  Q_OBJECT

 public:
  using QDockWidget::QDockWidget;

 protected:
  /// Out of the window it is one itself.
  bool focusNextPrevChild(bool next) override;
};

}  // namespace iwarpscope::gui
