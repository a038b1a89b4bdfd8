// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// One line with the losses at each stage, from the wire to the outputs.
#pragma once

#include <QStringList>
#include <QWidget>

#include <vector>

#include "session/session.h"

class QHBoxLayout;
class QToolButton;

namespace iwarpscope::gui {

struct HealthStage;

/// One button per stage. When pressed, it explains the stage and what to do.
class HealthBar : public QWidget {
  Q_OBJECT

 public:
  explicit HealthBar(QWidget* parent = nullptr);
  /// Null: not known. `of_file`: as health_stages() has it.
  void set_status(const StatusPtr& status, bool of_file = false);
  /// The daemon is unreachable: no stage is shown as OK.
  void set_stale(bool stale);

 private:
  void resizeEvent(QResizeEvent* event) override;
  void show_stages();
  void show_texts();
  [[nodiscard]] QString shorter(const HealthStage& stage);
  void set_count(std::size_t count);
  StatusPtr status_;
  bool stale_ = false, of_file_ = false;
  QHBoxLayout* row_;
  std::vector<QToolButton*> buttons_;
  QStringList whole_, short_;  ///< their texts, and the short texts if there is too little room
};

}  // namespace iwarpscope::gui
