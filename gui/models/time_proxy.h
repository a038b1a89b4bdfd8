// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Rows of a table that belong to the marked time.
#pragma once

#include <QSortFilterProxyModel>

#include <functional>

#include "models/selection.h"

namespace iwarpscope::gui {

/// For a flat table: the rows in the selection's span, or all rows without a selection. Keeps their order.
class TimeProxy : public QSortFilterProxyModel {
  Q_OBJECT

 public:
  /// Whether the row of the source belongs to the span.
  using IsIn = std::function<bool(int row, const TimeRange& range)>;
  /// The selection must outlive it.
  TimeProxy(const Selection& selection, QAbstractItemModel& source, IsIn is_in, QObject* parent = nullptr);
  /// Rows that the span hides.
  [[nodiscard]] int hidden() const;

 protected:
  [[nodiscard]] bool filterAcceptsRow(int row, const QModelIndex& parent) const override;

 private:
  const Selection& selection_;
  const IsIn is_in_;
};

}  // namespace iwarpscope::gui
