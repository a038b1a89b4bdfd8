// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// A line that says that a view shows only the marked time.
#pragma once

#include <QWidget>

#include <functional>

#include "models/selection.h"

class QAbstractItemModel;
class QLabel;

namespace iwarpscope::gui {

/// Hidden while no span is marked. Its button clears the mark in all views.
class TimeNote : public QWidget {
  Q_OBJECT

 public:
  /// The effect of the mark on the view: "12 rows are hidden." Called whenever it may have changed.
  using Says = std::function<QString()>;
  /// The selection must outlive it.
  TimeNote(Selection& selection, Says says, QWidget* parent = nullptr);
  /// Updates whenever rows of this model are inserted or removed.
  void follow(const QAbstractItemModel& model);
  void refresh();
  [[nodiscard]] QString text() const;

  /// "12 rows outside are hidden."
  [[nodiscard]] static QString hidden_rows(std::size_t rows);

 private:
  Selection& selection_;
  const Says says_;
  QLabel* text_;
};

}  // namespace iwarpscope::gui
