// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The table of queue pairs with its filter: the main view.
#pragma once

#include <QByteArray>
#include <QList>
#include <QSet>
#include <QWidget>

#include <optional>

#include "models/queue_pairs/qp_model.h"
#include "models/selection.h"
#include "session/session.h"
#include "views/queue_pairs/filter_bar.h"
#include "views/table_export.h"

class QAction;
class QCheckBox;
class QItemSelection;
class QLabel;
class QMenu;
class QPushButton;
class QTreeView;
class QVBoxLayout;

namespace iwarpscope::gui {

class ColumnFit;
class EmptyNote;
class TimeNote;

/// Follows and sets the Selection's queue pair. Updates do not move the current row on the screen; if it is not
/// visible, the top row does not move.
class QpTableView : public QWidget {
  Q_OBJECT

 public:
  /// Both outlive the view.
  QpTableView(Session& session, Selection& selection, QWidget* parent = nullptr);

  [[nodiscard]] QpModel& model() noexcept { return *model_; }
  [[nodiscard]] const QpModel& model() const noexcept { return *model_; }
  [[nodiscard]] FilterBar& filter_bar() noexcept { return *filter_; }
  /// Sets a filter that counts of the page Site lead to: its queue pairs may be too old for this table.
  void show_counted(const QString& filter);
  [[nodiscard]] QTreeView& tree() noexcept { return *tree_; }
  void set_grouped(bool grouped);

  /// Columns, their widths and order, sort order, groups, the filter and earlier filters.
  [[nodiscard]] QByteArray save_state() const;
  /// False: the state is invalid, and nothing has changed.
  bool restore_state(const QByteArray& state);
  /// Resets to the initial state; the history of filters stays.
  void reset_layout();
  /// Adds actions to the context menu, after its own; they are for the current row. Borrows them.
  void add_to_menu(const QList<QAction*>& actions);

  /// The displayed table: rows that match the filter and visible columns, in their current order.
  [[nodiscard]] TableExport shown() const;
  /// The height that the shown rows need.
  [[nodiscard]] int wanted_height() const;
  /// Why there are no rows; empty: there are some.
  [[nodiscard]] QString empty_sentence() const;

 public slots:
  void copy_row();
  /// Copies the verdict on the current queue pair; requests it first.
  void copy_sentence();
  /// Asks for a file name.
  void export_table();

 signals:
  /// A banner near it may have come or gone.
  void resized();
  /// Enter or a double click on a queue pair.
  void activated(quint64 qp);
  /// Text for the status bar.
  void message(const QString& sentence);

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  /// Item whose position on the screen must not change.
  struct Anchor {
    std::optional<std::uint64_t> qp{};
    int top = 0;  ///< of its row
    int scroll = 0;
  };

  void make_tree();
  void make_actions();
  void make_notes(QVBoxLayout& layout);
  void show_empty();
  void connect_all();
  void take_status(const iwarpscope::gui::StatusPtr& status);
  void take_link(const iwarpscope::gui::Link& link);
  void row_selected(const QItemSelection& selected);
  void qp_changed(const std::optional<std::uint64_t>& qp);
  bool eventFilter(QObject* watched, QEvent* event) override;
  void before_rearranging();
  void after_rearranging();
  void make_current(const QModelIndex& index, bool scroll);
  void reopen_pairs();
  void show_counts();
  /// Their column, when a centre answers.
  void show_sensors();
  void fill_columns(QMenu& menu);
  void show_menu(const QPoint& at);
  void show_only_these_hosts();
  [[nodiscard]] QList<int> shown_columns() const;

  Session& session_;
  Selection& selection_;
  QpModel* const model_;
  FilterBar* const filter_;
  QTreeView* const tree_;
  QCheckBox* const group_;
  QLabel* const counts_;
  TimeNote* time_note_ = nullptr;
  EmptyNote* empty_ = nullptr;
  QPushButton* clear_filter_ = nullptr;
  QPushButton* all_of_time_ = nullptr;
  ColumnFit* fit_ = nullptr;
  QByteArray first_header_;
  QAction* copy_row_ = nullptr;
  QAction* copy_sentence_ = nullptr;
  QAction* only_these_ = nullptr;
  QAction* export_ = nullptr;
  QList<QAction*> of_others_;  ///< at the end of the context menu
  Anchor anchor_;
  bool rearranging_ = false;
  bool is_centre_ = false;
  QSet<QString> open_pairs_;
  QString counted_;  ///< the filter of show_counted()
};

}  // namespace iwarpscope::gui
