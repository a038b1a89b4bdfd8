// What stands in the place of a table that has no row, and what can be done about it.
#pragma once

#include <QWidget>

class QAbstractScrollArea;
class QLabel;
class QPushButton;

namespace iwarpscope::gui {

/// Over the middle of a table, as large as it; hidden while there is nothing to say.
class EmptyNote : public QWidget {
  Q_OBJECT

 public:
  explicit EmptyNote(QAbstractScrollArea& table);
  /// Empty: nothing to say.
  void say(const QString& sentence);
  /// Below the sentence; hidden at first.
  [[nodiscard]] QPushButton* add_button(const QString& text, const QString& name);
  /// What is said now; empty: nothing.
  [[nodiscard]] QString sentence() const;

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  QLabel* text_;
};

}  // namespace iwarpscope::gui
