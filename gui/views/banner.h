// A line above everything else that cannot be overlooked.
#pragma once

#include <QFrame>

#include "findings/catalogue.h"

class QLabel;

namespace iwarpscope::gui {

/// Hidden while it has nothing to say.
class Banner : public QFrame {
  Q_OBJECT

 public:
  explicit Banner(const QString& name, QWidget* parent = nullptr);
  /// Empty: nothing to say.
  void say(findings::Severity severity, const QString& sentence);
  [[nodiscard]] QString sentence() const { return sentence_; }

 protected:
  /// Behind the sentence.
  void add(QWidget* widget);
  void changeEvent(QEvent* event) override;

 private:
  void apply_colors();
  findings::Severity severity_{};
  QString sentence_;
  QLabel* sign_;
  QLabel* text_;
};

}  // namespace iwarpscope::gui
