// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// A push button as all pages and views have it.
#pragma once

#include <QPushButton>

#include <algorithm>

namespace iwarpscope::gui {

/// Has room on both sides of its text, whatever the desktop's style. Screen readers read the text without its mnemonic.
class TextButton : public QPushButton {
 public:
  explicit TextButton(const QString& text = {}, QWidget* parent = nullptr) : QPushButton(parent) { set_text(text); }

  void set_text(const QString& text) {
    setText(text);
    setAccessibleName(QString(text).remove(QLatin1Char('&')));
  }
  void set_tip(const QString& tip) {
    setToolTip(tip);
    setAccessibleDescription(tip);
  }
  [[nodiscard]] QSize sizeHint() const override {
    const QSize base = QPushButton::sizeHint();
    const int least = fontMetrics().size(Qt::TextShowMnemonic, text()).width() + 4 * fontMetrics().averageCharWidth();
    return {std::max(base.width(), least), base.height()};
  }
  [[nodiscard]] QSize minimumSizeHint() const override { return sizeHint(); }
};

}  // namespace iwarpscope::gui
