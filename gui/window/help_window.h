// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The help on a view or a rule, in its own window.
#pragma once

#include <QDialog>

#include "views/summary/html_view.h"

namespace iwarpscope::gui {

class HelpWindow : public QDialog {
  Q_OBJECT

 public:
  explicit HelpWindow(QWidget* parent = nullptr);
  /// `html` is from this program, or escaped.
  void explain(const QString& title, const QString& html);
  [[nodiscard]] QString plain_text() const { return text_->toPlainText(); }
  /// The help on the widget and its rule, and the guide's chapter on it; without a chapter, the guide's contents.
  void explain_widget(const QWidget* widget);

 private:
  void go(const QUrl& link);

  HtmlView* text_;
};

/// F1 in dialogs: their windows block the keys of the main window. Lives as long as its parent.
class HelpKey : public QObject {
  Q_OBJECT

 public:
  explicit HelpKey(QObject* parent);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
};

/// The rule of the widget or of one around it (its property "rule"), the help on that view, and the chapter of the
/// guide named by its property "chapter": HTML; empty: no help.
[[nodiscard]] QString help_html(const QWidget* widget);
/// Empty: no such rule.
[[nodiscard]] QString rule_help_html(const QString& code);

}  // namespace iwarpscope::gui
