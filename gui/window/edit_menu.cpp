// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "window/edit_menu.h"

#include <QAction>
#include <QApplication>
#include <QLabel>
#include <QLineEdit>
#include <QTextEdit>

#include "views/local_keys.h"

namespace iwarpscope::gui {
namespace {

/// False: it is no text, or nothing in it is selected.
bool copy_text(QWidget& widget) {
  if (auto* const line = qobject_cast<QLineEdit*>(&widget); line != nullptr && line->hasSelectedText()) {
    line->copy();
    return true;
  }
  auto* const text = qobject_cast<QTextEdit*>(&widget);
  if (text == nullptr || !text->textCursor().hasSelection()) return false;
  text->copy();
  return true;
}

}  // namespace

bool trigger_in_focus(const char* name) {
  for (const QWidget* around = QApplication::focusWidget(); around != nullptr; around = around->parentWidget()) {
    for (QAction* action : around->actions()) {
      if (action->objectName() != QLatin1String(name)) continue;
      action->trigger();
      return true;
    }
  }
  return false;
}

bool copy_from_focus() {
  QWidget* const focus = QApplication::focusWidget();
  return focus != nullptr && (copy_text(*focus) || trigger_in_focus(kCopyRow));
}

}  // namespace iwarpscope::gui
