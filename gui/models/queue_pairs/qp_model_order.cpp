// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Which rows of the table of queue pairs are shown, and in which order.
#include <QScopedValueRollback>

#include <algorithm>
#include <tuple>
#include <utility>

#include "models/queue_pairs/qp_columns.h"
#include "models/queue_pairs/qp_model.h"

namespace iwarpscope::gui {

void QpModel::set_filter(QpFilter filter) {
  filter_ = std::move(filter);
  arrange_all();
}

void QpModel::follow(const Selection& selection) {
  selection_ = &selection;
  connect(&selection, &Selection::range_changed, this, &QpModel::arrange_all);
  if (selection.range()) arrange_all();
}

bool QpModel::judge(Entry& entry) {
  const bool passes = entry.used && filter_.matches(entry.row);
  passing_ = passing_ + (passes ? 1 : 0) - (entry.passes ? 1 : 0);
  entry.passes = passes;
  return passes && (selection_ == nullptr || !selection_->range() ||
                    selection_->range()->touches(entry.row.began, entry.row.last));
}

void QpModel::arrange_all() {
  const QScopedValueRollback<bool> free(held_, false);  // the user wants other rows
  emit about_to_rearrange();
  List all;
  for (Slot slot = 0; slot < entries_.size(); ++slot) {
    if (entries_[slot].used) all.push_back(slot);
  }
  arrange(all);
  emit rearranged();
  emit counts_changed();
}

void QpModel::set_grouped(bool grouped) {
  if (grouped == grouped_) return;
  emit about_to_rearrange();
  beginResetModel();
  grouped_ = grouped;
  rebuild();
  endResetModel();
  emit rearranged();
}

void QpModel::sort(int column, Qt::SortOrder order) {
  sort_column_ = column < 0 || column >= kQpColumns ? QpColumn::number : static_cast<QpColumn>(column);
  order_ = order;
  emit about_to_rearrange();
  move_rows([this] { sort_all(); });
  emit rearranged();
}

void QpModel::arrange(const List& changed) {
  List inserted, touched;
  bool any_hidden = false;
  for (const Slot slot : changed) {
    Entry& entry = entries_[slot];
    const bool is = judge(entry);
    if (grouped_) touched.push_back(entry.pair);
    if (is && !entry.shown) {
      inserted.push_back(slot);
      ++shown_;
    }
    if (!is && entry.shown) {
      any_hidden = true;
      --shown_;
    }
    entry.shown = is;
  }
  if (grouped_) {
    std::sort(touched.begin(), touched.end());
    touched.erase(std::unique(touched.begin(), touched.end()), touched.end());
    arrange_pairs(touched, any_hidden, inserted);
  } else {
    arrange_flat(any_hidden, inserted);
  }
  let_go();
}

void QpModel::arrange_flat(bool any_hidden, const List& inserted) {
  if (any_hidden) {
    std::size_t keep = 0;
    move_rows([&] {
      const auto is_shown = [this](Slot slot) { return entries_[slot].shown && entries_[slot].used; };
      // Inserted rows are also shown, but are in no list yet.
      keep = static_cast<std::size_t>(std::stable_partition(top_.begin(), top_.end(), is_shown) - top_.begin());
      set_places(top_, false);
    });
    cut_tail(top_, {}, keep);
  }
  append(top_, {}, inserted);
  keep_order(is_sorted(top_, false));
}

void QpModel::keep_order(bool is_in_order) {
  sort_again_ = held_ && !is_in_order;
  if (!held_ && !is_in_order) move_rows([this] { sort_all(); });
}

void QpModel::set_held(bool held) {
  held_ = held;
  if (held_ || !std::exchange(sort_again_, false)) return;
  emit about_to_rearrange();
  move_rows([this] { sort_all(); });
  emit rearranged();
}

void QpModel::hide_pairs(const List& touched) {
  std::vector<std::size_t> keeps(touched.size());
  std::size_t keep_pairs = 0;
  move_rows([&] {
    const auto is_shown = [this](Slot slot) { return entries_[slot].shown; };
    for (std::size_t i = 0; i < touched.size(); ++i) {
      Pair& pair = pairs_[touched[i]];
      List& members = pair.members;
      const auto kept = std::stable_partition(members.begin(), members.end(), is_shown);
      keeps[i] = static_cast<std::size_t>(kept - members.begin());
      if (keeps[i] == 0) pair.shown = false;
      set_places(members, false);
    }
    const auto is_pair_shown = [this](Slot pair) { return pairs_[pair].shown; };
    keep_pairs =
        static_cast<std::size_t>(std::stable_partition(top_.begin(), top_.end(), is_pair_shown) - top_.begin());
    set_places(top_, true);
  });
  cut_tail(top_, {}, keep_pairs);
  for (std::size_t i = 0; i < touched.size(); ++i) {
    Pair& pair = pairs_[touched[i]];
    if (pair.shown) cut_tail(pair.members, pair_index(touched[i]), keeps[i]);
  }
}

void QpModel::arrange_pairs(const List& touched, bool any_hidden, const List& inserted) {
  if (any_hidden) hide_pairs(touched);
  std::map<Slot, List> by_pair;
  for (const Slot slot : inserted) by_pair[entries_[slot].pair].push_back(slot);
  List new_pairs;
  for (const auto& [pair, rows] : by_pair) {
    if (pairs_[pair].shown) continue;
    pairs_[pair].shown = true;
    new_pairs.push_back(pair);
  }
  append(top_, {}, new_pairs);
  for (const auto& [pair, rows] : by_pair) append(pairs_[pair].members, pair_index(pair), rows);
  for (const Slot pair : touched) add_up(pairs_[pair]);
  const bool well = is_sorted(top_, true) && std::all_of(touched.begin(), touched.end(), [this](Slot pair) {
                      return is_sorted(pairs_[pair].members, false);
                    });
  keep_order(well);
}

void QpModel::cut_tail(List& list, const QModelIndex& parent, std::size_t keep) {
  if (keep >= list.size()) return;
  beginRemoveRows(parent, static_cast<int>(keep), static_cast<int>(list.size()) - 1);
  if (grouped_ && !parent.isValid()) {
    for (std::size_t i = keep; i < list.size(); ++i) pairs_[list[i]].members.clear();
  }
  list.resize(keep);
  endRemoveRows();
}

void QpModel::append(List& list, const QModelIndex& parent, const List& added) {
  if (added.empty()) return;
  const auto first = static_cast<int>(list.size());
  beginInsertRows(parent, first, first + static_cast<int>(added.size()) - 1);
  list.insert(list.end(), added.begin(), added.end());
  set_places(list, grouped_ && !parent.isValid());
  endInsertRows();
}

const QpRow& QpModel::row_of_slot(Slot slot, bool of_pairs) const {
  return of_pairs ? pairs_[slot].sum : entries_[slot].row;
}

bool QpModel::comes_before(const QpRow& left, const QpRow& right) const {
  const auto key = traits(sort_column_).sort;
  const QpSortKey l = key(left), r = key(right);
  if (l != r) return (l < r) == (order_ == Qt::AscendingOrder);
  if (sort_column_ == QpColumn::ends) {
    const auto rest = [](const QpRow& row) { return std::tie(row.b.address, row.a.port, row.b.port); };
    if (rest(left) != rest(right)) return (rest(left) < rest(right)) == (order_ == Qt::AscendingOrder);
  }
  return left.number < right.number;
}

bool QpModel::is_sorted(const List& list, bool of_pairs) const {
  return std::is_sorted(list.begin(), list.end(), [&](Slot left, Slot right) {
    return comes_before(row_of_slot(left, of_pairs), row_of_slot(right, of_pairs));
  });
}

void QpModel::sort_list(List& list, bool of_pairs) const {
  struct Keyed {
    QpSortKey key;
    const QpRow* row;
    Slot slot;
  };
  std::vector<Keyed> keyed;
  keyed.reserve(list.size());
  const auto key = traits(sort_column_).sort;
  for (const Slot slot : list) {
    const QpRow& row = row_of_slot(slot, of_pairs);
    keyed.push_back({key(row), &row, slot});
  }
  std::sort(keyed.begin(), keyed.end(), [this](const Keyed& left, const Keyed& right) {
    if (left.key != right.key) return (left.key < right.key) == (order_ == Qt::AscendingOrder);
    return comes_before(*left.row, *right.row);
  });
  std::transform(keyed.begin(), keyed.end(), list.begin(), [](const Keyed& k) { return k.slot; });
}

void QpModel::sort_all() {
  sort_list(top_, grouped_);
  set_places(top_, grouped_);
  if (!grouped_) return;
  for (const Slot p : top_) {
    sort_list(pairs_[p].members, false);
    set_places(pairs_[p].members, false);
  }
}

void QpModel::set_places(const List& list, bool of_pairs) {
  for (std::size_t i = 0; i < list.size(); ++i) {
    (of_pairs ? pairs_[list[i]].place : entries_[list[i]].place) = static_cast<int>(i);
  }
}

/// Signals a change of order, and updates persistent indexes.
template <class Change>
void QpModel::move_rows(Change change) {
  emit layoutAboutToBeChanged({}, QAbstractItemModel::NoLayoutChangeHint);
  const QModelIndexList from = persistentIndexList();
  List slots_of;
  slots_of.reserve(static_cast<std::size_t>(from.size()));
  for (const QModelIndex& index : from) {
    const List& list = index.internalId() == 0 ? top_ : pairs_[index.internalId() - 1].members;
    slots_of.push_back(list[static_cast<std::size_t>(index.row())]);
  }
  change();
  QModelIndexList to;
  to.reserve(from.size());
  for (qsizetype i = 0; i < from.size(); ++i) {
    const Slot slot = slots_of[static_cast<std::size_t>(i)];
    const int place = is_pair(from[i]) ? pairs_[slot].place : entries_[slot].place;
    to.push_back(createIndex(place, from[i].column(), from[i].internalId()));
  }
  changePersistentIndexList(from, to);
  emit layoutChanged({}, QAbstractItemModel::NoLayoutChangeHint);
}

void QpModel::tell_changed(const List& changed) {
  // For each list, from the first to the last: 0 for entries of the top level, for pairs their slot plus one.
  std::map<Slot, std::pair<int, int>> spans;
  for (const Slot slot : changed) {
    const Entry& entry = entries_[slot];
    if (!entry.used || !entry.shown) continue;
    const auto [span, is_new] = spans.try_emplace(grouped_ ? entry.pair + 1 : 0, entry.place, entry.place);
    span->second.first = std::min(span->second.first, entry.place);
    span->second.second = std::max(span->second.second, entry.place);
  }
  for (const auto& [list, span] : spans) {
    emit dataChanged(createIndex(span.first, 0, quintptr{list}),
                     createIndex(span.second, kQpColumns - 1, quintptr{list}));
    if (list != 0) emit dataChanged(pair_index(list - 1, 0), pair_index(list - 1, kQpColumns - 1));
  }
}

}  // namespace iwarpscope::gui
