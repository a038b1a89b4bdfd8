// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The sensors of a centre: which of them are silent, lose frames, or differ from the others.
#pragma once

#include <QAbstractTableModel>

#include <optional>
#include <vector>

#include "models/site/site_roles.h"
#include "models/table_values.h"
#include "session/session.h"

namespace iwarpscope::v1 {
class SensorStatus;
}

namespace iwarpscope::gui {

/// All sensors of a centre, in order.
[[nodiscard]] QStringList sensor_names(const v1::Status& status);

/// The worst first, then by name.
class SensorTable : public QAbstractTableModel {
  Q_OBJECT

 public:
  enum Column : int { kName, kState, kPosition, kVersion, kConfiguration, kLoss, kWaiting, kDelivered, kColumns };

  using QAbstractTableModel::QAbstractTableModel;
  void show(const v1::Status& status);
  [[nodiscard]] std::size_t silent() const noexcept;
  /// That are not silent, and of which something else is to be said.
  [[nodiscard]] std::size_t noted() const noexcept;
  /// What most sensors do not agree on: "5 configurations".
  [[nodiscard]] const QStringList& differences() const noexcept { return differences_; }

  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  struct Cell {
    QString text;
    std::optional<findings::Severity> severity{};  ///< empty: nothing is wrong
    friend bool operator==(const Cell&, const Cell&) = default;
  };
  struct Row {
    std::vector<Cell> cells;       ///< by column
    std::vector<QVariant> values;  ///< for programs, likewise
    QStringList sentences;         ///< why it is not OK
    bool is_silent = false;
    [[nodiscard]] const QString& name() const { return cells.front().text; }
    friend bool operator==(const Row&, const Row&) = default;
  };
  /// What most sensors have; empty: there is no such value.
  struct Common {
    std::string version, configuration;
    QStringList differences{};  ///< where no value is that of most: how many values occur
  };
  [[nodiscard]] static Common common(const v1::Status& status);
  [[nodiscard]] static Row row_of(const v1::SensorStatus& sensor, const Common& common);
  static void add_versions(const v1::SensorStatus& sensor, const Common& common, Row& row);
  static void add_losses(const v1::SensorStatus& sensor, Row& row);
  static void add_state(const v1::SensorStatus& sensor, Row& row);

  std::vector<Row> rows_;
  QStringList differences_;
};

}  // namespace iwarpscope::gui
