// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The columns of the table of queue pairs: one row each, with all that the dashboard knows of it.
#pragma once

#include <QCoreApplication>
#include <QString>
#include <QVariant>

#include <compare>
#include <cstdint>
#include <span>

#include "models/queue_pairs/qp_row.h"

namespace iwarpscope::gui {

/// Sorts rows by a column. Equal rows are sorted by number.
struct QpSortKey {
  std::uint64_t high = 0, low = 0;
  friend auto operator<=>(const QpSortKey&, const QpSortKey&) = default;
};

/// One column. The model, its header and menu, tooltips, order, sums, export and search use nothing else.
struct QpColumnTraits {
  QpColumn column;
  const char* key;          ///< for programs: "retransmitted_octets". ASCII
  const char* title;        ///< "Rate"; not translated
  const char* meaning;      ///< with the section of the RFC if there is one; not translated
  bool is_number = false;   ///< aligned to the right: numbers are compared digit by digit
  bool most_first = false;  ///< the first click on its header puts the largest, or the worst, on top
  /// Fills the column's members of a row.
  void (*take)(const live::QpView& view, QpRow& row);
  /// Adds a row to the sum of a pair of hosts, which counts it already in `queue_pairs`. Null: sums do not show it.
  void (*add)(const QpRow& row, QpRow& sum) = nullptr;
  /// For people.
  QString (*cell)(const QpRow& row);
  /// The cell for programs: a number, a truth value or words that are not translated. Invalid: not known.
  QVariant (*value)(const QpRow& row);
  QpSortKey (*sort)(const QpRow& row);
  /// The tooltip of a cell; it begins with the column's meaning, or replaces it. Null: only the meaning.
  QString (*tip)(const QpRow& row, const QString& meaning) = nullptr;
};

/// In the order of QpColumn.
[[nodiscard]] std::span<const QpColumnTraits, kQpColumns> qp_columns() noexcept;
[[nodiscard]] const QpColumnTraits& traits(QpColumn column) noexcept;

/// Translated texts of the table.
class QpWords {
  Q_DECLARE_TR_FUNCTIONS(QpWords)

 public:
  [[nodiscard]] static QString title(QpColumn column);
  [[nodiscard]] static QString meaning(QpColumn column);
  /// The cell in full length.
  [[nodiscard]] static QString tip(const QpRow& row, QpColumn column);
  /// All text of the row, in lower case.
  [[nodiscard]] static QString search_text(const QpRow& row);
  /// "17 octets", "1.50 KiB".
  [[nodiscard]] static QString octets(std::uint64_t octets);
};

}  // namespace iwarpscope::gui
