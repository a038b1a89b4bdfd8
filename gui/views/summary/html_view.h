// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Rich text with the colours of the window: used for verdict, handshake and help.
#pragma once

#include <QTextBrowser>

namespace iwarpscope::gui {

/// Keeps its scroll position when the text is set again, and follows the palette. Does not open links itself:
/// anchorClicked().
class HtmlView : public QTextBrowser {
  Q_OBJECT

 public:
  /// `name`: the accessible name.
  explicit HtmlView(const QString& name, QWidget* parent = nullptr);
  void show_html(const QString& html);

 protected:
  void changeEvent(QEvent* event) override;

 private:
  void apply_colors();
  QString html_;
};

}  // namespace iwarpscope::gui
