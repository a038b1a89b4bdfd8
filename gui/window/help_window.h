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
  /// What the widget and its rule are about, and the guide's chapter on it; the guide's contents where nothing is
  /// known.
  void explain_widget(const QWidget* widget);

 private:
  void go(const QUrl& link);

  HtmlView* text_;
};

/// F1 in dialogs, whose windows keep the keys of the main window from working. Lives as long as its parent.
class HelpKey : public QObject {
  Q_OBJECT

 public:
  explicit HelpKey(QObject* parent);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
};

/// The rule that the widget or one around it is about (its property "rule"), what that view shows, and the chapter of
/// the guide that its property "chapter" names: HTML; empty: nothing is known.
[[nodiscard]] QString help_html(const QWidget* widget);
/// Empty: there is no such rule.
[[nodiscard]] QString rule_help_html(const QString& code);

}  // namespace iwarpscope::gui
