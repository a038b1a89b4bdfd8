// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// How many queue pairs have which outcome: one button each, which filters the table.
#pragma once

#include <QWidget>

#include <array>
#include <optional>

#include "report/incident_words.h"

class QToolButton;

namespace iwarpscope::gui {

class OutcomeBar : public QWidget {
  Q_OBJECT

 public:
  explicit OutcomeBar(QWidget* parent = nullptr);
  void set_incidents(const report::Incidents& incidents);
  /// The filter of the table: the button that sets it is pressed.
  void set_filter(const QString& filter);

 signals:
  /// Empty: the pressed button was pressed again.
  void filter_wanted(const QString& filter);

 protected:
  void changeEvent(QEvent* event) override;

 private:
  void apply_colors();
  std::array<QToolButton*, report::kOutcomes.size()> buttons_{};  ///< in the order of report::kOutcomes
  std::array<std::optional<findings::Severity>, report::kOutcomes.size()>
      flaws_{};  ///< that all of them have, likewise
};

}  // namespace iwarpscope::gui
