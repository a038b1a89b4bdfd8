// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Cells of the table of queue pairs that are more than text: the verdict, the last minute, and the severity.
#pragma once

#include <QStyledItemDelegate>

namespace iwarpscope::gui {

class QpDelegate : public QStyledItemDelegate {
  Q_OBJECT

 public:
  using QStyledItemDelegate::QStyledItemDelegate;
  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
  [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

 protected:
  void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override;

 private:
  void paint_severity(QPainter& painter, const QStyleOptionViewItem& option, const QString& text, int severity) const;
};

}  // namespace iwarpscope::gui
