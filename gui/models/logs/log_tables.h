// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The meanings of log lines, and the queue pairs that they may refer to, as tables.
#pragma once

#include <QAbstractTableModel>

#include <vector>

#include "models/logs/log_reader.h"
#include "models/table_values.h"

namespace iwarpscope::gui {

/// The meanings of a text as a table.
class LogMeaningTable : public QAbstractTableModel {
  Q_OBJECT

 public:
  enum Column : int { kDriver, kMeaning, kLine, kColumns };

  using QAbstractTableModel::QAbstractTableModel;
  void show(std::vector<LogMeaning> meanings);
  [[nodiscard]] const LogMeaning& at(int row) const { return meanings_[static_cast<std::size_t>(row)]; }

  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  std::vector<LogMeaning> meanings_;
};

/// Queue pairs that a line may refer to, the most likely first.
class LogMatchTable : public QAbstractTableModel {
  Q_OBJECT

 public:
  enum Column : int { kQp, kEnds, kVerdict, kReasons, kColumns };

  using QAbstractTableModel::QAbstractTableModel;
  /// Queue pairs without known data are left out. Setting the same ones again changes nothing.
  void show(std::vector<LogMatch> matches);
  [[nodiscard]] const LogMatch& at(int row) const { return matches_[static_cast<std::size_t>(row)]; }

  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  std::vector<LogMatch> matches_;
};

}  // namespace iwarpscope::gui
