// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The ladder of a queue pair's messages with its controls: buttons above, the current message as text below.
#pragma once

#include <QWidget>

#include <vector>

#include "models/ladder/message_store.h"
#include "models/selection.h"

class QLabel;
class QLineEdit;

namespace iwarpscope::gui {

class LadderCanvas;

class LadderView : public QWidget {
  Q_OBJECT

 public:
  /// Both outlive it. The owner of `store` opens the queue pair in it, then calls set_qp() and set_findings().
  LadderView(Selection& selection, MessageStore& store, QWidget* parent = nullptr);

  void set_qp(const live::QpView& qp);
  /// All findings of that queue pair; called whenever there are new ones.
  void set_findings(std::vector<live::FindingView> findings);
  [[nodiscard]] LadderCanvas& canvas() noexcept { return *canvas_; }
  /// Asks for a file name, and writes the chosen or visible part.
  void export_picture();

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  [[nodiscard]] QWidget* make_bar();
  void go_to_frame();
  void jump(bool forward);

  LadderCanvas* canvas_;
  QLineEdit* frame_;
  QLabel* details_;
};

}  // namespace iwarpscope::gui
