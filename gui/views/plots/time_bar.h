// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The buttons above plots over time.
#pragma once

#include <QWidget>

class QHBoxLayout;
class QLabel;
class QPushButton;

namespace iwarpscope::gui {

class Selection;

/// "Show all" and "Clear mark", and at the right a text about what is shown.
class TimeBar : public QWidget {
  Q_OBJECT

 public:
  /// Clears the mark of `selection`, which outlives it.
  explicit TimeBar(Selection& selection, QWidget* parent = nullptr);
  /// After the other buttons.
  QPushButton* add_button(const QString& text, const QString& tip);
  /// Before all buttons.
  void put_first(QWidget* widget);
  /// `description`: for screen readers.
  void describe(const QString& description);
  void say(const QString& sentence);
  [[nodiscard]] QString said() const;

 signals:
  void all_wanted();

 private:
  QHBoxLayout* row_;
  QLabel* note_;
  int buttons_ = 0;
};

}  // namespace iwarpscope::gui
