// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Which findings are shown, and in which order.
#pragma once

#include <QSortFilterProxyModel>

#include <optional>

#include "models/findings/finding_table.h"
#include "models/selection.h"

namespace iwarpscope::gui {

/// Its source is a FindingTable. If a time span is marked, shows only findings in it and findings without a time.
class FindingFilter : public QSortFilterProxyModel {
  Q_OBJECT

 public:
  /// Both must outlive it.
  FindingFilter(FindingTable& table, const Selection& selection, QObject* parent = nullptr);

  /// This severity and higher ones.
  void set_at_least(findings::Severity severity);
  /// Each word must occur in one of the cells; case is ignored.
  void set_text(const QString& text);
  /// Only findings of this queue pair; empty: of all.
  void set_qp(std::optional<std::uint64_t> qp);
  /// Only findings of this sensor; empty: of all.
  void set_sensor(const QString& name);
  /// At a centre, words may also occur in the name of the sensor.
  void set_centre(bool is_centre);
  /// Only the earliest error or warning between two hosts.
  void set_first_only(bool first_only);

  [[nodiscard]] const live::FindingView& at(const QModelIndex& index) const;
  /// Rows that are hidden only by the marked time.
  [[nodiscard]] std::size_t hidden_by_time() const;

 protected:
  [[nodiscard]] bool filterAcceptsRow(int row, const QModelIndex& parent) const override;

 private:
  [[nodiscard]] bool is_in_time(int row) const;
  [[nodiscard]] bool is_wanted(int row) const;

  FindingTable& table_;
  const Selection& selection_;
  findings::Severity at_least_ = findings::Severity::note;
  QStringList words_;
  std::optional<std::uint64_t> qp_;
  QString sensor_;
  bool is_centre_ = false;
  bool first_only_ = false;
};

}  // namespace iwarpscope::gui
