// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// One incident: what happened, which end, how sure, what to do next, and buttons to the evidence.
#pragma once

#include <QFrame>

#include <string>
#include <vector>

#include "models/overview/overview_model.h"
#include "models/selection.h"

class QHBoxLayout;
class QLabel;
class QPushButton;

namespace iwarpscope::gui {

/// Words of a report: "->" becomes an arrow, at which no line is broken.
[[nodiscard]] QString with_arrows(const std::string& words);

class IncidentCard : public QFrame {
  Q_OBJECT

 public:
  explicit IncidentCard(QWidget* parent = nullptr);
  void set_card(const OverviewCard& card);
  /// Changes no size.
  void set_fresh(std::uint64_t fresh);
  [[nodiscard]] const report::IncidentKey& key() const noexcept { return card_.incident.key; }
  /// All that it says.
  [[nodiscard]] QString plain_text() const;
  /// Its sentence has come.
  [[nodiscard]] bool has_text() const noexcept { return !card_.incident.verdict.text.empty(); }

 signals:
  void frame_wanted(const iwarpscope::gui::Focus& focus);
  /// The table shows the queue pairs that pass the filter, and `qp` is chosen.
  void qps_wanted(const QString& filter, quint64 qp);
  /// Its menu is about this one.
  void qp_chosen(quint64 qp);
  /// The user has pressed it, or one of its buttons.
  void seen(const iwarpscope::report::IncidentKey& key);
  /// The mouse has left it.
  void left();

 protected:
  void mousePressEvent(QMouseEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  void apply_colors();
  void show_frames();
  QPushButton* add_button();

  OverviewCard card_;
  QLabel *head_, *new_, *who_, *text_, *next_;
  QHBoxLayout* buttons_;
  QPushButton* qps_ = nullptr;
  std::vector<QPushButton*> frames_;
};

}  // namespace iwarpscope::gui
