// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Names and labels of the ladder that fit into the room that they have.
#include <algorithm>

#include "views/ladder/ladder_painter.h"

namespace iwarpscope::gui {

QString first_that_fits(const QStringList& forms, const QFontMetricsF& metrics, double room) {
  const auto fits = [&](const QString& form) { return metrics.horizontalAdvance(form) <= room; };
  const auto found = std::find_if(forms.begin(), forms.end(), fits);
  return found != forms.end() ? *found : forms.isEmpty() ? QString() : forms.back();
}

QString parts_that_fit(const QString& label, const QFontMetricsF& metrics, double room) {
  const QString between = QStringLiteral(", ");
  QString form = label;
  for (qsizetype end = label.size(); end > 0; end = label.lastIndexOf(between, end - 1)) {
    form = end == label.size() ? label : label.left(end) + between + QStringLiteral("…");
    if (metrics.horizontalAdvance(form) <= room) return form;
  }
  return form;
}

QStringList lines_that_fit(const QString& label, const QFontMetricsF& metrics, double room) {
  const QString between = QStringLiteral(", ");
  if (metrics.horizontalAdvance(label) <= room) return {label};
  for (qsizetype end = label.lastIndexOf(between); end > 0; end = label.lastIndexOf(between, end - 1)) {
    const QString first = label.left(end + 1);
    if (metrics.horizontalAdvance(first) > room) continue;
    return {first, parts_that_fit(label.mid(end + between.size()), metrics, room)};
  }
  return {parts_that_fit(label, metrics, room)};
}

std::pair<QString, QString> names_that_fit(const QStringList& left, const QStringList& right,
                                           const QFontMetricsF& metrics, double room) {
  const auto fits = [&](const QString& form) { return metrics.horizontalAdvance(form) <= room; };
  for (qsizetype i = 0; i < left.size(); ++i) {
    if (i + 1 == left.size() || (fits(left[i]) && fits(right[i]))) return {left[i], right[i]};
  }
  return {};
}

}  // namespace iwarpscope::gui
