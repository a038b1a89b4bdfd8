// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "views/sentence_delegate.h"

#include <QHeaderView>
#include <QTimer>
#include <QTreeView>

#include <algorithm>

#include "views/column_fit.h"

namespace iwarpscope::gui {

void SentenceDelegate::apply(QTreeView& table, int column) {
  table.setUniformRowHeights(false);
  table.setItemDelegateForColumn(column, new SentenceDelegate(&table));
  new ColumnFit(table, column);
  // Its sentences have other lines then.
  auto* const soon = new QTimer(&table);
  soon->setSingleShot(true);
  connect(soon, &QTimer::timeout, &table, &QTreeView::doItemsLayout);
  connect(table.header(), &QHeaderView::sectionResized, soon, [soon, column](int resized) {
    if (resized == column && !soon->isActive()) soon->start();
  });
}

QSize SentenceDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const {
  constexpr int kMostLines = 4;
  QSize size = QStyledItemDelegate::sizeHint(option, index);
  const auto& table = *qobject_cast<const QTreeView*>(option.widget);
  const int margin = table.style()->pixelMetric(QStyle::PM_FocusFrameHMargin, &option, &table) + 1;
  const QRect room(0, 0, table.columnWidth(index.column()) - 2 * margin, QWIDGETSIZE_MAX);
  const int line = option.fontMetrics.lineSpacing();
  const int wanted = option.fontMetrics.boundingRect(room, Qt::TextWordWrap, index.data().toString()).height();
  size.rheight() += std::clamp(wanted, line, kMostLines * line) - line;
  return size;
}

void SentenceDelegate::initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const {
  QStyledItemDelegate::initStyleOption(option, index);
  option->features |= QStyleOptionViewItem::WrapText;
}

}  // namespace iwarpscope::gui
