// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "views/overview/outcome_bar.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QToolButton>

#include "models/words.h"
#include "views/colors.h"

namespace iwarpscope::gui {
namespace {

QString filter_of(qp::Outcome outcome) {
  return QStringLiteral("outcome == ") + QString::fromLatin1(qp::name(outcome).data());
}

}  // namespace

OutcomeBar::OutcomeBar(QWidget* parent) : QWidget(parent) {
  setAccessibleName(tr("Queue pairs by outcome"));
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins({});
  for (std::size_t i = 0; i < buttons_.size(); ++i) {
    const qp::Outcome outcome = report::kOutcomes[i];
    auto* button = new QToolButton(this);
    button->setObjectName(QString::fromLatin1(qp::name(outcome).data()));
    button->setCheckable(true);
    button->setFocusPolicy(Qt::StrongFocus);
    button->hide();
    connect(button, &QToolButton::clicked, this,
            [this, outcome](bool on) { emit filter_wanted(on ? filter_of(outcome) : QString()); });
    row->addWidget(button);
    buttons_[i] = button;
  }
  row->addStretch(1);
  set_incidents({});
  apply_colors();
}

void OutcomeBar::set_incidents(const report::Incidents& incidents) {
  for (std::size_t i = 0; i < buttons_.size(); ++i) {
    const qp::Outcome outcome = report::kOutcomes[i];
    const auto [qps, with_errors] = incidents.count(outcome);
    const bool has_errors = with_errors != 0 && !qp::ended_badly(outcome);
    QToolButton& button = *buttons_[i];
    const QString sign = outcome_sign(outcome, std::optional<findings::Severity>());
    button.setText(has_errors ? tr("%1 %L2 %3, ▲ %L4").arg(sign).arg(qps).arg(outcome_word(outcome)).arg(with_errors)
                              : tr("%1 %L2 %3").arg(sign).arg(qps).arg(outcome_word(outcome)));
    const QString words = qps == 0 ? button.text() : QString::fromStdString(report::outcome_words(incidents, outcome));
    button.setAccessibleName(words);
    button.setToolTip(tr("%1. Shows only these in the table; press again to show all.").arg(words));
    // One that is pressed stays, so that it can be released.
    button.setVisible(qps != 0 || button.isChecked());
  }
}

void OutcomeBar::set_filter(const QString& filter) {
  for (std::size_t i = 0; i < buttons_.size(); ++i) {
    buttons_[i]->setChecked(filter.simplified() == filter_of(report::kOutcomes[i]));
  }
}

void OutcomeBar::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::PaletteChange || event->type() == QEvent::ApplicationPaletteChange) apply_colors();
}

void OutcomeBar::apply_colors() {
  for (std::size_t i = 0; i < buttons_.size(); ++i) {
    if (buttons_[i] == nullptr) continue;
    QPalette colors = palette();
    colors.setColor(QPalette::ButtonText, outcome_color(report::kOutcomes[i], palette()));
    buttons_[i]->setPalette(colors);
  }
}

}  // namespace iwarpscope::gui
