// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "models/queue_pairs/qp_model.h"

#include <algorithm>

namespace iwarpscope::gui {

QpModel::QpModel(QObject* parent, std::size_t most) : QAbstractItemModel(parent), most_(most) {}

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
    discarded_slots_.push_back(all[i].slot);
    changed.push_back(all[i].slot);
  }
  discarded_ += excess;
}

void QpModel::count_discarded(quint64 more) {
  discarded_ += more;
  emit counts_changed();
}

void QpModel::let_go() {
  for (const Slot slot : discarded_slots_) {
    if (grouped_) {
      Pair& pair = pairs_[entries_[slot].pair];
      if (--pair.known == 0) {
        pair_slots_.erase(pair.key);
        free_pairs_.push_back(entries_[slot].pair);
      }
    }
    free_.push_back(slot);
  }
  discarded_slots_.clear();
}

void QpModel::clear() {
  entries_.clear();
  free_.clear();
  discarded_slots_.clear();
  by_number_.clear();
  discarded_ = 0;
}

/// Builds all lists again, inside a reset.
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

}  // namespace iwarpscope::gui
