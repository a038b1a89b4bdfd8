// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "views/csv.h"

namespace iwarpscope::gui {
namespace {

/// As the Open Worldwide Application Security Project lists them under "CSV Injection".
bool is_computed(const QString& text) {
  if (text.isEmpty() || !QStringLiteral("=+-@\t\r\n").contains(text.front())) return false;
  bool is_number = false;
  text.toDouble(&is_number);
  return !is_number;
}

}  // namespace

QString csv_cell(const QString& text) {
  QString cell = is_computed(text) ? QLatin1Char('\'') + text : text;
  const auto has = [&](char c) { return cell.contains(QLatin1Char(c)); };
  if (!has(',') && !has('"') && !has('\n') && !has('\r')) return cell;
  return QLatin1Char('"') + cell.replace(QLatin1Char('"'), QLatin1String("\"\"")) + QLatin1Char('"');
}

}  // namespace iwarpscope::gui
