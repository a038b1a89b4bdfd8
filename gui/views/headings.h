// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Labels of pages that read like a document.
#pragma once

#include <QFont>
#include <QLabel>
#include <QString>

namespace iwarpscope::gui {

[[nodiscard]] inline QFont larger(QFont font, double by, bool bold) {
  font.setPointSizeF(font.pointSizeF() * by);
  font.setBold(bold);
  return font;
}

/// In a view without margins, the text of a label does not touch the edge.
inline void keep_from_edge(QLabel& label) {
  const int letter = label.fontMetrics().averageCharWidth();
  label.setContentsMargins(letter, 0, letter, 0);
}

/// A label for text that wraps and is no markup: it may be what a daemon sends. Without a name of its own: screen
/// readers read its text. The caller gives it a parent.
[[nodiscard]] inline QLabel* text_label(const QString& text = {}) {
  auto* label = new QLabel(text);
  label->setWordWrap(true);
  label->setTextFormat(Qt::PlainText);
  return label;
}

/// The heading of a part of a page. The caller gives it a parent.
[[nodiscard]] inline QLabel* heading(const QString& text) {
  QLabel* label = text_label(text);
  label->setFont(larger(label->font(), 1.2, true));
  return label;
}

}  // namespace iwarpscope::gui
