// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "models/time_proxy.h"

#include <utility>

namespace iwarpscope::gui {

TimeProxy::TimeProxy(const Selection& selection, QAbstractItemModel& source, IsIn is_in, QObject* parent)
    : QSortFilterProxyModel(parent), selection_(selection), is_in_(std::move(is_in)) {
  setSourceModel(&source);
  connect(&selection_, &Selection::range_changed, this, [this] { invalidateFilter(); });
}

int TimeProxy::hidden() const {
  return sourceModel()->rowCount() - rowCount();
}

bool TimeProxy::filterAcceptsRow(int row, const QModelIndex& /*parent*/) const {
  return !selection_.range() || is_in_(row, *selection_.range());
}

}  // namespace iwarpscope::gui
