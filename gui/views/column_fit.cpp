// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "views/column_fit.h"

#include <QAbstractItemModel>
#include <QEvent>
#include <QHeaderView>
#include <QScopedValueRollback>
#include <QTreeView>

#include <algorithm>

namespace iwarpscope::gui {
namespace {

constexpr int kSampledRows = 200;
constexpr int kLettersOfText = 50;  // of the widest column

}  // namespace

ColumnFit::ColumnFit(QTreeView& table, int widest) : QObject(&table), table_(table), widest_(widest) {
  QHeaderView& header = *table_.header();
  header.setStretchLastSection(false);
  header.setResizeContentsPrecision(kSampledRows);
  soon_.setSingleShot(true);
  connect(&soon_, &QTimer::timeout, this, &ColumnFit::fit);
  const auto fit_soon = [this] { soon_.start(); };
  const QAbstractItemModel& model = *table_.model();
  connect(&model, &QAbstractItemModel::modelReset, this, fit_soon);
  connect(&model, &QAbstractItemModel::rowsInserted, this, fit_soon);
  connect(&header, &QHeaderView::sectionResized, this, [this](int section) {
    if (!fits_ && table_.isVisible()) dragged_.insert(section);
  });
  table_.installEventFilter(this);
  fit();
}

bool ColumnFit::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::FontChange) shrinks_ = true;
  if (event->type() == QEvent::FontChange || event->type() == QEvent::Resize || event->type() == QEvent::Show) {
    soon_.start();
  }
  return QObject::eventFilter(watched, event);
}

void ColumnFit::fit() {
  const QScopedValueRollback fitting(fits_, true);
  QHeaderView& header = *table_.header();
  const QAbstractItemView& cells = table_;  // there it is public
  const int letter = table_.fontMetrics().averageCharWidth();
  int others = 0, widest_other = 0;
  for (int column = 0; column < header.count(); ++column) {
    if (column == widest_ || header.isSectionHidden(column)) continue;
    if (!dragged_.contains(column)) {
      const int heading = header.sectionSizeHint(column);
      const int content = std::min(cells.sizeHintForColumn(column) + letter, kMostLetters * letter);
      const int wanted = std::max(heading, content);
      header.resizeSection(column, shrinks_ ? wanted : std::max(wanted, header.sectionSize(column)));
    }
    others += header.sectionSize(column);
    widest_other = std::max(widest_other, header.sectionSize(column));
  }
  shrinks_ = table_.model()->rowCount() == 0;
  if (dragged_.contains(widest_)) return;
  const int rest = table_.viewport()->width() - others;
  header.resizeSection(widest_, std::max({rest, widest_other + letter, kLettersOfText * letter}));
}

}  // namespace iwarpscope::gui
