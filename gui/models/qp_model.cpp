#include "models/qp_model.h"

#include <algorithm>
#include <tuple>

namespace iwarpscope::gui {

QpModel::QpModel(QObject* parent, std::size_t most) : QAbstractItemModel(parent), most_(most) {}

// What there is.

bool QpModel::put(const live::QpView& view, List& changed) {
  const auto [known, is_new] = by_number_.try_emplace(view.record.qp, 0);
  if (is_new) {
    if (free_.empty()) {
      entries_.emplace_back();
      known->second = static_cast<Slot>(entries_.size() - 1);
    } else {
      known->second = free_.back();
      free_.pop_back();
    }
  }
  Entry& entry = entries_[known->second];
  QpRow row = row_of(view);
  row.rate = rate_at(row, capture_time_ns_);
  const bool has_moved = !is_new && host_pair_of(row) != host_pair_of(entry.row);
  entry.row = row;
  if (is_new) {
    entry.used = true;
    entry.shown = entry.passes = false;
    if (grouped_) {
      entry.pair = pair_of(row);
      ++pairs_[entry.pair].known;
    }
  }
  changed.push_back(known->second);
  return !has_moved;
}

void QpModel::forget_some(List& changed) {
  if (by_number_.size() <= most_) return;
  struct Candidate {
    bool open;
    std::int64_t when;
    std::uint64_t number;
    Slot slot;
    auto operator<=>(const Candidate&) const = default;
  };
  std::vector<Candidate> all;
  all.reserve(by_number_.size());
  for (const auto& [number, slot] : by_number_) {
    const QpRow& row = entries_[slot].row;
    all.push_back({!row.ended, row.ended ? row.last.ns : 0, number, slot});
  }
  const std::size_t excess = by_number_.size() - most_;
  std::nth_element(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(excess), all.end());
  for (std::size_t i = 0; i < excess; ++i) {
    by_number_.erase(all[i].number);
    entries_[all[i].slot].used = false;
    forgotten_slots_.push_back(all[i].slot);
    changed.push_back(all[i].slot);
  }
  forgotten_ += excess;
}

void QpModel::count_forgotten(quint64 more) {
  forgotten_ += more;
  emit counts_changed();
}

void QpModel::let_go() {
  for (const Slot slot : forgotten_slots_) {
    if (grouped_) {
      Pair& pair = pairs_[entries_[slot].pair];
      if (--pair.known == 0) {
        pair_slots_.erase(pair.key);
        free_pairs_.push_back(entries_[slot].pair);
      }
    }
    free_.push_back(slot);
  }
  forgotten_slots_.clear();
}

void QpModel::clear() {
  entries_.clear();
  free_.clear();
  forgotten_slots_.clear();
  by_number_.clear();
  forgotten_ = 0;
}

/// All lists anew, inside a reset.
void QpModel::rebuild() {
  let_go();
  top_.clear();
  pairs_.clear();
  free_pairs_.clear();
  pair_slots_.clear();
  shown_ = passing_ = 0;
  for (Slot slot = 0; slot < entries_.size(); ++slot) {
    Entry& entry = entries_[slot];
    entry.passes = false;
    if (!entry.used) continue;
    entry.shown = judge(entry);
    shown_ += entry.shown ? 1 : 0;
    if (grouped_) {
      entry.pair = pair_of(entry.row);
      ++pairs_[entry.pair].known;
      if (entry.shown) pairs_[entry.pair].members.push_back(slot);
    } else if (entry.shown) {
      top_.push_back(slot);
    }
  }
  for (Slot p = 0; p < pairs_.size(); ++p) {
    pairs_[p].shown = !pairs_[p].members.empty();
    if (!pairs_[p].shown) continue;
    add_up(pairs_[p]);
    top_.push_back(p);
  }
  sort_all();
}

QpModel::Slot QpModel::pair_of(const QpRow& row) {
  const HostPairKey key = host_pair_of(row);
  const auto [known, is_new] = pair_slots_.try_emplace(key, 0);
  if (!is_new) return known->second;
  if (free_pairs_.empty()) {
    pairs_.emplace_back();
    known->second = static_cast<Slot>(pairs_.size() - 1);
  } else {
    known->second = free_pairs_.back();
    free_pairs_.pop_back();
  }
  Pair& pair = pairs_[known->second];
  pair = Pair{};
  pair.key = key;
  return known->second;
}

void QpModel::add_up(Pair& pair) const {
  HostPairSum sum(pair.key);
  for (const Slot slot : pair.members) sum.add(entries_[slot].row);
  pair.sum = sum.row();
}

void QpModel::replace(const QpRows& qps) {
  emit about_to_rearrange();
  beginResetModel();
  clear();
  pairs_.clear();
  pair_slots_.clear();
  free_pairs_.clear();
  List changed;
  by_number_.reserve(qps.size());
  for (const live::QpView& view : qps) put(view, changed);
  forget_some(changed);
  rebuild();
  endResetModel();
  emit rearranged();
  emit counts_changed();
}

void QpModel::change(const QpRows& qps) {
  emit about_to_rearrange();
  List changed;
  changed.reserve(qps.size());
  bool may_stay = true;
  for (const live::QpView& view : qps) may_stay = put(view, changed) && may_stay;
  forget_some(changed);
  if (may_stay || !grouped_) {
    arrange(changed);
    tell_changed(changed);
  } else {
    beginResetModel();
    rebuild();
    endResetModel();
  }
  emit rearranged();
  emit counts_changed();
}

void QpModel::set_capture_time(std::int64_t ns) {
  if (ns / 1'000'000'000 == capture_time_ns_ / 1'000'000'000) return;
  capture_time_ns_ = ns;
  List changed;
  for (Slot slot = 0; slot < entries_.size(); ++slot) {
    Entry& entry = entries_[slot];
    if (!entry.used || entry.row.rate_then == 0) continue;
    const double rate = rate_at(entry.row, ns);
    if (rate == entry.row.rate) continue;
    entry.row.rate = rate;
    changed.push_back(slot);
  }
  if (changed.empty()) return;
  emit about_to_rearrange();
  arrange(changed);
  tell_changed(changed);
  emit rearranged();
}

// How it is shown.

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
      // What was inserted is shown, too, but stands in no list yet.
      keep = static_cast<std::size_t>(std::stable_partition(top_.begin(), top_.end(), is_shown) - top_.begin());
      set_places(top_, false);
    });
    cut_tail(top_, {}, keep);
  }
  append(top_, {}, inserted);
  if (!is_sorted(top_, false)) move_rows([this] { sort_all(); });
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
  if (!well) move_rows([this] { sort_all(); });
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
  const QpSortKey l = sort_key(left, sort_column_), r = sort_key(right, sort_column_);
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
  for (const Slot slot : list) {
    const QpRow& row = row_of_slot(slot, of_pairs);
    keyed.push_back({sort_key(row, sort_column_), &row, slot});
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

/// Tells a change of order, and takes persistent indexes along.
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
  // Of each list from the first to the last; of entries of the top 0, of pairs their slot and one.
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
