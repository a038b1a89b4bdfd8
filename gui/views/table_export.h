// What a table shows, as a file. Needs no window.
#pragma once

#include <QAbstractItemModel>
#include <QByteArray>
#include <QList>
#include <QString>

namespace iwarpscope::gui {

/// What is exported, and in which order: columns of the model; the roles that give a cell's and a header's value for
/// programs. Where a role gives nothing, there is none. Of a tree the rows without children.
struct TableExport {
  const QAbstractItemModel& model;
  QList<int> columns{};  ///< empty: all
  /// Cells and headers without a value of this role at all are taken as they are shown.
  int value_role = Qt::DisplayRole;
  QString row_key{};  ///< of a first column with the headers of the rows; empty: there is none
};
/// UTF-8, a header line, lines end with CR LF. Source: RFC 4180.
[[nodiscard]] QByteArray table_csv(const TableExport& table);
/// An array of an object a row; what is not known is null. Whole numbers keep all their digits.
[[nodiscard]] QByteArray table_json(const TableExport& table);
/// One row with tabulators between its cells, as it is shown.
[[nodiscard]] QString row_text(const QModelIndex& index, const QList<int>& columns);
/// As JSON where the name ends in .json, else as CSV. The file appears under its name when it is complete. Empty: it is
/// written; else the sentence that says why not.
[[nodiscard]] QString save_table(const TableExport& table, const QString& file);

}  // namespace iwarpscope::gui
