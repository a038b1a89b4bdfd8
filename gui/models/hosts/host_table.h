// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The matrix of hosts and the worst queue pairs as tables.
#pragma once

#include <QAbstractTableModel>

#include "models/hosts/host_matrix.h"
#include "models/table_values.h"

namespace iwarpscope::gui {

/// Rows are Initiators, columns are Responders, each with the worst first. A cell shows the sign and word of the worst
/// verdict between the two. An empty cell: no traffic was seen. Never more than kMostHosts rows or columns.
class HostTable : public QAbstractTableModel {
  Q_OBJECT

 public:
  static constexpr std::size_t kMostHosts = 500;
  enum Role : int {
    outcome_role = Qt::UserRole + 1,  ///< int(qp::Outcome) of the worst; invalid: none
  };

  using QAbstractTableModel::QAbstractTableModel;
  /// If the hosts and their order are unchanged, cells change. Otherwise the model is reset.
  void show(std::map<HostsKey, HostsSum> sums);
  /// Only pairs that have all words in their addresses, their verdict or the code of their worst rule.
  void set_words(const QString& words);

  [[nodiscard]] std::optional<HostsKey> key_at(const QModelIndex& index) const;
  /// Null: no traffic between them was seen.
  [[nodiscard]] const HostsSum* at(const QModelIndex& index) const;
  /// Invalid: the pair is not shown.
  [[nodiscard]] QModelIndex index_of(const HostsKey& key) const;
  [[nodiscard]] std::size_t pairs() const noexcept { return sums_.size(); }
  [[nodiscard]] std::size_t pairs_shown() const noexcept { return shown_.size(); }
  /// Hosts without row or column, to limit the size.
  [[nodiscard]] std::size_t hosts_left_out() const noexcept { return hosts_left_out_; }

  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  using Hosts = std::vector<net::IpAddress>;
  void arrange();
  [[nodiscard]] bool matches(const HostsKey& key, const HostsSum& sum) const;
  [[nodiscard]] static QString text(const HostsSum& sum);
  [[nodiscard]] static QString tip(const HostsKey& key, const HostsSum& sum);

  std::map<HostsKey, HostsSum> sums_, shown_;
  Hosts rows_, columns_;
  std::size_t hosts_left_out_ = 0;
  QStringList words_;
};

/// The worst queue pairs by one measure.
class WorstTable : public QAbstractTableModel {
  Q_OBJECT

 public:
  static constexpr std::size_t kMost = 20;
  enum Column : int { kQp, kEnds, kVerdict, kErrors, kWarnings, kWait, kRate, kOctets, kFinding, kColumns };

  using QAbstractTableModel::QAbstractTableModel;
  void show(std::vector<RankedQp> worst);
  [[nodiscard]] const RankedQp& at(int row) const { return worst_[static_cast<std::size_t>(row)]; }
  /// -1: not among them.
  [[nodiscard]] int row_of(std::uint64_t qp) const;

  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  [[nodiscard]] static QString text(const RankedQp& qp, int column);
  [[nodiscard]] static QVariant value(const RankedQp& qp, int column);
  [[nodiscard]] static QString tip(const RankedQp& qp, int column);

  std::vector<RankedQp> worst_;
};

}  // namespace iwarpscope::gui
