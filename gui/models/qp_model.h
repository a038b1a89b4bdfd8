// The table of queue pairs: what is known, what of it is shown, and in which order.
#pragma once

#include <QAbstractItemModel>

#include <deque>
#include <map>
#include <optional>
#include <unordered_map>
#include <vector>

#include "models/host_pair.h"
#include "models/qp_filter.h"
#include "models/qp_row.h"
#include "models/selection.h"
#include "session/session.h"

namespace iwarpscope::gui {

/// Roles beside Qt's own. Headers know `value`, too: the name of the column for programs.
enum class QpRole : int {
  value = Qt::UserRole + 1,  ///< for programs; headers: the key
  sort,                      ///< a number that grows as the rows do; equal values are ordered by number
  severity,                  ///< of the worst finding: 0 note, 1 warning, 2 error; invalid: there is none
  activity,                  ///< QList<quint32>: 60 seconds, the oldest first
  number,                    ///< of the queue pair; invalid: a pair of hosts
};

/// Filters, sorts and groups itself: with a proxy between, each of a batch's changes would move rows one by one.
/// Rows of queue pairs, or, grouped, of pairs of hosts with the queue pairs below. Persistent indexes, and so
/// selections, go with their queue pair as long as it is shown. Filter, order and updates are told as moves, removals
/// and insertions; replace() and set_grouped() as resets.
class QpModel : public QAbstractItemModel {
  Q_OBJECT

 public:
  /// Of more, those that ended first are forgotten, then those with the lowest numbers.
  static constexpr std::size_t kMost = 200'000;

  explicit QpModel(QObject* parent = nullptr, std::size_t most = kMost);

  void set_filter(QpFilter filter);
  /// Of its marked time only queue pairs that were there then. It must outlive this.
  void follow(const Selection& selection);
  void set_grouped(bool grouped);
  [[nodiscard]] bool is_grouped() const noexcept { return grouped_; }
  /// What is known may no longer be so: each row says it in words.
  void set_stale(bool stale);
  [[nodiscard]] bool is_stale() const noexcept { return stale_; }
  void sort(int column, Qt::SortOrder order = Qt::AscendingOrder) override;

  [[nodiscard]] std::size_t known() const noexcept { return by_number_.size(); }
  [[nodiscard]] std::size_t shown() const noexcept { return shown_; }
  [[nodiscard]] std::size_t hidden_by_filter() const noexcept { return known() - passing_; }
  /// Of those that pass the filter.
  [[nodiscard]] std::size_t hidden_by_time() const noexcept { return passing_ - shown_; }
  [[nodiscard]] std::uint64_t forgotten() const noexcept { return forgotten_; }
  /// They never came here.
  void count_forgotten(quint64 more);
  /// Null: it is not known. Valid until the event loop runs again.
  [[nodiscard]] const QpRow* find(std::uint64_t number) const;
  /// Invalid: it is not shown.
  [[nodiscard]] QModelIndex index_of(std::uint64_t number, int column = 0) const;
  [[nodiscard]] std::optional<std::uint64_t> number_at(const QModelIndex& index) const;
  /// Values of a field that occur, sorted; at most 200 of them.
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
  /// Time of the last frame that was captured: rates that are older than two seconds are none any more.
  void set_capture_time(std::int64_t ns);

 signals:
  /// Around everything that may move, add or remove rows.
  void about_to_rearrange();
  void rearranged();
  void counts_changed();

 private:
  using Slot = std::uint32_t;  ///< where a row is kept
  using List = std::vector<Slot>;
  struct Entry {
    QpRow row;
    bool used = false, shown = false;
    bool passes = false;  ///< the filter
    Slot pair = 0;        ///< while grouped
    int place = 0;        ///< its row below its parent, while shown
  };
  struct Pair {
    HostPairKey key;
    QpRow sum;
    std::size_t known = 0;  ///< of its queue pairs, shown or not
    List members;           ///< that are shown, in order
    bool shown = false;
    int place = 0;
  };
  /// False: its ends are others than before, so that nothing may stay as it is.
  bool put(const live::QpView& view, List& changed);
  void forget_some(List& changed);
  void clear();
  void rebuild();
  void arrange_all();
  /// Notes whether it passes the filter, and tells whether it is to be shown.
  [[nodiscard]] bool judge(Entry& entry);
  [[nodiscard]] Slot pair_of(const QpRow& row);
  void add_up(Pair& pair) const;
  /// Makes the lists hold what is to be shown, in order, and tells it; then lets go what was forgotten.
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
  List free_, forgotten_slots_;  ///< the latter still stand in lists
  std::unordered_map<std::uint64_t, Slot> by_number_;
  std::deque<Pair> pairs_;
  List free_pairs_;
  std::map<HostPairKey, Slot> pair_slots_;
  List top_;  ///< entries, or, grouped, pairs
  QpFilter filter_;
  const Selection* selection_ = nullptr;
  bool grouped_ = false, stale_ = false;
  QpColumn sort_column_ = QpColumn::number;
  Qt::SortOrder order_ = Qt::AscendingOrder;
  std::size_t shown_ = 0, passing_ = 0;  ///< the filter
  std::uint64_t forgotten_ = 0;
  std::int64_t capture_time_ns_ = 0;
};

}  // namespace iwarpscope::gui
