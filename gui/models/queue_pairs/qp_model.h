// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The table of queue pairs: all known queue pairs, which are shown, and in which order.
#pragma once

#include <QAbstractItemModel>

#include <deque>
#include <map>
#include <optional>
#include <unordered_map>
#include <vector>

#include "models/hosts/host_pair.h"
#include "models/queue_pairs/qp_filter.h"
#include "models/queue_pairs/qp_row.h"
#include "models/selection.h"
#include "session/session.h"

namespace iwarpscope::gui {

/// Roles in addition to Qt's own. Headers also have `value`: the column's name for programs.
enum class QpRole : int {
  value = Qt::UserRole + 1,  ///< for programs; headers: the key
  sort,                      ///< a number that grows like the rows; equal values are ordered by number
  severity,                  ///< of the worst finding: 0 note, 1 warning, 2 error; invalid: none
  activity,                  ///< QList<quint32>: 60 seconds, the oldest first
  number,                    ///< of the queue pair; invalid: a pair of hosts
  repaired,                  ///< the verdict names losses, damage or waits that the transport repaired
};

/// Filters, sorts and groups itself: with a proxy model, each change of a batch would move rows one by one. Rows are
/// queue pairs or, if grouped, pairs of hosts with their queue pairs below. Persistent indexes, and so selections,
/// follow their queue pair as long as it is shown. Changes by filter, order and updates are signalled as moves,
/// removals and insertions; replace() and set_grouped() as resets.
class QpModel : public QAbstractItemModel {
  Q_OBJECT

 public:
  /// Above this number, queue pairs that ended first are discarded, then those with the lowest numbers.
  static constexpr std::size_t kMost = 200'000;

  explicit QpModel(QObject* parent = nullptr, std::size_t most = kMost);

  void set_filter(QpFilter filter);
  /// If a time is marked, shows only queue pairs that were active in it. It must outlive this object.
  void follow(const Selection& selection);
  void set_grouped(bool grouped);
  [[nodiscard]] bool is_grouped() const noexcept { return grouped_; }
  /// The data may be out of date: each row says so.
  void set_stale(bool stale);
  [[nodiscard]] bool is_stale() const noexcept { return stale_; }
  void sort(int column, Qt::SortOrder order = Qt::AscendingOrder) override;
  /// While it is held, rows that come or change move no other row: new ones come last. sort() and filters still do it.
  void set_held(bool held);

  [[nodiscard]] std::size_t known() const noexcept { return by_number_.size(); }
  [[nodiscard]] std::size_t shown() const noexcept { return shown_; }
  [[nodiscard]] std::size_t hidden_by_filter() const noexcept { return known() - passing_; }
  /// Number of those that match the filter.
  [[nodiscard]] std::size_t hidden_by_time() const noexcept { return passing_ - shown_; }
  [[nodiscard]] std::uint64_t discarded() const noexcept { return discarded_; }
  /// Queue pairs that were never received.
  void count_discarded(quint64 more);
  /// Null: not known. Valid until the event loop runs again.
  [[nodiscard]] const QpRow* find(std::uint64_t number) const;
  /// Invalid: not shown.
  [[nodiscard]] QModelIndex index_of(std::uint64_t number, int column = 0) const;
  [[nodiscard]] std::optional<std::uint64_t> number_at(const QModelIndex& index) const;
  /// The first `most` queue pairs that are shown, in their order, of closed pairs of hosts as well.
  [[nodiscard]] std::vector<std::uint64_t> first(std::size_t most) const;
  /// Values of a field that occur, sorted; at most 200.
  [[nodiscard]] QStringList occurring(const QpField& field) const;

  [[nodiscard]] QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
  [[nodiscard]] QModelIndex parent(const QModelIndex& child) const override;
  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 public slots:
  void replace(const iwarpscope::gui::QpRows& qps);
  void change(const iwarpscope::gui::QpRows& qps);
  /// Time of the last captured frame: rates older than two seconds are zero.
  void set_capture_time(std::int64_t ns);

 signals:
  /// Called around all changes that can move, add or remove rows.
  void about_to_rearrange();
  void rearranged();
  void counts_changed();

 private:
  using Slot = std::uint32_t;  ///< slot in which a row is kept
  using List = std::vector<Slot>;
  struct Entry {
    QpRow row;
    bool used = false, shown = false;
    bool passes = false;  ///< the filter
    Slot pair = 0;        ///< while grouped
    int place = 0;        ///< its row in its parent, while shown
  };
  struct Pair {
    HostPairKey key;
    QpRow sum;
    std::size_t known = 0;  ///< of its queue pairs, shown or not
    List members;           ///< those shown, in order
    bool shown = false;
    int place = 0;
  };
  /// False: its ends have changed, so the row must be rebuilt.
  bool put(const live::QpView& view, List& changed);
  void forget_some(List& changed);
  void clear();
  void rebuild();
  void arrange_all();
  /// If it is not in order: now, or when it is not held any more.
  void keep_order(bool is_in_order);
  /// Checks the filter, and returns whether the row is to be shown.
  [[nodiscard]] bool judge(Entry& entry);
  [[nodiscard]] Slot pair_of(const QpRow& row);
  void add_up(Pair& pair) const;
  /// Updates the lists to the rows to show, in order, and signals the changes; then frees discarded rows.
  void arrange(const List& changed);
  void arrange_flat(bool any_hidden, const List& inserted);
  void arrange_pairs(const List& touched, bool any_hidden, const List& inserted);
  void hide_pairs(const List& touched);
  void cut_tail(List& list, const QModelIndex& parent, std::size_t keep);
  void append(List& list, const QModelIndex& parent, const List& added);
  void let_go();
  void sort_all();
  [[nodiscard]] bool comes_before(const QpRow& left, const QpRow& right) const;
  [[nodiscard]] bool is_sorted(const List& list, bool of_pairs) const;
  void sort_list(List& list, bool of_pairs) const;
  template <class Change>
  void move_rows(Change change);
  void set_places(const List& list, bool of_pairs);
  void tell_changed(const List& changed);
  [[nodiscard]] const QpRow& row_of_slot(Slot slot, bool of_pairs) const;
  [[nodiscard]] const QpRow& row_at(const QModelIndex& index) const;
  [[nodiscard]] bool is_pair(const QModelIndex& index) const { return grouped_ && index.internalId() == 0; }
  [[nodiscard]] QModelIndex pair_index(Slot pair, int column = 0) const;
  [[nodiscard]] QString text(const QpRow& row, QpColumn column) const;
  [[nodiscard]] QVariant activity(const QpRow& row) const;

  const std::size_t most_;
  std::deque<Entry> entries_;
  List free_, discarded_slots_;  ///< the latter are still in lists
  std::unordered_map<std::uint64_t, Slot> by_number_;
  std::deque<Pair> pairs_;
  List free_pairs_;
  std::map<HostPairKey, Slot> pair_slots_;
  List top_;  ///< entries, or, grouped, pairs
  QpFilter filter_;
  const Selection* selection_ = nullptr;
  bool grouped_ = false, stale_ = false;
  bool held_ = false, sort_again_ = false;  ///< when it is not held any more
  QpColumn sort_column_ = QpColumn::number;
  Qt::SortOrder order_ = Qt::AscendingOrder;
  std::size_t shown_ = 0, passing_ = 0;  ///< the filter
  std::uint64_t discarded_ = 0;
  std::int64_t capture_time_ns_ = 0;
};

}  // namespace iwarpscope::gui
