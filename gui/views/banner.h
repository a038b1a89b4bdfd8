// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// A prominent line above everything else.
#pragma once

#include <QFrame>

#include "findings/catalogue.h"

class QLabel;

namespace iwarpscope::gui {

/// Hidden while it has no text.
class Banner : public QFrame {
  Q_OBJECT

 public:
  explicit Banner(const QString& name, QWidget* parent = nullptr);
  /// Empty: no text.
  void say(findings::Severity severity, const QString& sentence);
  [[nodiscard]] QString sentence() const { return sentence_; }

 protected:
  /// After the sentence.
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
