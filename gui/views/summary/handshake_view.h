// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The MPA startup of one queue pair: both frames side by side, and the settings in use.
#pragma once

#include <QWidget>

#include "api/records.h"
#include "views/summary/html_view.h"

namespace iwarpscope::gui {

class HandshakeView : public QWidget {
  Q_OBJECT

 public:
  explicit HandshakeView(QWidget* parent = nullptr);
  void set_qp(const live::QpView& qp);
  void clear();
  /// While no queue pair is chosen: why, and what to do.
  void set_hint(const QString& hint);
  [[nodiscard]] QString plain_text() const { return text_->toPlainText(); }

 private:
  HtmlView* text_;
  QString hint_;
  bool is_clear_ = true;
};

}  // namespace iwarpscope::gui
