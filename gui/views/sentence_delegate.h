// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// A column of sentences, which has the room that the others leave.
#pragma once

#include <QStyledItemDelegate>

class QTreeView;

namespace iwarpscope::gui {

/// Breaks long sentences into lines. What does not fit into the last one is in the tooltip.
class SentenceDelegate : public QStyledItemDelegate {
  Q_OBJECT

 public:
  /// Call it when the table has its model: it also fits the widths of its columns. Rows have different heights then.
  static void apply(QTreeView& table, int column);

  [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

 protected:
  void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override;

 private:
  using QStyledItemDelegate::QStyledItemDelegate;
};

}  // namespace iwarpscope::gui
