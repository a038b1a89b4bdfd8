// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Widths of a table's columns.
#pragma once

#include <QObject>
#include <QSet>
#include <QTimer>

class QTreeView;

namespace iwarpscope::gui {

/// Columns are as wide as their heading and their content in the current font, at most kMostLetters. They only grow, so
/// that rows that come later do not move what a person reads. One column has the rest of the table, and is the widest.
/// A column that the user drags keeps its width. Lives as long as the table.
class ColumnFit : public QObject {
  Q_OBJECT

 public:
  static constexpr int kMostLetters = 45;

  /// Call it after the table has its model.
  ColumnFit(QTreeView& table, int widest);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void fit();

  QTreeView& table_;
  const int widest_;
  QSet<int> dragged_;
  bool fits_ = false;  ///< it changes the widths
  bool shrinks_ = true;
  QTimer soon_;
};

}  // namespace iwarpscope::gui
