// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Keys that mean something of its own in one view, whatever they mean in the window.
#pragma once

#include <QKeySequence>
#include <QObject>

#include <utility>
#include <vector>

class QAction;
class QWidget;

namespace iwarpscope::gui {

/// Gives actions of a view their keys while it has the focus. They go before actions of the window with the same keys:
/// as shortcuts, both would be ambiguous, and Qt would trigger neither. A menu shows the key.
class LocalKeys : public QObject {
  Q_OBJECT

 public:
  /// Lives as long as the view.
  explicit LocalKeys(QWidget& view);
  /// Gives the view an action, by its object name. An empty key: it is only in menus.
  QAction* add(const QString& text, const char* name, const QKeySequence& key = {});

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  QWidget& view_;
  std::vector<std::pair<QKeySequence, QAction*>> keys_;
};

/// What the Edit menu does in a view: the object name of the view's action for it.
inline constexpr const char* kCopyRow = "copy-row";
inline constexpr const char* kCopySentence = "copy-sentence";
/// The object name of the field into which a view's filter is written.
inline constexpr const char* kFilterField = "filter";

}  // namespace iwarpscope::gui
