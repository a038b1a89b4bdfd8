// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Saves the displayed table as a file. Needs no window.
#pragma once

#include <QAbstractItemModel>
#include <QByteArray>
#include <QList>
#include <QString>

namespace iwarpscope::gui {

/// What is exported, and in which order: columns of the model; the roles with a cell's and a header's value for
/// programs. If a role has no value, the value is missing. For a tree, only the top rows.
struct TableExport {
  const QAbstractItemModel& model;
  QList<int> columns{};  ///< empty: all
  /// Cells and headers that do not support this role are exported as they are shown.
  int value_role = Qt::DisplayRole;
  QString row_key{};  ///< header of a first column with the row headers; empty: no such column
};
/// UTF-8, a header line, lines end with CR LF, cells as csv_cell() makes them. Source: RFC 4180.
[[nodiscard]] QByteArray table_csv(const TableExport& table);
/// An array with one object per row; unknown values are null. Integers keep all their digits.
[[nodiscard]] QByteArray table_json(const TableExport& table);
/// One row with tabs between its cells, as it is shown.
[[nodiscard]] QString row_text(const QModelIndex& index, const QList<int>& columns);
/// As JSON if the suffix is .json, else as CSV. The file appears under its name when it is complete. Returns an empty
/// text, or a sentence with the reason of a failure.
[[nodiscard]] QString save_table(const TableExport& table, const QString& file);

}  // namespace iwarpscope::gui
