// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// What a centre says of its site, as tables: pairs of hosts over time, rules that are new, connections at several taps.
#pragma once

#include <QAbstractTableModel>

#include <optional>
#include <utility>

#include "models/site/site_roles.h"
#include "models/table_values.h"
#include "session/session.h"

namespace iwarpscope::v1 {
class JoinedConnection;
class SiteNews;
class SitePair;
}  // namespace iwarpscope::v1

namespace iwarpscope::gui {

/// One row for each pair of hosts that failed, those that recur first. Columns: the time that was asked about, in days
/// or hours, oldest first; then sums.
class SitePairTable : public QAbstractTableModel {
  Q_OBJECT

 public:
  enum Sum : int { kFailed, kQps, kDays, kRule, kSensors, kSums };  ///< columns after those of time

  using QAbstractTableModel::QAbstractTableModel;
  void show(const SitePtr& site, const SiteQuestion& question);
  /// Two addresses.
  [[nodiscard]] std::pair<QString, QString> hosts(int row) const;
  [[nodiscard]] int buckets() const noexcept { return buckets_; }

  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  [[nodiscard]] const v1::SitePair& at(int row) const;
  [[nodiscard]] std::uint32_t failed(const v1::SitePair& pair, int bucket) const;
  [[nodiscard]] bool is_by_hour() const;
  [[nodiscard]] std::int64_t begin_of(int bucket) const;
  [[nodiscard]] QVariant text(const v1::SitePair& pair, int column) const;
  [[nodiscard]] QVariant value(const v1::SitePair& pair, int column) const;
  [[nodiscard]] QString tip(const v1::SitePair& pair, int column) const;
  [[nodiscard]] QVariant bucket_header(int bucket, int role) const;

  SitePtr site_;
  SiteQuestion question_;
  int buckets_ = 0;
  std::uint32_t most_ = 0;  ///< failures in one cell
};

/// Rules that were broken since yesterday and not in the days before: by severity, then by count.
class SiteNewsTable : public QAbstractTableModel {
  Q_OBJECT

 public:
  enum Column : int { kSeverity, kRule, kCount, kFirst, kBetween, kSensors, kColumns };

  using QAbstractTableModel::QAbstractTableModel;
  void show(const SitePtr& site);

  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  [[nodiscard]] const v1::SiteNews& at(int row) const;
  [[nodiscard]] static QString text(const v1::SiteNews& news, int column);
  [[nodiscard]] static QVariant value(const v1::SiteNews& news, int column);

  SitePtr site_;
};

/// Connections of which octets were lost or damaged between two taps, the newest first.
class SiteConnectionTable : public QAbstractTableModel {
  Q_OBJECT

 public:
  enum Column : int { kTime, kTaps, kWhat, kColumns };

  using QAbstractTableModel::QAbstractTableModel;
  void show(const SitePtr& site);
  /// One of its queue pairs at the centre; empty: it names none.
  [[nodiscard]] std::optional<std::uint64_t> qp(int row) const;

  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  [[nodiscard]] const v1::JoinedConnection& at(int row) const;
  [[nodiscard]] static QString text(const v1::JoinedConnection& joined, int column);
  [[nodiscard]] static QVariant value(const v1::JoinedConnection& joined, int column);
  [[nodiscard]] static QString tip(const v1::JoinedConnection& joined);

  SitePtr site_;
};

}  // namespace iwarpscope::gui
