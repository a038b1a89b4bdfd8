// What a view shows or a rule says, in a window of its own.
#pragma once

#include <QDialog>

#include "views/html_view.h"

namespace iwarpscope::gui {

class HelpWindow : public QDialog {
  Q_OBJECT

 public:
  explicit HelpWindow(QWidget* parent = nullptr);
  /// `html` is ours, or escaped.
  void explain(const QString& title, const QString& html);
  [[nodiscard]] QString plain_text() const { return text_->toPlainText(); }

 private:
  HtmlView* text_;
};

/// The rule that the widget or one around it is about, and what that view shows: HTML; empty: nothing is known.
[[nodiscard]] QString help_html(const QWidget* widget);
/// Empty: there is no such rule.
[[nodiscard]] QString rule_help_html(const QString& code);

}  // namespace iwarpscope::gui
