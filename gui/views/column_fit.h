// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Widths of a table's columns.
#pragma once

#include <QByteArray>
#include <QMap>
#include <QObject>
#include <QSet>
#include <QTimer>

#include <optional>

class QTreeView;

namespace iwarpscope::gui {

/// Columns are as wide as their heading and their content in the current font, at most kMostLetters. They only grow, so
/// that rows that come later do not move what a person reads. One column may have the rest of the table, and is then
/// the widest. A column that the user drags keeps its width. Lives as long as the table.
class ColumnFit : public QObject {
  Q_OBJECT

 public:
  static constexpr int kMostLetters = 45;

  /// Call it after the table has its model. `widest`: the column that has the rest.
  explicit ColumnFit(QTreeView& table, std::optional<int> widest = std::nullopt);

  /// The columns that the user dragged, and their widths in letters: they hold in another font.
  [[nodiscard]] QMap<int, double> dragged() const;
  /// Restores the state of the header; its widths only for those that were dragged. False: it cannot be restored.
  bool restore(const QByteArray& header, const QMap<int, double>& dragged);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void fit();
  void fit_later();
  [[nodiscard]] int room_for_widest(int wanted);
  [[nodiscard]] int letter() const;

  QTreeView& table_;
  const std::optional<int> widest_;
  QSet<int> dragged_;
  bool fits_ = false;  ///< it changes the widths
  bool shrinks_ = true;
  QTimer soon_, later_;
};

}  // namespace iwarpscope::gui
