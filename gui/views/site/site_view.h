// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The site at a glance, as a centre knows it: pairs of hosts that failed, over time; sensors; rules that are new;
// connections of which octets were lost between two taps.
#pragma once

#include <QWidget>

#include "models/site/sensor_table.h"
#include "models/site/site_model.h"
#include "models/site/site_tables.h"

class QAbstractItemView;
class QComboBox;
class QLabel;
class QPushButton;
class QTableView;
class QTreeView;

namespace iwarpscope::gui {

class EmptyNote;
class SensorBox;

/// Enter or a click on a row leads to its queue pairs, or findings.
class SiteView : public QWidget {
  Q_OBJECT

 public:
  /// The model must outlive it. It is asked while the view is visible.
  explicit SiteView(SiteModel& model, QWidget* parent = nullptr);
  void set_status(const StatusPtr& status);
  [[nodiscard]] QTableView& pairs() const noexcept { return *pairs_; }
  [[nodiscard]] QTreeView& sensors() const noexcept { return *sensors_; }
  [[nodiscard]] QTreeView& news() const noexcept { return *news_; }
  [[nodiscard]] QTreeView& connections() const noexcept { return *connections_; }

 signals:
  /// A filter for the table of queue pairs.
  void qps_wanted(const QString& filter);
  void qp_wanted(quint64 qp);
  /// Its findings, by its id.
  void rule_wanted(const QString& rule);

 protected:
  void showEvent(QShowEvent* event) override;
  void hideEvent(QHideEvent* event) override;

 private:
  [[nodiscard]] QWidget* make_top();
  [[nodiscard]] QWidget* make_tables();
  void make_pairs();
  [[nodiscard]] QTreeView* make_tree(QAbstractItemModel& model, const QString& name, const QString& stem);
  /// With its heading above it, and what it says while it is empty.
  [[nodiscard]] QWidget* pane(QLabel& heading, QAbstractItemView& table, EmptyNote*& empty);
  void connect_all();
  void ask();
  void refresh();
  void say_summary();
  void say_when();
  void say_empty();
  void go_to_pair(const QModelIndex& index);
  void go_to_sensor(const QModelIndex& index);
  void go_to_rule(const QModelIndex& index);
  void go_to_connection(const QModelIndex& index);

  SiteModel& model_;
  SitePairTable of_pairs_;
  SensorTable of_sensors_;
  SiteNewsTable of_news_;
  SiteConnectionTable of_connections_;
  QLabel *summary_, *when_, *pairs_heading_;
  QComboBox* time_ = nullptr;
  SensorBox* sensor_ = nullptr;
  QPushButton* again_ = nullptr;
  QTableView* pairs_ = nullptr;
  QTreeView *sensors_ = nullptr, *news_ = nullptr, *connections_ = nullptr;
  EmptyNote *no_pairs_ = nullptr, *no_sensors_ = nullptr, *no_news_ = nullptr, *no_connections_ = nullptr;
};

}  // namespace iwarpscope::gui
