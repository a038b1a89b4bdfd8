// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "views/plots/time_note.h"

#include <QAbstractItemModel>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>

#include <utility>

#include "models/words.h"
#include "views/text_button.h"

namespace iwarpscope::gui {

TimeNote::TimeNote(Selection& selection, Says says, QWidget* parent)
    : QWidget(parent), selection_(selection), says_(std::move(says)), text_(new QLabel(this)) {
  setAccessibleName(tr("Marked time"));
  text_->setWordWrap(true);
  text_->setAccessibleDescription(tr("Rows hidden by the marked time"));
  auto* const all = new TextButton(tr("Whole time"), this);
  all->setAccessibleName(tr("Show the whole time in all views"));
  all->setToolTip(tr("Show the whole time in all views (Esc)"));
  connect(all, &QPushButton::clicked, this, [this] { selection_.set_range({}); });
  auto* const row = new QHBoxLayout(this);
  row->setContentsMargins({});
  row->addWidget(text_, 1);
  row->addWidget(all);
  connect(&selection_, &Selection::range_changed, this, &TimeNote::refresh);
  refresh();
}

void TimeNote::follow(const QAbstractItemModel& model) {
  connect(&model, &QAbstractItemModel::modelReset, this, &TimeNote::refresh);
  connect(&model, &QAbstractItemModel::rowsInserted, this, &TimeNote::refresh);
  connect(&model, &QAbstractItemModel::rowsRemoved, this, &TimeNote::refresh);
}

void TimeNote::refresh() {
  const auto& range = selection_.range();
  if (range) text_->setText(tr("Marked: %1. %2").arg(range_text(*range), says_()));
  setVisible(range.has_value());
}

QString TimeNote::text() const {
  return isHidden() ? QString() : text_->text();
}

QString TimeNote::hidden_rows(std::size_t rows) {
  return rows == 0 ? tr("No rows are outside.") : tr("%n row(s) outside are hidden.", nullptr, static_cast<int>(rows));
}

}  // namespace iwarpscope::gui
