// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Text in place of a table without rows, and buttons that may help.
#pragma once

#include <QWidget>

class QAbstractScrollArea;
class QLabel;
class QPushButton;

namespace iwarpscope::gui {

/// In the middle of a table, with its size; hidden while there is no text.
class EmptyNote : public QWidget {
  Q_OBJECT

 public:
  explicit EmptyNote(QAbstractScrollArea& table);
  /// Empty: no text.
  void say(const QString& sentence);
  /// Below the sentence; hidden at first.
  [[nodiscard]] QPushButton* add_button(const QString& text, const QString& name);
  /// The current text; empty: none.
  [[nodiscard]] QString sentence() const;

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  QLabel* text_;
};

}  // namespace iwarpscope::gui
