// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Which hosts use RDMA with each other, and the worst queue pairs of all.
#pragma once

#include <QWidget>

#include "models/hosts/host_table.h"
#include "models/selection.h"

class QComboBox;
class QLabel;
class QLineEdit;
class QTableView;
class QTreeView;

namespace iwarpscope::gui {

class TimeNote;

/// A matrix of Initiators and Responders. Enter or a click on a cell requests only its queue pairs. Beside it, a list
/// of the worst queue pairs by errors, by wait or by traffic; Enter or a click chooses one.
class HostView : public QWidget {
  Q_OBJECT

 public:
  /// Both must outlive it.
  HostView(Session& session, Selection& selection, QWidget* parent = nullptr);
  [[nodiscard]] QTableView& matrix() const noexcept { return *matrix_; }
  [[nodiscard]] QTreeView& worst() const noexcept { return *worst_; }
  [[nodiscard]] QLineEdit& words() const noexcept { return *words_; }
  [[nodiscard]] QComboBox& ranking() const noexcept { return *ranking_; }

 signals:
  /// A filter for the table of queue pairs; empty: all of them.
  void filter_wanted(const QString& filter);

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  [[nodiscard]] QWidget* make_left();
  [[nodiscard]] QWidget* make_right();
  void make_matrix();
  void replace(const iwarpscope::gui::QpRows& qps);
  void change(const iwarpscope::gui::QpRows& qps);
  void take_status(const iwarpscope::gui::StatusPtr& status);
  void show_hosts();
  void show_worst();
  void refresh();
  void count();
  void choose_pair(const QModelIndex& index);
  void choose_worst(const QModelIndex& index);
  void choose_qp(const QModelIndex& index);
  [[nodiscard]] QString sentence(const QModelIndex& index) const;

  Selection& selection_;
  HostMatrix hosts_;
  HostTable table_;
  WorstTable ranked_;
  std::optional<HostsKey> current_;  ///< cell: stays when hosts appear or disappear
  QLineEdit* words_;
  QLabel* count_;
  QTableView* matrix_;
  QComboBox* ranking_;
  TimeNote* note_ = nullptr;
  QTreeView* worst_;
};

}  // namespace iwarpscope::gui
