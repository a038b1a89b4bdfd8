// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "views/column_fit.h"

#include <QAbstractItemModel>
#include <QEvent>
#include <QHeaderView>
#include <QScopedValueRollback>
#include <QTreeView>

#include <algorithm>
#include <cmath>

namespace iwarpscope::gui {
namespace {

constexpr int kSampledRows = 100;
constexpr int kLaterMs = 1000;
constexpr int kLettersOfText = 50;  // of the widest column
constexpr int kFewLetters = 14;     // of the columns before it, in a narrow table

}  // namespace

ColumnFit::ColumnFit(QTreeView& table, std::optional<int> widest) : QObject(&table), table_(table), widest_(widest) {
  QHeaderView& header = *table_.header();
  header.setStretchLastSection(false);
  header.setResizeContentsPrecision(kSampledRows);
  soon_.setSingleShot(true);
  later_.setSingleShot(true);
  later_.setInterval(kLaterMs);
  for (const QTimer* timer : {&soon_, &later_}) connect(timer, &QTimer::timeout, this, &ColumnFit::fit);
  const auto fit_soon = [this] { soon_.start(); };
  const QAbstractItemModel& model = *table_.model();
  connect(&model, &QAbstractItemModel::modelReset, this, fit_soon);
  connect(&model, &QAbstractItemModel::rowsInserted, this, [this] { shrinks_ ? soon_.start() : fit_later(); });
  connect(&model, &QAbstractItemModel::dataChanged, this, &ColumnFit::fit_later);
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

/// Rows and values that follow others are often many.
void ColumnFit::fit_later() {
  if (!later_.isActive()) later_.start();
}

int ColumnFit::letter() const {
  return table_.fontMetrics().averageCharWidth();
}

QMap<int, double> ColumnFit::dragged() const {
  QMap<int, double> widths;
  for (const int column : dragged_) widths[column] = 1.0 * table_.header()->sectionSize(column) / letter();
  return widths;
}

bool ColumnFit::restore(const QByteArray& header, const QMap<int, double>& dragged) {
  {
    const QScopedValueRollback fitting(fits_, true);
    if (!table_.header()->restoreState(header)) return false;
    dragged_.clear();
    constexpr double kMost = 1000;
    for (auto one = dragged.begin(); one != dragged.end(); ++one) {
      if (one.key() < 0 || one.key() >= table_.header()->count()) continue;
      dragged_.insert(one.key());
      table_.header()->resizeSection(one.key(),
                                     static_cast<int>(std::lround(std::clamp(one.value(), 1.0, kMost) * letter())));
    }
  }
  shrinks_ = true;
  fit();
  return true;
}

void ColumnFit::fit() {
  later_.stop();
  const QScopedValueRollback fitting(fits_, true);
  QHeaderView& header = *table_.header();
  const QAbstractItemView& cells = table_;  // there it is public
  int others = 0, widest_other = 0;
  for (int column = 0; column < header.count(); ++column) {
    if (column == widest_ || header.isSectionHidden(column)) continue;
    if (!dragged_.contains(column)) {
      const int heading = header.sectionSizeHint(column);
      const int content = std::min(cells.sizeHintForColumn(column) + letter(), kMostLetters * letter());
      const int wanted = std::max(heading, content);
      header.resizeSection(column, shrinks_ ? wanted : std::max(wanted, header.sectionSize(column)));
    }
    others += header.sectionSize(column);
    widest_other = std::max(widest_other, header.sectionSize(column));
  }
  shrinks_ = table_.model()->rowCount() == 0;
  if (!widest_ || dragged_.contains(*widest_)) return;
  const int rest = table_.viewport()->width() - others;
  const int wanted = std::max({rest, widest_other + letter(), kLettersOfText * letter()});
  header.resizeSection(*widest_, table_.isVisible() ? std::min(wanted, room_for_widest(wanted)) : wanted);
}

/// A sentence is read without scrolling: in a narrow table, the columns before it get smaller, and then the sentence
/// has the width that is left.
int ColumnFit::room_for_widest(int wanted) {
  QHeaderView& header = *table_.header();
  int before = 0;
  for (int visual = 0; visual < header.visualIndex(*widest_); ++visual) {
    const int column = header.logicalIndex(visual);
    const bool is_narrow =
        header.sectionViewportPosition(*widest_) + header.offset() + wanted > table_.viewport()->width();
    const int most = std::max(kFewLetters * letter(), header.sectionSizeHint(column));
    if (is_narrow && !dragged_.contains(column) && header.sectionSize(column) > most)
      header.resizeSection(column, most);
    before += header.isSectionHidden(column) ? 0 : header.sectionSize(column);
  }
  return std::max(table_.viewport()->width() - before, 2 * kFewLetters * letter());
}

}  // namespace iwarpscope::gui
