// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "views/table_export.h"

#include <QCoreApplication>
#include <QDir>
#include <QSaveFile>

#include <cmath>
#include <functional>
#include <numeric>

#include "views/csv.h"

namespace iwarpscope::gui {
namespace {

class Exporting {
  Q_DECLARE_TR_FUNCTIONS(TableExport)
};

QList<int> columns_of(const TableExport& table) {
  if (!table.columns.isEmpty()) return table.columns;
  QList<int> all(table.model.columnCount());
  std::iota(all.begin(), all.end(), 0);
  return all;
}

QString header(const TableExport& table, int column) {
  const QVariant key = table.model.headerData(column, Qt::Horizontal, table.value_role);
  return (key.isValid() ? key : table.model.headerData(column, Qt::Horizontal)).toString();
}

/// A model without header keys has no values of that role either.
QVariant value(const TableExport& table, const QModelIndex& row, int column) {
  const bool has_values = table.model.headerData(column, Qt::Horizontal, table.value_role).isValid();
  return row.siblingAtColumn(column).data(has_values ? table.value_role : int{Qt::DisplayRole});
}

QVariant row_header(const TableExport& table, const QModelIndex& row) {
  return table.model.headerData(row.row(), Qt::Vertical);
}

void for_leaves(const QAbstractItemModel& model, const QModelIndex& parent,
                const std::function<void(const QModelIndex&)>& take) {
  for (int row = 0; row < model.rowCount(parent); ++row) {
    const QModelIndex index = model.index(row, 0, parent);
    model.hasChildren(index) ? for_leaves(model, index, take) : take(index);
  }
}

QByteArray json_text(const QString& text) {
  QByteArray out = "\"";
  for (const char c : text.toUtf8()) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      out += "\\u00" + QByteArray(1, c).toHex();
    } else {
      out += c;
    }
  }
  return out + '"';
}

QByteArray json_value(const QVariant& value) {
  switch (value.typeId()) {
    case QMetaType::UnknownType: return "null";
    case QMetaType::Bool: return value.toBool() ? "true" : "false";
    case QMetaType::Int:
    case QMetaType::LongLong: return QByteArray::number(value.toLongLong());
    case QMetaType::UInt:
    case QMetaType::ULongLong: return QByteArray::number(value.toULongLong());
    case QMetaType::Double: {
      const double number = value.toDouble();
      return std::isfinite(number) ? QByteArray::number(number, 'g', 15) : QByteArray("null");
    }
    default: return json_text(value.toString());
  }
}

}  // namespace

QByteArray table_csv(const TableExport& table) {
  const QList<int> columns = columns_of(table);
  QByteArray out;
  const auto add = [&](const QString& row, const std::function<QString(int)>& cell) {
    QStringList cells;
    if (!table.row_key.isEmpty()) cells << csv_cell(row);
    for (const int column : columns) cells << csv_cell(cell(column));
    out += cells.join(QLatin1Char(',')).toUtf8() + "\r\n";
  };
  add(table.row_key, [&](int column) { return header(table, column); });
  for_leaves(table.model, {}, [&](const QModelIndex& row) {
    add(row_header(table, row).toString(), [&](int column) { return value(table, row, column).toString(); });
  });
  return out;
}

QByteArray table_json(const TableExport& table) {
  const QList<int> columns = columns_of(table);
  QByteArray out = "[";
  bool is_first = true;
  for_leaves(table.model, {}, [&](const QModelIndex& row) {
    out += is_first ? "\n  {" : ",\n  {";
    is_first = false;
    QByteArrayList members;
    if (!table.row_key.isEmpty()) members << json_text(table.row_key) + ": " + json_value(row_header(table, row));
    for (const int column : columns) {
      members << json_text(header(table, column)) + ": " + json_value(value(table, row, column));
    }
    out += members.join(", ") + '}';
  });
  return out + "\n]\n";
}

QString row_text(const QModelIndex& index, const QList<int>& columns) {
  QStringList cells;
  for (const int column : columns) {
    QString cell = index.siblingAtColumn(column).data().toString();
    cells << cell.replace(QLatin1Char('\t'), QLatin1Char(' '));
  }
  return cells.join(QLatin1Char('\t'));
}

QString save_table(const TableExport& table, const QString& file) {
  QSaveFile out(file);
  const QByteArray text =
      file.endsWith(QLatin1String(".json"), Qt::CaseInsensitive) ? table_json(table) : table_csv(table);
  if (out.open(QIODevice::WriteOnly) && out.write(text) == text.size() && out.commit()) return {};
  return Exporting::tr("%1 cannot be written: %2").arg(QDir::toNativeSeparators(file), out.errorString());
}

}  // namespace iwarpscope::gui
