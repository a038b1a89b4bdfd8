// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "models/findings/finding_filter.h"

#include <algorithm>

#include "findings/catalogue.h"

namespace iwarpscope::gui {

FindingFilter::FindingFilter(FindingTable& table, const Selection& selection, QObject* parent)
    : QSortFilterProxyModel(parent), table_(table), selection_(selection) {
  setSourceModel(&table);
  setSortRole(FindingTable::sort_role);
  connect(&selection_, &Selection::range_changed, this, [this] { invalidateFilter(); });
}

void FindingFilter::set_at_least(findings::Severity severity) {
  at_least_ = severity;
  invalidateFilter();
}

void FindingFilter::set_text(const QString& text) {
  words_ = text.simplified().split(QLatin1Char(' '), Qt::SkipEmptyParts);
  invalidateFilter();
}

void FindingFilter::set_qp(std::optional<std::uint64_t> qp) {
  qp_ = qp;
  invalidateFilter();
}

void FindingFilter::set_sensor(const QString& name) {
  sensor_ = name;
  invalidateFilter();
}

void FindingFilter::set_centre(bool is_centre) {
  is_centre_ = is_centre;
  invalidateFilter();
}

void FindingFilter::set_first_only(bool first_only) {
  first_only_ = first_only;
  invalidateFilter();
}

const live::FindingView& FindingFilter::at(const QModelIndex& index) const {
  return table_.at(mapToSource(index).row());
}

std::size_t FindingFilter::hidden_by_time() const {
  if (!selection_.range()) return 0;
  std::size_t hidden = 0;
  for (int row = 0; row < table_.rowCount(); ++row) hidden += !is_in_time(row) && is_wanted(row) ? 1 : 0;
  return hidden;
}

bool FindingFilter::filterAcceptsRow(int row, const QModelIndex& /*parent*/) const {
  return is_in_time(row) && is_wanted(row);
}

bool FindingFilter::is_in_time(int row) const {
  const FindingPlace place = place_of(table_.at(row));
  return !selection_.range() || place.frame.value == 0 || selection_.range()->contains(place.time);
}

bool FindingFilter::is_wanted(int row) const {
  const live::FindingView& view = table_.at(row);
  if (findings::rule(view.finding.id).severity < at_least_) return false;
  if (qp_ && view.finding.qp != qp_) return false;
  if (!sensor_.isEmpty() && sensor_of(view) != sensor_) return false;
  if (first_only_ && !table_.is_first(row)) return false;
  return std::all_of(words_.begin(), words_.end(), [&](const QString& word) {
    for (int column = 0; column < FindingTable::kColumns; ++column) {
      if (column == FindingTable::kSensor && !is_centre_) continue;
      const QString cell = table_.data(table_.index(row, column)).toString();
      if (cell.contains(word, Qt::CaseInsensitive)) return true;
    }
    return false;
  });
}

}  // namespace iwarpscope::gui
