// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The findings of all queue pairs by time.
#pragma once

#include <QWidget>

#include "models/findings/finding_filter.h"
#include "models/selection.h"

class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;
class QTreeView;

namespace iwarpscope::gui {

class SensorBox;

/// Enter or a double click sets the selection to the finding's frame.
class FindingList : public QWidget {
  Q_OBJECT

 public:
  /// Both must outlive it.
  FindingList(Selection& selection, FindingTable& findings, QWidget* parent = nullptr);
  [[nodiscard]] QTreeView* table() const noexcept { return table_; }
  /// Makes it the current one, and clears filters that hide it.
  void show_finding(std::uint64_t sequence);
  /// From a centre: the column and the filter of sensors are shown.
  void set_status(const StatusPtr& status);
  /// All findings of a rule, by its id.
  void show_rule(const QString& rule);
  /// The queue pair of the first row; empty: no row is shown, or it is about no queue pair.
  [[nodiscard]] std::optional<std::uint64_t> first_qp() const;

 signals:
  /// By the mouse, once: its frame is to be shown where this does not cover the list.
  void finding_clicked(const iwarpscope::gui::Focus& focus);
  /// Request to show where it was found, in a view that may cover this one.
  void frame_wanted(const iwarpscope::gui::Focus& focus);
  /// Request to show the word whose atomics contradict each other.
  void atomics_wanted(const iwarpscope::gui::Focus& focus);

 private:
  [[nodiscard]] QWidget* make_bar();
  void make_table();
  void make_actions();
  void go(const QModelIndex& index);
  void show_atomics();
  [[nodiscard]] QModelIndex index_of(std::uint64_t sequence) const;
  void count();
  void show_chosen(const QModelIndex& index);

  Selection& selection_;
  FindingTable& findings_;
  FindingFilter* filter_;
  bool is_centre_ = false;
  QComboBox* severity_;
  SensorBox* sensor_;
  QLineEdit* text_;
  QCheckBox* first_;
  QCheckBox* one_qp_;
  QLabel* count_;
  QTreeView* table_;
  QLabel* chosen_;
};

}  // namespace iwarpscope::gui
